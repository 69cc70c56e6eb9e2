"""The search of one Gomoku position from its root: what is known of every move.

`algorithms.gomoku.engine` decides which step comes next and when to stop; this module performs the
steps and turns their results into candidates.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cached_property

from rl_toolkit.algorithms.gomoku.openings import central_ranks, opening_moves
from rl_toolkit.algorithms.gomoku.proofs import NotProvenError, Proof, ProofBuilder
from rl_toolkit.analysis import Candidate, ScoreBound
from rl_toolkit.envs import BaseGameEnv, Gomoku
from rl_toolkit.kernels import jit
from rl_toolkit.kernels.gomoku.cell_tables import A_FOUR, AN_OPEN_THREE, FIVES
from rl_toolkit.kernels.gomoku.pvs import (
    LIKELY,
    MOST,
    PROVEN,
    REDUCTION_DEPTHS,
    REDUCTION_MOVES,
    WIN,
    reductions,
)
from rl_toolkit.kernels.gomoku.workspace import Workspace

#: An estimate of this many points has the value tanh(1) ≈ 0.76; the evaluation was fitted so that
#: 150 points are one unit of log-odds.
POINTS_FOR_SURE = 300
#: No estimate is a result.
_SUREST = 0.99

_LOOKS_FAR_FROM = 3  # the depth from which moves further than two cells from all stones compare
_ASPIRE_FROM = 4  # the depth from which the score is expected to be near the last one
_WINDOW, _WIDER = 60, 400
_MOST_MOVES = 40
_UNREDUCED = 3
_PROOF_POSITIONS = 2000  # of a tree that is built for its line
_SPREAD_NODES = 3000  # to use a win after one move against the others, too


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a move.

    Attributes:
        estimate: its score by the last search that had the whole window, in points.
        score: its score by the last search at all.
        bound: what ``score`` is.
        depth: the depth of that search.
        line: the expected line, the move first.
    """

    estimate: int
    score: int
    bound: ScoreBound
    depth: int
    line: tuple[int, ...]

    @property
    def is_win(self) -> bool:
        """Whether the move is proven to win."""
        return self.score > PROVEN and self.bound != "upper"

    @property
    def is_loss(self) -> bool:
        """Whether the move is proven to lose."""
        return self.score < -PROVEN and self.bound != "lower"

    @property
    def likely(self) -> int:
        """The best guess at the score."""
        return min(self.estimate, self.score) if self.bound == "upper" else self.score


def checked(env: BaseGameEnv) -> Gomoku:
    """``env``; `ValueError` for other games and lengths than five, and if nothing is compiled."""
    if not isinstance(env, Gomoku) or not env.is_five:
        raise ValueError(f"the Gomoku engine does not play {env.name}")
    if not jit.ENABLED:
        raise ValueError("the Gomoku engine needs compiled code, and NUMBA_DISABLE_JIT is set")
    return env


