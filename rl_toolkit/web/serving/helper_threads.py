"""`HelperThreads`: the cores besides its own that a search may use, shared fairly among clients."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rl_toolkit.kernels.threads.crew import at_most, cores
from rl_toolkit.web.serving.fair_queue import Client


class HelperThreads:
    """A common budget of threads for all searches of a server, one less than there are cores.

    A search that begins gets its client's share of the budget, as far as it is free: with one
    client all of it, with two at the same time half each. A search without an end leaves half of
    what is free to others. A search that finds none runs alone.
    """

    def __init__(self, helpers: int | None = None) -> None:
        self.helpers = cores() - 1 if helpers is None else helpers
        self._lock = threading.Lock()
        self._searches = Counter[str]()  # running searches by address
        self._taken = Counter[str]()

    @contextmanager
    def for_search(self, client: Client, *, is_endless: bool = False) -> Iterator[int]:
        """Context manager: the threads that a search of ``client`` may use, its own included.

        Engines inside use no more.
        """
        address = client.address
        with self._lock:
            self._searches[address] += 1
            share = self.helpers // len(+self._searches)
            free = self.helpers - self._taken.total()
            taken = max(
                0, min((free + 1) // 2 if is_endless else free, share - self._taken[address])
            )
            self._taken[address] += taken
        try:
            with at_most(1 + taken):
                yield 1 + taken
        finally:
            with self._lock:
                self._searches[address] -= 1
                self._taken[address] -= taken
