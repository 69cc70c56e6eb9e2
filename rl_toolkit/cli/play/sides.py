"""The two sides of a game: a person, or an engine given by a level or a spec."""

from __future__ import annotations

from dataclasses import dataclass

from rl_toolkit.analysis import Limit
from rl_toolkit.arena import prepare
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player, is_level, is_rating, kind_named, make_player, tidied

HUMAN = "human"
#: The names of the players +1 and −1.
SIDES = {1: "X", -1: "O"}


def sides_of(env: BaseGameEnv) -> dict[int, str]:
    """The players by the names of their pieces: ``Red (X)``."""
    return {player: env.traits.side(player) for player in SIDES}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a game; ``text`` is what was asked for and makes the same side again."""

    text: str
    player: Player | None = None

    @property
    def is_human(self) -> bool:
        """Whether a person plays it."""
        return self.player is None

    @property
    def title(self) -> str:
        """The side in words: ``hard (minimax:depth=6)``."""
        if self.player is None:
            return self.text
        if is_rating(self.text):
            return f"{self.text} Elo above random"
        spec = str(self.player.spec)
        return self.text if self.text == spec else f"{self.text} ({spec})"


def names_a_side(text: str) -> bool:
    """Whether ``text`` is what `make_side` takes, and not the name of a person.

    An engine with options is one even if it does not exist: `make_side` then says so.

    >>> [names_a_side(text) for text in ("human", "hard", "mcts", "zork:depth=3", "Ada", "")]
    [True, True, True, True, False, False]
    """
    name = text.strip().lower()
    return name == HUMAN or is_level(name) or ":" in name or kind_named(text) is not None


def make_side(game: str, text: str, *, time: float | None = None, seed: int | None = None) -> Side:
    """The side that ``text`` describes: ``human``, a level of the game, or an engine spec.

    ``time`` limits an engine to these seconds for each move, besides its own limits; if nothing
    else limits it, it uses all cores. `SpecError` lists the choices. A network or bot that cannot
    be used is refused here, not in the middle of a game.
    """
    if text.strip().lower() == HUMAN:
        return Side(HUMAN)
    player = make_player(game, text, seed=seed)
    prepare(game, player)
    if time is not None:
        player = player.within(Limit(time=time))
    return Side(tidied(text), player.on_all_cores())
