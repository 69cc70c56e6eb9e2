"""The steps of a Gomoku search within its limit: which proof or search comes next, and how long.

::

    look at every move one ply deep
    an opening with a choice of good moves?      → one of them by the seed, done
    what would the other side do with two moves in a row?
    a win by fours?  a win by threats?           → done, unless every move is to be valued
    would the other side win?                    → does it win after each move, too?
    search 2, 3, 4 … plies deep                  (every move in the first half, if all are valued)
    does the chosen move lose to threats?        → search again without it

A search that is to solve the position skips the second step, gives half of its limit to the win by
threats, and searches deeper until the limit is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple

from rl_toolkit.algorithms.gomoku.root import RootSearch
from rl_toolkit.algorithms.search_control import SearchClock
from rl_toolkit.analysis import Limit, StopSignal

#: The nodes a second that are expected of proofs by threats, to share out time.
PROOF_RATE = 800_000
#: Nodes for the first look for a win by fours.
FOUR_NODES = 200_000
#: The shares of proofs in the time or nodes of a move: of its own win, and of the other side's.
ATTACK, CHECK = 0.12, 0.2
#: The share of the proof of its own win, if the position is to be solved.
ATTACK_TO_SOLVE = 0.5
#: The share of nodes, and the most of them, to see what the other side threatens.
THREAT, THREAT_NODES = 0.04, 8000
#: The same when every move is valued: a threat found decides about most of them.
THREAT_TO_ALL, THREAT_NODES_TO_ALL = 0.15, 40_000
#: From how many seconds, or nodes, a move is always checked.
CHECK_FROM, CHECK_FROM_NODES = 1.0, 400_000
MOST_CHECKS = 4
#: The share of the search that values every move, before it looks deeper for the best one.
COMPARING = 0.5
#: Nodes to check each move, when every move is valued.
CHECK_EACH = 2000
#: No further depth is begun after this share of the time for depths.
LAST_START = 0.6
DEEPEST = 40
#: The depth of a search that has nothing to choose.
WITHOUT_CHOICE = 4


class Rounds(NamedTuple):
    """How every move is checked if the other side threatens to win.

    Attributes:
        share: of the limit, for all rounds together.
        nodes: for each move in the first round.
        growth: how many times more each undecided move gets in the next round.
    """

    share: float
    nodes: int
    growth: int


#: These rounds if every move is valued, and otherwise.
REFUTE_ALL, REFUTE = Rounds(0.85, 300, 3), Rounds(0.3, 500, 2)


class Plan:
    """One search: the limit, the clock that runs, and whom to tell of progress."""

    def __init__(
        self,
        root: RootSearch,
        limit: Limit,
        clock: SearchClock,
        stop: StopSignal | None,
        progress: Callable[[], object],
        *,
        solve: bool = False,
    ) -> None:
        self._solve = solve
        self._root, self._limit, self._clock = root, limit, clock
        self._stop, self._progress = stop, progress
        self._begun = root.space.nodes

    def run(self, *, every_move: bool, proofs: bool) -> None:
        """Do all steps, until the limit is reached."""
        root, limit = self._root, self._limit
        if not root.look_once():
            return
        self._progress()
        if not root.space.moves:
            root.keep_central()
        if not (every_move or self._solve) and root.choose_opening():
            self._search(min(WITHOUT_CHOICE, limit.depth or DEEPEST), 1.0, every_move=False)
            return
        if proofs:
            self._find_threat(every_move)
        proofs = proofs and limit.depth is None
        if not every_move and self._is_settled(proofs):
            return
        if proofs and self._attack() and not every_move:
            return
        threatened = proofs and bool(root.threat)
        if threatened:
            self._refute_each(REFUTE_ALL if every_move else REFUTE)
            if not every_move and self._is_settled(proofs):
                return
        if every_move:
            check = proofs and self._is_long() and not threatened
        else:  # short searches gain nothing by it, unless the other side threatens to win
            check = proofs and (self._is_long() or threatened) and not self._solve
        share = 1 - CHECK if check else 1.0
        if every_move and limit.depth is None:
            self._search(DEEPEST, share * COMPARING, every_move=True)
            self._search(DEEPEST, share, every_move=False)
        else:
            self._search(limit.depth or DEEPEST, share, every_move)
        if check:
            self._check_every() if every_move else self._check_best()

    def _is_settled(self, proofs: bool) -> bool:
        """Whether there is nothing to choose; if so, complete what is known of the move."""
        root, limit = self._root, self._limit
        if root.decided:
            if proofs:
                root.find_fours(FOUR_NODES)  # for the line
            return True
        if root.only_move and limit == Limit(time=limit.time) and not self._solve:
            self._search(WITHOUT_CHOICE, 1.0, every_move=False)
            return True
        return False

    def _is_long(self) -> bool:
        limit = self._limit
        long = limit.time is None or limit.time >= CHECK_FROM
        return long and (limit.nodes is None or limit.nodes >= CHECK_FROM_NODES)

    def _allow(self, share: float, most: int | None = None) -> None:
        """Let searches run until this share of all nodes is used, and ``most`` at once."""
        allowed = most
        if self._limit.nodes is not None:
            used = self._root.space.nodes - self._begun
            left = max(0, int(self._limit.nodes * share) - used)
            allowed = left if most is None else min(left, most)
        self._root.space.allow(allowed)

    @contextmanager
    def _within(self, share: float) -> Iterator[None]:
        """Context manager: searches inside end when this share of the limit is used."""
        space, seconds = self._root.space, self._limit.time
        inner: AbstractContextManager[SearchClock] = nullcontext(self._clock)
        if seconds is not None and share < 1:
            inner = SearchClock(max(0.001, seconds * share - self._clock.elapsed), self._stop)
        with inner as clock:
            space.watch(clock.flag)
            self._allow(share)
            yield
        space.watch(self._clock.flag)
        self._allow(1.0)

    def _find_threat(self, every_move: bool) -> None:
        """Look how the other side would win if this one passed."""
        share = THREAT_TO_ALL if every_move else THREAT
        most = THREAT_NODES_TO_ALL if every_move else THREAT_NODES
        nodes = self._limit.nodes
        self._allow(share, most)
        self._root.find_threat(most if nodes is None else min(most, nodes))
        self._allow(1.0)

    def _refute_each(self, rounds: Rounds) -> None:
        """Ask of every move whether the threat is still there: with few nodes each, then more."""
        root = self._root
        self._allow(THREAT_TO_ALL, THREAT_NODES_TO_ALL)
        root.space.prove(1 - root.side)  # what wins now is tried first after each move
        # Moves known to be lost, too: what wins after one may answer a reply to another.
        nodes, moves = rounds.nodes, root.losable()
        with self._within(rounds.share):
            while moves:
                moves = self._undecided(moves, rounds.share, nodes)
                nodes *= rounds.growth
        self._progress()

    def _undecided(self, moves: list[int], share: float, nodes: int) -> list[int]:
        """The moves of which ``nodes`` each do not say whether they lose; none if time is up.

        Those that seem nearest to being lost come first.
        """
        root, left = self._root, list[tuple[int, int]]()
        for move in moves:
            self._allow(share, nodes)
            if root.space.stopped:
                return []
            if root.refute(move, whole=False) is None:
                left.append((root.space.proof_number, move))
        return [move for _, move in sorted(left)]

    def _attack(self) -> bool:
        """Look for a win by fours, then for one by threats."""
        root, limit = self._root, self._limit
        fours = FOUR_NODES if limit.nodes is None else min(FOUR_NODES, limit.nodes)
        threats = root.find_fours(fours)
        if not threats:
            share = ATTACK_TO_SOLVE if self._solve else ATTACK
            most = None if limit.time is None else int(limit.time * share * PROOF_RATE)
            self._allow(share, most)
            threats = root.find_threats()
        if threats:
            self._progress()
        self._allow(1.0)
        return threats

    def _search(self, deepest: int, share: float, every_move: bool) -> None:
        """Search deeper and deeper within a share of the limit."""
        root, seconds, begun = self._root, self._limit.time, self._clock.elapsed
        with self._within(share):
            for depth in range(max(2, root.depth + 1), min(deepest, len(root.legal)) + 1):
                spent, left = self._clock.elapsed - begun, (seconds or 0) * share - begun
                late = seconds is not None and spent > left * LAST_START and not self._solve
                if late or root.space.stopped or (root.decided and not every_move):
                    break
                if not root.deepen(depth, every_move):
                    break
                self._progress()

    def _check_best(self) -> None:
        """Ask whether the best move loses to threats; if so, search for another."""
        root = self._root
        for number in range(MOST_CHECKS):
            move = root.best
            if move is None or root.decided or root.space.stopped:
                return
            if not root.refute(move, whole=self._is_long()):
                return
            self._progress()
            if root.is_lost or root.only_move:
                return
            root.search_again(max(2, root.depth - 2 - number))

    def _check_every(self) -> None:
        """Ask of every move near a stone whether it loses to threats, the best first."""
        root = self._root
        for move in root.unproven():
            self._allow(1.0, CHECK_EACH)
            if root.refute(move):
                self._progress()
            if self._clock.expired:
                return
