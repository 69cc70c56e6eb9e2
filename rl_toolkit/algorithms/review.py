"""Review a game: which moves were good, and where it was lost.

`review` has an engine analyse every position of a game. With an exact engine the verdict is exact:
a move either keeps the result of best play or throws it away. Where the engine scores moves in the
game's own unit (discs in Reversi), the review also says how much each move lost, and whether that
is proven or an estimate.

Accuracy
--------
**100 % lost nothing; 0 % lost as much as random moves would have.** Every move is measured in
expected result (a win is 1, a draw ½, a loss 0)::

    lost      what the best move expects − what the played move expects
    at stake  what a random legal move would have lost on average
    accuracy  1 − (sum of lost) / (sum of at stake), at least 0

A move is not counted where all moves are equally good, as it cannot be wrong, nor where the engine
knows nothing of the move played. The sums weigh a move by what was at stake: an even choice among
six winning moves and a losing one counts less than the only move that saves a draw. Proven results
count as they are, estimates as estimated; so an accuracy is as good as the engine that judges.

Where pieces are counted at the end, a game is more than won or lost, and accuracy is in pieces::

    accuracy of a move   1 − (discs lost) / 16, at least 0
    accuracy of a side   1 − (discs lost per move) / 16, at least 0

The moves of a side are those with a choice. As long as no move loses more than 16 discs, the
accuracy of a side is the mean of its moves; so a side that loses fewer discs per move never has the
lower accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rl_toolkit.analysis import (
    OUTCOMES,
    Analysis,
    Candidate,
    Engine,
    Limit,
    Outcome,
    outcome_of,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import GameRecord

#: A move, or the mean move of a side, that loses this many pieces has an accuracy of 0.
PIECES_FOR_NOTHING = 16


@dataclass(frozen=True, slots=True)
class MoveReview:
    """The verdict on one move of a game, from the view of the player who made it.

    Attributes:
        number: the number of the move in the game, from 1.
        player: the player who moved; ``move`` and ``name`` are the move played.
        best: the names of the best moves, including the played one if it was among them.
        before: the outcome after the best move; ``after``: the outcome after the move played.
            ``None`` where the engine proved nothing.
        score_before, score_after: the same as scores, where the engine has them; ``score_proven``
            is True if both are proven, False if they are estimates.
        value_lost: by how much the value fell, from 0 to 2.
        value_at_stake: how much a random legal move would have lost on average; 0 if nothing could
            be lost, or if the engine did not evaluate the move played.
        best_candidate, played_candidate: what the engine said of the best move and of the one
            played.
        has_choice: whether there was more than one legal move.
    """

    number: int
    player: int
    move: int
    name: str
    best: tuple[str, ...]
    before: Outcome | None
    after: Outcome | None
    score_before: float | None
    score_after: float | None
    score_proven: bool
    value_lost: float
    value_at_stake: float = 0.0
    best_candidate: Candidate | None = None
    played_candidate: Candidate | None = None
    has_choice: bool = True

    @property
    def is_best(self) -> bool:
        """Whether no move was better."""
        return self.name in self.best

    @property
    def score_lost(self) -> float | None:
        """How much less than the best move it scores; ``None`` where the engine has no scores."""
        if self.score_before is None or self.score_after is None:
            return None
        return max(0.0, self.score_before - self.score_after)

    @property
    def threw_away(self) -> bool:
        """Whether the move provably gave up a win or a draw."""
        if self.before is None or self.after is None:
            return False
        return OUTCOMES.index(self.after) > OUTCOMES.index(self.before)


@dataclass(frozen=True, slots=True)
class Review:
    """The verdicts on all moves of a game, and who won it.

    ``counts_pieces`` is whether the game counts pieces at the end.
    """

    moves: tuple[MoveReview, ...]
    winner: int | None
    counts_pieces: bool = False

    def accuracy(self, player: int) -> float | None:
        """How well the player moved, from 0 to 1; see above. ``None`` if no move counts.

        1 lost nothing. 0 lost as much as random moves would have, or in games that count pieces
        `PIECES_FOR_NOTHING` a move, or more.
        """
        counted = self._counted(player)
        if not counted:
            return None
        if self.counts_pieces:
            lost = sum(move.score_lost or 0.0 for move in counted) / len(counted)
            return max(0.0, 1.0 - lost / PIECES_FOR_NOTHING)
        lost = sum(move.value_lost for move in counted)
        return max(0.0, 1.0 - lost / sum(move.value_at_stake for move in counted))

    def accuracy_is_proven(self, player: int) -> bool:
        """Whether no estimate is in the accuracy of the player."""
        return all(
            move.score_proven if self.counts_pieces else None not in (move.before, move.after)
            for move in self._counted(player)
        )

    def accuracy_of(self, move: MoveReview) -> float | None:
        """The accuracy of one move, in games that count pieces; ``None`` if it does not count."""
        if not self.counts_pieces or not move.has_choice or move.score_lost is None:
            return None
        return max(0.0, 1.0 - move.score_lost / PIECES_FOR_NOTHING)

    def _counted(self, player: int) -> list[MoveReview]:
        """The moves of the player that count for the accuracy."""
        if self.counts_pieces:
            return [move for move in self._of(player) if self.accuracy_of(move) is not None]
        return [move for move in self._of(player) if move.value_at_stake > 0]

    def score_lost(self, player: int, *, proven: bool) -> float | None:
        """The total score the player's moves lost, proven or estimated; ``None`` if unknown.

        Proven losses and estimates are never added up.
        """
        lost = [move.score_lost for move in self._of(player) if move.score_proven == proven]
        known = [score for score in lost if score is not None]
        return sum(known) if known else None

    def costliest(self, player: int | None = None) -> MoveReview | None:
        """The move that lost the most: pieces where they count, else expected result, then score.

        ``None`` if no move lost anything.
        """
        moves = self.moves if player is None else self._of(player)
        worst = max(moves, key=self._cost, default=None)
        return worst if worst is not None and any(self._cost(worst)) else None

    def _cost(self, move: MoveReview) -> tuple[float, float]:
        score = move.score_lost or 0.0
        return (score, 0.0) if self.counts_pieces else (move.value_lost, score)

    def _of(self, player: int) -> list[MoveReview]:
        return [move for move in self.moves if move.player == player]


def review(
    game: BaseGameEnv | GameRecord,
    engine: Engine,
    limit: Limit | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Review every move of a game, calling ``on_progress(done, moves)`` after each.

    The opening of a record, which no player chose, is left out. ``limit`` applies to each
    position. The engine must analyse every legal move.
    """
    end, opening = (game.replay(), game.opening) if isinstance(game, GameRecord) else (game, 0)
    moves: list[MoveReview] = []
    for move in review_moves(end, engine, limit, opening):
        moves.append(move)
        if on_progress is not None:
            on_progress(move.number, len(end.history))
    return Review(tuple(moves), end.winner, bool(end.traits.score_unit))


