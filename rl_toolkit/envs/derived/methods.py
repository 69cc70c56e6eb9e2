"""What `BaseGameEnv` derives for a class that supplies fewer than the eight mandatory methods.

A course class has ``step``, its legal moves and the attributes ``board``, ``current_player``,
``done`` and ``winner``. After each of its moves `complete_step` fills in the rest of the contract:
refusals, the reward of player +1, ``info``, the count of moves. A board that was assigned is judged
by play (`judged`): take back one piece, play it again, and see what the class says.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rl_toolkit.envs.errors import GameOverError, IllegalMoveError
from rl_toolkit.envs.validation import Board, as_move

if TYPE_CHECKING:
    from rl_toolkit.envs.base_game import BaseGameEnv, StepResult

#: The methods that make a game; a class that lacks some of them gets them from this module.
MANDATORY = (
    *("reset", "step", "get_legal_moves", "is_terminal", "check_win", "get_result"),
    *("copy", "get_state_hash"),
)

_WINNERS = {"x": 1, "o": -1}


def deep_copy(env: BaseGameEnv) -> Any:
    """A game of the same class whose attributes are deep copies, without its history."""
    twin = object.__new__(type(env))
    vars(twin).update(copy.deepcopy({k: v for k, v in vars(env).items() if k != "_past"}))
    twin._past = []
    return twin


def refuse_illegal(env: BaseGameEnv, move: object) -> int:
    """``move`` as a plain int if it is legal; otherwise raise, with the class's own words if any.

    The class's ``step`` is asked on a copy, so that a refusal changes nothing.
    """
    number = as_move(move)
    if number in env.get_legal_moves():
        return number
    trial = env.copy()
    trial._is_busy = True  # only the class's own step, not what is derived from it
    try:
        trial.step(number)
    except ValueError:
        raise
    except Exception:  # the class does not check its moves; the sentences below do
        pass
    if env.is_terminal():
        raise GameOverError("the game is over; no more moves can be played")
    name = f"{number}" if not 0 <= number < env.num_moves else env.move_name(number)
    raise IllegalMoveError(f"{name} is not a legal move here")


def complete_step(env: BaseGameEnv, move: int, before: BaseGameEnv, answer: object) -> StepResult:
    """Complete the state of ``env`` after ``move``, and what ``step`` returns for it."""
    told = next((part for part in _parts(answer) if isinstance(part, dict)), {})
    settle(env, told)
    placed = np.flatnonzero((before.board == 0) & (env.board != 0)).tolist()
    env.last_move = move if move in placed else placed[0] if placed else before.last_move
    env.move_count = before.move_count + 1
    env.winning_line = _line(env, told)
    if env.done:
        env.current_player = before.current_player
    info = {
        **told,
        "winner": env.winner,
        "winning_line": env.winning_line,
        "move_count": env.move_count,
        "last_move": env.last_move,
    }
    return env.board.copy(), float(env.winner or 0), bool(env.done), info


def settle(env: BaseGameEnv, told: dict[str, Any] | None = None) -> None:
    """Set ``winner`` and ``done`` to what the class says about the position."""
    own = env._own_methods
    winner = as_winner(env.winner)
    if winner is None and told:
        winner = as_winner(told.get("winner"))
    if "check_win" in own:
        sides = (env.current_player, -env.current_player)
        winner = next((side for side in sides if env.check_win(side)), None)
    over = bool(env.is_terminal() if "is_terminal" in own else env.done)
    if over and winner is None and "get_result" in own:
        result = env.get_result(1)
        winner = int(np.sign(result)) or None
    over = over or winner is not None or len(list(env.get_legal_moves())) == 0
    env.winner = (winner or 0) if over else None
    env.done = over


def as_winner(winner: object) -> int | None:
    """+1 or −1 for a winner, ``None`` for anything else: nobody yet, or a draw.

    >>> as_winner(np.int64(-1)), as_winner("X"), as_winner(0), as_winner("draw")
    (-1, 1, None, None)
    """
    if isinstance(winner, str):
        return _WINNERS.get(winner.strip().lower())
    if isinstance(winner, (int, np.integer)) and not isinstance(winner, bool) and abs(winner) == 1:
        return int(winner)
    return None


def judged(env: BaseGameEnv) -> int | None:
    """The winner on a board that was assigned: ``None`` while the game is in progress, 0 if drawn.

    One piece is taken back and played again by its owner, the last mover first. If the same board
    arises and the class says that its owner has won, so it is.
    """
    player, target = env.current_player, env.board.copy()
    drawn = False
    for side in (-player, player):
        for cell in np.flatnonzero(target == side).tolist():
            after = _replayed(env, target, side, cell)
            if after is None:
                continue
            if after.winner == side:
                return side
            drawn = drawn or after.winner == 0
    return 0 if drawn else None


def _replayed(env: BaseGameEnv, target: Board, side: int, cell: int) -> BaseGameEnv | None:
    """The game after ``side`` has played the piece on ``cell`` last, ``None`` if it cannot have."""
    before = deep_copy(env)
    before._is_busy = True  # its state is set here, and not computed
    before.board[cell] = 0
    before.current_player = side
    before.winner, before.done, before.winning_line = None, False, None
    before.last_move, before.move_count = None, int(np.count_nonzero(target)) - 1
    try:
        legal = before.get_legal_moves()
        likely = [move for move in (cell, cell % env.cols) if move in legal]
        for move in likely or legal:
            after = deep_copy(before)
            after._is_busy = True
            answer = after.step(move)
            if np.array_equal(after.board, target):
                settle(after, next((part for part in _parts(answer) if isinstance(part, dict)), {}))
                return cast("BaseGameEnv", after)
    except Exception:  # the class cannot play from such a board, so this is not how it arose
        return None
    return None


def _parts(answer: object) -> tuple[object, ...]:
    return answer if isinstance(answer, tuple) else ()


def _line(env: BaseGameEnv, told: dict[str, Any]) -> list[int] | None:
    """The winning line, if the class tells one that is on the board."""
    if not env.winner:
        return None
    for line in (env.winning_line, told.get("winning_line")):
        try:
            cells = [int(cell) for cell in line or ()]
        except (TypeError, ValueError):
            continue
        if cells and all(0 <= cell < len(env.board) for cell in cells):
            return cells
    return None
