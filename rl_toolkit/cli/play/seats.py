"""Who sits at the board: a person, or an engine that a level or a spec describes."""

from __future__ import annotations

from dataclasses import dataclass

from rl_toolkit.analysis import Limit
from rl_toolkit.arena.worker_engines import network_of
from rl_toolkit.players import Player, make_player

HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the board; ``text`` is what was asked for and makes the same seat again."""

    text: str
    player: Player | None = None

    @property
    def is_human(self) -> bool:
        """Whether a person moves here."""
        return self.player is None

    @property
    def title(self) -> str:
        """The seat in words: ``hard (minimax:depth=6)``."""
        if self.player is None:
            return self.text
        return self.text if self.text == self.player.spec else f"{self.text} ({self.player.spec})"


def make_seat(game: str, text: str, *, time: float | None = None, seed: int | None = None) -> Side:
    """The seat that ``text`` describes: ``human``, a level of the game, or an engine spec.

    ``time`` is a clock in seconds that an engine keeps besides its own limits. `SpecError` says
    what there is instead; a network that cannot be played with is refused here, not amid the game.
    """
    name, colon, options = text.strip().partition(":")
    name = name.lower()  # but names of files among the options are kept as they are
    if (name, colon) == (HUMAN, ""):
        return Side(HUMAN)
    player = make_player(game, text, seed=seed)
    network_of(game, player)
    if time is not None:
        player = player.within(Limit(time=time))
    return Side(f"{name}{colon}{options}", player)
