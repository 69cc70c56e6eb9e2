"""The failures that the training doctor knows, a function each.

Thresholds are far from what healthy runs show, so that a warning means something: the figures of
healthy runs are beside them. All checks look at the last `RECENT` iterations, except those of
events, which may have happened at any time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median

from rl_toolkit.learning.doctor.evidence import RECENT, Entry, Finding, Run, mean, numbers
from rl_toolkit.utils.statistics import Z95, percent

# The network's own entropy, as a share of the greatest in the run; healthy runs end at 20 – 40 %.
_COLLAPSED_ENTROPY = 0.05
# Mean probability of the move that search likes best; healthy runs end at 60 – 85 %.
_COLLAPSED_TOP = 0.97
# Scale of the Gumbel noise, or share of the noise mixed in; healthy runs have 0.25 – 1.
_NO_NOISE = 0.01
# Share of games that differ; healthy runs have over 90 %, on 3×3 over 70 %.
_FEW_DISTINCT, _FEW_DISTINCT_SMALL = 0.5, 0.02
# Share of drawn games; healthy runs of games that are not drawn by nature stay under 60 %.
_ALL_DRAWS = 0.95
# Standard deviation of predicted values; healthy runs have 0.3 – 0.8.
_FLAT_VALUES = 0.05
# Fall of the value's loss since the beginning of the run; healthy runs lose 20 % and more.
_NO_FALL = 0.01
_LONG_ENOUGH = 20  # iterations by which a loss should have fallen
_ENOUGH_POSITIONS = 20_000  # positions by which values should differ
# A spike is so many times the median of what came before; healthy runs stay under 2.
_SPIKE, _SPIKES = 5.0, 2
_BEFORE = 8  # iterations that make up "before"
# How far a loss may rise above what it was, in nats; healthy runs stay under 0.2.
_RISE = 0.5
# The value's loss of a network that says the same of win, draw and loss.
_GUESSING = math.log(3)
# Mean age of what is learned from, in iterations, and samples per new position.
_OLD, _REUSED = 40.0, 20.0

# Evaluations after which a gain should be seen; two in a row are always close to each other.
_EVALUATIONS = 5


def policy_collapse(run: Run) -> Finding | None:
    """The network has made up its mind everywhere, and search only repeats it."""
    entropy, top = mean(run.recent, "prior_entropy"), mean(run.recent, "top_share")
    most = max(numbers(run.iterations, "prior_entropy"), default=0.0)
    if entropy is None or top is None or most <= 0:
        return None
    if entropy > _COLLAPSED_ENTROPY * most or top < _COLLAPSED_TOP:
        return None
    return _finding(
        "policy collapse",
        f"the network's entropy has fallen to {entropy:.3f} nats from {most:.2f}, and search gives "
        f"its favourite {percent(top)} on average: other moves are hardly looked at any more.",
        "More exploration noise, a higher value_scale of the search's targets, or more varied "
        "starts bring them back; a checkpoint from before the fall is a better start.",
        run.recent,
        prior_entropy=entropy,
        greatest_entropy=most,
        top_share=top,
    )


def no_exploration(run: Run) -> Finding | None:
    """Nothing makes self-play try what it does not believe in."""
    noise = mean(run.recent, "exploration")
    if noise is None or noise >= _NO_NOISE:
        return None
    return _finding(
        "no exploration noise",
        f"the noise in self-play is {noise:g}: the same network plays the same moves, and what it "
        "undervalues is never tried.",
        "A Gumbel scale of 1, or a quarter of Dirichlet noise at the root, is usual.",
        run.recent,
        exploration=noise,
    )


def duplicate_games(run: Run) -> Finding | None:
    """Many games are the same game."""
    share = mean(run.recently_ended, "distinct_share")
    few = _FEW_DISTINCT_SMALL if _is_small(run.game) else _FEW_DISTINCT
    if share is None or share >= few:
        return None
    return _finding(
        "duplicate games",
        f"only {percent(share)} of the games differ: the buffer fills with copies, and the "
        "figures look better than they are.",
        "More noise, or games that begin after some random moves, make them differ.",
        run.recent,
        distinct_share=share,
    )


def all_draws(run: Run) -> Finding | None:
    """Nobody ever wins, so values teach nothing."""
    draws = mean(run.recently_ended, "draw_rate")
    if draws is None or draws < _ALL_DRAWS or _is_small(run.game):  # 3×3 is a draw by nature
        return None
    return _finding(
        "all games drawn",
        f"{percent(draws)} of the games end in a draw: the value head sees one result only, and "
        "nothing tells good moves from bad ones.",
        "Starts that are not balanced, or more noise, give games that somebody wins.",
        run.recent,
        draw_rate=draws,
    )


def value_stuck(run: Run) -> Finding | None:
    """The value head says the same of every position, or stops learning at the start."""
    spread, draws = mean(run.recent, "value_spread"), mean(run.recently_ended, "draw_rate")
    if spread is None or (draws or 0.0) >= _ALL_DRAWS:  # then there is nothing to tell apart
        return None
    if any(played < _ENOUGH_POSITIONS for played in numbers(run.recent, "positions")):
        return None  # the run is too young
    if spread < _FLAT_VALUES:
        return _finding(
            "value head stuck",
            f"predicted values differ by {spread:.3f} only (standard deviation), although games "
            "are won and lost: the head says the same of every position.",
            "Look for a sign or a target that is always the same; else the value's loss may weigh "
            "too little, or a large first step has killed its hidden units.",
            run.recent,
            value_spread=spread,
        )
    losses = numbers(run.iterations, "value_loss")
    if len(losses) < _LONG_ENOUGH:
        return None
    first, now = sum(losses[:3]) / 3, sum(losses[-RECENT:]) / RECENT
    if now < first * (1 - _NO_FALL):
        return None
    if spread >= 2 * _FLAT_VALUES and not run.taught:  # a teacher's values say nothing here
        return None
    return _finding(
        "value head stuck",
        f"the value's loss was {first:.3f} in the beginning and is {now:.3f} after {len(losses)} "
        "iterations: it has not learned anything.",
        "Look at how value targets are made (whose view, which sign) before anything else.",
        run.iterations,
        first_value_loss=first,
        value_loss=now,
    )


def rate_too_high(run: Run) -> Finding | None:
    """Gradients or losses jump, or are worse than guessing: steps are too large."""
    spikes = _spikes(run.iterations, "gradient_norm")
    if len(spikes) >= _SPIKES:
        worst, before = max(spikes.values(), key=lambda pair: pair[0] / pair[1])
        return _rate_finding(
            f"the gradient's norm jumped {len(spikes)} times, at worst to {worst:.3g} where "
            f"{before:.3g} was usual.",
            [entry for entry in run.iterations if int(entry["iteration"]) in spikes],
            worst_gradient_norm=worst,
            usual_gradient_norm=before,
        )
    broken = [e for e in run.iterations if any(_is_broken(e, loss) for loss in _LOSSES)]
    if broken:
        return _rate_finding("a loss is no number any more.", broken)
    now = mean(run.recent, "value_loss")
    if now is not None and now > _GUESSING + _RISE:
        return _rate_finding(
            f"the value's loss is {now:.2f}, where a network that knows nothing has "
            f"{_GUESSING:.2f}: it has been thrown far off.",
            run.recent,
            value_loss=now,
        )
    excess = [_excess(run.iterations, number) for number in range(len(run.iterations))]
    for number in range(_BEFORE, len(excess) - 2):
        usual = median(excess[number - _BEFORE : number])
        risen = min(excess[number : number + 3])  # it stays up: no mere noise
        if risen > usual + _RISE:
            return _rate_finding(
                f"the losses rose by {risen - usual:.2f} nats over what they were and stayed up.",
                run.iterations[number : number + 3],
                usual_loss=usual,
                loss=risen,
            )
    return None


_LOSSES = ("policy_loss", "value_loss")


def _rate_finding(sentence: str, where: Sequence[Entry], **evidence: float) -> Finding:
    rates = numbers(where, "learning_rate")
    rate = f" The learning rate was {max(rates):.2g} then." if rates else ""
    return _finding(
        "learning rate too high",
        sentence + rate,
        "A third of it, a longer warm-up, or clipping at a smaller norm keeps steps in bounds.",
        where,
        **evidence,
    )


def _spikes(entries: Sequence[Entry], name: str) -> dict[int, tuple[float, float]]:
    """By iteration: a figure far above what it was before, and what it was."""
    figures = [(int(e["iteration"]), n) for e in entries for n in numbers([e], name)]
    found = {}
    for number in range(_BEFORE, len(figures)):
        before = median(figure for _, figure in figures[number - _BEFORE : number])
        iteration, figure = figures[number]
        if before > 0 and figure > _SPIKE * before:
            found[iteration] = (figure, before)
    return found


def _is_broken(entry: Entry, name: str) -> bool:
    """Whether a loss is there and is no finite number."""
    if name not in entry:
        return False
    figure = entry[name]
    return not isinstance(figure, (int, float)) or not math.isfinite(figure)


def _excess(entries: Sequence[Entry], number: int) -> float:
    """Both losses, less what no network could do better: the entropy of the search's targets.

    With it taken off, a change in the number of simulations is no jump. The targets are those of
    the buffer, which reaches back twice the mean age of what is drawn from it.
    """
    age = mean([entries[number]], "buffer_age") or 0.0
    targets = entries[max(0, number - round(2 * age)) : number + 1]
    policy, value = (mean([entries[number]], name) or 0.0 for name in _LOSSES)
    return policy + value - (mean(targets, "target_entropy") or 0.0)


def stale_buffer(run: Run) -> Finding | None:
    """What is learned from was played long ago, or is learned from too often."""
    age, reuse = mean(run.recent, "buffer_age"), mean(run.recent, "reuse")
    if age is not None and age > _OLD and not run.taught:  # a teacher never was weaker
        return _finding(
            "buffer stale",
            f"positions are {age:.0f} iterations old on average when they are learned from: they "
            "were played by networks much weaker than this one.",
            "A smaller buffer, or a window over its newest part, keeps to what is played now.",
            run.recent,
            buffer_age=age,
        )
    if reuse is not None and reuse > _REUSED:
        return _finding(
            "buffer stale",
            f"every new position is learned from {reuse:.0f} times: the network learns these "
            "games by heart.",
            "Fewer steps for each iteration, or more games, bring that down to 4 – 8.",
            run.recent,
            reuse=reuse,
        )
    return None


def noisy_evaluation(run: Run) -> Finding | None:
    """What is called progress is smaller than the error of measuring it.

    One kind of evaluation that shows a clear gain is enough: then there is progress.
    """
    found = None
    for what in dict.fromkeys(str(entry.get("what", "")) for entry in run.evaluations):
        series = [entry for entry in run.evaluations if str(entry.get("what", "")) == what]
        if len(series) < _EVALUATIONS:
            continue
        first, best = series[0], max(series[1:], key=lambda entry: float(entry["score"]))
        gain = float(best["score"]) - float(first["score"])
        noise = Z95 * math.hypot(_error(first), _error(best))
        if gain >= noise > 0:
            return None
        if gain > 0 and found is None:
            found = _noise_finding(what, first, best, gain, noise)
    return found


def _noise_finding(what: str, first: Entry, best: Entry, gain: float, noise: float) -> Finding:
    counted = numbers([best], "n")
    advice = "Evaluate on more positions or games before anything is concluded"
    if counted:
        advice += f": about {math.ceil(counted[0] * (noise / gain) ** 2):,} would do"
    return _finding(
        "evaluation too noisy",
        f"“{what}” went from {percent(float(first['score']))} to "
        f"{percent(float(best['score']))}: that gain is smaller than the error of "
        f"±{percent(noise)} with which it is known.",
        f"{advice}.",
        [first, best],
        gain=gain,
        noise=noise,
    )


def _error(entry: Entry) -> float:
    """The standard error of an evaluation, from its 95 % interval."""
    ends = numbers([entry], "low"), numbers([entry], "high")
    return (ends[1][0] - ends[0][0]) / (2 * Z95) if all(ends) else 0.0


def _is_small(game: str) -> bool:
    """Whether a game has so few positions that good games have to be alike: 3×3."""
    return game in ("tictactoe", "tictactoe-3x3x3")


def _finding(
    kind: str, sentence: str, advice: str, where: Sequence[Entry], **evidence: float
) -> Finding:
    iterations = [int(entry["iteration"]) for entry in where]
    return Finding(kind, sentence, advice, min(iterations), max(iterations), evidence)


CHECKS: tuple[Callable[[Run], Finding | None], ...] = (
    policy_collapse,
    no_exploration,
    duplicate_games,
    all_draws,
    value_stuck,
    rate_too_high,
    stale_buffer,
    noisy_evaluation,
)