def review_moves(
    game: BaseGameEnv, engine: Engine, limit: Limit | None = None, opening: int = 0
) -> Iterator[MoveReview]:
    """Yield the verdict on each move after the opening in order, as soon as it is certain.

    A verdict that the analysis of the next position may change waits for it (`in_hindsight`).
    """
    position, played = game.copy(), game.history
    for _ in played[opening:]:
        position.undo()
    waiting: tuple[BaseGameEnv, int, Analysis] | None = None
    for number, move in enumerate(played[opening:], opening + 1):
        analysis = engine.analyse(position, limit)
        if waiting is not None:
            yield _late_verdict(*waiting, analysis, number - 1)
            waiting = None
        if may_learn(analysis, move):
            waiting = position.copy(), move, analysis
        else:
            yield review_move(position, move, analysis, number)
        position.step(move)
    if waiting is not None:
        over = position.is_terminal()
        later = Analysis.of(position, "", []) if over else engine.analyse(position, limit)
        yield _late_verdict(*waiting, later, len(played))


def _late_verdict(
    env: BaseGameEnv, move: int, analysis: Analysis, later: Analysis, number: int
) -> MoveReview:
    return review_move(env, move, in_hindsight(analysis, move, later), number)


def may_learn(analysis: Analysis, move: int) -> bool:
    """Whether the analysis of the position after ``move`` could say more about it.

    Where there are exact scores, moves are judged by them: an outcome would not replace them.
    """
    played = _candidate(analysis, move)
    if played is None:
        return False
    return played.value is None or not (played.proven or played.exact_score is not None)


