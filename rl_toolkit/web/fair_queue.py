"""`FairQueue`: who is next, when clients take turns.

Turns are taken by address first, and among the pages of one address then::

    10.0.0.7   page 1  ▢▢▢      next come   10.0.0.7 page 1
               page 2  ▢                    10.0.0.9
    10.0.0.9           ▢▢                   10.0.0.7 page 2, and so on

so nobody waits for all that one client has asked for, two pages on one machine share its turns
fairly, and whoever makes up names for pages gains nothing over other machines.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
Pages = OrderedDict[str, deque[T]]


class Client(NamedTuple):
    """Who asks: an address, and the name that a page there has given itself."""

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
        """All entries as they will be taken, if nobody else comes."""
        copy: FairQueue[T] = FairQueue()
        for address, pages in self._lines.items():
            copy._lines[address] = OrderedDict((page, deque(line)) for page, line in pages.items())
        return [entry for _ in range(len(self)) if (entry := copy.pop()) is not None]

    def drop(self, unwanted: Callable[[T], bool]) -> list[T]:
        """Take out all entries of which ``unwanted`` says so."""
        dropped: list[T] = []
        for pages in self._lines.values():
            for page, line in pages.items():
                dropped += filter(unwanted, line)
                pages[page] = deque(entry for entry in line if not unwanted(entry))
        self._tidy()
        return dropped

    def make_room(self, client: Client) -> T | None:
        """Take out the newest entry of whoever waits for most; ``None`` if that is ``client``.

        Addresses are compared first, then the pages of the one address that both share. A client
        that would be as greedy with one more entry is refused, not the other.
        """
        lengths = {address: self._waiting(address) for address in self._lines}
        greediest = max(lengths, key=lengths.__getitem__, default=client.address)
        if lengths.get(greediest, 0) <= lengths.get(client.address, 0) + 1:
            greediest = client.address
        pages: Pages[T] = self._lines.get(greediest, OrderedDict())
        page = max(pages, key=lambda name: len(pages[name]), default="")
        mine = len(pages.get(client.page, ())) + 1 if greediest == client.address else 0
        if not pages or len(pages[page]) <= mine:
            return None
        leaving = pages[page].pop()
        self._tidy()
        return leaving

    def _tidy(self) -> None:
        """Forget lines in which nobody stands."""
        for address, pages in list(self._lines.items()):
            for page in [page for page, line in pages.items() if not line]:
                del pages[page]
            if not pages:
                del self._lines[address]

    def _waiting(self, address: str) -> int:
        return sum(map(len, self._lines[address].values()))
