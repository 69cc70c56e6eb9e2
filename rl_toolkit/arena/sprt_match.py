"""Matches that stop by themselves, as soon as a sequential test accepts a hypothesis.

Pairs count in the order of their openings, whichever worker ends first: short games would otherwise
count earlier than long ones, and short games are often lost games. So a seed gives the same verdict
with any number of workers, and after any interruption. Pairs that were played beyond the verdict
stay in the file and do not count.

Engines without randomness repeat a pair move for move when its opening comes again. Such a copy is
no new evidence and does not count: they would be judged by copies of a few games. Engines with
randomness may repeat a pair by chance, often in a small game, and these repeats do count. No engine
says which it is, so their games decide: once they have played one opening in two ways, they are
random, and every pair counts, with those that were left out before. Two ways are two different
moves in the same position. A game that ends earlier than another one, by a proof, shows no
randomness, and a pair with a forfeit shows none at all: a clock or a crash may have caused it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rl_toolkit.arena.matches import match_pairs
from rl_toolkit.arena.ratings.sprt import PAIR_POINTS, Decision, Sprt
from rl_toolkit.arena.runs.growing_list import SoFar
from rl_toolkit.arena.runs.match_results import Match, MatchResult, PlayedGame, UnplayedGame
from rl_toolkit.arena.runs.openings.choice import with_openings
from rl_toolkit.arena.runs.stamps import IfChanged
from rl_toolkit.utils.executors import Executor

#: So many pairs in a row that repeat earlier ones end a test without a decision.
PATIENCE = 100


@dataclass(frozen=True, slots=True)
class SprtResult:
    """The pairs that count, and what the test says of them.

    Attributes:
        result: the games of the pairs that count.
        pairs: how many pairs gave 0, ½, 1, 1½ and 2 points.
        llr: the log-likelihood ratio.
        decision: the accepted hypothesis; ``None`` if there were too few games for one.
        repeated: the pairs that repeat an earlier one, and so do not count; 0 if the engines have
            randomness.
        skipped: the pairs with a game that was not played, which do not count either.
        stalled: whether the last `PATIENCE` pairs repeat earlier ones, which ends the test.
    """

    sprt: Sprt
    result: MatchResult
    pairs: tuple[int, ...]
    llr: float
    decision: Decision | None
    repeated: int = 0
    stalled: bool = False
    skipped: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The result of the match as plain data, with the test in ``sprt``."""
        test = {
            **asdict(self.sprt),
            "lower": self.sprt.lower,
            "upper": self.sprt.upper,
            "llr": self.llr,
            "decision": self.decision,
            "pairs": list(self.pairs),
            "repeated_pairs": self.repeated,
            "skipped_pairs": self.skipped,
            "stalled": self.stalled,
        }
        return {**self.result.to_dict(), "complete": self.complete, "sprt": test}

    @property
    def complete(self) -> bool:
        """Whether the test has ended, or all games have been played."""
        ended = self.decision is not None or self.stalled
        return ended or self.played == 2 * self.result.match.pairs

    @property
    def played(self) -> int:
        """The games that the test has looked at, with those that do not count."""
        return 2 * (sum(self.pairs) + self.repeated + self.skipped)


def play_sprt(
    match: Match,
    sprt: Sprt,
    *,
    executor: Executor | None = None,
    on_pair: Callable[[SprtResult], object] | None = None,
    on_news: Callable[[str], object] | None = None,
    save: Path | None = None,
    if_changed: IfChanged = "refuse",
) -> SprtResult:
    """Play a match until the test decides, with at most ``match.pairs`` pairs.

    Openings that the match leaves open are drawn: a fixed set would repeat. It ends without a
    decision after `PATIENCE` pairs in a row that repeat earlier ones.

    The other arguments are those of `play_match`; a file of games may be shared with it.
    """
    match = with_openings(match, save, drawn=True)
    counting = _Counting(match, sprt)
    with closing(match_pairs(match, executor, on_news, save, if_changed)) as run:
        for pairs in run:
            counting.add(
                [game for pair in pairs for game in pair.games],
                [game for pair in pairs for game in pair.unplayed],
            )
            if on_pair is not None:
                on_pair(counting.result())
            if counting.ended:
                break
    return counting.result()


