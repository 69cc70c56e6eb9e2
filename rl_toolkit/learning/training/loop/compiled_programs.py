"""Compile programs one after the other in the background.

Compilations that run side by side slow each other down many times over, so there is one thread.
Programs are compiled in the order in which they are needed; those for later stages follow while the
first is in use.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from typing import Any

#: Compiles a program and returns it.
Build = Callable[[], Any]


class Programs:
    """Programs by name, compiled in the order in which they are given."""

    def __init__(self, builds: Mapping[str, Build]) -> None:
        self._futures: dict[str, Future[Any]] = {name: Future() for name in builds}
        self.seconds: dict[str, float] = {}
        self._closing = False
        self._thread = threading.Thread(target=self._work, args=(dict(builds),), daemon=True)
        self._thread.start()

    def _work(self, builds: dict[str, Build]) -> None:
        for name, build in builds.items():
            future = self._futures[name]
            if self._closing:
                future.cancel()
                continue
            begun = time.monotonic()
            try:
                program = build()
            except BaseException as error:
                future.set_exception(error)
            else:
                self.seconds[name] = round(time.monotonic() - begun, 1)
                future.set_result(program)

    def __getitem__(self, name: str) -> Any:
        """The program; waits for its compilation if necessary."""
        return self._futures[name].result()

    def wait_for(self, *names: str) -> None:
        """Wait until these programs are compiled."""
        for name in names:
            self._futures[name].result()

    def ready(self, name: str) -> bool:
        """Whether the program is compiled; raises the error if its compilation failed."""
        future = self._futures[name]
        if not future.done():
            return False
        try:
            future.result()
        except CancelledError:
            return False
        return True

    def close(self, *, wait: bool = True) -> None:
        """Compile nothing more; with ``wait``, return when the thread has ended."""
        self._closing = True
        if wait:
            self._thread.join()
