"""Names that learning platforms give to what they pack: who handed in, and what.

::

    Moodle   Ada Lovelace_1007_assignsubmission_file_/minimax.py     a folder for each student
             Ada Lovelace_1007_assignsubmission_file_minimax.py      or none
    Canvas   lovelaceada_1234_98765_minimax.py                       files, by user and attachment
             lovelaceada_LATE_1234_98765_minimax-1.py                late; handed in again

Moodle: mod/assign/feedback/file/importziplib.php; since 4.1 the folders have no last underscore.
Canvas: lib/content_zipper.rb. Both read in November 2026 in the public repositories, not tried
against a platform.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

_MOODLE = re.compile(
    r"(?P<name>[^/]+?)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)"
)
_CANVAS = re.compile(
    r"(?P<name>[^\W_]+)(?P<late>_LATE)?_(?P<number>\d+)_(?P<attachment>\d+)_(?P<file>[^/]+)"
)
#: Canvas counts files that were handed in again under one name: ``minimax-1.py``.
_AGAIN = re.compile(r"-\d{1,3}(?=\.[A-Za-z]+$)")

Platform = Literal["moodle", "canvas", "folder", "file"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Who an upload says it is from.

    Attributes:
        platform: who says so; ``file`` is the sender alone, who can write any name.
        name: a name, or what stands for one. number: the platform's number, "" if it has none.
        late: whether the platform calls it late; ``None`` if it does not say.
    """

    platform: Platform
    name: str
    number: str = ""
    late: bool | None = None


def moodle_claim(name: str) -> tuple[Claim, str] | None:
    """The claim in a name of Moodle, and the rest of the name.

    >>> moodle_claim("Ada Lovelace_1007_assignsubmission_file_")
    (Claim(platform='moodle', name='Ada Lovelace', number='1007', late=None), '')
    """
    found = _MOODLE.fullmatch(name)
    if found is None:
        return None
    return Claim("moodle", found["name"], found["number"]), found["file"]


def canvas_claim(name: str) -> tuple[Claim, str] | None:
    """The claim in a name of Canvas, and the name of the file as it was handed in.

    >>> canvas_claim("lovelaceada_LATE_1234_98765_minimax-1.py")
    (Claim(platform='canvas', name='lovelaceada', number='1234', late=True), 'minimax.py')
    """
    found = _CANVAS.fullmatch(name)
    if found is None:
        return None
    file = _AGAIN.sub("", found["file"])
    return Claim("canvas", found["name"], found["number"], bool(found["late"])), file


def packed_by(names: Iterable[str]) -> Platform | None:
    """The platform that packed a folder or zip with these names at its top, if all but few fit."""
    all_names = list(names)
    for platform, claim in (("moodle", moodle_claim), ("canvas", canvas_claim)):
        if all_names and 2 * sum(claim(name) is not None for name in all_names) > len(all_names):
            return platform  # type: ignore[return-value]
    return None
