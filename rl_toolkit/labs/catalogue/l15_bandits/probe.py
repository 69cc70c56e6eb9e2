"""Runs the student's arms and policies in their process."""


def pull(module, means, arm, times):
    """What so many pulls pay."""
    return [module.pull(means, arm) for _ in range(times)]


def epsilon_greedy(module, sums, counts, epsilon, times):
    """How often each answer is given."""
    seen = {}
    for _ in range(times):
        arm = module.epsilon_greedy(list(sums), list(counts), epsilon)
        seen[arm] = seen.get(arm, 0) + 1
    return seen


def play(module, name, means, pulls, runs, at):
    """The regret after the numbers of pulls in ``at``, averaged, and the first arms of each run."""
    policy = getattr(module, name)
    totals, firsts = [0.0] * len(at), []
    for _ in range(runs):
        sums, counts, arms = [0] * len(means), [0] * len(means), []
        for _ in range(pulls):
            arm = policy(sums, counts)
            sums[arm] += module.pull(means, arm)
            counts[arm] += 1
            arms.append(arm)
        curve = module.regret(means, arms)
        totals = [total + curve[n - 1] for total, n in zip(totals, at, strict=True)]
        firsts.append(arms[: len(means)])
    return {"regret": [total / runs for total in totals], "firsts": firsts}
