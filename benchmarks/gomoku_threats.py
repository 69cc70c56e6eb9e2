"""Gomoku kernels: stones made and undone, proofs of puzzles, depth and nodes of the search.

    python -m benchmarks gomoku_threats
    python -m benchmarks.gomoku_threats --puzzles threat_puzzles.jsonl

All rates are per second of processor time. A file of puzzles has a JSON object per line with
``kind`` (``vcf``: a win by fours, ``vct``: by threats), ``rule``, ``size`` and ``position``.
Without one (option ``--puzzles``, or the variable GOMOKU_PUZZLES) the puzzles are skipped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import Row
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Gomoku
from rl_toolkit.kernels.gomoku.board import walk
from rl_toolkit.kernels.gomoku.layout import FOUR_NODES
from rl_toolkit.kernels.gomoku.state import State
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD, LineRule
from rl_toolkit.records import position_from_text

BOARDS = ((9, FREESTYLE), (15, FREESTYLE), (15, STANDARD), (20, FREESTYLE), (20, STANDARD))
STONES, REACH, ROUNDS = 40, 5, 5000
OPENINGS, NODES = 6, (400_000, 2_000_000)
RULES = {rule.name: rule for rule in (FREESTYLE, STANDARD)}


def _row(what: str, board: str, count: int, rates: list[float], seconds: list[float]) -> Row:
    return {
        "what": what,
        "board": board,
        "positions": count,
        "M a second": round(statistics.median(rates), 2),
        "median, ms": round(1000 * statistics.median(seconds), 3),
        "slowest, ms": round(1000 * max(seconds), 2),
        "result": "",
    }


def made_and_undone(size: int, rule: LineRule) -> Row:
    """Random stones near the centre, made and undone in turn."""
    chance = np.random.default_rng(1)
    state = State(size, rule)
    middle = size // 2
    rows = range(max(0, middle - REACH), min(size, middle + REACH + 1))
    near = [row * size + col for row in rows for col in rows]
    rates, seconds = [], []
    for _ in range(9):
        moves = chance.permutation(near)[:STONES].astype(np.int64)
        for rounds in (10, ROUNDS):
            begun = time.process_time()
            walk(state.block, moves, rounds)
            spent = time.process_time() - begun
        seconds.append(spent)
        rates.append(STONES * ROUNDS / spent / 1e6)
    return _row("make + undo", f"{size}, {rule.name}", len(rates), rates, seconds)


def puzzles(path: Path) -> Iterator[tuple[str, str, int, list[tuple[int, int]], int]]:
    """Kind, rule, size, stones and side to move of each puzzle."""
    for line in path.read_text().splitlines():
        puzzle = json.loads(line)
        rule, size = puzzle["rule"], puzzle["size"]
        env = position_from_text(f"gomoku-{size}-{rule}", puzzle["position"])
        cells = enumerate(env.board.tolist())
        stones = [(cell, 0 if stone == 1 else 1) for cell, stone in cells if stone]
        yield puzzle["kind"], rule, size, stones, 0 if env.current_player == 1 else 1


def solved(path: Path, kind: str, rule: str) -> Row:
    """All puzzles of a kind and rule, each with empty tables."""
    seconds, nodes, won, space = [], 0, 0, Workspace(15, RULES[rule])
    for its_kind, its_rule, _size, stones, side in puzzles(path):
        if (its_kind, its_rule) != (kind, rule):
            continue
        space.forget()
        space.set_up(stones)
        before, begun = space.nodes, time.process_time()
        if kind == "vcf":
            won += space.fours(side, 10**9)[0] > 0
        else:
            won += space.prove(side) is True
        seconds.append(time.process_time() - begun)
        nodes += int(space.block[FOUR_NODES]) if kind == "vcf" else space.nodes - before
    what = {"vcf": "puzzles, fours", "vct": "puzzles, threats"}[kind]
    row = _row(what, f"15, {rule}", len(seconds), [nodes / sum(seconds) / 1e6], seconds)
    return {**row, "result": f"{won} of {len(seconds)} won"}


def searched(nodes: int) -> Row:
    """The depth that a number of nodes reaches from openings of four stones."""
    engine, chance = GomokuEngine(proofs=False), random.Random(1)
    depths, rates, seconds = [], [], []
    for _ in range(OPENINGS):
        env = Gomoku(15)
        near = [row * 15 + col for row in range(5, 10) for col in range(5, 10)]
        for cell in chance.sample(near, 4):
            env.step(cell)
        engine.forget()
        begun = time.process_time()
        result = engine.analyse(env, Limit(nodes=nodes))
        spent = time.process_time() - begun
        depths.append(result.depth or 0)
        rates.append((result.nodes or 0) / spent / 1e6)
        seconds.append(spent)
    row = _row(f"search, {nodes:,} nodes", "15, freestyle", OPENINGS, rates, seconds)
    return {**row, "result": f"depth {min(depths)} to {max(depths)}"}


def measured(path: Path | None) -> Iterator[Row]:
    """All rows, as they are measured."""
    Workspace.make()
    for board in BOARDS:
        yield made_and_undone(*board)
    given = path or Path(os.environ.get("GOMOKU_PUZZLES", ""))
    for kind in ("vcf", "vct"):
        for rule in RULES:
            if given.is_file():
                yield solved(given, kind, rule)
            else:
                nothing = dict.fromkeys(_row("", "", 0, [0.0], [0.0]))
                skipped = {"what": f"puzzles, {kind}", "board": f"15, {rule}"}
                yield nothing | skipped | {"result": "skipped: no file of puzzles"}
    for nodes in NODES:
        yield searched(nodes)


def run() -> list[Row]:
    return list(measured(None))


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("--puzzles", type=Path, help="a file of puzzles")
    for row in measured(parser.parse_args().puzzles):
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
