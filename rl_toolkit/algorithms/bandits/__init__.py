"""Bandits: choose again and again between arms of unknown worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
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
    "UCB1",  # The highest upper confidence bound
    "BernoulliArms",  # Arms numbered from 0; arm ``a`` pays 1 with probability ``means[a]``, else 0
    "EpsilonGreedy",  # Greedy, but with probability ``epsilon`` any arm
    "Greedy",  # The best average so far, and nothing else
    "Policy",  # What chooses the next arm
    "Pull",  # One pull
    "RandomArm",  # Every arm with the same probability
    "RegretBand",  # The regret after each number of pulls in ``at``
    "Tally",  # What is known about the arms
    "Thompson",  # Draw a possible mean for every arm, and pull the arm with the highest draw
    "Told",  # The arms that somebody has chosen beforehand, in this order
    "mean_regret",  # The regret at each number of pulls in ``at``, averaged over ``runs`` runs
    "play_bandit",  # Pull for ever; take as many pulls as you like
    # The regret of ``runs`` runs of a policy; fewer points if ``stop`` is set meanwhile
    "regret_band",
    "regrets",  # The regret after each number of pulls in ``at``, which must increase
    # What the regret of UCB1 never exceeds on average, by Auer, Cesa-Bianchi and Fischer
    # (2002)
    "ucb1_regret_bound",
    "ucb1_scores",  # Mean reward plus c·√(ln n / nₐ) for every arm; infinite for an untried one
]
__getattr__, __dir__ = front_door(__name__)
