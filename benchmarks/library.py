"""The library: import, size of the file, search, explorer, and saving beside an import.

    python -m benchmarks library                  searches among 250,000 games
    python -m benchmarks.library --games 1000000

Games of Reversi are made up: the moves of a position are ranked by a hash, and the k-th is chosen
with a probability that falls with k, so that openings are shared as in an archive. Imports are in
games a second of processor time, searches in milliseconds of processor time, the least of three.
``must`` is what was asked for, among a million games; ``laboratory`` is what a prototype measured.
"""

from __future__ import annotations

import argparse
import json
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import Row
from benchmarks.__main__ import show
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.kernels.jit import f64, i64, kernel, number_array, pointer, u64, word_array
from rl_toolkit.kernels.rules.compiled import compiled_rules
from rl_toolkit.kernels.rules.operations import call_moves, call_play
from rl_toolkit.library import Filter, Library, Pattern
from rl_toolkit.library.kinds import kind_of
from rl_toolkit.library.replay import replay_games

IMPORTED, SEARCHED, TEXTS = 130_000, 250_000, 10_000
LONGEST = 70
PATTERNS = {
    "pattern of 4 stones, 3 free cells": "x?/?x/*/3*/???xo",
    "pattern of a corner": "xo*/o*",
    "pattern of 4 × 4 stones": "*/*/??xxxx/??xoox/??xoox/??xxxx",
}


@kernel(
    i64(i64, i64, word_array, word_array, u64, f64, i64, word_array, number_array, number_array)
)
def _make(
    moves_at: int,
    play_at: int,
    shape: NDArray[np.uint64],
    start: NDArray[np.uint64],
    seed: np.uint64,
    sharp: float,
    count: int,
    state: NDArray[np.uint64],
    legal: NDArray[np.int64],
    out: NDArray[np.int64],
) -> int:
    """Write ``count`` games to rows of ``out``, −1 behind their last moves."""
    chance = seed
    for game in range(count):
        state[0], state[1] = start[0], start[1]
        for ply in range(LONGEST):
            options = call_moves(moves_at, pointer(state), pointer(shape), pointer(legal))
            mixed = (state[0] * np.uint64(0x9E3779B97F4A7C15)) ^ (
                state[1] * np.uint64(0xBF58476D1CE4E5B9)
            )
            rank = np.int64(0)
            while rank < options - 1:
                chance ^= chance << np.uint64(13)
                chance ^= chance >> np.uint64(7)
                chance ^= chance << np.uint64(17)
                drawn = np.float64(chance >> np.uint64(11)) / 9007199254740992.0
                if drawn > (sharp if ply < 12 else 0.75):
                    break
                rank += 1
            # Selection sort, as far as it is needed, by the hash of position and move.
            for k in range(rank + 1):
                least = k
                for other in range(k + 1, options):
                    one = (mixed ^ np.uint64(legal[other] + 1)) * np.uint64(0x94D049BB133111EB)
                    two = (mixed ^ np.uint64(legal[least] + 1)) * np.uint64(0x94D049BB133111EB)
                    if one < two:
                        least = other
                legal[k], legal[least] = legal[least], legal[k]
            move = legal[rank]
            out[game * LONGEST + ply] = move
            if call_play(play_at, pointer(state), pointer(shape), move) != 0:
                break
    return 0


def made_games(count: int, seed: int = 1) -> NDArray[np.int64]:
    """Finished games of Reversi, a row each, with passes; −1 behind the last move."""
    env = make_game("reversi")
    spec = env.kernel_spec()
    assert spec is not None
    rules = compiled_rules(spec)
    assert rules is not None
    out = np.full(count * LONGEST, -1, np.int64)
    start = rules.encode(np.asarray(env.board, np.int8), 1)
    moves_at, play_at = rules.operations.moves.address, rules.operations.play.address
    _make(
        moves_at,
        play_at,
        rules.geometry,
        start,
        np.uint64(seed * 7919 + 12345),
        0.45,
        count,
        np.zeros(2, np.uint64),
        np.zeros(128, np.int64),
        out,
    )
    return out.reshape(count, LONGEST)


