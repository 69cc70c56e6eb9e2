"""Openings in files: games in every format that `records` reads, or a position on each line.

A text file has a position on each line, as moves (``f5d6c3``, ``4453``, ``b2 a1``), as rows, or in
Reversi as an OBF line; ``#`` begins a comment, except inside a line. Any other file is read as a
file of games: SGF, GGF, WTHOR, psq, records, saved matches. Of a game that is over, or too long,
the first moves are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rl_toolkit.arena.runs.openings.opening import Opening, OpeningList
from rl_toolkit.arena.samples import canonical
from rl_toolkit.envs import BaseGameEnv, Position, make_game
from rl_toolkit.envs.registry import full_name
from rl_toolkit.records import (
    GameRecord,
    RecordError,
    format_of,
    position_to_text,
    read_games,
    read_position,
    recognised,
    to_transcript,
)
from rl_toolkit.utils import PathLike

#: The largest text file of openings, in bytes.
_MOST_BYTES = 1 << 24


class OpeningsError(ValueError):
    """A file of openings that cannot be used, with the line or game and what is wrong."""


def read_openings(path: PathLike, game: str, plies: int | None = None) -> OpeningList:
    """The openings of ``game`` in a file, without those that an earlier one is a mirror image of.

    ``plies`` is the number of moves that are taken from each game. Raises `OpeningsError` for a
    file of another game or board size, an illegal move, or an opening after which the game is over,
    and ``OSError`` if it cannot be read.
    """
    path = Path(path)
    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES + 1)
    name = make_game(game).name
    try:
        if _is_text(data, path.suffix):
            if len(data) > _MOST_BYTES:
                raise OpeningsError(f"it is larger than {_MOST_BYTES >> 20} MiB")
            openings = _from_lines(data, name, plies)
        else:
            openings = _from_games(read_games(path, name), name, plies)
    except (RecordError, OpeningsError) as error:
        message = str(error)
        raise OpeningsError(
            message if message.startswith(path.name) else f"{path.name}: {message}"
        ) from (error)
    if not openings:
        raise OpeningsError(f"{path.name} has no openings")
    return OpeningList(path.name, _distinct(name, openings))


def openings_from_text(text: str, game: str, name: str) -> OpeningList:
    """The openings in lines of text, all of them; see `read_openings`."""
    return OpeningList(name, _from_lines(text.encode(), make_game(game).name, None))


def openings_text(game: str, openings: Iterable[Opening], about: str = "") -> str:
    """Openings as `read_openings` reads them: a comment, then moves or a position on each line."""
    lines = [f"# {line}".rstrip() for line in (f"game: {make_game(game).name}", about) if line]
    return "\n".join([*lines, *(opening_text(game, opening) for opening in openings), ""])


def opening_text(game: str, opening: Opening) -> str:
    """An opening as moves; as rows if it does not begin with the usual position.

    >>> opening_text("connect-four", Opening((3, 3)))
    '44'
    """
    env = opening.position(game)
    if opening.start or not opening.moves or env.pass_move in opening.moves:
        return position_to_text(env)
    return to_transcript(env)


# ------------------------------------------------------------------------- reading


def _is_text(data: bytes, suffix: str) -> bool:
    """Whether a file has a position on each line: none of the formats of games."""
    return recognised(data) is None and format_of(suffix) is None


def _from_lines(data: bytes, game: str, plies: int | None) -> list[Opening]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OpeningsError("this is neither a text nor a file of games") from error
    openings = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if words.startswith("#"):
            key, colon, named = words.removeprefix("#").strip().partition(":")
            if key == "game" and colon and full_name(named.strip()) != game:
                raise OpeningsError(f"these are openings of {named.strip()}, not of {game}")
        elif words:
            where = f"line {number}"
            try:
                env = read_position(game, words)
            except ValueError as error:
                raise OpeningsError(f"{where}: {error}") from error
            openings.append(_opening(env, plies, where))
    return openings


def _from_games(records: Sequence[GameRecord], game: str, plies: int | None) -> list[Opening]:
    openings = []
    for number, record in enumerate(records, 1):
        where = f"game {number}"
        if record.game != game:
            raise OpeningsError(f"{where}: this is a game of {record.game}, not of {game}")
        openings.append(_opening(record.replay(), plies, where))
    return openings


def _opening(env: BaseGameEnv, plies: int | None, where: str) -> Opening:
    """The first moves of a game, all of them without ``plies``."""
    if plies is not None:
        while len(env.history) > plies:
            env.undo()
    if env.is_terminal():
        hint = "" if plies is not None else "; --opening-plies takes its first moves"
        raise OpeningsError(f"{where}: the game is over{hint}")
    position = Position.of(env)
    return Opening(
        position.moves, "" if position.start is None else position_to_text(BaseGameEnv.start(env))
    )


def _distinct(game: str, openings: Sequence[Opening]) -> list[Opening]:
    """The openings, mirror images only once."""
    kept: dict[str, Opening] = {}
    for opening in openings:
        kept.setdefault(canonical(opening.position(game)), opening)
    return list(kept.values())
