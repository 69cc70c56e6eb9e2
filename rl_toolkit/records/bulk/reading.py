"""The games of a file, one after the other, by the fastest reader that its format has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rl_toolkit.records.bulk.json_lines import raw_json_lines
from rl_toolkit.records.bulk.raw_game import RawGame
from rl_toolkit.records.bulk.sgf import raw_sgf
from rl_toolkit.records.bulk.wthor import raw_wthor
from rl_toolkit.records.formats.game_files import Beside, format_of, iter_games, recognised
from rl_toolkit.records.formats.ggf import ggf_readers
from rl_toolkit.records.formats.wthor import WthorFiles
from rl_toolkit.records.game_record import GameRecord


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


def _only(
    data: bytes, game: str | None, suffix: str, beside: Beside
) -> Callable[[], GameRecord]:
    return lambda: next(iter_games(data, game, suffix=suffix, beside=beside))
