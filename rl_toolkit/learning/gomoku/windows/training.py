"""Train a window network on positions, with Adam and a learning rate that falls to nothing.

The state is saved every minute, so that an interrupted training resumes. On a GPU a million
positions take half a minute; two cores of a processor need hours.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from math import cos, pi
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import jax
import jax.numpy as jnp
import numpy as np
import optax

from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.gomoku.windows import WindowNetwork
from rl_toolkit.learning.gomoku.fitting import Listener, Progress
from rl_toolkit.learning.gomoku.windows.model import (
    Batch,
    Params,
    first_params,
    loss,
    network_of,
    within_bounds,
)
from rl_toolkit.learning.gomoku.windows.positions import Positions
from rl_toolkit.utils.atomic_file import atomic_writer

#: One position in forty is held back for validation, but no more than these.
HELD_BACK, _MOST_HELD = 40, 16_384
_RATE, _WARM_UP, _CONSTANT = 2e-3, 200, 0.3
_DECAY = 1e-4
_BATCH = 8192
#: How often each position is looked at, on average. Many more fit the games by heart.
PASSES = 24.0
_MOST_SCORE = 1500
_SAVED_EVERY = 60.0
_REPORTED_EVERY = 20


@dataclass(frozen=True, slots=True)
class Prediction:
    """How well held back positions are predicted.

    ``loss`` and ``right`` are about results: the mean of −log of the chance that was given to
    them, and the share that was the likelier. ``first`` and ``five`` are shares of chosen moves:
    ranked first, among the first five.
    """

    loss: float
    right: float
    first: float
    five: float


@dataclass(frozen=True, slots=True)
class TrainedWindows:
    """A trained network, and what is predicted without it and with it."""

    network: WindowNetwork
    before: Prediction
    after: Prediction


def train_windows(
    positions: Positions,
    base: int,
    state: Path,
    *,
    passes: float = PASSES,
    share: float = 0.5,
    seed: int = 0,
    batch: int = _BATCH,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
) -> TrainedWindows | None:
    """Train on ``positions``, the last of which are held back; ``None`` if stopped.

    Args:
        positions: at least two.
        base: the checksum of the evaluation that the network corrects.
        state: the file of the training so far; a training with other positions or settings does
            not continue it, but begins anew.
        passes: how often each position is looked at, on average.
        share: how much the result of a game counts, against what the search said.
        seed: of the first numbers and of the order of positions.
        batch: positions that are looked at before the numbers are changed.
        on_progress: called with the steps done.
        stop: saves the training and ends it.
    """
    held = min(max(1, len(positions) // HELD_BACK), _MOST_HELD)
    learned = len(positions) - held
    batch = min(batch, learned)
    steps = max(1, round(passes * learned / batch))
    run = _Training(positions.part(0, learned), batch, steps, share, seed)
    report = on_progress or (lambda _: None)
    settings = f"{len(positions)} {batch} {steps} {share} {seed} {base}"
    run.resume(state, settings)
    shown = _on_device(positions.part(learned, len(positions)))
    before, saved = _predict(first_params(seed), shown), time.monotonic()
    while run.done < steps:
        run.step()
        if run.done % _REPORTED_EVERY == 0:
            jax.block_until_ready(run.params)
            report(Progress("window network", "train", run.done, steps))
        late = time.monotonic() - saved > _SAVED_EVERY
        stopped = stop is not None and stop.is_set()
        if late or stopped:
            run.save(state, settings)
            saved = time.monotonic()
        if stopped:
            return None
    return TrainedWindows(network_of(run.params, base), before, _predict(run.params, shown))


_ADAM = optax.inject_hyperparams(optax.adamw)(learning_rate=_RATE, weight_decay=_DECAY)


@partial(jax.jit, static_argnames=("batch", "share"), donate_argnums=(0, 1))
def _step(
    params: Params, memory: Any, key: Any, rate: Any, data: Batch, batch: int, share: float
) -> tuple[Params, Any]:
    """The numbers after one more step, on ``batch`` random positions."""
    at = jax.random.randint(key, (batch,), 0, len(data["values"]))
    drawn = {name: column[at] for name, column in data.items()}
    slope, _ = jax.grad(loss, has_aux=True)(params, drawn, share)
    memory.hyperparams["learning_rate"] = rate
    change, memory = _ADAM.update(slope, memory, params)
    return within_bounds(optax.apply_updates(params, change)), memory


class _Training:
    """The numbers of a network and of Adam after some steps."""

    def __init__(
        self, positions: Positions, batch: int, steps: int, share: float, seed: int
    ) -> None:
        self.done, self._steps = 0, steps
        self._data, self._key = _on_device(positions), jax.random.PRNGKey(seed)
        self.params = first_params(seed)
        self._memory = _ADAM.init(self.params)
        self._settings = {"batch": batch, "share": share}

    def step(self) -> None:
        key = jax.random.fold_in(self._key, self.done)
        rate = jnp.float32(_rate(self.done, self._steps))
        self.params, self._memory = _step(
            self.params, self._memory, key, rate, self._data, **self._settings
        )
        self.done += 1

    # ----------------------------------------------------------------------- its file

    def save(self, path: Path, settings: str) -> None:
        numbers = [np.asarray(leaf) for leaf in jax.tree.leaves((self.params, self._memory))]
        with atomic_writer(path) as file:
            np.savez(file, *numbers, done=self.done, settings=settings)

    def resume(self, path: Path, settings: str) -> None:
        """Continue from a file, if it is there and belongs to this training.

        `ValueError` if it is damaged.
        """
        if not path.exists():
            return
        try:
            with np.load(path, allow_pickle=False) as file:
                if str(file["settings"]) != settings:
                    return
                leaves, tree = jax.tree.flatten((self.params, self._memory))
                numbers = [jnp.asarray(file[f"arr_{k}"]) for k in range(len(leaves))]
                done = int(file["done"])
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise ValueError(f"{path} is damaged; delete it to begin this training anew") from error
        self.params, self._memory = jax.tree.unflatten(tree, numbers)
        self.done = done


def _rate(step: int, steps: int) -> float:
    """The learning rate: rises, stays, and falls along a cosine."""
    part = step / steps
    falling = 1.0 if part < _CONSTANT else (1 + cos(pi * (part - _CONSTANT) / (1 - _CONSTANT))) / 2
    return _RATE * min(1.0, (step + 1) / _WARM_UP) * falling


def _on_device(positions: Positions) -> Batch:
    columns = positions.columns()
    columns["scores"] = np.clip(columns["scores"], -_MOST_SCORE, _MOST_SCORE)
    return {name: jnp.asarray(column) for name, column in columns.items()}


@jax.jit
def _told(params: Params, shown: Batch) -> dict[str, jax.Array]:
    return loss(params, shown, 1.0)[1]


def _predict(params: Params, shown: Batch) -> Prediction:
    return Prediction(**{name: float(number) for name, number in _told(params, shown).items()})
