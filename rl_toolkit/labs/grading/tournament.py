"""The class tournament: a round robin of all bots, each in a process of its own.

::

    entry     every bot answers one position of each opening; who cannot move does not enter
    rounds    everyone plays one match in each round (the circle method)
    match     two games from the opening of the round, sides swapped
    accuracy  what the bot kept of the results at stake, judged by exact play

References play along without a rank: random moves, and a search of two plies.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rl_toolkit.labs.engine  # noqa: F401 - registers the engine `lab`
from rl_toolkit.arena import EngineFailedError, checked_answer, new_engine
from rl_toolkit.arena.runs import (
    LOST,
    Journal,
    Match,
    MatchResult,
    Opening,
    OpeningList,
    Openings,
    Pair,
    Pairing,
    Planned,
    SavedPairs,
    Task,
    not_played,
    play_or_explain,
    play_pairs,
    round_robin_rounds,
)
from rl_toolkit.arena.runs.openings import with_openings
from rl_toolkit.arena.tournaments import Tournament, TournamentResult, grade_moves
from rl_toolkit.envs import make_game
from rl_toolkit.labs.folder.student_folder import mark_folder
from rl_toolkit.labs.grading.jobs import Graded
from rl_toolkit.players import Spec
from rl_toolkit.players.advisers import solves_from
from rl_toolkit.utils import counted
from rl_toolkit.utils.executors import Executor, LostTaskError

#: Processor seconds that a bot has for a move.
MOVE_SECONDS = 5
#: Engines that play along, to compare with.
REFERENCES = {"random moves": "random", "search of two plies": "minimax:depth=2"}
#: Openings on which a bot shows that it can move.
_TRIALS = 3

OnProgress = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot, or a reference (``lab`` is then "")."""

    name: str
    key: str
    lab: str
    spec: str


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one entrant.

    Attributes:
        forfeits: games lost because the bot gave no move; ``reason`` is the first of them.
        accuracy: from 0 (as random moves) to 1 (nothing lost); ``None`` if nothing was at stake.
    """

    name: str
    key: str
    lab: str
    points: float
    games: int
    won: int
    drawn: int
    forfeits: int = 0
    reason: str = ""
    accuracy: float | None = None

    def sentence(self) -> str:
        """The result in words."""
        known = self.accuracy
        sure = "" if known is None else f", accuracy {100 * known:.0f} % against exact play"
        failed = f", {counted(self.forfeits, 'forfeit')}" if self.forfeits else ""
        return f"{self.points:g} points in {counted(self.games, 'game')}{sure}{failed}."


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of one game, best first.

    ``absent`` are bots that could not enter: name, lab and why. ``unplayed`` are matches that could
    not be played: both names and why; ``not_played`` counts their games in words. ``older`` is the
    number of matches that an older version of the toolkit saved, which cannot be used and were
    played again. ``openings`` says what the games began with.
    """

    game: str
    rows: Sequence[Row]
    absent: Sequence[tuple[str, str, str]] = ()
    unplayed: Sequence[tuple[str, str, str]] = ()
    rounds: int = 0
    of_rounds: int = 0
    older: int = 0
    openings: str = ""
    not_played: str = ""


def play_tournaments(
    graded: Sequence[Graded],
    folder: Path,
    *,
    seed: int,
    executor: Executor,
    rounds: int | None = None,
    on_progress: OnProgress,
) -> list[Standings]:
    """One tournament for each game whose labs have a bot; played games are kept in ``folder``."""
    by_game: dict[str, list[Graded]] = {}
    for work in graded:
        if work.lab.bot and not work.problem:
            by_game.setdefault(work.lab.game, []).append(work)
    return [
        _Tournament(game, works, folder, seed, rounds, executor, on_progress).play()
        for game, works in sorted(by_game.items())
    ]


