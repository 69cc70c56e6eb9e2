"""The values of MCTS against the truth, as simulations grow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.arena import scores_of
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Cell, Column, Result
from rl_toolkit.records import position_to_text, read_position
from rl_toolkit.utils import Z95, wilson_interval
from rl_toolkit.utils.svg import Axis, Plot, Series


class TreeRun(NamedTuple):
    """One search: how far its values are from the truth, and whether it chose well.

    ``simulations`` is how many it was asked for, ``ran`` how many it ran. ``best_error`` is that of
    the move it chose, ``error`` the mean of all moves that were tried.
    """

    simulations: int
    best_error: float
    error: float
    is_right: bool
    ran: int


def true_values(env: BaseGameEnv) -> dict[int, float]:
    """The result of each move with best play, for the side to move: +1, 0 or −1."""
    scores = scores_of(env)
    return {move: float((score > 0) - (score < 0)) for move, score in scores.items()}


def _position(game: str, position: str) -> BaseGameEnv:
    env = read_position(game, position)
    if env.is_terminal():
        raise ValueError("the game is over: there is no move to value")
    return env


def measure(
    game: str, position: str, simulations: Sequence[int], c: float, runs: int, seed: int
) -> Iterator[Progress | TreeRun]:
    """``runs`` searches with each number of simulations."""
    env = _position(game, position)
    yield Progress(0, None, "solving the position")
    truth = true_values(env)
    best = max(truth.values())
    total = len(simulations) * runs
    for place, count in enumerate(simulations):
        for run in range(runs):
            yield Progress(place * runs + run, total, f"{count:,} simulations")
            solver = MCTSSolver(count, c=c, tactics=False, proofs=False, seed=seed * runs + run)
            analysis = solver.analyse(env.copy(), Limit(simulations=count))
            errors = {
                candidate.move: abs(candidate.value - truth[candidate.move])
                for candidate in analysis.candidates
                if candidate.visits and candidate.value is not None
            }
            chosen = analysis.best_move
            assert chosen is not None  # the game is not over
            mean = sum(errors.values()) / len(errors)
            ran = analysis.simulations or 0
            yield TreeRun(count, errors[chosen], mean, truth[chosen] == best, ran)


def conclude(
    measured: Sequence[TreeRun],
    complete: bool,
    game: str,
    position: str,
    simulations: Sequence[int],
    c: float,
    runs: int,
    seed: int,
) -> Result:
    """The mean error by simulations, with its interval, and how often the move was right."""
    env = _position(game, position)
    rows: dict[int, list[TreeRun]] = {}
    for each in measured:
        rows.setdefault(each.simulations, []).append(each)
    cells: list[list[Cell]] = []
    for count, done in rows.items():
        right = sum(each.is_right for each in done) / len(done)
        chosen, mean = (_mean([each[column] for each in done]) for column in (1, 2))
        ran = round(_mean([each.ran for each in done]))
        ends = wilson_interval(right, len(done))
        cells.append([count, chosen, mean, right, ends, ran, len(done)])
    where = position_to_text(env)
    return Result(
        title=f"The values of MCTS against the truth, {env.name} {where}",
        columns=[
            Column("simulations"),
            Column("error", "number"),
            Column("of all moves", "number"),
            Column("right move", "percent"),
            Column("95 % interval", "interval"),
            Column("ran"),
            Column("searches"),
        ],
        cells=cells,
        remarks=[
            "error is how far the value of the chosen move is from the truth (+1, 0, −1); of all "
            "moves, the mean over those that were tried. A move is right if it keeps the best "
            "result.",
            "ran is the number of simulations that ran. Plain UCT proves nothing and never ends "
            "early; the engine mcts does both.",
            f"c = {c:g}, random playouts, no tactics. Seed {seed}: the same searches every time.",
        ],
        chart=Plot(
            f"Error of the values of MCTS, {env.name}",
            [_curve("chosen move", rows, 1), _curve("all moves", rows, 2)],
            Axis("simulations", log=True),
            Axis("error"),
        ),
        data={
            "game": env.name,
            "position": where,
            "c": c,
            "seed": seed,
            "error": {str(n): _mean([run.best_error for run in done]) for n, done in rows.items()},
            "error_of_all": {
                str(n): _mean([run.error for run in done]) for n, done in rows.items()
            },
            "ran": {str(n): _mean([run.ran for run in done]) for n, done in rows.items()},
            "right": {
                str(n): sum(run.is_right for run in done) / len(done) for n, done in rows.items()
            },
        },
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _curve(name: str, rows: Mapping[int, Sequence[TreeRun]], column: int) -> Series:
    """The mean error with its 95 % interval."""
    points, band = [], []
    for count, done in rows.items():
        errors = [run[column] for run in done]
        mean = _mean(errors)
        reach = Z95 * sqrt(sum((error - mean) ** 2 for error in errors)) / len(errors)
        points.append((float(count), mean))
        band.append((max(0.0, mean - reach), mean + reach))
    return Series(name, points, band=band)


MCTS_VALUES = Experiment(
    id="mcts-values",
    title="MCTS against the truth",
    about="How far the values of plain UCT are from the truth, as simulations grow.",
    unit="searches",
    settings=(
        settings.game("tictactoe", "connect-four"),
        settings.Setting(
            "position",
            "text",
            "a1 c1",
            "the moves that lead to the position, or the position as text",
        ),
        settings.Setting(
            "simulations",
            "wholes",
            [10, 30, 100, 300, 1000, 3000, 10_000],
            "simulations of a search, separated by commas",
            page_most=20_000,
        ),
        settings.Setting("c", "number", 1.41, "the weight of exploration", least=0, most=100),
        settings.Setting(
            "runs",
            "whole",
            10,
            "searches with each number of simulations",
            most=10_000,
            page_most=30,
        ),
        settings.seed(),
    ),
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "The right move is found long before the values of all moves are right. Why is that "
            "enough?",
            "For choosing, only the order of the moves counts. The best move gets most of the "
            "simulations, so its value is the most exact one.",
        ),
        Question(
            "Why does the error of all moves stay large, even after 10,000 simulations?",
            "Bad moves are rarely looked at, so below them there is hardly a tree: their values "
            "are still those of random play.",
        ),
    ),
    examples=("--position 'x1o/3/3 x'", "connect-four --simulations 100,1000,10000"),
    minutes=True,
)
