"""Ratings of all players from all their games, with 95 % intervals.

The ratings are those for which every player's expected points equal its points. A draw is half a
win and half a loss; how many draws there are does not move the estimate. The advantage of the first
move is estimated with them, from the points of the players who moved first.

Every player also has `PRIOR` imagined draws, spread over the opponents that it met, half with
either colour: without them a player who won every game would be infinitely strong.

Intervals count *units*, not games: two games from one opening depend on each other, and a drawn
game varies less than a decided one. The variance of the points of a unit is measured, pairing by
pairing, and made steadier by two imagined units that vary as the average one (sandwich estimate).
For a player who won or lost everything no variance can be measured. Its interval holds the ratings
that the likelihood does not reject (profile likelihood).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erf, exp, inf, sqrt

import numpy as np

from rl_toolkit.arena.ratings.elo_model import ELO_UNIT, chances, expected_points
from rl_toolkit.arena.ratings.rated_games import Floats, RatedGame, Units, gathered
from rl_toolkit.utils import Z95

#: Imagined draws of every player.
PRIOR = 1.0
#: Imagined units of every pairing, for the variance of its points.
_STEADYING = 2.0
#: The largest rating that is looked for, in units of the logarithm: 8,700 Elo.
_FAR = 50.0
#: The largest step of one iteration, which keeps the first ones from overshooting.
_STEP = 2.0


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings in Elo, and how sure they are.

    Attributes:
        players: the names, in the order of the other fields.
        ratings: relative to ``anchor``, or to the mean of all players.
        intervals: 95 % intervals; infinite if some players have not met, even through others.
        anchor: the player whose rating is 0 by definition.
        advantage: Elo that the first move is worth, with its interval.
        nu: Davidson's ν, see `elo_model`.
        connected: whether all players have met each other, directly or through others.
        errors: standard errors of all differences of two ratings.
    """

    players: tuple[str, ...]
    ratings: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    anchor: str | None
    advantage: float
    advantage_interval: tuple[float, float]
    nu: float
    connected: bool
    errors: Floats

    def rating(self, player: str) -> float:
        """The rating of a player."""
        return self.ratings[self.players.index(player)]

    def interval(self, player: str) -> tuple[float, float]:
        """The 95 % interval of a player's rating."""
        return self.intervals[self.players.index(player)]

    def superiority(self, player: str, other: str) -> float:
        """The likelihood that ``player`` is stronger than ``other``."""
        if player == other or not self.connected:
            return 0.5
        error = float(self.errors[self.players.index(player), self.players.index(other)])
        difference = self.rating(player) - self.rating(other)
        return 0.5 * (1 + erf(difference / (error * sqrt(2))))

    def chances(self, first: str, second: str) -> tuple[float, float, float]:
        """The chances of win, draw and loss for ``first``, who moves first."""
        difference = self.rating(first) - self.rating(second) + self.advantage
        return chances(float(expected_points(difference)), self.nu)

    @property
    def draw_rate(self) -> float:
        """The chance of a draw between equal players, one of whom moves first."""
        _, drawn, _ = chances(float(expected_points(self.advantage)), self.nu)
        return float(drawn)


def fit_ratings(
    games: Iterable[RatedGame],
    players: Sequence[str] | None = None,
    *,
    prior: float = PRIOR,
    anchor: str | None = None,
) -> Ratings:
    """Rate the players of these games together.

    ``players`` may name some who have not played. ``prior`` is the number of imagined draws of each
    player. Raises ``ValueError`` for fewer than two players or an anchor that is not one of them.

    >>> won, lost = RatedGame("a", "b", 1), RatedGame("a", "b", -1)
    >>> back = [RatedGame("b", "a", -game.result) for game in (won, won, won, lost)]
    >>> result = fit_ratings([won, won, won, lost] * 9 + back * 9, prior=0.001)
    >>> [round(rating) for rating in result.ratings], round(result.superiority("a", "b"), 4)
    ([95, -95], 1.0)
    """
    games = list(games)
    names = players or list(dict.fromkeys(name for g in games for name in (g.first, g.second)))
    if len(names) < 2:
        raise ValueError(f"ratings need at least two players, not {len(names)}")
    if not prior > 0:
        raise ValueError(f"prior must be above 0, not {prior}")
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} is not one of the players")
    fit = _Fit(gathered(games, names), len(names), prior)
    zero = np.zeros(len(names) + 1)
    zero[:-1] = 1 / len(names)
    if anchor is not None:
        zero[:-1] = 0
        zero[list(names).index(anchor)] = 1
    return fit.ratings(tuple(names), zero, anchor)


