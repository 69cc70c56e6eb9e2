"""GGF, the Generic Game Format of the game server GGS: games of Othello.

::

    (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ada]PW[max]TI[05:00//02:00]
    TY[8]RE[+12.00]BO[8 ---------------------------O*------*O--------------------------- *]
    B[d3//0.01]W[c5/-1.50/2.10]B[…]…;)

====================  ====================================================================
``BO[8 … *]``         size, cells row by row (``*`` black, ``O`` white), side to move
``B[d3/score/time]``  a move; ``PA`` passes; score and seconds may be missing
``RE[+12.00:r]``      discs for black; ``r`` resigned, ``t`` time, ``s`` agreed, ``l`` left
``C[…]``              a header; its last line is the number of moves of the opening
====================  ====================================================================

A line of an archive may begin with the number of its games. Values have no escapes, so a text with
``]`` cannot be written. There are no comments and no variations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import partial

import numpy as np

from rl_toolkit.envs import BaseGameEnv, GameError, Reversi, for_game, make_game
from rl_toolkit.envs.position import set_up
from rl_toolkit.records import move_notes
from rl_toolkit.records.errors import (
    OtherGameError,
    RecordFieldError,
    RecordMoveError,
    RecordSyntaxError,
    inside,
)
from rl_toolkit.records.formats.file_results import (
    ADJUDICATED,
    decoded,
    main_line_alone,
    outcome,
)
from rl_toolkit.records.formats.opening_note import with_note, without_note
from rl_toolkit.records.formats.played_moves import play_coloured
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.move_names import move_named
from rl_toolkit.utils import shown

#: The header for a score that does not follow from the board.
SCORE = "score"

_TOKEN = re.compile(
    r"\s*(?:(?P<open>\(;)|(?P<close>;\))|(?P<name>[A-Z]{1,8})\[(?P<value>[^\]]*)\]|(?P<count>[0-9]{1,6})\s+(?=\(;))",
    re.ASCII,
)
_NAMES = {Reversi: "Othello"}
_ENDS = {"r": "resignation", "t": "time", "s": "agreement", "l": "leaving"}
_HEADERS = {
    "PC": "place",
    "DT": "date",
    "RB": "black rating",
    "RW": "white rating",
    "TI": "time limit",
    "TB": "black time limit",
    "TW": "white time limit",
    "TY": "type",
}
_NAMED = {header: name for name, header in _HEADERS.items()}
_STRUCTURE = ("GM", "PB", "PW", "RE", "BO", "B", "W")
_COMMENT = "C"
_KOMI = ("KB", "KW", "KM")
_PLAYERS = {"B": 1, "W": -1}
_CELLS = {"*": 1, "O": -1, "-": 0}
_LETTERS = {piece: letter for letter, piece in _CELLS.items()}
_RESULT = re.compile(r"([+-]?[0-9]{1,3}(?:\.[0-9]{1,4})?)(?::([a-z]))?", re.ASCII)


def looks_like_ggf(data: bytes) -> bool:
    """Whether a file begins as games of GGS do."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*(?:[0-9]+\s+)?\(;\s*GM\[[A-Z][a-z]", data) is not None


# ------------------------------------------------------------------------- reading


def read_ggf(data: bytes | str, game: str | None = None) -> list[GameRecord]:
    """The games of a file; if ``game`` is given, all must be games of it.

    Raises `RecordError` with the number of the game.
    """
    return list(iter_ggf(data, game))


def iter_ggf(data: bytes | str, game: str | None = None) -> Iterator[GameRecord]:
    """The games that `read_ggf` reads, each played when its turn comes."""
    for read in ggf_readers(data, game):
        yield read()


def ggf_readers(data: bytes | str, game: str | None = None) -> Iterator[Callable[[], GameRecord]]:
    """For each game of a file what reads it; raises `RecordError` where that has no games."""
    text = data if isinstance(data, str) else decoded(data)
    for number, properties in enumerate(_games(text), 1):
        yield partial(_checked_record, number, properties, game)


