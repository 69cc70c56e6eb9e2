"""Value iteration sweep by sweep: how many values change, and how many are right by then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rl_toolkit.algorithms.value_iteration import solve, state_space, value_iteration
from rl_toolkit.envs import make_game
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Column, Result
from rl_toolkit.utils.svg import Axis, Plot, Series


class SweepCount(NamedTuple):
    """One sweep: changed values, right values, of how many, and the value of the start."""

    number: int
    changed: int
    right: int
    states: int
    start: float


def measure(game: str, discount: float) -> Iterator[Progress | SweepCount]:
    """Sweep until nothing changes."""
    env = make_game(game)
    yield Progress(0, None, "looking for all positions")
    space = state_space(env)
    yield Progress(0, None, f"{len(space):,} positions")
    truth = solve(space, discount)
    for sweep in value_iteration(space, discount):
        right = sum(sweep.values[key] == value for key, value in truth.items())
        start = sweep.values[space.start] + 0.0
        yield Progress(sweep.number, None, f"sweep {sweep.number}")
        yield SweepCount(sweep.number, sweep.changed, right, len(space), start)


def conclude(measured: Sequence[SweepCount], complete: bool, game: str, discount: float) -> Result:
    """One row for each sweep."""
    name = make_game(game).name
    last = measured[-1]
    remarks = [f"{last.states:,} positions. All values begin at 0, except those of finished games."]
    if complete:
        remarks.append(
            f"Sweep {last.number} changes nothing: the values are final, and the start is worth "
            f"{last.start:g} for X."
        )
    shares = [(sweep.number, 100 * sweep.right / sweep.states) for sweep in measured]
    return Result(
        title=f"Value iteration on {name}, sweep by sweep",
        columns=[
            Column("sweep", "plain"),
            Column("changed"),
            Column("right"),
            Column("share", "percent"),
            Column("start", "number"),
        ],
        cells=[
            [str(sweep.number), sweep.changed, sweep.right, sweep.right / sweep.states, sweep.start]
            for sweep in measured
        ],
        remarks=remarks,
        chart=Plot(
            f"Value iteration on {name}: values that are right",
            [Series("right", shares)],
            Axis("sweep"),
            Axis("% of positions", high=100.0),
        ),
        data={
            "game": name,
            "discount": discount,
            "states": last.states,
            "changed": [sweep.changed for sweep in measured],
            "right": [sweep.right for sweep in measured],
            "value": last.start,
        },
    )


VALUE_SWEEPS = Experiment(
    id="value-iteration",
    title="Value iteration",
    about="How values spread from the ends of the games to the start, sweep by sweep.",
    unit="sweeps",
    settings=(
        settings.game("tictactoe", "connect-four-4x3x3", "connect-four-3x4x3"),
        settings.Setting(
            "discount", "number", 1.0, "the factor of a result for each move before it", 0.1, 1.0
        ),
    ),
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "The longest game of Tic-Tac-Toe has nine moves. Why are all values right after five "
            "sweeps?",
            "All values begin at 0, which is right for a draw. Only wins and losses must travel, "
            "and from every position where one can be forced it is at most five moves away.",
        ),
        Question(
            "A backward pass from the ends needs one visit to each position. What are sweeps good "
            "for, then?",
            "It needs no order of the positions. Where positions can repeat, or chance decides, "
            "there is no order from the end, and sweeps still work.",
        ),
    ),
    examples=("--discount 0.9",),
)
