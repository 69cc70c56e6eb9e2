"""The file of each student's report: readable, and safe whatever the name is."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable


def page_names(students: Iterable[str]) -> dict[str, str]:
    """Name of a student → file name; two names never share one.

    >>> page_names(["Ada L.", "../x"])
    {'Ada L.': 'ada-l-ddd52c.html', '../x': 'x-d6b96a.html'}
    """
    return {name: f"{_slug(name)}-{_mark(name)}.html" for name in students}


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40] or "student"


def _mark(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:6]
