"""Compiling ahead: what engines need is made while nobody waits for it.

The compiler would keep the server's threads from answering, so it works in a process of its own;
the machine code reaches the server by the folder on disk that all share (`kernels.code_cache`).
That process says how far it is, a line at a time::

    3 58        three kernels of fifty-eight are made
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from typing import NamedTuple

_COMMAND = (sys.executable, "-m", "rl_toolkit.web.warmup")


class Progress(NamedTuple):
    """How many kernels are made, of how many that were missing."""

    done: int
    total: int


class WarmUp:
    """Starts the compiler and listens to it; `progress` is ``None`` unless it is at work."""

    def __init__(self, command: Sequence[str] = _COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self.progress: Progress | None = None

    def start(self) -> threading.Thread:
        """Begin, and return the thread that listens until the end."""
        # A session of its own: Ctrl-C is for the server, which ends this one in `stop`.
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        thread = threading.Thread(
            target=self._listen, args=(self._process,), name="warm-up", daemon=True
        )
        thread.start()
        return thread

    def stop(self) -> None:
        """End the compiler if it is at work; what it has made stays."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                done, total = map(int, line.split())
                self.progress = Progress(done, total) if done < total else None
        self.progress = None
        process.wait()


def main() -> None:
    """Compile all that is missing, politely, and say how far it is.

    Where nothing can be kept on disk nobody would gain by it, so nothing is compiled.
    """
    from rl_toolkit.kernels import code_cache, jit

    try:
        code_cache.root().mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=code_cache.root()).close()
    except OSError:
        return
    if hasattr(os, "nice"):
        os.nice(10)
    jit.compile_all(lambda done, total, name: print(done, total, flush=True))


if __name__ == "__main__":
    main()
