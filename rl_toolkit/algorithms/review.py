"""Review a game: which moves were good, and where it was lost.

`review` has an engine analyse every position of a game. With an exact engine the verdict is exact:
a move either keeps the result of best play or throws it away. Where the engine scores moves in the
game's own unit (discs in Reversi), the review also says how much each move lost, and whether that
is proven or an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rl_toolkit.analysis import OUTCOMES, Analysis, Candidate, Engine, Limit, Outcome
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import GameRecord


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
        value_lost: by how much the expected result fell, from 0 to 2.
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
    """The verdicts on all moves of a game, and who won it."""

    moves: tuple[MoveReview, ...]
    winner: int | None

    def accuracy(self, player: int) -> float | None:
        """The share of the player's moves that kept the result, from 0 to 1; ``None`` if no moves.

        A move without a proof counts as one minus the estimated loss.
        """
        made = self._of(player)
        if not made:
            return None
        kept = (0.0 if move.threw_away else 1.0 - _estimated_loss(move) for move in made)
        return sum(kept) / len(made)

    def score_lost(self, player: int, *, proven: bool) -> float | None:
        """The total score the player's moves lost, proven or estimated; ``None`` if unknown.

        Proven losses and estimates are never added up.
        """
        lost = [move.score_lost for move in self._of(player) if move.score_proven == proven]
        known = [score for score in lost if score is not None]
        return sum(known) if known else None

    def costliest(self, player: int | None = None) -> MoveReview | None:
        """The move that lost the most; ``None`` if no move lost anything."""
        moves = self.moves if player is None else self._of(player)
        worst = max(moves, key=lambda move: move.score_lost or 0.0, default=None)
        return worst if worst is not None and worst.score_lost else None

    def _of(self, player: int) -> list[MoveReview]:
        return [move for move in self.moves if move.player == player]


def review(
    game: BaseGameEnv | GameRecord,
    engine: Engine,
    limit: Limit | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Review every move of a game, calling ``on_progress(done, moves)`` after each.

    ``limit`` applies to each position. The engine must analyse every legal move.
    """
    end = game.replay() if isinstance(game, GameRecord) else game
    moves: list[MoveReview] = []
    for move in review_moves(end, engine, limit):
        moves.append(move)
        if on_progress is not None:
            on_progress(move.number, len(end.history))
    return Review(tuple(moves), end.winner)


def review_moves(
    game: BaseGameEnv, engine: Engine, limit: Limit | None = None
) -> Iterator[MoveReview]:
    """Yield the verdict on each move in order, as soon as the engine has analysed it."""
    position, played = game.copy(), game.history
    for _ in played:
        position.undo()
    for number, move in enumerate(played, 1):
        yield review_move(position, move, engine.analyse(position, limit), number)
        position.step(move)


def review_move(env: BaseGameEnv, move: int, analysis: Analysis, number: int) -> MoveReview:
    """The verdict on one move, given an analysis of the position in which it was played.

    `ValueError` if the analysis does not cover the move.
    """
    played = next((c for c in analysis.candidates if c.move == move), None)
    if played is None:
        raise ValueError(f"the analysis does not cover {env.move_name(move)}")
    best = analysis.candidates[0]
    return MoveReview(
        number=number,
        player=analysis.player,
        move=move,
        name=played.name,
        best=tuple(c.name for c in analysis.candidates if _rating(c) == _rating(best)),
        before=best.outcome if best.proven else None,
        after=played.outcome if played.proven else None,
        score_before=best.exact_score,
        score_after=played.exact_score,
        score_proven=best.proven and played.proven,
        value_lost=max(0.0, best.value - played.value),
    )


def _rating(candidate: Candidate) -> tuple[float, float]:
    """Value and score: candidates equal in both are equally good."""
    return candidate.value, candidate.exact_score or 0.0


def _estimated_loss(move: MoveReview) -> float:
    """The estimated share of the result that an unproven move lost, from 0 to 1."""
    proven = move.before is not None and move.after is not None
    return 0.0 if proven else min(1.0, move.value_lost / 2)
