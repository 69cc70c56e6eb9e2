"""The error of shallow Reversi searches, on which ProbCut is based.

    python -m benchmarks.reversi_probcut                             # a small sample, as a table
    python -m benchmarks.reversi_probcut --positions 800 --write     # into the package

Positions come from games played with two plies of search, with random openings and about every
seventh move random. They are searched 0, 1, 2 … plies deep without forward pruning, and the
difference between two depths is the error of the shallower one. Writing the table takes a minute
and is necessary after new weights.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks import Row
from rl_toolkit.algorithms.reversi import probcut
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.search import checked
from rl_toolkit.algorithms.reversi.weights import shipped_weights
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.kernels.reversi.patterns import STAGES, stage_of
from rl_toolkit.kernels.reversi.probcut import shallow_for
from rl_toolkit.utils.atomic_file import write_bytes_atomically

FIRST_DEPTH = probcut.FIRST_DEPTH
DEEPEST = 10
QUICK_POSITIONS, QUICK_DEPTH = 80, 7
OPENING_PLIES = 6
SLIPS = 0.15
PER_GAME = 5
EMPTIES = range(8, 54)

Scores = npt.NDArray[np.float64]


def positions() -> Iterator[tuple[int, int]]:
    """Positions as a search meets them, after good and bad moves; always the same ones."""
    chance, engine = random.Random(7), ReversiEngine(max_memory_mb=2)
    while True:
        env, wanted = Reversi(), set(chance.sample(EMPTIES, PER_GAME))
        while not env.is_terminal():
            moves = env.get_legal_moves()
            if np.count_nonzero(env.board == 0) in wanted and moves != [env.pass_move]:
                game, rules = checked(env)
                mine, theirs = rules.encode(np.asarray(game.board), game.current_player)
                yield int(mine), int(theirs)
            slip = env.move_count < OPENING_PLIES or chance.random() < SLIPS
            best = None if slip else engine.analyse(env, Limit(depth=2)).best_move
            env.step(chance.choice(moves) if best is None else best)


def searches(count: int, deepest: int, verbose: bool) -> tuple[npt.NDArray[np.int64], Scores]:
    """The stages of ``count`` positions, and their scores at every depth, in discs."""
    thinker = Thinker(8, 64, shipped_weights())
    stages, found = [], []
    for number, (mine, theirs) in enumerate(islice(positions(), count), 1):
        thinker.forget()
        stages.append(stage_of(np.uint64(mine | theirs)))
        found.append([thinker.think(mine, theirs, depth) for depth in range(deepest + 1)])
        if verbose and number % 50 == 0:
            print(f"{number} of {count} positions", file=sys.stderr)
    return np.array(stages), np.array(found, dtype=np.float64)


def errors(stages: npt.NDArray[np.int64], found: Scores, depth: int) -> list[float]:
    """The root mean square error of the shallow search for ``depth`` plies, by stage."""
    off = found[:, depth] - found[:, shallow_for(depth)]
    return [
        math.sqrt(np.mean(np.square(off[stages == stage]))) if (stages == stage).any() else math.nan
        for stage in range(STAGES)
    ]


def rows(stages: npt.NDArray[np.int64], found: Scores) -> list[dict[str, float]]:
    """A row for each depth: the error of its shallow search at each stage, and the overall bias."""
    table = []
    for depth in range(FIRST_DEPTH, found.shape[1]):
        shallow = shallow_for(depth)
        slope, offset = np.polyfit(found[:, shallow], found[:, depth], 1)
        row = {"plies": depth, "instead": shallow, "slope": float(slope), "offset": float(offset)}
        by_stage = enumerate(errors(stages, found, depth))
        table.append(row | {f"stage {stage}": error for stage, error in by_stage})
    return table


def write(stages: npt.NDArray[np.int64], found: Scores) -> None:
    """Write the measured errors into the package."""
    by_depth = [errors(stages, found, depth) for depth in range(FIRST_DEPTH, found.shape[1])]
    by_stage = zip(*by_depth, strict=True)
    lines = [f"    ({', '.join(f'{error:.1f}' for error in row)}),\n" for row in by_stage]
    path = Path(probcut.__file__)
    text = re.sub(
        r"(?<=^ERRORS = \(\n)(    \(.*\),\n)+", "".join(lines), path.read_text("utf-8"), flags=re.M
    )
    write_bytes_atomically(path, text.encode())


def run() -> list[Row]:
    return [dict(row) for row in rows(*searches(QUICK_POSITIONS, QUICK_DEPTH, verbose=False))]


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--depth", type=int, default=DEEPEST)
    parser.add_argument("--write", action="store_true", help="write the errors into the package")
    options = parser.parse_args()
    measured = searches(options.positions, options.depth, verbose=True)
    for row in rows(*measured):
        print("  ".join(f"{name} {round(value, 2)}" for name, value in row.items()))
    if options.write:
        write(*measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
