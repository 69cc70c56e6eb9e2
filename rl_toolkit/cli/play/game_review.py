"""The review after a game: accuracy, the moves that changed the result, in Reversi the discs lost.

Proven results are stated as facts, estimates as estimates.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import click

from rl_toolkit.algorithms import PIECES_FOR_NOTHING, MoveReview, Review, review_moves
from rl_toolkit.analysis import Analysis, Limit, ProgressCallback, StopSignal
from rl_toolkit.cli.play.sides import SIDES
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.envs import BaseGameEnv, GameTraits
from rl_toolkit.explain import better_than, cost_of, course_of, discs_lost, is_slip
from rl_toolkit.players import Player
from rl_toolkit.players.advisers import reviewer
from rl_toolkit.utils import counted

#: What a side with an accuracy of 0 lost, in games that do not count pieces.
_AT_RANDOM = "as much as random moves"
#: Seconds after which a progress bar is shown.
_PATIENCE = 0.5


def review_game(env: BaseGameEnv, screen: Screen, interrupts: Interrupts) -> Review | None:
    """The review of the game of ``env``; ``None`` where no engine can review it."""
    player = reviewer(env)
    if player is None or not env.history:
        return None
    try:
        return review_with(env, player, screen, interrupts)
    except click.ClickException as problem:  # the game itself has not failed
        screen.tell(f"This game cannot be reviewed: {problem.message}.", "dim")
        return None


def review_with(
    env: BaseGameEnv,
    player: Player,
    screen: Screen,
    interrupts: Interrupts,
    limit: Limit | None = None,
    opening: int = 0,
) -> Review:
    """All moves after the opening reviewed by ``player``; after Ctrl-C those reviewed by then."""
    moves = list[MoveReview]()
    total, begun, bar = len(env.history) - opening, time.perf_counter(), None
    with ExitStack() as shown:
        try:
            for move in review_moves(env, _Stoppable(player, screen, interrupts), limit, opening):
                moves.append(move)
                if bar is None and time.perf_counter() - begun > _PATIENCE:
                    bar = shown.enter_context(ProgressReporter(screen))
                if bar is not None:
                    bar.update("moves reviewed (Ctrl-C to stop)", len(moves), total)
        except _StoppedError:
            screen.tell(f"Stopped: {len(moves)} of {total} moves were reviewed.", "dim")
    return Review(tuple(moves), env.winner, bool(env.traits.score_unit))


class _StoppedError(Exception):
    """Ctrl-C was pressed during a search."""


class _Stoppable:
    """An engine that Ctrl-C stops: a search that was cut short does not count."""

    def __init__(self, player: Player, screen: Screen, interrupts: Interrupts) -> None:
        self.name = player.name
        self._player, self._screen, self._interrupts = player, screen, interrupts
        self._heard = interrupts.heard

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        # No picture: the bar shows how far the review is.
        analysis = think(self._player, env, self._screen, limit=limit, interrupts=self._interrupts)
        if self._interrupts.heard > self._heard:
            raise _StoppedError
        return analysis


def review_lines(
    reviewed: Review,
    traits: GameTraits,
    resigned: int | None = None,
    *,
    sides: Mapping[int, str] = SIDES,
) -> Iterator[str]:
    """The accuracy of each side, then every move that changed the result or how soon it came.

    ``traits`` are those of the game; ``resigned`` is the player who resigned; ``sides`` names the
    players.
    """
    moves, in_discs = reviewed.moves, bool(traits.score_unit)
    if not moves:
        return
    if in_discs:
        yield from _discs(reviewed, traits, sides)
    if shares := ", ".join(_accuracies(reviewed, sides)):
        least = f"{PIECES_FOR_NOTHING} {traits.score_unit}s a move" if in_discs else _AT_RANDOM
        yield f"Accuracy: {shares} (100 % lost nothing, 0 % lost {least})"
    yield from _without_accuracy(reviewed, sides)
    turns = [move for move in moves if move.threw_away]
    for move in moves:
        if move.threw_away or is_slip(move, traits):
            who = sides[move.player]
            yield f"Move {move.number}: {who} played {move.name}: {_told(move, traits)}"
    if (course := course_of(moves, traits)) is not None:
        yield course.text
    ending = "" if resigned is None else _resignation(moves[-1], resigned, sides)
    known = all(move.before and move.after for move in moves)
    nothing = "No move changed the result" if known and not turns else ""
    if sentence := "; ".join(filter(None, (nothing, ending))):
        yield f"{sentence}."


def _accuracies(reviewed: Review, sides: Mapping[int, str]) -> Iterator[str]:
    """``X 100 %``, ``O ≈ 62 %`` where some moves were only estimated."""
    for player, side in sides.items():
        share = reviewed.accuracy(player)
        if share is not None:
            about = "" if reviewed.accuracy_is_proven(player) else "≈ "
            yield f"{side} {about}{100 * share:.0f} %"


def _without_accuracy(reviewed: Review, sides: Mapping[int, str]) -> Iterator[str]:
    """Why a side has no accuracy: a sentence for each such side."""
    for player, side in sides.items():
        if reviewed.accuracy(player) is None:
            why = "none of its moves could lose anything"
            if reviewed.counts_pieces:
                why = "it had no choice, or what its moves lost is not known"
            if not any(move.player == player for move in reviewed.moves):
                why = "it made no move"
            yield f"{side} has no accuracy: {why}."


def _discs(reviewed: Review, traits: GameTraits, sides: Mapping[int, str]) -> Iterator[str]:
    """The discs that each side lost, and its costliest move."""
    for player, side in sides.items():
        guessed = reviewed.score_lost(player, proven=False)
        proven = reviewed.score_lost(player, proven=True)
        parts = []
        if guessed is not None:
            parts.append(f"about {_discs_in_words(guessed)} by estimate")
        if proven is not None:
            when = "near the end, proven" if parts else "(proven)"
            parts.append(f"{_discs_in_words(proven)} {when}")
        if parts:
            yield f"{side} lost {', '.join(parts)}."
        worst = reviewed.costliest(player)
        if worst is not None and discs_lost(worst, traits):
            yield f"  Costliest: move {worst.number}, {worst.name}: {_told(worst, traits)}"


def _discs_in_words(lost: float) -> str:
    return counted(round(lost), "disc")


def _told(move: MoveReview, traits: GameTraits) -> str:
    """What the move lost and what was better, as on the page."""
    return " ".join(filter(None, (f"{cost_of(move, traits)}.", better_than(move, traits))))


def _resignation(last: MoveReview, resigned: int, sides: Mapping[int, str]) -> str:
    """What the resigned position was worth, as far as the last move tells."""
    if last.after is None:
        return f"{sides[resigned]} resigned"
    outcome = last.after
    if last.player != resigned and outcome != "draw":
        outcome = "loss" if outcome == "win" else "win"
    position = {"win": "won", "draw": "drawn", "loss": "lost"}[outcome]
    return f"{sides[resigned]} resigned a {position} position"
