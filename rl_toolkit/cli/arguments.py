"""What commands take: games, players, limits, positions, saved games; and how they refuse them.

The top-level ``--help`` needs nothing but Click, so the rest is imported inside functions.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
from click.shell_completion import CompletionItem

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    from rl_toolkit.envs import BaseGameEnv
    from rl_toolkit.records import GameRecord

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


#: How every program of the package shows its help.
HELP_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

GAME = GameName()
PLAYER, ENGINE = PlayerName(human=True), PlayerName(human=False)


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


def limit_options(function: F) -> F:
    """Add ``--time --depth --nodes --simulations``, named like the fields of a `Limit`."""
    count = click.IntRange(min=1)
    for option in (
        click.option("--simulations", type=count, help="Simulations per move, for tree searches."),
        click.option("--nodes", type=count, help="Positions to search."),
        click.option("--depth", type=count, help="Plies to look ahead."),
        click.option("--time", type=click.FloatRange(min=0.001), help="Seconds to think."),
    ):
        function = option(function)
    return function


#: The position argument that stands for "lines from stdin".
STREAM = "-"


def position_of(game: str, text: str) -> BaseGameEnv:
    """The position that ``text`` describes, or the last one of the saved game of that name.

    A usage error for text that is neither, a failure for a file that cannot be read.
    """
    from rl_toolkit.records import read_position

    if text.endswith(".json") or (text and Path(text).is_file()):
        record = load(Path(text))
        if record.game != game:
            raise refuse(f"{text} is a game of {record.game}, not of {game}")
        return record.replay()
    with report_errors():
        return read_position(game, text)


def error_json(line: str, error: Exception) -> dict[str, str]:
    """The answer to a line of stdin that cannot be read, as JSON data."""
    return {"error": str(error), "input": line}


def load(file: Path) -> GameRecord:
    """The saved game in a file, or on stdin for ``-``; a failure if it cannot be read.

    The failure names the file as it was typed: of several files two may have the same name.
    """
    from rl_toolkit.records import GameRecord, RecordError
    from rl_toolkit.records.record_json import errors_named, read_text

    with report_errors(RecordError):
        if str(file) == "-":
            return GameRecord.from_json(sys.stdin.read())
        with errors_named(str(file)):
            return GameRecord.from_json(read_text(file.expanduser()))


def refuse(problem: Exception | str) -> click.UsageError:
    """An error in what was typed on the command line: exit code 2."""
    return click.UsageError(str(problem))


def failure(problem: Exception | str) -> click.ClickException:
    """An error that is not in the command line: exit code 1."""
    return click.ClickException(str(problem))


@contextmanager
def report_errors(*failures: type[Exception]) -> Iterator[None]:
    """End the command with a message: exit code 2 for a `ValueError`, 1 for an `OSError`.

    ``failures`` are further errors with exit code 1, subclasses of `ValueError` included.
    """
    try:
        yield
    except failures as error:
        raise failure(error) from error
    except ValueError as error:
        raise refuse(error) from error
    except OSError as error:
        raise failure(describe_os_error(error)) from error


def describe_os_error(error: OSError) -> str:
    """``game.json: No such file or directory``."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def examples(*lines: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Add examples to the end of a command's help, line by line as they are written."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        # Without its indentation, because the added lines have none.
        text = inspect.cleandoc(function.__doc__ or "")
        shown = "\n".join(f"  {line}" for line in lines)
        function.__doc__ = f"{text}\n\n\b\nExamples:\n{shown}"
        return function

    return decorate
