"""The training doctor: reads the log of a training and says in plain words what goes wrong.

The classic failures of learning by self-play are quiet: the loss goes down, games are played, and
nothing is learned. Each leaves traces in the log (``log.jsonl``, one JSON object a line), and
`learning.doctor.checks` knows them. A `Finding` names the failure, the figures and iterations it is
seen in, and what usually helps.

Afterwards, ``examine(read_log(folder))``; while training, a `Doctor` that hears every entry as it
is written and says each thing once. Nothing here needs JAX.
"""

from __future__ import annotations

from collections.abc import Iterable

from rl_toolkit.learning.doctor.checks import CHECKS
from rl_toolkit.learning.doctor.evidence import Entry, Finding, Run

__all__ = ["Doctor", "Finding", "examine"]


def examine(entries: Iterable[Entry]) -> list[Finding]:
    """Everything that goes wrong in this log."""
    run = Run(entries)
    return [finding for check in CHECKS if (finding := check(run)) is not None]


class Doctor:
    """Watches a training: tell it every entry of the log as it is written."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = list(entries)
        self._told = {finding.kind for finding in examine(self._entries)}

    def hear(self, entry: Entry) -> list[Finding]:
        """What goes wrong since this entry; each kind of thing is said once."""
        self._entries.append(entry)
        if entry.get("kind") not in ("iteration", "evaluation"):
            return []
        news = [finding for finding in examine(self._entries) if finding.kind not in self._told]
        self._told.update(finding.kind for finding in news)
        return news
