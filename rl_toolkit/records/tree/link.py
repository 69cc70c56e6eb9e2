"""A tree as short text that may stand in an address as it is.

::

    1~31(55)24             d b (f f) c e: where the game went c, f f was looked at, too

The text is in pre-order. First stands how many signs a move has, and ``~``. A move is its number in
base 65 (``0-9a-zA-Z-_.``); a variation stands in brackets before the move that it replaces, so the
main line reads from left to right. After a move, and at the beginning for the start, may stand

===============  ==========================================================================
``*0`` … ``*f``  a glyph (``! ? !! ?? !? ?!``), then a verdict (``= == ∞ ∞∞ + ++ - -- * **``)
``:c5;``         a mark: ``c`` circle, ``t`` triangle, ``s`` square, ``x`` cross, ``d`` selected
``:a0-2;``       an arrow, ``n`` a line; ``:l5=A;`` a label, its text percent-encoded
``$…$``          a comment, percent-encoded as UTF-8
``!``            the last move of the game as played, where that is not the end of the main line;
                 at the beginning: no move was played
===============  ==========================================================================

in this order. Times, names and reviews are not in a link. The game, the start and the result are
fields of their own in an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote, unquote_to_bytes

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records.errors import RecordError, RecordSyntaxError
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.tree.game_tree import GameTree, Node
from rl_toolkit.records.tree.notes import GLYPHS, VERDICTS, Mark, checked_note
from rl_toolkit.records.tree.variations import MAX_DEPTH
from rl_toolkit.utils import shown

#: What every browser and messenger still takes, with room for the rest of an address.
LONGEST_LINK = 6000

_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_."
_BASE = len(_SIGNS)
_SHAPES = {
    "circle": "c",
    "triangle": "t",
    "square": "s",
    "cross": "x",
    "selected": "d",
    "label": "l",
    "arrow": "a",
    "line": "n",
}
_LETTERS = {letter: shape for shape, letter in _SHAPES.items()}
#: What ``encodeURIComponent`` of browsers leaves as it is, beside letters, digits and ``_.-~``.
_SAFE = "!'()*"
_MARK = re.compile(r":([ctsxdlan])([0-9]{1,6})(?:-([0-9]{1,6}))?(?:=([^;]*))?;", re.ASCII)
_HEAD = re.compile(r"([1-4])~(.*)", re.DOTALL)


def link_text(tree: GameTree) -> str:
    """The tree as text; raises `RecordError` if it is longer than `LONGEST_LINK`."""
    most = max((node.move for node in tree.walk()), default=0)
    width = 1
    while most >= _BASE**width:
        width += 1
    game = [node for node in tree.game if node.played]
    end = game[-1] if game else tree.root
    said = end is not (tree.main[-1] if tree.main else tree.root)
    text = f"{width}~" + "".join(_line(tree.root, width, end if said else None))
    if len(text) > LONGEST_LINK:
        raise RecordError(
            f"this game is too long for a link: {len(text):,} characters, "
            f"and a link has at most {LONGEST_LINK:,}; save it as a file"
        )
    return text


def tree_from_link(about: GameRecord, text: str) -> GameTree:
    """The tree in a text; ``about`` has the game, the start and the players.

    Raises `RecordError` if the text is not a tree of legal moves.
    """
    head = _HEAD.fullmatch(text) if len(text) <= LONGEST_LINK else None
    if head is None:
        raise RecordSyntaxError(f"{shown(text[:40])} is not a game in a link")
    tree = GameTree(
        replace(
            about,
            moves=(),
            comments={},
            notes={},
            analyses=(),
            variations=(),
            result=None,
            ended_by="",
            opening=0,
        )
    )
    end = _Reader(tree, int(head[1]), head[2]).read()
    for node in tree.walk():  # variations stand before the move that they replace
        if node.children:
            node.children.insert(0, node.children.pop())
    if end is None:
        end = tree.main[-1] if tree.main else tree.root
    while end.parent is not None:
        end.played, end = True, end.parent
    if tuple(node.move for node in tree.game if node.played) == tuple(about.moves):
        tree.about = replace(about, comments={}, notes={}, analyses=(), variations=())
    return tree


def _line(root: Node, width: int, end: Node | None) -> Iterator[str]:
    """The text of a node's annotations, and of the line after it."""
    node = root
    yield _annotations(node, end)
    while node.children:
        for other in node.children[1:]:
            yield "(" + _sign(other.move, width)
            yield from _line(other, width, end)
            yield ")"
        node = node.children[0]
        yield _sign(node.move, width) + _annotations(node, end)


