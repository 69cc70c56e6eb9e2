"""Whether a process that did not answer was held up from outside: stopped, or without a processor.

Linux counts for every thread how long it ran, and how long it was ready to run while no processor
was free. A process that sleeps or waits for somebody has neither time; one that is slow has run.
Elsewhere nothing is known, and nothing is said.
"""

from __future__ import annotations

import time
from pathlib import Path

#: Seconds in which a process may be unlucky; only of a longer time it is said who held it up.
_LEAST = 1.0
#: Nanoseconds that a thread ran, and that it waited for a processor.
Times = tuple[int, int]


class Watch:
    """Looks at a process from now on."""

    def __init__(self, pid: int) -> None:
        self._pid, self._began = pid, time.monotonic()
        self._before = _times(pid)

    def cause(self) -> str:
        """What held the process up, as the end of a sentence; empty if nothing did."""
        return cause(
            time.monotonic() - self._began, self._before, _times(self._pid), _is_stopped(self._pid)
        )


def cause(seconds: float, before: dict[str, Times], now: dict[str, Times], is_stopped: bool) -> str:
    """What held a process up for most of some seconds, given the times of its threads.

    >>> cause(2.0, {"7": (0, 0)}, {"7": (100_000_000, 1_800_000_000)}, False)
    'waited 1.8 s of 2 s for a processor, as the machine was busy'
    >>> cause(2.0, {"7": (0, 0)}, {"7": (1_900_000_000, 0)}, False)
    ''
    >>> cause(2.0, {}, {}, True)
    'was stopped by a signal from outside'
    """
    if is_stopped:
        return "was stopped by a signal from outside"
    ran = waited = 0.0
    for thread, (running, waiting) in now.items():
        earlier = before.get(thread, (0, 0))
        ran += (running - earlier[0]) / 1e9
        waited = max(waited, (waiting - earlier[1]) / 1e9)
    # Threads that take the processors from each other have run, all together.
    if seconds >= _LEAST and waited > seconds / 2 > ran:
        return f"waited {waited:.2g} s of {seconds:.2g} s for a processor, as the machine was busy"
    return ""


def _times(pid: int) -> dict[str, Times]:
    found = {}
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            ran, waited, _ = (task / "schedstat").read_text().split()
            found[task.name] = (int(ran), int(waited))
    except (OSError, ValueError):  # another system, or it has ended
        pass
    return found


def _is_stopped(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in "Tt"
