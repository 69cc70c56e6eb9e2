"""Bandits: which arm should one pull, if nobody says what the arms pay?

Arms are numbered from 0. Arm a pays 1 with probability means[a], else 0; the policies do not see
the means. What they know are two lists, one entry per arm:

    sums[a]     what arm a has paid so far
    counts[a]   how often it was pulled
"""

import math
import random

# ---------------------------------------------------------------- Task 1


def pull(means, arm):
    """What one pull of the arm pays: 1 with probability means[arm], else 0."""
    return 1 if random.random() < means[arm] else 0


# ---------------------------------------------------------------- Task 2


def greedy(sums, counts):
    """An arm that was never pulled, if there is one; else the arm with the best mean so far."""
    best, best_mean = None, -1
    for arm, count in enumerate(counts):
        if count == 0:
            return arm
        mean = sums[arm] / count
        if mean > best_mean:
            best, best_mean = arm, mean
    return best


def epsilon_greedy(sums, counts, epsilon=0.1):
    """As greedy; but once all arms were pulled, with probability epsilon any arm."""
    if 0 not in counts and random.random() < epsilon:
        return random.randrange(len(counts))
    return greedy(sums, counts)


# ---------------------------------------------------------------- Task 3


def ucb1_scores(sums, counts):
    """For each arm: mean + sqrt(2 ln n / count), n being all pulls; math.inf if never pulled."""
    pulls = sum(counts)
    scores = []
    for total, count in zip(sums, counts, strict=True):
        if count == 0:
            scores.append(math.inf)
        else:
            scores.append(total / count + math.sqrt(2 * math.log(pulls) / count))
    return scores


def ucb1(sums, counts):
    """The arm with the highest score."""
    scores = ucb1_scores(sums, counts)
    return scores.index(max(scores))


# ---------------------------------------------------------------- Task 4


def regret(means, arms):
    """The regret after each pull: the sum of what the arms so far pay less than the best arm.

    means are the true means, arms the numbers of the pulled arms in order.
    """
    best = max(means)
    so_far, curve = 0.0, []
    for arm in arms:
        so_far += best - means[arm]
        curve.append(so_far)
    return curve


# ---------------------------------------------------------------- given


def play(means, policy, pulls):
    """Let a policy pull; return the numbers of the arms."""
    sums, counts, arms = [0] * len(means), [0] * len(means), []
    for _ in range(pulls):
        arm = policy(sums, counts)
        sums[arm] += pull(means, arm)
        counts[arm] += 1
        arms.append(arm)
    return arms


def random_arm(sums, counts):
    """The policy that learns nothing."""
    return random.randrange(len(counts))


def main():
    means = [0.2, 0.5, 0.8]
    if regret(means, [0, 1, 2]) is None:
        print("Task 4 is not written yet: regret answers None.")
        return
    print("regret, averaged over 100 runs, after 100 and 1000 pulls")
    for policy in (random_arm, greedy, epsilon_greedy, ucb1):
        random.seed(1)
        curves = [regret(means, play(means, policy, 1000)) for _ in range(100)]
        early = sum(curve[99] for curve in curves) / len(curves)
        late = sum(curve[999] for curve in curves) / len(curves)
        print(f"{policy.__name__:15} {early:6.1f} {late:7.1f}")


if __name__ == "__main__":
    main()
