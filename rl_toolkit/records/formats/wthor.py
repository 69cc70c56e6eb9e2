"""WTHOR, the database of Othello tournaments: thousands of games in 68 bytes each.

::

    header, 16 bytes   century year month day (of the file, a byte each) · games (4 bytes) ·
                       names (2) · year (2) · board (1: 8, or 0 for 8) · kind (1) · depth (1) · 0
    game, 68 bytes     tournament (2) · black (2) · white (2) · score (1) · theoretical score (1) ·
                       60 moves (1 each: 10 × row + column from 1, so 56 is f5; 0 ends)

Numbers are little-endian. Scores count black's discs, empty squares included for the winner; the
theoretical score is that of best play with ``depth`` empty squares. Passes are left out.

Players and tournaments are numbers, and their names stand in two more files: a header and 20 bytes
for each player (``.jou``), 26 for each tournament (``.trn``). They are looked for beside the games,
under the same name or as ``WTHOR.JOU`` and ``WTHOR.TRN``.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np

from rl_toolkit.envs import BaseGameEnv, Reversi, make_game
from rl_toolkit.records.errors import (
    OtherGameError,
    RecordFieldError,
    RecordMoveError,
    RecordSyntaxError,
    inside,
)
from rl_toolkit.records.formats.file_results import ADJUDICATED, main_line_alone
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.utils import shown

_HEADER = struct.Struct("<4B I H H 4B")
_GAME = struct.Struct("<3H 2B 60s")
HEADER_BYTES = _HEADER.size
_PLAYER_BYTES, _TOURNAMENT_BYTES = 20, 26
#: A name of an unknown player or tournament is its number.
_NUMBER = re.compile(r"#([1-9][0-9]{0,4})", re.ASCII)
_YEAR = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
_MOST_NAMES = 2**16 - 1
_DISCS, _MOST_EMPTY = 64, 60

EVENT, DATE = "event", "date"
#: Headers for scores: black's discs where they do not follow from the board, and with best play.
DISCS, THEORETICAL = "black discs", "theoretical score"


@dataclass(frozen=True, slots=True)
class WthorFiles:
    """The three files of a database; ``players`` and ``tournaments`` may be missing."""

    games: bytes
    players: bytes | None = None
    tournaments: bytes | None = None


def looks_like_wthor(data: bytes) -> bool:
    """Whether a file has the header and the length of a database of games on 8×8."""
    if len(data) < _HEADER.size:
        return False
    header: tuple[int, ...] = _HEADER.unpack_from(data)
    _, _, month, day, games, _, _, board, kind, depth, _ = header
    plausible = month <= 12 and day <= 31 and board <= 10 and kind <= 1 and depth <= _MOST_EMPTY
    return plausible and len(data) == _HEADER.size + games * _GAME.size


# ------------------------------------------------------------------------- reading


def read_wthor(files: WthorFiles | bytes, game: str | None = None) -> list[GameRecord]:
    """The games of a database; raises `RecordError` with the number of the game and the move."""
    return list(iter_wthor(files, game))


def iter_wthor(files: WthorFiles | bytes, game: str | None = None) -> Iterator[GameRecord]:
    """The games that `read_wthor` reads, each played when its turn comes."""
    base = opened(WthorFiles(files) if isinstance(files, bytes) else files, game)
    for number in range(base.games):
        yield base.reader(number)()


@dataclass(frozen=True, slots=True)
class Database:
    """A database whose header and names were read.

    Attributes:
        files: the files.
        games: the number of its games.
        year: the year of all games, 0 if it is unknown.
        depth: the empty squares of theoretical scores, 0 if there are none.
        players, tournaments: the names by number.
    """

    files: WthorFiles
    games: int
    year: int
    depth: int
    players: list[str]
    tournaments: list[str]

    def player(self, number: int) -> str:
        """The name of a player, or ``#12`` if it is not known."""
        return _named(self.players, number)

    def tournament(self, number: int) -> str:
        """The name of a tournament, or ``#12`` if it is not known."""
        return _named(self.tournaments, number)

    def reader(self, number: int) -> Callable[[], GameRecord]:
        """What reads game ``number``, from 0, and raises `RecordError` with its number."""
        return partial(self._read, number)

    def _read(self, number: int) -> GameRecord:
        fields = _GAME.unpack_from(self.files.games, HEADER_BYTES + number * _GAME.size)
        with inside(f"game {number + 1}"):
            return _record(fields, self.year, self.depth, self.players, self.tournaments)


