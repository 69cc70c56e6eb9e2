"""Piskvork's ``.psq``, the format of Gomocup: one game of Gomoku.

::

    Piskvorky 20x20, 11:11, 0      the board, two levels, 0: the first player opens
    11,10,0                        a move: column and row from the top left, milliseconds
    10,10,30
    pbrain-ada.exe                 the players, unless they are unknown
    pbrain-max.exe
    -1                             a code of the program that wrote the file
    1,Freestyle                    the winner (0 for a draw, -1 if undecided) and the rule
    Opening: 4 moves, which no player chose.

Everything after the moves may be missing; without a last line the rule is freestyle.
"""

from __future__ import annotations

import re
from decimal import Decimal

from rl_toolkit.envs import BaseGameEnv, GameError, Gomoku, make_game
from rl_toolkit.records import move_notes
from rl_toolkit.records.errors import (
    OtherGameError,
    RecordError,
    RecordFieldError,
    RecordSyntaxError,
)
from rl_toolkit.records.formats.file_results import (
    ADJUDICATED,
    decoded,
    main_line_alone,
    outcome,
    rule_of_gomoku,
)
from rl_toolkit.records.formats.opening_note import with_note, without_note
from rl_toolkit.records.formats.played_moves import play_coloured
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.utils import shown

#: The header for a code other than the usual one.
CODE = "psq code"

_USUAL_CODE = "-1"
_FIRST = re.compile(r"Piskvorky ([0-9]{1,2})x([0-9]{1,2}),? *[0-9]+:[0-9]+, *([01])", re.ASCII)
_MOVE = re.compile(r"([0-9]{1,2}),([0-9]{1,2})(?:,([0-9]{1,12}))?", re.ASCII)
_CODE = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_LAST = re.compile(r"(-1|[0-3]),(\w+)", re.ASCII)
#: Piskvork ends with 3 after a draw, Gomocup's manager with 0.
_WINNERS = {"1": 1, "2": -1, "0": 0, "3": 0, "-1": None}
_WINNER_WORDS = {1: "1", -1: "2", 0: "0", None: "-1"}


def looks_like_psq(data: bytes) -> bool:
    """Whether a file begins as Piskvork's do."""
    return data.startswith(b"Piskvorky ")


def read_psq(data: bytes | str, game: str | None = None) -> list[GameRecord]:
    """The game of a file; ``game`` decides the rule where it is given.

    Raises `RecordError` with the number of the line.
    """
    text = data if isinstance(data, str) else decoded(data)
    lines = re.split(r"\r\n|\n|\r", text)
    while lines and not lines[-1]:
        lines.pop()
    match = _FIRST.fullmatch(lines[0].strip()) if lines else None
    if match is None:
        raise RecordSyntaxError("a psq file begins like: Piskvorky 15x15, 11:11, 0", "line 1")
    last = next((k for k, line in enumerate(lines) if k and not _MOVE.fullmatch(line)), len(lines))
    _, opening = without_note(lines[-1], last - 1)
    if opening:
        lines.pop()
    names, code, winner, rule = _ending(lines[last:], last + 1)
    try:
        env = _game(match, rule, game)
        if match[3] == "1":
            env.reset(first_player=-1)
    except GameError as error:
        raise RecordFieldError(str(error), "line 1") from error
    times = [_play(env, line, f"line {number}") for number, line in enumerate(lines[1:last], 2)]
    result, ended_by = outcome(env, winner, ADJUDICATED, f"line {len(lines)}")
    headers = {move_notes.TIMES: move_notes.joined(times)} if any(times) else {}
    if code != _USUAL_CODE:
        headers[CODE] = code
    return [
        GameRecord.from_env(
            env,
            players=names,
            result=result,
            ended_by=ended_by,
            headers=headers,
            opening=opening,
        )
    ]


def _ending(lines: list[str], first: int) -> tuple[tuple[str, str], str, int | None, str]:
    """The players, the code, the winner and the rule, from the lines after the moves."""
    winner, rule, code = None, "", _USUAL_CODE
    end = _LAST.fullmatch(lines[-1]) if lines else None
    if end is not None:
        winner, rule = _WINNERS[end[1]], end[2]
        lines = lines[:-1]
    if lines and _CODE.fullmatch(lines[-1]):
        code, lines = lines[-1], lines[:-1]
    if len(lines) not in (0, 2) or any(_MOVE.fullmatch(line) for line in lines):
        raise RecordSyntaxError(
            f"after the moves there are the names of two players, a code, and winner and rule; "
            f"{shown(lines[0])} does not fit",
            f"line {first}",
        )
    return (lines[0], lines[1]) if lines else ("", ""), code, winner, rule