class _Fit:
    """The equations for the ratings, in units of the natural logarithm.

    Parameters are the ratings and, last, the advantage of the first move. A pairing has two rows:
    one for games in which its lower player moved first, and one for the others.
    """

    def __init__(self, units: Units, players: int, prior: float) -> None:
        self.units, self.players = units, players
        keys = units.low * players + units.high
        pairs, self.pairing = np.unique(keys, return_inverse=True)
        self.low, self.high = pairs // players, pairs % players
        count = len(pairs)
        games, points, draws = np.zeros((3, count, 2))
        np.add.at(games, self.pairing, units.games)
        np.add.at(points, self.pairing, units.points)
        np.add.at(draws, self.pairing, units.draws)
        self.played, self.scored, self.drawn = games, points, draws
        each = np.zeros(players)
        np.add.at(each, self.low, games.sum(1))
        np.add.at(each, self.high, games.sum(1))
        share = games.sum(1) / each[self.low] + games.sum(1) / each[self.high]
        imagined = (prior * share / 4)[:, None]  # each of two players brings its draws, two colours
        self.games, self.points = games + imagined, points + imagined / 2
        self.rows = np.zeros((count, 2, players + 1))
        at = np.arange(count)
        for side, sign in ((0, 1), (1, -1)):
            self.rows[at, side, self.low] = 1
            self.rows[at, side, self.high] = -1
            self.rows[at, side, -1] = sign

    def expected(self, parameters: Floats) -> Floats:
        """Expected points of the lower player, for each row."""
        mean: Floats = expected_points(ELO_UNIT * (self.rows @ parameters))
        return mean

    def information(self, parameters: Floats) -> Floats:
        """The matrix of the equations at ``parameters``."""
        mean = self.expected(parameters)
        weights = self.games * mean * (1 - mean)
        matrix: Floats = np.einsum("ps,psi,psj->ij", weights, self.rows, self.rows)
        return matrix

    def log_likelihood(self, parameters: Floats) -> float:
        strength = self.rows @ parameters
        return float((self.points * strength - self.games * np.logaddexp(0, strength)).sum())

    def solve(self, constraints: Floats, values: Floats, start: Floats) -> Floats:
        """The best parameters with ``constraints @ parameters = values``."""
        parameters = start.copy()
        for _ in range(500):
            missing = self.points - self.games * self.expected(parameters)
            slope = np.einsum("ps,psi->i", missing, self.rows)
            right = np.concatenate([slope, values - constraints @ parameters])
            system = self._with(constraints, parameters)
            step = np.linalg.lstsq(system, right, rcond=1e-12)[0][: self.players + 1]
            largest = float(np.abs(step).max())
            parameters = parameters + step * min(1.0, _STEP / max(largest, _STEP))
            if largest < 1e-8:
                break
        return parameters

    def _with(self, constraints: Floats, parameters: Floats) -> Floats:
        """The matrix of the equations with that of the constraints at its side and below it."""
        empty = np.zeros((len(constraints), len(constraints)))
        return np.block([[self.information(parameters), constraints.T], [constraints, empty]])

    def components(self) -> list[list[int]]:
        """The groups of players that have met, directly or through others."""
        group = list(range(self.players))
        for low, high in zip(self.low, self.high, strict=True):
            old, new = group[high], group[low]
            group = [new if member == old else member for member in group]
        return [
            [player for player in range(self.players) if group[player] == name]
            for name in dict.fromkeys(group)
        ]

    def ratings(self, names: tuple[str, ...], zero: Floats, anchor: str | None) -> Ratings:
        """The result; ``zero @ parameters`` is 0 by definition."""
        groups = self.components()
        constraints = zero[None]
        if len(groups) > 1:
            constraints = np.zeros((len(groups), self.players + 1))
            for row, members in zip(constraints, groups, strict=True):
                row[members] = 1 / len(members)
        best = self.solve(constraints, np.zeros(len(groups)), np.zeros(self.players + 1))
        strength = best[:-1] - zero @ best
        covariance, spread = self._covariance(best, constraints)
        variance = np.diag(covariance)
        errors = np.sqrt(
            np.maximum(variance[:-1, None] + variance[:-1] - 2 * covariance[:-1, :-1], 1e-12)
        )
        if len(groups) == 1:
            ends = [self._interval(at, best, zero, variance, spread) for at in range(len(names))]
        else:
            ends = [(-inf, inf)] * len(names)
        reach = Z95 * sqrt(variance[-1]) if len(self.low) else inf
        return Ratings(
            players=names,
            ratings=tuple(float(ELO_UNIT * value) for value in strength),
            intervals=tuple((ELO_UNIT * low, ELO_UNIT * high) for low, high in ends),
            anchor=anchor,
            advantage=float(ELO_UNIT * best[-1]),
            advantage_interval=(ELO_UNIT * (best[-1] - reach), ELO_UNIT * (best[-1] + reach)),
            nu=self._nu(best),
            connected=len(groups) == 1,
            errors=ELO_UNIT * errors,
        )

    # ------------------------------------------------------------------- intervals

    def _covariance(self, best: Floats, constraints: Floats) -> tuple[Floats, float]:
        """The covariance of the parameters, and how much more a unit varies than separate games."""
        size = self.players + 1
        if not len(self.low):
            return np.zeros((size, size)), 1.0
        units, mean = self.units, self.expected(best)
        missing = units.points - units.games * mean[self.pairing]
        model = units.games * (mean * (1 - mean))[self.pairing]
        scaled = missing / np.sqrt(np.maximum(model, 1e-12))
        count = len(scaled)
        # Few units would show a variance that is too small by the number of parameters.
        fair = count / max(count - np.linalg.matrix_rank(self.information(best)), count / 2)
        # The average unit: games that vary as if there were no draws, until there are many units.
        average = (fair * scaled.T @ scaled + _STEADYING * np.eye(2)) / (count + _STEADYING)
        average = (average + average[::-1, ::-1]) / 2  # which player is the lower means nothing
        shown = fair * np.einsum("us,ut->ust", missing, missing)
        measured, modelled = np.zeros((2, len(self.low), 2, 2))
        np.add.at(measured, self.pairing, shown)
        root = np.sqrt(model)
        np.add.at(modelled, self.pairing, np.einsum("us,st,ut->ust", root, average, root))
        number = np.bincount(self.pairing, minlength=len(self.low))[:, None, None]
        one_sided = np.isin(self.scored.sum(1) / self.played.sum(1), (0, 1))[:, None, None]
        steady = (measured + _STEADYING / number * modelled) / (1 + _STEADYING / number)
        meat = np.einsum(
            "psi,pst,ptj->ij", self.rows, np.where(one_sided, modelled, steady), self.rows
        )
        bread = np.linalg.pinv(self._with(constraints, best), rcond=1e-12)[:size, :size]
        return bread @ meat @ bread.T, float(average.sum() / 2)

    def _interval(
        self, player: int, best: Floats, zero: Floats, variance: Floats, spread: float
    ) -> tuple[float, float]:
        """The 95 % interval of one rating."""
        if zero[player] == 1:
            return 0.0, 0.0
        mine = (self.low == player) | (self.high == player)
        won = np.where(self.high[:, None] == player, self.played - self.scored, self.scored)[mine]
        reach = Z95 * sqrt(variance[player])
        if 0 < won.sum() < self.played[mine].sum():
            return float(best[player] - reach), float(best[player] + reach)
        top = self.log_likelihood(best)
        limit = Z95**2 / 2 * max(1.0, spread)
        constraints = np.stack([zero, np.eye(self.players + 1)[player]])

        def lost(value: float) -> float:
            fit = self.solve(constraints, np.array([0.0, value]), best)
            return top - self.log_likelihood(fit) - limit

        ends = []
        for sign in (-1, 1):
            near, far = 0.0, 1.0
            while lost(best[player] + sign * far) < 0 and far < _FAR:
                near, far = far, 2 * far
            for _ in range(30):
                middle = (near + far) / 2
                is_inside = lost(best[player] + sign * middle) < 0
                near, far = (middle, far) if is_inside else (near, middle)
            ends.append(float(best[player] + sign * near))
        return ends[0], ends[1]

    def _nu(self, best: Floats) -> float:
        """Davidson's ν that makes the numbers of wins, draws and losses most likely."""
        if not self.drawn.any():
            return 0.0
        mean = np.clip(self.expected(best), 1e-9, 1 - 1e-9)
        won = self.scored - self.drawn / 2
        lost = self.played - self.scored - self.drawn / 2

        def fit(log_nu: float) -> float:
            win, draw, loss = chances(mean, exp(log_nu))
            return float(
                (won * np.log(win) + self.drawn * np.log(draw) + lost * np.log(loss)).sum()
            )

        low, high = -12.0, 12.0
        for _ in range(40):
            third = (high - low) / 3
            if fit(low + third) < fit(high - third):
                low += third
            else:
                high -= third
        return exp((low + high) / 2)
