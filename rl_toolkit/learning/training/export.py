"""Export the averaged network of a run as a weights file; see `learning.alphazero.weights`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import DTypeLike
from numpy.typing import NDArray

from rl_toolkit.learning.alphazero.weights import NetworkWeights, save_weights
from rl_toolkit.learning.training.games.base import BatchGame
from rl_toolkit.learning.training.log import Entry
from rl_toolkit.learning.training.loop.network import Layers, fold
from rl_toolkit.learning.training.run_state import RunState
from rl_toolkit.learning.training.settings import Settings

NETWORK = "network.npz"


def tensors_of(folded: Layers) -> dict[str, NDArray[Any]]:
    """The tensors of a folded network by their names in the file."""
    return {
        f"{layer}.{part}": np.asarray(tensor, dtype=np.float32)
        for layer, parts in folded.items()
        for part, tensor in parts.items()
    }


def layers_of(tensors: Mapping[str, NDArray[Any]], dtype: DTypeLike = jnp.float32) -> Layers:
    """A folded network from the tensors of a file; the inverse of `tensors_of`."""
    folded: Layers = {}
    for name, tensor in tensors.items():
        layer, part = name.rsplit(".", 1)
        folded.setdefault(layer, {})[part] = jnp.asarray(tensor, dtype)
    return folded


def export_network(
    folder: Path,
    settings: Settings,
    state: RunState,
    game: BatchGame,
    scores: list[Entry],
    teacher: NetworkWeights | None = None,
) -> Path:
    """Write ``network.npz`` with a card that says how it was trained."""
    card = {
        "trained": {
            "how": _how(settings, teacher),
            "preset": settings.preset,
            "minutes": round(state.seconds / 60, 1),
            "iterations": state.iteration,
            "positions": state.positions,
            "games": state.games,
            "simulations": state.simulations,
            "seed": settings.seed,
            "jax": jax.__version__,
            "device": str(jax.devices()[0].device_kind),
        },
        "strength": {
            score["what"]: {key: score[key] for key in ("score", "low", "high", "n")}
            for score in scores
        },
        "licence": "MIT",
    }
    path = folder / NETWORK
    tensors = tensors_of(fold(state.learner.average))
    save_weights(path, tensors, game=settings.game, rows=game.rows, cols=game.cols, card=card)
    return path


def _how(settings: Settings, teacher: NetworkWeights | None) -> str:
    if settings.from_games:
        return "games with analyses, from files"
    if teacher is None:
        return "self-play from nothing, Gumbel search, no human or solver's games"
    return f"games of a teacher ({teacher.size}) with Gumbel search, no human or solver's games"
