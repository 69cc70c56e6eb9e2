"""Dates of games as numbers that sort: files write them in several ways, and they stay as written.

SGF has ``2001-02-03``, GGF ``2001.02.03_18:30:00.EST``, others ``2001/2/3``; a part may be missing.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

_DATE = re.compile(r"\s*([0-9]{4})(?:[-./]([0-9]{1,2})(?:[-./]([0-9]{1,2}))?)?(?![0-9])", re.ASCII)
#: A date of a filter.
_ASKED = re.compile("[0-9]{4}(-[0-9]{2}){0,2}", re.ASCII)


@lru_cache(maxsize=1 << 12)
def day_number(text: str | None) -> int:
    """A date as a number that sorts, 0 if it has no year or a day that is not in the calendar.

    >>> day_number("2001"), day_number("2001-02-03"), day_number("2001.2.3_18:30:00.EST")
    (20010000, 20010203, 20010203)
    >>> day_number("last May"), day_number("2001-02-31"), day_number("2001-00")
    (0, 0, 0)
    """
    found = _DATE.match(text or "")
    if found is None:
        return 0
    year, month, day = (None if part is None else int(part) for part in found.groups())
    try:
        date(year or 0, 1 if month is None else month, 1 if day is None else day)
    except ValueError:
        return 0
    year, month, day = year or 0, month or 0, day or 0
    return year * 10_000 + month * 100 + day


def last_number(text: str) -> int:
    """The number of the last day of a year, a month or a day.

    >>> last_number("2001"), last_number("2001-05"), last_number("2001-05-31")
    (20019999, 20010599, 20010531)
    """
    return day_number(text) + {4: 9999, 7: 99}.get(len(text), 0)


def day_text(number: int) -> str | None:
    """The date that `day_number` made a number of.

    >>> day_text(20010000), day_text(20010203), day_text(0)
    ('2001', '2001-02-03', None)
    """
    if number == 0:
        return None
    year, month, day = number // 10_000, number // 100 % 100, number % 100
    return f"{year:04}" + (f"-{month:02}" if month else "") + (f"-{day:02}" if day else "")


def is_date(text: str) -> bool:
    """Whether ``text`` is a year, a month or a day of the calendar, as a filter has it.

    >>> [is_date(text) for text in ("2001", "2001-05", "2001-05-31", "2001-05-32", "2001-5")]
    [True, True, True, False, False]
    """
    return _ASKED.fullmatch(text) is not None and day_number(text) > 0