@dataclass(frozen=True, slots=True)
class _Way:
    """How a pair was played."""

    moves: tuple[tuple[int, ...], ...]
    results: tuple[int, ...]
    has_forfeit: bool

    @classmethod
    def of(cls, pair: Sequence[PlayedGame]) -> _Way:
        return cls(
            tuple(game.moves for game in pair),
            tuple(game.result for game in pair),
            any(game.forfeit is not None for game in pair),
        )

    def repeats(self, other: _Way) -> bool:
        """Whether the other one has all these moves, and the same results."""
        both = zip(self.moves, other.moves, strict=True)
        return self.results == other.results and all(a == b[: len(a)] for a, b in both)

    def shows_randomness(self, other: _Way) -> bool:
        """Whether different moves were played in one position, and none can be an accident."""
        if self.has_forfeit or other.has_forfeit:
            return False
        both = zip(self.moves, other.moves, strict=True)
        return any(x != y for a, b in both for x, y in zip(a, b, strict=False))


class _Counting:
    """Counts pairs in the order of their numbers, until the test decides."""

    def __init__(self, match: Match, sprt: Sprt) -> None:
        self.match, self.sprt = match, sprt
        self.llr = 0.0
        self.decision: Decision | None = None
        self._waiting: dict[int, list[PlayedGame]] = {}
        self._unplayed: dict[int, list[UnplayedGame]] = {}
        self._skipped: list[UnplayedGame] = []
        self._skipped_pairs = 0
        self._counted: list[PlayedGame] = []
        self._pairs = [0] * len(PAIR_POINTS)
        self._next = 0
        self._ways: dict[object, set[_Way]] = {}  # by opening
        self._are_random = False
        self._copies: list[list[PlayedGame]] = []
        self._in_a_row = 0

    @property
    def stalled(self) -> bool:
        """Whether the last `PATIENCE` pairs repeat earlier ones."""
        return self._in_a_row >= PATIENCE

    @property
    def ended(self) -> bool:
        """Whether no more pairs count."""
        return self.decision is not None or self.stalled

    def add(self, games: Iterable[PlayedGame], unplayed: Iterable[UnplayedGame] = ()) -> None:
        """Take in games; a pair counts once all pairs before it have counted.

        A pair with a game that was not played does not count: half a pair favours a side.
        """
        for game in games:
            self._waiting.setdefault(game.pair, []).append(game)
        for missing in unplayed:
            self._unplayed.setdefault(missing.pair, []).append(missing)
        while not self.ended and self._has_next():
            both = self._waiting.pop(self._next, [])
            gone = self._unplayed.pop(self._next, [])
            self._next += 1
            if gone:
                self._skipped += gone
                self._skipped_pairs += 1
                continue
            if self._is_copy(both):
                self._copies.append(both)
                self._in_a_row += 1
                continue
            self._in_a_row = 0
            for arrangement in (*self._copies, both) if self._are_random else (both,):
                self._counted += arrangement
                self._pairs[2 + sum(game.result for game in arrangement)] += 1
            if self._are_random:
                self._copies.clear()
            self.llr = self.sprt.llr(self._pairs)
            self.decision = self.sprt.decision(self.llr)

    def _has_next(self) -> bool:
        played, gone = self._waiting.get(self._next, ()), self._unplayed.get(self._next, ())
        return len(played) + len(gone) == 2

    def _is_copy(self, pair: Sequence[PlayedGame]) -> bool:
        """Whether a pair repeats an earlier one of engines that have not shown randomness."""
        if self._are_random:
            return False
        opened = tuple((game.first, game.start, game.opening) for game in pair)
        ways = self._ways.setdefault(opened, set())
        way = _Way.of(pair)
        self._are_random = any(way.shows_randomness(other) for other in ways)
        is_copy = any(way.repeats(other) for other in ways)
        ways.add(way)
        return is_copy and not self._are_random

    def result(self) -> SprtResult:
        played = MatchResult(self.match, SoFar(self._counted), SoFar(self._skipped))
        return SprtResult(
            self.sprt,
            played,
            tuple(self._pairs),
            self.llr,
            self.decision,
            len(self._copies),
            self.stalled,
            self._skipped_pairs,
        )
