"""The scans of `kernels.archive.scan` without compiled code: the same answers, and easy to read.

They serve where the compiled ones cannot: on boards of more than 253 cells, without Numba, and for
a command that asks one question, for which loading Numba would take longer than the search.
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
#: The rows, symmetries and plies of many of them.
Found = tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]


class TooManyGamesError(Exception):
    """There are more different beginnings to replay than the caller wants."""


class Finder:
    """Looks for a position in packs, a column of cells after the other.

    Args:
        most: the different beginnings of games that are replayed, where stones change colour;
            beyond that `find` raises `TooManyGamesError`. ``None`` for any number.
    """

    def __init__(self, target: Target, most: int | None = None) -> None:
        self._target, self._most = target, most
        self._known: dict[bytes, int] = {}

    def find(self, pack: Pack, wanted: NDArray[np.bool_] | None = None) -> Found:
        """The games of a pack that have the position: rows, symmetries and plies."""
        target, cells = self._target, pack.cells
        here = cells[:, 0] != REMOVED
        rows = np.flatnonzero(here if wanted is None else here & wanted)
        alive = np.full(len(rows), target.alive, np.uint8)
        left = np.full(len(rows), target.stones, np.int64)
        found: list[Found] = []
        width, first = cells.shape[1], target.kind.first
        for ply in range(width + 1):
            if not len(rows) or target.stones < 0:
                break
            after = cells[rows, ply] if ply < width else np.full(len(rows), NO_MOVE)
            ready, turn = left == 0, (ply + first) & 1 == target.to_move
            # The same stones with the other side to move: only after a pass.
            there = ready if turn else ready & (after == NO_STONE)
            found.append(self._confirmed(cells, rows[there], alive[there], ply + (not turn)))
            if ply == width:
                break
            alive &= target.masks[(ply + first) & 1, after]
            left -= after != NO_STONE
            go_on = ~ready & (alive != 0)
            rows, alive, left = rows[go_on], alive[go_on], left[go_on]
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.int64)
        parts = [np.concatenate(part) for part in zip(*found, strict=True)]
        order = np.argsort(parts[0])
        return parts[0][order], parts[1][order], parts[2][order]

    def _confirmed(
        self,
        cells: NDArray[np.unsignedinteger],
        rows: NDArray[np.int64],
        alive: NDArray[np.uint8],
        ply: int,
    ) -> Found:
        """Those of these games that have the position; games that begin alike are replayed once."""
        kind = self._target.kind
        if kind.flips and len(rows) and ply:
            begun = np.ascontiguousarray(cells[rows, :ply])
            words = begun.view(f"V{begun.itemsize * ply}").ravel()
            _, firsts, which = np.unique(words, return_index=True, return_inverse=True)
            alive = alive & np.array([self._images(begun[k]) for k in firsts], np.uint8)[which]
            rows, alive = rows[alive != 0], alive[alive != 0]
        return rows, alive, np.full(len(rows), ply, np.int64)

    def _images(self, begun: NDArray[np.unsignedinteger]) -> int:
        """The symmetries that carry the board after these moves onto the position."""
        key, kind = begun.tobytes(), self._target.kind
        if key not in self._known:
            if self._most is not None and len(self._known) >= self._most:
                raise TooManyGamesError
            board = np.asarray(_after(kind, begun.tolist()).board)
            images = enumerate(self._target.images())
            self._known[key] = sum(1 << s for s, image in images if (board == image).all())
        return self._known[key]


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
