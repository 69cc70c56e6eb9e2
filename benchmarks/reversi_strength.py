r"""The strength of the engine `reversi`: games from random openings, each with both colours.

    python -m benchmarks.reversi_strength --opponent mcts --openings 100 --time 1
    python -m benchmarks.reversi_strength --opponent rhino --openings 100 --time 1
    python -m benchmarks.reversi_strength --player reversi:depth=4 --opponent minimax --time 0
    python -m benchmarks.reversi_strength --player reversi:book=off --opponent reversi:book=off \\
        --opponent-from ../old --balanced 2 --openings 200 --time 0.1

Every game is written to a journal as it ends; run the same command to resume. ``--first 100`` plays
other openings, ``--workers 14`` as many games at the same time. Intervals are computed over pairs
of games, as the two games of an opening are not independent, and are Wilson's if all pairs ended
alike.

With ``--opponent-from FOLDER`` (or ``--player-from``) both players run in processes of their own,
this one with the package of another checkout, and their clocks count processor seconds (see
`benchmarks._reversi_player`). The journal says how many each used. ``--balanced 2`` leaves out the
openings in which one side seems to be more than two discs ahead.

Run as a benchmark it plays a few quick games; figures worth quoting take hours.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks import Row
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import Reversi
from rl_toolkit.players import make_engine
from rl_toolkit.protocols.gtp.client import GtpEngine
from rl_toolkit.protocols.program import find_program
from rl_toolkit.utils.statistics import Z95, elo, wilson_interval

#: GRhino at its strongest level.
RHINO = "gtp-rhino --level=5"
HERE = Path(__file__).parents[1]
JOURNALS = Path(__file__).parent / "results"
OPENING_PLIES = 8
QUICK_OPENINGS, QUICK_SECONDS = 3, 0.05

Mover = Callable[[Reversi], int]
Game = dict[str, Any]


def openings(count: int, most: float = math.inf) -> list[Reversi]:
    """Distinct unfinished games after random moves, always the same ones.

    With ``most`` only games in which neither side seems to be ahead by more discs.
    """
    chance, kept = random.Random(2024), dict[object, Reversi]()
    judge = ReversiEngine(book=None, max_memory_mb=16)
    while len(kept) < count:
        env = Reversi()
        for _ in range(OPENING_PLIES):
            env.step(chance.choice(env.get_legal_moves()))
        if most < math.inf and abs(judge.analyse(env, Limit(depth=8)).best.score or 0) > most:
            continue
        kept.setdefault(env.get_state_hash(), env)
    return list(kept.values())


def clocked(name: str, seconds: float) -> str:
    """The spec of an engine with this limit for each move; 0 for none."""
    return name + (f"{',' if ':' in name else ':'}time={seconds}" if seconds else "")


class Process:
    """A player in a process of its own, with the package of the checkout in ``folder``."""

    def __init__(self, folder: Path, spec: str, stack: ExitStack) -> None:
        own = folder.absolute() / ".venv" / "bin" / "python"
        python = str(own) if own.exists() else sys.executable
        code = JOURNALS / "code" / f"{folder.absolute().name}-{os.getpid()}"
        away = {"PYTHONPATH": str(folder.absolute()), "RL_TOOLKIT_CACHE_DIR": str(code.absolute())}
        self._process = subprocess.Popen(
            [python, "-P", str(Path(__file__).with_name("_reversi_player.py")), spec],
            env=os.environ | away,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(shutil.rmtree, code, ignore_errors=True)
        stack.callback(self._process.kill)
        self._read()  # it is ready
        self.seconds = 0.0

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a player ended")
        return line

    def __call__(self, env: Reversi) -> int:
        assert self._process.stdin is not None
        print(*env.history, file=self._process.stdin, flush=True)
        move, seconds = self._read().split()
        self.seconds += float(seconds)
        return int(move)


def mover(name: str, seconds: float, stack: ExitStack) -> Mover:
    """A player: GRhino for ``rhino``, else an engine by its spec, with a clock unless it is 0."""
    player: Engine
    if name == "rhino":
        player = stack.enter_context(GtpEngine(RHINO, patience=600))
    else:
        player = make_engine(clocked(name, seconds))

    def best(env: Reversi) -> int:
        found = player.analyse(env).best_move
        assert found is not None
        return found

    return best


def play(opening: Reversi, black: Mover, white: Mover) -> int:
    """Play a game and return Black's lead in discs at the end."""
    env = opening.copy()
    while not env.is_terminal():
        env.step((black if env.current_player == 1 else white)(env))
    return env.piece_count(1) - env.piece_count(-1)


