"""The scans of `kernels.archive.scan` in plain Python: the same answers, and easy to read.

They serve where the compiled ones cannot: on boards of more than 253 cells, and without Numba.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.library.kinds import NO_MOVE, NO_STONE, REMOVED, Kind
from rl_toolkit.library.positions.packs import DAY, RATING_X, RESULT, Pack
from rl_toolkit.library.positions.targets import ANY, PatternTables, Target

#: A game that was found: its row in the pack, the symmetries, and the ply.
Hit = tuple[int, int, int]


def find_plainly(pack: Pack, target: Target, wanted: NDArray[np.bool_] | None = None) -> list[Hit]:
    """The games of a pack that have a position."""
    kind, found = target.kind, []
    for row, cells in enumerate(pack.cells.tolist()):
        if cells[0] == REMOVED or (wanted is not None and not wanted[row]):
            continue
        alive, left, ply = target.alive, target.stones, 0
        while left > 0 and alive:
            if ply == len(cells):
                alive = 0
                break
            alive &= int(target.masks[(ply + kind.first) & 1, cells[ply]])
            left -= cells[ply] != NO_STONE
            ply += 1
        if left < 0 or not alive:
            continue
        if (ply + kind.first) & 1 != target.to_move:
            if ply == len(cells) or cells[ply] != NO_STONE:
                continue
            ply += 1
        if kind.flips:
            board = np.asarray(_after(kind, cells[:ply]).board)
            images = enumerate(target.images())
            alive &= sum(1 << s for s, image in images if (board == image).all())
        if alive:
            found.append((row, alive, ply))
    return found


def match_plainly(
    pack: Pack, tables: PatternTables, wanted: NDArray[np.bool_] | None = None
) -> list[Hit]:
    """The games of a pack that come to have a pattern, with the first ply at which they do."""
    kind, found, images = tables.kind, [], tables.images()
    for row, cells in enumerate(pack.cells.tolist()):
        if cells[0] == REMOVED or (wanted is not None and not wanted[row]):
            continue
        env = kind.begun.copy()
        for ply in range(len(cells) + 1):
            board = np.asarray(env.board)
            fits = (((image == ANY) | (image == board)).all() for image in images)
            alive = sum(1 << s for s, fit in enumerate(fits) if fit)
            if alive:
                found.append((row, alive, ply))
                break
            if ply == len(cells) or cells[ply] == NO_MOVE:
                break
            env.step(_move(kind, env, cells[ply]))
    return found


def tally_plainly(
    pack: Pack,
    hits: Sequence[Hit],
    rows: NDArray[np.int64],
    to_move: int,
    counts: NDArray[np.int64],
) -> None:
    """Count the next moves of games; see the compiled twin for the tables."""
    for row, alive, ply in hits:
        cells = pack.cells[row]
        cell = int(cells[ply]) if ply < len(cells) else NO_MOVE
        symmetry = (alive & -alive).bit_length() - 1
        at = counts[-1] if cell == NO_MOVE else counts[rows[symmetry, cell]]
        head = pack.heads[row]
        at[0] += 1
        result = int(head[RESULT])
        if result in (1, 0, -1):
            at[2 - result] += 1
        rating = int(head[RATING_X + to_move])
        if rating > 0:
            at[4] += rating
            at[5] += 1
        at[6] = max(at[6], head[DAY])


def _after(kind: Kind, cells: Sequence[int]) -> BaseGameEnv:
    env = kind.begun.copy()
    for cell in cells:
        env.step(_move(kind, env, cell))
    return env


def _move(kind: Kind, env: BaseGameEnv, cell: int) -> int:
    """The move that places a stone on a cell of a pack, or the pass."""
    if cell == NO_STONE:
        assert env.pass_move is not None
        return env.pass_move
    wanted = cell - kind.shift
    if env.traits.move_by == "cell":
        return wanted
    return next(move for move in env.get_legal_moves() if env.landing_cell(move) == wanted)
