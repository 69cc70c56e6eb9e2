"""`HandTask`: a question with a table and blanks, and how an answer is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: A number is right if it is this near: two digits are enough, also from means that were rounded.
CLOSE = 0.0105


@dataclass(frozen=True, slots=True)
class Blank:
    """A place to fill in.

    Attributes:
        name: its name in the answer.
        label: what is asked.
        right: the number, or the word.
        hint: how to get there, without the numbers.
        way: how to get there, with the numbers.
    """

    name: str
    label: str
    right: float | str
    hint: str
    way: str

    @property
    def written(self) -> str:
        """What is right, for people: two digits at most."""
        if isinstance(self.right, str):
            return self.right
        text = f"{self.right:.2f}".rstrip("0").rstrip(".")
        return "0" if text in ("-0", "") else text.replace("-", "−")

    def with_label(self, text: str) -> str:
        """A sentence on this blank, after its label."""
        return f"{self.label}{'' if self.label.endswith('?') else ':'} {text}."

    def accepts(self, text: str) -> bool:
        """Whether what was typed is right."""
        if isinstance(self.right, str):
            return text.strip().lower() == self.right.lower()
        try:
            given = float(text.strip().replace("−", "-").replace(",", "."))
        except ValueError:
            return False
        return abs(given - self.right) <= CLOSE


@dataclass(frozen=True, slots=True)
class HandTask:
    """A question, a table of what is given, and blanks."""

    kind: str
    seed: int
    title: str
    question: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    blanks: tuple[Blank, ...]


def judged(task: HandTask, answer: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """What is said of what was filled in: by blank, ``right`` or ``wrong`` and a sentence."""
    said = {}
    for blank in task.blanks:
        text = answer.get(blank.name, "")
        if not text.strip():
            continue
        right = blank.accepts(text)
        said[blank.name] = (
            ("right", blank.with_label(blank.way))
            if right
            else ("wrong", blank.with_label(f"not {text.strip()[:20]}. {blank.hint}"))
        )
    return said
