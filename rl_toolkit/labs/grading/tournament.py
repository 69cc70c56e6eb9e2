"""The class tournament: a round robin of all bots, each in a process of its own.

::

    entry     every bot answers one position of each opening; who cannot move does not enter
    rounds    everyone plays one match in each round (the circle method)
    match     two games from the same random opening, sides swapped
    accuracy  what the bot kept of the results at stake, judged by exact play

References play along without a rank: random moves, and a search of two plies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import rl_toolkit.labs.engine  # noqa: F401 - registers the engine `lab`
from rl_toolkit.algorithms.review import review_move
from rl_toolkit.analysis import Analysis
from rl_toolkit.arena.journal import Journal
from rl_toolkit.arena.match_results import Match, PlayedGame
from rl_toolkit.arena.matches import draw_openings, play_match
from rl_toolkit.arena.play_game import EngineFailedError, checked_answer
from rl_toolkit.arena.worker_engines import new_engine
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.labs.folder.student_folder import mark_folder
from rl_toolkit.labs.grading.jobs import Graded
from rl_toolkit.players.advisers import exact_player
from rl_toolkit.players.quoting import quoted
from rl_toolkit.records import position_from_text, position_to_text
from rl_toolkit.utils.executors import Executor, LostTaskError
from rl_toolkit.utils.messages import counted

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


@dataclass(slots=True)
class Row:
    """The result of one entrant.

    Attributes:
        lost, stake: expected results that its moves lost, and that random moves would have.
        forfeits: games lost because the bot gave no move; ``reason`` is the first of them.
    """

    name: str
    key: str
    lab: str
    won: int = 0
    drawn: int = 0
    games: int = 0
    forfeits: int = 0
    reason: str = ""
    lost: float = 0.0
    stake: float = 0.0

    @property
    def points(self) -> float:
        """A win is a point, a draw half a point."""
        return self.won + self.drawn / 2

    @property
    def accuracy(self) -> float | None:
        """From 0 (as random moves) to 1 (nothing lost); ``None`` if nothing was at stake."""
        return max(0.0, 1 - self.lost / self.stake) if self.stake else None

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
    not be played: both names and why.
    """

    game: str
    rows: Sequence[Row]
    absent: Sequence[tuple[str, str, str]] = ()
    unplayed: Sequence[tuple[str, str, str]] = ()
    rounds: int = 0
    of_rounds: int = 0


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
    for each in graded:
        if each.lab.bot and not each.problem:
            by_game.setdefault(each.lab.game, []).append(each)
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
        self._bots = [
            Entrant(each.handed_in.student, each.handed_in.key, each.lab.id, self._spec(each))
            for each in works
        ]
        self._plies = max(2, len(make_game(game).board) // 5)

    def _spec(self, each: Graded) -> str:
        """The engine of a submission: its files in a folder that is named by their digest."""
        folder = self._folder / "bots" / f"{each.lab.id}-{each.handed_in.digest}"
        for name, text in each.handed_in.files.items():
            if not any(part.startswith(".") for part in name.split("/")):
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        mark_folder(each.lab, folder)
        return f"lab:folder={quoted(str(folder.resolve()))},time={MOVE_SECONDS}"

    def play(self) -> Standings:
        with Journal(self._folder / f"tournament-{self._game}.jsonl", "tournament", {}) as journal:
            done = {line["key"]: line["result"] for line in journal.done}
            able, absent = self._enter(journal, done)
            references = [Entrant(name, name, "", spec) for name, spec in REFERENCES.items()]
            entrants = [*able, *references] if able else []
            plan = _rounds(len(entrants))
            played = plan if self._rounds is None else plan[: self._rounds]
            matches = [
                (
                    entrants[one],
                    entrants[two],
                    Match(
                        self._game,
                        (entrants[one].spec, entrants[two].spec),
                        pairs=1,
                        random_plies=self._plies,
                        seed=self._seed + number,
                    ),
                )
                for number, pairings in enumerate(played)
                for one, two in pairings
            ]
            self._run("tournament", _play, [match for _, _, match in matches], journal, done)
        rows = {each: Row(each.name, each.key, each.lab) for each in entrants}
        unplayed: list[tuple[str, str, str]] = []
        for one, two, match in matches:
            result = done[_match_key(match)]
            _count(rows[one], rows[two], result)
            if result["reason"]:
                unplayed.append((one.name, two.name, result["reason"]))
        table = sorted(rows.values(), key=lambda row: (-row.points, -(row.accuracy or 0), row.name))
        return Standings(self._game, table, absent, unplayed, len(played), len(plan))

    def _enter(
        self, journal: Journal, done: dict[str, Any]
    ) -> tuple[list[Entrant], list[tuple[str, str, str]]]:
        """The bots that can move, and why the others cannot."""
        seeds = [self._seed + number for number in range(_TRIALS)]
        trials = [(self._game, bot.spec, self._plies, seeds) for bot in self._bots]
        self._run("trying bots", _try_out, trials, journal, done)
        able, absent = [], []
        for bot, trial in zip(self._bots, trials, strict=True):
            reason = done[_trial_key(trial)]["reason"]
            if reason:
                absent.append((bot.name, bot.lab, reason))
            else:
                able.append(bot)
        return able, absent

    def _run(
        self,
        step: str,
        function: Callable[[Any], dict[str, Any]],
        tasks: Sequence[Any],
        journal: Journal,
        done: dict[str, Any],
    ) -> None:
        """Do those tasks that an earlier run has not done; each result goes to the journal."""
        key = _match_key if function is _play else _trial_key
        waiting = {key(task): task for task in tasks if key(task) not in done}
        total = len(waiting)
        while waiting:
            keys = list(waiting)
            try:
                for number, result in self._executor.map(function, [waiting[k] for k in keys]):
                    self._keep(keys[number], result, waiting, journal, done)
                    self._tell(step, total - len(waiting), total)
            except LostTaskError as error:
                if error.task is None:
                    raise
                ended = {"reason": "ended the process that referees", "games": []}
                self._keep(keys[error.task], ended, waiting, journal, done)

    def _keep(
        self,
        key: str,
        result: dict[str, Any],
        waiting: dict[str, Any],
        journal: Journal,
        done: dict[str, Any],
    ) -> None:
        done[key] = result
        del waiting[key]
        journal.add({"key": key, "result": result})


def _rounds(count: int) -> list[list[tuple[int, int]]]:
    """The rounds of a round robin: everyone plays once in each, or rests if the count is odd.

    >>> _rounds(4)
    [[(0, 3), (1, 2)], [(0, 2), (3, 1)], [(0, 1), (2, 3)]]
    """
    places: list[int | None] = [*range(count), *([None] if count % 2 else [])]
    half, plan = len(places) // 2, []
    for _ in range(len(places) - 1):
        pairs = zip(places[:half], reversed(places[half:]), strict=True)
        plan.append([(a, b) for a, b in pairs if a is not None and b is not None])
        places = [places[0], places[-1], *places[1:-1]]
    return plan


def _bot_name(spec: str) -> str:
    """A spec without the place of its folder, for the journal: the folder names the digest."""
    return Path(spec.rpartition(",")[0].rstrip("\"'")).name if spec.startswith("lab:") else spec


def _match_key(match: Match) -> str:
    one, two = map(_bot_name, match.engines)
    return f"match {match.seed} {one} {two}"


def _trial_key(trial: tuple[str, str, int, list[int]]) -> str:
    return f"trial {trial[3][0]} {_bot_name(trial[1])}"


def _count(one: Row, two: Row, result: Mapping[str, Any]) -> None:
    """Add the games of a match to both rows."""
    for game in result["games"]:
        for row, view, number in ((one, 1, 0), (two, -1, 1)):
            row.games += 1
            row.won += game["result"] * view > 0
            row.drawn += game["result"] == 0
            row.lost += game["lost"][number]
            row.stake += game["stake"][number]
            if game["forfeit"] and game["forfeit"][0] == number:
                row.forfeits += 1
                row.reason = row.reason or game["forfeit"][1]


# ------------------------------------------------------------------------ in a worker


def _try_out(trial: tuple[str, str, int, list[int]]) -> dict[str, Any]:
    """Whether a bot answers with legal moves: ``reason`` is "" or why not."""
    game, spec, plies, seeds = trial
    player = new_engine(game, spec, seed=0)
    for seed in seeds:
        env = make_game(game)
        for move in draw_openings(Match(game, ("random", "random"), 1, plies, seed))[0]:
            env.step(move)
        try:
            checked_answer(player, env)
        except EngineFailedError as error:
            return {"reason": error.reason[:300]}
        except Exception as error:  # one bot must not end the tournament
            return {"reason": f"{type(error).__name__}: {error}"[:300]}
    return {"reason": ""}


def _play(match: Match) -> dict[str, Any]:
    """The games of a match, with what each bot lost against exact play; or why there are none."""
    try:
        return {"games": [_judged(match, game) for game in play_match(match).games], "reason": ""}
    except Exception as error:  # one match must not end the tournament
        return {"games": [], "reason": f"{type(error).__name__}: {error}"[:300]}


def _judged(match: Match, game: PlayedGame) -> dict[str, Any]:
    lost, stake = [0.0, 0.0], [0.0, 0.0]
    env = make_game(match.game)
    for move in game.opening:
        env.step(move)
    for move in game.moves:
        analysis = _exact(match.game, position_to_text(env))
        if analysis is not None:
            number = game.first if env.current_player > 0 else 1 - game.first
            verdict = review_move(env, move, analysis, 1)
            if verdict.value_at_stake > 0:
                lost[number] += verdict.value_lost
                stake[number] += verdict.value_at_stake
        env.step(move)
    failed = game.forfeit
    return {
        "result": game.result,
        "lost": lost,
        "stake": stake,
        "forfeit": None if failed is None else [failed.engine, failed.reason[:300]],
    }


@lru_cache(maxsize=20_000)
def _exact(game: str, position: str) -> Analysis | None:
    """What exact play says of a position, ``None`` where the game has no quick solver."""
    env: BaseGameEnv = position_from_text(game, position)
    solver = _solver(game)
    return None if solver is None else solver.analyse(env)


@lru_cache(maxsize=4)
def _solver(game: str) -> Any:
    return exact_player(make_game(game))
