"""Numbers that some files have for every move, as a header: ``move times`` and ``move scores``.

The header has one word for each move, ``-`` where there is no number: ``"0.5 - 12"``. Times are
seconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

TIMES = "move times"
SCORES = "move scores"

_NUMBER = re.compile(r"[+-]?[0-9]{1,12}(\.[0-9]{1,6})?", re.ASCII)


def read_number(text: str) -> Decimal | None:
    """The number that ``text`` writes in digits, ``None`` if it is not one."""
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def plain_number(number: Decimal) -> str:
    """The number without needless zeros.

    >>> plain_number(Decimal("5.40")), plain_number(Decimal("+300"))
    ('5.4', '300')
    """
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("", "-0") else text


def joined(numbers: Sequence[Decimal | None]) -> str:
    """The header for these numbers; empty if there is no number at all."""
    if all(number is None for number in numbers):
        return ""
    return " ".join("-" if number is None else plain_number(number) for number in numbers)


def split(text: str, moves: int) -> list[Decimal | None] | None:
    """The numbers in a header of a game with that many moves; ``None`` if it is another text.

    >>> split("0.5 - 12", 3)
    [Decimal('0.5'), None, Decimal('12')]
    """
    words = text.split(" ") if text else []
    numbers = [None if word == "-" else read_number(word) for word in words]
    return numbers if len(words) == moves and joined(numbers) == text else None
