"""Positions of Gomoku games as a window network learns from them.

Only quiet positions, as in `learning.gomoku.examples`. Each is seen by the side to move and comes
with what the evaluation already says of it: the network learns what to add::

    board      0 empty, 1 own stone, 2 stone of the other side, per cell
    value      points of the evaluation
    ranks      of the moves near stones, `NOT_NEAR` elsewhere
    result     +1 won, 0 neither, −1 lost        score      of the search, in points
    left       plies to the end of the game      chosen     the move of the search, −1 if none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku import layout
from rl_toolkit.kernels.gomoku.fours import CELL_BITS, CELL_MASK
from rl_toolkit.kernels.gomoku.pvs import MOST, list_near
from rl_toolkit.kernels.gomoku.state import Evaluation
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.learning.gomoku.examples import is_quiet
from rl_toolkit.learning.gomoku.games import CHOSEN, NO_MOVE, OPENING, Games

#: The rank of a cell that is not near a stone.
NOT_NEAR = -32768
_LOW = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class Positions:
    """Many positions, as columns."""

    boards: npt.NDArray[np.int8]
    values: npt.NDArray[np.int16]
    ranks: npt.NDArray[np.int16]
    results: npt.NDArray[np.int8]
    scores: npt.NDArray[np.int16]
    left: npt.NDArray[np.uint8]
    chosen: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.values)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def part(self, first: int, last: int) -> Positions:
        """The positions from ``first`` up to ``last``, which is not included."""
        return Positions(**{name: column[first:last] for name, column in self.columns().items()})


def positions_of(games: Games, size: int, exactly: bool, evaluation: Evaluation) -> Positions:
    """The quiet positions of games, with what ``evaluation`` says of them."""
    space, cells = Workspace(size, exactly, evaluation, 1.0), size * size
    listed = np.zeros(layout.FRAME, dtype=np.int64)
    found: list[tuple[npt.NDArray[np.int8], int, npt.NDArray[np.int16], int, int, int, int]] = []
    for game in games:
        space.set_up([])
        board = np.zeros(cells, dtype=np.int8)
        last = len(game.moves) - 1
        entries = zip(game.moves, game.scores, game.kinds, strict=True)
        for ply, (move, score, kind) in enumerate(entries):
            side = ply % 2
            if kind != OPENING and is_quiet(space, side):
                count = list_near(space.block, side, listed)
                ranks = np.full(cells, NOT_NEAR, dtype=np.int16)
                ranks[listed[:count] & CELL_MASK] = listed[:count] >> CELL_BITS
                found.append(
                    (
                        np.where(board > 0, 1 + ((board - 1) ^ side), 0).astype(np.int8),
                        _value(space, side),
                        ranks,
                        game.result * (1 - 2 * side),
                        score,
                        min(255, last - ply),
                        move if kind == CHOSEN and move != NO_MOVE else -1,
                    )
                )
            if move != NO_MOVE:
                space.place(move, side)
                board[move] = 1 + side
    columns = zip(*found, strict=True) if found else [[] for _ in fields(Positions)]
    kinds = (np.int8, np.int16, np.int16, np.int8, np.int16, np.uint8, np.int16)
    made = [np.array(column, dtype=kind) for column, kind in zip(columns, kinds, strict=True)]
    if not found:
        made[0], made[2] = made[0].reshape(0, cells), made[2].reshape(0, cells)
    return Positions(*made)


def joined(parts: Sequence[Positions]) -> Positions:
    """All positions of several lists; there is at least one."""
    columns = [part.columns() for part in parts]
    return Positions(**{name: np.concatenate([c[name] for c in columns]) for name in columns[0]})


def _value(space: Workspace, side: int) -> int:
    """The evaluation for ``side``, to move: `pvs.value_of` without a network."""
    block = space.block
    mine, theirs = int(block[layout.SUMS + side]), int(block[layout.SUMS + 1 - side])
    empty = int(block[layout.CELLS] - block[layout.PLY])
    value = _signed(mine) - ((theirs - _signed(theirs)) >> 32)
    value += int(block[layout.PER_EMPTY]) * empty + int(block[layout.TEMPO])
    return min(max(value, -MOST), MOST)


def _signed(number: int) -> int:
    """The low 32 bits as a signed number."""
    low = number & _LOW
    return low - (1 << 32) if low >> 31 else low
