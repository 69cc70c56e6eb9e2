"""Trace minimax: run the recorded search, fold what is too much, and write the document."""

from __future__ import annotations

import time
from dataclasses import asdict
from itertools import pairwise
from math import inf

from rl_toolkit.adapting import as_game
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.minimax.negamax import (
    NULL_WINDOW,
    UNLIMITED,
    WIN,
    Result,
    SearchStopped,
    is_decisive,
    plies_to_end,
)
from rl_toolkit.algorithms.minimax.report import value_of
from rl_toolkit.algorithms.search_control import SearchClock
from rl_toolkit.algorithms.traces import events
from rl_toolkit.algorithms.traces.negamax_recorder import MOST_PLIES, RecordedNegamax
from rl_toolkit.algorithms.traces.trace import (
    Trace,
    TraceBounds,
    TraceError,
    dumped,
    names_of,
    opening,
)
from rl_toolkit.analysis import Limit, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import JsonObject, is_own

#: A node is entered, compared and left, and may be cut.
_EVENTS_PER_NODE = 4
#: The points of an evaluation that has no weights: its value is written in hundredths.
USUAL_POINTS = 100


def trace_minimax(
    env: BaseGameEnv,
    solver: MinimaxSolver,
    limit: Limit | None = None,
    bounds: TraceBounds | None = None,
    stop: StopSignal | None = None,
) -> Trace:
    """Record one search of the position with the options of ``solver``.

    It is the search of ``solver._minimax(env)``, from the root with the full window and to the full
    depth at once: the same value and the same number of nodes. Where its events exceed ``bounds``
    they are told down to the deepest ply that fits, and a note says so. `TraceError` if the search
    visits too many positions or takes too long.
    """
    env, limit, bounds = as_game(env), limit or Limit(), bounds or TraceBounds()
    if is_own(solver._minimax, MinimaxSolver._minimax):
        raise TraceError(f"{type(solver).__name__} has its own _minimax, which has no trace")
    depth = min(solver.max_depth or UNLIMITED, limit.depth or UNLIMITED)
    if env.traits.free_results and (depth < UNLIMITED or solver.options.distance):
        raise TraceError("a tree is searched to its leaves, without a depth limit or distances")
    fold = MOST_PLIES
    seconds = limit.time or bounds.seconds
    ends = None if seconds is None else time.monotonic() + seconds  # of all attempts
    while True:
        recorder = RecordedNegamax(
            env,
            solver.options,
            solver.max_memory_mb,
            solver.worth,
            most_events=bounds.events,
            fold=fold,
        )
        recorder.node_limit = min(bounds.nodes, limit.nodes or bounds.nodes)
        left = None if ends is None else max(1e-3, ends - time.monotonic())
        with SearchClock(left, stop) as clock:
            recorder.flag = clock.flag
            try:
                result = recorder.search(env, depth)
            except SearchStopped as error:
                late = ends is not None and time.monotonic() >= ends
                why = _refusal(recorder, clock.expired, seconds if late else None)
                raise TraceError(why) from error
        deepest = len(recorder.visits) - 1
        if not recorder.overflowed:
            data = document(env, solver, depth, recorder, result)
            if len(dumped(data).encode()) <= bounds.bytes:
                return Trace(data)
            fold = min(fold, deepest) - 1
        else:
            fold = min(_deepest_that_fits(recorder.visits, bounds.events), fold - 1)
        if fold < 1:
            raise TraceError(
                f"the trace of this search has more than {bounds.events:,} events or "
                f"{bounds.bytes:,} bytes even if only one ply of it is told"
            )


def _refusal(recorder: RecordedNegamax, was_stopped: bool, seconds: float | None) -> str:
    """The sentence for a search too large to trace; ``seconds`` if it ran out of that many."""
    what = f"visits more than {recorder.node_limit:,} positions"
    if was_stopped:
        what = f"was stopped after {recorder.nodes:,} positions"
        if seconds is not None:
            unit = "second" if seconds == 1 else "seconds"
            what = f"takes more than {seconds:g} {unit} ({recorder.nodes:,} positions so far)"
    options = recorder.options
    techniques = {"pruning": options.pruning, "memoization": options.memoization}
    off = " and ".join(name for name, on in techniques.items() if not on)
    advice = "begin later in the game or limit the depth"
    if off:
        advice = f"begin later in the game, limit the depth, or use {off}"
    return f"this search {what}, so there is no trace; {advice}"


def _deepest_that_fits(visits: list[int], most: int) -> int:
    """The deepest ply so that all nodes down to it have room in ``most`` events."""
    total = 0
    for ply, count in enumerate(visits):
        total += _EVENTS_PER_NODE * count
        if total > most:
            return ply - 1
    return len(visits)


