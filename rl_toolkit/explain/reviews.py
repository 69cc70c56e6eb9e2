"""What a move of a reviewed game lost, and which move was better: the same words everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rl_toolkit.algorithms import MoveReview
from rl_toolkit.analysis import Candidate, Outcome, ScoreBound, words_for
from rl_toolkit.envs import GameTraits
from rl_toolkit.utils import counted, listed

#: So many equally good moves are named, the others counted.
_NAMED = 6

#: The expected result from which a side counts as ahead for good, where nothing is proven.
_AHEAD = 0.5

#: A result with best play, as what a game was and what it became.
_WAS = {"win": "a won game", "draw": "a drawn game", "loss": "a lost game"}
_OTHER: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}
_OTHER_BOUND: dict[ScoreBound, ScoreBound] = {"exact": "exact", "lower": "upper", "upper": "lower"}
_BECAME = {"win": "won", "draw": "a draw", "loss": "lost"}


def seen_after(played: Candidate) -> Candidate:
    """A move's evaluation once it has been played: for the other side, and one ply nearer the end.

    >>> seen_after(Candidate(3, "d", 1.0, "win", proven=True, distance=39)).distance
    38
    """
    value, outcome, distance, score = played.value, played.outcome, played.distance, played.score
    return replace(
        played,
        value=None if value is None else 0.0 - value,
        outcome=None if outcome is None else _OTHER[outcome],
        distance=None if distance is None else distance - 1,
        score=None if score is None else 0.0 - score,
        score_bound=_OTHER_BOUND[played.score_bound],
        line=played.line[1:],
    )


def discs_lost(move: MoveReview, traits: GameTraits) -> int | None:
    """The whole pieces that a move lost; ``None`` where they are not known or do not count."""
    if not traits.score_unit or move.score_lost is None:
        return None
    return round(move.score_lost)


def moves_lost(move: MoveReview, traits: GameTraits) -> tuple[int, int] | None:
    """The winner's moves to the end after the best move and after the one played, if that is worse.

    A loss that comes sooner, or a win that comes later; ``None`` for any other move, and in games
    that count pieces.
    """
    best, played = move.best_candidate, move.played_candidate
    if move.is_best or best is None or played is None or move.before != move.after:
        return None
    words = words_for(traits)
    could, did = words.moves_to_end(best), words.moves_to_end(played)
    if could is None or did is None:
        return None
    return (could, did) if (did > could if move.after == "win" else did < could) else None


def is_slip(move: MoveReview, traits: GameTraits) -> bool:
    """Whether a move kept the result and yet lost moves enough to speak of.

    Four of the winner's moves, or two if the game is then twice or half as long.
    """
    moves = moves_lost(move, traits)
    if moves is None:
        return False
    few, many = sorted(moves)
    return many - few >= 4 or (many - few >= 2 and many >= 2 * few)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a move that kept the result changed the length of the game.

    ``before`` and ``after`` are the winner's moves to the end after the best move and after this.
    """

    kind: Literal["hastened", "delayed"]
    before: int
    after: int

    @property
    def text(self) -> str:
        """``hastened the loss, 16 → 2 moves`` or ``slower win, 3 → 5 moves``."""
        what = "hastened the loss" if self.kind == "hastened" else "slower win"
        return f"{what}, {self.before} → {counted(self.after)}"


def pace_of(move: MoveReview, traits: GameTraits) -> Pace | None:
    """By how much a move made a loss come sooner or a win later; ``None`` if not, or by little."""
    return _pace(move, traits) if is_slip(move, traits) else None


def _pace(move: MoveReview, traits: GameTraits) -> Pace | None:
    moves = moves_lost(move, traits)
    if moves is None:
        return None
    return Pace("hastened" if move.after == "loss" else "delayed", *moves)


@dataclass(frozen=True, slots=True)
class Moment:
    """A move on which much depended: its number, and a sentence about it."""

    number: int
    text: str
    proven: bool = True


@dataclass(frozen=True, slots=True)
class Course:
    """Where a game was decided: numbers of moves, ``None`` where there is no such move.

    Attributes:
        turned_on: the last move that changed the result with best play.
        over_at: the loser's move after which the winner needed at most three moves more.
    """

    turned_on: int | None
    over_at: int | None

    @property
    def text(self) -> str:
        """The sentence: ``It turned on move 1; it was over at move 5``."""
        parts = [
            f"it turned on move {self.turned_on}" if self.turned_on else "",
            f"it was over at move {self.over_at}" if self.over_at else "",
        ]
        text = "; ".join(filter(None, parts))
        return f"{text[0].upper()}{text[1:]}."


def course_of(moves: Sequence[MoveReview], traits: GameTraits) -> Course | None:
    """Where a game turned and where it was over; ``None`` if it did neither, or if nobody knows.

    Nothing is said of a turn before moves whose results are not proven.
    """
    turned = next((move for move in reversed(moves) if move.threw_away), None)
    later = moves if turned is None else moves[moves.index(turned) + 1 :]
    if any(None in (move.before, move.after) for move in later):
        return None
    over = next((move for move in later if _is_the_end(move, traits)), None)
    if turned is None and over is None:
        return None
    return Course(*(None if move is None else move.number for move in (turned, over)))


