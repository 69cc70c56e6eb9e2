"""Bandits: choose again and again between arms of unknown worth."""

from rl_toolkit.algorithms.bandits.arms import BernoulliArms
from rl_toolkit.algorithms.bandits.many_runs import RegretBand, regret_band
from rl_toolkit.algorithms.bandits.play import (
    Pull,
    mean_regret,
    play_bandit,
    regrets,
    ucb1_regret_bound,
)
from rl_toolkit.algorithms.bandits.policies import (
    UCB1,
    EpsilonGreedy,
    Greedy,
    Policy,
    RandomArm,
    Tally,
    Thompson,
    Told,
    ucb1_scores,
)

__all__ = [
    "UCB1",
    "BernoulliArms",
    "EpsilonGreedy",
    "Greedy",
    "Policy",
    "Pull",
    "RandomArm",
    "RegretBand",
    "Tally",
    "Thompson",
    "Told",
    "mean_regret",
    "play_bandit",
    "regret_band",
    "regrets",
    "ucb1_regret_bound",
    "ucb1_scores",
]
