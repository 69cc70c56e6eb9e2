"""Several devices do what one does; CPUs play the part of GPUs."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from rl_toolkit.learning.training.presets import preset_settings
from rl_toolkit.learning.training.settings import SettingsError

pytest.importorskip("jax")

_HEAD = """
import sys
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_disable_most_optimizations", True)  # compiling takes longer than running

from rl_toolkit.learning.training.loop.devices import Devices
from rl_toolkit.learning.training.presets import preset_settings
from rl_toolkit.learning.training.settings import Stage

COUNT = int(sys.argv[1])
assert len(jax.local_devices()) == COUNT

def leaves(tree):
    return [np.asarray(leaf, np.float64) for leaf in jax.tree.leaves(tree)]

def difference(one, other):
    return max(np.abs(a - b).max() for a, b in zip(leaves(one), leaves(other), strict=True))
"""

_PLAYING = """
settings = preset_settings("tictactoe", "tiny", iterations=1)

def play(network, games, key, share):
    noise = share(lambda shape: jax.random.normal(key, shape), games.shape)
    return games + noise, (network * games - noise)[None]

def played(count):
    devices = Devices(settings, count)
    games = devices.split(jnp.arange(settings.games * 3.0).reshape(-1, 3))
    assert games.sharding.shard_shape(games.shape)[0] == settings.games // count
    return devices.each_plays(play)(devices.copied(jnp.float32(2)), games, jax.random.key(5))

print(difference(played(1), played(COUNT)))
"""

_LEARNING = """
from rl_toolkit.learning.training.games import batch_game
from rl_toolkit.learning.training.loop.learner import learn, new_learner
from rl_toolkit.learning.training.loop.network import new_network, shape_for
from rl_toolkit.learning.training.loop.replay import Samples

settings = preset_settings("tictactoe", "tiny", iterations=1)
settings = replace(settings, blocks=0, channels=4)  # compiling takes all the time
game = batch_game(settings.game)
chance = np.random.default_rng(3)
cells = chance.integers(0, 4, (64, 9))  # mine, theirs, and two kinds of empty
cells[:, 4] = 3
policy = np.where(cells > 1, chance.random((64, 9)), 0)
policy /= policy.sum(1, keepdims=True)
wdl = chance.dirichlet(np.ones(3), 64)
planes = np.concatenate([cells == 0, cells == 1], axis=1)
ring = Samples(planes, policy.astype(np.float16), wdl.astype(np.float16))
network = new_network(1, shape_for(game, settings))

def learned(count):
    devices = Devices(settings, count)
    state = devices.copied(jax.jit(lambda n: new_learner(n, settings))(network))
    step = jax.jit(
        lambda state, ring, key: devices.copied(
            learn(
                game, settings, jnp.float32, 1, state, ring, jnp.int32(0), jnp.int32(64), key,
                jnp.float32(0.01), split=devices.split,
            )
        )
    )
    where = devices.copied(jax.tree.map(jnp.asarray, ring))
    for key in jax.random.split(jax.random.key(2), 3):
        state, losses, playing = step(state, where, key)
    return state, losses, playing

one, several = learned(1), learned(COUNT)
assert difference(one[0].network, jax.tree.map(np.asarray, network)) > 1e-3  # it did learn
print(difference(one, several))
assert len(several[0].network.params["stem"]["w"].sharding.device_set) == COUNT
"""

_RUN = """
from rl_toolkit.learning.training.trainer import Trainer

settings = replace(
    preset_settings("connect-four", "tiny", iterations=3, seed=1), stages=(Stage(0, 4, 1),)
)
folder = Path(sys.argv[2])
several = Trainer(
    settings, folder / "several", should_stop=lambda: several.state.iteration == 2
)
assert several.devices.count == COUNT
assert several.run().iteration == 2
whole = Trainer(settings, folder / "one", devices=1).run()
resumed = Trainer(settings, folder / "several", resume=True, devices=1).run()
assert whole.games == resumed.games > 0
parts = [(state.learner, state.ring, state.lanes) for state in (whole, resumed)]
print(difference(*parts))
"""


def differences(script: str, count: int, *words: object) -> list[float]:
    """What the script prints on a machine with ``count`` devices."""
    flags = f"--xla_force_host_platform_device_count={count}"
    ran = subprocess.run(
        [sys.executable, "-c", _HEAD + script, str(count), *map(str, words)],
        env={**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return [float(line) for line in ran.stdout.splitlines()]


def test_two_devices_play_their_games_with_the_numbers_of_one():
    assert differences(_PLAYING, 2) == [0]


@pytest.mark.full
@pytest.mark.parametrize("count", [2, 8])
def test_several_devices_learn_as_one(count):
    (off,) = differences(_LEARNING, count)
    assert off < 1e-5


@pytest.mark.full
def test_a_run_on_eight_devices_is_that_on_one_and_resumes_there(tmp_path):
    (off,) = differences(_RUN, 8, tmp_path)
    assert off < 1e-5


def test_devices_that_cannot_share_the_work_are_refused():
    from rl_toolkit.learning.training.loop.devices import Devices

    tiny = preset_settings("tictactoe", "tiny", iterations=1)
    assert Devices(tiny).count == 1
    with pytest.raises(SettingsError, match="this machine has 1 device, not 2"):
        Devices(tiny, 2)
    with pytest.raises(SettingsError, match="this machine has 1 device, not 0"):
        Devices(tiny, 0)


def test_work_is_divided_evenly_or_by_fewer_devices(monkeypatch):
    import jax

    from rl_toolkit.learning.training.loop.devices import Devices

    monkeypatch.setattr(jax, "local_devices", lambda: jax.devices() * 6)
    tiny = replace(preset_settings("tictactoe", "tiny", iterations=1), games=12, batch=8)
    assert Devices(tiny).count == 4
    with pytest.raises(SettingsError, match="12 games and batches of 8 cannot be divided among 3"):
        Devices(tiny, 3)
