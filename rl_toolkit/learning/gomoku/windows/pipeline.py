"""Train a window network on the games from which an evaluation was learned.

It corrects that evaluation and no other: its file has the checksum. In the folder of the games::

    gomoku.weights               the evaluation, see `learning.gomoku.pipeline`
    gomoku-windows.state         the training so far, until it is done
    gomoku-windows.weights       the network (gomoku-windows-standard.weights for exactly five)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.algorithms.gomoku.weights import checksum_of, load_weights
from rl_toolkit.algorithms.gomoku.window_weights import SHIPPED, save_windows
from rl_toolkit.analysis import StopSignal
from rl_toolkit.learning.gomoku.fitting import Listener, Progress
from rl_toolkit.learning.gomoku.games import load_games
from rl_toolkit.learning.gomoku.pipeline import Learned, Plan
from rl_toolkit.learning.gomoku.windows.positions import Positions, joined, positions_of
from rl_toolkit.learning.gomoku.windows.training import PASSES, TrainedWindows, train_windows
from rl_toolkit.utils.executors import Executor, InProcess


@dataclass(frozen=True, slots=True)
class LearnedWindows:
    """The end of training: the file, and the training."""

    path: Path
    positions: int
    trained: TrainedWindows


def learn_windows(
    learned: Learned,
    plan: Plan,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
    *,
    executor: Executor | None = None,
    passes: float = PASSES,
) -> LearnedWindows | None:
    """Train a network that corrects what was ``learned``, or resume; ``None`` if stopped.

    ``passes`` is how often each position is looked at, see `train_windows`. `ValueError` for a
    damaged file, and without quiet positions.
    """
    report: Listener = on_progress or (lambda _: None)
    tasks = [_Task(path, learned.path, plan.size, plan.exactly) for path in learned.games]
    found: dict[int, Positions] = {}
    for number, positions in (executor or InProcess()).map(_positions_in, tasks):
        found[number] = positions
        report(Progress("window network", "read", len(found), len(tasks)))
        if stop is not None and stop.is_set():
            return None
    positions = joined([found[number] for number in sorted(found)])
    if len(positions) < 2:
        raise ValueError("these games have no quiet positions to learn from")
    path = learned.path.with_name(SHIPPED[plan.exactly])
    state = path.with_suffix(".state")
    trained = train_windows(
        positions,
        checksum_of(learned.path),
        state,
        passes=passes,
        seed=plan.seed,
        on_progress=on_progress,
        stop=stop,
    )
    if trained is None:
        return None
    save_windows(path, trained.network, plan.exactly)
    state.unlink(missing_ok=True)
    return LearnedWindows(path, len(positions), trained)


@dataclass(frozen=True, slots=True)
class _Task:
    """A file of games to read, and the evaluation to see its positions with."""

    games: Path
    weights: Path
    size: int
    exactly: bool


def _positions_in(task: _Task) -> Positions:
    evaluation = load_weights(task.weights, task.exactly)
    games = load_games(task.games, task.size, task.exactly)
    return positions_of(games, task.size, task.exactly, evaluation)
