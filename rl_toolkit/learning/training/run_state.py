"""The state of a run, converted to pieces of a checkpoint and back, and to entries of the log.

The ring of positions is by far the largest part. It is saved if it is small enough for one file
(bools packed to bits); otherwise a resumed run first plays a few chunks to fill it.
`learning.doctor` reads the log entry of an iteration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from rl_toolkit.learning.training.checkpoint import CheckpointError, Pieces
from rl_toolkit.learning.training.log import Entry
from rl_toolkit.learning.training.loop.learner import LearnerState, Losses
from rl_toolkit.learning.training.loop.network import Layers
from rl_toolkit.learning.training.loop.replay import Samples
from rl_toolkit.learning.training.loop.selfplay import Facts, Lanes
from rl_toolkit.learning.training.settings import Settings, Stage

#: Rings beyond this many bytes are not saved.
LARGEST_RING = 15 * 2**20


@dataclass
class RunState:
    """Everything that changes from iteration to iteration.

    Attributes:
        learner: the network in training and its average.
        playing: the averaged network, folded for self-play.
        lanes: the games in progress.
        ring: the latest positions; ``stored`` chunks have been written to it so far.
        iteration, seconds, positions, games, simulations: totals of the run so far.
    """

    learner: LearnerState
    playing: Layers
    lanes: Lanes
    ring: Samples
    stored: int = 0
    iteration: int = 0
    seconds: float = 0.0
    positions: int = 0
    games: int = 0
    simulations: int = 0

    def counts(self) -> dict[str, Any]:
        """The totals, for the facts of a checkpoint."""
        names = ("stored", "iteration", "seconds", "positions", "games", "simulations")
        return {name: getattr(self, name) for name in names}


def pieces_of(state: RunState) -> Pieces:
    """The state as arrays, without the ring if it is too large."""
    learner = state.learner
    pieces = {
        "network": _leaves((learner.network, learner.steps)),
        "average": _leaves(learner.average),
        "optimizer": _leaves(learner.optimizer),
        "games": _leaves(state.lanes),
    }
    ring = state.ring
    if ring.planes.size // 8 + ring.policy.nbytes + ring.wdl.nbytes <= LARGEST_RING:
        packed = np.packbits(np.asarray(ring.planes), axis=1)
        pieces["ring"] = _leaves(ring._replace(planes=jnp.asarray(packed)))
    return pieces


def restore(state: RunState, pieces: Pieces, counts: dict[str, Any]) -> None:
    """Fill the state of a new run with a saved one; `CheckpointError` if it does not fit."""
    network, steps = _filled((state.learner.network, state.learner.steps), pieces, "network")
    average = _filled(state.learner.average, pieces, "average")
    optimizer = _filled(state.learner.optimizer, pieces, "optimizer")
    lanes = _filled(state.lanes, pieces, "games")
    ring = state.ring
    if "ring" in pieces:
        cells = ring.planes.shape[1]
        packed = np.zeros((len(ring.planes), -(-cells // 8)), np.uint8)
        ring = _filled(ring._replace(planes=jnp.asarray(packed)), pieces, "ring")
        unpacked = np.unpackbits(np.asarray(ring.planes), axis=1, count=cells).astype(bool)
        ring = ring._replace(planes=jnp.asarray(unpacked))
    try:
        for name in state.counts():
            setattr(state, name, type(getattr(state, name))(counts[name]))
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"the checkpoint has no valid {error}") from error
    state.learner = LearnerState(network, average, optimizer, steps)
    state.lanes, state.ring = lanes, ring
    if "ring" not in pieces:
        state.stored = 0


def _leaves(tree: Any) -> dict[str, NDArray[Any]]:
    return {f"{i:03d}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(tree))}


def _filled(tree: Any, pieces: Pieces, piece: str) -> Any:
    """``tree`` with the saved arrays in place of its own."""
    leaves, structure = jax.tree.flatten(tree)
    saved = [array for _, array in sorted(pieces.get(piece, {}).items())]
    expected = [(leaf.shape, leaf.dtype) for leaf in leaves]
    if [(array.shape, array.dtype) for array in saved] != expected:
        raise CheckpointError(f"the checkpoint's {piece} does not fit these settings")
    return jax.tree.unflatten(structure, [jnp.asarray(array) for array in saved])


# ----------------------------------------------------------------------------------------- the log


class TrainingError(RuntimeError):
    """Training cannot continue."""


def iteration_entry(
    settings: Settings, state: RunState, stage: Stage, facts: Facts, losses: Losses, window: int
) -> Entry:
    """The log entry of the iteration just finished, without its timing.

    ``positions``, ``games`` and ``total_simulations`` count from the beginning of the run; shares
    and means are of this iteration. Samples came from the newest ``window`` chunks.
    `TrainingError` if the losses are not finite.
    """
    if not np.isfinite([losses.policy, losses.value]).all():
        raise TrainingError(
            f"in iteration {state.iteration} the losses are not finite any more; the last "
            "checkpoint is from before that, but the run needs a lower learning rate"
        )
    trails = facts.trails[facts.ended]
    return {
        "kind": "iteration",
        "iteration": state.iteration,
        "positions": state.positions,
        "games": state.games,
        "simulations": stage.simulations,
        "total_simulations": state.simulations,
        "policy_loss": _rounded(losses.policy),
        "value_loss": _rounded(losses.value),
        "target_entropy": _rounded(facts.target_entropy),
        "prior_entropy": _rounded(facts.prior_entropy),
        "top_share": _rounded(facts.top_share),
        "value_spread": _rounded(facts.value_spread),
        "value_mean": _rounded(facts.value_mean),
        "draw_rate": _rounded(facts.draws),
        "first_wins": _rounded(facts.first_wins),
        "mean_plies": _rounded(facts.plies),
        "distinct_share": _rounded(len(np.unique(trails)) / max(1, len(trails))),
        "exploration": settings.gumbel_scale,
        "gradient_norm": _rounded(losses.gradient_norm),
        "buffer_positions": min(state.stored, settings.buffer_chunks) * settings.chunk,
        "buffer_age": (window - 1) / 2,
        "reuse": stage.reuse,
    }


def _rounded(value: Any) -> float:
    return round(float(value), 5)
