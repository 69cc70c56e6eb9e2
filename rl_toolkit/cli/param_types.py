"""The types of arguments and options: games, players, numbers, files.

The top-level ``--help`` needs nothing but Click, so the rest is imported inside functions.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    _Word = click.ParamType[str]
else:
    _Word = click.ParamType  # generic only in newer versions of Click


class GameName(_Word):
    """The name of a registered game, converted to its full form: ``reversi`` → ``reversi-8``."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The full name; a usage error that lists the games otherwise."""
        from rl_toolkit.envs import UnknownGameError, make_game

        try:
            return make_game(value).name
        except UnknownGameError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The families whose names begin with ``incomplete``."""
        from rl_toolkit.envs import game_families

        return [
            CompletionItem(family.name, help=family.title)
            for family in game_families()
            if family.name.startswith(incomplete)
        ]


class PlayerName(_Word):
    """A level, an engine with options, or ``human``; which ones exist depends on the game."""

    def __init__(self, *, human: bool) -> None:
        self._people = ["human"] if human else []
        self.name = "human|LEVEL|ENGINE" if human else "LEVEL|ENGINE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text unchanged: it can only be checked once the game is known."""
        return str(value).strip()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Levels and engines whose names begin with ``incomplete``."""
        from rl_toolkit.players import LEVELS, engine_kinds

        names = [*self._people, *LEVELS, *(kind.name for kind in engine_kinds())]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


#: An OBF board whose first cell is empty begins like an option.
_OBF = re.compile(r"-[-XO*BW.xobw]{15,}(\s.*)?", re.DOTALL)


class PositionCommand(click.Command):
    """A command whose position may begin with dashes, as OBF boards do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put a space before boards so that they are not read as options."""
        if "--" not in args:
            args = [f" {arg}" if _OBF.fullmatch(arg) else arg for arg in args]
        return super().parse_args(ctx, args)


GAME = GameName()
PLAYER, ENGINE = PlayerName(human=True), PlayerName(human=False)
COUNT, NATURAL = click.IntRange(min=1), click.IntRange(min=0)
SECONDS = click.FloatRange(min=0.001)
FILE, FOLDER = click.Path(path_type=Path), click.Path(path_type=Path, file_okay=False)
