"""A Markdown file of docs/ as Sphinx reads it.

The files are plain Markdown that a code-hosting site shows as well. Four things differ here: links
to files beside docs/ have no page, fences have marks for the tests, pictures of chapters say how
they are drawn live, and chapters say how to open them live.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from tools.site.addresses import About

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^```(\w+)(?: [^\n]*)?$", re.MULTILINE)
_NO_LANGUAGES = ("output", "transcript", "session", "csv")
#: A page that is made when the site is built, which the source cannot link to.
_GENERATED = re.compile(r"`generated/(\w+)`")
_PICTURE = re.compile(r'(!\[[^\]]*\]\([^)\s]+) "live: [^"]*"\)')
_HEADING = re.compile(r"\A# .*\n", re.MULTILINE)


def as_page(text: str, name: str, docs: Path, about: About) -> str:
    """The text of a page; ``name`` is its path below docs/ without ``.md``."""
    live = bool(_PICTURE.search(text))
    text = _FENCE.sub(_fence, text)
    text = _PICTURE.sub(r"\1)", text)
    text = _LINK.sub(lambda link: _link(link, docs / f"{name}.md", docs, about), text)
    if name == "reference/index":
        text = _GENERATED.sub(r"[\1](generated/\1.md)", text)
    if live:
        chapter = name.rpartition("/")[2]
        note = (
            f"\n:::{{tip}}\nRun `rl-toolkit web` and open"
            f" `http://localhost:5001/learn/theory/{chapter}`: the figures of this chapter are live"
            " there.\n:::\n"
        )
        text = _HEADING.sub(lambda heading: heading[0] + note, text, count=1)
    if name == "learn/README":
        text += _chapters(docs / "learn", text)
    return text


def _chapters(folder: Path, listed: str) -> str:
    """The chapters for the side bar, in the order in which their README links to them."""
    names = [link[2].removesuffix(".md") for link in _LINK.finditer(listed)]
    chapters = dict.fromkeys(name for name in names if (folder / f"{name}.md").is_file())
    return "\n".join(["", "```{toctree}", ":hidden:", "", *chapters, "```", ""])


def _fence(fence: re.Match[str]) -> str:
    """The fence with a language that Sphinx knows; marks for the tests are left out."""
    return "```text" if fence[1] in _NO_LANGUAGES else f"```{fence[1]}"


def _link(link: re.Match[str], page: Path, docs: Path, about: About) -> str:
    """The link itself if it stays in docs/; else the file's address, or its words alone."""
    words, target, anchor = link.groups()
    path = Path(os.path.normpath(page.parent / target))
    if path.parent == docs and path.name != "index.md":
        return words  # a former address, which is no page of the site
    if path.is_relative_to(docs):
        return link[0]
    address = about.file(path.relative_to(docs.parent).as_posix())
    return f"[{words}]({address}{anchor or ''})" if address else words
