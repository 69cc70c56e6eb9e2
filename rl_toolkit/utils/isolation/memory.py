"""The memory of all processes that one has started, and that those have started; Linux only."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress

from rl_toolkit.utils.isolation.held_up import descendants


def memory_below(root: int, left_out: Collection[int] = ()) -> int:
    """The bytes that they use together; 0 for a single process, which has its own limit.

    Pages that processes share count once. One that hides its pages counts with all of them.
    """
    pids = [pid for pid in started_by(root) if pid not in left_out]
    return sum(map(_memory_of, pids)) if len(pids) > 1 else 0


def started_by(root: int) -> list[int]:
    """As `descendants`, without a look at all processes of the machine where the system can say."""
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        return descendants(root)
    found: list[int] = []
    waiting = [root]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    with suppress(OSError):  # it has ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
                children += map(int, file.read().split())
    return children


def _memory_of(pid: int) -> int:
    with suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    with suppress(OSError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
