"""Chapters: theory pages whose figures are live, written in plain CommonMark.

A chapter reads well on any site. What makes it live stands in comments and in the titles of
pictures, which other sites do not show::

    ![A tree of nine leaves](images/live/tree.svg "live: tree tree='(3 12 8) (2 4 6)'")

    It reads 7<!--= leaves --> of 9<!--= all --> leaves.      a number that the figure computes
    Let c be 1.41<!--~ c 0 4 0.01 -->.                        a number to drag: from, to, step
    See [the cut](#this-section "at=cut").                     a link that shows a moment
    <!-- scene: at=cut -->                                     the next block speaks of this state
    <!-- ask: at=end -->                                       a question; its answer shows this
    <!-- guess: at=end -->                                     one that nobody can work out
    - 7 <!--? leaves == 7 -->                                  an answer, and when it is right
    At 4 it is read<!--! tree='(3 8) (4 6)': seen.B2 -->.     a claim that only the tests see

A section (``##``) has one figure at most. A question ends with ``<details>`` … ``</details>``.
Other HTML is refused: `ValueError`. A number belongs to the scene of its own block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape

from markdown_it.token import Token
from markupsafe import Markup

from rl_toolkit.web.learn.markdown import Renderer

_BLOCK = re.compile(r"<!--\s*(scene|ask|guess):\s*(.*?)\s*-->", re.DOTALL)
_INLINE = re.compile(r"<!--\s*([=~?!])\s*(.*?)\s*-->", re.DOTALL)
_ANSWER = re.compile(r"<details>\s*<summary>([^<]*)</summary>")
_PAIR = re.compile(r"([\w-]+)=('[^']*'|\S+)")
#: A number, infinity or a word at the end of a text: what a comment behind it speaks of.
_VALUE = re.compile(r"(?:[+\u2212]?\d[\d,]*(?:\.\d+)?(?: ?%)?|[+\u2212]∞|\w+)$")
_POWER = re.compile(r"\^(⌈[^⌉]*⌉|⌊[^⌋]*⌋)")
_LIVE = "live:"


@dataclass(frozen=True, slots=True)
class Claim:
    """A number, an answer or a hidden sentence that the figure of its section must agree with.

    Attributes:
        mark: ``=`` a number, ``~`` a number to drag, ``?`` an answer, ``!`` a hidden claim.
        expression: what is claimed, over the facts of the figure.
        written: the text beside it. at: the changes to the figure's start for which it is said.
        question: the number of the question that an answer belongs to, from 1 in each section.
    """

    mark: str
    expression: str
    written: str
    at: str
    question: int = 0


@dataclass(slots=True)
class Part:
    """A section: its text, and the kind, start, description and still picture of its figure."""

    heading: str = ""
    html: Markup = field(default_factory=Markup)
    figure: str = ""
    start: dict[str, str] = field(default_factory=dict)
    alt: str = ""
    still: str = ""
    claims: list[Claim] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its head as HTML, and its sections."""

    head: Markup
    parts: tuple[Part, ...]


def is_chapter(text: str) -> bool:
    """Whether a theory page has a live figure."""
    return f'"{_LIVE} ' in text


def pairs(text: str) -> dict[str, str]:
    """The changes of a scene: ``at=cut tree='(3 8) (4 6)'``."""
    return {name: value.strip("'") for name, value in _PAIR.findall(text)}


class ChapterReader(Renderer):
    """Reads chapters; ``ValueError`` for a comment or HTML that means nothing."""

    takes_html = True

    def chapter(self, text: str) -> Chapter:
        """The chapter that this text is."""
        head, *sections = _sections(self._read(text))
        return Chapter(Markup(self._written(head)), tuple(map(self._section, sections)))

    def _section(self, tokens: list[Token]) -> Part:
        part = Part(heading=tokens[1].content)
        html = self._written(list(_Section(part).tokens(tokens)))
        part.html = Markup(_POWER.sub(r"<sup>\1</sup>", html))
        return part


def _sections(tokens: Iterable[Token]) -> list[list[Token]]:
    """The tokens before the first heading of the second level, and those of each section."""
    found: list[list[Token]] = [[]]
    for token in tokens:
        if token.type == "heading_open" and token.tag == "h2":
            found.append([])
        found[-1].append(token)
    return found


