"""Compiling in processes of their own: kernels are compiled before, or while, they are needed.

The compiler would block the threads of a server, and takes half the time of an engine that answers
meanwhile. So it runs elsewhere, and the machine code is found in the cache folder
(`kernels.compiling.code_cache`). The process reports its progress, a line at a time::

    3 58        3 of 58 parts of the work are done (`kernels.jit.work`)

This module as a program compiles everything, or the kernels that are named. `players.preparing`
compiles what one engine needs. Each of them has `helpers` on the other cores.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress

from rl_toolkit.kernels.compiling.compile_news import Needed
from rl_toolkit.kernels.compiling.time_left import Progress, TimeLeft, in_words

_COMMAND = (sys.executable, "-m", "rl_toolkit.kernels.compiling.warm_up")
#: The first argument of a helper; the names of kernels follow.
_HELPER = "--helper"
#: More processes are of no use: each takes 300 MB, and they wait for each other's kernels.
_MOST = 4


class WarmUp:
    """Starts the compiler and reads its progress, which is ``None`` unless it is running."""

    def __init__(self, command: Sequence[str] = _COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self.progress: Progress | None = None
        self._clock = TimeLeft()

    @property
    def is_running(self) -> bool:
        """Whether the compiler has been started and has not ended."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def part(self) -> float:
        """The part that is done, from 0 to 1."""
        return self._clock.after(self.progress)[0]

    @property
    def left(self) -> str:
        """The time until it ends, in words such as ``about 7 s left``."""
        return in_words(self._clock.after(self.progress)[1])

    def start(self) -> threading.Thread:
        """Start the compiler; return the thread that reads its progress to the end."""
        self._clock = TimeLeft()
        # A session of its own: Ctrl-C reaches the server only, which calls `stop`.
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self._thread = threading.Thread(
            target=self._listen, args=(self._process,), name="warm-up", daemon=True
        )
        self._thread.start()
        return self._thread

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


def can_be_kept() -> bool:
    """Whether the cache folder can be written; without it, compiling ahead would be of no use."""
    from rl_toolkit.kernels.compiling import code_cache

    try:
        code_cache.root().mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=code_cache.root()).close()
    except OSError:
        return False
    return True


@contextmanager
def helpers(names: Collection[str] = ()) -> Iterator[None]:
    """Processes that compile the same kernels, or those named, on the other cores.

    They end with the block, and with this process, however it ends: their input is closed then.
    """
    from rl_toolkit.kernels.threads.crew import cores

    begun: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(min(cores(), _MOST) - 1):
            with suppress(OSError):  # no more processes
                begun.append(
                    subprocess.Popen(
                        [*_COMMAND, _HELPER, *names],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                    )
                )
        yield
    finally:
        for process in begun:
            process.terminate()
            process.communicate()


def main(arguments: Sequence[str] = ()) -> None:
    """Compile all missing kernels at low priority and print the progress.

    ``--helper`` and names of kernels: compile them beside the process that has started this one.
    """
    from rl_toolkit.kernels import jit

    if not can_be_kept():
        return
    if arguments[:1] == [_HELPER]:
        threading.Thread(target=_end_with_input, daemon=True).start()
        names = arguments[1:]
        jit.compile_all(names=names, as_helper=True, in_background=not names)
        return
    if hasattr(os, "nice"):
        os.nice(10)
    needed = Needed()
    needed.add(jit.pending())
    with helpers():
        jit.compile_all(
            lambda done, total, name: tell(*needed.progress(jit.pending())), in_background=True
        )


def _end_with_input() -> None:
    """End this process as soon as the one that has started it ends."""
    sys.stdin.read()
    os._exit(0)


def tell(done: int, total: int) -> None:
    """Write a line of progress, for the process that reads it."""
    sys.stdout.write(f"{done} {total}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
