"""The types of arguments and options: games, players, numbers, files.

The top-level ``--help`` needs nothing but Click, so the rest is imported inside functions.
"""

from __future__ import annotations

import re
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from rl_toolkit.utils import shown

if TYPE_CHECKING:
    _Word = click.ParamType[str]
    _Int = click.ParamType[int]
    _Float = click.ParamType[float]
else:
    _Word = _Int = _Float = click.ParamType  # generic only in newer versions of Click


def _refusal(
    wanted: str, value: object, param: click.Parameter | None, ctx: click.Context | None
) -> click.UsageError:
    """``--depth must be a whole number of at least 1, not 'abc'``."""
    name = "the value" if param is None else param.human_readable_name
    if isinstance(param, click.Option):
        name = param.opts[0]
    return click.UsageError(f"{name} must be {wanted}, not {shown(value)}", ctx)


class WholeNumber(_Int):
    """A whole number from ``least``, and up to ``most`` if that is given."""

    name = "n"

    def __init__(self, least: int, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; a usage error for anything else."""
        limits = f" of at least {self.least}" if self.most is None else ""
        if self.most is not None:
            limits = f" from {self.least} to {self.most}"
        with suppress(ValueError):
            number = int(value)
            if number >= self.least and (self.most is None or number <= self.most):
                return number
        raise _refusal(f"a whole number{limits}", value, param, ctx)


class DecimalNumber(_Float):
    """A number of at least ``least``, or between ``above`` and ``below``, which are excluded."""

    def __init__(
        self,
        least: float | None = None,
        *,
        above: float = -inf,
        below: float = inf,
        name: str = "number",
    ) -> None:
        self._least, self._above, self._below, self.name = least, above, below, name

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; a usage error for anything else."""
        limits = f" of at least {self._least:g}" if self._least is not None else ""
        if self._above > -inf:
            limits = f" above {self._above:g}"
        if self._below < inf:
            limits = f" between {self._above:g} and {self._below:g}"
        with suppress(ValueError):
            number = float(value)
            above = number > self._above if self._least is None else number >= self._least
            if above and number < self._below:
                return number
        raise _refusal(f"a number{limits}", value, param, ctx)


class GameName(_Word):
    """The name of a registered game, converted to its full form: ``reversi`` → ``reversi-8``.

    It may also be a file, ``my_game.py:ConnectFour``, which is loaded into this process.
    """

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The full name; a usage error that suggests one otherwise."""
        from rl_toolkit.adapting import is_game_file, load_game
        from rl_toolkit.envs import make_game

        try:
            return make_game(load_game(value) if is_game_file(value) else value).name
        except (ValueError, TypeError) as error:
            raise click.UsageError(str(error), ctx) from error

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
    """A level, a rating, an engine with options, or ``human``; which exist depends on the game."""

    def __init__(self, *, human: bool) -> None:
        self._people = ["human"] if human else []
        self.name = "human|LEVEL|RATING|ENGINE|FILE" if human else "LEVEL|RATING|ENGINE|FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text unchanged: it can only be checked once the game is known.

        A usage error if it means nothing and a bot of that name is here.
        """
        text = str(value).strip()
        name, colon, rest = text.partition(":")
        if name and not name.endswith(".py") and Path(f"{name}.py").is_file():
            from rl_toolkit.players import engine_kinds, is_level

            known = {*self._people, *(kind.name for kind in engine_kinds(outside=True))}
            if name.strip().lower() not in known and not is_level(name):
                bot = f"{name}.py{colon}{rest}"
                raise click.UsageError(f"there is no engine {name!r}; did you mean {bot}?", ctx)
        return text

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


class GameFirst(click.Command):
    """A command whose first argument is GAME, and that still takes it as ``--game GAME``.

    Where engines follow, they may stand alone: the game is then ``default_game``.
    """

    default_game = "connect-four"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the game of ``--game``, or the default, before the other arguments."""
        args, named = _without_game_option(self, ctx, args)
        if named is not None:
            args = [named, *args]
        else:
            first, complete = self._first_word(ctx, args)
            if first is None:  # there may be none where engines are many
                missing = any(parameter.nargs < 0 for parameter in self.params)
            else:  # a file may hold a game or a bot: it is a bot where one would be missing
                is_engine = not complete if _is_file(first) else _is_engine(first)
                missing = self._takes_engines() and is_engine
            if missing:
                args = [self.default_game, *args]
        return super().parse_args(ctx, args)

    def _takes_engines(self) -> bool:
        names = [p.name for p in self.params if isinstance(p, click.Argument)]
        return "engine" in names or "engines" in names

    def _first_word(self, ctx: click.Context, args: list[str]) -> tuple[str | None, bool]:
        """The first argument that is not an option or its value, and whether all are there."""
        values, _, _ = self.make_parser(ctx).parse_args(list(args))
        named = [p.name for p in self.params if isinstance(p, click.Argument) and p.name]
        given = [value for value in map(values.get, named) if isinstance(value, (str, tuple))]
        word = values.get("game")
        return (word if isinstance(word, str) else None), len(list(filter(None, given))) == len(
            named
        )


def _without_game_option(
    command: click.Command, ctx: click.Context, args: list[str]
) -> tuple[list[str], str | None]:
    """The arguments without ``--game GAME``, and that game."""
    kept, named, words = list[str](), None, iter(args)
    for word in words:
        if word == "--":
            kept += [word, *words]
        elif word == "--game":
            named = next(words, None)
            if named is None:
                raise click.BadOptionUsage("--game", "Option '--game' requires an argument.", ctx)
        elif word.startswith("--game="):
            named = word.removeprefix("--game=")
        else:
            kept.append(word)
    return kept, named


def _is_file(word: str) -> bool:
    from rl_toolkit.players import BOT, kind_named

    kind = kind_named(word)
    return kind is not None and kind.name == BOT


def _is_engine(word: str) -> bool:
    """Whether ``word`` is a level or an engine, and not also the name of a game."""
    from rl_toolkit.envs.registry import family_of
    from rl_toolkit.players import engine_kinds, is_level

    name = word.partition(":")[0].strip().lower()
    kinds = {kind.name for kind in engine_kinds(outside=True)}
    return (name in kinds or is_level(name)) and (":" in word or family_of(word) is None)


GAME = GameName()
PLAYER, ENGINE = PlayerName(human=True), PlayerName(human=False)
COUNT, NATURAL = WholeNumber(1), WholeNumber(0)
SECONDS = DecimalNumber(0.001, name="seconds")


class ExistingFile(click.Path):
    """A file to read; if it is missing, the command fails with code 1, as every other does."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path of a file that can be opened."""
        try:
            with open(value, "rb"):
                return super().convert(value, param, ctx)
        except OSError as error:
            raise click.ClickException(f"{value}: {error.strerror or error}") from error


EXISTING = ExistingFile()
FILE, FOLDER = click.Path(path_type=Path), click.Path(path_type=Path, file_okay=False)
