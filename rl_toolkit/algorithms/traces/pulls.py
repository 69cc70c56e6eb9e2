"""Record a bandit, pull by pull.

A trace of ``bandit`` has ``arms``, their means, and ``pulls``: for each the arm, what it paid, the
regret up to here, and the ``scores`` by which the policy compared the arms: means, upper bounds, or
the draws of Thompson sampling (null for an untried arm; no scores where arms are not compared).
``explored`` has the numbers, from 0, of the pulls whose arm was drawn at random.
"""

from __future__ import annotations

import math
import random
from itertools import islice

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    Policy,
    Tally,
    play_bandit,
    ucb1_scores,
)
from rl_toolkit.algorithms.traces.trace import CHECKS, VERSION, Trace, TraceBounds, TraceError
from rl_toolkit.utils import JsonObject


def trace_bandit(
    arms: BernoulliArms,
    policy: Policy,
    pulls: int,
    *,
    seed: int = 0,
    bounds: TraceBounds | None = None,
) -> Trace:
    """Record the first ``pulls`` of `play_bandit`; `TraceError` if that is too many."""
    bounds = bounds or TraceBounds()
    if not 1 <= pulls <= bounds.events:
        raise TraceError(f"a trace has from 1 to {bounds.events:,} pulls, not {pulls:,}")
    recorder = _Recorder(policy)
    tally, told, regret = Tally.empty(len(arms)), [], 0.0
    explored: list[int] = []
    for pull in islice(play_bandit(arms, recorder, seed=seed), pulls):
        scores = recorder.draws or _scores(policy, tally)
        shown = None if scores is None else [_shown(score) for score in scores]
        told.append([pull.arm, pull.reward, round(pull.regret, 6), shown])
        if recorder.explored:
            explored.append(pull.number - 1)
        tally.add(pull.arm, pull.reward)
        regret = pull.regret
    settings = {name: getattr(policy, name) for name in getattr(policy, "__slots__", ())}
    trace = Trace(
        {
            "version": VERSION,
            "kind": "bandit",
            "game": "bandit",
            "position": "",
            "engine": {"name": type(policy).__name__, "options": settings | {"seed": seed}},
            "answer": {
                "pulls": pulls,
                "reward": int(sum(tally.sums)),
                "regret": round(regret, 6),
                "counts": tally.counts,
            },
            "notes": [],
            "names": {},
            "arms": list(arms.means),
            "pulls": told,
            "explored": explored,
        }
    )
    if len(trace.to_json().encode()) > bounds.bytes:
        raise TraceError(
            f"the trace of {pulls:,} pulls has more than {bounds.bytes:,} bytes; pull less often"
        )
    return trace


class _Recorder:
    """A policy that is overheard: what it draws for the arms, and whether it takes any arm."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.draws: list[float] = []
        self.explored = False

    def choose(self, tally: Tally, chance: random.Random) -> int:
        """The arm that the policy chooses."""
        heard = _Heard(chance)
        arm = self._policy.choose(tally, heard)
        self.draws, self.explored = heard.draws, heard.takes_any
        return arm


class _Heard(random.Random):
    """Passes on what another generator draws, and keeps it."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(0)
        self._chance = chance
        self.draws: list[float] = []
        self.takes_any = False

    def random(self) -> float:
        """The next number of the other generator."""
        return self._chance.random()

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Any arm."""
        self.takes_any = True
        return self._chance.randrange(start, stop, step)

    def betavariate(self, alpha: float, beta: float) -> float:
        """A possible mean of an arm."""
        self.draws.append(self._chance.betavariate(alpha, beta))
        return self.draws[-1]


def _scores(policy: Policy, tally: Tally) -> list[float] | None:
    """What the policy compares before a pull, if it does not depend on luck."""
    if isinstance(policy, UCB1):
        return ucb1_scores(tally.sums, tally.counts, tally.pulls, policy.c)
    if isinstance(policy, Greedy | EpsilonGreedy):
        return [tally.mean(arm) for arm in range(len(tally.counts))]
    return None


def _shown(score: float) -> float | None:
    return None if math.isinf(score) else round(score, 4)


def check_pulls(data: JsonObject) -> None:
    """Count the pulls again and compare with the answer; raises `TraceError`."""
    answer, counts, reward = data["answer"], [0] * len(data["arms"]), 0
    for arm, paid, _, scores in data["pulls"]:
        counts[arm] += 1
        reward += paid
        if scores is not None and len(scores) != len(counts):
            raise TraceError("a pull has not one score for every arm")
    if (len(data["pulls"]), reward, counts) != (
        answer["pulls"],
        answer["reward"],
        answer["counts"],
    ):
        raise TraceError("the pulls do not lead to the answer")
    if not all(0 <= number < len(data["pulls"]) for number in data.get("explored", ())):
        raise TraceError("a pull is said to explore that there is not")


CHECKS["bandit"] = check_pulls
