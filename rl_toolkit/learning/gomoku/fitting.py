"""Fit the Gomoku evaluation: values of cells to results of games, ranks of moves to choices.

**Values.** The chance that the side to move wins is modelled as 1 / (1 + exp(−v / 150)), where v
sums over all empty cells the value of their kind for the side to move, minus its value for the
other side, plus a constant (logistic regression).

**Ranks.** The chance that a search chooses a move is proportional to exp(r / 40), where r is the
rank of its kind for the side to move plus its rank for the other side (conditional logit).

Both tables are a number per *pair*, the best two codes of a cell, plus a smaller one per *kind*,
all four codes. Large numbers cost something (ridge), those per kind more, so that a kind that is
rare gets the number of its pair, and a pair that does not occur gets 0. A cell with four open ones,
which is what most are, has the value 0: otherwise a constant per empty cell would be left open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.gomoku.cell_tables import KINDS, PAIRS, kind_index, pair_index
from rl_toolkit.kernels.gomoku.codes import OPEN_ONE
from rl_toolkit.learning.gomoku.examples import Choices, Examples
from rl_toolkit.learning.gomoku.minimise import minimise

Floats = npt.NDArray[np.float64]

#: Points for one unit of log-odds, of values and of ranks.
VALUE_UNIT, RANK_UNIT = 150.0, 40.0
#: One game in twenty is held back for validation.
HELD_BACK = 20
_COMMON = OPEN_ONE * 0x1111
_PER_PAIR, _PER_KIND = 3.0, 30.0
_STEPS = 300
_AT_ONCE = 20_000
_CURVATURE = 0.2  # of the logistic function near even, to scale the numbers


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of learning: ``done`` of ``total`` units of a step.

    ``held_back`` is the share of held back positions whose result the values predict, or of held
    back choices among the first five by rank.
    """

    part: str
    step: str
    done: int
    total: int
    held_back: float | None = None


Listener = Callable[[Progress], object]


@dataclass(frozen=True, slots=True)
class Values:
    """Fitted values in points: ``own`` and ``other`` per kind, and the constant ``tempo``.

    ``loss`` and ``right`` are for positions that were held back: the mean of −log of the chance
    that was given to the result, and the share of results that were the likelier.
    """

    own: Floats
    other: Floats
    tempo: float
    loss: float
    right: float


@dataclass(frozen=True, slots=True)
class Ranks:
    """Fitted ranks per kind.

    ``first`` and ``five`` are shares of held back choices: ranked first, among the first five.
    """

    own: Floats
    other: Floats
    first: float
    five: float


class _Tables:
    """Two tables per kind, the second after the first, and what their numbers cost.

    With n numbers w of the kinds of a pair, which occur, the cost is that of the best number p of
    the pair: half of `_PER_PAIR` · p² + `_PER_KIND` · Σ (w − p)².
    """

    def __init__(self, curvature: Floats, fixed: bool) -> None:
        pair = np.zeros(KINDS, dtype=np.int64)
        pair[kind_index()] = pair_index()
        self._pair = np.concatenate([pair, pair + PAIRS])
        self._occurs = curvature > 0
        self._scale = np.where(self._occurs, 1 / np.sqrt(curvature + _PER_KIND), 0.0)
        kinds = np.bincount(self._pair, self._occurs, minlength=2 * PAIRS)
        self._pull = _PER_KIND / (_PER_PAIR + _PER_KIND * kinds)
        if fixed:
            for side in (0, 1):
                self._scale[side * KINDS + kind_index()[_COMMON]] = 0
                self._pull[side * PAIRS + pair_index()[_COMMON]] = 0

    def __len__(self) -> int:
        return len(self._scale)

    def of(self, point: Floats) -> Floats:
        """The tables of a point of the search for the minimum; 0 for kinds that do not occur."""
        tables: Floats = point * self._scale
        return tables

    def complete(self, point: Floats) -> Floats:
        """The same, with the number of its pair for every kind that does not occur."""
        tables = self.of(point)
        return np.where(self._occurs, tables, self._of_pairs(tables)[self._pair])

    def cost(self, point: Floats, slope: Floats) -> tuple[float, Floats]:
        """The cost of the numbers, and the gradient with it; ``slope`` is that of the tables."""
        tables = self.of(point)
        pairs = self._of_pairs(tables)
        off = np.where(self._occurs, tables - pairs[self._pair], 0.0)
        cost = _PER_PAIR * float(pairs @ pairs) + _PER_KIND * float(off @ off)
        return cost / 2, (slope + _PER_KIND * off) * self._scale

    def _of_pairs(self, tables: Floats) -> Floats:
        return np.bincount(self._pair, tables, minlength=2 * PAIRS) * self._pull