def _checked_record(number: int, properties: list[tuple[str, str]], game: str | None) -> GameRecord:
    with inside(f"game {number}"):
        record = _record(properties)
        if game is not None and record.game != make_game(game).name:
            raise OtherGameError(f"this is a game of {record.game}, not of {game}", "BO")
    return record


def _games(text: str) -> Iterator[list[tuple[str, str]]]:
    """Yield the properties of each game."""
    properties: list[tuple[str, str]] | None = None
    position, number = 0, 0
    while position < len(text):
        token = _TOKEN.match(text, position)

        def wrong(problem: str, at: int = position) -> RecordSyntaxError:
            begin = len(text) - len(text[at:].lstrip())
            return RecordSyntaxError(problem, f"line {text.count(chr(10), 0, begin) + 1}")

        if token is None:
            rest = text[position:].strip()
            if not rest:
                break
            raise wrong(f"{shown(rest[:16])} is not GGF")
        if token["open"]:
            if properties is not None:
                raise wrong("a game begins inside another: ;) is missing")
            properties = []
        elif token["count"]:
            if properties is not None:
                raise wrong(f"{shown(token['count'])} is not a property")
        elif properties is None:
            raise wrong(f"{shown(token[0].strip()[:16])} is not in a game: (; is missing")
        elif token["close"]:
            yield properties
            properties, number = None, number + 1
        else:
            properties.append((token["name"], token["value"]))
        position = token.end()
    if properties is not None:
        raise RecordSyntaxError("the file ends inside a game: ;) is missing", f"game {number + 1}")
    if not number:
        raise RecordSyntaxError("there is no game: a GGF file begins with (;GM[Othello]")


def _record(properties: list[tuple[str, str]]) -> GameRecord:
    fields: dict[str, str] = {}
    for name, value in properties:
        if name in fields and name not in _PLAYERS:
            raise RecordFieldError("this property appears twice", name)
        fields[name] = value
    _check_kind(fields)
    env = _board(fields.get("BO"))
    times: list[Decimal | None] = []
    scores: list[Decimal | None] = []
    for number, (name, value) in enumerate(properties, 1):
        if name in _PLAYERS:
            _play(env, name, value, f"property {number}, {name}[{value}]"[:60], scores, times)
    result, ended_by, score = _result(fields.get("RE", "?"), env)
    headers = {move_notes.SCORES: move_notes.joined(scores)} if any(scores) else {}
    if any(times):
        headers[move_notes.TIMES] = move_notes.joined(times)
    if score:
        headers[SCORE] = score
    comment, opening = without_note(fields.get(_COMMENT, ""), len(env.history))
    left_out = {("TY", str(env.rows)), *([(_COMMENT, "")] if opening else [])}
    if opening:
        fields[_COMMENT] = comment
    for name, value in fields.items():
        if name not in _STRUCTURE and (name, value) not in left_out:
            headers[_HEADERS.get(name, name)] = value
    return GameRecord.from_env(
        env,
        players=(fields.get("PB", ""), fields.get("PW", "")),
        result=result,
        ended_by=ended_by,
        headers=headers,
        opening=opening,
    )


def _check_kind(fields: dict[str, str]) -> None:
    """Reject other games, and Othello with other rules."""
    game = fields.get("GM", "").strip()
    if game.lower() not in (name.lower() for name in _NAMES.values()):
        raise RecordFieldError(f"GM[{game[:20]}] is not read, only GM[Othello]", "GM")
    if any(name in fields for name in _KOMI):
        raise RecordFieldError("games with komi are not read", "KM")
    if not _is_type(fields.get("TY", "")):
        raise RecordFieldError("anti-Othello is another game and is not read", "TY")


def _is_type(text: str) -> bool:
    """Whether a type of game is not anti-Othello, where fewer discs win."""
    return "a" not in text.lower()