def _annotations(node: Node, end: Node | None) -> str:
    note, parts = node.note, []
    if note.glyph:
        parts.append(f"*{_SIGNS[GLYPHS.index(note.glyph)]}")
    if note.verdict:
        parts.append(f"*{_SIGNS[len(GLYPHS) + VERDICTS.index(note.verdict)]}")
    for mark in note.marks:
        to = "" if mark.to is None else f"-{mark.to}"
        label = f"={quote(mark.text, safe=_SAFE)}" if mark.text else ""
        parts.append(f":{_SHAPES[mark.shape]}{mark.cell}{to}{label};")
    if node.comment:
        parts.append(f"${quote(node.comment, safe=_SAFE)}$")
    if node is end:
        parts.append("!")
    return "".join(parts)


def _sign(move: int, width: int) -> str:
    signs = ""
    for _ in range(width):
        move, digit = divmod(move, _BASE)
        signs = _SIGNS[digit] + signs
    return signs


class _Reader:
    """Reads the nodes of a text into an empty tree, and plays every move."""

    def __init__(self, tree: GameTree, width: int, body: str) -> None:
        self.tree, self.width, self.body = tree, width, body
        self.at = 0

    def read(self) -> Node | None:
        """Read all; the last node of the game as played, where the text names it."""
        node, env = self.tree.root, self.tree.about.starting_position()
        begun, end = env.copy(), None
        stack: list[tuple[Node, BaseGameEnv]] = []
        while self.at < len(self.body):
            sign = self.body[self.at]
            if sign == "(":
                if len(stack) >= MAX_DEPTH:
                    raise self._wrong(f"variations are nested deeper than {MAX_DEPTH}")
                stack.append((node, env.copy()))
                self.at += 1
            elif sign == ")":
                if not stack or node is stack[-1][0]:
                    raise self._wrong("this ) closes no variation")
                node, env = stack.pop()
                self.at += 1
            elif sign == "!":
                end = node
                self.at += 1
            elif sign in "*:$":
                self._annotate(node, sign)
            else:
                node = self._move(node, env)
        if stack:
            raise self._wrong("a variation has no )")
        for node in self.tree.walk():
            node.note = checked_note(node.note, begun, "link")
        return end

    def _move(self, node: Node, env: BaseGameEnv) -> Node:
        signs = self.body[self.at : self.at + self.width]
        if len(signs) != self.width or any(sign not in _SIGNS for sign in signs):
            raise self._wrong(f"{shown(signs)} is not a move")
        move = 0
        for sign in signs:
            move = move * _BASE + _SIGNS.index(sign)
        try:
            env.step(move)
        except ValueError as error:
            raise self._wrong(str(error)) from error
        if node.child(move) is not None:
            raise self._wrong(f"{shown(signs)} is there twice")
        child = Node(node, move)
        node.children.append(child)
        self.at += self.width
        return child

    def _annotate(self, node: Node, sign: str) -> None:
        note = node.note
        if sign == "*":
            place = _SIGNS.find(self.body[self.at + 1 : self.at + 2] or "?")
            if not 0 <= place < len(GLYPHS + VERDICTS):
                raise self._wrong("this is not a glyph")
            known = (GLYPHS + VERDICTS)[place]
            kind = {"glyph": known} if place < len(GLYPHS) else {"verdict": known}
            node.note, self.at = replace(note, **kind), self.at + 2  # type: ignore[arg-type]
        elif sign == ":":
            match = _MARK.match(self.body, self.at)
            if match is None:
                raise self._wrong("this is not a mark")
            to = None if match[3] is None else int(match[3])
            mark = Mark(_LETTERS[match[1]], int(match[2]), to, self._decoded(match[4] or ""))
            node.note, self.at = replace(note, marks=(*note.marks, mark)), match.end()
        else:
            end = self.body.find("$", self.at + 1)
            if end < 0:
                raise self._wrong("a comment has no end")
            node.comment = self._decoded(self.body[self.at + 1 : end])
            self.at = end + 1

    def _decoded(self, text: str) -> str:
        try:
            return unquote_to_bytes(text).decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._wrong("this is not UTF-8 text") from error

    def _wrong(self, problem: str) -> RecordSyntaxError:
        return RecordSyntaxError(problem, f"character {self.at + 3} of the link")
