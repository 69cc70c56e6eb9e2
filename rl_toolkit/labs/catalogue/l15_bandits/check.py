"""Checks of the bandit lab."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt
from random import Random
from typing import Any

from rl_toolkit.algorithms.bandits import UCB1, BernoulliArms, EpsilonGreedy, Policy, mean_regret
from rl_toolkit.labs.catalogue.l15_bandits.pictures import curves
from rl_toolkit.labs.checking import Check, OneOf, Picture, call, decimals, same

MEANS = [0.2, 0.5, 0.8]
HAND = ([3, 1, 2], [5, 2, 3])
#: Sums and counts in which the mistakes differ: the best mean, the largest sum, an untried arm.
STATES = [HAND, ([9, 1, 4], [30, 1, 5]), ([2, 0, 1], [4, 0, 2]), ([0, 0, 3], [0, 0, 3])]
STATES += [([40, 38], [50, 41]), ([0, 0, 0, 0], [1, 1, 1, 1]), ([5, 9, 0], [50, 45, 4])]
AT = (10, 100, 1000)
RUNS = 40

PANELS = {
    1: [call("pull", [0.0, 1.0, 1.0], arm) for arm in (0, 1, 2)]
    + [call("pull", [0.5, 0.5], arm, seed=seed) for arm in (0, 1) for seed in range(8)],
    2: [call("greedy", *state) for state in STATES]
    + [call("epsilon_greedy", *state, epsilon) for state in STATES for epsilon in (0.0, 1e-12)],
    3: [call("ucb1_scores", *state) for state in STATES] + [call("ucb1", *s) for s in STATES],
    4: [
        call("regret", means, arms)
        for means in (MEANS, [0.6, 0.9, 0.1])
        for arms in ([0, 1, 2, 2], [1, 1, 0], [2], [0, 0])
    ],
}


def task_1(check: Check) -> None:
    """Every arm pays as often as its mean says."""
    times = 3000
    means = [0.0, 1.0, 0.8, 0.2, check.rng.uniform(0.35, 0.65)]
    for arm, mean in enumerate(means):
        answer = check.probe("pull", means, arm, times, seed=check.rng.randrange(10**6))
        odd = [paid for paid in answer.value if paid not in (0, 1)]
        shown = f"pull(means, {arm}) with mean {mean:.2f}"
        if odd:
            is_mean = all(isinstance(paid, float) and abs(paid - mean) < 1e-9 for paid in odd)
            case, mistake = check.case(answer, shown=shown), "pays-the-mean" if is_mean else ""
            case.fail("A pull pays 1 or 0 and nothing else.", mistake, repr(odd[0]), "1 or 0")
        share = sum(answer.value) / times
        value, right = f"{share:.3f} of them paid", f"about {mean:.3f}"
        case = check.case(answer, shown=f"{times:,} times {shown}", said=value, right=right)
        sentence = (
            "Every pull of this arm pays the same. Draw a new random number for each pull, and do "
            "not set the seed in pull."
        )
        is_drawn = share not in (0, 1) or mean in (0, 1)
        case.require(is_drawn, sentence, "always-the-same")
        sentence = "The share of pulls that pay must be close to the mean of the arm."
        case.require(abs(share - mean) <= 5 * sqrt(mean * (1 - mean) / times), sentence)
    check.note(f"{len(means)} arms, {times:,} pulls each: they pay as often as they should")


# ------------------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The best mean, untried arms first, and how often any arm is drawn."""
    states = _states(check.rng)
    check.compare("greedy", states, _greedy, _greedy_sentence)
    _exploring(check)
    without = [(*state, 0.0) for state in states]
    check.compare("epsilon_greedy", without, _greedy, _greedy_sentence)
    check.note(f"{len(states)} tables of sums and counts, and the share of random pulls is right")