def _board(text: str | None) -> BaseGameEnv:
    if text is None:
        raise RecordFieldError("this property is missing", "BO")
    size, *rest = text.split() or [""]
    if not re.fullmatch(r"[0-9]{1,2}", size, re.ASCII) or not rest:
        raise RecordFieldError(f"{shown(text[:40])} is not a size, cells and a side to move", "BO")
    env = Reversi(int(size))
    cells, side = "".join(rest)[:-1], "".join(rest)[-1]
    if len(cells) != env.rows * env.cols or any(cell not in _CELLS for cell in cells):
        raise RecordFieldError(f"the board must have {env.rows * env.cols} of *, O and -", "BO")
    if _CELLS.get(side, 0) == 0:
        raise RecordFieldError(f"the side to move is * or O, not {shown(side)}", "BO")
    board = np.array([_CELLS[cell] for cell in cells], dtype=np.int8)
    set_up(env, board.reshape(env.rows, env.cols), _CELLS[side])
    return env


def _play(
    env: BaseGameEnv,
    colour: str,
    value: str,
    where: str,
    scores: list[Decimal | None],
    times: list[Decimal | None],
) -> None:
    """Play a move; the passes that it implies have no numbers."""
    word, _, numbers = value.partition("/")
    score, _, seconds = numbers.partition("/")
    try:
        move = move_named(env, word)
    except GameError as error:
        raise RecordMoveError(str(error), where) from error
    before = len(env.history)
    play_coloured(env, _PLAYERS[colour], move, where)
    for count in range(len(env.history) - before, 0, -1):
        scores.append(_number(score, where) if count == 1 else None)
        times.append(_number(seconds, where) if count == 1 else None)


def _number(text: str, where: str) -> Decimal | None:
    if not text:
        return None
    number = move_notes.read_number(text)
    if number is None:
        raise RecordFieldError(f"{shown(text)} is not a number", where)
    return number


def _result(text: str, env: BaseGameEnv) -> tuple[int | None, str, str]:
    """The result, ``ended_by``, and the score if it does not follow from the board."""
    match = _RESULT.fullmatch(text.strip())
    if match is None:
        if text.strip() not in ("?", ""):
            raise RecordFieldError(f"a result looks like +12.00 or ?, not {shown(text)}", "RE")
        return *outcome(env, None, "", "RE"), ""
    score = Decimal(match[1])
    if match[2] and match[2] not in _ENDS:
        raise RecordFieldError(f"{shown(match[2])} is not a reason for an end", "RE")
    said = (score > 0) - (score < 0)
    result, ended_by = outcome(env, said, _ENDS.get(match[2] or "", ADJUDICATED), "RE")
    usual = {_usual_score(env, result), _margin(env)} if not ended_by else {_cells_won(env, said)}
    return result, ended_by, "" if score in usual else move_notes.plain_number(score)


def _margin(env: BaseGameEnv) -> int:
    return int(env.board.sum(dtype=np.int64))


def _usual_score(env: BaseGameEnv, result: int | None) -> int:
    """The margin with the empty squares counted for the winner, as tournaments do."""
    empty = int(np.count_nonzero(env.board == 0))
    return _margin(env) + (result or 0) * empty


def _cells_won(env: BaseGameEnv, winner: int) -> int:
    return winner * env.rows * env.cols


# ------------------------------------------------------------------------- writing


def write_ggf(records: Iterable[GameRecord]) -> str:
    """The games, one a line; raises `RecordError` for a game that GGF cannot hold."""
    lines = []
    for number, record in enumerate(records, 1):
        with inside(f"game {number}"):
            lines.append(_line(record))
    return "".join(f"{line}\n" for line in lines)


