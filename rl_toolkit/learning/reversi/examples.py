"""Reversi positions with scores to learn from: played, saved, loaded and joined."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.reversi import Weights
from rl_toolkit.kernels.reversi.board import CELLS, board_words
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.learning.selfplay import LONGEST, play_games
from rl_toolkit.utils import atomic_writer

_TABLE_MB = 2.0


@dataclass(frozen=True, slots=True)
class Examples:
    """Positions, side to move first, with the scores to learn, in discs."""

    mine: npt.NDArray[np.uint64]
    theirs: npt.NDArray[np.uint64]
    scores: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

    def empties(self, size: int) -> npt.NDArray[np.int64]:
        """The number of empty squares of each position, on a board of ``size`` × ``size``."""
        cells = np.uint64(board_words(size)[CELLS])
        empty = np.ascontiguousarray(cells & ~(self.mine | self.theirs))
        bits = np.unpackbits(empty.view(np.uint8).reshape(-1, 8), axis=1)
        numbers: npt.NDArray[np.int64] = bits.sum(axis=1, dtype=np.int64)
        return numbers

    def only(self, wanted: npt.NDArray[np.bool_ | np.int64] | slice) -> Examples:
        """The ``wanted`` examples, in their order or in that of their numbers."""
        return Examples(self.mine[wanted], self.theirs[wanted], self.scores[wanted])


def joined(pieces: Iterable[Examples]) -> Examples:
    """The examples of all pieces, in order."""
    columns = zip(*((piece.mine, piece.theirs, piece.scores) for piece in pieces), strict=True)
    mine, theirs, scores = (np.concatenate(column) for column in columns)
    return Examples(mine, theirs, scores)


def save_examples(path: str | os.PathLike[str], examples: Examples) -> None:
    """Write examples to a file atomically."""
    with atomic_writer(path) as file:
        np.savez(file, mine=examples.mine, theirs=examples.theirs, scores=examples.scores)


def load_examples(path: str | os.PathLike[str]) -> Examples | None:
    """Load examples from a file; ``None`` if it is missing or damaged."""
    try:
        with np.load(Path(path)) as data:
            return Examples(data["mine"], data["theirs"], data["scores"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def play(weights: Weights | None, positions: int, seed: int, size: int = 8) -> Examples:
    """Play games with ``weights`` and return about ``positions`` positions of them.

    Without weights the games are played with the handwritten evaluation.
    """
    solver = Solver(size, _TABLE_MB, weights)
    room = positions + LONGEST
    mine, theirs = np.zeros(room, np.uint64), np.zeros(room, np.uint64)
    scores = np.zeros(room, np.int64)
    written = play_games(np.uint64(seed), solver.block, mine, theirs, scores)
    return Examples(mine[:written], theirs[:written], scores[:written].astype(np.float64))
