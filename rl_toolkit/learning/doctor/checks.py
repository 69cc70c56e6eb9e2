"""The failures that the training doctor detects, one function each.

Thresholds are far from the figures of healthy runs, which are noted beside them, so that a warning
means something. All checks use the last `RECENT` iterations, except those for events, which may
have happened at any time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median

from rl_toolkit.envs import GameError, make_game
from rl_toolkit.learning.doctor.evidence import RECENT, Entry, Finding, Run, mean, numbers
from rl_toolkit.utils import Z95, percent

# Policy entropy of the network, relative to the highest of the run; healthy runs end at 20 – 40 %.
_COLLAPSED_ENTROPY = 0.05
# Mean probability of the move that the search prefers; healthy runs end at 60 – 85 %.
_COLLAPSED_TOP = 0.97
# Scale of the Gumbel noise, or share of the noise mixed in; healthy runs have 0.25 – 1.
_NO_NOISE = 0.01
_SMALL = 9  # cells of a board on which good games repeat and end in draws
# Share of distinct games; healthy runs have over 90 %, on 3×3 over 70 %.
_FEW_DISTINCT, _FEW_DISTINCT_SMALL = 0.5, 0.02
# Share of drawn games; healthy runs of games that are not drawn by nature stay under 60 %.
_ALL_DRAWS = 0.95
# Standard deviation of predicted values; healthy runs have 0.3 – 0.8.
_FLAT_VALUES = 0.05
# Fall of the value loss since the beginning of the run; in healthy runs it is 20 % or more.
_NO_FALL = 0.01
_LONG_ENOUGH = 20  # iterations by which a loss should have fallen
_ENOUGH_POSITIONS = 20_000  # positions after which values should differ
# A spike is this many times the median before it; healthy runs stay under 2.
_SPIKE, _SPIKES = 5.0, 2
_BEFORE = 8  # iterations that make up "before"
# How far a loss may rise above its earlier level, in nats; healthy runs stay under 0.2.
_RISE = 0.5
# The value loss of a network that gives win, draw and loss equal probabilities.
_GUESSING = math.log(3)
# Mean age of the training samples, in iterations, and samples per new position.
_OLD, _REUSED = 40.0, 20.0

# Evaluations after which a gain should show; two in a row are always close to each other.
_EVALUATIONS = 5


def policy_collapse(run: Run) -> Finding | None:
    """The network is certain of one move everywhere, and the search only repeats it."""
    entropy, top = mean(run.recent, "prior_entropy"), mean(run.recent, "top_share")
    most = max(numbers(run.iterations, "prior_entropy"), default=0.0)
    if entropy is None or top is None or most <= 0:
        return None
    if entropy > _COLLAPSED_ENTROPY * most or top < _COLLAPSED_TOP:
        return None
    return _finding(
        "policy collapse",
        f"the policy entropy has fallen from {most:.2f} to {entropy:.3f} nats, and search gives "
        f"its first choice {percent(top)} on average: other moves are hardly tried any more.",
        "More exploration noise, a higher value_scale of the search targets, or more varied starts "
        "help; it is better to restart from a checkpoint before the collapse.",
        run.recent,
        prior_entropy=entropy,
        greatest_entropy=most,
        top_share=top,
    )


def no_exploration(run: Run) -> Finding | None:
    """Nothing makes self-play try moves with a low prior."""
    noise = mean(run.recent, "exploration")
    if noise is None or noise >= _NO_NOISE:
        return None
    return _finding(
        "no exploration noise",
        f"the noise in self-play is {noise:g}: the same network plays the same moves, and moves "
        "that it underrates are never tried.",
        "The usual settings are a Gumbel scale of 1, or a quarter of Dirichlet noise at the root.",
        run.recent,
        exploration=noise,
    )


def duplicate_games(run: Run) -> Finding | None:
    """Many games are identical."""
    share = mean(run.recently_ended, "distinct_share")
    few = _FEW_DISTINCT_SMALL if _is_small(run.game) else _FEW_DISTINCT
    if share is None or share >= few:
        return None
    return _finding(
        "duplicate games",
        f"only {percent(share)} of the games are distinct: the buffer fills with copies, and the "
        "figures look better than they are.",
        "Use more noise, or start games after some random moves.",
        run.recent,
        distinct_share=share,
    )


def all_draws(run: Run) -> Finding | None:
    """All games are drawn, so the value head learns nothing."""
    draws = mean(run.recently_ended, "draw_rate")
    if draws is None or draws < _ALL_DRAWS or _is_small(run.game):  # 3×3 is a draw by nature
        return None
    return _finding(
        "all games drawn",
        f"{percent(draws)} of the games end in a draw: the value head sees only one result and "
        "cannot learn to distinguish good moves from bad ones.",
        "Unbalanced starts, or more noise, lead to decisive games.",
        run.recent,
        draw_rate=draws,
    )


def value_stuck(run: Run) -> Finding | None:
    """The value head predicts the same for every position, or has learned nothing."""
    spread, draws = mean(run.recent, "value_spread"), mean(run.recently_ended, "draw_rate")
    if spread is None or (draws or 0.0) >= _ALL_DRAWS:  # there is nothing to distinguish
        return None
    if any(played < _ENOUGH_POSITIONS for played in numbers(run.recent, "positions")):
        return None  # the run is too young
    if spread < _FLAT_VALUES:
        return _finding(
            "value head stuck",
            f"predicted values have a standard deviation of only {spread:.3f}, although games are "
            "won and lost: the head predicts the same for every position.",
            "Look for a wrong sign or a constant target; otherwise the value loss may have too "
            "little weight, or a large first step has killed the hidden units.",
            run.recent,
            value_spread=spread,
        )
    losses = numbers(run.iterations, "value_loss")
    if len(losses) < _LONG_ENOUGH:
        return None
    first, now = sum(losses[:3]) / 3, sum(losses[-RECENT:]) / RECENT
    if now < first * (1 - _NO_FALL):
        return None
    if spread >= 2 * _FLAT_VALUES and not run.taught:  # with a teacher the spread is the teacher's
        return None
    return _finding(
        "value head stuck",
        f"the value loss was {first:.3f} at the beginning and is {now:.3f} after {len(losses)} "
        "iterations: the head has not learned anything.",
        "First check how value targets are computed (whose view, which sign).",
        run.iterations,
        first_value_loss=first,
        value_loss=now,
    )


def rate_too_high(run: Run) -> Finding | None:
    """Gradients or losses spike, or the value loss is worse than guessing: steps are too large."""
    spikes = _spikes(run.iterations, "gradient_norm")
    if len(spikes) >= _SPIKES:
        worst, before = max(spikes.values(), key=lambda pair: pair[0] / pair[1])
        return _rate_finding(
            f"the gradient norm spiked {len(spikes)} times, at worst to {worst:.3g} from a usual "
            f"{before:.3g}.",
            [entry for entry in run.iterations if int(entry["iteration"]) in spikes],
            worst_gradient_norm=worst,
            usual_gradient_norm=before,
        )
    broken = [e for e in run.iterations if any(_is_broken(e, loss) for loss in _LOSSES)]
    if broken:
        return _rate_finding("a loss is not a finite number any more.", broken)
    now = mean(run.recent, "value_loss")
    if now is not None and now > _GUESSING + _RISE:
        return _rate_finding(
            f"the value loss is {now:.2f}, while a network that knows nothing has "
            f"{_GUESSING:.2f}: training has diverged.",
            run.recent,
            value_loss=now,
        )
    excess = [_excess(run.iterations, number) for number in range(len(run.iterations))]
    for number in range(_BEFORE, len(excess) - 2):
        usual = median(excess[number - _BEFORE : number])
        risen = min(excess[number : number + 3])  # it stays up, so it is not just noise
        if risen > usual + _RISE:
            return _rate_finding(
                f"the losses rose by {risen - usual:.2f} nats and stayed up.",
                run.iterations[number : number + 3],
                usual_loss=usual,
                loss=risen,
            )
    return None


_LOSSES = ("policy_loss", "value_loss")


def _rate_finding(sentence: str, where: Sequence[Entry], **evidence: float) -> Finding:
    rates = numbers(where, "learning_rate")
    rate = f" The learning rate was {max(rates):.2g} at that point." if rates else ""
    return _finding(
        "learning rate too high",
        sentence + rate,
        "Try a third of it, a longer warm-up, or gradient clipping at a smaller norm.",
        where,
        **evidence,
    )


def _spikes(entries: Sequence[Entry], name: str) -> dict[int, tuple[float, float]]:
    """Iteration → a figure far above its earlier level, and that level."""
    figures = [(int(e["iteration"]), n) for e in entries for n in numbers([e], name)]
    spikes = {}
    for number in range(_BEFORE, len(figures)):
        before = median(figure for _, figure in figures[number - _BEFORE : number])
        iteration, figure = figures[number]
        if before > 0 and figure > _SPIKE * before:
            spikes[iteration] = (figure, before)
    return spikes


def _is_broken(entry: Entry, name: str) -> bool:
    """Whether a loss is present but not a finite number."""
    if name not in entry:
        return False
    figure = entry[name]
    return not isinstance(figure, (int, float)) or not math.isfinite(figure)


def _excess(entries: Sequence[Entry], number: int) -> float:
    """Both losses minus their lower bound, the entropy of the search targets.

    Without the entropy, a change in the number of simulations does not look like a spike. The
    targets are those of the buffer, which reaches back twice the mean age of its samples.
    """
    age = mean([entries[number]], "buffer_age") or 0.0
    targets = entries[max(0, number - round(2 * age)) : number + 1]
    policy, value = (mean([entries[number]], name) or 0.0 for name in _LOSSES)
    return policy + value - (mean(targets, "target_entropy") or 0.0)


def stale_buffer(run: Run) -> Finding | None:
    """Samples are too old, or used too often."""
    age, reuse = mean(run.recent, "buffer_age"), mean(run.recent, "reuse")
    if age is not None and age > _OLD and not run.taught:  # a teacher was never weaker
        return _finding(
            "buffer stale",
            f"samples are {age:.0f} iterations old on average: they were played by networks much "
            "weaker than this one.",
            "Use a smaller buffer, or sample only from its newest part.",
            run.recent,
            buffer_age=age,
        )
    if reuse is not None and reuse > _REUSED:
        return _finding(
            "buffer stale",
            f"every new position is used {reuse:.0f} times: the network memorises these games.",
            "Fewer steps per iteration, or more games, bring that down to 4 – 8.",
            run.recent,
            reuse=reuse,
        )
    return None


def noisy_evaluation(run: Run) -> Finding | None:
    """The measured progress is smaller than the error of the measurement.

    One kind of evaluation with a clear gain is enough to rule this out.
    """
    finding = None
    for what in dict.fromkeys(str(entry.get("what", "")) for entry in run.evaluations):
        series = [entry for entry in run.evaluations if str(entry.get("what", "")) == what]
        if len(series) < _EVALUATIONS:
            continue
        first, best = series[0], max(series[1:], key=lambda entry: float(entry["score"]))
        gain = float(best["score"]) - float(first["score"])
        noise = Z95 * math.hypot(_error(first), _error(best))
        if gain >= noise > 0:
            return None
        if gain > 0 and finding is None:
            finding = _noise_finding(what, first, best, gain, noise)
    return finding


def _noise_finding(what: str, first: Entry, best: Entry, gain: float, noise: float) -> Finding:
    counted = numbers([best], "n")
    advice = "Evaluate on more positions or games before drawing conclusions"
    if counted:
        advice += f": about {math.ceil(counted[0] * (noise / gain) ** 2):,} are enough"
    return _finding(
        "evaluation too noisy",
        f"“{what}” went from {percent(float(first['score']))} to "
        f"{percent(float(best['score']))}: that gain is smaller than its error of "
        f"±{percent(noise)}.",
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
    """Whether a game has too few positions for many distinct good games, such as 3×3."""
    try:
        return make_game(game).board.size <= _SMALL
    except GameError:  # the log of a game that is not loaded here
        return False


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