def opened(files: WthorFiles, game: str | None = None) -> Database:
    """The database in some files; raises `RecordError` for headers that are wrong."""
    if game is not None and make_game(game).name != Reversi(8).name:
        raise OtherGameError(f"a WTHOR file holds {Reversi(8).name}, not {game}")
    header = _header(files.games, "games", _GAME.size)
    _, _, _, _, games, _, year, board, _, depth, _ = header
    if board not in (0, 8):
        raise RecordFieldError(f"only boards of 8 rows are read, not of {board}", "the header")
    if depth > _MOST_EMPTY:
        raise RecordFieldError(f"a depth is 0 to {_MOST_EMPTY}, not {depth}", "the header")
    players = _names(files.players, _PLAYER_BYTES, "the players")
    tournaments = _names(files.tournaments, _TOURNAMENT_BYTES, "the tournaments")
    return Database(files, games, year, depth, players, tournaments)


def _header(data: bytes, what: str, size: int) -> tuple[int, ...]:
    if len(data) < _HEADER.size:
        raise RecordSyntaxError(f"a WTHOR file has a header of {_HEADER.size} bytes", what)
    header: tuple[int, ...] = _HEADER.unpack_from(data)
    count = header[4] or header[5] if size != _GAME.size else header[4]
    needed = _HEADER.size + count * size
    if len(data) != needed:
        raise RecordSyntaxError(
            f"the header says {count} entries, which are {needed} bytes, but there are {len(data)}",
            what,
        )
    return header


def _names(data: bytes | None, size: int, what: str) -> list[str]:
    """The names in a file of names, the last of which may be cut short by a zero byte."""
    if data is None:
        return []
    _header(data, what, size)
    parts = (data[at : at + size] for at in range(_HEADER.size, len(data), size))
    return [part.split(b"\0")[0].decode("latin-1") for part in parts]


