"""The one language of numbers: how results and estimates are written on every screen.

==================  ==============================  ========  =================================
known               in a list of moves              a square  with the side's name
==================  ==============================  ========  =================================
a proven win        wins in 3 moves                 W3        Red wins in 3 moves
a proven loss       loses in 2 moves                L2        Yellow wins in 2 moves
a proven draw       draw                            =         A draw with best play
a proven lead       wins by 12 discs                +12       Black wins by 12 discs
an estimated lead   ≈ 3 discs behind                ≈−3       Black ≈ 3 discs behind
an estimate         ≈ 46 %, ≈ 46 ± 9 %              46%       Red ≈ 46 %
one playout         1 visit                         ?         Red: 1 visit
nothing             ?                               ?         Unknown
==================  ==============================  ========  =================================

"Moves" are the winner's own. A percentage is the expected result: a win counts 100 %, a draw 50 %,
a loss 0 %. It is always an estimate, so it always has its ≈; what is proven has no percentage.
Signed numbers are always pieces, in games that count them. Estimates are whole numbers, with
decimals where the best move would otherwise look like a worse one (`words_for` with an analysis).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from rl_toolkit.envs import BaseGameEnv, GameTraits
from rl_toolkit.utils import counted, winner_moves

UNKNOWN = "?"
#: What is said after a single playout, which is a result and not yet an estimate.
ONE_VISIT = "1 visit"

#: The most decimals of an estimate.
_MOST_DIGITS = 6
#: Up to this many decimals, estimates that differ look different as soon as one needs decimals.
_USUAL_DIGITS = 3

#: An interval this wide (in percentage points to either side) is shown beside an estimate.
_SHOWN_UNCERTAINTY = 5

#: Words for an estimate, by the least value they are used for.
_JUDGEMENTS = (
    (0.9, "probably winning"),
    (0.4, "clearly better"),
    (0.1, "slightly better"),
    (-0.1, "about even"),
    (-0.4, "slightly worse"),
    (-0.9, "clearly worse"),
)
_LOWEST = "probably losing"


class Evaluated(Protocol):
    """What can be put into words: a `Candidate`, and whatever else has these fields."""

    @property
    def value(self) -> float | None:
        """Expected result in [−1, 1], ``None`` if unknown."""

    @property
    def outcome(self) -> str | None:
        """``win``, ``draw`` or ``loss``."""

    @property
    def proven(self) -> bool:
        """Whether the outcome is proven."""

    @property
    def distance(self) -> int | None:
        """Plies to the end."""

    @property
    def score(self) -> float | None:
        """The game's own score."""

    @property
    def score_bound(self) -> str:
        """``exact``, ``lower`` or ``upper``."""

    @property
    def visits(self) -> int | None:
        """Visits in a search tree."""


class Compared(Evaluated, Protocol):
    """A move that is compared with others."""

    @property
    def move(self) -> int:
        """The move."""


