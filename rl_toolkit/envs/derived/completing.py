"""`Completing`: what the base fills in for a class with fewer than the eight methods.

A course class has ``step``, its legal moves and the attributes ``board``, ``current_player``,
``done`` and ``winner``. After each of its moves the rest of the contract is filled in: the reward
of player +1, ``info``, the count of moves, who has won. A board that was assigned is judged by
play: take back one piece, play it again, and see what the class says.
"""

from __future__ import annotations

import copy
from inspect import unwrap
from typing import Any

import numpy as np

from rl_toolkit.envs.derived.core import Core
from rl_toolkit.envs.errors import GameOverError, IllegalMoveError
from rl_toolkit.envs.validation import Board

#: The methods that make a game; a class that lacks some of them gets them from the base.
MANDATORY = (
    *("reset", "step", "get_legal_moves", "is_terminal", "check_win", "get_result"),
    *("copy", "get_state_hash"),
)
#: A class may supply either list of legal moves, or both.
LISTS = ("get_legal_moves", "get_legal_actions")
#: A position before a move: its board and player, the moves played so far, the last cell.
Before = tuple[tuple[bytes, int], int, int | None]
_WINNERS = {"x": 1, "o": -1}
_SIDES = (1, -1)


class Completing(Core):
    """The state of a game, and how it follows from what a class with gaps says."""

    _winner: int | None = None
    _done: bool = False
    _move_count: int = 0
    _last_move: int | None = None
    _winning_line: list[int] | None = None
    #: The legal moves of this position, once they were listed.
    _legal_here: list[int] | None = None
    #: The last listing of the class, and the same moves as increasing numbers.
    _listed_moves: tuple[list[Any], list[int]] = ([], [])
    #: The method by which the class lists its moves, without what is added to it.
    _class_listing: Any

    @classmethod
    def _note_gaps(cls, base: type) -> None:
        """Note which methods the class has of its own; those of the base may be decorated."""
        names = {*MANDATORY, *LISTS}
        own = [n for n in names if unwrap(getattr(cls, n)) is not unwrap(getattr(base, n))]
        cls._supplied = frozenset(own)
        cls._has_gaps, cls._own_form = not cls._supplied.issuperset(MANDATORY), False

    def _clear_state(self, move_count: int = 0) -> None:
        """The state of a game in progress after that many moves."""
        self._winner, self._done, self._winning_line = None, False, None
        self._last_move, self._move_count, self._legal_here = None, move_count, None

    def _share_state(self, twin: Any) -> None:
        """Give a copy what its class may not have copied."""
        line = self._winning_line
        twin._winner, twin._done = self._winner, self._done
        twin._winning_line = line.copy() if isinstance(line, list) else line
        twin._last_move, twin._move_count = self._last_move, self._move_count
        twin.current_player, twin._legal_here = self.current_player, self._legal_here
        twin._listed_moves = self._listed_moves
        if twin._board is self._board or twin._board.tobytes() != self._board.tobytes():
            twin._board = self._board.copy()

    # ---------------------------------------------------------------------- legal moves

    def _moves_of_class(self) -> list[Any]:
        """The legal moves as the class lists them; `_busy` must be set."""
        moves: Any = self._class_listing()
        if type(moves) is list:
            return moves
        return moves.tolist() if isinstance(moves, np.ndarray) else list(moves)

    def _list_legal(self) -> list[int] | None:
        """The legal moves as increasing numbers, none at the end; the class is asked once.

        ``None`` for a class whose moves are not numbers. Then all its objects take their own form,
        also those made before: what one object shows holds for the class.
        """
        moves = self._asked_for_legal()
        if moves and not isinstance(moves[0], (int, float, np.number)):
            type(self)._own_form = True
            return None
        if self._done:
            self._legal_here = []
        elif moves == self._listed_moves[0]:  # as before the last move, if pieces fall
            self._legal_here = self._listed_moves[1]
        else:
            self._legal_here = sorted(set(map(int, moves)))
            self._listed_moves = (moves.copy(), self._legal_here)
        return self._legal_here

    def _asked_for_legal(self) -> list[Any]:
        self._busy = True
        try:
            return self._moves_of_class()
        finally:
            self._busy = False

    def _refuse_illegal(self, move: int) -> None:
        """Raise if the move is illegal, with the class's own words if it has any.

        The class's ``step`` is asked on a copy, so that a refusal changes nothing. What the class
        calls legal is asked again: it may have changed its mind.
        """
        if not self.is_terminal() and move in self._asked_for_legal():
            return
        trial = self.copy()
        trial._busy = True  # only the class's own step, not what is derived from it
        try:
            trial.step(move)
        except ValueError:
            raise
        except Exception:  # the class does not check its moves; the sentences below do
            pass
        if self.is_terminal():
            raise GameOverError("the game is over; no more moves can be played")
        name = self.move_name(move) if 0 <= move < self.num_moves else f"{move}"
        raise IllegalMoveError(f"{name} is not a legal move here")

    # ------------------------------------------------------------------------ after a move

    def _complete_step(self, move: int, before: Before, answer: Any) -> Any:
        """What ``step`` returns, complete; the state of the game is completed on the way.

        ``answer`` is what the class's own ``step`` returned. If the next player is not ±1 and the
        game is not over, all objects of the class take their own form, as in `_list_legal`.
        """
        (cells, player), count, last = before
        if self.current_player not in _SIDES:
            if as_winner(self._winner) is None and not self.is_terminal():
                type(self)._own_form = True
                return answer
            self.current_player = player  # the class has nobody to move at the end
        info = _info(answer)
        self._legal_here = None
        last, count = self._placed_cell(move, cells, last), count + 1
        self._last_move, self._move_count = last, count  # its list of moves may ask for them
        winner, done = self._verdict_of_class(info)
        line = _line(self._winning_line, info, len(cells)) if winner else None
        if done:
            self.current_player = player
        self._winner, self._done = winner, done
        self._winning_line = line
        told = {"winner": winner, "winning_line": line, "move_count": count, "last_move": last}
        return self._board.copy(), float(winner or 0), done, {**info, **told} if info else told

    def _placed_cell(self, move: int, cells: bytes, last: int | None) -> int | None:
        """The cell of a new piece, else the last one: mostly the move, or what the class says."""
        board = self._board
        for cell in (move, self._last_move):
            if cell is not None and 0 <= cell < len(cells) and not cells[cell] and board[cell]:
                return cell
        placed = np.flatnonzero((np.frombuffer(cells, np.int8) == 0) & (board != 0))
        return int(placed[0]) if placed.size else last

    def _verdict_of_class(self, info: dict[str, Any]) -> tuple[int | None, bool]:
        """Winner and end of the game, as the class tells them by methods or attributes."""
        supplied = self._supplied
        winner = as_winner(self._winner)
        if winner is None and info:
            winner = as_winner(info.get("winner"))
        if "check_win" in supplied:
            sides = (self.current_player, -self.current_player)
            winner = next((side for side in sides if self.check_win(side)), None)
        over = bool(self.is_terminal() if "is_terminal" in supplied else self._done)
        if over and winner is None and "get_result" in supplied:
            winner = int(np.sign(self.get_result(1))) or None
        if not over and winner is None:
            moves = self._moves_of_class()  # the class may not notice that there are none left
            over = not moves
            if moves and type(moves[0]) is int:
                self._legal_here = sorted(set(moves))
        over = over or winner is not None
        return ((winner or 0) if over else None), over

    # --------------------------------------------------------------- boards from outside

    def _judge_edits(self) -> None:
        """Find winner and end of a position that was set up from outside."""
        self._clear_state(int(np.count_nonzero(self._board)))
        self._busy = True
        try:
            player = self.current_player
            if self._has_gaps and "check_win" not in self._supplied:
                winner = _judged_by_play(self)
            else:
                winner = next((side for side in (-player, player) if self.check_win(side)), None)
            moves = self._moves_of_class() if self._has_gaps else list(self.get_legal_moves())
            if winner is None and not moves:
                winner = 0
        finally:
            self._busy = False
        self._winner, self._done = winner, winner is not None


