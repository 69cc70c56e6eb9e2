"""Iterative deepening in sentences: one for each depth, and what it cost."""

from __future__ import annotations

from rl_toolkit.algorithms.traces import Deepening, Trace
from rl_toolkit.utils import counted

#: Every sentence, by what happened.
SENTENCES = {
    "first": "Depth {depth}: {move} is best, {value} for {x}. {count}.",
    "same": ("Depth {depth}: {move} stays best, {value} for {x}. {count}, {total} in all so far."),
    "changed": (
        "Depth {depth}: now {move} is best, {value} for {x}; at depth {before} it was {old}. "
        "{count}, {total} in all so far."
    ),
    "cheaper": (
        "All depths together took {total} positions; depth {depth} at once, with an empty table, "
        "takes {at_once}. The shallow searches paid for themselves: they found good moves to begin "
        "with."
    ),
    "dearer": (
        "All depths together took {total} positions; depth {depth} at once, with an empty table, "
        "takes {at_once}. The shallow searches are the price of having an answer at any time."
    ),
}


def tell_deepening(found: Deepening) -> list[str]:
    """A sentence for each depth, and one on the price of all of them."""
    told, total, before = [], 0, ""
    for depth, trace in enumerate(found.searches, 1):
        nodes = trace.answer["nodes"]
        total += nodes
        move = best_of(trace)
        name = "first" if depth == 1 else "same" if move == before else "changed"
        told.append(
            SENTENCES[name].format(
                depth=depth,
                move=move,
                value=_value(trace),
                x=trace.data["sides"]["X"],
                count=counted(nodes, "position"),
                total=f"{total:,}",
                before=depth - 1,
                old=before,
            )
        )
        before = move
    name = "cheaper" if total < found.at_once else "dearer"
    told.append(
        SENTENCES[name].format(
            total=f"{total:,}", depth=len(found.searches), at_once=f"{found.at_once:,}"
        )
    )
    return told


def best_of(trace: Trace) -> str:
    """The name of the best move that a search found; empty if there is none."""
    line = trace.answer["line"]
    return trace.name(line[0]) if line else ""


def _value(trace: Trace) -> str:
    data = trace.data
    scores = [float(score) for score in data["values"]]
    text: str = data["texts"][scores.index(data["answer"]["score"])]
    words = {"win": "a win", "loss": "a loss"}
    is_points = "points" in data and text not in words and text != "0"
    return f"{text} points" if is_points else words.get(text, text)