def turned_on(moves: Sequence[MoveReview], traits: GameTraits, winner: int | None) -> Moment | None:
    """The move on which a game turned; ``None`` if it did not, or if that cannot be said.

    It is the last move that changed the result with best play. Where results are not proven, and
    one side has won, it is the first move after which the values favour the ``winner`` to the end.
    A game that was resigned or lost on time without being lost turned at its end.
    """
    if (end := _given_up(moves, traits, winner)) is not None:
        return end
    course = course_of(moves, traits)
    if course is not None and course.turned_on is not None:
        move = next(move for move in moves if move.number == course.turned_on)
        assert move.before is not None
        assert move.after is not None
        cost = f"{_WAS[move.before]} became {_BECAME[move.after]}"
        return Moment(move.number, f"It turned on move {move.number} ({move.name}): {cost}.")
    if course is not None or not winner or all(None not in (m.before, m.after) for m in moves):
        return None
    first = len(moves)
    while first > 0 and _favours(moves[first - 1], winner):
        first -= 1
    if first in (0, len(moves)):
        return None
    return _estimated_turn(moves[first], traits, winner)


def _given_up(moves: Sequence[MoveReview], traits: GameTraits, winner: int | None) -> Moment | None:
    """The end of a game whose loser was proven to draw at least; ``None`` if it was lost."""
    last = moves[-1] if moves else None
    if not winner or last is None or last.after is None:
        return None
    outcome = _OTHER[last.after] if last.player == winner else last.after
    if outcome == "loss":
        return None
    loser = words_for(traits).side(-winner)
    return Moment(last.number, f"It turned at the end: {loser} still had {_WAS[outcome]}.")


def _favours(move: MoveReview, side: int) -> bool:
    """Whether ``side`` is clearly ahead after the move."""
    return _is_ahead(move.played_candidate, move, side)


def _is_ahead(candidate: Candidate | None, move: MoveReview, side: int) -> bool:
    """Whether ``side`` is clearly ahead with a candidate for that move."""
    value = None if candidate is None else candidate.value
    return value is not None and value * move.player * side >= _AHEAD


def _estimated_turn(move: MoveReview, traits: GameTraits, winner: int) -> Moment:
    where = f"move {move.number} ({move.name})"
    text = f"{words_for(traits).side(winner)} was ahead from {where} on"
    if move.player != winner and not _is_ahead(move.best_candidate, move, winner):
        cost = cost_of(move, traits)
        text = f"It turned on {where}" + (f": {cost}" if cost else "")
    return Moment(move.number, f"{text}, by the engine's estimates.", proven=False)


def over_at(
    moves: Sequence[MoveReview], traits: GameTraits, winner: int | None = None
) -> Moment | None:
    """The loser's move after which the end was near, and which moves held out longer.

    ``None`` if there is no such move, or if the ``winner`` was not the one who could then win.
    """
    course = course_of(moves, traits)
    if _given_up(moves, traits, winner) is not None:
        return None
    if course is None or course.over_at is None:
        return None
    move = next(move for move in moves if move.number == course.over_at)
    pace = _pace(move, traits)
    assert pace is not None
    other = words_for(traits).side(-move.player)
    sooner = f"{other} could then win in {counted(pace.after)} instead of {pace.before}"
    text = f"It was over at move {move.number} ({move.name}): {sooner}."
    return Moment(move.number, f"{text} {_named(move)} would have held out longer.")


def _is_the_end(move: MoveReview, traits: GameTraits) -> bool:
    """Whether the move let the winner win within three moves, and a better one would not have."""
    moves = moves_lost(move, traits)
    return move.after == "loss" and is_slip(move, traits) and moves is not None and moves[1] <= 3


def cost_of(move: MoveReview, traits: GameTraits) -> str | None:
    """What a move lost: ``a drawn game became lost``, ``≈ 7 discs lost``; ``None`` if nothing.

    Or moves: ``hastened the loss, 16 → 2 moves``, ``slower win, 3 → 5 moves``.
    """
    if move.is_best:
        return None
    costs, lost = [], discs_lost(move, traits)
    if lost:
        about = "" if move.score_proven else "≈ "
        costs.append(f"{about}{counted(lost, traits.score_unit)} lost")
    if (pace := _pace(move, traits)) is not None:
        costs.append(pace.text)
    before, after = move.before, move.after
    if move.threw_away and before is not None and after is not None:
        costs.append(f"{_WAS[before]} became {_BECAME[after]}")
    if costs:
        return ", ".join(costs)
    best, played = _results(move, traits)
    if not move.value_lost or lost is not None or best == played:
        return None
    return f"{best} became {played}"


def better_than(move: MoveReview, traits: GameTraits) -> str | None:
    """Which moves were better, as a sentence; ``None`` if the move lost nothing.

    ``a1 and c1 were better: a draw instead of a loss in 3 moves.``
    """
    if not move.best or cost_of(move, traits) is None:
        return None
    text = f"{_named(move)} {'was' if len(move.best) == 1 else 'were'} better"
    best, played = _results(move, traits)
    return f"{text}: {best} instead of {played}." if best != played else f"{text}."


def _named(move: MoveReview) -> str:
    """The names of the best moves, the last of many counted."""
    named = list(move.best)
    if len(named) > _NAMED:
        named = [*named[: _NAMED - 1], f"{len(named) - _NAMED + 1} more"]
    return listed(named)


def _results(move: MoveReview, traits: GameTraits) -> tuple[str, str]:
    """The results of the best move and of the one played; empty where they were not kept."""
    if move.best_candidate is None or move.played_candidate is None:
        return "", ""
    words = words_for(traits)
    return words.noun(move.best_candidate), words.noun(move.played_candidate)