class RootSearch:
    """The search of the position of ``game``, in the memory of ``space``.

    ``seed`` chooses among equally good moves, and where the first stone goes. With ``every_move``
    each legal move is to get a score of its own.
    """

    def __init__(
        self, game: Gomoku, space: Workspace, seed: int | None = None, *, every_move: bool = False
    ) -> None:
        self.game, self.space, self._every_move = game, space, every_move
        self.side = 0 if game.current_player == 1 else 1
        cells = game.board.tolist()
        space.set_up([(cell, 0 if s == 1 else 1) for cell, s in enumerate(cells) if s])
        self.legal = [] if game.is_terminal() else game.get_legal_moves()
        self._searched = self.legal
        self._rank = space.near(self.side) if space.moves else central_ranks(game.rows)
        self._order = sorted(self._rank, key=lambda move: (-self._rank[move], move))
        self._fives = set(space.cells_of(self.side, FIVES))
        self.known: dict[int, Known] = {}
        self.threat: tuple[int, ...] = ()
        self._compared = dict[int, int]()  # scores of all moves at the same depth
        self._winners = set[int]()  # moves of the other side that would win if this one passed
        self.depth = 0
        self._seed = seed
        self._chosen = None if space.moves or not self.legal else self._order[0]

    def choose_opening(self) -> bool:
        """Choose one of the good moves of the opening; whether that was done.

        With a seed by chance, else only the first one, the centre. A move after which the other
        side is proven to win is never chosen.
        """
        if self._seed is not None:
            moves = opening_moves(self.game.rows, self.game.board.tolist())
            random.Random(self._seed).shuffle(moves)
        else:
            moves = [] if self.space.moves else self._order[:1]
        chosen = next((move for move in moves if not self.refute(move)), None)
        if chosen is not None:
            self._chosen = chosen
            self._keep([chosen])
        return chosen is not None

    def keep_central(self) -> None:
        """Search only the cells around the centre: of the first stone one ply says nothing."""
        self._keep(self._order)

    def _keep(self, moves: list[int]) -> None:
        """Search only these moves, and forget what one ply says of the others."""
        self._searched, self._order = moves, list(moves)
        self.known = {move: self.known[move] for move in moves if move in self.known}

    # -------------------------------------------------------------------------- results

    @property
    def best(self) -> int | None:
        """The best move so far: unknown ones are better than proven losses."""
        if not self.legal:
            return None
        if self._chosen is not None and not self._is_lost(self._chosen):
            return self._chosen
        best = max(self._choices, key=self._standing)
        others = [move for move in self.legal if not self._is_lost(move)]
        return max(others, key=self._standing) if others and self._is_lost(best) else best

    @property
    def _choices(self) -> list[int]:
        """The moves among which the best is chosen: those near stones.

        Where every move is valued, one or two plies see no harm in a move on the other side of the
        board; until more is known, only moves up to two cells from a stone are chosen.
        """
        moves = self._order or self.legal
        if not self._every_move or self.depth >= _LOOKS_FAR_FROM:
            return moves
        return [move for move in moves if move in self._close] or moves

    @cached_property
    def _close(self) -> set[int]:
        """The legal moves up to two cells from a stone, in any direction."""
        stones = self.game.board.reshape(self.game.rows, -1) != 0
        places = ((move, *divmod(move, stones.shape[1])) for move in self.legal)
        around = ((m, stones[max(0, r - 2) : r + 3, max(0, c - 2) : c + 3]) for m, r, c in places)
        return {move for move, cells in around if cells.any()}

    def _standing(self, move: int) -> float:
        known = self.known.get(move)
        return -math.inf if known is None else known.likely

    def _worth(self, move: int) -> float:
        """The score of a move beside that of the best one.

        Scores of different depths do not compare. Where only the best move was searched deeper, the
        others are as far behind it as they were when all had the same depth, or further if the
        deeper search says so.
        """
        first = self.best
        if move == first or first not in self._compared or move not in self._compared:
            return self._standing(move)
        if self._is_proven(move) or self._is_proven(first):
            return self._standing(move)
        known, deep = self.known[move], self.known[first].likely
        behind = max(0, self._compared[first] - self._compared[move])
        worth = deep - behind
        if known.bound == "upper":
            worth = min(worth, known.score)
        return worth if self._compared[move] <= self._compared[first] else min(worth, deep - 1)

    @property
    def decided(self) -> bool:
        """Whether a move is proven to win, or all are proven to lose."""
        known = self.known.values()
        return any(k.is_win for k in known) or self.is_lost

    @property
    def is_lost(self) -> bool:
        """Whether every legal move is proven to lose."""
        return len(self.known) == len(self.legal) and all(k.is_loss for k in self.known.values())

    @property
    def only_move(self) -> bool:
        """Whether all moves but one are proven to lose, so that there is nothing to choose."""
        if len(self.known) < len(self.legal):
            return False
        return sum(not known.is_loss for known in self.known.values()) == 1

    def candidates(self) -> list[Candidate]:
        """The legal moves, best first; equal ones by the seed, else near the centre first."""
        moves = list(self.legal)
        if self._seed is None:
            priorities = self.game.move_priorities()
            moves.sort(key=lambda move: (-int(priorities[move]), move))
        else:
            random.Random(self._seed).shuffle(moves)
        first = self.best
        moves.sort(key=lambda move: (move == first, self._worth(move)), reverse=True)
        # An older estimate must not look better than the best move, nor a move far from all stones
        # as good: where it does, the search was too shallow to see what the others lead to.
        most = MOST if first not in self.known else max(-MOST, self.known[first].likely)
        near = {first, *self._choices}
        return [self._candidate(move, most - (move not in near)) for move in moves]

    def _candidate(self, move: int, most: int) -> Candidate:
        """What is known of a move; its estimate is at most ``most`` points."""
        name, known = self.game.move_name(move), self.known.get(move)
        if known is None:
            return Candidate(move, name, line=(move,))
        if known.is_win or known.is_loss:
            plies = WIN - abs(known.score)
            return Candidate(
                move,
                name,
                line=known.line,
                value=1.0 if known.is_win else -1.0,
                outcome="win" if known.is_win else "loss",
                proven=True,
                distance=plies if plies < WIN - PROVEN - 1 else None,
            )
        points = min(max(-MOST, self._worth(move)), MOST, most)
        value = max(-_SUREST, min(_SUREST, math.tanh(points / POINTS_FOR_SURE)))
        was_left_out = known.bound == "exact" and known.depth < self.depth
        if move != self.best and (was_left_out or (self._compared and known.bound == "upper")):
            return Candidate(move, name, line=known.line, value=value)  # not searched as deep
        score = float(max(-MOST, min(MOST, known.score)))
        return Candidate(
            move, name, line=known.line, value=value, score=score, score_bound=known.bound
        )

    # ------------------------------------------------------------------------- searches

    def look_once(self) -> bool:
        """Evaluate every legal move one ply deep; ``False`` if stopped."""
        for move in [*self._order, *(m for m in self.legal if m not in self._rank)]:
            if self._search(move, -WIN, WIN, 0) is None:
                return False
        self.depth = 1
        return True

    def deepen(self, depth: int, every: bool) -> bool:
        """Search ``depth`` plies deep; ``False`` if stopped.

        With ``every`` each legal move gets a score of its own; otherwise the best one does, and the
        others an upper bound.
        """
        deepen = self._deepen_every if every else self._deepen_best
        finished = self.space.aided(self.side, depth, lambda: deepen(depth))
        if finished:
            self.depth = depth
        return finished

    def search_again(self, depth: int) -> None:
        """Search at ``depth`` for a better move than the one chosen, which proved to lose."""
        self._chosen = None
        self._search_window(depth, -WIN, WIN)

    def unproven(self) -> list[int]:
        """The moves near stones without a proof, the best first."""
        moves = [move for move in self._order if not self._is_proven(move)]
        return sorted(moves, key=self._standing, reverse=True)

    def losable(self) -> list[int]:
        """The moves that are not proven to win, in the order of their cells."""
        return [m for m in self.legal if self._is_lost(m) or not self._is_proven(m)]

    def _deepen_every(self, depth: int) -> bool:
        before = dict(self.known)
        for move in sorted(self._searched, key=self._standing, reverse=True):
            if not self._is_proven(move) and self._search(move, -WIN, WIN, depth - 1) is None:
                # Scores of different depths do not compare: only what was proven is kept.
                proven = {m: known for m, known in self.known.items() if self._is_proven(m)}
                self.known = before | proven
                return False
        self._chosen = None
        self._chosen = self.best
        self._compared = {move: known.score for move, known in self.known.items()}
        return True

    def _deepen_best(self, depth: int) -> bool:
        expected = self._standing(self.best) if self.best in self.known else 0
        low, high = -WIN, WIN
        if depth >= _ASPIRE_FROM and abs(expected) < MOST:
            low, high = int(expected) - _WINDOW, int(expected) + _WINDOW
        while True:
            score = self._search_window(depth, low, high)
            if score is None:
                return False
            if score <= low and low > -WIN:
                low = -WIN if score < -MOST else max(-WIN, low - _WIDER)
            elif score >= high and high < WIN:
                high = WIN if score > MOST else min(WIN, high + _WIDER)
            else:
                return True

    def _search_window(self, depth: int, low: int, high: int) -> int | None:
        """The score of the best move, exact between ``low`` and ``high``; ``None`` if stopped."""
        best, alpha, number = -WIN, low, 0
        for move in self._promising():
            if number >= _MOST_MOVES and best > -LIKELY and not self._is_tactical(move):
                continue
            less = self._reduction(depth, number, move)
            score: int | None = None
            if number:
                score = self._search(move, alpha, alpha + 1, depth - 1 - less)
                if score is not None and score > alpha and less:
                    score = self._search(move, alpha, alpha + 1, depth - 1)
                if score is None:
                    return None
            if score is None or alpha < score < high:
                score = self._search(move, alpha, high, depth - 1)
                if score is None:
                    return None
            number += 1
            if score > best:
                best, alpha = score, max(alpha, score)
                if score > low:
                    self._choose(move)
                if score >= high:
                    break
        if not number:  # everything near loses: look further away
            return self._search_distant(depth, low, high)
        return best

    def _search_distant(self, depth: int, low: int, high: int) -> int | None:
        best = -WIN
        for move in self.legal:
            if not self._is_proven(move):
                score = self._search(move, low, high, depth - 1)
                if score is None:
                    return None
                best = max(best, score)
        return best

    def _choose(self, move: int) -> None:
        """Note the best move so far, which is to be tried first from now on."""
        self._chosen = move
        self._order.remove(move)
        self._order.insert(0, move)

    def _promising(self) -> list[int]:
        """The moves near stones that are not proven to lose, the best first."""
        moves = [move for move in self._order if not self._is_lost(move)]
        best = self.best
        return sorted(moves, key=lambda move: move != best)

    def _reduction(self, depth: int, number: int, move: int) -> int:
        """How much less deep a late move is searched at first."""
        if depth < 2 or number < _UNREDUCED or self.space.class_of(move, self.side) >= A_FOUR:
            return 0
        less = reductions()[min(depth, REDUCTION_DEPTHS - 1), min(number, REDUCTION_MOVES - 1)]
        return max(0, int(less) - 1 - self._is_tactical(move))

    def _is_tactical(self, move: int) -> bool:
        own, other = (self.space.class_of(move, side) for side in (self.side, 1 - self.side))
        return own >= AN_OPEN_THREE or other >= A_FOUR

    def _is_lost(self, move: int) -> bool:
        return move in self.known and self.known[move].is_loss

    def _is_proven(self, move: int) -> bool:
        known = self.known.get(move)
        return known is not None and (known.is_win or known.is_loss)

    def _search(self, move: int, low: int, high: int, depth: int) -> int | None:
        """The score of a move by a search ``depth`` plies beyond it; ``None`` if stopped."""
        space, side = self.space, self.side
        if move in self._fives:
            self.known[move] = Known(WIN - 1, WIN - 1, "exact", depth, (move,))
            return WIN - 1
        with space.stone(move, side):
            result = space.think(1 - side, -high, -low, depth, 1)
            if result is None:
                return None
            line = (move, *self._line(depth)) if -result > low else (move,)
        score = -result
        before = self.known.get(move)
        bound: ScoreBound = "upper" if score <= low else "lower" if score >= high else "exact"
        if bound == "upper" and before is not None:
            line = before.line
        estimate = score if bound != "upper" or before is None else before.estimate
        self.known[move] = Known(estimate, score, bound, depth + 1, line)
        return score

    def _line(self, depth: int) -> list[int]:
        """The best line in the table from the position of the space, at most ``depth`` plies."""
        space, side, line = self.space, 1 - self.side, list[int]()
        while len(line) < depth:
            move = space.remembered(side)
            if move < 0 or space.cells_of(side, FIVES):
                break
            space.place(move, side)
            line.append(move)
            side = 1 - side
        for _ in line:
            space.take_back()
        return line

    # --------------------------------------------------------------------------- proofs

    def find_fours(self, nodes: int) -> bool:
        """Look for a win by fours; the shortest is kept."""
        plies, move = self.space.shortest_fours(self.side, nodes)
        if plies:
            self._learn_win(move, only_fours=True)
        return bool(plies)

    def find_threats(self) -> bool:
        """Look for a win by threats within the limits of the space."""
        if not self.space.prove(self.side):
            return False
        plies, move = self.space.fours(self.side, 20_000)
        self._learn_win(move if plies else self.space.proven_move, only_fours=bool(plies))
        return True

    def _learn_win(self, move: int, only_fours: bool) -> None:
        proof = self._proof(self.side, only_fours)
        if proof is not None:
            move = proof.move
        line = (move,) if proof is None else proof.line
        plies = WIN - PROVEN - 1 if proof is None else proof.plies
        self.known[move] = Known(WIN - plies, WIN - plies, "exact", 0, line)
        self._chosen = move

    def refute(self, move: int, whole: bool = True) -> bool | None:
        """Whether the other side wins by threats after ``move``; then it is known to lose.

        ``None`` if the search was stopped before that. A move that makes a four is not asked about.
        Without ``whole`` no tree is built, which takes most of the time: neither the line nor the
        distance are known then.
        """
        other = 1 - self.side
        with self.space.stone(move, self.side):
            if self.space.cells_of(self.side, FIVES):
                return False
            lost = self.space.prove(other, extra=move if self.threat else None)
            if not lost:
                return lost
            winner = self.space.proven_move
            proof = self._proof(other, only_fours=False) if whole else None
        if not self._is_lost(move):
            line = (move,) if proof is None else (move, *proof.line)
            plies = WIN - PROVEN - 1 if proof is None else proof.plies + 1
            self.known[move] = Known(plies - WIN, plies - WIN, "exact", 0, line)
        if self.threat:
            self._spread(winner, move)
        return True

    def _spread(self, winner: int, move: int) -> None:
        """Prove that ``winner``, which wins after ``move``, also wins if this side passes.

        It is then tried early after all other moves.
        """
        if winner in self._winners or winner not in self._rank:
            return
        self._winners.add(winner)
        other = 1 - self.side
        with self.space.stone(winner, other), self.space.allowing(_SPREAD_NODES):
            self.space.prove(other, attacking=False, extra=move)

    def find_threat(self, nodes: int) -> None:
        """Note how the other side would win if this side passed, by threats that it has now."""
        other = 1 - self.side
        plies, move = self.space.shortest_fours(other, nodes)
        if not plies:
            if not self.space.prove(other):
                return
            move = self.space.proven_move
        self._winners.add(move)
        proof = self._proof(other, only_fours=bool(plies))
        self.threat = (move,) if proof is None else proof.line

    def _proof(self, side: int, only_fours: bool) -> Proof | None:
        """The tree of a win that was found; ``None`` if it is too large to build now."""
        builder = ProofBuilder(
            self.space, side, only_fours=only_fours, most_positions=_PROOF_POSITIONS
        )
        try:
            return builder.build()
        except NotProvenError:
            return None
