"""Whether a process that did not answer was held up: stopped by a signal, or without a processor.

Linux counts for every thread how long it ran, and how long it was ready to run while no processor
was free. A process that sleeps or waits for somebody has neither time; one that is slow has run.
Elsewhere nothing is known, and nothing is said. What a process has started counts with it: it must
not be able to starve itself, and say that the machine was busy.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rl_toolkit.utils.isolation.child import ON_LINUX
from rl_toolkit.utils.isolation.errors import Cause

#: Seconds in which a process may be unlucky; only of a longer time it is said who held it up.
_LEAST = 1.0
#: Seconds of a look at the other processes of a sandbox, and how many of them are many: init, which
#: reaps and looks at the memory, may wait for a processor, too.
_SAMPLE, _MANY = 0.2, 1.5
#: Who sent the signal cannot be seen: the process itself, or another one.
STOPPED = "was stopped by a signal, as SIGSTOP does, and did not go on"
#: Nanoseconds that a thread ran, and that it waited for a processor.
Times = tuple[int, int]


class HeldUp(NamedTuple):
    """What held a process up, with the end of a sentence about it; both empty if nothing did."""

    cause: Cause = ""
    text: str = ""


class Watch:
    """Looks at a process from now on.

    ``above`` is the process below which everything lies that it has started.
    """

    def __init__(self, pid: int, above: int | None = None) -> None:
        self._pid, self._above, self._began = pid, above or pid, time.monotonic()
        self._before = _times(pid)

    def held_up(self) -> HeldUp:
        """What held the process up until now."""
        if is_stopped(self._pid):
            return HeldUp("signal", STOPPED)
        found = waited(time.monotonic() - self._began, self._before, _times(self._pid))
        return HeldUp() if found.cause and self._is_starved_by_its_own() else found

    def _is_starved_by_its_own(self) -> bool:
        """Whether several processes that it has started want processors now."""
        others = [pid for pid in descendants(self._above) if pid != self._pid]
        before = [_times(pid) for pid in others]
        began = time.monotonic()
        time.sleep(_SAMPLE)
        wanted = sum(map(_wanted, before, map(_times, others)))
        return wanted > _MANY * (time.monotonic() - began)


def waited(seconds: float, before: dict[str, Times], now: dict[str, Times]) -> HeldUp:
    """Whether a process waited for a processor for most of some seconds, by its threads' times.

    >>> waited(2.0, {"7": (0, 0)}, {"7": (100_000_000, 1_800_000_000)}).text
    'waited 1.8 s of 2 s for a processor, as the machine was busy'
    >>> waited(2.0, {"7": (0, 0)}, {"7": (1_900_000_000, 0)}).text
    ''
    """
    ran = longest = 0.0
    for thread, (running, waiting) in now.items():
        earlier = before.get(thread, (0, 0))
        ran += (running - earlier[0]) / 1e9
        longest = max(longest, (waiting - earlier[1]) / 1e9)
    # Threads that take the processors from each other have run, all together.
    if seconds >= _LEAST and longest > seconds / 2 > ran:
        text = f"waited {longest:.2g} s of {seconds:.2g} s for a processor, as the machine was busy"
        return HeldUp("machine", text)
    return HeldUp()


def _wanted(before: dict[str, Times], now: dict[str, Times]) -> float:
    """The seconds that threads ran or waited for a processor."""
    both = before.keys() & now.keys()
    return sum(sum(now[thread]) - sum(before[thread]) for thread in both) / 1e9


def _times(pid: int) -> dict[str, Times]:
    times = {}
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            running, waiting, _ = (task / "schedstat").read_text().split()
            times[task.name] = (int(running), int(waiting))
    except (OSError, ValueError):  # another system, or it has ended
        pass
    return times


def is_stopped(pid: int) -> bool:
    """Whether a process is stopped, as by SIGSTOP; false where the system does not show it."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
    except OSError:  # another system, or it has ended
        return False
    return text.rpartition(") ")[2][:1] in ("T", "t")


def descendants(root: int) -> list[int]:
    """The processes that ``root`` has started, and those that they have; Linux only."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc") if ON_LINUX else ():
        if entry.isdigit():
            with suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{entry}/stat", "rb") as stat:
                    parent = int(stat.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry))
    descendants, waiting = list[int](), [root]
    while waiting:
        below = children.pop(waiting.pop(), [])
        descendants += below
        waiting += below
    return descendants
