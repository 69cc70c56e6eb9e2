"""Pictures one after the other in one SVG document, without a script or a style sheet.

A shape that is in every picture is written once; any other gets an ``animate`` element that shows
it while its pictures last::

    picture   1     2     3 (stays longer)     1     2  …
    shape A   ████████████████████████████     ██████████   in all: plain
    shape B         ██████████████████████           ████   values="hidden;visible"

A program that does not animate shows the last picture.
"""

from __future__ import annotations

from collections.abc import Iterable

from rl_toolkit.utils.svg.canvas import element

#: Seconds that the last picture stays longer than the others.
REST = 2.0

Layers = Iterable[Iterable[str]]


def animated(pictures: Iterable[Layers], seconds: float) -> list[str]:
    """The shapes of all pictures, each shown in its own ones; a picture lasts so many seconds.

    Every picture has the same number of layers, and a later layer covers the earlier ones.

    >>> animated([[["<a/>"], []], [["<a/>"], ["<b/>"]]], 1)[0]
    '<a/>'
    """
    if not seconds > 0:
        raise ValueError(f"a picture must last a positive number of seconds, not {seconds!r}")
    shown: dict[tuple[int, str], list[int]] = {}
    count = 0
    for number, layers in enumerate(pictures):
        count = number + 1
        for depth, layer in enumerate(layers):
            for shape in layer:
                shown.setdefault((depth, shape), []).append(number)
    return [
        shape if len(numbers) == count else _timed(shape, numbers, count, seconds)
        for (_, shape), numbers in sorted(shown.items(), key=lambda entry: entry[0][0])
    ]


def _timed(shape: str, numbers: list[int], count: int, seconds: float) -> str:
    """The shape, visible in these pictures of ``count``."""
    there = set(numbers)
    total = count * seconds + REST
    changes = [k for k in range(count) if k == 0 or (k in there) != (k - 1 in there)]
    named = {True: "visible", False: "hidden"}
    timing = element(
        "animate",
        attributeName="visibility",
        values=";".join(named[k in there] for k in changes),
        keyTimes=";".join(f"{k * seconds / total:.5g}" for k in changes),
        calcMode="discrete",
        dur=f"{total:g}s",
        repeatCount="indefinite",
    )
    return element("g", timing, shape, visibility=named[count - 1 in there])
