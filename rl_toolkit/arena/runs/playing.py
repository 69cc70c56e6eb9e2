"""`play_pairs`: pairs of games, played by any executor, resumable; every run stands on it.

::

    schedule ──► stages of planned pairs        a match: one stage; Swiss: a stage for each round;
        ▲             │                         a calibration: stages until the ratings are sure
        │             ▼
     count()   saved? ── yes ──► Pair ──► for pairs in play_pairs(schedule, …):
                 │ no                         …      ← `break` ends the run: workers stop, the file
                 ▼                                     is closed, what was played is in it
          executor.map(one game each), two halves make a pair, a line in the file

What runs share is here and in `saved_pairs`: two halves make a pair, the first forfeit of an engine
and the first repeated pair are said, finished pairs go to a file with the stamps of their players.
What tells runs apart is the schedule, and what they make of the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

from rl_toolkit.arena.arbiter.repeated_games import RepeatedGames
from rl_toolkit.arena.runs.match_results import Match, PlayedGame, UnplayedGame
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.arena.runs.paired_game import (
    Task,
    forget_failures,
    play_paired_game,
)
from rl_toolkit.utils.executors import Executor, InProcess, LostTaskError, keeping_workers

if TYPE_CHECKING:
    from rl_toolkit.arena.runs.saved_pairs import SavedPairs

#: Called with a sentence for the person who waits.
Tell = Callable[[str], object]
#: Plays a task in a worker: a game as a part of a line, or who moves first and a ``failure``.
Play = Callable[[Task], dict[str, Any]]

#: The failure of a game that ended every worker to which it was given.
LOST = "ended the process that referees"


@dataclass(frozen=True, slots=True)
class Planned:
    """A pair to play: its match, and the number of its opening."""

    match: Match
    number: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A finished pair of games, the one that engine 0 begins before the other.

    Games that were not played are in ``unplayed``, and in no other count. Without any game
    ``failure`` says why; only a run that does without them has such pairs.
    """

    match: Match
    number: int
    games: tuple[PlayedGame, ...]
    failure: str = ""
    unplayed: tuple[UnplayedGame, ...] = ()

    @classmethod
    def of(cls, planned: Planned, line: Mapping[str, Any]) -> Self:
        """The pair from the line of a journal."""
        games = (PlayedGame.from_dict(planned.number, game) for game in line["games"])
        missing = (
            UnplayedGame.from_dict(planned.number, game) for game in line.get("unplayed", ())
        )
        failure = line.get("failure", "")
        return cls(planned.match, planned.number, tuple(games), failure, tuple(missing))


#: The pairs of a run as they come.
Run = Generator[list[Pair], None, None]


class Schedule(Protocol):
    """Which pairs a run needs, and with which openings."""

    def stages(self) -> Iterator[Sequence[Planned]]:
        """Pairs that may be played in any order.

        The next stage is asked for when all pairs of the last one have been counted, so it may
        depend on them.
        """

    def opening(self, planned: Planned) -> Opening:
        """The opening of a pair; asked for when the pair is about to be played."""

    def count(self, pair: Pair) -> None:
        """Take in a finished pair, which `play_pairs` yields next."""


def play_pairs(
    schedule: Schedule,
    *,
    executor: Executor | None = None,
    saved: SavedPairs | None = None,
    tell: Tell | None = None,
    play: Play | None = None,
) -> Run:
    """Yield pairs as they come: the saved ones of a stage together, then each when it ends.

    Leaving the loop ends the run. Wrap the generator in ``contextlib.closing`` where that may
    happen: then workers stop and the file is closed at once, not when the generator is collected.

    A game that raises an error, or on which worker after worker dies, ends the run. A run that
    does without such games brings its own ``play``, `play_or_explain` in a module that its workers
    must import: then the pair of that game has no games and says why.
    """
    executor, news = executor or InProcess(), _News(tell or (lambda text: None))
    forget_failures()
    with saved or nullcontext(), keeping_workers(executor):
        for stage in schedule.stages():
            pairs = [None if saved is None else saved.find(planned) for planned in stage]
            if finished := [pair for pair in pairs if pair is not None]:
                for pair in finished:
                    schedule.count(pair)
                yield finished
            tasks = _Tasks(
                [task for task, pair in zip(stage, pairs, strict=True) if pair is None],
                schedule.opening,
            )
            for planned, line in _lines(tasks, executor, news, play):
                if saved is not None:
                    saved.add(planned, line)
                pair = Pair.of(planned, line)
                news.look_for_repeats(pair)
                schedule.count(pair)
                yield [pair]


