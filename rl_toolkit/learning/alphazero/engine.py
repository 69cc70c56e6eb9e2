"""The engine ``alphazero``: plays with a trained network, alone or with search.

The network (`learning.alphazero.inference`) gives a prior for each move and predicts the result;
the search (`learning.alphazero.puct_tree`, compiled in `kernels.search.puct`) is guided by both. It
needs only NumPy and Numba; with onnxruntime it is faster.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rl_toolkit.algorithms.mcts import Tree, TreeAnalysisBuilder, grow
from rl_toolkit.analysis import Analysis, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.learning.alphazero.features import PLANES, planes_of
from rl_toolkit.learning.alphazero.inference import (
    BACKENDS,
    Backend,
    Network,
    evaluate,
    make_network,
)
from rl_toolkit.learning.alphazero.puct_tree import (
    TRUSTED,
    PuctSettings,
    PythonPuctTree,
    puct_bonus,
)
from rl_toolkit.learning.alphazero.weights import (
    NetworkWeights,
    WeightsError,
    load_weights,
    shipped_weights,
)

if TYPE_CHECKING:
    from rl_toolkit.algorithms.traces import Trace, TraceBounds

#: Simulations when no limit is given.
DEFAULT_SIMULATIONS = 400
MOST_IN_BATCH = 1024

_DEFAULTS = PuctSettings()


class AlphaZeroEngine:
    """Plays every game that has a trained network.

    Args:
        weights: a network or its file; by default the one shipped for the game.
        num_simulations: simulations that `analyse` runs without a limit.
        cpuct: the exploration constant of PUCT: how much priors count against search results.
        batch: positions that the network evaluates at once.
        backend: ``onnx``, ``numpy``, or ``auto`` for onnxruntime if it is installed.
        policy_only: play the move with the highest prior, without search.
        tactics: in line games, try only immediate wins, else only blocks of one, if there are any.
        root_prior_power: exponent on the priors at the root: 1 keeps them as they are, 0 makes
            them equal; see `flatten_priors`.
        seed: decides between equally good moves; without one a new seed is drawn.
        max_memory_mb: memory cap on the tree.
        compiled: use machine code for games with kernels.

    An argument out of its range raises ``ValueError``.
    """

    name = "alphazero"

    def __init__(
        self,
        weights: NetworkWeights | str | os.PathLike[str] | None = None,
        *,
        num_simulations: int = DEFAULT_SIMULATIONS,
        cpuct: float = _DEFAULTS.cpuct,
        batch: int = _DEFAULTS.batch,
        backend: Backend = "auto",
        policy_only: bool = False,
        tactics: bool = True,
        root_prior_power: float = _DEFAULTS.root_prior_power,
        seed: int | None = None,
        max_memory_mb: float = _DEFAULTS.max_memory_mb,
        compiled: bool = True,
    ) -> None:
        if not 1 <= batch <= MOST_IN_BATCH:
            raise ValueError(f"batch must be from 1 to {MOST_IN_BATCH}, not {batch!r}")
        if not 0 <= cpuct <= 100:
            raise ValueError(f"cpuct must be from 0 to 100, not {cpuct!r}")
        if not 0 <= root_prior_power <= 1:
            raise ValueError(f"root_prior_power must be from 0 to 1, not {root_prior_power!r}")
        if not max_memory_mb > 0:
            raise ValueError(f"max_memory_mb must be positive, not {max_memory_mb!r}")
        if backend not in BACKENDS:
            raise ValueError(f"backend must be one of {', '.join(BACKENDS)}, not {backend!r}")
        self.weights = weights
        self.num_simulations, self.policy_only, self.seed = num_simulations, policy_only, seed
        self.backend, self.compiled = backend, compiled
        self.settings = PuctSettings(cpuct, batch, tactics, max_memory_mb, root_prior_power)
        self._loaded: tuple[NetworkWeights, Network] | None = None
        self._spent: object = None

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Analyse every legal move with the network, by search unless ``policy_only``.

        Each candidate has the network's prior, its visits and their mean value; a move without a
        visit is unknown. Among the moves with at least a quarter of the highest visit count, the
        one with the highest value comes first. With ``policy_only`` the value of the position is
        the network's, and moves have only their priors. `WeightsError` for a
        game without a network, or with the network of another game.
        """
        limit = limit or Limit()
        if (limit.time, limit.nodes, limit.simulations) == (None, None, None):
            limit = replace(limit, simulations=self.num_simulations)
        self._network(env)  # the game must have one, even if it is over
        if env.is_terminal():
            return Analysis.of(env, self.name, [], seed=self.seed)
        seed = self.seed if self.seed is not None else random.getrandbits(32)
        make_tree = partial(self._tree, env, seed=seed)
        return self._analysed(env, limit, seed, make_tree, on_progress, stop)

    def trace(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        bounds: TraceBounds | None = None,
        stop: StopSignal | None = None,
    ) -> Trace:
        """Record a search; see `algorithms.traces.trace_search`."""
        from rl_toolkit.learning.alphazero.puct_trace import trace_alphazero

        return trace_alphazero(env, self, limit, bounds, stop)

    def _analysed(
        self,
        env: BaseGameEnv,
        limit: Limit,
        seed: int,
        make_tree: Callable[[Network], _PuctTree],
        on_progress: ProgressCallback | None,
        stop: StopSignal | None,
    ) -> Analysis:
        """Grow the tree that ``make_tree`` makes, whose root is the position of ``env``."""
        _, network = self._network(env)
        legal = np.zeros((1, env.num_moves), dtype=bool)
        legal[0, env.get_legal_moves()] = True
        seen = evaluate(network, planes_of([env]), legal)
        tree = make_tree(network)
        win, draw, loss = seen.results[0]
        builder = TreeAnalysisBuilder(
            self.name,
            env,
            tree,
            puct_bonus(self.settings.cpuct),
            tactics=self.settings.tactics and not self.policy_only,
            max_memory_mb=self.settings.max_memory_mb,
            seed=seed,
            priors={move: float(seen.priors[0, move]) for move in env.get_legal_moves()},
            proofs=not self.policy_only,
            expected=float(seen.values[0]),
            trusted=TRUSTED,
            notes=(
                f"The network alone expects: {100 * win:.0f} % win, {100 * draw:.0f} % draw, "
                f"{100 * loss:.0f} % loss",
            ),
        )
        if self.policy_only:
            return builder.analysis(0.0)
        return grow(tree, tree.run, builder.analysis, limit, on_progress, stop)

    def checksum(self, env: BaseGameEnv) -> str:
        """The SHA-256 of the network that plays the game of ``env``."""
        return self._network(env)[0].sha256

    def _tree(self, env: BaseGameEnv, network: Network, seed: int) -> _PuctTree:
        ask = partial(evaluate, network)
        if self.compiled and not self.policy_only:
            from rl_toolkit.learning.alphazero.compiled_puct_tree import compiled_puct_tree

            tree = compiled_puct_tree(env, self.settings, ask, seed, self._spent)
            if tree is not None:
                self._spent = tree
                return tree
        return PythonPuctTree(env, self.settings, ask, seed)

    def _network(self, env: BaseGameEnv) -> tuple[NetworkWeights, Network]:
        """The network for the game of ``env``, loaded on first use."""
        if self._loaded is None or (self.weights is None and self._loaded[0].game != env.name):
            weights = self.weights
            if weights is None:
                weights = shipped_weights(env.name)
            elif not isinstance(weights, NetworkWeights):
                weights = _weights_in(weights)
            self._loaded = weights, make_network(weights, self.backend)
        weights = self._loaded[0]
        wanted = env.name, env.rows, env.cols, env.num_moves, PLANES
        shape = weights.game, weights.rows, weights.cols, weights.moves, weights.planes
        if shape != wanted:
            raise WeightsError(
                f"this network plays {_described(*shape)}, not {_described(*wanted)}"
            )
        return self._loaded


class _PuctTree(Tree, Protocol):
    """A tree guided by a network; see `PythonPuctTree`."""

    def run(self, some: int, most: int) -> None:
        """Run about ``some`` simulations, never more than ``most``."""


def _weights_in(path: str | os.PathLike[str]) -> NetworkWeights:
    try:
        return load_weights(path)
    except WeightsError as error:
        raise WeightsError(f"{os.fspath(path)}: {error}") from error


def _described(game: str, rows: int, cols: int, moves: int, planes: int) -> str:
    return f"{game} ({rows} × {cols}, {moves} moves, {planes} planes)"
