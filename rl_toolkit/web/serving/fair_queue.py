"""`FairQueue`: a queue in which clients take turns.

Addresses take turns, and so do the pages of one address::

    10.0.0.7   page 1  ▢▢▢      next come   10.0.0.7 page 1
               page 2  ▢                    10.0.0.9
    10.0.0.9           ▢▢                   10.0.0.7 page 2, and so on

so a client never waits for all requests of another one, two pages on one machine share its turns
fairly, and a client that invents names for pages gains nothing over other machines.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
Pages = OrderedDict[str, deque[T]]


class Client(NamedTuple):
    """An address, and the name that a page there has chosen."""

    address: str
    page: str = ""


class FairQueue(Generic[T]):
    """Entries of clients in the order in which they will be taken. Not safe for threads."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, Pages[T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(len(line) for pages in self._lines.values() for line in pages.values())

    def push(self, client: Client, entry: T) -> None:
        """Add an entry at the end of its client's line."""
        pages = self._lines.setdefault(client.address, OrderedDict())
        pages.setdefault(client.page, deque()).append(entry)

    def pop(self) -> T | None:
        """The entry whose turn it is; its page and its address go to the back."""
        if not self._lines:
            return None
        address, pages = self._lines.popitem(last=False)
        page, line = pages.popitem(last=False)
        entry = line.popleft()
        if line:
            pages[page] = line
        if pages:
            self._lines[address] = pages
        return entry

    def order(self) -> list[T]:
        """All entries in the order in which they will be taken, unless more are added."""
        copy: FairQueue[T] = FairQueue()
        for address, pages in self._lines.items():
            copy._lines[address] = OrderedDict((page, deque(line)) for page, line in pages.items())
        return [entry for _ in range(len(self)) if (entry := copy.pop()) is not None]

    def drop(self, unwanted: Callable[[T], bool]) -> list[T]:
        """Take out all entries for which ``unwanted`` is true."""
        dropped: list[T] = []
        for pages in self._lines.values():
            for page, line in pages.items():
                dropped += filter(unwanted, line)
                pages[page] = deque(entry for entry in line if not unwanted(entry))
        self._tidy()
        return dropped

    def make_room(self, client: Client) -> T | None:
        """Take out the newest entry of the longest line; ``None`` if that is ``client``'s own.

        Addresses are compared first, then the pages of the address that both share. A client whose
        line would be as long with one more entry is refused, not the other.
        """
        lengths = {address: self._waiting(address) for address in self._lines}
        longest = max(lengths, key=lengths.__getitem__, default=client.address)
        if lengths.get(longest, 0) <= lengths.get(client.address, 0) + 1:
            longest = client.address
        pages: Pages[T] = self._lines.get(longest, OrderedDict())
        page = max(pages, key=lambda name: len(pages[name]), default="")
        mine = len(pages.get(client.page, ())) + 1 if longest == client.address else 0
        if not pages or len(pages[page]) <= mine:
            return None
        leaving = pages[page].pop()
        self._tidy()
        return leaving

    def _tidy(self) -> None:
        """Forget empty lines."""
        for address, pages in list(self._lines.items()):
            for page in [page for page, line in pages.items() if not line]:
                del pages[page]
            if not pages:
                del self._lines[address]

    def _waiting(self, address: str) -> int:
        return sum(map(len, self._lines[address].values()))
