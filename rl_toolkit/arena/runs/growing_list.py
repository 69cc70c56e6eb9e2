"""A list as it is now, although it grows later: no copy, however often someone looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar, overload

T = TypeVar("T")


class SoFar(Sequence[T]):
    """The elements that a list has now; later ones are not seen.

    The list may only grow. Results of a run are handed out after every pair of games: with copies
    that would take a time that grows with the square of the number of games.

    >>> numbers = [1, 2]
    >>> before = SoFar(numbers)
    >>> numbers.append(3)
    >>> list(before), len(before), before[-1], before[1:]
    ([1, 2], 2, 2, [2])
    """

    def __init__(self, growing: list[T]) -> None:
        self._growing, self._count = growing, len(growing)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return islice(self._growing, self._count)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self._growing[at] for at in range(*place.indices(self._count))]
        return self._growing[range(self._count)[place]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
