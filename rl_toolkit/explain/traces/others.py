"""Value iteration and bandits in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from rl_toolkit.algorithms.traces import Trace
from rl_toolkit.explain.traces.line import Line
from rl_toolkit.utils import listed

#: Every sentence, by what happened; front ends that draw a trace fill in the same ones.
SENTENCES = {
    "space": "{states} positions can be reached, {final} of them finished games.",
    "sweep": "Sweep {number}: {changed} of {open} open positions change their value.",
    "changed": "{where}: {before} becomes {after}.",
    "solved": "Nothing changes any more: the start is worth {value} for {x}.",
    "arms": "{count} arms, {policy}; the best arm pays {best} on average.",
    "pull": "Pull {number}: arm {arm}{why}, pays {reward}. Mean {mean}, regret {regret}.",
    "score": " (score {score})",
    "score_tie": " (score {score}, a tie with {arms})",
    "draw": " (draw {score})",
    "any": " (any arm, at random)",
    "total": "{reward} paid in {pulls} pulls; regret {regret}.",
}

_MOST_TOLD = 12  # changes of a sweep


def tell_sweeps(trace: Trace) -> Iterator[Line]:
    """One line a sweep, and what it means for the start."""
    data, answer = trace.data, trace.answer
    x = data["sides"]["X"]
    yield _line("space", states=f"{answer['states']:,}", final=f"{answer['final']:,}")
    for number, sweep in enumerate(data["sweeps"], 1):
        yield _line(
            "sweep",
            number - 1,
            number=str(number),
            changed=f"{sweep['changed']:,}",
            open=f"{answer['states'] - answer['final']:,}",
        )
        backups = sweep["backups"] or ()
        for state, before, after in backups if len(backups) <= _MOST_TOLD else ():
            where = _path(trace, state)
            slots = {"where": where, "before": _n(before), "after": _n(after)}
            yield Line(SENTENCES["changed"].format(**slots), 1, number - 1)
    yield _line("solved", value=_n(answer["value"]), x=x)


def tell_pulls(trace: Trace) -> Iterator[Line]:
    """One line a pull."""
    data, answer = trace.data, trace.answer
    arms, policy = data["arms"], data["engine"]["name"]
    explored = set(data.get("explored", ()))
    yield _line("arms", count=str(len(arms)), policy=policy, best=_n(max(arms)))
    counts, sums = [0] * len(arms), [0] * len(arms)
    for number, (arm, reward, regret, scores) in enumerate(data["pulls"], 1):
        counts[arm] += 1
        sums[arm] += reward
        why = ""
        if number - 1 in explored:
            why = SENTENCES["any"]
        elif scores is not None and scores[arm] is not None:
            same = [str(k + 1) for k, of in enumerate(scores) if of == scores[arm] and k != arm]
            ties = f"{'arm' if len(same) == 1 else 'arms'} {listed(same)}"
            name = "draw" if policy == "Thompson" else "score_tie" if same else "score"
            why = SENTENCES[name].format(score=f"{scores[arm]:.2f}", arms=ties)
        yield _line(
            "pull",
            number - 1,
            number=f"{number:,}",
            arm=str(arm + 1),
            why=why,
            reward=str(reward),
            mean=f"{sums[arm] / counts[arm]:.2f}",
            regret=f"{regret:.2f}",
        )
    yield _line(
        "total",
        reward=f"{answer['reward']:,}",
        pulls=f"{answer['pulls']:,}",
        regret=f"{answer['regret']:.2f}",
    )


def _path(trace: Trace, state: int) -> str:
    """Where a state is: ``After b2 a1``."""
    states, moves = trace.data["states"], []
    while state:
        moves.append(trace.name(states["move"][state]))
        state = states["parent"][state]
    return f"After {' '.join(reversed(moves))}" if moves else "The start"


def _line(name: str, event: int = -1, **slots: str) -> Line:
    return Line(SENTENCES[name].format(**slots), 0, event)


def _n(value: float) -> str:
    return f"{value + 0.0:g}".replace("-", "−")
