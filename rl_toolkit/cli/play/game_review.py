"""After a game: how well each side played, where it turned, and in Reversi how many discs it cost.

What is proven is told as a fact, what is estimated as an estimate.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import click

from rl_toolkit.algorithms.review import MoveReview, Review, review_moves
from rl_toolkit.analysis import Analysis, Engine, Limit, ProgressCallback, StopSignal
from rl_toolkit.cli.ui.progress import WorkBar
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.players import Player
from rl_toolkit.players._advice import reviewer
from rl_toolkit.utils.messages import counted

SIDES = {1: "X", -1: "O"}
#: Looking back is shown when it takes longer than this.
_PATIENCE = 0.5


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
    """The game of ``env`` looked back on; ``None`` where nobody can judge it."""
    player = reviewer(env)
    if player is None or not env.history:
        return None
    try:
        return look_back(env, player, screen, interrupts)
    except click.ClickException as problem:  # a game that is over has not failed for that
        screen.tell(f"Nobody looks back on this game: {problem.message}.", "dim")
        return None


def look_back(
    env: BaseGameEnv,
    player: Player,
    screen: Screen,
    interrupts: Interrupts,
    limit: Limit | None = None,
) -> Review:
    """All moves of the game as ``player`` sees them; after Ctrl-C those looked at by then."""
    heard, moves = interrupts.heard, list[MoveReview]()
    watched, total = _Watched(player, screen, interrupts), len(env.history)
    begun, bar = time.perf_counter(), None
    with ExitStack() as shown:
        for move in review_moves(env, watched, limit):
            if interrupts.heard > heard:  # what was cut short is no judgement
                screen.tell(f"Stopped: {len(moves)} of {total} moves were looked at.", "dim")
                break
            moves.append(move)
            if bar is None and time.perf_counter() - begun > _PATIENCE:
                bar = shown.enter_context(WorkBar(screen))
            if bar is not None:
                bar.hear("moves looked back on (Ctrl-C: enough)", len(moves), total)
    return Review(tuple(moves), env.winner)


def review_lines(
    looked_back: Review, resigned: int | None = None, *, in_discs: bool = False
) -> Iterator[str]:
    """How each side played, then every move that changed the result.

    ``resigned`` is who gave up; ``in_discs`` tells that scores count discs.
    """
    moves = looked_back.moves
    if not moves:
        return
    if in_discs:
        yield from _discs(looked_back)
    if not in_discs or all(move.score_proven for move in moves):
        yield _accuracy(looked_back)
    turns = [move for move in moves if move.threw_away]
    for move in turns:
        yield _turn(move)
    ending = "" if resigned is None else _resignation(moves[-1], resigned)
    known = all(move.before and move.after for move in moves)
    nothing = "No move changed the result" if known and not turns else ""
    if said := "; ".join(filter(None, (nothing, ending))):
        yield f"{said}."


def counts_discs(env: BaseGameEnv) -> bool:
    """Whether scores of this game are discs."""
    return isinstance(env, Reversi)


def _accuracy(looked_back: Review) -> str:
    shares = ((side, looked_back.accuracy(player)) for player, side in SIDES.items())
    parts = (f"{side} {100 * share:.0f} %" for side, share in shares if share is not None)
    return f"Accuracy (moves that kept the result): {', '.join(parts)}"


def _discs(looked_back: Review) -> Iterator[str]:
    """What each side lost in discs, and its costliest move."""
    for player, side in SIDES.items():
        guessed = looked_back.score_lost(player, proven=False)
        proven = looked_back.score_lost(player, proven=True)
        parts = []
        if guessed is not None:
            parts.append(f"about {_discs_in_words(guessed)} by estimate")
        if proven is not None:
            when = "near the end, proven" if parts else "(proven)"
            parts.append(f"{_discs_in_words(proven)} {when}")
        if parts:
            yield f"{side} lost {', '.join(parts)}."
        worst = looked_back.costliest(player)
        if worst is not None and discs_lost(worst):
            yield f"  Costliest: {_costly(worst)}."


def _discs_in_words(lost: float) -> str:
    return counted(round(lost), "disc")


def discs_lost(move: MoveReview) -> int | None:
    """What a move lost in whole discs; ``None`` where nobody counted them."""
    return None if move.score_lost is None else round(move.score_lost)


def _costly(move: MoveReview) -> str:
    """``move 37, c7, lost 12 discs; better was a1``; an estimate says that it is one."""
    lost, better = _discs_in_words(move.score_lost or 0.0), " or ".join(move.best)
    if not move.score_proven:
        lost = f"about {lost} by estimate"
    return f"move {move.number}, {move.name}, lost {lost}; better was {better}"


def _resignation(last: MoveReview, resigned: int) -> str:
    """What was given up, as far as it is known from the last move."""
    if last.after is None:
        return f"{SIDES[resigned]} resigned"
    outcome = last.after
    if last.player != resigned and outcome != "draw":
        outcome = "loss" if outcome == "win" else "win"
    position = {"win": "won", "draw": "drawn", "loss": "lost"}[outcome]
    return f"{SIDES[resigned]} resigned a {position} position"


def _turn(move: MoveReview) -> str:
    best = " or ".join(move.best)
    thrown = {"win": "a win", "draw": "a draw", "loss": "a loss"}
    before, after = thrown[move.before or "draw"], thrown[move.after or "draw"]
    return (
        f"Move {move.number}: {SIDES[move.player]} played {move.name} and turned {before} into "
        f"{after}; better was {best}."
    )
