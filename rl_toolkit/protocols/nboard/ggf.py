"""Games as NBoard sends them: one game of GGF in a line, and the clocks of its players.

Boards and moves are read and written by `records.formats.ggf`; here are the words of the protocol
around them. What NBoard adds about the event, the players and the result says nothing about the
position, and is left out before the game is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rl_toolkit.envs import BaseGameEnv, InvalidMoveError, Reversi
from rl_toolkit.records import GameRecord, RecordSyntaxError, read_ggf, write_ggf
from rl_toolkit.utils import shown

_TAG = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")
_MOVE = re.compile(r"(?<=[BW]\[)[a-z][0-9]{1,2}")
_PLAYERS = {"B": 1, "W": -1}
_CLOCKS = {"TI": (1, -1), "TB": (1,), "TW": (-1,)}


@dataclass(frozen=True, slots=True)
class GgfGame:
    """A game, and the seconds that each player has left, ``None`` without a clock."""

    env: BaseGameEnv
    seconds: dict[int, float | None]


def square_of(env: BaseGameEnv, move: int) -> str:
    """A move as NBoard writes it: ``F5``, ``PA``."""
    return "PA" if move == env.pass_move else env.move_name(move).upper()


def move_of(env: BaseGameEnv, text: str) -> int:
    """The move that ``text`` names, which need not be legal; raises `InvalidMoveError`."""
    word = text.strip().upper()
    if word in ("PA", "PASS"):
        if env.pass_move is None:
            raise InvalidMoveError("there is no pass in this game")
        return env.pass_move
    if not re.fullmatch(r"[A-Z][0-9]{1,2}", word):
        raise InvalidMoveError(f"{shown(text)} is not a square")
    return env.parse_move(word)


def to_ggf(env: BaseGameEnv, seconds: float | None = None) -> str:
    """The game with its moves, or, if they are not known, its position; one line.

    ``seconds`` is the time that each player has left.
    """
    headers = {"place": "rl-toolkit"}
    if seconds is not None:
        headers["time limit"] = _clock_text(seconds)
    record = GameRecord.from_env(env, players=("Black", "White"), headers=headers)
    return _MOVE.sub(lambda move: move[0].upper(), write_ggf([record]).strip())


def from_ggf(text: str) -> GgfGame:
    """The game in ``text``; raises `RecordError` if it is not one of Reversi.

    Without a board it begins as usual.
    """
    if not text.strip().startswith("(;"):
        raise RecordSyntaxError("a game in GGF begins with (;")
    tags = _TAG.findall(text)
    kept = {"GM": "Othello"} | {tag: value for tag, value in tags if tag in ("GM", "BO", "TY")}
    if kept["GM"].strip().lower() == "reversi":
        kept["GM"] = "Othello"
    if "BO" in kept:
        kept["BO"] = kept["BO"].upper()  # o is a disc, too
    moves = [(tag, value) for tag, value in tags if tag in _PLAYERS]
    board = "" if "BO" in kept else _usual_board()
    head = "".join(f"{tag}[{value}]" for tag, value in kept.items())
    played = "".join(f"{tag}[{value.partition('/')[0].strip()}]" for tag, value in moves)
    (record,) = read_ggf(f"(;{head}{board}{played};)")
    left: dict[int, float | None] = {1: None, -1: None}
    for tag, value in tags:
        for player in _CLOCKS.get(tag, ()):
            left[player] = _seconds(value)
    used = {player: sum(_used(v) for t, v in moves if _PLAYERS[t] == player) for player in left}
    seconds = {p: None if (s := left[p]) is None else max(0.0, s - used[p]) for p in left}
    return GgfGame(record.replay(), seconds)


def _usual_board() -> str:
    return next(f"{t}[{v}]" for t, v in _TAG.findall(to_ggf(Reversi())) if t == "BO")


def _clock_text(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


def _seconds(text: str) -> float | None:
    """``15:00//02:00`` or ``05:00`` in seconds, by its first part; ``None`` for anything else."""
    parts = text.partition("/")[0].partition(",")[0].split(":")
    if len(parts) > 3 or not all(re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?", p) for p in parts):
        return None
    seconds = 0.0
    for part in parts:
        seconds = 60 * seconds + float(part)
    return seconds


def _used(move: str) -> float:
    """The seconds of a move ``F5/2.00/1.5``."""
    words = move.split("/")
    if len(words) < 3 or not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,9})?", words[2].strip()):
        return 0.0
    return float(words[2])
