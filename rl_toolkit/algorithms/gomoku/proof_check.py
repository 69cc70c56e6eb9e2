"""An independent check of proofs: plays every reply, with rules written out here.

Nothing of the compiled searches is used. The board is a list of 0 (empty), 1 (black) and 2 (white).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rl_toolkit.algorithms.gomoku.proofs import Proof
from rl_toolkit.kernels.spec import LineRule

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class ProofChecker:
    """Replays proofs on boards of one size by one rule.

    ``checked`` counts the replies that were played, or that could not matter (`_decisive`).
    """

    def __init__(self, size: int, rule: LineRule) -> None:
        self.size, self.rule = size, rule
        self.checked = 0
        self._board: list[int] = []
        self._done: set[tuple[int, bytes]] = set()
        self._line: list[int] = []
        self._lines: dict[int, list[list[int]]] = {}

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
        replies = self._empty()
        self.checked += len(replies)
        for reply in self._decisive(side, proof, otherwise, replies):
            self._line.append(reply)
            board[reply] = 3 - side
            following = proof.replies.get(reply, otherwise)
            held = self._holds(side, following, self._dangers_through(reply, 3 - side))
            board[reply] = 0
            if not held:
                return False
            self._line.pop()
        return True

    def _decisive(
        self, side: int, proof: Proof, otherwise: Proof, replies: list[int]
    ) -> Iterable[int]:
        """The replies that have to be played; ``otherwise`` answers all others.

        A cell for five stays one, whatever the other side plays elsewhere. After a reply elsewhere
        an open four still has two of them, unless that reply threatens five.
        """
        if otherwise.otherwise is None and self._completes_empty(otherwise.move, side):
            played = {otherwise.move, *proof.replies}
        elif (needed := self._needed(side, otherwise)) is not None:
            played = {*needed, *self._may_threaten(3 - side), *proof.replies}
        else:
            return replies
        return [reply for reply in replies if reply in played]

    def _may_threaten(self, side: int) -> set[int]:
        """Cells among which are all those where ``side`` could threaten to complete five."""
        board, threats = self._board, set[int]()
        for cell, stone in enumerate(board):
            if stone == side:
                for near in self._lines_through(cell):
                    if sum(board[other] == side for other in near) >= 3:
                        threats.update(near)
        return threats

    def _needed(self, side: int, proof: Proof) -> set[int] | None:
        """The cells that must stay empty for an open four; ``None`` if the proof is not one."""
        board, move, five = self._board, proof.move, proof.otherwise
        if five is None or five.otherwise is not None or proof.replies.keys() != {five.move}:
            return None
        other = proof.replies[five.move]
        cells = {move, five.move, other.move}
        if other.otherwise is not None or len(cells) < 3:
            return None
        if not all(0 <= cell < len(board) and not board[cell] for cell in cells):
            return None
        board[move] = side
        held = self._completes(five.move, side) and self._completes(other.move, side)
        board[move] = 0
        return cells if held else None

    def _empty(self) -> list[int]:
        return [cell for cell, stone in enumerate(self._board) if not stone]

    def _dangers_through(self, cell: int, side: int) -> set[int]:
        """The cells on which ``side`` would complete five through its stone on ``cell``."""
        dangers = set[int]()
        if self._board.count(side) < 4:
            return dangers
        for inside in self._lines_through(cell):
            if sum(self._board[other] == side for other in inside) >= 4:
                empty = (other for other in inside if not self._board[other])
                dangers |= {other for other in empty if self._completes(other, side)}
        return dangers

    def _lines_through(self, cell: int) -> list[list[int]]:
        """The cells of each line at most four steps from ``cell``, which is one of them."""
        if cell not in self._lines:
            row, col = divmod(cell, self.size)
            self._lines[cell] = [
                [
                    (row + k * down) * self.size + col + k * right
                    for k in range(-4, 5)
                    if 0 <= row + k * down < self.size and 0 <= col + k * right < self.size
                ]
                for down, right in _DIRECTIONS
            ]
        return self._lines[cell]

    def _completes_empty(self, cell: int, side: int) -> bool:
        """Whether the cell is on the board and empty, and ``side`` would complete five there."""
        inside = 0 <= cell < len(self._board)
        return inside and not self._board[cell] and self._completes(cell, side)

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
            if self.rule.wins(run, 5):
                return True
        return False
