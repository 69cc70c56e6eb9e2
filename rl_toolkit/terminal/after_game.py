"""After a game that can be solved exactly: how well each side played, and where it turned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rl_toolkit.algorithms.review import MoveReview, Review, review
from rl_toolkit.analysis import Analysis, Engine, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.terminal.advice import exact_engine
from rl_toolkit.terminal.screen import Screen
from rl_toolkit.terminal.thinking import Interrupts, think

_SIDES = {1: "X", -1: "O"}


@dataclass(frozen=True, slots=True)
class _Watched:
    """An engine whose thinking shows on the screen and ends with Ctrl-C."""

    engine: Engine
    screen: Screen
    interrupts: Interrupts

    @property
    def name(self) -> str:
        return self.engine.name

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        # On a clock an engine is content with one winning move, and here every move counts.
        return think(self.engine, env, self.screen, limit=limit, interrupts=self.interrupts)


def review_game(env: BaseGameEnv, screen: Screen, interrupts: Interrupts) -> Review | None:
    """The game of ``env`` looked back on; ``None`` where no engine knows the truth about it."""
    engine = exact_engine(env)
    if engine is None or not env.history:
        return None
    return review(env, _Watched(engine, screen, interrupts))


def review_lines(looked_back: Review, resigned: int | None = None) -> Iterator[str]:
    """Accuracy of each side, then every move that changed the result; ``resigned``: who gave up."""
    parts = []
    for player, side in _SIDES.items():
        accuracy = looked_back.accuracy(player)
        if accuracy is not None:
            parts.append(f"{side} {100 * accuracy:.0f} %")
    if parts:
        yield f"Accuracy (moves that kept the result): {', '.join(parts)}"
    turns = [move for move in looked_back.moves if move.threw_away]
    for move in turns:
        yield _turn(move)
    ending = "" if resigned is None else _resignation(looked_back.moves[-1], resigned)
    if turns and ending:
        yield f"{ending}."
    elif not turns:
        yield f"No move changed the result; {ending}." if ending else "No move changed the result."


def _resignation(last: MoveReview, resigned: int) -> str:
    """What was given up, as far as it is known from the last move."""
    if last.after is None:
        return f"{_SIDES[resigned]} resigned"
    outcome = last.after
    if last.player != resigned and outcome != "draw":
        outcome = "loss" if outcome == "win" else "win"
    position = {"win": "won", "draw": "drawn", "loss": "lost"}[outcome]
    return f"{_SIDES[resigned]} resigned a {position} position"


def _turn(move: MoveReview) -> str:
    best = " or ".join(move.best)
    thrown = {"win": "a win", "draw": "a draw", "loss": "a loss"}
    before, after = thrown[move.before or "draw"], thrown[move.after or "draw"]
    return (
        f"Move {move.number}: {_SIDES[move.player]} played {move.name} and turned {before} into "
        f"{after}; better was {best}."
    )
