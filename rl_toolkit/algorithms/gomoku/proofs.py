"""Proofs that a side wins by threats, as trees of data.

A `Proof` says what the attacker plays in every case; `algorithms.gomoku.proof_check` replays one
against every reply with rules of its own. Proofs are built by asking the compiled searches again in
each position, so nothing here depends on what a table still remembers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rl_toolkit.kernels.gomoku.cell_tables import FIVES, OPEN_FOURS
from rl_toolkit.kernels.gomoku.layout import HASH
from rl_toolkit.kernels.gomoku.pvs import PROVEN, WIN
from rl_toolkit.kernels.gomoku.workspace import Workspace

#: Nodes of a search by fours in each position of a proof by threats.
NODES_OF_FOURS = 20_000
#: Nodes after which the search of one position gives up, while a proof is built.
NODES_OF_THREATS = 5_000_000


class NotProvenError(ValueError):
    """There is no proof, or it was not found within the limits."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How the attacker wins: a move, and what follows each reply.

    Attributes:
        move: the attacker's move.
        replies: the proof after each of these replies.
        otherwise: the proof after every other reply; ``None`` if ``move`` completes five.
        plies: moves of both sides until five, against the longest defence.
    """

    move: int
    replies: Mapping[int, Proof] = field(default_factory=dict)
    otherwise: Proof | None = None
    plies: int = field(init=False)

    def __post_init__(self) -> None:
        later = [*self.replies.values(), *([] if self.otherwise is None else [self.otherwise])]
        longest = max((proof.plies + 2 for proof in later), default=1)
        object.__setattr__(self, "plies", longest)

    @property
    def line(self) -> tuple[int, ...]:
        """The moves of both sides against the longest defence among the listed replies."""
        moves, proof = [self.move], self
        while proof.otherwise is not None:
            if proof.replies:
                reply = max(proof.replies, key=lambda move: proof.replies[move].plies)
                proof = proof.replies[reply]
                moves += [reply, proof.move]
            else:  # any reply at all
                break
        return tuple(moves)

    def positions(self) -> int:
        """The number of different positions in which the attacker moves."""
        return sum(1 for _ in self._each(set()))

    def _each(self, seen: set[int]) -> Iterator[Proof]:
        if id(self) not in seen:
            seen.add(id(self))
            yield self
            for proof in self.replies.values():
                yield from proof._each(seen)
            if self.otherwise is not None:
                yield from self.otherwise._each(seen)


class ProofBuilder:
    """Builds the proof of a win of ``side``, who is to move, in the position of a workspace.

    With ``only_fours`` the attacker plays nothing but fours. `NotProvenError` if a search finds no
    win, if there are more than ``most_positions`` in which the attacker moves, or once the flag of
    the workspace is set; the position of the workspace is then, as always, what it was.

    The search by threats does not know the move that threatens two fours at once without an open
    three. The main search does, so what it proves may need it: ``deepest`` is the depth to which it
    is asked where the other finds nothing within ``nodes``.
    """

    def __init__(
        self,
        space: Workspace,
        side: int,
        *,
        only_fours: bool = False,
        most_positions: float = math.inf,
        deepest: int = 0,
        nodes: int = NODES_OF_THREATS,
    ) -> None:
        self._space, self._side, self._only_fours = space, side, only_fours
        self._most, self._deepest, self._nodes = most_positions, deepest, nodes
        self._known: dict[int, Proof] = {}

    def build(self) -> Proof:
        """The proof of the position that the search stands at; raises `NotProvenError`."""
        position = int(self._space.block[HASH])
        if position not in self._known:
            if self._space.flagged:
                raise NotProvenError("building the proof was stopped")
            if len(self._known) >= self._most:
                raise NotProvenError(f"the proof has more than {self._most} positions")
            self._known[position] = self._attack(self._best())
        return self._known[position]

    def _best(self) -> int:
        """The attacker's move in a won position."""
        space, side = self._space, self._side
        plies, move = space.fours(side, 10**9 if self._only_fours else NODES_OF_FOURS)
        if plies:
            return move
        if self._only_fours:
            raise NotProvenError("there is no win by fours")
        with space.allowing(self._nodes):
            if space.prove(side):
                return space.proven_move
        for depth in range(2, self._deepest + 1):
            with space.allowing(self._nodes):
                score = space.think(side, PROVEN, WIN, depth, 0)
            if score is not None and score > PROVEN:
                return space.remembered(side)
        raise NotProvenError("no win by threats was found")

    def _attack(self, move: int) -> Proof:
        """The proof that begins with ``move``."""
        space, side = self._space, self._side
        if move in space.cells_of(side, FIVES):
            return Proof(move)
        with space.stone(move, side):
            fives = space.cells_of(side, FIVES)
            if len(fives) >= 2:
                return Proof(move, {fives[0]: Proof(fives[1])}, Proof(fives[0]))
            if fives:
                return Proof(move, {fives[0]: self._after(fives[0])}, Proof(fives[0]))
            replies = {reply: self._after(reply) for reply in space.replies(side)}
            otherwise = self._open_fours(replies)
        return Proof(move, replies, otherwise)

    def _after(self, reply: int) -> Proof:
        with self._space.stone(reply, 1 - self._side):
            return self.build()

    def _open_fours(self, replies: dict[int, Proof]) -> Proof:
        """The answer to a reply that stops no open four; adds those to replies that stop some."""
        space, side = self._space, self._side
        wins: dict[int, tuple[set[int], Proof]] = {}
        for cell in space.cells_of(side, OPEN_FOURS):
            with space.stone(cell, side):
                fives = space.cells_of(side, FIVES)
            wins[cell] = {cell, *fives}, Proof(cell, {fives[0]: Proof(fives[1])}, Proof(fives[0]))
        if not wins:
            raise NotProvenError("there is no threat")
        stopped, otherwise = next(iter(wins.values()))
        for reply in stopped - replies.keys():
            replies[reply] = next(proof for stops, proof in wins.values() if reply not in stops)
        return otherwise


def proof_by_fours(space: Workspace, side: int) -> Proof:
    """The proof that ``side``, to move, wins by fours; `NotProvenError` if there is none."""
    return ProofBuilder(space, side, only_fours=True).build()
