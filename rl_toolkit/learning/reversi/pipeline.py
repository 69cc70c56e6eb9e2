"""Learn the Reversi evaluation: play games, label positions, fit weights.

Everything is saved in a folder, piece by piece, so that interrupted learning resumes::

    plan.json                       the plan of this folder
    round-0-games-000.npz           positions and scores from self-play
    round-0-games-001.npz
    …
    round-0.weights                 the weights learned from them, which play round 1
    …
    round-2-stage-2-labels-000.npz  labels found by search, see `learning.reversi.relabelling`
    round-2-stage-2.weights
    …
    reversi.weights                 the final weights (reversi-6.weights for 6×6)

The first round plays with a handwritten evaluation, every later one with the weights learned
before, which play better games. Weights are fitted to the last two rounds together. Finally the
positions of these two rounds are labelled again by search. See `kernels.reversi.learning.selfplay`
for how games are played and positions labelled, and `kernels.reversi.patterns` for what the weights
mean.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from rl_toolkit.algorithms.reversi import (
    SHIPPED,
    Weights,
    WeightsError,
    load_weights,
    save_weights,
)
from rl_toolkit.analysis import StopSignal
from rl_toolkit.learning.plan_file import agree_on_plan
from rl_toolkit.learning.reversi.examples import (
    Examples,
    joined,
    load_examples,
    play,
    save_examples,
)
from rl_toolkit.learning.reversi.fitting import Listener, Progress, fit
from rl_toolkit.learning.reversi.relabelling import Deepening
from rl_toolkit.utils.executors import Executor, InProcess, keeping_workers

#: Positions per file.
PIECE = 25_000
#: The greatest search depth for labels; each further ply takes about three times as long.
MOST_LOOK = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """How to learn an evaluation.

    Attributes:
        positions: positions to play in each round.
        rounds: rounds of self-play, each with the weights of the one before.
        passes: passes over the positions when fitting.
        seed: the same seed gives the same games and the same weights.
        size: rows and columns of the board, 6 or 8.
        look_ahead: minimum search depth for the labels of positions long before the end; with 0
            only the results of games are used.
    """

    positions: int = 2_000_000
    rounds: int = 3
    passes: int = 10
    seed: int = 0
    size: int = 8
    look_ahead: int = 4

    def __post_init__(self) -> None:
        if self.positions < PIECE or self.rounds < 1 or self.passes < 1:
            raise ValueError(f"a plan needs at least {PIECE} positions, 1 round and 1 pass")
        if self.size not in SHIPPED:
            raise ValueError(f"size must be 6 or 8, not {self.size}")
        if not 0 <= self.look_ahead <= MOST_LOOK:
            raise ValueError(f"look_ahead must be from 0 to {MOST_LOOK}, not {self.look_ahead}")


def learn(
    folder: str | os.PathLike[str],
    plan: Plan | None = None,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
    executor: Executor | None = None,
) -> Weights | None:
    """Carry out ``plan`` in ``folder``, or resume it, and return the weights.

    The weights do not depend on the ``executor``, which plays games and labels positions. ``None``
    if stopped before the end; call it again to resume. `ValueError` for a folder that was started
    with another plan; it is left unchanged.
    """
    plan, home = plan or Plan(), Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    wanted = asdict(plan)
    del wanted["rounds"]  # more of them continue the same plan
    agree_on_plan(home, wanted)
    workers = executor or InProcess()
    with keeping_workers(workers):
        return _Run(home, plan, on_progress or (lambda _: None), stop, workers).learn()


class _Run:
    """A plan that is carried out in a folder."""

    def __init__(
        self,
        home: Path,
        plan: Plan,
        report: Listener,
        stop: StopSignal | None,
        executor: Executor,
    ) -> None:
        self._home, self._plan, self._report = home, plan, report
        self._stop, self._executor = stop, executor

    def learn(self) -> Weights | None:
        """See `learn`."""
        plan, weights = self._plan, None
        for number in range(plan.rounds):
            weights = self._learned(number)
            if weights is None:
                return None
        assert weights is not None, "a plan has at least one round"
        if plan.look_ahead:
            last = plan.rounds - 1
            examples = self._two_rounds(last)
            if examples is None:
                return None
            deepening = Deepening(
                self._home,
                f"round-{last}",
                plan.look_ahead,
                plan.passes,
                plan.seed,
                plan.size,
                PIECE,
            )
            weights = deepening.learn(
                self._weights_of(last), examples, self._report, self._stop, self._executor
            )
            if weights is None:
                return None
        save_weights(self._home / SHIPPED[plan.size], weights, plan.size)
        return weights

    def _weights_of(self, number: int) -> Path:
        """The file of what a round has learned."""
        return self._home / f"round-{number}.weights"

    def _learned(self, number: int) -> Weights | None:
        """What a round has learned, which is in the folder afterwards; ``None`` if stopped."""
        plan = self._plan
        try:
            return load_weights(self._weights_of(number), plan.size)
        except WeightsError:  # missing or incomplete
            examples = self._two_rounds(number)
        if examples is None:
            return None
        weights = fit(
            examples,
            plan.passes,
            plan.seed,
            self._report,
            self._stop,
            part=f"round {number + 1}",
            size=plan.size,
            threads=self._executor.workers,
        )
        if weights is not None:
            save_weights(self._weights_of(number), weights, plan.size)
        return weights

    def _two_rounds(self, number: int) -> Examples | None:
        """The positions of a round and of the one before; ``None`` if stopped."""
        found = []
        for generation in range(max(0, number - 1), number + 1):
            examples = self._played(generation)
            if examples is None:
                return None
            found.append(examples)
        return joined(found)

    def _played(self, number: int) -> Examples | None:
        """The positions of a round, played if they are not in the folder; ``None`` if stopped."""
        plan, total = self._plan, -(-self._plan.positions // PIECE)
        paths = [self._home / f"round-{number}-games-{k:03d}.npz" for k in range(total)]
        pieces = {k: piece for k, path in enumerate(paths) if (piece := load_examples(path))}
        missing = [k for k in range(total) if k not in pieces]
        if missing and self._stop is not None and self._stop.is_set():
            return None
        weights = self._weights_of(number - 1) if number else None
        first = (plan.seed * 1000 + number) * 1_000_000
        tasks = [_Games(weights, PIECE, first + k, plan.size) for k in missing]
        for task, piece in self._executor.map(_play, tasks):
            save_examples(paths[missing[task]], piece)
            pieces[missing[task]] = piece
            self._report(Progress(f"round {number + 1}", "play", len(pieces), total))
            if len(pieces) < total and self._stop is not None and self._stop.is_set():
                return None
        return joined(pieces[k] for k in range(total))


class _Games(NamedTuple):
    """Games for a worker to play, with the weights of a file."""

    weights: Path | None
    positions: int
    seed: int
    size: int


def _play(games: _Games) -> Examples:
    weights = None if games.weights is None else _loaded(games.weights, games.size)
    return play(weights, games.positions, games.seed, games.size)


@lru_cache(maxsize=1)
def _loaded(path: Path, size: int) -> Weights:
    return load_weights(path, size)
