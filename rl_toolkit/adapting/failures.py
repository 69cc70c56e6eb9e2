"""Errors in the code of a game from outside the toolkit, as a sentence with its file and line.

A game may refuse a move with a ``ValueError``. Anything else that its code raises is a mistake in
it, and not one of the engine that searched or of the toolkit. Python code gets such an error as it
was raised; commands, matches and pages use `game_failure` to say where it comes from.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rl_toolkit.envs import BaseGameEnv, GameFailedError

_PACKAGE = __name__.partition(".")[0]
_FOLDER = Path(__file__).resolve().parent.parent


def game_failure(error: BaseException, *, refusals: bool = False) -> GameFailedError | None:
    """The mistake of a game that ``error`` shows; ``None`` if no game from outside raised it.

    With ``refusals`` a ``ValueError`` counts too, if the toolkit's own code has called the game: it
    plays only legal moves, so that a game has no reason to refuse.
    """
    if isinstance(error, GameFailedError):
        return error
    import traceback

    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    players = [frame.f_locals.get("self") for frame in frames]
    first = next((k for k, player in enumerate(players) if is_from_outside(player)), None)
    if first is None:
        return None
    called_by_us = first > 0 and _is_ours(frames[first - 1].f_code.co_filename)
    if isinstance(error, ValueError) and not (refusals and called_by_us):
        return None
    game = type(players[first])
    kind: type = getattr(game, "plain", game)
    files = files_of(kind)
    methods = [f.f_code.co_name for f in frames[first:] if f.f_code.co_filename in files]
    method = f".{methods[0]}" if methods else ""
    return GameFailedError(f"{kind.__name__}{method} raised {error_text(error, kind)}")


@contextmanager
def naming_failures() -> Iterator[None]:
    """Raise `GameFailedError` for an error of a game's own code inside the block.

    It can be pickled, whatever the game raised. Every other error leaves the block as it is.
    """
    try:
        yield
    except Exception as error:
        failed = game_failure(error)
        if failed is None or failed is error:
            raise
        raise failed from error


def error_text(error: BaseException, kind: type) -> str:
    """``KeyError: 'x' (my_game.py, line 12)``, with the innermost line in the files of a class.

    If the error was not raised there, only the file is named.
    """
    import traceback

    text = " ".join(str(error).split())
    message = f"{type(error).__name__}: {text}" if text else type(error).__name__
    files = files_of(kind)
    places = [
        f" ({Path(frame.filename).name}, line {frame.lineno})"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename in files
    ]
    places = places or [f" ({Path(file).name})" for file in sorted(files)]
    return message + (places[-1] if places else "")


def files_of(kind: type) -> set[str]:
    """The files outside the toolkit in which a class and its base classes are written."""
    files = set()
    for base in kind.__mro__:
        module = sys.modules.get(base.__module__)
        if base.__module__ in ("builtins", "abc", "typing") or module is None:
            continue
        file = getattr(module, "__file__", None) or inspect.getsourcefile(base)
        if file is not None and not _is_ours(file):
            files.add(file)
    return files


def is_from_outside(thing: object) -> bool:
    """Whether something is a game whose class is not one of the toolkit's own."""
    return isinstance(thing, BaseGameEnv) and not type(thing).__module__.startswith(f"{_PACKAGE}.")


def _is_ours(file: str) -> bool:
    return Path(file).is_relative_to(_FOLDER)
