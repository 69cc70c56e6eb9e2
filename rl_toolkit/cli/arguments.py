"""What people write after a command: games, players, positions; checked, explained, completed.

Declaring a command needs nothing but Click, so that ``--help`` is quick: what is heavier is
imported where it is used, here and in `commands`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
from click.shell_completion import CompletionItem

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:
    _Word = click.ParamType[str]
else:
    _Word = click.ParamType  # generic only in newer versions of Click


class GameName(_Word):
    """The name of a game in the registry, spelled in full: ``reversi`` becomes ``reversi-8``."""

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
        """The families whose names begin so."""
        from rl_toolkit.envs import game_families

        return [
            CompletionItem(family.name, help=family.title)
            for family in game_families()
            if family.name.startswith(incomplete)
        ]


class PlayerName(_Word):
    """``human``, a level, or an engine with options; which of them exist depends on the game."""

    name = "human|LEVEL|ENGINE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it is: only with the game at hand can it be checked."""
        return str(value).strip()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Levels and engines whose names begin so."""
        from rl_toolkit.players import LEVELS, engine_kinds

        names = ["human", *LEVELS, *(kind.name for kind in engine_kinds())]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


#: A board in OBF begins like an option where its first cell is empty.
_OBF = re.compile(r"-[-XO*BW.xobw]{15,}(\s.*)?", re.DOTALL)


class PositionCommand(click.Command):
    """A command whose position may begin with dashes, as OBF boards do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put a blank before boards, which keeps them from being read as options."""
        if "--" not in args:
            args = [f" {arg}" if _OBF.fullmatch(arg) else arg for arg in args]
        return super().parse_args(ctx, args)


#: How every front door shows its help.
HELP_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

GAME = GameName()
PLAYER = PlayerName()


def of_size(game: str, size: str | None) -> str:
    """The full name of ``game`` in another size: ``tictactoe`` and ``4x4x3``."""
    from rl_toolkit.envs import UnknownGameError, game_families, make_game

    if size is None:
        return game
    family = next(f.name for f in game_families() if f"{game}-".startswith(f"{f.name}-"))
    try:
        return make_game(f"{family}-{size}").name
    except UnknownGameError as error:
        raise click.BadParameter(str(error), param_hint="'--size'") from error


def refuse(problem: Exception | str) -> click.UsageError:
    """A complaint about what was written on the command line: exit code 2."""
    return click.UsageError(str(problem))


def failure(problem: Exception | str) -> click.ClickException:
    """Something went wrong that was written correctly: exit code 1."""
    return click.ClickException(str(problem))


def describe_os_error(error: OSError) -> str:
    """``game.json: No such file or directory``."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def examples(*lines: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Close a command's help with examples, kept as they are written."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        # Without its margin, for the lines that are added have none.
        text = inspect.cleandoc(function.__doc__ or "")
        shown = "\n".join(f"  {line}" for line in lines)
        function.__doc__ = f"{text}\n\n\b\nExamples:\n{shown}"
        return function

    return decorate
