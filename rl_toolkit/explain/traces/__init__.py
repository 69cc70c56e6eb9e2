"""Traces in sentences: what a search did, step by step, and why it cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.explain.traces.deepening import tell_deepening
    from rl_toolkit.explain.traces.line import Line
    from rl_toolkit.explain.traces.own import tell_faults, tell_own, tell_own_steps
    from rl_toolkit.explain.traces.telling import SENTENCES, tell
    from rl_toolkit.explain.traces.trees import tell_ends, tell_steps

__all__ = [
    "SENTENCES",  # The sentences by kind of trace, with fields to fill in
    "Line",  # One step in a sentence
    "tell",  # The steps of a trace in sentences, and at the end what it leaves out
    "tell_deepening",  # A sentence for each depth, and one on the price of all of them
    "tell_ends",  # What is searched, and the answer; empty if no simulation ran
    "tell_faults",  # The faults of somebody else's search, each in a sentence or two
    "tell_own",  # The events of somebody else's minimax, checked where they can be
    "tell_own_steps",  # The steps of somebody else's tree search, checked where they can be
    # The steps of ``count`` simulations from number ``first``; none of those that are
    # folded
    "tell_steps",
]
__getattr__, __dir__ = front_door(__name__)