class _Tasks(Sequence[Task]):
    """The games of some pairs, with either engine first; openings are drawn as they are needed."""

    def __init__(self, pairs: Sequence[Planned], opening: Callable[[Planned], Opening]) -> None:
        self.pairs, self._opening = pairs, opening

    def __len__(self) -> int:
        return 2 * len(self.pairs)

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < len(self):
            raise IndexError(number)
        planned = self.pairs[number // 2]
        match = planned.match
        if match.openings is not None:  # a task has its own opening, and not the whole list
            match = replace(match, openings=None)
        return match, planned.number, self._opening(planned), number % 2


def _lines(
    tasks: _Tasks, executor: Executor, news: _News, play: Play | None
) -> Iterator[tuple[Planned, dict[str, Any]]]:
    """The pairs in the order in which they end; their two games may be played far apart."""
    halves: dict[int, dict[str, Any]] = {}
    games = executor.map(play_paired_game, tasks) if play is None else _ended(tasks, executor, play)
    for number, game in games:
        planned = tasks.pairs[number // 2]
        news.look_for_failures(planned.match, game)
        other = halves.pop(number // 2, None)
        if other is None:
            halves[number // 2] = game
            continue
        both = [other, game] if number % 2 else [game, other]
        if failures := [half["failure"] for half in both if "failure" in half]:
            yield planned, {"games": [], "failure": failures[0]}
        else:
            missing = [half for half in both if half["result"] is None]
            played = [half for half in both if half["result"] is not None]
            yield planned, {"games": played, **({"unplayed": missing} if missing else {})}


def _ended(
    tasks: Sequence[Task], executor: Executor, play: Play
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The games, and for those that cannot be played why not."""
    waiting = dict.fromkeys(range(len(tasks)))
    while waiting:
        numbers = list(waiting)
        try:
            for place, game in executor.map(play, [tasks[index] for index in numbers]):
                del waiting[numbers[place]]
                yield numbers[place], game
        except LostTaskError as error:
            if error.task is None:
                raise
            number = numbers[error.task]
            del waiting[number]
            yield number, {"first": number % 2, "failure": LOST}


class _News:
    """Says when an engine first fails in a game, and when a pair repeats another one."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._failed, self._repeated = tell, set[tuple[str, str]](), RepeatedGames()

    def look_for_failures(self, match: Match, game: Mapping[str, Any]) -> None:
        again, lost = game.get("first_try"), game.get("forfeit")
        if lost is not None and lost.get("by") == "not played":
            self._say_once(match, lost, "; the game was tried twice and is not played.")
        elif again is not None:
            self._say_once(match, again, "; the game was played again.")
        if lost is not None and lost.get("by") != "not played":
            self._say_once(match, lost, " and forfeits the game.")

    def _say_once(self, match: Match, failure: Mapping[str, Any], end: str) -> None:
        name = match.engines[failure["engine"]]
        if (name, end) not in self._failed:
            self._failed.add((name, end))
            self._tell(f"{name} {failure['reason']}{end}")

    def look_for_repeats(self, pair: Pair) -> None:
        if pair.games and (remark := self._repeated.remark(pair.match.engines, pair.games)):
            self._tell(remark)
