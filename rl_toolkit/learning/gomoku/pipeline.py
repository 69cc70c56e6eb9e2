"""Learn the Gomoku evaluation: play games, fit values and ranks, and again with what was learned.

Everything is saved in a folder, piece by piece, so that interrupted learning resumes::

    plan.json                     the plan of this folder
    round-0-games-0000.games      games of self-play, see `learning.gomoku.games`
    round-0-games-0001.games
    …
    round-0.weights               the evaluation fitted to them, which plays round 1
    …
    gomoku.weights                the final one (gomoku-standard.weights for exactly five)

The first round plays with the shipped evaluation, or without any if the plan begins from nothing.
Weights are fitted to the games of the last two rounds together. Every file is written atomically,
and a damaged one is an error, not played again: somebody may want to know.
"""

from __future__ import annotations

import os
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from rl_toolkit.algorithms.gomoku import SHIPPED, load_weights, save_weights, shipped_weights
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.gomoku.state import Evaluation
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD, LineRule
from rl_toolkit.learning.gomoku.examples import (
    Choices,
    Examples,
    choices_of,
    examples_of,
    joined_choices,
    joined_examples,
)
from rl_toolkit.learning.gomoku.fitting import (
    Listener,
    Progress,
    Ranks,
    Values,
    fit_ranks,
    fit_values,
)
from rl_toolkit.learning.gomoku.games import Games, load_games, save_games
from rl_toolkit.learning.gomoku.selfplay import play
from rl_toolkit.learning.plan_file import agree_on_plan
from rl_toolkit.utils import write_bytes_atomically
from rl_toolkit.utils.executors import Executor, InProcess

#: Positions per file, at least.
PIECE = 5000
#: Choices to fit the ranks to; there are fewer numbers to learn than for the values.
CHOICES = 100_000
_MOST_PIECES = 10_000