def match(
    player: str,
    opponent: str,
    numbers: Sequence[int],
    seconds: float,
    journal: Path,
    verbose: bool,
    folders: tuple[Path | None, Path | None] = (None, None),
    most: float = math.inf,
) -> list[Game]:
    """Play the openings in ``numbers`` that the journal lacks, and return all their games."""
    match_name = {"player": player, "opponent": opponent, "seconds": seconds}
    if any(folders):
        match_name |= {"from": [str(folder or HERE) for folder in folders], "balanced": most}
    games = [
        game
        for game in _read(journal)
        if match_name.items() <= game.items() and game["opening"] in numbers
    ]
    done = {(game["opening"], game["colour"]) for game in games}
    journal.parent.mkdir(exist_ok=True)
    with ExitStack() as stack, open(journal, "a", encoding="utf-8") as file:
        if any(folders):
            ours, theirs = (
                Process(folder or HERE, clocked(name, seconds), stack)
                for name, folder in zip((player, opponent), folders, strict=True)
            )
        else:
            ours, theirs = (mover(name, seconds, stack) for name in (player, opponent))
        starts = openings(numbers[-1] + 1, most)
        for number in numbers:
            for colour in (1, -1):
                if (number, colour) in done:
                    continue
                lead = play(starts[number], *((ours, theirs) if colour == 1 else (theirs, ours)))
                games.append(
                    match_name | {"opening": number, "colour": colour, "margin": colour * lead}
                )
                if isinstance(ours, Process) and isinstance(theirs, Process):
                    games[-1]["used"] = [ours.seconds, theirs.seconds]
                    ours.seconds = theirs.seconds = 0.0
                file.write(json.dumps(games[-1]) + "\n")
                file.flush()
                if verbose:
                    print(f"{len(games)} of {2 * len(numbers)}: {summary(games)}", file=sys.stderr)
    return games


def match_in_processes(
    player: str, opponent: str, numbers: range, seconds: float, journal: Path, workers: int
) -> list[Game]:
    """`match` with the openings divided among processes, each with a journal of its own.

    Both players of a game have the same core, one after the other, so a clock treats them alike as
    long as there are no more workers than free cores.
    """
    shares = [numbers[worker::workers] for worker in range(workers)]
    journals = [journal.with_name(f"{journal.stem}-{k}{journal.suffix}") for k in range(workers)]
    games: list[Game] = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        asked = [
            pool.submit(match, player, opponent, share, seconds, own, False)
            for share, own in zip(shares, journals, strict=True)
            if share
        ]
        for done in as_completed(asked):
            games += done.result()
            print(f"{len(games)} of {2 * len(numbers)}: {summary(games)}", file=sys.stderr)
    return games


def _read(journal: Path) -> list[Game]:
    """The games in a journal; an incomplete line is skipped."""
    games = []
    for line in journal.read_text("utf-8").splitlines() if journal.exists() else ():
        try:
            games.append(json.loads(line))
        except ValueError:
            continue
    return games


def points(game: Game) -> float:
    """1 for a win, a half for a draw."""
    return 0.5 + 0.5 * ((game["margin"] > 0) - (game["margin"] < 0))


def summary(games: list[Game]) -> Row:
    """Points in percent with their 95 % confidence interval, and mean discs."""
    pairs: dict[int, list[float]] = {}
    for game in games:
        pairs.setdefault(game["opening"], []).append(points(game))
    means = [statistics.fmean(pair) for pair in pairs.values()]
    share = statistics.fmean(map(points, games))
    if len(set(means)) > 1:
        reach = Z95 * statistics.stdev(means) / math.sqrt(len(means))
        least, highest = max(share - reach, 0.0), min(share + reach, 1.0)
    else:  # all pairs ended alike, so their spread is unknown
        least, highest = wilson_interval(share, len(means))
    return {
        "player": games[0]["player"],
        "opponent": games[0]["opponent"],
        "s a move": games[0]["seconds"],
        "games": len(games),
        "points %": 100 * share,
        "from %": 100 * least,
        "to %": 100 * highest,
        "Elo": elo(share),
        "discs": statistics.fmean(game["margin"] for game in games),
    }


def run() -> list[Row]:
    """A few quick games against the available opponents, with a separate journal."""
    journal = JOURNALS / "reversi_strength_quick.jsonl"
    journal.unlink(missing_ok=True)
    opponents = ["mcts", *(["rhino"] if find_program("gtp-rhino") else [])]
    numbers = range(QUICK_OPENINGS)
    return [
        summary(match("reversi", opponent, numbers, QUICK_SECONDS, journal, verbose=False))
        for opponent in opponents
    ]


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("--player", default="reversi", help="an engine spec")
    parser.add_argument("--opponent", default="mcts", help="an engine spec, or rhino")
    parser.add_argument("--openings", type=int, default=100, help="the number of openings")
    parser.add_argument("--first", type=int, default=0, help="the number of the first opening")
    parser.add_argument("--time", type=float, default=1.0, help="seconds a move; 0 for no clock")
    parser.add_argument("--workers", type=int, default=1, help="games at the same time")
    parser.add_argument("--journal", type=Path, default=JOURNALS / "reversi_strength.jsonl")
    parser.add_argument("--player-from", type=Path, help="the checkout that the player is from")
    parser.add_argument("--opponent-from", type=Path, help="and that of the opponent")
    parser.add_argument("--balanced", type=float, default=math.inf, help="most discs ahead")
    options = parser.parse_args()
    if options.workers > 1 and (options.player_from or options.opponent_from):
        parser.error("players of other checkouts take one worker")
    who = options.player, options.opponent
    numbers = range(options.first, options.first + options.openings)
    how = numbers, options.time, options.journal
    if options.workers > 1:
        games = match_in_processes(*who, *how, options.workers)
    else:
        folders = options.player_from, options.opponent_from
        games = match(*who, *how, verbose=True, folders=folders, most=options.balanced)
    print(json.dumps(summary(games)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
