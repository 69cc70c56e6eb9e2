"""A finished game looked back on: which moves were good, and where it was lost.

`review` asks an engine about every position of a game. With an exact engine the answer is the
truth: a move either keeps the result that best play gives, or throws it away. Where the engine
counts in the game's own measure (discs in Reversi), it is told how much of that each move lost,
and whether that is proven or an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rl_toolkit.analysis import OUTCOMES, Analysis, Candidate, Engine, Limit, Outcome
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import GameRecord


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move of a game, as an engine sees it; everything is for the player who made it.

    Attributes:
        number: which move of the game it was, from 1.
        player: who made it; ``move`` and ``name`` are what was played.
        best: the candidates that were best, the played one among them if it was.
        before: what the best move would have kept; ``after``: what the move left. ``None`` where
            the engine proved nothing.
        score_before, score_after: the same as scores, where the engine has them; ``score_proven``
            tells whether both are proven, or only estimates.
        value_lost: how much the expected result fell, from 0 to 2.
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
    """All moves of a game, and what they come to."""

    moves: tuple[MoveReview, ...]
    winner: int | None

    def accuracy(self, player: int) -> float | None:
        """The share of the player's moves that kept the result, from 0 to 1; ``None`` if no moves.

        Moves about which nothing is proven count by how much they seem to have lost.
        """
        made = self._of(player)
        if not made:
            return None
        kept = (0.0 if move.threw_away else 1.0 - _doubt(move) for move in made)
        return sum(kept) / len(made)

    def score_lost(self, player: int, *, proven: bool) -> float | None:
        """What the player's moves lost in all, as proven or as estimated; ``None`` if not known.

        The two are never added up: one is the truth, the other is not.
        """
        lost = [move.score_lost for move in self._of(player) if move.score_proven == proven]
        known = [score for score in lost if score is not None]
        return sum(known) if known else None

    def costliest(self, player: int | None = None) -> MoveReview | None:
        """The move that lost most of the score; ``None`` if none lost anything."""
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
    """Look at every move of a game; ``on_progress(done, moves)`` after each.

    ``limit`` holds for each position. The engine must analyse every legal move.
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
    """The moves of a game one after the other, each as soon as the engine has looked at it."""
    position, played = game.copy(), game.history
    for _ in played:
        position.undo()
    for number, move in enumerate(played, 1):
        yield review_move(position, move, engine.analyse(position, limit), number)
        position.step(move)


def review_move(env: BaseGameEnv, move: int, analysis: Analysis, number: int) -> MoveReview:
    """One move, given an analysis of the position in which it was made."""
    played = next((c for c in analysis.candidates if c.move == move), None)
    if played is None:
        raise ValueError(f"the analysis says nothing of {env.move_name(move)}")
    best = analysis.candidates[0]
    return MoveReview(
        number=number,
        player=analysis.player,
        move=move,
        name=played.name,
        best=tuple(c.name for c in analysis.candidates if _worth(c) == _worth(best)),
        before=best.outcome if best.proven else None,
        after=played.outcome if played.proven else None,
        score_before=best.exact_score,
        score_after=played.exact_score,
        score_proven=best.proven and played.proven,
        value_lost=max(0.0, best.value - played.value),
    )


def _worth(candidate: Candidate) -> tuple[float, float]:
    """What makes candidates equal: value, and score where there is one."""
    return candidate.value, candidate.exact_score or 0.0


def _doubt(move: MoveReview) -> float:
    """What a move seems to have lost where nothing is proven, from 0 to 1."""
    proven = move.before is not None and move.after is not None
    return 0.0 if proven else min(1.0, move.value_lost / 2)
