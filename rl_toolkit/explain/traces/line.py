"""`Line`: one sentence of a told trace."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """One step in a sentence.

    Attributes:
        text: the sentence.
        depth: how far it is indented: plies below the root, or 1 for the parts of a simulation.
        event: the number of the event, simulation, sweep or pull; −1 for an introduction.
        is_cut: whether moves are left out here.
    """

    text: str
    depth: int = 0
    event: int = -1
    is_cut: bool = False
