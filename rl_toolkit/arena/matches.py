"""Matches: two engines, paired openings, colours swapped.

Every opening is played twice, once with each engine moving first, so that neither the opening nor
the first move favours an engine. The two games of a pair depend on each other; the confidence
interval is therefore computed over pairs.

The seed determines the openings and all randomness of the engines, so a match can be repeated, and
any worker can play any game.

An engine that raises an error or plays an illegal move forfeits the game, and the match continues.
One that cannot be started or loaded, and needs a long time for that, is not tried again.

A pair in a file names the networks and the code that played it. If an engine has a new network when
the match is resumed, its pairs are played again. If its code has changed, the caller decides.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rl_toolkit.arena.arbiter.adjudication import Adjudication
from rl_toolkit.arena.arbiter.limits import warnings
from rl_toolkit.arena.arbiter.referee import referee
from rl_toolkit.arena.arbiter.repeated_games import RepeatedGames
from rl_toolkit.arena.engine_code import (
    IF_CHANGED,
    ChangedCodeError,
    IfChanged,
    code_of,
    version_of,
)
from rl_toolkit.arena.growing_list import SoFar
from rl_toolkit.arena.journal import Journal
from rl_toolkit.arena.match_results import Forfeit, Match, MatchResult, PlayedGame
from rl_toolkit.arena.openings.drawing import Openings
from rl_toolkit.arena.openings.opening import Opening
from rl_toolkit.arena.play_game import EngineFailedError, OnMove
from rl_toolkit.arena.worker_engines import (
    UnpreparedEngine,
    check_versions,
    network_of,
    new_engine,
    prepared,
)
from rl_toolkit.envs import make_game, naming_failures
from rl_toolkit.players import Player, make_player
from rl_toolkit.players.options import without_folder
from rl_toolkit.utils.executors import Executor, InProcess

__all__ = [
    "ChangedCodeError",
    "EngineFailedError",
    "Forfeit",
    "IfChanged",
    "Match",
    "MatchResult",
    "OnPair",
    "Openings",
    "PlayedGame",
    "draw_openings",
    "play_match",
]

#: Seconds after which a failure to prepare an engine is not waited for again.
_LONG = 1.0

#: Bytes of a game in a file, about.
GAME_BYTES = 500

#: A game to play: the match, the number of its pair, the opening, and which engine is X.
Task = tuple[Match, int, Opening, int]
#: Called with the result so far: at the start if there are saved games, then after every pair.
OnPair = Callable[[MatchResult], object]


def play_match(
    match: Match,
    *,
    executor: Executor | None = None,
    on_pair: OnPair | None = None,
    on_news: Callable[[str], object] | None = None,
    save: Path | None = None,
    if_changed: IfChanged = "refuse",
) -> MatchResult:
    """Play a match; with ``save`` games are written to a file, and an interrupted run resumes.

    Pairs in the file that were played by other networks are ignored, and ``on_news`` is called. For
    pairs that were played by other code of an engine ``if_changed`` decides: ``refuse`` raises
    `ChangedCodeError`, ``replay`` plays them again, ``keep`` counts them. ``on_news`` is also
    called at once when an engine forfeits its first game.
    """
    if if_changed not in IF_CHANGED:
        raise ValueError(f"if_changed must be one of {', '.join(IF_CHANGED)}, not {if_changed!r}")
    tell = on_news or (lambda text: None)
    players = [make_player(match.game, engine) for engine in match.engines]
    for said in warnings(match.engines, players, match.rules, make_game(match.game)):
        tell(said)
    check_versions(match.game, players)
    stamp = _stamp(match, players)
    openings = Openings(match)
    _ = openings[0]  # raises an error if there is none, before anything is written
    games: list[PlayedGame] = []
    journal = None
    if save is not None:
        journal = Journal(save, "match", _work(match), room=2 * match.pairs * GAME_BYTES)
    try:
        if journal is not None:
            games += _saved_games(match, journal, stamp, if_changed, tell)
        if games and on_pair is not None:
            on_pair(MatchResult(match, SoFar(games)))
        done = {game.pair for game in games}
        tasks = _Tasks(match, [n for n in range(match.pairs) if n not in done], openings)
        forget_failures()
        failed: set[int] = set()
        halves: dict[int, dict[str, Any]] = {}  # games whose pair is not complete
        watch = RepeatedGames()
        for number, game in (executor or InProcess()).map(play_paired_game, tasks):
            lost = game.get("forfeit")
            if lost is not None and lost["engine"] not in failed:
                failed.add(lost["engine"])
                tell(f"{match.engines[lost['engine']]} {lost['reason']} and forfeits the game.")
            pair = tasks[number][1]
            other = halves.pop(pair, None)
            if other is None:
                halves[pair] = game
                continue
            both = sorted((game, other), key=lambda each: int(each["first"]))
            line = {"pair": pair, "games": both}
            if journal is not None:
                journal.add({**line, **asdict(stamp)})
            games.extend(games_of_line(line))
            if said := watch.remark(match.engines, games[-2:]):
                tell(said)
            if on_pair is not None:
                on_pair(MatchResult(match, SoFar(games)))
    finally:
        if journal is not None:
            journal.close()
    return MatchResult(match, sorted(games, key=lambda game: (game.pair, game.first)))


# -------------------------------------------------------------------- saved games


@dataclass(frozen=True, slots=True)
class _Stamp:
    """Who plays: the network, the code and the version of each engine."""

    networks: list[str | None]
    code: list[str]
    versions: list[str | None]


def _stamp(match: Match, players: Sequence[Player]) -> _Stamp:
    return _Stamp(
        [network_of(match.game, player) for player in players],
        [code_of(match.game, player) for player in players],
        [version_of(player) for player in players],
    )


def _work(match: Match) -> dict[str, Any]:
    """The description that a file of games must match; without pairs, so that a match can grow.

    A bot is known by its code, wherever its file is.
    """
    work = {name: value for name, value in match.to_dict().items() if name != "pairs"}
    return work | {"engines": tuple(map(without_folder, match.engines))}


def _saved_games(
    match: Match,
    journal: Journal,
    stamp: _Stamp,
    if_changed: IfChanged,
    tell: Callable[[str], object],
) -> list[PlayedGame]:
    """The games in the file that count; a file from an older version does not name the code."""
    here = [line for line in journal.done if line["pair"] < match.pairs]
    known = [line for line in here if line.get("networks", stamp.networks) == stamp.networks]
    same = [line for line in known if line.get("code", stamp.code) == stamp.code]
    if if_changed == "keep":
        same = known
    current = {line["pair"]: line for line in same}  # a pair that was played again counts once
    older = {line["pair"] for line in known} - set(current)
    if older and if_changed == "refuse":
        changed = {
            engine
            for line in known
            if line["pair"] in older
            for number, engine in enumerate(match.engines)
            if line["code"][number] != stamp.code[number]
        }
        raise ChangedCodeError.since(sorted(changed), 2 * len(older), journal.path)
    other = {line["pair"] for line in here} - {line["pair"] for line in known}
    for pairs, what in ((older, "older code"), (other, "another network")):
        if pairs:
            count = 2 * len(pairs)
            tell(f"{count} games in {journal.path} were played by {what} and will be replayed.")
    return [game for line in current.values() for game in games_of_line(line)]


def games_of_line(line: dict[str, Any]) -> list[PlayedGame]:
    """The games of a pair, from a line of a journal."""
    return [
        PlayedGame(
            pair=line["pair"],
            first=game["first"],
            opening=tuple(game["opening"]),
            moves=tuple(game["moves"]),
            result=game["result"],
            seconds=(game["seconds"][0], game["seconds"][1]),
            thought=(game["thought"][0], game["thought"][1]),
            over_time=(over_time[0], over_time[1]),
            forfeit=Forfeit(**game["forfeit"]) if "forfeit" in game else None,
            start=game.get("start", ""),
            over_limit=(over_limit[0], over_limit[1]),
            excess=(excess[0], excess[1]),
            adjudication=Adjudication(**proof) if proof else None,
            unchecked=(unchecked[0], unchecked[1]),
        )
        for game in line["games"]
        for over_time in [game.get("over_time", (0, 0))]
        for over_limit in [game.get("over_limit", (0, 0))]
        for excess in [game.get("excess", ("", ""))]
        for proof in [game.get("adjudication")]
        for unchecked in [game.get("unchecked", (0, 0))]
    ]


# ------------------------------------------------------------------------ playing


def draw_openings(match: Match) -> list[list[int]]:
    """The openings of a match: random moves that do not end the game, distinct if possible.

    A longer match begins with the openings of a shorter one.
    """
    openings = Openings(match)
    return [list(openings[pair]) for pair in range(match.pairs)]


class _Tasks(Sequence[Task]):
    """The games of some pairs, with either engine first; openings are drawn as they are needed."""

    def __init__(self, match: Match, pairs: Sequence[int], openings: Openings) -> None:
        self._match, self._pairs, self._openings = sent(match), pairs, openings

    def __len__(self) -> int:
        return 2 * len(self._pairs)

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < len(self):
            raise IndexError(number)
        pair = self._pairs[number // 2]
        return self._match, pair, self._openings[pair], number % 2


def sent(match: Match) -> Match:
    """The match as its workers need it: a task has its own opening, and not the whole list."""
    return match if match.openings is None else replace(match, openings=None)


#: Engines that could not be prepared, and took long to fail: the match, their number, and why.
_slow_failures: dict[tuple[Match, int], str] = {}


def forget_failures() -> None:
    """Try again to prepare engines that failed; for the beginning of a run."""
    _slow_failures.clear()


@naming_failures()
def play_paired_game(task: Task, on_move: OnMove | None = None) -> dict[str, Any]:
    """One game of a pair, as a part of a line of a journal.

    ``on_move`` is called as in `play_on`, for those who watch; its time counts for nobody.
    """
    match, pair, opening, first = task
    env = opening.position(match.game)
    # New engines for every game, so that it does not depend on what they remember of the last one.
    rng = random.Random(f"{match.seed} {pair} {first}")
    seeds = [rng.getrandbits(31) for _ in match.engines]
    engines = [_ready(match, number, seed) for number, seed in enumerate(seeds)]
    numbers = {1: first, -1: 1 - first}
    players = {player: engines[number] for player, number in numbers.items()}
    seen = referee(env, players, numbers, match.rules, on_move)
    if seen.loss is not None:
        result = -1 if seen.loss[0] == 0 else 1
    else:
        proof = seen.adjudication
        winner = int(env.get_result(1)) if proof is None else proof.winner
        result = winner if first == 0 else -winner
    return {
        "first": first,
        **({"start": opening.start} if opening.start else {}),
        "opening": list(opening.moves),
        "moves": env.history[len(opening.moves) :],
        "result": result,
        **seen.to_dict(),
    }


def _ready(match: Match, number: int, seed: int) -> Player | UnpreparedEngine:
    """An engine of a match, started before the clock is; if it fails, its first move will."""
    player = new_engine(match.game, match.engines[number], seed=seed)
    if (reason := _slow_failures.get((match, number))) is not None:
        return UnpreparedEngine(player.name, reason)
    began = time.monotonic()
    engine = prepared(match.game, player)
    if isinstance(engine, UnpreparedEngine) and time.monotonic() - began > _LONG:
        _slow_failures[match, number] = engine.reason
    return engine
