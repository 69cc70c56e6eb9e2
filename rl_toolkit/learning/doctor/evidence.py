"""The log of a run as the training doctor reads it, and its findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Entry = Mapping[str, Any]

#: The number of iterations that count as "now".
RECENT = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """A failure of a training run.

    Attributes:
        kind: a short, stable name: ``policy collapse``.
        sentence: what the log shows, with figures.
        advice: what usually helps.
        first, last: the iterations in which it shows.
        evidence: the figures by name.
    """

    kind: str
    sentence: str
    advice: str
    first: int
    last: int
    evidence: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        where = (
            f"iteration {self.last}"
            if self.first == self.last
            else f"iterations {self.first} to {self.last}"
        )
        return f"{self.kind} ({where}): {self.sentence} {self.advice}"

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "kind": self.kind,
            "sentence": self.sentence,
            "advice": self.advice,
            "iterations": [self.first, self.last],
            "evidence": dict(self.evidence),
        }


class Run:
    """The log of a run as the checks read it; unknown entries are ignored.

    If the run is ``taught``, the self-play figures are those of a fixed teacher.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.game, self.taught = "", False
        self.iterations: list[Entry] = []
        self.evaluations: list[Entry] = []
        for entry in entries:
            match entry.get("kind"):
                case "start":
                    self.game = str(entry.get("game", self.game))
                    settings = entry.get("settings")
                    self.taught = isinstance(settings, dict) and bool(settings.get("teacher"))
                case "iteration" if _is_number(entry.get("iteration")):
                    self.iterations.append(entry)
                case "evaluation" if _is_number(entry.get("score")):
                    self.evaluations.append(entry)

    @property
    def recent(self) -> Sequence[Entry]:
        """The last `RECENT` iterations; empty while there are fewer."""
        return self.iterations[-RECENT:] if len(self.iterations) >= RECENT else []

    @property
    def recently_ended(self) -> Sequence[Entry]:
        """The recent iterations in which at least one game ended; the others have no results."""
        return [entry for entry in self.recent if entry.get("mean_plies") != 0]


def numbers(entries: Sequence[Entry], name: str) -> list[float]:
    """The figure ``name`` of each entry that has it."""
    return [float(entry[name]) for entry in entries if _is_number(entry.get(name))]


def mean(entries: Sequence[Entry], name: str) -> float | None:
    """The mean of a figure; ``None`` if no entry has it."""
    values = numbers(entries, name)
    return sum(values) / len(values) if values else None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
