"""Sheets and theory pages as HTML: the same Markdown that people read on disk.

HTML in the text is shown, not used. Links and pictures lead to addresses of this server; where
there is none, a link is plain text. No attribute ``style``: the pages forbid it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token


class Picture(NamedTuple):
    """A picture: its address, and its SVG."""

    address: str
    svg: str

    def attributes(self) -> dict[str, str | int | float]:
        """The attributes of the image; its size, so that nothing moves when it has been loaded."""
        match = _SIZE.search(self.svg)
        size = {} if match is None else {"width": match[1], "height": match[2]}
        return {"src": self.address, **size}


#: From the target of a link to an address of this server, ``None`` if there is none.
Resolve = Callable[[str], str | None]

_SIZE = re.compile(r'<svg[^>]* width="(\d+)[\d.]*" height="(\d+)')
_LAB = re.compile(r"\bL[0-9]{2,3}\b")
_NOT_IN_SLUGS = re.compile(r"[^\w\- ]")
#: How texts that are also read elsewhere name a page of this server.
_THIS_SERVER = "http://localhost:5001"
#: What the ids of headings begin with: those of the page itself do not.
_OURS = "at-"


class Renderer:
    """Renders Markdown.

    Args:
        link, picture: where links to other files and pictures lead.
        lab: where a lab leads that the text names, such as L05.
    """

    #: Whether HTML in the text is read as such; if not it is shown.
    takes_html = False

    def __init__(
        self, link: Resolve, picture: Callable[[str], Picture | None], lab: Resolve
    ) -> None:
        self._link, self._picture, self._lab = link, picture, lab
        self._reader = MarkdownIt("commonmark", {"html": self.takes_html}).enable("table")

    def html(self, text: str) -> str:
        """The text as HTML."""
        return self._written(self._read(text))

    def _read(self, text: str) -> list[Token]:
        """The text as tokens, with addresses of this server."""
        tokens = self._reader.parse(text)
        _give_ids(tokens)
        for token in tokens:
            _without_style(token)
            if token.type in ("fence", "code_block"):
                _mark_code(token)
            elif token.children is not None:
                token.children = list(self._inline(token.children))
        return tokens

    def _written(self, tokens: list[Token]) -> str:
        html = str(self._reader.renderer.render(tokens, self._reader.options, {}))
        return html.replace("<table>", '<div class="scroller"><table>').replace(
            "</table>", "</table></div>"
        )

    def _inline(self, children: Iterable[Token]) -> Iterator[Token]:
        """The inline tokens with addresses of this server; links without one lose their frame."""
        open_links: list[bool] = []
        for token in children:
            if token.type == "link_open":
                address = self._address(str(token.attrs["href"]))
                open_links.append(address is not None)
                if address is not None:
                    token.attrs["href"] = address
                    yield token
            elif token.type == "link_close":
                if open_links.pop():
                    yield token
            elif token.type == "image":
                picture = self._picture(str(token.attrs["src"]))
                if picture is not None:
                    token.attrs |= picture.attributes()
                    yield token
            elif token.type == "text" and not open_links:
                yield from self._with_labs(token)
            else:
                yield token

    def _address(self, target: str) -> str | None:
        """Where a link leads: another site, or a page of this server, at one of its headings."""
        target = target.removeprefix(_THIS_SERVER)
        if target.startswith(("https://", "/theatre/")):
            return target
        page, mark, heading = target.partition("#")
        address = self._link(page) if page else ""
        return None if address is None else f"{address}{mark}{_OURS if mark else ''}{heading}"

    def _with_labs(self, token: Token) -> Iterator[Token]:
        """The text with links to the labs that it names."""
        begun = 0
        for match in _LAB.finditer(token.content):
            address = self._lab(match[0])
            if address is None:
                continue
            yield Token("text", "", 0, content=token.content[begun : match.start()])
            yield Token("link_open", "a", 1, attrs={"href": address})
            yield Token("text", "", 0, content=match[0])
            yield Token("link_close", "a", -1)
            begun = match.end()
        yield Token("text", "", 0, content=token.content[begun:])


def _give_ids(tokens: list[Token]) -> None:
    """Give headings the ids that links inside the Markdown expect."""
    seen: Counter[str] = Counter()
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            text = "".join(each.content for each in inside.children or ())
            slug = _OURS + _NOT_IN_SLUGS.sub("", text.lower()).strip().replace(" ", "-")
            seen[slug] += 1
            token.attrs["id"] = slug if seen[slug] == 1 else f"{slug}-{seen[slug] - 1}"


def _without_style(token: Token) -> None:
    """Name the alignment of a cell by a class."""
    style = str(token.attrs.pop("style", ""))
    if style.startswith("text-align:"):
        token.attrs["class"] = style.removeprefix("text-align:")


def _mark_code(token: Token) -> None:
    """Let the class of a block say only what it is; blocks wider than the page can be scrolled."""
    kind = token.info.split()[0] if token.info.split() else ""
    token.type, token.info = "fence", kind if kind.isalpha() else ""
