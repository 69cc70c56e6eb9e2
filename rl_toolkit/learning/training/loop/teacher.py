"""Learning from another network: the *teacher* plays, a smaller network learns from its games.

A run without a teacher plays with what it has learned so far. With one, all games are played and
searched by the teacher, which never changes, and the network in training learns what its search
preferred and how its games went on (*distillation*)::

    teacher 128×5 ─► games with search ─► ring of positions ─► learn ─► student 64×5

The student is weaker than its teacher but several times quicker. Whether it is better than one of
its size that had to find everything out by itself has to be measured; `docs/alphazero.md` does.
The teacher's file is kept in the folder of the run, so that a run which goes on has it still.
"""

from __future__ import annotations

from pathlib import Path

from rl_toolkit.learning.alphazero.weights import (
    NetworkWeights,
    WeightsError,
    load_weights,
    save_weights,
)
from rl_toolkit.learning.training.games.base import INPUT_PLANES, BatchGame
from rl_toolkit.learning.training.settings import SettingsError

TEACHER = "teacher.npz"


def load_teacher(path: Path, game: BatchGame) -> NetworkWeights:
    """The network in a file; `SettingsError` where it cannot play the game."""
    try:
        weights = load_weights(path)
    except WeightsError as error:
        raise SettingsError(f"{path} is no teacher: {error}") from error
    board = weights.game, weights.rows, weights.cols, weights.moves, weights.planes
    if board != (game.name, game.rows, game.cols, game.moves, INPUT_PLANES):
        raise SettingsError(f"{path} plays {weights.game}, it cannot teach {game.name}")
    return weights


def keep_teacher(weights: NetworkWeights, folder: Path) -> None:
    """Put the teacher into the folder of the run."""
    save_weights(
        folder / TEACHER,
        weights.tensors,
        game=weights.game,
        rows=weights.rows,
        cols=weights.cols,
        card=weights.card,
    )


def kept_teacher(folder: Path, sha256: str, game: BatchGame) -> NetworkWeights:
    """The teacher of the run in a folder; `SettingsError` if it is another one by now."""
    weights = load_teacher(folder / TEACHER, game)
    if weights.sha256 != sha256:
        raise SettingsError(f"{folder / TEACHER} is not the teacher that this run began with")
    return weights
