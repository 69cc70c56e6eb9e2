"""Games as NBoard sends them: one game of GGF, with the board at its start and the moves."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rl_toolkit.envs import BaseGameEnv, InvalidMoveError, Reversi, make_game
from rl_toolkit.envs.validation import shown

_TAG = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")
_CELLS = {1: "*", -1: "O", 0: "-"}
_PIECES = {sign: piece for piece, sign in _CELLS.items()}
_COLOURS = {1: "B", -1: "W"}


class GgfError(ValueError):
    """Text that is not a game of Reversi in GGF."""


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
    start, replayed, played = make_game(env.name), make_game(env.name), list[str]()
    try:
        for move in env.history:
            played.append(f"{_COLOURS[replayed.current_player]}[{square_of(replayed, move)}]")
            replayed.step(move)
    except ValueError:  # the history begins elsewhere
        played = []
    if replayed.get_state_hash() != env.get_state_hash():
        start, played = env, []
    cells = " ".join("".join(_CELLS[cell] for cell in row) for row in start.board_2d.tolist())
    clock = "" if seconds is None else f"TI[{_clock_text(seconds)}]"
    head = f"(;GM[Othello]PC[rl-toolkit]PB[Black]PW[White]RE[?]{clock}TY[{env.rows}]"
    board = f"BO[{env.rows} {cells} {_CELLS[start.current_player]}]"
    return f"{head}{board}{''.join(played)};)"


def from_ggf(text: str) -> GgfGame:
    """The game in ``text``; raises `GgfError` if it is not one of Reversi."""
    if not text.strip().startswith("(;"):
        raise GgfError("a game in GGF begins with (;")
    env: BaseGameEnv = Reversi()
    left: dict[int, float | None] = {1: None, -1: None}
    used = {1: 0.0, -1: 0.0}
    moves: list[tuple[int, str]] = []
    for tag, value in _TAG.findall(text):
        if tag == "GM" and value.strip().lower() not in ("othello", "reversi"):
            raise GgfError(f"this is a game of {shown(value)}, not of Othello")
        if tag == "BO":
            env = _board(value)
        elif tag in ("TI", "TB", "TW"):
            for player in {"TI": (1, -1), "TB": (1,), "TW": (-1,)}[tag]:
                left[player] = _seconds(value)
        elif tag in ("B", "W"):
            moves.append((1 if tag == "B" else -1, value))
    for player, value in moves:
        _play(env, player, value.partition("/")[0])
        used[player] += _used(value)
    seconds = {p: None if (s := left[p]) is None else max(0.0, s - used[p]) for p in left}
    return GgfGame(env, seconds)


def _play(env: BaseGameEnv, player: int, text: str) -> None:
    if env.current_player != player and env.must_pass():
        assert env.pass_move is not None
        env.step(env.pass_move)
    if env.current_player != player:
        raise GgfError(f"{_COLOURS[player]}[{text}] is not their turn")
    try:
        env.step(move_of(env, text))
    except ValueError as error:
        raise GgfError(f"{_COLOURS[player]}[{text}]: {error}") from error


def _board(text: str) -> BaseGameEnv:
    """``8 --------…-------- *``: the size, the cells and the side to move."""
    size, *words = text.split() or [""]
    cells = "".join(words)
    try:
        env = make_game(f"{Reversi.traits.name}-{size}")
    except ValueError as error:
        raise GgfError(f"{shown(size)} is not a size of this game") from error
    if len(cells) != env.rows * env.cols + 1 or not set(cells.upper()) <= set(_PIECES):
        raise GgfError(f"BO[{text[:20]}…] is not a board")
    *pieces, mover = (_PIECES[cell] for cell in cells.upper())
    if mover == 0:
        raise GgfError("the side to move is * or O")
    try:
        env.set_position(pieces, mover)
    except ValueError as error:
        raise GgfError(str(error)) from error
    return env


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