class _Section:
    """Turns the tokens of one section into those of the live page, and notes its claims."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._at = ""  # the scene of the block at hand, or that of the question's answer
        self._is_asked = False
        self._questions = 0
        self._item: Token | None = None  # the item of a list that is open
        self._waiting: dict[str, str | int | float] = {}  # attributes for the next block

    def tokens(self, tokens: list[Token]) -> Iterator[Token]:
        skipped = 0
        for place, token in enumerate(tokens):
            if skipped:
                skipped -= 1
            elif token.type == "html_block":
                yield from self._block(token.content.strip())
            elif token.type == "paragraph_open" and self._is_figure(tokens[place + 1]):
                skipped = 2  # the picture and the end of its paragraph
            else:
                if token.nesting == 1 and token.level == 0:
                    if not (self._waiting or self._is_asked):
                        self._at = ""  # a block without a scene speaks of the figure as it starts
                    token.attrs |= self._waiting
                    self._waiting = {}
                if token.type == "list_item_open":
                    self._item = token
                if token.children is not None:
                    token.children = self._inline(token.children)
                yield token

    def _block(self, content: str) -> Iterator[Token]:
        comment, answer = _BLOCK.fullmatch(content), _ANSWER.fullmatch(content)
        if comment is not None and comment[1] != "scene":
            self._at, self._is_asked = comment[2], True
            self._questions += 1
            kind = "ask is-guess" if comment[1] == "guess" else "ask"
            yield _raw(f'<div class="{kind}" data-then="{escape(comment[2])}">\n')
        elif comment is not None:
            self._at = comment[2]
            self._waiting = {"data-scene": comment[2]}
        elif answer is not None and self._is_asked:
            yield _raw(f"<details><summary>{escape(answer[1])}</summary>\n")
        elif content == "</details>" and self._is_asked:
            self._is_asked = False
            yield _raw("</details></div>\n")
        else:
            raise ValueError(f"this comment or HTML means nothing in a chapter: {content!r}")

    def _is_figure(self, inline: Token) -> bool:
        """Whether a paragraph is the live figure, which then is noted."""
        children = inline.children or []
        title = str(children[0].attrs.get("title", "")) if len(children) == 1 else ""
        if not title.startswith(_LIVE):
            return False
        if self._part.figure:
            raise ValueError(f"the section {self._part.heading!r} has two live figures")
        kind, _, rest = title.removeprefix(_LIVE).strip().partition(" ")
        self._part.figure, self._part.start = kind, pairs(rest)
        self._part.alt, self._part.still = children[0].content, str(children[0].attrs["src"])
        return True

    def _inline(self, children: list[Token]) -> list[Token]:
        made: list[Token] = []
        for token in children:
            if token.type == "link_open" and "title" in token.attrs:
                token.attrs["data-show"] = token.attrs.pop("title")
            if token.type != "html_inline":
                made.append(token)
                continue
            comment = _INLINE.fullmatch(token.content)
            if comment is None:
                raise ValueError(f"this HTML means nothing in a chapter: {token.content!r}")
            mark, expression = comment[1], comment[2]
            if mark == "!":
                scene, colon, claim = expression.rpartition(": ")
                at = scene if colon else self._at
                self._part.claims.append(Claim("!", claim, "", at))
            elif mark == "?":
                if self._item is None or not self._is_asked:
                    raise ValueError(f"this answer is not in the list of a question: {expression}")
                self._item.attrs |= {"data-right": expression, "data-at": self._at}
                written = "".join(each.content for each in made).strip()
                self._note(mark, expression, written)
            else:
                made += self._bound(mark, expression, made.pop() if made else None)
        return made

    def _bound(self, mark: str, expression: str, before: Token | None) -> list[Token]:
        """The text before a comment, with the number at its end bound to the figure."""
        value = None if before is None else _VALUE.search(before.content)
        if before is None or before.type != "text" or value is None:
            raise ValueError(f"there is no number before this comment: {expression}")
        self._note(mark, expression, value[0])
        name = "data-is" if mark == "=" else "data-scrub"
        shown = (
            f'<span {name}="{escape(expression)}" data-at="{escape(self._at)}">'
            f"{escape(value[0])}</span>"
        )
        text = Token("text", "", 0, content=before.content[: value.start()])
        return [text, Token("html_inline", "", 0, content=shown)]

    def _note(self, mark: str, expression: str, written: str) -> None:
        question = self._questions if mark == "?" else 0
        self._part.claims.append(Claim(mark, expression, written, self._at, question))


def _raw(html: str) -> Token:
    return Token("html_block", "", 0, content=html)