def wthor_file(games: NDArray[np.int64], depth: int = 0) -> dict[str, bytes]:
    """A WTHOR database of these games, with 2,000 players and 300 tournaments."""
    count = len(games)
    rng = np.random.default_rng(3)
    rows = np.zeros((count, 68), np.uint8)
    heads = np.stack([rng.integers(1, n, count) for n in (300, 2000, 2000)], 1).astype("<u2")
    rows[:, :6] = heads.view(np.uint8).reshape(count, 6)
    stones = replay_games(kind_of("reversi-8"), [row[row >= 0] for row in games]).stones
    lead, empty = stones[:, 0] - stones[:, 1], 64 - stones.sum(1)
    rows[:, 6] = stones[:, 0] + (1 + np.sign(lead)) * empty // 2
    rows[:, 7] = rng.integers(0, 65, count)
    placed = (games >= 0) & (games < 64)
    at = np.cumsum(placed, 1) - 1
    row, ply = np.nonzero(placed)
    move = games[row, ply]
    rows[row, 8 + at[row, ply]] = 10 * (move // 8 + 1) + move % 8 + 1
    head = struct.pack("<4BIHH4B", 20, 26, 1, 1, count, 0, 2001, 8, 0, depth, 0)

    def names(what: str, number: int, size: int) -> bytes:
        first = struct.pack("<4BIHH4B", 20, 26, 1, 1, 0, number, 0, 0, 0, 0, 0)
        return first + b"".join(f"{what} {k}".encode().ljust(size, b"\0") for k in range(number))

    return {
        ".wtb": head + rows.tobytes(),
        ".jou": names("Player", 2000, 20),
        ".trn": names("Cup", 300, 26),
    }


def texts_of(games: NDArray[np.int64]) -> dict[str, bytes]:
    """The games as SGF and as JSON lines."""
    env = make_game("reversi")
    names = [env.move_name(move) for move in range(65)]
    letters = [f"{'abcdefgh'[m % 8]}{'abcdefgh'[m // 8]}" for m in range(64)] + [""]
    sgf, lines = [], []
    for number, row in enumerate(games.tolist()):
        moves = [move for move in row if move >= 0]
        players = f"Ada {number % 90}", f"Max {number % 77}"
        body = "".join(f";{'BW'[k % 2]}[{letters[move]}]" for k, move in enumerate(moves))
        sgf.append(f"(;GM[2]FF[4]SZ[8]PB[{players[0]}]PW[{players[1]}]EV[Cup]DT[2001]{body})\n")
        fields = {
            "version": 1,
            "game": "reversi-8",
            "players": {"x": players[0], "o": players[1]},
            "headers": {"event": "Cup", "date": "2001"},
            "moves": [names[move] for move in moves],
            "result": None,
        }
        lines.append(json.dumps(fields) + "\n")
    return {"sgf": "".join(sgf).encode(), "jsonl": "".join(lines).encode()}


def with_results(data: bytes, games: NDArray[np.int64]) -> bytes:
    """JSON lines with the results that the moves lead to, as a record has to have them."""
    winners = replay_games(kind_of("reversi-8"), [row[row >= 0].tolist() for row in games]).winner
    words = {1: b'"x"', -1: b'"o"', 0: b'"draw"'}
    lines = data.splitlines(keepends=True)
    return b"".join(
        line.replace(b'"result": null', b'"result": ' + words[int(winner)])
        for line, winner in zip(lines, winners, strict=True)
    )


def _imported(folder: Path, name: str, files: dict[str, bytes], games: int) -> tuple[float, float]:
    """Games a second of processor time, and bytes a game, of an import into a new library."""
    for suffix, data in files.items():
        (folder / f"{name}{suffix}").write_bytes(data)
    first = next(iter(files))
    with Library(folder / f"{name}.db") as library:
        begun = time.process_time()
        report = library.import_files([folder / f"{name}{first}"])
        took = time.process_time() - begun
    assert report.added == games, report.refused[:3]
    size = (folder / f"{name}.db").stat().st_size
    return games / took, size / games


def _least(work: Callable[[], object], times: int = 3) -> float:
    """Milliseconds of processor time, the least of some runs."""
    taken = []
    for _ in range(times):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return 1000 * min(taken)


_SAVER = """
import sys, time
from rl_toolkit.library import Library
from rl_toolkit.records import GameRecord
record, taken = GameRecord("tictactoe", (4, 0, 8)), []
with Library(sys.argv[1]) as library:
    while not sys.stdin.closed and len(taken) < 400:
        begun = time.perf_counter()
        library.add(record)
        taken.append(time.perf_counter() - begun)
        time.sleep(0.005)
taken.sort()
print(1000 * taken[len(taken) // 2], 1000 * taken[int(0.99 * len(taken))])
"""


def _saving_beside(folder: Path, files: dict[str, bytes]) -> float:
    """The 99th percentile of saving one game while another process imports, in milliseconds."""
    path = folder / "beside.db"
    for suffix, data in files.items():
        (folder / f"beside{suffix}").write_bytes(data)
    with Library(path) as library:
        saver = subprocess.Popen(
            [sys.executable, "-c", _SAVER, str(path)], stdout=subprocess.PIPE, text=True
        )
        library.import_files([folder / "beside.wtb"])
        out, _ = saver.communicate()
    return float(out.split()[1])


def run(searched: int = SEARCHED) -> list[Row]:
    """Measure everything."""
    rows: list[Row] = []

    def add(what: str, value: float, must: str, laboratory: str) -> None:
        rows.append({"what": what, "here": value, "must": must, "laboratory": laboratory})

    games = made_games(max(searched, IMPORTED))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm = made_games(3_000, 9)
        _imported(folder, "warm", wthor_file(warm), len(warm))
        speed, size = _imported(folder, "a", wthor_file(games[:IMPORTED]), IMPORTED)
        add(f"WTHOR, {IMPORTED:,} games, games/s", speed, "20,000", "60,400 (NORMAL, from arrays)")
        add("file, bytes a game", size, "250", "213")
        some = wthor_file(games[:30_000], depth=22)
        speed, size = _imported(folder, "b", some, 30_000)
        add("WTHOR with theoretical scores, games/s", speed, "20,000", "–")
        add("file with theoretical scores, bytes a game", size, "250", "–")
        texts = texts_of(games[:TEXTS])
        speed, _ = _imported(folder, "c", {".sgf": texts["sgf"]}, TEXTS)
        add("SGF, games/s", speed, "5,000", "357–680 (readers)")
        lines = with_results(texts["jsonl"], games[:TEXTS])
        speed, _ = _imported(folder, "d", {".jsonl": lines}, TEXTS)
        add("JSON lines, games/s", speed, "5,000", "680 (reader)")
        p99 = _saving_beside(folder, wthor_file(games[:60_000]))
        add("a game saved beside an import, p99 ms (wall)", p99, "50", "5")
        rows += _searches(folder, games[:searched])
    return rows


_QUESTION = """
import sys, time
from rl_toolkit import Library, Position
from rl_toolkit.library import Pattern
with Library(sys.argv[1]) as library:
    begun, wall = time.process_time(), time.perf_counter()
    if sys.argv[2] == "position":
        library.search(position=Position("reversi").after(*map(int, sys.argv[3].split())))
    else:
        library.search(pattern=Pattern.read("reversi", sys.argv[3]))
    print(1000 * (time.process_time() - begun), 1000 * (time.perf_counter() - wall))
"""


def _first_question(path: Path, what: str, text: str) -> tuple[float, float]:
    """Milliseconds of the first search of a program, without its start: processor time and wall.

    Packs are read, too; the file is in the memory of the system. The least of three programs, after
    one that compiles what is not compiled yet.
    """
    words = [sys.executable, "-c", _QUESTION, str(path), what, text]
    taken = []
    for _ in range(4):
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
        taken.append(tuple(map(float, done.stdout.split())))
    cpu, wall = zip(*taken[1:], strict=True)
    return min(cpu), min(wall)


def _searches(folder: Path, games: NDArray[np.int64]) -> list[Row]:
    """Searches among all of these games."""
    rows: list[Row] = []
    count = f"{len(games):,} games"
    _imported(folder, "all", wthor_file(games), len(games))
    rng = np.random.default_rng(4)

    def position(ply: int) -> BaseGameEnv:
        row = games[int(rng.integers(len(games)))]
        return BaseGameEnv.after(make_game("reversi"), row[row >= 0][:ply].tolist())

    with Library(folder / "all.db") as library:
        asked = " ".join(map(str, position(30).history))
        first = {
            "position": asked,
            "pattern ...xx.": "...xx.",
            "pattern of a corner": PATTERNS["pattern of a corner"],
            "pattern of 4 × 4 stones": PATTERNS["pattern of 4 × 4 stones"],
            "pattern of an edge": "xxxxxxxx",
        }
        for what, text in first.items():
            for ms, unit in zip(
                _first_question(folder / "all.db", what, text), ("ms", "ms (wall)"), strict=True
            ):
                rows.append(
                    {
                        "what": f"first {what}, {count}, {unit}",
                        "here": ms,
                        "must": "400",
                        "laboratory": "255 + 17" if what == "position" else "–",
                    }
                )
        for ply in (8, 20, 30):
            asked = [position(ply) for _ in range(3)]
            ms = np.mean(
                [_least(lambda env=env: library._searcher._having(env, None)) for env in asked]
            )
            rows.append(
                {
                    "what": f"position at ply {ply}, {count}, ms",
                    "here": float(ms),
                    "must": "50",
                    "laboratory": "9–25",
                }
            )
        for words, text in PATTERNS.items():
            pattern = Pattern.read("reversi", text)
            for _ in range(2):  # the second time the games are unfolded
                library._searcher._matching(pattern, None)
            ms = _least(lambda pattern=pattern: library._searcher._matching(pattern, None))
            rows.append(
                {"what": f"{words}, {count}, ms", "here": ms, "must": "50", "laboratory": "–"}
            )
        for ply, told in ((0, "88"), (1, "245"), (2, "137"), (3, "–"), (4, "38"), (8, "22")):
            asked = [position(ply) for _ in range(3)]
            ms = np.mean(
                [_least(lambda env=env: library._searcher._explore(env, None)) for env in asked]
            )
            rows.append(
                {
                    "what": f"explorer at ply {ply}, {count}, ms",
                    "here": float(ms),
                    "must": "50",
                    "laboratory": told,
                }
            )
        env = position(1)
        library.explore(env)
        ms = _least(lambda: library.explore(env))
        rows.append(
            {"what": "explorer, asked again, ms", "here": ms, "must": "2", "laboratory": "–"}
        )
        where = Filter(player="Player 7")
        ms = _least(lambda: library._searcher._explore(position(2), where))
        rows.append(
            {
                "what": f"explorer for one player, {count}, ms",
                "here": ms,
                "must": "50",
                "laboratory": "–",
            }
        )
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=SEARCHED, help="games to search among")
    show("library", run(parser.parse_args().games))