def document(
    env: BaseGameEnv,
    solver: MinimaxSolver,
    depth: int,
    recorder: RecordedNegamax,
    result: Result,
) -> JsonObject:
    """The document of a finished search."""
    seen = {*recorder.args, *recorder.lo, *recorder.hi} - {-inf, inf}
    scores = [-inf, *sorted(seen), inf]
    place = {score: number for number, score in enumerate(scores)}
    options = asdict(solver.options) | {
        "depth": depth if depth < UNLIMITED else None,
        "heuristic": solver.evaluate is not None or bool(env.traits.has_heuristic),
    }
    cuts = recorder.cuts.values()
    moves = {*recorder.move, *(move for cut in cuts for move in cut["left"]), *result.line}
    nodes: JsonObject = {
        "move": recorder.move,
        "side": "".join(recorder.side),
        "lo": [place[score] for score in recorder.lo],
        "hi": [place[score] for score in recorder.hi],
    }
    if recorder.cells != recorder.move:
        nodes["cells"] = recorder.cells
    folded = sum(recorder.folded.values())
    notes = []
    if folded:
        plies = "one ply is" if recorder.fold == 1 else f"{recorder.fold} plies are"
        notes.append(
            f"The search visited {recorder.nodes:,} positions; only the first {plies} told, "
            f"{folded:,} positions below are folded"
        )
    score = result.score * env.current_player + 0.0
    # Estimates are shown in the points of the game's own heuristic, or in hundredths.
    points = None
    if events.ESTIMATE in recorder.kinds and not solver.options.distance:
        points = points_of(env) if solver.evaluate is None else USUAL_POINTS
    return {
        **opening("minimax", env, solver.name, options),
        "answer": {
            "value": score / WIN if env.traits.free_results else value_of(score),
            "score": score,
            "nodes": recorder.nodes,
            "plain": recorder.sizes.count(env.copy(), depth),
            "hits": recorder.hits,
            "cuts": recorder.all_cuts,
            "line": list(result.line),
            "settled": result.settled,
        },
        "notes": notes,
        "names": names_of(env, moves),
        "values": ["-inf", *scores[1:-1], "inf"],
        "texts": _texts(scores, distance=solver.options.distance, points=points),
        **({} if points is None else {"points": points}),
        "nodes": nodes,
        "events": {
            "kind": "".join(recorder.kinds),
            "args": [place[score] for score in recorder.args],
        },
        "cuts": recorder.cuts,
        "hits": recorder.hits_at,
        "folded": recorder.folded,
        "below": recorder.below,
    }


def points_of(env: BaseGameEnv) -> int:
    """How many points of the game's heuristic its value 1 stands for."""
    weights = getattr(env, "heuristic_weights", None)
    return int(getattr(weights, "scale", USUAL_POINTS))


def _texts(scores: list[float], *, distance: bool, points: int | None) -> list[str]:
    """The scores for people, with as many digits as tell them apart, null windows excepted."""
    different = 1 + sum(high - low > 2 * NULL_WINDOW for low, high in pairwise(scores))
    for digits in range(3, 7) if points is None else range(7):
        texts = [
            score_text(score, distance=distance, digits=digits, points=points) for score in scores
        ]
        if len(set(texts)) >= different:
            break
    return texts


def score_text(score: float, *, distance: bool, digits: int = 3, points: int | None = None) -> str:
    """A score for people: ``1`` if X wins, ``1 (in 5)`` if that takes five plies, ``0.25``.

    With ``points``, the number of points that the estimate 1 stands for, an estimate is written in
    points, and a result as a word, since both could be 1.

    >>> [score_text(score, distance=True) for score in (995.0, -997.0, 0.0, 0.25)]
    ['1 (in 5)', '−1 (in 3)', '0', '0.25']
    >>> score_text(1000.0, distance=False)
    '1'
    >>> [score_text(score, distance=False, digits=0, points=4200) for score in (60 / 4200, -1000.0)]
    ['60', 'loss']
    """
    if abs(score) == inf:
        return "+∞" if score > 0 else "−∞"
    if distance and is_decisive(score):
        return f"{'1' if score > 0 else '−1'} (in {plies_to_end(score)})"
    if points is not None and abs(score) == WIN:
        return "win" if score > 0 else "loss"
    value = score / WIN if abs(score) > 1 else score * (points or 1)
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    if abs(score) == 1 and points is None:  # an estimate, not a result
        text = f"{value:.2f}"
    return "0" if text in ("-0", "") else text.replace("-", "−")