def _record(
    fields: tuple[int, int, int, int, int, bytes],
    year: int,
    depth: int,
    players: list[str],
    tournaments: list[str],
) -> GameRecord:
    tournament, black, white, discs, theoretical, moves = fields
    env = Reversi(8)
    _play(env, moves)
    headers = {EVENT: _named(tournaments, tournament)}
    if year:
        headers[DATE] = str(year)
    if max(discs, theoretical) > _DISCS:
        raise RecordFieldError(f"a score is 0 to {_DISCS}, not {max(discs, theoretical)}", "score")
    said = (discs > _DISCS // 2) - (discs < _DISCS // 2)
    over = env.is_terminal()
    if discs != _usual_discs(env, said):
        headers[DISCS] = str(discs)
    if depth:
        headers[THEORETICAL] = f"{theoretical} with {depth} empty"
    return GameRecord.from_env(
        env,
        players=(_named(players, black), _named(players, white)),
        result=None if over else said,
        ended_by="" if over else ADJUDICATED,
        headers={name: text for name, text in headers.items() if text},
    )


def _play(env: BaseGameEnv, moves: bytes) -> None:
    """Play the moves, with the passes that the file leaves out."""
    count = len(moves.rstrip(b"\0"))
    for number, square in enumerate(moves[:count], 1):
        row, col = divmod(square, 10)
        if not (1 <= row <= env.rows and 1 <= col <= env.cols):
            raise RecordMoveError(f"{square} is not a square: 11 to 88 are", f"move {number}")
        move = (row - 1) * env.cols + col - 1
        try:
            _step(env, move)
        except ValueError as error:
            raise RecordMoveError(str(error), f"move {number}") from error


def _step(env: BaseGameEnv, move: int) -> None:
    """Play a move, after a pass if there is no other way: passes are rare, and looking is slow."""
    try:
        env.step(move)
    except ValueError:
        if env.pass_move is None or not env.must_pass():
            raise
        env.step(env.pass_move)
        env.step(move)


def _named(names: list[str], number: int) -> str:
    """The name, or ``#12`` if it is not in the list; number 0 is then unknown."""
    if number < len(names):
        return names[number]
    return f"#{number}" if number else ""


def _usual_discs(env: BaseGameEnv, winner: int) -> int:
    """Black's discs as WTHOR counts them; all or none if the game was not played to its end."""
    if not env.is_terminal():
        return _DISCS // 2 * (1 + winner)
    empty = int(np.count_nonzero(env.board == 0))
    black, winner = env.piece_count(1), env.winner or 0
    return black + (1 + winner) * empty // 2


# ------------------------------------------------------------------------- writing


def write_wthor(records: Sequence[GameRecord]) -> WthorFiles:
    """The games as a database, with its names; raises `RecordError` for what it cannot hold.

    The file of players, and that of tournaments, is missing if no name has to be written.
    """
    players = _Index(_PLAYER_BYTES, (name for record in records for name in record.players))
    tournaments = _Index(_TOURNAMENT_BYTES, (record.headers.get(EVENT, "") for record in records))
    year, depth = _common_year(records), _common_depth(records)
    games = []
    for number, record in enumerate(records, 1):
        with inside(f"game {number}"):
            games.append(_game_bytes(record, depth, players, tournaments))
    head = _HEADER.pack(20, 0, 1, 1, len(games), 0, year, 8, 0, depth, 0)
    return WthorFiles(head + b"".join(games), players.file(), tournaments.file())


class _Index:
    """The names of a file, numbered in the order in which they come; number 0 is no name.

    If all names are numbers such as ``#12``, they stand for themselves and there is no file. A name
    that has no room is shortened, and ends in ``~2`` where another one is the same then.
    """

    def __init__(self, size: int, names: Iterable[str]) -> None:
        self.size = size
        listed = list(dict.fromkeys(["", *names]))
        numbers = [_NUMBER.fullmatch(name) for name in listed]
        self.by_number = all(numbers[1:])
        if self.by_number:
            self.numbers = {name: int(name[1:] or 0) for name in listed}
        else:
            self.numbers = {name: number for number, name in enumerate(listed)}
            self._written = _written(listed, size)

    def number(self, name: str, where: str) -> int:
        """The number of a name; raises `RecordError` if the file cannot hold it."""
        number = self.numbers[name]
        if number > _MOST_NAMES:
            raise RecordFieldError(f"a WTHOR file cannot hold the name {shown(name)}", where)
        return number

    def file(self) -> bytes | None:
        """The file of names, ``None`` if there are none."""
        if self.by_number:
            return None
        head = _HEADER.pack(20, 0, 1, 1, 0, len(self.numbers), 0, 0, 0, 0, 0)
        return head + b"".join(name.ljust(self.size, b"\0") for name in self._written)


def _written(names: Sequence[str], size: int) -> list[bytes]:
    """The names as a file has them, with room for ``size`` bytes each; no two are the same."""
    found: dict[bytes, None] = {}
    whole = {name.encode("latin-1") for name in names if _fits(name, size)}
    least = dict[bytes, int]()  # the number to try next, by the letters that there is room for
    for name in names:
        first = data = name.replace("\0", "?").encode("latin-1", "replace")[: size - 1]
        taken = whole if not _fits(name, size) else ()
        for number in count(least.get(first, 2)):
            if data not in found and data not in taken:
                break
            end = b"~%d" % number
            data = first[: size - 1 - len(end)] + end
            least[first] = number + 1
        found[data] = None
    return list(found)


def _fits(name: str, size: int) -> bool:
    try:
        data = name.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return len(data) < size and b"\0" not in data


def _game_bytes(record: GameRecord, depth: int, players: _Index, tournaments: _Index) -> bytes:
    env = record.replay()
    if not isinstance(env, Reversi) or record.game != Reversi(8).name or record.start:
        raise RecordFieldError("a WTHOR file holds Othello on 8×8 from the usual start", "game")
    if record.result is None:
        raise RecordFieldError("a WTHOR file holds only games with a result", "result")
    squares = bytes(
        10 * (move // env.cols + 1) + move % env.cols + 1
        for move in record.moves
        if move != env.pass_move
    )
    discs = _said_discs(record, env)
    theoretical = _theoretical(record)
    black, white = (
        players.number(name, f"players.{side}")
        for name, side in zip(record.players, "xo", strict=True)
    )
    return _GAME.pack(
        tournaments.number(record.headers.get(EVENT, ""), EVENT),
        black,
        white,
        discs,
        theoretical[0] if depth and theoretical else discs,
        squares,
    )


def _said_discs(record: GameRecord, env: BaseGameEnv) -> int:
    """Black's discs: those of the header where they agree with the result, else the usual ones."""
    winner = record.result or 0
    usual = _usual_discs(env, winner)
    text = record.headers.get(DISCS, "")
    if not re.fullmatch(r"0|[1-9][0-9]?", text, re.ASCII) or int(text) > _DISCS:
        return usual
    said = (int(text) > _DISCS // 2) - (int(text) < _DISCS // 2)
    return int(text) if said == winner or env.is_terminal() else usual


def _theoretical(record: GameRecord) -> tuple[int, int] | None:
    """The theoretical score in the header, and with how many empty squares it was found."""
    pattern = r"(0|[1-9][0-9]?) with ([1-9][0-9]?) empty"
    found = re.fullmatch(pattern, record.headers.get(THEORETICAL, ""), re.ASCII)
    if found is None or int(found[1]) > _DISCS or int(found[2]) > _MOST_EMPTY:
        return None
    return int(found[1]), int(found[2])


def _common_depth(records: Iterable[GameRecord]) -> int:
    """The depth of all theoretical scores, 0 if they differ or a game has none."""
    found = {None if (score := _theoretical(record)) is None else score[1] for record in records}
    return (found.pop() or 0) if len(found) == 1 else 0


def _common_year(records: Iterable[GameRecord]) -> int:
    """The year of all games, 0 if they differ or a game has none."""
    dates = {record.headers.get(DATE, "") for record in records}
    date = dates.pop() if len(dates) == 1 else ""
    return int(date) if _YEAR.fullmatch(date) and int(date) < 2**16 else 0


def wthor_loses(records: Sequence[GameRecord]) -> list[str]:
    """What a WTHOR file does not hold of these records."""
    return list(dict.fromkeys(_lost(records)))


def _lost(records: Sequence[GameRecord]) -> Iterator[str]:
    depth, year = _common_depth(records), _common_year(records)
    for record in records:
        yield from main_line_alone(record)
        if record.opening:
            yield "opening"
        if not all(_fits(name, _PLAYER_BYTES) for name in record.players):
            yield f"the names of players beyond {_PLAYER_BYTES - 1} letters of Latin-1"
        if not _fits(record.headers.get(EVENT, ""), _TOURNAMENT_BYTES):
            yield f"the names of events beyond {_TOURNAMENT_BYTES - 1} letters of Latin-1"
        for header, text in record.headers.items():
            kept = {
                EVENT: bool(text),
                DATE: bool(year),
                THEORETICAL: bool(depth),
                DISCS: _keeps_discs(record, text),
            }
            if not kept.get(header, False):
                yield f"the header {shown(header)}"
        if record.ended_by not in ("", ADJUDICATED):
            yield f"that a game ended by {record.ended_by}"
        if record.moves and record.moves[-1] == record.replay().pass_move:
            yield "a pass after the last disc"


def _keeps_discs(record: GameRecord, text: str) -> bool:
    env = record.replay()
    discs = _said_discs(record, env)
    return str(discs) == text and discs != _usual_discs(env, record.result or 0)