class Comparison(Protocol):
    """Moves that are compared: an `Analysis`."""

    @property
    def candidates(self) -> Sequence[Compared]:
        """The moves."""

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The best of them."""


class Words:
    """Results and estimates of one game in words; see the table above.

    Everything is from the view of ``player``, who is to move or has just chosen the move.
    ``digits`` is the number of decimals of estimates.

    >>> from rl_toolkit.analysis import Candidate
    >>> from rl_toolkit.envs import ConnectFour
    >>> words = Words(ConnectFour.traits)
    >>> loss = Candidate(3, "d", -1.0, "loss", proven=True, distance=4)
    >>> words.short(loss), words.mark(loss), words.full(loss, 1)
    ('loses in 2 moves', 'L2', 'Yellow wins in 2 moves')
    >>> words.full(Candidate(3, "d", -0.08), 1)
    'Red ≈ 46 %'
    """

    def __init__(self, traits: GameTraits, digits: int = 0) -> None:
        self._traits = traits
        self._digits = digits

    def side(self, player: int) -> str:
        """The name of the player's pieces: ``X``, ``Red``."""
        return self._traits.pieces[player < 0]

    def short(self, what: Evaluated) -> str:
        """The words in a list of moves: ``wins in 3 moves``, ``≈ 46 %``, ``?``."""
        if what.proven and what.outcome is not None:
            verb = {"win": "wins", "draw": "draw", "loss": "loses"}[what.outcome]
            return verb + self._how(what)
        lead = self._estimated_lead(what)
        return lead or estimate(what.value, what.visits, self._digits)

    def full(self, what: Evaluated, player: int) -> str:
        """The same with the name of the side: ``Yellow wins in 2 moves``, ``Red ≈ 46 %``."""
        if what.proven and what.outcome is not None:
            if what.outcome == "draw":
                return "A draw with best play"
            winner = player if what.outcome == "win" else -player
            return f"{self.side(winner)} wins{self._how(what)}"
        text = self.short(what)
        if text == UNKNOWN:
            return "Unknown"
        return f"{self.side(player)}{':' if text == ONE_VISIT else ''} {text}"

    def noun(self, what: Evaluated) -> str:
        """The words as a thing to have: ``a win in 3 moves``, ``a draw``, ``≈ 46 %``."""
        if what.proven and what.outcome is not None:
            return f"a {what.outcome}{self._how(what)}"
        text = self.short(what)
        return "an unknown result" if text in (UNKNOWN, ONE_VISIT) else text

    def mark(self, what: Evaluated) -> str:
        """The few characters that fit into a square: ``W3``, ``=``, ``46%``, ``+12``, ``?``."""
        if what.proven and what.outcome is not None:
            if what.outcome == "draw":
                return "="
            lead = self._lead(what)
            if lead is not None:
                return _BOUNDS[what.score_bound] + _signed(lead)
            return ("W" if what.outcome == "win" else "L") + str(self._moves(what) or "")
        lead = self._lead(what)
        if lead is not None:
            return (_BOUNDS[what.score_bound] or "≈") + _signed(lead)
        if what.value is None or what.visits == 1:
            return UNKNOWN
        return _percent(what.value, self._digits) + ("" if self._digits else "%")  # in little room

    def moves_to_end(self, what: Evaluated) -> int | None:
        """The winner's moves to a proven end, ``None`` if unknown or in games that count pieces."""
        decided = what.proven and what.outcome in ("win", "loss")
        return self._moves(what) if decided else None

    def legend(self) -> tuple[tuple[str, str], ...]:
        """What each phrase and mark means, in the order of the table above."""
        unit = self._traits.score_unit
        pieces = f"{unit}s"
        counts: tuple[tuple[str, str], ...] = ()
        if unit:
            counts = (
                (f"wins by 12 {pieces} · +12", f"Proven: 12 {pieces} more at the end."),
                (f"≈ 3 {pieces} behind · ≈−3", f"Estimate: 3 {pieces} fewer at the end."),
            )
        return (
            (
                "wins in 3 moves · W3",
                "Proven: it wins with its third move at the latest, whatever the opponent does.",
            ),
            (
                "loses in 2 moves · L2",
                "Proven: the opponent can win with its second move from here.",
            ),
            ("draw · =", "Proven: best play by both sides is a draw."),
            *counts,
            (
                "≈ 46 % · 46%",
                "Estimate of the result: a win counts 100 %, a draw 50 %, a loss 0 %.",
            ),
            ("≈ 46 ± 9 %", "Few visits: the estimate may be off by about 9."),
            ("≈ 57 to 100 %", "Few visits, nearly all won or lost: the result is likely in there."),
            ("1 visit", "A single playout: nothing can be said of the result yet."),
            ("?", "Unknown: this move was not searched, or only once."),
            ("solved", "In a search tree: proven, so it needs no more visits."),
            ("⭐", "The best move; all equally good moves have it."),
        )

    def _how(self, what: Evaluated) -> str:
        """`` in 3 moves``, `` by 12 discs``, or nothing if neither is known."""
        if what.outcome == "draw":
            return ""
        lead = self._lead(what)
        if lead is not None:
            margin = lead if what.outcome == "win" else -lead
            if margin <= 0:
                return ""
            at_least = (what.score_bound == "lower") == (what.outcome == "win")
            bound = "" if what.score_bound == "exact" else f"at {'least' if at_least else 'most'} "
            return f" by {bound}{self._pieces(margin)}"
        moves = self._moves(what)
        return f" in {counted(moves)}" if moves else ""

    def _estimated_lead(self, what: Evaluated) -> str | None:
        lead = self._lead(what)
        if lead is None:
            return None
        how = f"{self._pieces(abs(lead))} {'ahead' if lead > 0 else 'behind'}"
        if what.score_bound == "exact":
            return f"≈ {how}" if lead else "≈ level"
        lower = what.score_bound == "lower"
        if not lead:
            return f"≈ level at {'worst' if lower else 'best'}"
        return f"≈ at {'least' if lower == (lead > 0) else 'most'} {how}"

    def _moves(self, what: Evaluated) -> int | None:
        """The moves that the winner makes, ``None`` if unknown or in games that count pieces."""
        if self._traits.score_unit or what.distance is None:
            return None
        if not self._traits.alternates and what.distance > 1:
            return None  # plies do not say whose moves they are
        return winner_moves(what.distance, mover_wins=what.outcome == "win")

    def _pieces(self, count: float) -> str:
        """``3 discs``, ``3.25 discs``."""
        if isinstance(count, int):
            return counted(count, self._traits.score_unit)
        return f"{count:.{self._digits}f} {self._traits.score_unit}s"

    def _lead(self, what: Evaluated) -> float | None:
        """The lead in pieces at the end, ``None`` in games that count none."""
        if not self._traits.score_unit or what.score is None:
            return None
        if what.score_bound != "exact":  # a rounded bound must still be one
            return math.floor(what.score) if what.score_bound == "lower" else math.ceil(what.score)
        if self._digits and not what.proven:
            return round(what.score, self._digits) + 0.0
        return int(math.copysign(math.floor(abs(what.score) + 0.5), what.score))


