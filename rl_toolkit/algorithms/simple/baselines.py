"""Two engines that evaluate nothing: the first legal move, and a random one."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from rl_toolkit.algorithms.simple.seeds import new_seed, rng_of
from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Limit,
    ProgressCallback,
    StopSignal,
    unknown,
)
from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class FirstMoveEngine:
    """Plays the first legal move, without evaluating anything: the simplest opponent there is.

    The candidates come in the order of ``get_legal_moves``, all unknown.
    """

    @property
    def name(self) -> str:
        """``first``."""
        return "first"

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """List the legal moves; limits do not apply."""
        candidates = [unknown(move, env.move_name(move)) for move in env.get_legal_moves()]
        return Analysis.of(env, self.name, candidates)


@dataclass(frozen=True, slots=True)
class RandomEngine:
    """Plays a legal move chosen uniformly at random, without evaluating anything.

    The candidates come in random order, all unknown. The same ``seed`` and
    position give the same answer. Without a seed every call draws a new one, and the analysis
    reports it so that the answer can be repeated.
    """

    seed: int | None = None

    @property
    def name(self) -> str:
        """``random``."""
        return "random"

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Shuffle the legal moves; limits do not apply."""
        started = time.perf_counter()
        seed = new_seed() if self.seed is None else self.seed
        moves = env.get_legal_moves()
        rng_of(seed, env).shuffle(moves)
        return Analysis.of(
            env,
            self.name,
            [Candidate(move, env.move_name(move)) for move in moves],
            elapsed=time.perf_counter() - started,
            seed=seed,
        )

    def reseeded(self, seed: int | None) -> RandomEngine:
        """The same engine with another seed."""
        return replace(self, seed=seed)
