"""Training: simulations and positions per second in self-play, samples per second in learning.

On a GPU with the preset ``gpu`` (8192 games, 64×5), on a CPU with the preset ``laptop``. Needs JAX.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any

from benchmarks import Row
from rl_toolkit.learning.training.presets import preset_settings
from rl_toolkit.learning.training.settings import Settings

GAME = "connect-four"
PLIES = 2  # of self-play in one measurement
ROUNDS = 3


def run() -> list[Row]:
    if find_spec("jax") is None:
        return [row("nothing: JAX is not installed", "", 0.0, "", 0.0)]
    import jax

    device = str(jax.devices()[0].device_kind)
    on_cpu = jax.default_backend() == "cpu"
    settings = preset_settings(GAME, "laptop" if on_cpu else "gpu")
    counts = (16,) if on_cpu else (16, 32, 64)
    rows = [playing(settings, simulations, device) for simulations in counts]
    return [*rows, learning(settings, device)]


def row(what: str, where: str, rate: float, unit: str, compiling: float) -> Row:
    return {"what": what, "where": where, "rate": rate, "unit": unit, "compiled in s": compiling}


def timed(program: Callable[[], Any]) -> tuple[float, float]:
    """Seconds of the first call, which compiles, and of the fastest later one."""
    import jax

    seconds = []
    for _ in range(ROUNDS + 1):
        begun = time.perf_counter()
        jax.block_until_ready(program())
        seconds.append(time.perf_counter() - begun)
    return seconds[0], min(seconds[1:])


def playing(settings: Settings, simulations: int, device: str) -> Row:
    """Self-play with the shipped network: an untrained one would search different trees."""
    import jax
    import jax.numpy as jnp

    from rl_toolkit.learning.alphazero.weights import shipped_weights
    from rl_toolkit.learning.training.export import layers_of
    from rl_toolkit.learning.training.games import batch_game
    from rl_toolkit.learning.training.loop.selfplay import new_lanes, play_chunk

    settings = replace(settings, plies=PLIES, batch=PLIES * settings.games)
    game, weights = batch_game(GAME), shipped_weights(GAME)
    on_cpu = jax.default_backend() == "cpu"
    network = layers_of(weights.tensors, jnp.float32 if on_cpu else jnp.bfloat16)
    lanes = jax.jit(lambda key: new_lanes(game, settings, key, settings.games))(jax.random.key(0))
    play = jax.jit(partial(play_chunk, game, settings, simulations))
    first, seconds = timed(lambda: play(network, lanes, jax.random.key(1)))
    what = f"self-play, {settings.games} games, {weights.size}, {simulations} simulations a move"
    return row(what, device, settings.chunk * simulations / seconds, "simulations/s", first)


def learning(settings: Settings, device: str) -> Row:
    """Optimiser steps on a ring of empty boards: its contents make no difference."""
    import jax
    import jax.numpy as jnp

    from rl_toolkit.learning.training.games import batch_game
    from rl_toolkit.learning.training.loop.learner import learn, new_learner
    from rl_toolkit.learning.training.loop.network import new_network, shape_for
    from rl_toolkit.learning.training.loop.replay import empty_ring

    game = batch_game(GAME)
    on_cpu = jax.default_backend() == "cpu"
    steps = 1 if on_cpu else settings.chunk // settings.batch
    dtype = jnp.float32 if on_cpu else jnp.bfloat16
    state = new_learner(new_network(0, shape_for(game, settings)), settings)
    ring = empty_ring(game, settings.chunk)
    end, window, rate = jnp.int32(0), jnp.int32(settings.chunk), jnp.float32(1e-3)
    program = jax.jit(partial(learn, game, settings, dtype, steps))
    first, seconds = timed(lambda: program(state, ring, end, window, jax.random.key(0), rate))
    what = f"learning, {settings.channels}×{settings.blocks}, batches of {settings.batch}"
    return row(what, device, steps * settings.batch / seconds, "samples/s", first)