_BOUNDS = {"exact": "", "lower": "≥", "upper": "≤"}


def words_for(game: BaseGameEnv | GameTraits, compared: Comparison | None = None) -> Words:
    """The words of a game, by one of its positions or its traits.

    With the analysis that is ``compared``, estimates have as many decimals as its best moves need
    to look different from the others.
    """
    traits = game if isinstance(game, GameTraits) else game.traits
    return Words(traits, 0 if compared is None else _digits(traits, compared))


def _digits(traits: GameTraits, compared: Comparison) -> int:
    """The decimals with which the best moves differ from those of another value.

    If there are any, then also estimates of other moves that differ, within reason. Tree search
    chooses by visits, which are shown, and not by value.
    """
    shown = [c for c in compared.candidates if _is_estimate(c)]
    good = {_quantity(c, traits) for c in shown if c.move in compared.best_moves}

    def texts(digits: int) -> dict[float | None, str]:
        words = Words(traits, digits)
        return {_quantity(c, traits): words.short(c) for c in shown}

    def stand_out(digits: int) -> bool:
        written = texts(digits)
        best = {written[number] for number in good}
        return all(written[number] not in best for number in written.keys() - good)

    def all_differ(digits: int) -> bool:
        found = texts(digits)
        return len(set(found.values())) == len(found)

    needed = next(filter(stand_out, range(_MOST_DIGITS + 1)), 0)
    if needed == 0:
        return 0
    return next(filter(all_differ, range(needed, _USUAL_DIGITS + 1)), needed)


def _is_estimate(what: Evaluated) -> bool:
    proven = what.proven and what.outcome is not None
    return not proven and what.value is not None and what.visits is None


def _quantity(what: Evaluated, traits: GameTraits) -> float | None:
    """The number of an estimate that is shown."""
    return what.score if traits.score_unit and what.score is not None else what.value


def percent(value: float) -> int:
    """The expected result in per cent; an estimate is never 0 or 100.

    >>> percent(-0.08), percent(1.0)
    (46, 99)
    """
    return int(_percent(value, 0))


def _percent(value: float, digits: int) -> str:
    """`percent` with decimals.

    >>> _percent(0.0017, 0), _percent(0.0017, 2), _percent(1.0, 2)
    ('50', '50.09', '99.99')
    """
    steps = 10**digits
    whole = math.floor((50 + 50 * value) * steps + 0.5)
    return f"{min(100 * steps - 1, max(1, whole)) / steps:.{digits}f}"


def estimate(value: float | None, visits: int | None = None, digits: int = 0) -> str:
    """``≈ 46 %``, with its uncertainty after few visits: ``≈ 46 ± 9 %``; ``?`` if unknown.

    The uncertainty is the 95 % interval (Wilson's) for as many independent results as there were
    visits. Where ± would leave the scale from 0 to 100, the interval itself is written; one visit
    is a result and not an estimate.

    >>> estimate(-0.08), estimate(-0.08, 100), estimate(None)
    ('≈ 46 %', '≈ 46 ± 10 %', '?')
    >>> estimate(1.0, 5), estimate(-1.0, 1), estimate(0.0017, digits=2)
    ('≈ 57 to 100 %', '1 visit', '≈ 50.09 %')
    """
    if value is None:
        return UNKNOWN
    if visits == 1:
        return ONE_VISIT
    if visits:
        share = (1 + value) / 2
        weight = 1.96**2 / visits
        centre = (share + weight / 2) / (1 + weight)
        spread = math.sqrt(weight * share * (1 - share) + weight * weight / 4) / (1 + weight)
        off, middle = round(100 * (abs(centre - share) + spread)), percent(value)
        if off >= _SHOWN_UNCERTAINTY:
            if off <= middle <= 100 - off:
                return f"≈ {middle} ± {off} %"
            low, high = max(0.0, centre - spread), min(1.0, centre + spread)
            return f"≈ {round(100 * low)} to {round(100 * high)} %"
    return f"≈ {_percent(value, digits)} %"


def judgement(value: float) -> str:
    """An estimate in a few words: ``about even``, ``clearly worse``.

    >>> judgement(0.02), judgement(-0.46)
    ('about even', 'clearly worse')
    """
    return next((words for least, words in _JUDGEMENTS if value >= least), _LOWEST)


def _signed(number: float) -> str:
    return f"{'+' if number > 0 else '−' if number < 0 else ''}{abs(number)}"
