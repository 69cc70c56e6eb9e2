"""The second half of learning an evaluation of Reversi: labels found by looking ahead.

Once games have given a first evaluation, it is learned anew, one stage of the game after the other,
from the end backwards. The last stages, where positions were solved, stay as they are. Before them
a label is what a search finds whose last positions belong to stages that are done (see
`kernels.reversi.learning.labels`). What is done is kept beside the games::

    round-2-stage-2-labels-000.npz   positions with 18 – 23 empty squares, and what was found
    …
    round-2-stage-2.weights          everything learned so far, stage 2 from these labels
    round-2-stage-3-labels-000.npz
    …
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.reversi.weights import (
    Weights,
    WeightsError,
    load_weights,
    save_weights,
)
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.reversi.learning.labels import label_positions
from rl_toolkit.kernels.reversi.learning.selfplay import SOLVED_FROM
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.kernels.reversi.patterns import STAGES, empties_of_stage
from rl_toolkit.learning.reversi.examples import Examples, joined, load_examples, save_examples
from rl_toolkit.learning.reversi.fitting import Listener, Progress, fit

#: Plies after which a look reaches a later stage, but for positions of the opening.
FURTHEST = 6
_TABLE_MB = 4.0
_MOST_EMPTY = 64


def depths(stage: int, least: int) -> npt.NDArray[np.int64]:
    """How many plies to look ahead, by the number of empty squares, in a stage.

    At least ``least``, and so many that the search ends in a later stage of the game, as far as
    that takes no more than `FURTHEST`: the opening is longer.
    """
    to_later_stage = np.arange(_MOST_EMPTY + 1) - empties_of_stage(stage)[0] + 1
    return np.maximum(least, np.minimum(to_later_stage, FURTHEST))


@dataclass(frozen=True, slots=True)
class Deepening:
    """Learning anew from labels found by looking ahead.

    Attributes:
        home: the folder in which everything is kept.
        name: what the names of its files begin with.
        least: plies to look ahead, at least.
        passes: how often to go through the positions when fitting.
        seed: decides in which order positions are learned from.
        size: rows and columns of the board.
        piece: positions in one file.
    """

    home: Path
    name: str
    least: int
    passes: int
    seed: int
    size: int
    piece: int

    def learn(
        self, weights: Weights, examples: Examples, tell: Listener, stop: StopSignal | None
    ) -> Weights | None:
        """``weights`` learned anew from these positions, going on from what the folder holds.

        ``None`` if stopped before the end.
        """
        empties = examples.empties(self.size)
        for stage in range(STAGES):
            first, last = empties_of_stage(stage)
            chosen = examples.only((empties >= first) & (empties <= last))
            if first <= SOLVED_FROM or not len(chosen):
                continue
            kept = self.home / f"{self.name}-stage-{stage}.weights"
            try:
                weights = load_weights(kept, self.size)
                continue
            except WeightsError:  # not there yet, or not whole
                pass
            part = f"{first} – {last} empty squares"
            labelled = self._labelled(stage, chosen, weights, part, tell, stop)
            if labelled is None:
                return None
            start = weights.copy()
            start[stage] = weights[stage - 1]  # better known, and much alike
            fitted = fit(
                labelled, self.passes, self.seed, tell, stop, start=start, part=part, size=self.size
            )
            if fitted is None:
                return None
            weights = fitted
            save_weights(kept, weights, self.size)
        return weights

    def _labelled(
        self,
        stage: int,
        examples: Examples,
        weights: Weights,
        part: str,
        tell: Listener,
        stop: StopSignal | None,
    ) -> Examples | None:
        """The examples of a stage, labelled where the folder lacks labels; ``None`` if stopped."""
        pieces = []
        total = -(-len(examples) // self.piece)
        for index in range(total):
            path = self.home / f"{self.name}-stage-{stage}-labels-{index:03d}.npz"
            done = load_examples(path)
            if done is None:
                if stop is not None and stop.is_set():
                    return None
                some = examples.only(slice(index * self.piece, (index + 1) * self.piece))
                done = label(some, weights, depths(stage, self.least), self.size)
                save_examples(path, done)
            pieces.append(done)
            tell(Progress(part, "label", index + 1, total))
        return joined(pieces)


def label(
    examples: Examples, weights: Weights, plies: npt.NDArray[np.int64], size: int = 8
) -> Examples:
    """The same positions with labels found by looking ahead.

    ``plies`` says how far to look, by the number of empty squares.
    """
    thinker = Thinker(size, _TABLE_MB, weights)
    found = np.zeros(len(examples), dtype=np.int64)
    label_positions(examples.mine, examples.theirs, plies, thinker.block, found)
    scores = np.clip(found / PER_DISC, -size * size, size * size)
    return Examples(examples.mine, examples.theirs, scores)
