"""Several GPUs of one machine: each plays and learns from its share of every batch.

::

    games in progress   split: each device plays its own, without waiting for the others
    networks, ring      a copy on every device; a chunk that was played is sent to all
    batch               split; gradients and normalisation statistics are means over all devices

Each device draws the random numbers of all games and takes its own (`Share`), which costs nothing
beside a search. So a run does the same on any number of devices, up to the rounding of sums.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import jax
import numpy as np
from jax import Array
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from rl_toolkit.learning.training.settings import Settings, SettingsError
from rl_toolkit.utils import counted

Tree = TypeVar("Tree")

#: Draws random numbers for arrays of a shape whose first axis is games.
Draw = Callable[[tuple[int, ...]], Array]

#: From a way to draw and the shape for the games here: the numbers of these games.
Share = Callable[[Draw, tuple[int, ...]], Array]

_AXIS = "games"


def whole(draw: Draw, shape: tuple[int, ...]) -> Array:
    """The share of a device that has all games."""
    return draw(shape)


class Devices:
    """Where the parts of a run are; on one device nothing is placed at all.

    Attributes:
        count: the number of devices. names: which they are.
    """

    def __init__(self, settings: Settings, count: int | None = None) -> None:
        """Use ``count`` devices, or as many as there are that divide the games and the batch."""
        devices = jax.local_devices()
        if count is None:
            count = max(n for n in range(1, len(devices) + 1) if _fits(settings, n))
        if not 1 <= count <= len(devices):
            raise SettingsError(f"this machine has {counted(len(devices), 'device')}, not {count}")
        if not _fits(settings, count):
            raise SettingsError(
                f"{settings.games} games and batches of {settings.batch} cannot be divided among "
                f"{count} devices"
            )
        self.count = count
        self.names = [str(device) for device in devices[:count]]
        mesh = Mesh(np.array(devices[:count]), (_AXIS,))
        self._split = NamedSharding(mesh, PartitionSpec(_AXIS))
        self._copied = NamedSharding(mesh, PartitionSpec())

    def split(self, tree: Tree) -> Tree:
        """Arrays divided by their first axis, the games or positions."""
        return self._placed(tree, self._split)

    def copied(self, tree: Tree) -> Tree:
        """Arrays with a copy on every device."""
        return self._placed(tree, self._copied)

    def each_plays(self, play: Callable[..., Any]) -> Callable[..., Any]:
        """``play`` on every device with the games there.

        It takes a network, games ``[games, ...]``, anything that all devices get, and its
        `Share`; it returns the games and records ``[plies, games, ...]``.
        """
        if self.count == 1:
            return lambda network, games, rest: play(network, games, rest, whole)
        here, everywhere = self._split.spec, self._copied.spec
        return jax.shard_map(
            lambda network, games, rest: play(network, games, rest, self._own),
            mesh=self._split.mesh,
            in_specs=(everywhere, here, everywhere),
            out_specs=(here, PartitionSpec(None, _AXIS)),
            check_vma=False,  # constants that begin a loop are the same on all devices
        )

    def _own(self, draw: Draw, shape: tuple[int, ...]) -> Array:
        """The `Share` of the device that computes this."""
        games, *rest = shape
        drawn = draw((games * self.count, *rest))
        first = jax.lax.axis_index(_AXIS) * games
        return jax.lax.dynamic_slice_in_dim(drawn, first, games)

    def _placed(self, tree: Tree, where: NamedSharding) -> Tree:
        """``tree`` there; inside a compiled function this is a constraint."""
        if self.count == 1:
            return tree
        placed: Tree = jax.tree.map(lambda x: _place(x, where), tree)
        return placed

    def like(self, tree: Any) -> Any:
        """The shapes of arrays, and where they are, to compile a program for them."""
        if self.count == 1:
            return jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), tree)
        return jax.tree.map(
            lambda x: jax.ShapeDtypeStruct(
                x.shape, x.dtype, sharding=x.sharding if x.committed else self._copied
            ),
            tree,
        )


def _place(x: Any, where: NamedSharding) -> Any:
    if isinstance(x, jax.core.Tracer):
        return jax.lax.with_sharding_constraint(x, where)
    return jax.device_put(x, where)


def _fits(settings: Settings, count: int) -> bool:
    return settings.games % count == 0 and settings.batch % count == 0
