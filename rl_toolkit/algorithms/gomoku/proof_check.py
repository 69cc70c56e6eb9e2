"""An independent check of proofs: plays every reply, with rules written out here.

Nothing of the compiled searches is used. The board is a list of 0 (empty), 1 (black) and 2 (white).
"""

from __future__ import annotations

from collections.abc import Sequence

from rl_toolkit.algorithms.gomoku.proofs import Proof

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class ProofChecker:
    """Replays proofs on boards of one size by one rule.

    ``checked`` counts the replies that were played.
    """

    def __init__(self, size: int, exactly: bool) -> None:
        self.size, self.exactly = size, exactly
        self.checked = 0
        self._board: list[int] = []
        self._done: set[tuple[int, bytes]] = set()
        self._line: list[int] = []

    def refute(self, board: Sequence[int], side: int, proof: Proof) -> list[int] | None:
        """A line of moves that the proof does not answer; ``None`` if the proof holds.

        ``side``, 1 or 2, is the attacker and to move.
        """
        self._board, self._line = [int(stone) for stone in board], []
        self._done.clear()
        if any(stone and self._wins(cell) for cell, stone in enumerate(self._board)):
            return []
        dangers = {cell for cell in self._empty() if self._completes(cell, 3 - side)}
        return None if self._holds(side, proof, dangers) else list(self._line)

    def _holds(self, side: int, proof: Proof, dangers: set[int]) -> bool:
        """Whether the proof wins from here; ``dangers`` are the other side's cells for five."""
        board, move = self._board, proof.move
        key = id(proof), bytes(board)
        if key in self._done:
            return True
        self._line.append(move)
        if not 0 <= move < len(board) or board[move]:
            return False
        board[move] = side
        held = self._wins(move) or self._answers_all(side, proof, dangers - {move})
        board[move] = 0
        if held:
            self._line.pop()
            self._done.add(key)
        return held

    def _answers_all(self, side: int, proof: Proof, dangers: set[int]) -> bool:
        """Whether the proof holds after every reply to its move, which is on the board."""
        board, otherwise = self._board, proof.otherwise
        for danger in dangers:
            if self._completes(danger, 3 - side):
                self._line.append(danger)
                return False
        if otherwise is None:
            return False
        # A cell for five stays one, whatever the other side plays elsewhere.
        at_once = otherwise.otherwise is None and self._completes(otherwise.move, side)
        for reply in self._empty():
            self.checked += 1
            following = proof.replies.get(reply, otherwise)
            if following is otherwise and at_once and reply != otherwise.move:
                continue
            self._line.append(reply)
            board[reply] = 3 - side
            held = self._holds(side, following, self._dangers_through(reply, 3 - side))
            board[reply] = 0
            if not held:
                return False
            self._line.pop()
        return True

    def _empty(self) -> list[int]:
        return [cell for cell, stone in enumerate(self._board) if not stone]

    def _dangers_through(self, cell: int, side: int) -> set[int]:
        """The cells on which ``side`` would complete five through its stone on ``cell``."""
        found = set()
        row, col = divmod(cell, self.size)
        for down, right in _DIRECTIONS:
            near = [(row + k * down, col + k * right) for k in range(-4, 5)]
            inside = [
                r * self.size + c for r, c in near if 0 <= r < self.size and 0 <= c < self.size
            ]
            if sum(self._board[other] == side for other in inside) >= 4:
                empty = (other for other in inside if not self._board[other])
                found |= {other for other in empty if self._completes(other, side)}
        return found

    def _completes(self, cell: int, side: int) -> bool:
        """Whether ``side`` would complete five on an empty cell."""
        self._board[cell] = side
        won = self._wins(cell)
        self._board[cell] = 0
        return won

    def _wins(self, cell: int) -> bool:
        """Whether the stone on a cell is part of five."""
        board, size = self._board, self.size
        side = board[cell]
        for down, right in _DIRECTIONS:
            run = 1
            for sign in (1, -1):
                row, col = divmod(cell, size)
                row, col = row + sign * down, col + sign * right
                while 0 <= row < size and 0 <= col < size and board[row * size + col] == side:
                    run += 1
                    row, col = row + sign * down, col + sign * right
            if run == 5 or (run > 5 and not self.exactly):
                return True
        return False