def _game(match: re.Match[str], rule: str, game: str | None) -> BaseGameEnv:
    if match[1] != match[2]:
        raise RecordFieldError(f"{match[1]}x{match[2]} is not a square board", "line 1")
    size = int(match[1])
    if game is not None:
        env = make_game(game)
        if not isinstance(env, Gomoku):
            raise OtherGameError(f"a psq file holds Gomoku, not {env.name}", "line 1")
        if env.rows != size:
            raise OtherGameError(f"the board has {size} rows, not those of {env.name}", "line 1")
        return env
    return Gomoku(size, rule=rule_of_gomoku(rule, "the last line"))


def _play(env: BaseGameEnv, line: str, where: str) -> Decimal | None:
    """Play the move in a line; the seconds that it took, ``None`` if they are not known."""
    match = _MOVE.fullmatch(line)
    col, down = (int(match[1]), int(match[2])) if match else (0, 0)
    if match is None or not (1 <= col <= env.cols and 1 <= down <= env.rows):
        raise RecordFieldError(f"{shown(line)} is not on the board", where)
    play_coloured(env, env.current_player, (env.rows - down) * env.cols + col - 1, where)
    return Decimal(match[3] or 0) / 1000 or None


def write_psq(records: list[GameRecord]) -> str:
    """The game as a file; raises `RecordError` for a game that the format cannot hold."""
    if len(records) != 1:
        raise RecordError(f"a psq file holds one game, not {len(records)}")
    record = records[0]
    begun = record.starting_position()
    if not isinstance(begun, Gomoku) or begun.win_length != 5:
        raise RecordFieldError(f"a psq file holds Gomoku to five in a row, not {record.game}")
    if Gomoku(begun.rows, rule=begun.rule).name != record.game:
        raise RecordFieldError(f"a psq file holds Gomoku, not {record.game}", "game")
    if begun.board.any():
        raise RecordFieldError("a psq file begins with the empty board", "start")
    lines = [f"Piskvorky {begun.rows}x{begun.cols}, 11:11, {int(begun.current_player == -1)}"]
    times = _times(record) or [None] * len(record.moves)
    for move, seconds in zip(record.moves, times, strict=True):
        row, col = divmod(move, begun.cols)
        lines.append(f"{col + 1},{begun.rows - row},{int(1000 * (seconds or 0))}")
    if any(record.players):
        lines += [_name(name) for name in record.players]
    code = record.headers.get(CODE, _USUAL_CODE)
    lines.append(code if _CODE.fullmatch(code) else _USUAL_CODE)
    lines.append(f"{_WINNER_WORDS[record.result]},{begun.rule.capitalize()}")
    if record.opening:
        lines.append(with_note("", record.opening))
    return "\n".join(lines) + "\n"


def _name(name: str) -> str:
    if "\n" in name or "\r" in name or _MOVE.fullmatch(name):
        raise RecordFieldError(f"a psq file cannot hold the name {shown(name)}", "players")
    return name


def _times(record: GameRecord) -> list[Decimal | None] | None:
    """The seconds of each move, where the header has whole milliseconds that can be read back."""
    times = move_notes.split(record.headers.get(move_notes.TIMES, ""), len(record.moves))
    if not times or not any(times):
        return None
    fit = all(
        seconds is None or (0 < seconds < 10**9 and 1000 * seconds == int(1000 * seconds))
        for seconds in times
    )
    return times if fit else None


def psq_loses(record: GameRecord) -> list[str]:
    """What a psq file does not hold of a record."""
    lost = main_line_alone(record)
    code = record.headers.get(CODE, "0")
    kept = {
        move_notes.TIMES: _times(record) is not None,
        CODE: _CODE.fullmatch(code) is not None and code != _USUAL_CODE,
    }
    lost += [f"the header {shown(name)}" for name in record.headers if not kept.get(name, False)]
    if record.ended_by not in ("", ADJUDICATED):
        lost.append(f"that it ended by {record.ended_by}")
    return lost
