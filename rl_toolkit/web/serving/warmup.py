"""Compiling ahead: the kernels of the engines are compiled before they are needed.

The compiler would block the server's threads, so it runs in a process of its own; the server finds
the machine code in the cache folder (`kernels.code_cache`). The process reports its progress, a
line at a time::

    3 58        three of fifty-eight kernels are compiled
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from typing import NamedTuple

_COMMAND = (sys.executable, "-m", "rl_toolkit.web.serving.warmup")


class Progress(NamedTuple):
    """How many of the missing kernels are compiled."""

    done: int
    total: int


class WarmUp:
    """Starts the compiler and reads its progress, which is ``None`` unless it is running."""

    def __init__(self, command: Sequence[str] = _COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self.progress: Progress | None = None

    def start(self) -> threading.Thread:
        """Start the compiler; return the thread that reads its progress to the end."""
        # A session of its own: Ctrl-C reaches the server only, which calls `stop`.
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
        """Stop the compiler if it is running; finished kernels stay."""
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
    """Compile all missing kernels at low priority and print the progress.

    Without a cache folder that can be written, compiling would be of no use: nothing is done.
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
