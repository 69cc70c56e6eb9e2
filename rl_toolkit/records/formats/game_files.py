"""Files of games: which format a file has, reading all its games, and writing them.

=========  ================  ========================================  ======================
format     suffix            games                                     not held
=========  ================  ========================================  ======================
json       .json             one game of any kind                      (holds everything)
jsonl      .jsonl            many; saved matches and self-play         (holds everything)
sgf        .sgf              many of Gomoku and Othello                analyses
ggf        .ggf              many of Othello                           comments, variations
wthor      .wtb              many of Othello on 8×8, with a result     comments, variations
psq        .psq              one of Gomoku to five in a row            comments, variations
=========  ================  ========================================  ======================

The content decides the format, and the suffix where it does not. Reading runs no code that a file
names; a file is read whole or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.records.checked_json import MAX_BYTES
from rl_toolkit.records.errors import OtherGameError, RecordError, RecordSyntaxError
from rl_toolkit.records.formats.ggf import ggf_loses, iter_ggf, looks_like_ggf, write_ggf
from rl_toolkit.records.formats.json_lines import (
    iter_json_lines,
    looks_like_json_lines,
    write_json_lines,
)
from rl_toolkit.records.formats.psq import looks_like_psq, psq_loses, read_psq, write_psq
from rl_toolkit.records.formats.sgf import iter_sgf, sgf_loses, write_sgf
from rl_toolkit.records.formats.transcripts import from_transcript
from rl_toolkit.records.formats.wthor import (
    WthorFiles,
    iter_wthor,
    looks_like_wthor,
    write_wthor,
    wthor_loses,
)
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.record_json import errors_named, game_named
from rl_toolkit.utils import PathLike, write_bytes_atomically

#: Saved self-play has an analysis of every move, so lines may be many; one record is at most
#: `MAX_BYTES`.
MAX_FILE_BYTES = 16 * MAX_BYTES

#: Gives the file with another suffix beside the one that is read, ``None`` if there is none.
Beside = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class GameFormat:
    """One format of files of games.

    Attributes:
        name: the name that people type.
        suffixes: of its files, the usual one first; text formats have no other files.
        title: what it is, in a few words.
        looks_like: whether a file has this format, by its first bytes.
        read: the games in a file, one by one; the second argument is the game that the caller
            expects.
        write: the contents by suffix; raises `RecordError` for what the format cannot hold.
        loses: what of these records the format does not hold, in words.
        is_text: whether a file can be shown in a terminal.
    """

    name: str
    suffixes: tuple[str, ...]
    title: str
    looks_like: Callable[[bytes], bool]
    read: Callable[[bytes, str | None, Beside], Iterable[GameRecord]]
    write: Callable[[Sequence[GameRecord]], dict[str, bytes]]
    loses: Callable[[Sequence[GameRecord]], list[str]]
    is_text: bool = True


def read_games(path: PathLike, game: str | None = None) -> list[GameRecord]:
    """All games in a file, at least one.

    With ``game`` the file may also hold the moves alone, or leave open which game it is. Raises
    `RecordError`, naming the file, the game and what is wrong.
    """
    path = Path(path)
    with errors_named(path.name):
        data = read_bytes(path)
        return games_from_bytes(data, game, suffix=path.suffix, beside=beside(path))


def games_from_bytes(
    data: bytes, game: str | None = None, *, suffix: str = "", beside: Beside | None = None
) -> list[GameRecord]:
    """All games in the content of a file; raises `RecordError`, as `read_games` does."""
    return list(iter_games(data, game, suffix=suffix, beside=beside))


def iter_games(
    data: bytes, game: str | None = None, *, suffix: str = "", beside: Beside | None = None
) -> Iterator[GameRecord]:
    """The games of `games_from_bytes`, each read when its turn comes.

    The first games need not wait for the others; an error is raised when its turn comes, too:
    `RecordSyntaxError` if there is no game, or the content is too large or of no known format.
    """
    if len(data) > MAX_FILE_BYTES:
        raise _too_large()
    form = recognised(data)
    if form is None and game is not None:
        yield _from_moves(data, game)
        return
    form = form or format_of(suffix)
    if form is None:
        known = ", ".join(form.title for form in FORMATS.values())
        raise RecordSyntaxError(
            f"this is not a file of games: {known} can be read, and moves if the game is given"
        )
    found = False
    for record in form.read(data, game, beside or (lambda suffix: None)):
        found = True
        yield record
    if not found:
        raise RecordSyntaxError("there is no game in this file")


def recognised(data: bytes) -> GameFormat | None:
    """The format that the content of a file has by its first bytes, ``None`` if it has none."""
    return next((form for form in FORMATS.values() if form.looks_like(data)), None)


def write_games(path: PathLike, records: Sequence[GameRecord], form: str | None = None) -> None:
    """Write games to a file, atomically; the suffix decides the format unless ``form`` names it.

    Raises `RecordError`, and writes nothing, if the format cannot hold a game. What it loses
    without harm (see `GameFormat.loses`) is left out. A WTHOR database with names is three files.
    """
    path = Path(path)
    chosen = FORMATS.get(form) if form is not None else format_of(path.suffix)
    if chosen is None:
        known = ", ".join(FORMATS)
        raise RecordError(f"{form or path.name!r} is not a format of games: {known} are")
    parts = chosen.write(list(records))
    # The games last, so that a new file of games never stands beside old names.
    for suffix in sorted(parts, key=lambda suffix: suffix == chosen.suffixes[0]):
        is_main = suffix == chosen.suffixes[0]
        write_bytes_atomically(path if is_main else path.with_suffix(suffix), parts[suffix])


def format_of(suffix: str) -> GameFormat | None:
    """The format of files with that suffix, such as ``.sgf``, in either case of its letters.

    ``None`` if no format has it.
    """
    wanted = suffix.lower()
    return next((form for form in FORMATS.values() if wanted in form.suffixes), None)


# ------------------------------------------------------------------------- reading


def read_bytes(path: Path) -> bytes:
    """The content of a file; raises `RecordSyntaxError` if it is too large."""
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_FILE_BYTES:
            raise _too_large()
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise _too_large()
    return data


def _too_large() -> RecordSyntaxError:
    return RecordSyntaxError(f"this is too large: at most {MAX_FILE_BYTES >> 20} MiB are read")


def beside(path: Path) -> Beside:
    """Files of names beside a database, under its name or under the usual one."""

    def find(suffix: str) -> bytes | None:
        wanted = [f"{stem}{suffix}".lower() for stem in (path.stem, "wthor")]
        names = sorted(os.listdir(path.parent or "."))
        for want in wanted:
            for name in names:
                if name.lower() == want and (path.parent / name).is_file():
                    return read_bytes(path.parent / name)
        return None

    return find


def _from_moves(data: bytes, game: str) -> GameRecord:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordSyntaxError("this is not a list of moves") from error
    return GameRecord.from_env(from_transcript(game_named(game).name, text))


# ------------------------------------------------------------------------- formats


def _read_json(data: bytes, game: str | None) -> list[GameRecord]:
    if len(data) > MAX_BYTES:
        raise RecordSyntaxError(f"this is too large: a record has at most {MAX_BYTES >> 20} MiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordSyntaxError("this is not UTF-8 text", f"line {line}") from error
    record = GameRecord.from_json(text)
    if game is not None and record.game != game_named(game).name:
        raise OtherGameError(f"this is a game of {record.game}, not of {game}")
    return [record]


def _write_json(records: Sequence[GameRecord]) -> str:
    if len(records) != 1:
        raise RecordError(f"a JSON record is one game, not {len(records)}; jsonl holds many")
    return records[0].to_json()


def _write_wthor(records: Sequence[GameRecord]) -> dict[str, bytes]:
    files = write_wthor(records)
    parts = {".wtb": files.games, ".jou": files.players, ".trn": files.tournaments}
    return {suffix: data for suffix, data in parts.items() if data is not None}


def _first_bytes(data: bytes) -> bytes:
    return data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()


def _each(loses: Callable[[GameRecord], list[str]]) -> Callable[[Sequence[GameRecord]], list[str]]:
    return lambda records: list(dict.fromkeys(part for r in records for part in loses(r)))


def _nothing(records: Sequence[GameRecord]) -> list[str]:
    return []


FORMATS: dict[str, GameFormat] = {
    form.name: form
    for form in (
        GameFormat(
            "jsonl",
            (".jsonl",),
            "JSON lines",
            looks_like_json_lines,
            lambda data, game, beside: iter_json_lines(data, game),
            lambda records: {".jsonl": write_json_lines(records).encode()},
            _nothing,
        ),
        GameFormat(
            "json",
            (".json",),
            "JSON",
            lambda data: _first_bytes(data).startswith(b"{"),
            lambda data, game, beside: _read_json(data, game),
            lambda records: {".json": _write_json(records).encode()},
            _nothing,
        ),
        GameFormat(
            "ggf",
            (".ggf",),
            "GGF",
            looks_like_ggf,
            lambda data, game, beside: iter_ggf(data, game),
            lambda records: {".ggf": write_ggf(records).encode()},
            _each(ggf_loses),
        ),
        GameFormat(
            "sgf",
            (".sgf",),
            "SGF",
            lambda data: _first_bytes(data).startswith(b"("),
            lambda data, game, beside: iter_sgf(data, game),
            lambda records: {".sgf": write_sgf(records).encode()},
            _each(sgf_loses),
        ),
        GameFormat(
            "psq",
            (".psq",),
            "psq",
            looks_like_psq,
            lambda data, game, beside: read_psq(data, game),
            lambda records: {".psq": write_psq(list(records)).encode()},
            _each(psq_loses),
        ),
        GameFormat(
            "wthor",
            (".wtb", ".jou", ".trn"),
            "WTHOR",
            looks_like_wthor,
            lambda data, game, beside: iter_wthor(
                WthorFiles(data, beside(".jou"), beside(".trn")), game
            ),
            _write_wthor,
            wthor_loses,
            is_text=False,
        ),
    )
}
