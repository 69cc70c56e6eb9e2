"""Other people's code in processes of their own: limits, prints captured, nothing left behind.

::

    this process               a supervisor                    the supervised process
    ────────────               ────────────                    ──────────────────────
    WorkerProcess ── control ► forks it, ends it and all  ───► limits, an empty folder, little
    or Command                 that it has started             environment, a session of its own
        │                                                          │
        └──── framed JSON (worker), or stdin and stdout (command) ─┘

There are two kinds. A `WorkerProcess` runs a module of ours, which runs the code of somebody else
and answers messages; a `Command` is any other program. Both end with everything that they have
started, on Linux also after a double fork with ``setsid``.

A worker module has a function ``serve``::

    from rl_toolkit.utils.strict_json import FramedJson

    def serve(channel: FramedJson) -> None:
        while (message := channel.receive()) is not None:
            channel.send({"answer": ...})

and is asked like this::

    worker = WorkerProcess("rl_toolkit.labs.worker", Limits(memory_mb=512))
    try:
        answer = worker.ask({"call": "f"}, seconds=2.0)
    except IsolationError as error:  # it has been ended; the next question needs a new worker
        print(error)                 # did not answer within 2 s
    worker.end()

The module is imported in the supervisor, before the limits are set, so it should import what the
code will need and run nothing. `IsolationError` and its subclasses say what happened as the end of
a sentence whose subject is the code.

With a `Sandbox` the process sees only what that names, as far as the system allows it: `in_force`
says which kind of sandbox holds here. Without one it has all rights of the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.utils.isolation.choosing import (
        SANDBOX_VARIABLE,
        InForce,
        Sandbox,
        in_force,
        tried,
    )
    from rl_toolkit.utils.isolation.command import Command
    from rl_toolkit.utils.isolation.errors import (
        Cause,
        EndedError,
        IsolationError,
        NotStartedError,
        StoppedError,
        TooSlowError,
        in_seconds,
        was_killed,
    )
    from rl_toolkit.utils.isolation.held_up import STOPPED, HeldUp, Watch, is_stopped
    from rl_toolkit.utils.isolation.limits import Limits
    from rl_toolkit.utils.isolation.sandbox.confining import CROWDED, FINE, KINDS, TOTAL_MB, Kind
    from rl_toolkit.utils.isolation.sandbox.protections import PROTECTIONS, Protection
    from rl_toolkit.utils.isolation.supervisor import end_all, settle
    from rl_toolkit.utils.isolation.worker import GRACE, KEPT_OUTPUT, WorkerProcess

__all__ = [
    "CROWDED",  # What a trial says if other processes of the user count for a limit
    "FINE",  # What a trial says if all is well
    "GRACE",  # Seconds beyond the limit, and after a stop, in which an answer may still arrive
    "KEPT_OUTPUT",  # The bytes of what is printed during a question that are kept
    "KINDS",  # The kinds of sandbox, strongest first
    "PROTECTIONS",  # What foreign code may try, and the weakest kind of sandbox that prevents it
    "SANDBOX_VARIABLE",  # The environment variable that asks for a weaker kind of sandbox
    "STOPPED",  # What a stopped process did, as the end of a sentence
    "TOTAL_MB",  # Megabytes of all processes of a sandbox together, unless one may use more
    "Cause",  # What is at fault if not the code: a signal, or the machine
    "Command",  # A running program
    "EndedError",  # A process ended before it answered
    "HeldUp",  # What held a process up
    "InForce",  # The kind of sandbox in force, and why each stronger one is not
    "IsolationError",  # A supervised process did not do what was asked; it has been ended
    "Kind",  # The name of a kind of sandbox
    "Limits",  # What each process may use; those that it starts have limits of their own
    "NotStartedError",  # There is no process
    "Protection",  # Something that foreign code may try
    "Sandbox",  # What foreign code may see, and whether it rests while it is not asked
    "StoppedError",  # It was stopped, and had no answer
    "TooSlowError",  # It did not answer in time
    "Watch",  # Sees whether a process is held up: stopped, or without a processor
    "WorkerProcess",  # A running worker
    "end_all",  # End all supervised processes and their supervisors
    "in_force",  # The strongest kind of sandbox that works here
    "in_seconds",  # A time limit in a message, without what a clock took away from it
    "is_stopped",  # Whether a process is stopped, as by SIGSTOP
    "settle",  # Wait until all processes that were ended are gone, with all that they have started
    "tried",  # What a trial of each kind of sandbox says
    "was_killed",  # Whether an exit code is that of a process that was ended from outside
]
__getattr__, __dir__ = front_door(__name__)