def _line(record: GameRecord) -> str:
    env = record.starting_position()
    name = for_game(_NAMES, env)
    if name is None or Reversi(env.rows).name != record.game:
        raise RecordFieldError(f"GGF has no form for {record.game}", "game")
    headers = {"type": str(env.rows), **record.headers}
    if record.opening:
        headers[_COMMENT] = with_note(headers.get(_COMMENT, ""), record.opening)
    if not _is_type(headers["type"]):
        headers["type"] = str(env.rows)
    fields = [("GM", name)]
    fields += [(code, headers[header]) for header, code in _NAMED.items() if header in headers]
    fields += [(header, text) for header, text in headers.items() if _is_property(header)]
    fields += [("PB", record.players[0]), ("PW", record.players[1])]
    cells = "".join(_LETTERS[piece] for piece in env.board.tolist())
    start = f"{env.rows} {cells} {_LETTERS[env.current_player]}"
    fields += [("RE", _result_text(record)), ("BO", start)]
    scores, times = (_notes(record, header) for header in (move_notes.SCORES, move_notes.TIMES))
    for number, move in enumerate(record.moves):
        word = "PA" if move == env.pass_move else env.move_name(move)
        score, seconds = scores[number], times[number]
        if score is not None or seconds is not None:
            word += "/" + ("" if score is None else move_notes.plain_number(score))
        if seconds is not None:
            word += "/" + move_notes.plain_number(seconds)
        fields.append(("B" if env.current_player == 1 else "W", word))
        env.step(move)
    for code, text in fields:
        if "]" in text:
            raise RecordFieldError(f"GGF cannot hold {shown(text)}, because of its ]", code)
    return "(;" + "".join(f"{code}[{text}]" for code, text in fields) + ";)"


def _is_property(header: str) -> bool:
    """Whether a header can be written under its own name, and is read back as a header."""
    known = header in _HEADERS or header in _STRUCTURE + _KOMI
    return re.fullmatch(r"[A-Z]{1,8}", header, re.ASCII) is not None and not known


def _result_text(record: GameRecord) -> str:
    if record.result is None:
        return "?"
    env, score = record.replay(), _score(record)
    if not record.ended_by:
        return f"{_margin(env) if score is None else score:+.2f}"
    ends = {reason: letter for letter, reason in _ENDS.items()}
    letter = ends.get(record.ended_by, "")
    number = _cells_won(env, record.result) if score is None else score
    return f"{number:+.2f}" + (f":{letter}" if letter else "")


def _score(record: GameRecord) -> Decimal | None:
    """The score in the header, if it can be written and read back; its sign is the result."""
    text = record.headers.get(SCORE, "")
    score = move_notes.read_number(text)
    if score is None or move_notes.plain_number(score) != text or abs(score) > 999:
        return None
    env = record.replay()
    usual = {_margin(env), _usual_score(env, record.result)}
    if record.ended_by:
        usual = {_cells_won(env, record.result or 0)}
    fits = (score > 0) - (score < 0) == record.result and score == round(score, 2)
    return score if fits and score not in usual else None


def _notes(record: GameRecord, header: str) -> list[Decimal | None]:
    """The numbers of each move in a header, if they can be read back."""
    nothing: list[Decimal | None] = [None] * len(record.moves)
    numbers = move_notes.split(record.headers.get(header, ""), len(record.moves))
    return numbers if numbers and any(numbers) else nothing


def ggf_loses(record: GameRecord) -> list[str]:
    """What a GGF file does not hold of a record."""
    lost = main_line_alone(record)
    for header, text in record.headers.items():
        if header in (move_notes.SCORES, move_notes.TIMES):
            kept = any(_notes(record, header))
        elif header == SCORE:
            kept = _score(record) is not None
        elif header == "type":
            kept = _is_type(text) and text != str(record.starting_position().rows)
        else:
            kept = header in _NAMED or _is_property(header)
        if not kept:
            lost.append(f"the header {shown(header)}")
    if record.ended_by not in ("", ADJUDICATED, *_ENDS.values()):
        lost.append(f"that it ended by {record.ended_by}")
    return lost
