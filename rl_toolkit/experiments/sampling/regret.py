"""The regret of bandit policies over many runs, with bands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    Policy,
    RandomArm,
    RegretBand,
    Thompson,
    regret_band,
    ucb1_regret_bound,
)
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Column, Result
from rl_toolkit.utils.svg import Axis, Plot, Series

#: The policies by the names that tables and charts show.
POLICIES: dict[str, Policy] = {
    "random": RandomArm(),
    "greedy": Greedy(),
    "ε-greedy": EpsilonGreedy(0.1),
    "UCB1": UCB1(),
    "Thompson": Thompson(),
}
_POINTS = 40


class PolicyRuns(NamedTuple):
    """The runs of one policy."""

    policy: str
    band: RegretBand


def moments(pulls: int) -> list[int]:
    """Numbers of pulls at which the regret is looked at, from 1 to ``pulls``.

    >>> moments(4)
    [1, 2, 3, 4]
    """
    return sorted({max(1, round(pulls * place / _POINTS)) for place in range(1, _POINTS + 1)} | {1})


def measure(
    means: Sequence[float], pulls: int, runs: int, seed: int
) -> Iterator[Progress | PolicyRuns]:
    """All runs of one policy after the other."""
    arms = BernoulliArms(tuple(means))
    for number, (name, policy) in enumerate(POLICIES.items()):
        yield Progress(number, len(POLICIES), name)
        yield PolicyRuns(name, regret_band(arms, policy, moments(pulls), runs=runs, seed=seed))


def conclude(
    found: Sequence[PolicyRuns],
    complete: bool,
    means: Sequence[float],
    pulls: int,
    runs: int,
    seed: int,
) -> Result:
    """The regret of each policy at the end, and its curve."""
    arms = BernoulliArms(tuple(means))
    shown = ", ".join(f"{mean:g}" for mean in means)
    bound = ucb1_regret_bound(arms, pulls)
    return Result(
        title=f"Regret after {pulls:,} pulls of arms that pay {shown}",
        columns=[
            Column("policy", "plain"),
            Column("regret", "number"),
            Column("low 10 %", "number"),
            Column("high 10 %", "number"),
            Column("spread", "number"),
        ],
        cells=[
            [name, band.mean[-1], band.low[-1], band.high[-1], band.spread[-1]]
            for name, band in found
        ],
        remarks=[
            f"Means of {runs:,} runs, seed {seed}. One run in ten is below the low column, one in "
            "ten above the high one.",
            f"The regret of UCB1 is proved to be at most {bound:,.0f} on average.",
        ],
        chart=Plot(
            f"Regret, arms that pay {shown}",
            [
                Series(
                    name,
                    list(zip(band.at, band.mean, strict=True)),
                    band=list(zip(band.low, band.high, strict=True)),
                )
                for name, band in found
            ],
            Axis("pulls"),
            Axis("regret"),
        ),
        data={
            "means": list(means),
            "pulls": pulls,
            "runs": runs,
            "seed": seed,
            "regret": {name: band.mean[-1] for name, band in found},
            "bound": bound,
        },
    )


REGRET = Experiment(
    id="regret",
    title="Regret of bandits",
    about="How the regret of five ways to choose an arm grows with the pulls.",
    unit="policies",
    settings=(
        settings.Setting(
            "means",
            "numbers",
            [0.2, 0.5, 0.8],
            "the average payout of each arm, separated by commas",
            least=0,
            most=1,
        ),
        settings.Setting("pulls", "whole", 1000, "pulls of a run", most=100_000, page_most=5000),
        settings.Setting("runs", "whole", 200, "runs of each policy", most=10_000, page_most=500),
        settings.seed(),
    ),
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "Greedy is sometimes the best policy of all, and its mean is still bad. What does the "
            "band say?",
            "That single runs are far apart: most lock onto the best arm, and some onto a bad one "
            "for ever.",
        ),
        Question(
            "Move two arms closer together. Why does the regret not always fall?",
            "Each wrong pull costs less, but telling the arms apart takes longer: about ln n "
            "divided by the gap.",
        ),
    ),
    examples=("--means 0.45,0.5,0.55 --pulls 10000",),
)