def as_winner(winner: object) -> int | None:
    """+1 or −1 for a winner, ``None`` for anything else: nobody yet, or a draw.

    >>> as_winner(np.int64(-1)), as_winner("X"), as_winner(0), as_winner("draw")
    (-1, 1, None, None)
    """
    if winner is None:
        return None
    if isinstance(winner, str):
        return _WINNERS.get(winner.strip().lower())
    if isinstance(winner, (int, np.integer)) and not isinstance(winner, bool) and abs(winner) == 1:
        return int(winner)
    return None


def deep_copy(env: Any) -> Any:
    """A game of the same class whose attributes are deep copies, without its history."""
    twin = object.__new__(type(env))
    vars(twin).update(copy.deepcopy({k: v for k, v in vars(env).items() if k != "_past"}))
    return twin


def _judged_by_play(env: Completing) -> int | None:
    """The winner on a board that was assigned: ``None`` while the game is in progress, 0 if drawn.

    One piece is taken back and played again by its owner, the last mover first. If the same board
    arises and the class says that its owner has won, so it is.
    """
    player, target = env.current_player, env._board.copy()
    drawn = False
    for side in (-player, player):
        for cell in np.flatnonzero(target == side).tolist():
            winner = _winner_if_played_last(env, target, side, cell)
            if winner == side:
                return side
            drawn = drawn or winner == 0
    return 0 if drawn else None


def _winner_if_played_last(env: Completing, target: Board, side: int, cell: int) -> int | None:
    """The winner after ``side`` has played the piece on ``cell`` last, ``None`` if it cannot."""
    before: Completing = deep_copy(env)
    before._busy = True  # its state is set here, and not computed
    before._board[cell] = 0
    before.current_player = side
    before._clear_state(int(np.count_nonzero(target)) - 1)
    try:
        legal = before._moves_of_class()
        likely = [move for move in (cell, cell % env.cols) if move in legal]
        for move in likely or legal:
            after: Completing = deep_copy(before)
            after._busy = True
            answer = after.step(move)
            if np.array_equal(after._board, target):
                return after._verdict_of_class(_info(answer))[0]
    except Exception:  # the class cannot play from such a board, so this is not how it arose
        return None
    return None


def _info(answer: Any) -> dict[str, Any]:
    """The ``info`` of what a class's step returned, empty if there is none."""
    if type(answer) is tuple and answer and type(answer[-1]) is dict:  # almost always, and faster
        return answer[-1]
    if isinstance(answer, tuple):
        for part in reversed(answer):
            if isinstance(part, dict):
                return part
    return {}


def _line(own: Any, info: dict[str, Any], cells: int) -> list[int] | None:
    """The winning line, if the class tells one that is on the board."""
    for line in (own, info.get("winning_line")):
        try:
            listed = [int(cell) for cell in line or ()]
        except (TypeError, ValueError):
            continue
        if listed and all(0 <= cell < cells for cell in listed):
            return listed
    return None
