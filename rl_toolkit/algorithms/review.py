"""A finished game looked back on: which moves were good, and where it was lost.

`review` asks an engine about every position of a game. With an exact engine the answer is the
truth: a move either keeps the result that best play gives, or throws it away.
"""

from __future__ import annotations

from collections.abc import Callable
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
        score_before, score_after: the same as scores, where the engine has them.
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
    value_lost: float

    @property
    def is_best(self) -> bool:
        """Whether no move was better."""
        return self.name in self.best

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
        made = [move for move in self.moves if move.player == player]
        if not made:
            return None
        kept = (0.0 if move.threw_away else 1.0 - _doubt(move) for move in made)
        return sum(kept) / len(made)

    def lost_at(self, player: int) -> MoveReview | None:
        """The player's last move that threw a result away; ``None`` if there is none."""
        thrown = [move for move in self.moves if move.player == player and move.threw_away]
        return thrown[-1] if thrown else None


def review(
    game: BaseGameEnv | GameRecord,
    engine: Engine,
    limit: Limit | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Look at every move of a game; ``on_progress(done, moves)`` after each.

    ``limit`` holds for each position. The engine must analyse every legal move.
    """
    end = game.replay() if isinstance(game, GameRecord) else game.copy()
    played = end.history
    position = end.copy()
    for _ in played:
        position.undo()
    moves: list[MoveReview] = []
    for number, move in enumerate(played, 1):
        analysis = engine.analyse(position, limit)
        moves.append(review_move(position, move, analysis, number))
        position.step(move)
        if on_progress is not None:
            on_progress(number, len(played))
    return Review(tuple(moves), end.winner)


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
        score_before=best.score,
        score_after=played.score,
        value_lost=max(0.0, best.value - played.value),
    )


def _worth(candidate: Candidate) -> tuple[float, float]:
    """What makes candidates equal: value, and score where there is one."""
    return candidate.value, 0.0 if candidate.score is None else candidate.score


def _doubt(move: MoveReview) -> float:
    """What a move seems to have lost where nothing is proven, from 0 to 1."""
    proven = move.before is not None and move.after is not None
    return 0.0 if proven else min(1.0, move.value_lost / 2)
