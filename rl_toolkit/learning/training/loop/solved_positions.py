"""How often a network keeps the exact result, on positions in which every move is solved.

A file of solved positions is an ``.npz`` with ``planes`` (``[N, 2, rows, cols]`` bool: mover's and
opponent's pieces, the top row of the board first) and ``scores`` (``[N, moves]`` int: positive for
a win, 0 for a draw, negative for a loss, −999 for an illegal move). A move keeps the result if its
score has the sign of the best.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from rl_toolkit.learning.training.games.base import BatchGame
from rl_toolkit.learning.training.games.lines import BatchLines
from rl_toolkit.learning.training.settings import SettingsError
from rl_toolkit.utils import wilson_interval

ILLEGAL = -999


@dataclass(frozen=True, slots=True)
class Share:
    """A share ``score`` of ``n`` with its 95 % Wilson interval."""

    score: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Judge:
    """Solved positions; ``keeps[i, m]`` says whether move m keeps the result of position i."""

    planes: NDArray[np.bool_]
    keeps: NDArray[np.bool_]

    def first(self, count: int) -> Judge:
        """A smaller judge with ``count`` evenly spaced positions."""
        if count >= len(self.planes):
            return self
        chosen = np.linspace(0, len(self.planes) - 1, count).astype(int)
        return Judge(self.planes[chosen], self.keeps[chosen])

    def share(self, moves: NDArray[Any]) -> Share:
        """The share of ``moves``, one per position, that keep the result."""
        kept = float(self.keeps[np.arange(len(moves)), moves].mean())
        low, high = wilson_interval(kept, len(moves))
        return Share(round(kept, 5), round(low, 5), round(high, 5), len(moves))


def load_judge(path: Path, game: BatchGame) -> Judge:
    """Load a judge from a file with the top row first; its rows are put in the game's order.

    In games with gravity an upside-down file is recognised and read as well.

    `SettingsError` if it is not such a file, or belongs to another game: its illegal moves must be
    those of the game.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            planes, scores = arrays["planes"].astype(bool), arrays["scores"].astype(int)
    except (OSError, ValueError, KeyError) as error:
        raise SettingsError(f"{path} is not a file of solved positions: {error}") from error
    if planes.shape[1:] != (2, game.rows, game.cols) or scores.shape != (len(planes), game.moves):
        raise SettingsError(f"{path} holds positions of a different board than {game.name}")
    legal = scores != ILLEGAL
    best = np.where(legal, scores, ILLEGAL).max(1, keepdims=True)
    keeps = legal & (np.sign(scores) == np.sign(best))
    falling = isinstance(game, BatchLines) and game.gravity
    ways_up = [planes, planes[:, :, ::-1].copy()]
    for way_up in reversed(ways_up) if game.shown_upside_down else ways_up:
        agrees = np.array_equal(np.asarray(game.legal(jnp.asarray(way_up))), legal)
        if agrees and not (falling and _floats(way_up)):
            return Judge(way_up, keeps)
    raise SettingsError(f"{path} disagrees with {game.name} about which moves are legal")


def _floats(planes: NDArray[np.bool_]) -> bool:
    """Whether a piece has an empty cell below it; row 0 is the lowest."""
    taken: NDArray[np.bool_] = np.logical_or(planes[:, 0], planes[:, 1])
    return bool((taken[:, 1:] & ~taken[:, :-1]).any())
