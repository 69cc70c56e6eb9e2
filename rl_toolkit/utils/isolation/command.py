"""`Command`: another program in a process of its own, with pipes to its standard streams."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from rl_toolkit.utils.isolation.child import Job
from rl_toolkit.utils.isolation.choosing import Sandbox, in_force
from rl_toolkit.utils.isolation.limits import Limits
from rl_toolkit.utils.isolation.sandbox.spaces import GO, STOP
from rl_toolkit.utils.isolation.supervisor import Supervisor, idle_supervisor


class Command:
    """A running program.

    Args:
        command: the full path of the program, and its arguments.
        environment: all that it sees of the environment, besides ``TMPDIR``.
        folder: where it runs; by default an empty folder of its own.
        limits: the limits of each of its processes.
        sandbox: what it may see; ``None`` for everything that the user can. It can then read
            ``folder`` but not write there.

    ``stdin``, ``stdout`` and ``stderr`` are file numbers that belong to the caller, who closes
    them. Raises `NotStartedError` if it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: str | None = None,
        limits: Limits | None = None,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._supervisor: Supervisor = idle_supervisor()
        theirs_in, self.stdin = os.pipe()
        self.stdout, theirs_out = os.pipe()
        self.stderr, theirs_err = os.pipe()
        orders, self._orders = os.pipe()
        self._status, status = os.pipe()
        try:
            confinement = None
            self._freezes = self._is_frozen = False
            if sandbox is not None:
                found = in_force(self._supervisor)
                confinement = found.confinement(sandbox)
                self._freezes = sandbox.freezes and found.freezes
            job = Job(
                limits or Limits(),
                command=tuple(command),
                environment=dict(environment),
                folder=None if folder is None else os.path.abspath(folder),
                confinement=confinement,
                total_mb=0 if sandbox is None else sandbox.total_mb,
            )
            files = [theirs_in, theirs_out, theirs_err, *([orders, status] if confinement else [])]
            self.pid = self._supervisor.start(job, files)
        except BaseException:
            for file in (self.stdin, self.stdout, self.stderr, self._orders, self._status):
                os.close(file)
            self._supervisor.end()
            raise
        finally:
            for file in (theirs_in, theirs_out, theirs_err, orders, status):
                os.close(file)
        self._exit_code: int | None = None
        self._has_ended = False

    def exit_code(self, seconds: float = 0.0) -> int | None:
        """Its exit code, negative for a signal; ``None`` if it has not ended within ``seconds``."""
        if not self._has_ended:
            self._exit_code = self._supervisor.exit_code(seconds)
        return self._exit_code

    def freeze(self, is_frozen: bool) -> None:
        """Freeze the program with all that it has started, or let it go on.

        Only a sandbox of the kind ``namespaces`` can do so; else nothing happens.
        """
        if self._freezes and is_frozen != self._is_frozen and not self._has_ended:
            self._is_frozen = is_frozen
            with suppress(OSError):
                os.write(self._orders, STOP if is_frozen else GO)

    def end(self) -> None:
        """End the program and all that it has started; a second call does nothing."""
        if not self._has_ended:
            self.exit_code()
            self._has_ended = True
            for file in (self._orders, self._status):
                os.close(file)
            self._supervisor.end(wait=True)
