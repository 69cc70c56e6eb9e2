"""The second half of learning a Reversi evaluation: labels found by search.

Once games have given a first evaluation, it is learned again, one stage of the game after the
other, from the end backwards. The last stages, where positions were solved, stay as they are.
Before them, the label of a position is the score of a search whose leaves belong to finished stages
(see `kernels.reversi.learning.labels`). Results are saved beside the games::

    round-2-stage-2-labels-000.npz   positions with 18 – 23 empty squares, and their labels
    …
    round-2-stage-2.weights          all weights so far, those of stage 2 from these labels
    round-2-stage-3-labels-000.npz
    …
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.reversi import Weights, WeightsError, load_weights, save_weights
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.reversi.learning.labels import label_positions
from rl_toolkit.kernels.reversi.learning.selfplay import SOLVED_FROM
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.kernels.reversi.patterns import STAGES, empties_of_stage
from rl_toolkit.learning.reversi.examples import Examples, joined, load_examples, save_examples
from rl_toolkit.learning.reversi.fitting import Listener, Progress, fit
from rl_toolkit.utils.executors import Executor

#: Plies after which a search reaches a later stage, except in the opening.
FURTHEST = 6
_TABLE_MB = 4.0
_MOST_EMPTY = 64


def depths(stage: int, least: int) -> npt.NDArray[np.int64]:
    """The search depths for a stage, by the number of empty squares.

    At least ``least``, and enough for the search to end in a later stage of the game, up to
    `FURTHEST`: the opening is longer.
    """
    to_later_stage = np.arange(_MOST_EMPTY + 1) - empties_of_stage(stage)[0] + 1
    return np.maximum(least, np.minimum(to_later_stage, FURTHEST))


@dataclass(frozen=True, slots=True)
class Deepening:
    """Learning again from labels found by search.

    Attributes:
        home: the folder of the files.
        name: the prefix of their names.
        least: the minimum search depth.
        passes: passes over the positions when fitting.
        seed: determines the order of the positions.
        size: rows and columns of the board.
        piece: positions per file.
    """

    home: Path
    name: str
    least: int
    passes: int
    seed: int
    size: int
    piece: int

    def learn(
        self,
        before: Path,
        examples: Examples,
        report: Listener,
        stop: StopSignal | None,
        executor: Executor,
    ) -> Weights | None:
        """Learn the weights in ``before`` again from these positions, resuming from the folder.

        ``None`` if stopped before the end.
        """
        empties, latest = examples.empties(self.size), before
        weights = load_weights(latest, self.size)
        for stage in range(STAGES):
            first, last = empties_of_stage(stage)
            chosen = examples.only((empties >= first) & (empties <= last))
            if first <= SOLVED_FROM or not len(chosen):
                continue
            kept = self.home / f"{self.name}-stage-{stage}.weights"
            try:
                weights, latest = load_weights(kept, self.size), kept
                continue
            except WeightsError:  # missing or incomplete
                pass
            part = f"{first} – {last} empty squares"
            labelled = self._labelled(stage, chosen, latest, part, report, stop, executor)
            if labelled is None:
                return None
            start = weights.copy()
            start[stage] = weights[stage - 1]  # already learned, and similar
            fitted = fit(
                labelled,
                self.passes,
                self.seed,
                report,
                stop,
                start=start,
                part=part,
                size=self.size,
            )
            if fitted is None:
                return None
            weights, latest = fitted, kept
            save_weights(kept, weights, self.size)
        return weights

    def _labelled(
        self,
        stage: int,
        examples: Examples,
        weights: Path,
        part: str,
        report: Listener,
        stop: StopSignal | None,
        executor: Executor,
    ) -> Examples | None:
        """The examples of a stage, labelled if not in the folder; ``None`` if stopped."""
        total = -(-len(examples) // self.piece)
        name = f"{self.name}-stage-{stage}-labels"
        paths = [self.home / f"{name}-{index:03d}.npz" for index in range(total)]
        pieces = {k: piece for k, path in enumerate(paths) if (piece := load_examples(path))}
        missing = [k for k in range(total) if k not in pieces]
        if missing and stop is not None and stop.is_set():
            return None
        parts = (slice(k * self.piece, (k + 1) * self.piece) for k in missing)
        plies = depths(stage, self.least)
        tasks = [_Unlabelled(examples.only(some), weights, plies, self.size) for some in parts]
        for task, piece in executor.map(_label, tasks):
            save_examples(paths[missing[task]], piece)
            pieces[missing[task]] = piece
            report(Progress(part, "label", len(pieces), total))
            if len(pieces) < total and stop is not None and stop.is_set():
                return None
        return joined(pieces[k] for k in range(total))


class _Unlabelled(NamedTuple):
    """Positions for a worker to label, with the weights of a file."""

    examples: Examples
    weights: Path
    plies: npt.NDArray[np.int64]
    size: int


def _label(task: _Unlabelled) -> Examples:
    return label(task.examples, load_weights(task.weights, task.size), task.plies, task.size)


def label(
    examples: Examples, weights: Weights, plies: npt.NDArray[np.int64], size: int = 8
) -> Examples:
    """The same positions with labels found by search.

    ``plies`` is the search depth by the number of empty squares.
    """
    thinker = Thinker(size, _TABLE_MB, weights)
    labels = np.zeros(len(examples), dtype=np.int64)
    label_positions(examples.mine, examples.theirs, plies, thinker.block, labels)
    scores = np.clip(labels / PER_DISC, -size * size, size * size)
    return Examples(examples.mine, examples.theirs, scores)
