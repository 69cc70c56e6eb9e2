"""Record a bandit, pull by pull.

A trace of ``bandit`` has ``arms``, their means, and ``pulls``: for each the arm, what it paid, the
regret up to here, and the ``scores`` by which the policy compared the arms (null for an untried
arm), or null for a policy that draws at random.
"""

from __future__ import annotations

import math
from itertools import islice

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    Greedy,
    Policy,
    Tally,
    play_bandit,
    ucb1_scores,
)
from rl_toolkit.algorithms.traces.trace import CHECKS, VERSION, Trace, TraceBounds, TraceError
from rl_toolkit.utils.strict_json import JsonObject


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
    tally, told, regret = Tally.empty(len(arms)), [], 0.0
    for pull in islice(play_bandit(arms, policy, seed=seed), pulls):
        told.append([pull.arm, pull.reward, round(pull.regret, 6), _scores(policy, tally)])
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
        }
    )
    if len(trace.to_json().encode()) > bounds.bytes:
        raise TraceError(
            f"the trace of {pulls:,} pulls has more than {bounds.bytes:,} bytes; pull less often"
        )
    return trace


def _scores(policy: Policy, tally: Tally) -> list[float | None] | None:
    """What the policy compares before a pull, if it is the same for everybody."""
    if isinstance(policy, UCB1):
        scores = ucb1_scores(tally.sums, tally.counts, tally.pulls, policy.c)
    elif isinstance(policy, Greedy):
        scores = [tally.mean(arm) for arm in range(len(tally.counts))]
    else:
        return None
    return [None if math.isinf(score) else round(score, 4) for score in scores]


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


CHECKS["bandit"] = check_pulls