def _exploring(check: Check) -> None:
    times, epsilon = 3000, 0.2
    sums, counts = [2, 8, 1, 3], [10, 12, 9, 11]
    seed = check.rng.randrange(10**6)
    answer = check.probe("epsilon_greedy", sums, counts, epsilon, times, seed=seed)
    shares = [answer.value.get(arm, 0) / times for arm in range(4)]
    right = [epsilon / 4 + (1 - epsilon) * (arm == 1) for arm in range(4)]
    mistake = ""
    if abs(shares[1] - (epsilon + (1 - epsilon) / 4)) < 5 * sqrt(0.25 / times):
        mistake = "epsilon-swapped"
    elif abs(shares[1] - (1 - epsilon)) < 0.02 and abs(shares[0] - epsilon / 3) < 0.03:
        mistake = "explores-others"
    fits = all(
        abs(share - expected) < 5 * sqrt(expected * (1 - expected) / times)
        for share, expected in zip(shares, right, strict=True)
    )
    sentence = (
        "Arm 1 has the best mean. With epsilon 0.2 every arm is drawn in 5 of 100 pulls, and arm 1 "
        "is pulled in the 80 others too."
    )
    value = "arms 0 to 3 in " + ", ".join(f"{share:.1%}" for share in shares)
    expected = "about " + ", ".join(f"{share:.0%}" for share in right)
    case = check.case(answer, shown=f"{times:,} times epsilon_greedy({sums}, {counts}, {epsilon})")
    case.require(fits, sentence, mistake, value, expected)
    untried = check.probe("epsilon_greedy", [3, 0, 1], [3, 0, 4], 0.5, 200, seed=seed)
    sentence = "Arm 1 was never pulled, so it is next, whatever epsilon is."
    value = f"arms {', '.join(map(str, sorted(untried.value, key=str)))}"
    case = check.case(untried, shown="200 times epsilon_greedy([3, 0, 1], [3, 0, 4], 0.5)")
    case.require(set(untried.value) == {1}, sentence, "explores-at-once", value, "arm 1")


# ------------------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """The scores by hand and at random, and the arm with the highest one."""
    states = _states(check.rng)
    check.compare("ucb1_scores", states, _scores, _score_sentence, shown=_numbers)

    def highest(value: Any, right: OneOf, *state: Any) -> str:
        return f"The scores are {_listed(_scores(*state))}: pull the arm with the highest one."

    check.compare("ucb1", states, lambda *state: _largest(_scores(*state), 1e-9), highest)
    check.note("1.560, 2.017 and 1.906 in the example, and 150 more tables")


# ------------------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """The regret of given arms, then the experiment with all parts together."""
    cases: list[tuple[list[float], list[int]]] = [(MEANS, [0, 1, 2, 2]), (MEANS, [1, 1, 0])]
    for _ in range(40):
        means = [round(check.rng.random(), 2) for _ in range(check.rng.randint(2, 5))]
        length = check.rng.randint(1, 12)
        cases.append((means, [check.rng.randrange(len(means)) for _ in range(length)]))
    check.compare("regret", cases, _regret, _regret_sentence, shown=_numbers)
    greedy = _band(check, "epsilon_greedy", EpsilonGreedy(0.1), 26.0, 50.0, inf)
    ucb1 = _band(check, "ucb1", UCB1(), 31.0, 47.0, 5.0)
    means_of = f"ε-greedy {greedy:.0f}, UCB1 {ucb1:.0f} (a random policy 300)"
    check.note(f"mean regret after 1,000 pulls: {means_of}")


def _band(check: Check, name: str, policy: Policy, low: float, high: float, bend: float) -> float:
    """The regret at the end; a policy outside the band, or with a straight curve, fails."""
    seed = check.rng.randrange(10**6)
    answer = check.probe("play", name, MEANS, AT[-1], RUNS, AT, seed=seed, seconds=6)
    sentence = f"{name} does not begin with each of the three arms once."
    for arms in answer.value["firsts"]:
        case = check.case(answer, shown=f"the first three pulls of {name}")
        case.require(sorted(arms) == [0, 1, 2], sentence, "", arms, "every arm once")
    regret: list[float] = answer.value["regret"]
    shape = (regret[2] - regret[1]) / max(regret[1] - regret[0], 1e-9)
    sentence = ""
    if not low <= regret[2] <= high:
        sentence = f"After 1,000 pulls the regret of {name} should be from {low:g} to {high:g}."
    elif shape >= bend:
        sentence = (
            f"The curve of {name} must bend: ten times as many pulls cost far less than ten times."
        )
    if sentence:
        right = mean_regret(BernoulliArms(MEANS), policy, AT, runs=20, seed=1)
        value = f"regret {_listed(regret)} after {', '.join(map(str, AT))} pulls"
        shown = f"{RUNS} runs of 1,000 pulls with {name}, means {MEANS}"
        case = check.case(answer, shown=shown, picture=_plot(name, regret, right))
        case.fail(sentence, "", value, f"about {_listed(right)}")
    return regret[-1]