def in_hindsight(analysis: Analysis, move: int, later: Analysis) -> Analysis:
    """``analysis`` with what ``later``, the analysis of the position after ``move``, knows of it.

    A search that is one ply too shallow takes a blunder for a good move; the next one sees it, and
    a proof replaces an estimate. An estimate is used only for a move that had none, or that was not
    searched as deep as the best one while ``later`` is: estimates of different depth are not
    compared.
    """
    played = _candidate(analysis, move)
    if played is None or later.value is None or not may_learn(analysis, move):
        return analysis
    if not (later.proven or played.value is None or _looks_deeper(analysis, played, later)):
        return analysis
    value = later.value * later.player * analysis.player + 0.0
    known = replace(played, value=value, note=None)
    if later.proven:
        distance = None if later.distance is None else later.distance + 1
        outcome = outcome_of(value)
        known = replace(known, outcome=outcome, proven=True, distance=distance)
    others = [candidate for candidate in analysis.candidates if candidate is not played]
    behind = sum(each.value is not None and each.value > value for each in others)
    if others and others[0].value is not None and others[0].value >= value:
        behind = max(behind, 1)  # the engine's own choice stays first
    candidates = (*others[:behind], known, *others[behind:])
    best = candidates[0]
    won = best.proven and best.outcome == "win"
    proven = analysis.proven or won or all(candidate.proven for candidate in candidates)
    return replace(
        analysis,
        candidates=candidates,
        value=best.value,
        outcome=best.outcome if proven else None,
        proven=proven,
        distance=best.distance if proven else None,
    )


def _looks_deeper(analysis: Analysis, played: Candidate, later: Analysis) -> bool:
    """Whether ``later`` is as deep as the search of the best move, and that of ``played`` is not.

    An engine that has a score of the best move only did not search the others as deep.
    """
    if analysis.depth is None or later.depth is None:
        return False
    is_shallow = analysis.candidates[0].score is not None and played.score is None
    return is_shallow and later.depth + 1 >= analysis.depth


def review_move(env: BaseGameEnv, move: int, analysis: Analysis, number: int) -> MoveReview:
    """The verdict on one move, given an analysis of the position in which it was played.

    `ValueError` if the analysis does not cover the move.
    """
    played = _candidate(analysis, move)
    if played is None:
        raise ValueError(f"the analysis does not cover {env.move_name(move)}")
    best, good = analysis.candidates[0], analysis.best_moves
    lost = stake = 0.0
    if best.value is not None and played.value is not None:
        known = [c.value for c in analysis.candidates if c.value is not None]
        lost = max(0.0, best.value - played.value)
        stake = sum(max(0.0, best.value - value) for value in known) / len(known)
    return MoveReview(
        number=number,
        player=analysis.player,
        move=move,
        name=played.name,
        best=tuple(c.name for c in analysis.candidates if c.move in good),
        before=best.outcome if best.proven else None,
        after=played.outcome if played.proven else None,
        score_before=best.exact_score,
        score_after=played.exact_score,
        score_proven=best.proven and played.proven,
        value_lost=lost,
        value_at_stake=stake,
        best_candidate=best,
        played_candidate=played,
        has_choice=len(analysis.candidates) > 1,
    )


def _candidate(analysis: Analysis, move: int) -> Candidate | None:
    return next((c for c in analysis.candidates if c.move == move), None)
