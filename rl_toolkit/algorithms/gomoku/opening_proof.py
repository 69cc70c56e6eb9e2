"""Proofs of openings: after a few stones the attacker wins, whatever the defender replies.

Threats alone win nothing from two stones, so a proof needs quiet moves. After each reply of the
defender one more quiet move is looked for, after which the attacker wins by threats against every
further reply, a pass included::

    h8  a1  i9      the opening; the defender is to move
    every reply     → one quiet move
    every reply     → a win by threats, as a tree

The result is a `Proof` for each reply, which `algorithms.gomoku.proof_check` replays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rl_toolkit.algorithms.gomoku.proof_check import ProofChecker
from rl_toolkit.algorithms.gomoku.proofs import NotProvenError, Proof, ProofBuilder
from rl_toolkit.envs import BaseGameEnv, Gomoku
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import LineRule

#: Nodes to see whether a quiet move threatens anything, and for each reply to it; the second number
#: is for another try if no quiet move was found.
_NODES_OF_THREAT, _NODES = 20_000, (60_000, 400_000)
#: Quiet moves that are tried.
_MOST_MOVES = 40


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening on a board of ``size`` rows; the side that made the last move is the attacker."""

    size: int
    rule: LineRule
    moves: tuple[int, ...]

    @property
    def attacker(self) -> int:
        """0 for black, 1 for white."""
        return (len(self.moves) - 1) % 2

    def board(self) -> list[int]:
        """The stones: 0 for empty, 1 for black, 2 for white."""
        board = [0] * (self.size * self.size)
        for number, cell in enumerate(self.moves):
            board[cell] = 1 + number % 2
        return board

    def mirrored(self, cell: int) -> int:
        """The cell with row and column swapped; itself unless every stone of the opening stays."""
        if self.board() != [self.board()[self._swapped(c)] for c in range(self.size**2)]:
            return cell
        return self._swapped(cell)

    def _swapped(self, cell: int) -> int:
        row, col = divmod(cell, self.size)
        return col * self.size + row

    def replies(self) -> list[int]:
        """The defender's replies, one of each mirrored pair, those nearest the attacker first."""
        board, size = self.board(), self.size
        symmetric = any(self.mirrored(cell) != cell for cell in range(size * size))
        own = [cell for cell in self.moves if board[cell] == 1 + self.attacker]
        kept = [
            cell
            for cell, stone in enumerate(board)
            if not stone and not (symmetric and self._swapped(cell) < cell)
        ]
        return sorted(kept, key=lambda cell: (min(_distance(cell, o, size) for o in own), cell))


def opening_of(env: BaseGameEnv) -> Opening:
    """The moves played in ``env`` as an opening; ``ValueError`` if they are not one.

    It takes a game of Gomoku to five in a row that is not over.
    """
    if not isinstance(env, Gomoku) or not env.is_five:
        raise ValueError(f"{env.name} is not Gomoku to five in a row")
    if env.is_terminal() or not env.history:
        raise ValueError("an opening is one or more moves of a game that is not over")
    return Opening(env.rows, env.win_rule, tuple(env.history))


@dataclass(frozen=True, slots=True)
class Answered:
    """The proof after one reply, and the nodes that were searched for it."""

    reply: int
    proof: Proof | None
    nodes: int


class OpeningProver:
    """Proves the replies to an opening one by one."""

    def __init__(self, opening: Opening, megabytes: float = 64) -> None:
        self.opening = opening
        self._side = opening.attacker
        self._space = Workspace(opening.size, opening.rule, None, megabytes)
        self._space.make()

    def answers(self, replies: Sequence[int]) -> Iterator[Answered]:
        """The proof after each reply; its ``proof`` is ``None`` where none was found."""
        for reply in replies:
            yield self.answer(reply)

    def answer(self, reply: int) -> Answered:
        """The proof after ``reply``."""
        space, before = self._space, self._space.nodes
        stones = [(cell, number % 2) for number, cell in enumerate(self.opening.moves)]
        space.set_up([*stones, (reply, 1 - self._side)])
        proof = self._by_threats(_NODES_OF_THREAT)
        for nodes in _NODES:
            if proof is None:
                proof = self._by_quiet_move(nodes)
        return Answered(reply, proof, space.nodes - before)

    def _by_threats(self, nodes: int) -> Proof | None:
        """The tree of a win by threats in the position of the space."""
        space, side = self._space, self._side
        with space.allowing(nodes):
            if not space.fours(side, 1000)[0] and not space.prove(side):
                return None
        try:
            return ProofBuilder(space, side, nodes=10 * nodes).build()
        except NotProvenError:
            return None

    def _wins(self, nodes: int) -> bool:
        with self._space.allowing(nodes):
            return bool(self._space.fours(self._side, 1000)[0] or self._space.prove(self._side))

    def _by_quiet_move(self, nodes: int) -> Proof | None:
        space, side = self._space, self._side
        ranks = space.near(side)
        for move in sorted(ranks, key=lambda cell: (-ranks[cell], cell))[:_MOST_MOVES]:
            with space.stone(move, side):
                if self._wins(_NODES_OF_THREAT):
                    proof = self._against_all(move, nodes)
                    if proof is not None:
                        return proof
        return None

    def _against_all(self, move: int, nodes: int) -> Proof | None:
        """The proof with the quiet ``move``, which is on the board; ``None`` if a reply holds."""
        space, size = self._space, self.opening.size
        taken = {cell for cell, _ in space.moves}
        empty = [cell for cell in range(size * size) if cell not in taken]
        replies = sorted(empty, key=lambda cell: (_distance(cell, move, size), cell))
        for reply in replies:  # all of them first: trees are made only for a move that holds
            with space.stone(reply, 1 - self._side):
                if not self._wins(nodes):
                    return None
        proofs = {}
        for reply in replies:
            with space.stone(reply, 1 - self._side):
                proof = self._by_threats(nodes)
            if proof is None:
                return None
            proofs[reply] = proof
        return Proof(move, proofs, proofs[replies[-1]])


def check_opening(opening: Opening, reply: int, proof: Proof) -> tuple[list[int] | None, int]:
    """A line that the proof after ``reply`` does not answer, and the replies that were played.

    The line is ``None`` if the proof holds; nothing of the search is used.
    """
    board = opening.board()
    if not 0 <= reply < len(board) or board[reply]:
        return [reply], 0
    board[reply] = 2 - opening.attacker
    checker = ProofChecker(opening.size, opening.rule)
    line = checker.refute(board, 1 + opening.attacker, proof)
    return (None if line is None else [reply, *line]), checker.checked


def _distance(cell: int, other: int, size: int) -> int:
    (row, col), (r, c) = divmod(cell, size), divmod(other, size)
    return max(abs(row - r), abs(col - c))