@dataclass(frozen=True, slots=True)
class Plan:
    """How to learn an evaluation.

    Attributes:
        positions: positions to play in each round.
        rounds: rounds of self-play, each with the weights of the one before.
        nodes: nodes for each move of self-play.
        seed: the same seed gives the same games and the same weights.
        size: rows and columns of the board.
        rule: which rows of stones win.
        from_nothing: play the first round without an evaluation, not with the shipped one.
    """

    positions: int = 1_000_000
    rounds: int = 1
    nodes: int = 1500
    seed: int = 0
    size: int = 15
    rule: LineRule = FREESTYLE
    from_nothing: bool = False

    def __post_init__(self) -> None:
        if not PIECE <= self.positions <= PIECE * _MOST_PIECES or self.rounds < 1:
            most = PIECE * _MOST_PIECES
            raise ValueError(f"a plan needs {PIECE} to {most} positions, and 1 round or more")
        if self.nodes < 100:
            raise ValueError(f"a plan needs at least 100 nodes a move, not {self.nodes}")
        if not 9 <= self.size <= 20:
            raise ValueError(f"an evaluation is learned on 9 to 20 rows, not on {self.size}")

    @property
    def pieces(self) -> int:
        """The number of files of a round."""
        return -(-self.positions // PIECE)


@dataclass(frozen=True, slots=True)
class Learned:
    """The end of learning: the file, and how well it predicts positions that were held back."""

    path: Path
    positions: int
    values: Values
    ranks: Ranks


def learn(
    folder: str | os.PathLike[str],
    plan: Plan | None = None,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
    *,
    executor: Executor | None = None,
    seconds: float | None = None,
) -> Learned | None:
    """Carry out ``plan`` in ``folder``, or resume it.

    ``None`` if stopped before the end; call it again to resume. After ``seconds`` no more games are
    played, and the last round is fitted to those that there are. `ValueError` for a folder that was
    started with another plan, and for a damaged file; nothing is changed then.
    """
    run = _Run(Path(folder), plan or Plan(), on_progress, stop, executor or InProcess(), seconds)
    return run.learn()


class _Run:
    """One call of `learn`."""

    def __init__(
        self,
        home: Path,
        plan: Plan,
        on_progress: Listener | None,
        stop: StopSignal | None,
        executor: Executor,
        seconds: float | None,
    ) -> None:
        self._home, self._plan, self._executor, self._stop = home, plan, executor, stop
        self._report: Listener = on_progress or (lambda _: None)
        self._end = None if seconds is None else time.monotonic() + seconds

    def learn(self) -> Learned | None:
        plan = self._plan
        self._home.mkdir(parents=True, exist_ok=True)
        wanted = asdict(plan) | {"exactly": plan.rule == STANDARD}
        del wanted["rule"]  # a folder keeps the field that it began with
        del wanted["rounds"], wanted["positions"]  # more of them continue the same plan
        agree_on_plan(self._home, wanted)
        for number in range(plan.rounds):
            is_last = number == plan.rounds - 1
            kept, final = self._weights_of(number), self._home / SHIPPED[plan.rule]
            if kept.exists() and not is_last:
                load_weights(kept, plan.rule)  # reject a damaged file before hours of play
                continue
            learned = self._fit(number, kept) if self._play(number) else None
            if learned is None:
                return None
            if is_last or self._is_late():
                write_bytes_atomically(final, kept.read_bytes())
                return replace(learned, path=final)
        raise AssertionError("a plan has at least one round")

    def _weights_of(self, number: int) -> Path:
        return self._home / f"round-{number}.weights"

    def _evaluation_of(self, number: int) -> str:
        """The file of the weights that play a round; empty for the first."""
        return str(self._weights_of(number - 1)) if number else ""

    def _pieces(self, number: int) -> list[Path]:
        names = (f"round-{number}-games-{k:04d}.games" for k in range(self._plan.pieces))
        return [self._home / name for name in names]

    def _known(self, number: int) -> list[Path]:
        """The files of games of a round and the one before, as far as they were played."""
        rounds = range(max(0, number - 1), number + 1)
        return [path for each in rounds for path in self._pieces(each) if path.exists()]

    def _is_late(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end

    def _is_stopped(self) -> bool:
        return self._stop is not None and self._stop.is_set()

    def _play(self, number: int) -> bool:
        """Play the games of a round that are not in the folder; ``False`` if stopped."""
        plan, paths = self._plan, self._pieces(number)
        for path in paths:
            if path.exists():
                load_games(path, plan.size, plan.rule)
        missing = [k for k, path in enumerate(paths) if not path.exists()]
        done = len(paths) - len(missing)
        self._report(Progress(f"round {number + 1}", "play", done, len(paths)))
        if not missing or (done > 0 and self._is_late()):
            return not self._is_stopped()
        tasks = [_Task(plan, self._evaluation_of(number), number, k) for k in missing]
        for task, games in self._executor.map(_play_piece, tasks):
            save_games(paths[missing[task]], games, plan.size, plan.rule)
            done += 1
            self._report(Progress(f"round {number + 1}", "play", done, len(paths)))
            if self._is_stopped() or self._is_late():
                break
        return not self._is_stopped()

    def _fit(self, number: int, target: Path) -> Learned | None:
        """Fit to the games of a round and the one before; ``None`` if stopped."""
        plan, paths = self._plan, self._known(number)
        every = max(1, len(paths) * PIECE // CHOICES)
        examples, choices = [], []
        tasks = [_Reading(path, plan.size, plan.rule, every) for path in paths]
        found: dict[int, tuple[Examples, Choices]] = {}
        for k, read in self._executor.map(_read_piece, tasks):
            found[k] = read
            self._report(Progress("positions", "read", len(found), len(paths)))
            if self._is_stopped():
                return None
        for k in sorted(found):  # executors finish in any order; the sum must not depend on it
            examples.append(found[k][0])
            choices.append(found[k][1])
        values = fit_values(joined_examples(examples), self._report, self._stop)
        ranks = fit_ranks(joined_choices(choices), self._report, self._stop) if values else None
        if values is None or ranks is None:
            return None
        tables = np.stack([values.own, values.other, ranks.own, ranks.other])
        save_weights(target, round(values.tempo), tables, plan.rule)
        return Learned(target, sum(map(len, examples)), values, ranks)


@dataclass(frozen=True, slots=True)
class _Task:
    """A file of games to play."""

    plan: Plan
    weights: str
    number: int
    piece: int


@dataclass(frozen=True, slots=True)
class _Reading:
    """A file of games to read."""

    path: Path
    size: int
    rule: LineRule
    every: int


def _play_piece(task: _Task) -> Games:
    """Play the games of a file."""
    plan = task.plan
    evaluation: Evaluation | None = None
    if task.weights:
        evaluation = load_weights(task.weights, plan.rule)
    elif not plan.from_nothing:
        evaluation = shipped_weights(plan.rule)
    seed = (plan.seed * 1000 + task.number) * _MOST_PIECES + task.piece
    return play(plan.size, plan.rule, evaluation, PIECE, plan.nodes, seed)


def _read_piece(task: _Reading) -> tuple[Examples, Choices]:
    """The examples and the choices of a file of games."""
    games = load_games(task.path, task.size, task.rule)
    return (
        examples_of(games, task.size, task.rule),
        choices_of(games, task.size, task.rule, task.every),
    )
