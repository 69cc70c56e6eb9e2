"""The training doctor: reads the log of a training run and says in plain words what is wrong.

The classic failures of self-play learning are silent: the loss goes down, games are played, and
nothing is learned. Each leaves traces in the log (``log.jsonl``, one JSON object per line), which
`learning.doctor.checks` looks for. A `Finding` names the failure, the figures and iterations that
show it, and what usually helps.

After training, call ``examine(read_log(folder))``; during training, pass every log entry to a
`Doctor`, which reports each failure once. Nothing here needs JAX.
"""

from __future__ import annotations

from collections.abc import Iterable

from rl_toolkit.learning.doctor.checks import CHECKS
from rl_toolkit.learning.doctor.evidence import Entry, Finding, Run

__all__ = ["Doctor", "Finding", "examine"]


def examine(entries: Iterable[Entry]) -> list[Finding]:
    """Return a finding for every failure that the log shows."""
    run = Run(entries)
    return [finding for check in CHECKS if (finding := check(run)) is not None]


class Doctor:
    """Watches a training run: pass every log entry to `update` as it is written."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = list(entries)
        self._reported = {finding.kind for finding in examine(self._entries)}

    def update(self, entry: Entry) -> list[Finding]:
        """Return the findings that are new with this entry; each kind is reported once."""
        self._entries.append(entry)
        if entry.get("kind") not in ("iteration", "evaluation"):
            return []
        new = [finding for finding in examine(self._entries) if finding.kind not in self._reported]
        self._reported.update(finding.kind for finding in new)
        return new