def _plot(name: str, own: Sequence[float], right: Sequence[float]) -> Picture:
    rows = [f"{'pulls':>6} {'yours':>8} {'reference':>10}"]
    rows += [f"{n:6} {a:8.1f} {b:10.1f}" for n, a, b in zip(AT, own, right, strict=True)]
    lines = {"reference": right, "yours": [max(count, 1) for count in own]}
    return Picture("\n".join(rows), curves(f"Regret of {name}", AT, lines))


# ------------------------------------------------------------------------------ right answers


def _greedy(sums: Sequence[float], counts: Sequence[int], *_: float) -> OneOf:
    """The arms that greedy may choose."""
    untried = [arm for arm, count in enumerate(counts) if count == 0]
    if untried:
        return OneOf(untried)
    return _largest([total / count for total, count in zip(sums, counts, strict=True)], 1e-12)


def _largest(numbers: Sequence[float], slack: float) -> OneOf:
    return OneOf(arm for arm, number in enumerate(numbers) if number >= max(numbers) - slack)


def _scores(sums: Sequence[float], counts: Sequence[int]) -> list[float]:
    pulls = sum(counts)
    return [
        inf if count == 0 else total / count + sqrt(2 * log(pulls) / count)
        for total, count in zip(sums, counts, strict=True)
    ]


def _regret(means: Sequence[float], arms: Sequence[int]) -> list[float]:
    curve: list[float] = []
    for arm in arms:
        curve.append((curve[-1] if curve else 0.0) + max(means) - means[arm])
    return curve


# ------------------------------------------------------------------------------ sentences


def _greedy_sentence(
    value: Any, right: OneOf, sums: Sequence[float], counts: Sequence[int], *_: float
) -> str:
    if 0 in counts:
        return "An arm that was never pulled comes first."
    means = [total / count for total, count in zip(sums, counts, strict=True)]
    return f"The means are {_listed(means)}: pull the arm with the best one."


def _score_sentence(
    value: Any, right: list[float], sums: Sequence[float], counts: Sequence[int]
) -> str:
    if not isinstance(value, list) or len(value) != len(right):
        return "The answer is a list with one score for each arm."
    arm = next(arm for arm, pair in enumerate(zip(value, right, strict=True)) if not same(*pair))
    if counts[arm] == 0:
        return f"Arm {arm} was never pulled: its score is infinite, math.inf."
    mean, pulls = sums[arm] / counts[arm], sum(counts)
    return (
        f"Arm {arm}: mean {mean:.3f}, bonus √(2 · ln {pulls} / {counts[arm]}) = "
        f"{right[arm] - mean:.3f}, together {right[arm]:.3f}."
    )


def _regret_sentence(value: Any, right: list[float], means: list[float], arms: list[int]) -> str:
    gaps = [max(means) - means[arm] for arm in arms]
    return f"The pulls cost {_listed(gaps)}; the regret is the running sum of these."


def _numbers(value: Any, right: list[float], *_: Any) -> dict[str, str]:
    """Both lists with three decimals."""
    is_list = isinstance(value, list) and all(isinstance(n, (int, float)) for n in value)
    return {"said": decimals(value) if is_list else repr(value), "right": decimals(right)}


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.3g}" for value in values)


def _states(rng: Random) -> list[tuple[list[int], list[int]]]:
    """Tables of sums and counts: those in which the mistakes differ, and some drawn anew."""
    states = list(STATES)
    for _ in range(150):
        counts = [rng.randint(1, 40) for _ in range(rng.randint(2, 6))]
        if rng.random() < 0.2:
            counts[rng.randrange(len(counts))] = 0
        states.append(([rng.randint(0, count) for count in counts], counts))
    return states
