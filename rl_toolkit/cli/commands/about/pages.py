"""The pages of the documentation in the terminal, without a network.

There is one copy of them: in the repository docs/ itself, in an installed package the folder
``docs`` beside this file, which the build fills from docs/; its chapters are those of the web
pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).resolve()
_PACKAGED, _REPOSITORY = _HERE.parent / "docs", _HERE.parents[4] / "docs"
_PACKAGED_CHAPTERS = _HERE.parents[3] / "web" / "learn" / "docs"
#: Pages that list the others of their folder.
_CONTENTS = ("index.md", "README.md")
#: Folder → what its pages are.
KINDS = {
    "start": "Start",
    "howto": "How-to",
    "guides": "Guides",
    "reference": "Reference",
    "explanation": "Explanation",
    "learn": "Chapters",
}


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its topic (the file's name without ``.md``), its kind and its text."""

    topic: str
    kind: str
    path: Path

    @property
    def text(self) -> str:
        """The Markdown of the page."""
        return self.path.read_text("utf-8")

    @property
    def title(self) -> str:
        """The heading of the page."""
        with self.path.open(encoding="utf-8") as file:
            return file.readline().lstrip("# ").strip()


@lru_cache(maxsize=1)
def pages() -> dict[str, Page]:
    """All pages by topic; none where the package was installed without them.

    Those of a kind are in the order in which its contents list them. A chapter with the name of
    another page is called ``learn/NAME``.
    """
    found: dict[str, Page] = {}
    for kind, folder in _folders():
        for path in _in_order(folder):
            if path.name not in _CONTENTS:
                topic = f"{kind}/{path.stem}" if path.stem in found else path.stem
                found[topic] = Page(topic, kind, path)
    return found


def _in_order(folder: Path) -> list[Path]:
    """The pages of a folder: first those that its contents name, in that order."""
    contents = "".join(
        (folder / name).read_text("utf-8") for name in _CONTENTS if (folder / name).is_file()
    )

    def place(path: Path) -> tuple[bool, int, str]:
        named = contents.find(f"({path.name}")
        return named < 0, named, path.name

    return sorted(folder.glob("*.md"), key=place)


def _folders() -> Iterator[tuple[str, Path]]:
    base = _PACKAGED if _PACKAGED.is_dir() else _REPOSITORY
    for kind in KINDS:
        chapters = kind == "learn" and base == _PACKAGED
        yield kind, _PACKAGED_CHAPTERS if chapters else base / kind


def page_named(topic: str) -> Page | None:
    """The page of a topic, of a path such as ``docs/arena.md``, or of a path on the site."""
    name = re.sub(r"^docs/|\.(md|html)$", "", topic.strip().lower().replace(" ", "_"))
    name = name.replace("-", "_")
    known = pages()
    return known.get(name) or known.get(name.rpartition("/")[2])


def as_terminal_text(text: str) -> str:
    """A page for the terminal: no pictures, and links to other pages as topics.

    >>> as_terminal_text("See [the arena](../guides/arena.md#openings) and ![x](y.svg).")
    'See the arena (`rl-toolkit help page arena`) and .'
    >>> as_terminal_text("[Here](#below) or [there](https://example.org).")
    'Here or [there](https://example.org).'
    """
    text = re.sub(r"```\{toctree\}.*?^```\n?", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"^```(\w+)[^\n]*$", r"```\1", text, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]+)\]\((?!https?:)([^)#\s]*)(?:#[^)\s]*)?\)", _as_topic, text)


def _as_topic(link: re.Match[str]) -> str:
    words, target = link.groups()
    name = Path(target)
    if name.suffix == ".md" and name.name not in _CONTENTS and name.stem.islower():
        return f"{words} (`rl-toolkit help page {name.stem}`)"
    return words
