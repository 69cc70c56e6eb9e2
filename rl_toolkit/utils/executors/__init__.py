"""Work that runs elsewhere: in worker processes, on a Ray cluster, in a thread.

* `pools`: executors, which map a function over tasks
* `account`: what each worker did
* `background`: one piece of work in a thread, with its progress
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.utils.executors.account import WorkAccount, WorkerAccount
    from rl_toolkit.utils.executors.background import AnyTask, BackgroundTask
    from rl_toolkit.utils.executors.pools import (
        RETRIES,
        AccountingExecutor,
        Executor,
        InProcess,
        LocalProcesses,
        LostTaskError,
        RayExecutor,
        RayMissingError,
        keeping_workers,
        local_executor,
    )

__all__ = [
    "RETRIES",  # Deaths of workers after which a task is given up
    "AccountingExecutor",  # An executor that keeps an account
    "AnyTask",  # A task of which only the end matters
    "BackgroundTask",  # One piece of work with its progress and its result
    "Executor",  # Maps a function over tasks and yields the results as they finish
    "InProcess",  # Runs tasks in this process
    "LocalProcesses",  # Runs tasks in worker processes of this machine
    "LostTaskError",  # A task whose workers died again and again
    "RayExecutor",  # Runs tasks on a Ray cluster
    "RayMissingError",  # Ray is not installed
    "WorkAccount",  # The tasks, seconds and losses of all workers
    "WorkerAccount",  # What one worker did
    "keeping_workers",  # Keep the workers of an executor from one ``map`` to the next
    "local_executor",  # An executor with that number of workers on this machine
]
__getattr__, __dir__ = front_door(__name__)
