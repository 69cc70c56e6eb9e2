"""The games of a file, one after the other, by the fastest reader that its format has."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from rl_toolkit.records.bulk.json_lines import raw_json_lines
from rl_toolkit.records.bulk.raw_game import RawGame
from rl_toolkit.records.bulk.sgf import raw_sgf
from rl_toolkit.records.bulk.wthor import raw_wthor
from rl_toolkit.records.formats.game_files import (
    Beside,
    beside,
    format_of,
    iter_games,
    read_bytes,
    recognised,
)
from rl_toolkit.records.formats.ggf import ggf_readers
from rl_toolkit.records.formats.wthor import WthorFiles
from rl_toolkit.records.game_record import GameRecord


class GameFile:
    """A file of games, read into memory; raises `RecordError` if it is too large.

    Attributes:
        digest: a text that is the same for every file with this content, names of players included.
    """

    def __init__(self, path: Path) -> None:
        self._data, self._suffix = read_bytes(path), path.suffix
        self._beside = cache(beside(path))  # names are asked for twice
        form = recognised(self._data) or format_of(self._suffix)
        content = hashlib.sha256(self._data)
        for suffix in form.suffixes[1:] if form is not None else ():
            content.update(self._beside(suffix) or b"")
        self.digest = content.hexdigest()

    def games(self, game: str | None = None) -> Iterator[RawGame]:
        """The games of the file; see `raw_games`."""
        return raw_games(self._data, game, suffix=self._suffix, beside=self._beside)


def raw_games(
    data: bytes, game: str | None = None, *, suffix: str = "", beside: Beside | None = None
) -> Iterator[RawGame]:
    """The games in the content of a file; see `read_games` for ``game``.

    Raises `RecordError` for a file that cannot be taken apart into games; what is wrong with a
    single game is raised by its `RawGame.read`.
    """
    near = beside or (lambda suffix: None)
    form = recognised(data) or format_of(suffix)
    name = "" if form is None else form.name
    if name == "wthor":
        yield from raw_wthor(WthorFiles(data, near(".jou"), near(".trn")), game)
    elif name == "sgf":
        yield from raw_sgf(data, game)
    elif name == "jsonl":
        yield from raw_json_lines(data, game)
    elif name == "ggf":
        readers = list(ggf_readers(data, game))
        for number, read in enumerate(readers, 1):
            yield RawGame(number, read, number / len(readers))
    else:  # one game
        yield RawGame(1, _only(data, game, suffix, near), 1.0)


def _only(data: bytes, game: str | None, suffix: str, beside: Beside) -> Callable[[], GameRecord]:
    return lambda: next(iter_games(data, game, suffix=suffix, beside=beside))