def fit_values(
    examples: Examples,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
) -> Values | None:
    """Fit values to the results of games; ``None`` if stopped. The last positions are held back."""
    learned = len(examples) - len(examples) // HELD_BACK
    train, held = examples.part(0, learned), examples.part(learned, len(examples))
    signs = np.repeat([1.0, -1.0], KINDS)
    tables = _Tables(_column_sums(train, _CURVATURE * train.weights, square=True), fixed=True)
    scale = 1 / np.sqrt(max(1e-9, _CURVATURE * float(train.weights.sum())))

    def loss(point: Floats) -> tuple[float, Floats]:
        value = _row_sums(train, tables.of(point[1:]) * signs) + point[0] * scale
        each = train.weights * (np.logaddexp(0, value) - train.results * value)
        push = train.weights * (_chance(value) - train.results)
        cost, slope = tables.cost(point[1:], _column_sums(train, push) * signs)
        return float(each.sum()) + cost, np.concatenate([[push.sum() * scale], slope])

    weights = _minimum(loss, 1 + len(tables), "values", on_progress, stop)
    if weights is None:
        return None
    own, other = tables.complete(weights[1:]).reshape(2, KINDS)
    tempo = float(weights[0] * scale)
    value = _row_sums(held, np.concatenate([own, -other])) + tempo
    total = max(1e-9, float(held.weights.sum()))
    lost = held.weights @ (np.logaddexp(0, value) - held.results * value) / total
    right = held.weights @ ((value > 0) == (held.results > 0.5)) / total
    return Values(
        VALUE_UNIT * own, VALUE_UNIT * other, VALUE_UNIT * tempo, float(lost), float(right)
    )


def fit_ranks(
    choices: Choices, on_progress: Listener | None = None, stop: StopSignal | None = None
) -> Ranks | None:
    """Fit ranks to the choices of the search; ``None`` if stopped. The last are held back."""
    learned = len(choices) - len(choices) // HELD_BACK
    begins = np.concatenate([[0], choices.ends])
    lengths = np.diff(begins)
    moves = int(begins[learned])
    own, other = choices.own[:moves], choices.other[:moves] + np.int16(KINDS)
    row, chosen = np.repeat(np.arange(learned), lengths[:learned]), choices.chosen[:learned]
    played = _counted(own[chosen], other[chosen])
    occur = _counted(own, other)
    tables = _Tables(_CURVATURE * occur / max(1, len(own)) * learned, fixed=False)

    def loss(point: Floats) -> tuple[float, Floats]:
        both = tables.of(point)
        rank = both[own] + both[other]
        rank -= np.maximum.reduceat(rank, begins[:learned])[row]
        odds = np.exp(rank)
        total = np.add.reduceat(odds, begins[:learned])
        share = odds / total[row]
        cost, slope = tables.cost(point, _counted(own, other, share) - played)
        return float(np.log(total).sum() - rank[chosen].sum()) + cost, slope

    weights = _minimum(loss, len(tables), "ranks", on_progress, stop)
    if weights is None:
        return None
    first, second = tables.complete(weights).reshape(2, KINDS)
    rank = first[choices.own] + second[choices.other]
    better = np.add.reduceat(
        rank > np.repeat(rank[choices.chosen], lengths), begins[:-1], dtype=np.int64
    )[learned:]
    shares = [float((better < most).mean()) if better.size else 0.0 for most in (1, 5)]
    return Ranks(RANK_UNIT * first, RANK_UNIT * second, *shares)


def _minimum(
    loss: Callable[[Floats], tuple[float, Floats]],
    size: int,
    part: str,
    on_progress: Listener | None,
    stop: StopSignal | None,
) -> Floats | None:
    def on_step(number: int, _value: float) -> bool:
        if on_progress is not None:
            on_progress(Progress(part, "fit", number, _STEPS))
        return stop is None or not stop.is_set()

    minimum = minimise(loss, np.zeros(size), _STEPS, on_step=on_step)
    return None if stop is not None and stop.is_set() else minimum


def _chance(value: Floats) -> Floats:
    half: Floats = 0.5 * (1 + np.tanh(value / 2))
    return half


def _counted(
    own: npt.NDArray[np.int16], other: npt.NDArray[np.int16], weights: Floats | None = None
) -> Floats:
    both = [np.bincount(patterns, weights, minlength=2 * KINDS) for patterns in (own, other)]
    return np.asarray(both[0] + both[1], dtype=np.float64)


def _row_sums(examples: Examples, table: Floats) -> Floats:
    """The sum of ``table`` over the cells of each position."""
    totals = np.zeros(len(examples))
    for first in range(0, len(examples), _AT_ONCE):
        part = examples.part(first, min(len(examples), first + _AT_ONCE))
        begins = np.concatenate([[0], part.ends[:-1]])
        sums = np.add.reduceat(table[part.kinds] * part.counts, begins)
        totals[first : first + _AT_ONCE] = sums
    return totals


def _column_sums(examples: Examples, per_row: Floats, square: bool = False) -> Floats:
    """The sum over positions of ``per_row`` times the count of each kind, or its square."""
    sums = np.zeros(2 * KINDS)
    for first in range(0, len(examples), _AT_ONCE):
        part = examples.part(first, min(len(examples), first + _AT_ONCE))
        lengths = np.diff(part.ends, prepend=0)
        counts = part.counts.astype(np.float64)
        spread = np.repeat(per_row[first : first + _AT_ONCE], lengths)
        sums += np.bincount(
            part.kinds, spread * (counts * counts if square else counts), minlength=2 * KINDS
        )
    return sums
