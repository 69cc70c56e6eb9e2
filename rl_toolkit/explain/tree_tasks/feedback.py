"""`Feedback`: what is said about an answer, and about which nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: ``wait``: not wrong, but something else must be found first.
Mark = Literal["right", "wrong", "wait"]


class TaskError(ValueError):
    """An answer that cannot be checked, or a tree that is too large to work on."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence about one node; −1 for the whole tree."""

    node: int
    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """What is said about an answer.

    Attributes:
        solved: whether the answer is right and complete.
        summary: one sentence about all of it.
        remarks: sentences about nodes; a right part may have one too.
    """

    solved: bool
    summary: str
    remarks: tuple[Remark, ...] = ()

    @property
    def wrong(self) -> tuple[Remark, ...]:
        """The remarks about what is wrong."""
        return tuple(remark for remark in self.remarks if remark.mark == "wrong")
