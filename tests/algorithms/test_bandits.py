"""Bandits: the hand example, seeds, regrets inside their bands, and arms that are none."""

import random
from itertools import islice
from math import inf, log, sqrt
from statistics import pstdev

import pytest

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    RandomArm,
    Tally,
    Thompson,
    mean_regret,
    play_bandit,
    regrets,
    ucb1_regret_bound,
    ucb1_scores,
)

ARMS = BernoulliArms((0.2, 0.5, 0.8))
POLICIES = [RandomArm(), Greedy(), EpsilonGreedy(0.1), UCB1(), Thompson()]


def first(policy, pulls, seed=0, arms=ARMS):
    return list(islice(play_bandit(arms, policy, seed=seed), pulls))


def test_the_hand_example():
    assert [round(s, 3) for s in ucb1_scores([3, 1, 2], [5, 2, 3])] == [1.560, 2.017, 1.906]
    assert [round(s, 3) for s in ucb1_scores([3, 1, 2], [5, 2, 3], c=1.41)] == [
        1.557,
        2.013,
        1.902,
    ]
    assert UCB1().choose(Tally([5, 2, 3], [3, 1, 2]), random.Random(0)) == 1
    assert Greedy().choose(Tally([5, 2, 3], [3, 1, 2]), random.Random(0)) == 2


def test_an_untried_arm_has_no_limit_and_the_total_may_be_larger():
    assert ucb1_scores([0, 1], [0, 1]) == [inf, 1.0]
    assert ucb1_scores([1, 1], [1, 4], pulls=20) == [
        1 + sqrt(2 * log(20)),
        0.25 + sqrt(2 * log(20) / 4),
    ]
    with pytest.raises(ValueError, match="zip"):
        ucb1_scores([1, 1], [1])


@pytest.mark.parametrize("policy", [Greedy(), EpsilonGreedy(0.5), UCB1()], ids=repr)
def test_every_arm_is_pulled_once_first(policy):
    assert [pull.arm for pull in first(policy, 3)] == [0, 1, 2]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_the_same_seed_gives_the_same_pulls(policy):
    assert first(policy, 200, seed=5) == first(policy, 200, seed=5)
    assert first(policy, 200, seed=5) != first(policy, 200, seed=6)


def test_a_pull_counts_the_regret():
    regret = 0.0
    for number, pull in enumerate(first(RandomArm(), 300), 1):
        regret += ARMS.best_mean - ARMS.means[pull.arm]
        assert pull.number == number
        assert pull.reward in (0, 1)
        assert pull.regret == pytest.approx(regret)


def test_the_arms_pay_what_they_say():
    luck = random.Random(1)
    for arm, mean in enumerate(ARMS.means):
        paid = sum(ARMS.pull(arm, luck) for _ in range(4000)) / 4000
        assert abs(paid - mean) < 4 * sqrt(mean * (1 - mean) / 4000)


#: Mean regret after 100 and 1000 pulls, with the room that 30 runs need.
BANDS = {
    RandomArm(): ((29, 31), (294, 306)),
    EpsilonGreedy(0.1): ((6, 13), (31, 45)),
    UCB1(): ((11, 14), (36, 43)),
    Thompson(): ((4, 8), (7, 12)),
}


@pytest.mark.parametrize("policy", BANDS, ids=repr)
def test_the_regret_lies_in_its_band(policy):
    for regret, (low, high) in zip(
        mean_regret(ARMS, policy, at=(100, 1000), runs=30), BANDS[policy], strict=True
    ):
        assert low < regret < high


def test_greedy_may_lock_onto_a_bad_arm():
    after = [regrets(ARMS, Greedy(), at=(1000,), seed=seed)[0] for seed in range(30)]
    assert min(after) < 1  # the right arm at once
    assert max(after) > 290  # the second or third arm for ever
    assert pstdev(after) > 5 * pstdev(
        [regrets(ARMS, UCB1(), at=(1000,), seed=seed)[0] for seed in range(30)]
    )


@pytest.mark.full
def test_the_regrets_after_ten_thousand_pulls():
    at, runs = (100, 1000, 10_000), 200
    found = {policy: mean_regret(ARMS, policy, at=at, runs=runs) for policy in POLICIES}
    assert found[RandomArm()] == pytest.approx([30, 300, 3000], rel=0.02)
    assert found[EpsilonGreedy(0.1)] == pytest.approx([9, 39, 309], rel=0.15)
    assert found[UCB1()] == pytest.approx([12, 39, 74], rel=0.1)
    assert found[UCB1()][2] < found[EpsilonGreedy(0.1)][2] < found[Greedy()][2]
    # Logarithmic: ten times the pulls add about the same, where ε-greedy multiplies.
    ucb = found[UCB1()]
    assert ucb[2] - ucb[1] < 1.6 * (ucb[1] - ucb[0])


def test_the_bound_of_ucb1():
    assert round(ucb1_regret_bound(ARMS, 1000)) == 280
    for pulls, regret in zip(
        (100, 1000), mean_regret(ARMS, UCB1(), at=(100, 1000), runs=20), strict=True
    ):
        assert regret < ucb1_regret_bound(ARMS, pulls)
    assert ucb1_regret_bound(BernoulliArms((0.5, 0.5)), 1000) == 0


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: BernoulliArms(()), "at least one arm"),
        (lambda: BernoulliArms((0.5, 1.5)), "from 0 to 1, not 1.5"),
        (lambda: EpsilonGreedy(-0.1), "from 0 to 1, not -0.1"),
        (lambda: Tally([1], [1, 2]), "1 counts, but 2 sums"),
        (lambda: regrets(ARMS, UCB1(), at=()), "must increase"),
        (lambda: regrets(ARMS, UCB1(), at=(5, 5)), "must increase"),
        (lambda: regrets(ARMS, UCB1(), at=(0, 5)), "must increase"),
    ],
)
def test_what_cannot_be_is_refused(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()
