"""The theory pages: the Markdown of docs/learn, in the order of its README.

There is one copy of it: in the repository docs/learn itself, in an installed package the folder
``docs`` beside this file, which the build fills from docs/learn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).resolve()
_PACKAGED, _REPOSITORY = _HERE.parent / "docs", _HERE.parents[3] / "docs" / "learn"

#: ``| 1 | [Title](file.md) | One sentence. | L04, L05 |``
_ROW = re.compile(r"^\|[^|]*\| \[(.+?)\]\((\w+)\.md\) \| ([^|]*?) \| ?([^|]*?) ?\|$", re.MULTILINE)
#: ``* [Title](file.md): one sentence``
_ITEM = re.compile(r"^[*-] \[(.+?)\]\((\w+)\.md\): (.+(?:\n  .+)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TheoryPage:
    """A theory page.

    Attributes:
        name: as in its address. sentence: what it says, from the list in the README.
        labs: the ids of the labs that belong to it. in_order: whether it is one of the course.
    """

    name: str
    title: str
    sentence: str
    labs: tuple[str, ...]
    in_order: bool
    text: str


@dataclass(frozen=True, slots=True)
class Theory:
    """All theory pages in order, and their pictures by name, such as ``live/cut.svg``."""

    pages: tuple[TheoryPage, ...] = ()
    pictures: tuple[tuple[str, str], ...] = ()

    def page(self, name: str) -> TheoryPage | None:
        """The page of that name."""
        return next((page for page in self.pages if page.name == name), None)

    def picture(self, name: str) -> str | None:
        """The picture of that name, an SVG."""
        return dict(self.pictures).get(name)


@lru_cache(maxsize=1)
def theory() -> Theory:
    """The theory pages; none where the package was installed without them."""
    folder = _PACKAGED if _PACKAGED.is_dir() else _REPOSITORY
    return read_theory(folder)


def read_theory(folder: Path) -> Theory:
    """The pages that the README of a folder lists, and all pictures of the folder."""
    try:
        listed = (folder / "README.md").read_text("utf-8")
    except FileNotFoundError:
        return Theory()
    rows = [(*row, True) for row in _ROW.findall(listed)]
    items = [(title, name, " ".join(text.split()), "", False) for title, name, text in
             _ITEM.findall(listed)]  # fmt: skip
    pages = [
        TheoryPage(
            name,
            title,
            sentence[:1].upper() + sentence[1:],
            tuple(re.findall(r"L\d+", labs)),
            in_order,
            path.read_text("utf-8"),
        )
        for title, name, sentence, labs, in_order in [*rows, *items]
        if (path := folder / f"{name}.md").is_file()
    ]
    images = folder / "images"
    pictures = [
        (path.relative_to(images).as_posix(), path.read_text("utf-8"))
        for path in images.rglob("*.svg")
    ]
    return Theory(tuple(pages), tuple(sorted(pictures)))
