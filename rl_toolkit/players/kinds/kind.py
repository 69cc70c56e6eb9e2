"""`EngineKind`: what an engine is called, which options it takes, and how well it knows a position.

Each kind declares its options once, for the parser, the error messages, the command that lists
engines and the web page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from rl_toolkit.analysis import Engine
from rl_toolkit.envs import BaseGameEnv, game_families, make_game, size_text
from rl_toolkit.players.options import Option, SpecError
from rl_toolkit.utils import did_you_mean, listed, shown


class Knowledge(IntEnum):
    """How well an engine knows a position; a greater value is better knowledge."""

    NONE = 0  #: does not play this game
    PLAYS = 1  #: plays this game
    STRONG = 2  #: was made or trained for this game and plays it well
    EXACT = 3  #: quickly proves the value of every move


@dataclass(frozen=True, slots=True)
class EngineKind:
    """One kind of engine, by its name.

    Attributes:
        name: its name in a spec.
        help: one line of help.
        make: makes the engine; called with every option that is not a limit as a keyword argument.
            It should import what it needs itself, so that listing engines stays fast. It may have
            an attribute ``module`` that names the module of the engine.
        options: the options it takes.
        knows: how well it knows a position, which may depend on the size of the board and the
            stage of the game; by default it plays every game.
        needs_heuristic: whether it plays badly in a game without one.
        perfect: the spec that plays a game perfectly, and quickly enough, from every position,
            ``None`` if there is none.
        advice: a sentence on where to get files for other games.
        outside: whether it runs a program or a file that the spec must name. Such kinds are not
            listed among the others, and a request to the web server cannot name them.
        takes_evaluate: whether ``make`` also takes ``evaluate``, a function of a game and a player.
        node_step: the most nodes that it searches in a game between two looks at its limit, if
            these are more than a few: a match that limits nodes allows it that many more.
    """

    name: str
    help: str
    make: Callable[..., Engine]
    options: tuple[Option, ...] = ()
    knows: Callable[[BaseGameEnv], Knowledge] = lambda env: Knowledge.PLAYS
    needs_heuristic: bool = False
    perfect: Callable[[BaseGameEnv], str | None] = lambda env: None
    advice: Callable[[], str] | None = None
    outside: bool = False
    takes_evaluate: bool = False
    node_step: Callable[[BaseGameEnv], int] = lambda env: 0

    def can_play(self, env: BaseGameEnv) -> bool:
        """Whether the engine plays the game of ``env``, on a board of its size."""
        return self.knows(env) > Knowledge.NONE

    @property
    def module(self) -> str:
        """The module of the engine, known without making one; that of its maker if that is all."""
        return str(getattr(self.make, "module", self.make.__module__))

    @property
    def games(self) -> list[str]:
        """The names of the games it plays, with the size where it plays only other boards."""
        names = []
        for family in game_families():
            sizes = (f"{family.name}-{size_text(size)}" for size in family.traits.sizes)
            boards = [family.name, *sizes]
            played = [board for board in boards if self.can_play(make_game(board))]
            names += [family.name] if family.name in played else played
        return names

    def to_dict(self) -> dict[str, Any]:
        """The engine as plain data: name, help, the games it plays, and its options."""
        return {
            "name": self.name,
            "help": self.help,
            "games": self.games,
            "options": [
                {
                    "name": option.name,
                    "kind": option.kind,
                    "default": option.default,
                    "allowed": option.allowed,
                    "help": option.help,
                }
                for option in self.options
            ],
        }

    def option(self, name: str) -> Option:
        """The option of that name; raises `SpecError` if there is none."""
        for option in self.options:
            if option.name == name:
                return option
        if not self.options:
            raise SpecError(f"{self.name} has no option {shown(name)}; it takes no options")
        names = [option.name for option in self.options]
        meant = did_you_mean(name, names)
        hint = f"did you mean {meant}?" if meant else f"its options are {listed(names)}"
        raise SpecError(f"{self.name} has no option {shown(name)}; {hint}")


# ------------------------------------------------------------------- shared options

#: The parts of a `Limit` as options, by name.
LIMITS = {
    option.name: option
    for option in (
        Option("time", "number", None, "seconds to think", least=0.001, most=86_400, is_limit=True),
        Option("nodes", "whole number", None, "positions to search", least=1, is_limit=True),
        Option(
            "depth", "whole number", None, "plies to look ahead", least=1, most=1_000, is_limit=True
        ),
        Option("simulations", "whole number", None, "games to play out", least=1, is_limit=True),
    )
}

SEED = Option("seed", "whole number", None, "the same seed gives the same answers", least=0)


def limits(*names: str) -> Sequence[Option]:
    """The options for these parts of a `Limit`.

    >>> [option.name for option in limits("depth", "time")]
    ['depth', 'time']
    """
    return tuple(LIMITS[name] for name in names)