class _Tournament:
    def __init__(
        self,
        game: str,
        works: Sequence[Graded],
        folder: Path,
        seed: int,
        rounds: int | None,
        executor: Executor,
        on_progress: OnProgress,
    ) -> None:
        self._game, self._folder, self._seed, self._rounds = game, folder, seed, rounds
        self._executor, self._tell = executor, on_progress
        self._plies = max(2, len(make_game(game).board) // 5)
        self._bots: list[Entrant] = []
        self._older = 0
        self._terms: dict[str, Any] = {}
        for work in works:
            spec, student = self._spec(work), work.handed_in
            self._bots.append(Entrant(student.name, student.key, work.lab.id, spec))

    def _spec(self, each: Graded) -> str:
        """The engine of a submission: its files in a folder that is named by their digest.

        Students who handed in the same files have folders, and so players, of their own.
        """
        name = f"{each.lab.id}-{each.handed_in.digest}"
        same = sum(_code_name(bot.spec) == name for bot in self._bots)
        folder = self._folder / "bots" / (f"{name}+{same}" if same else name)
        for file, text in each.handed_in.files.items():
            if not any(part.startswith(".") for part in file.split("/")):
                path = folder / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        mark_folder(each.lab, folder)
        return Spec("lab").with_(folder=str(folder.resolve()), time=MOVE_SECONDS).text

    def _journal(self) -> Journal:
        return Journal(self._folder / f"tournament-{self._game}.jsonl", "tournament", {})

    def play(self) -> Standings:
        able, absent = self._enter()
        if not able:
            return Standings(self._game, (), absent)
        references = [Entrant(name, name, "", spec) for name, spec in REFERENCES.items()]
        entrants = {player.spec: player for player in (*able, *references)}
        plan = round_robin_rounds(list(entrants))
        played = plan if self._rounds is None else plan[: self._rounds]
        pairs = self._play(played)
        unplayed = [
            (entrants[pair.match.engines[0]].name, entrants[pair.match.engines[1]].name, why)
            for pair in pairs
            for why in _reasons(pair, entrants)
        ]
        rows = self._rows(entrants, pairs)
        result = self._result(entrants, pairs)
        tried = 2 * len(pairs)
        missing = not_played(tried - sum(len(pair.games) for pair in pairs), tried)
        counts = len(played), len(plan), self._older
        openings = f"{result.opening_words}. {result.opening_remark}".strip()
        return Standings(self._game, rows, absent, unplayed, *counts, openings, missing)

    def _enter(self) -> tuple[list[Entrant], list[tuple[str, str, str]]]:
        """The bots that can move, and why the others cannot."""
        seeds = [self._seed + number for number in range(_TRIALS)]
        keys = {bot: f"trial {self._seed} {_code_name(bot.spec)}" for bot in self._bots}
        with self._journal() as journal:
            done = [line for line in journal.done if "key" in line]
            reasons = {line["key"]: line["result"]["reason"] for line in done}
            waiting = {key: bot for bot, key in keys.items() if key not in reasons}
            total = len(waiting)

            def keep(key: str, reason: str) -> None:
                del waiting[key]
                reasons[key] = reason
                journal.add({"key": key, "result": {"reason": reason}})

            while waiting:
                left = list(waiting)
                tasks = [(self._game, waiting[key].spec, self._plies, seeds) for key in left]
                try:
                    for number, reason in self._executor.map(_try_out, tasks):
                        keep(left[number], reason)
                        self._tell("trying bots", total - len(waiting), total)
                except LostTaskError as error:
                    if error.task is None:
                        raise
                    keep(left[error.task], LOST)
        able = [bot for bot, key in keys.items() if not reasons[key]]
        absent = [(bot.name, bot.lab, why) for bot, key in keys.items() if (why := reasons[key])]
        return able, absent

    def _play(self, rounds: Sequence[Sequence[Pairing]]) -> list[Pair]:
        """The pairs of all matches, in the order of the rounds."""
        openings = self._choose_openings(len(rounds))
        schedule = _Rounds(
            (
                Match(self._game, pairing, 1, seed=self._seed + number, **self._terms)
                for number, pairings in enumerate(rounds)
                for pairing in pairings
            ),
            {self._seed + number: opening for number, opening in enumerate(openings)},
        )
        players = {
            spec: new_engine(self._game, spec)
            for planned in schedule.pairs
            for spec in planned.match.engines
        }
        match = next(iter(schedule.pairs)).match
        journal = self._journal()
        saved = SavedPairs(journal, match, players, "keep", name=_bot_name, seeded=True)
        total = sum(saved.find(planned) is None for planned in schedule.pairs)
        if total:
            keys = [str(line.get("key")) for line in journal.done]
            self._older = sum(key.startswith("match ") for key in keys)
        with closing(play_pairs(schedule, executor=self._executor, saved=saved, play=_play)) as run:
            for _ in run:
                left = sum(pair is None for pair in schedule.pairs.values())
                if left < total:
                    self._tell("tournament", total - left, total)
        return [pair for pair in schedule.pairs.values() if pair is not None]

    def _choose_openings(self, rounds: int) -> list[Opening]:
        """The opening of each round: that of its saved games, else a fair one."""
        fair = with_openings(Match(self._game, ("random", "random"), rounds, seed=self._seed))
        drawn, kept = Openings(fair), dict[int, Opening]()
        with self._journal() as journal:
            lines = journal.done
        for line in lines:
            for game in line.get("games", ()):
                kept[line["seed"]] = Opening(tuple(game["opening"]), game.get("start", ""))
        openings = [kept.get(self._seed + number) or drawn[number] for number in range(rounds)]
        self._terms = {
            "random_plies": fair.random_plies,
            "balanced": fair.balanced,
            "openings": fair.openings,
        }
        if any(opening != drawn[number] for number, opening in enumerate(openings)):
            self._terms = {"openings": OpeningList("this class", openings)}
        return openings

    def _result(self, entrants: Mapping[str, Entrant], pairs: Sequence[Pair]) -> TournamentResult:
        plan = Tournament(self._game, tuple(entrants), 2, seed=self._seed, **self._terms)
        return TournamentResult(plan, [MatchResult(p.match, p.games, p.unplayed) for p in pairs])

    def _rows(self, entrants: Mapping[str, Entrant], pairs: Sequence[Pair]) -> list[Row]:
        """The table, best first."""
        result = self._result(entrants, pairs)
        accuracies = self._accuracies(result)
        reasons: dict[str, str] = {}
        for lost in result.forfeits():
            reasons.setdefault(lost.player, lost.forfeit.reason[:300])
        rows = [
            Row(
                entrants[row.name].name,
                entrants[row.name].key,
                entrants[row.name].lab,
                row.points,
                row.games,
                row.won,
                row.drawn,
                row.forfeits,
                reasons.get(row.name, ""),
                accuracies.get(row.name),
            )
            for row in result.standings()
        ]
        return sorted(rows, key=lambda row: (-row.points, -(row.accuracy or 0), row.name))

    def _accuracies(self, result: TournamentResult) -> dict[str, float | None]:
        """The accuracy of each player in all its moves, in games that are solved from the start."""
        if solves_from(make_game(self._game)) != "start":
            return {}
        with self._journal() as journal:
            known = {
                line["position"]: {int(move): score for move, score in line["scores"].items()}
                for line in journal.done
                if "position" in line
            }
            grades = grade_moves(
                result,
                sys.maxsize,
                self._executor,
                self._tell,
                known=known,
                on_scores=lambda each: journal.add(
                    {"position": each.position, "scores": each.scores}
                ),
            )
        return {player: grade.accuracy for player, grade in grades.items()}


class _Rounds:
    """The schedule of a class: all matches at once, one pair each, an opening for each round."""

    def __init__(self, matches: Iterable[Match], openings: Mapping[int, Opening]) -> None:
        self.pairs: dict[Planned, Pair | None] = {Planned(match, 0): None for match in matches}
        self._openings = openings  # by the seed of the round

    def stages(self) -> Iterator[Sequence[Planned]]:
        yield list(self.pairs)

    def opening(self, planned: Planned) -> Opening:
        return self._openings[planned.match.seed]

    def count(self, pair: Pair) -> None:
        self.pairs[Planned(pair.match, pair.number)] = pair


def _reasons(pair: Pair, entrants: Mapping[str, Entrant]) -> list[str]:
    """Why games of a pair were not played; empty if all were."""
    if pair.failure:
        return [pair.failure]
    return [
        f"{entrants[pair.match.engines[game.forfeit.engine]].name} {game.forfeit.reason}"
        for game in pair.unplayed
    ]


def _bot_name(spec: str) -> str:
    """A spec without the place of its folder, for the journal: the folder names the digest."""
    bot = Spec.read(spec)
    return Path(str(bot["folder"])).name if bot.kind == "lab" else spec


def _code_name(spec: str) -> str:
    """The name of a bot without what tells students apart who handed in the same files."""
    return _bot_name(spec).partition("+")[0]


# ------------------------------------------------------------------------ in a worker


def _play(task: Task) -> dict[str, Any]:
    """A game; it stands here because a worker that imports this module knows the engine `lab`."""
    return play_or_explain(task)


def _try_out(trial: tuple[str, str, int, list[int]]) -> str:
    """Why a bot does not answer with legal moves; "" if it does."""
    game, spec, plies, seeds = trial
    player = new_engine(game, spec, seed=0)
    for seed in seeds:
        openings = Openings(Match(game, ("random", "random"), 1, plies, seed))
        try:
            checked_answer(player, openings[0].position(game))
        except EngineFailedError as error:
            return error.reason[:300]
        except Exception as error:  # one bot must not end the tournament
            return f"{type(error).__name__}: {error}"[:300]
    return ""
