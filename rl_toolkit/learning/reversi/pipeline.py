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
from pathlib import Path

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
) -> Weights | None:
    """Carry out ``plan`` in ``folder``, or resume it, and return the weights.

    ``None`` if stopped before the end; call it again to resume. `ValueError` for a folder that was
    started with another plan; it is left unchanged.
    """
    plan, home = plan or Plan(), Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    wanted = asdict(plan)
    del wanted["rounds"]  # more of them continue the same plan
    agree_on_plan(home, wanted)
    report: Listener = on_progress or (lambda _: None)
    learned: list[Weights] = []
    for number in range(plan.rounds):
        kept = home / f"round-{number}.weights"
        try:
            learned.append(load_weights(kept, plan.size))
            continue
        except WeightsError:  # missing or incomplete
            pass
        examples = _two_rounds(home, number, plan, learned, report, stop)
        if examples is None:
            return None
        part = f"round {number + 1}"
        weights = fit(examples, plan.passes, plan.seed, report, stop, part=part, size=plan.size)
        if weights is None:
            return None
        save_weights(kept, weights, plan.size)
        learned.append(weights)
    weights = learned[-1]
    if plan.look_ahead:
        last = plan.rounds - 1
        examples = _two_rounds(home, last, plan, learned, report, stop)
        if examples is None:
            return None
        deepening = Deepening(
            home, f"round-{last}", plan.look_ahead, plan.passes, plan.seed, plan.size, PIECE
        )
        weights = deepening.learn(weights, examples, report, stop)
        if weights is None:
            return None
    save_weights(home / SHIPPED[plan.size], weights, plan.size)
    return weights


def _two_rounds(
    home: Path,
    number: int,
    plan: Plan,
    learned: list[Weights],
    report: Listener,
    stop: StopSignal | None,
) -> Examples | None:
    """The positions of a round and of the one before; ``None`` if stopped.

    ``learned`` are the weights of the rounds so far.
    """
    found = []
    for each in range(max(0, number - 1), number + 1):
        weights = learned[each - 1] if each else None
        examples = _played(home, each, plan, weights, report, stop)
        if examples is None:
            return None
        found.append(examples)
    return joined(found)


def _played(
    home: Path,
    number: int,
    plan: Plan,
    weights: Weights | None,
    report: Listener,
    stop: StopSignal | None,
) -> Examples | None:
    """The positions of a round, played if they are not in the folder; ``None`` if stopped."""
    pieces = []
    total = -(-plan.positions // PIECE)
    for index in range(total):
        path = home / f"round-{number}-games-{index:03d}.npz"
        piece = load_examples(path)
        if piece is None:
            if stop is not None and stop.is_set():
                return None
            seed = (plan.seed * 1000 + number) * 1_000_000 + index
            piece = play(weights, PIECE, seed, plan.size)
            save_examples(path, piece)
        pieces.append(piece)
        report(Progress(f"round {number + 1}", "play", index + 1, total))
    return joined(pieces)
