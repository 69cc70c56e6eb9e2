"""Learning from another network: the *teacher* plays, a smaller network learns from its games.

A run without a teacher plays with its own network. With one, the teacher, which never changes,
plays and searches all games, and the network in training learns the policies and results of those
games (*distillation*)::

    teacher 128×5 ─► games with search ─► ring of positions ─► learn ─► student 64×5

The student is weaker than its teacher but several times faster. Whether it is stronger than a
network of its size trained without a teacher has to be measured; see
`docs/explanation/alphazero.md`. A copy of the teacher is saved in the folder of the run, for when
the run is resumed.
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
    """Load the teacher from a file; `SettingsError` if it cannot play the game."""
    try:
        weights = load_weights(path)
    except WeightsError as error:
        raise SettingsError(f"{path} cannot be a teacher: {error}") from error
    board = weights.game, weights.rows, weights.cols, weights.moves, weights.planes
    if board != (game.name, game.rows, game.cols, game.moves, INPUT_PLANES):
        raise SettingsError(f"{path} plays {weights.game} and cannot teach {game.name}")
    return weights


def keep_teacher(weights: NetworkWeights, folder: Path) -> None:
    """Save the teacher in the folder of the run."""
    save_weights(
        folder / TEACHER,
        weights.tensors,
        game=weights.game,
        rows=weights.rows,
        cols=weights.cols,
        card=weights.card,
    )


def kept_teacher(folder: Path, sha256: str, game: BatchGame) -> NetworkWeights:
    """Load the teacher saved in a run's folder; `SettingsError` if it is a different one."""
    weights = load_teacher(folder / TEACHER, game)
    if weights.sha256 != sha256:
        raise SettingsError(f"{folder / TEACHER} is not the teacher that this run began with")
    return weights
