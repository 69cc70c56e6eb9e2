"""Zobrist keys: a position as one 64-bit number, and its mirror images as a few more.

Every (colour, cell) pair has a random number; a position's key is the exclusive or of the numbers
of its pieces, and of one more when player −1 is to move. A move changes the key by a few exclusive
ors. The key of a mirror image uses the number of the mirrored cell, so eight keys side by side
track all eight images of a board for eight exclusive ors a move, and the smallest of them
identifies the whole class.

The last bit of a key tells the side to move: it is 0 in the number of every piece.

The numbers are fixed: the same position has the same key in every process.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv, Symmetry

Words = NDArray[np.uint64]

#: The bit of a key that is set when player −1 is to move. The table does not use it as an address.
_SIDE_BIT = np.uint64(1)


def _random_words(count: int) -> Words:
    """Fixed pseudo-random words (SplitMix64)."""
    with np.errstate(over="ignore"):
        state = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(state ^ (state >> np.uint64(31)))


class Zobrist:
    """Keys of the positions of one game under some of its symmetries.

    Attributes:
        pieces: ``pieces[s, colour, cell]``, the number under symmetry ``s`` of a piece of player
            +1 (colour 0) or −1 (colour 1) on ``cell``.
        side: the number added when player −1 is to move.
        moves: ``moves[s, move]``, the image of a move; ``moves_back`` is the inverse.
    """

    def __init__(self, num_cells: int, symmetries: list[Symmetry]) -> None:
        numbers = _random_words(2 * num_cells + 1)
        plain = (numbers[:-1] & ~_SIDE_BIT).reshape(2, num_cells)
        self.side = numbers[-1] | _SIDE_BIT
        self.pieces = np.ascontiguousarray(np.stack([plain[:, s.cells] for s in symmetries]))
        self.moves = np.ascontiguousarray(np.stack([s.moves for s in symmetries]), dtype=np.int64)
        self.moves_back = np.argsort(self.moves, axis=1).astype(np.int64)

    def keys(self, board: NDArray[np.int8], player: int) -> Words:
        """One key per symmetry."""
        first = self.pieces[:, 0, board == 1]
        second = self.pieces[:, 1, board == -1]
        keys = np.bitwise_xor.reduce(first, axis=1) ^ np.bitwise_xor.reduce(second, axis=1)
        return np.asarray(keys ^ self.side if player == -1 else keys)

    def canonical(self, board: NDArray[np.int8], player: int) -> CanonicalKey:
        """The smallest key, and the first symmetry that gives it."""
        keys = self.keys(board, player)
        symmetry = int(keys.argmin())
        return CanonicalKey(int(keys[symmetry]), symmetry)


class CanonicalKey(NamedTuple):
    """The key shared by all images of a position, and the symmetry that gives it."""

    key: int
    symmetry: int


def side_of(key: Any) -> int:
    """The player to move in the position of a Zobrist key."""
    return -1 if key & 1 else 1


def zobrist_for(env: BaseGameEnv, *, symmetry: bool) -> Zobrist:
    """Keys for the game of ``env``: under all its symmetries, or the identity alone."""
    symmetries = env.symmetries()
    return Zobrist(env.rows * env.cols, symmetries if symmetry else symmetries[:1])
