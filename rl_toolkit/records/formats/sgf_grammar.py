"""The grammar of SGF (FF[4]): collections of trees of nodes with properties.

::

    (;GM[4]SZ[15];B[hh];W[ig](;B[ii])(;B[gg]C[better]))
     root         move  move  main    variation

Only syntax: what the properties mean is in `sgf`. The reader has no recursion, so that depth costs
nothing; text stays escaped until `text_of` is asked for it.
"""

from __future__ import annotations

import re
from bisect import bisect_right as bisect
from collections.abc import Iterable
from dataclasses import dataclass, field

from rl_toolkit.records.errors import RecordSyntaxError
from rl_toolkit.utils import shown

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,64})|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
#: Encodings that files name; in any other file bytes that are not UTF-8 are Latin-1.
_ENCODINGS = ("gb2312", "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "koi8-r")


@dataclass(slots=True)
class Node:
    """One node: its properties as written, the line it stands on, and what follows it."""

    line: int
    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def first(self, name: str) -> str | None:
        """The text of a property, ``None`` if the node does not have it."""
        values = self.properties.get(name)
        return None if not values else text_of(values[0])


def decode(data: bytes) -> str:
    """The text of a file: UTF-8, or the encoding that the file names."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        named = re.search(rb"CA\s*\[\s*([A-Za-z0-9_-]{1,20})\s*\]", data)
        name = named[1].decode().lower() if named else ""
        if name in _ENCODINGS:
            return data.decode(name, errors="replace")
        return data.decode("latin-1")


def parse(text: str) -> list[Node]:
    """The root of every tree; raises `RecordSyntaxError` with the number of the line."""
    roots: list[Node] = []
    branches: list[Node | None] = []  # where each open parenthesis began
    node: Node | None = None
    name: str | None = None
    position = 0
    ends = [match.start() for match in re.finditer("\n", text)]

    def wrong(problem: str) -> RecordSyntaxError:
        begin = len(text) - len(text[position:].lstrip())
        return RecordSyntaxError(problem, f"line {bisect(ends, begin - 1) + 1}")

    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            rest = text[position:].lstrip()
            if not rest:
                break
            if rest[0] == "[":
                raise wrong("a value that begins with [ has no ]")
            raise wrong(f"{shown(rest[:12])} is not SGF")
        mark, ident, value = token.groups()
        if mark == "(":
            if branches and node is None:
                raise wrong("a tree has no node before its first branch")
            branches.append(node)
            name = None
        elif mark == ")":
            if not branches:
                raise wrong("this ) closes nothing")
            if node is branches[-1]:
                raise wrong("a tree has no node")
            node, name = branches.pop(), None
        elif mark == ";":
            if not branches:
                raise wrong("a node is not in a tree: ( is missing")
            new = Node(bisect(ends, token.end() - 1) + 1)
            (roots if node is None else node.children).append(new)
            node, name = new, None
        elif node is None or node is branches[-1]:
            raise wrong(f"{shown(token[0].strip()[:12])} is not in a node: ; is missing")
        elif ident is not None:
            # Older files mix lower-case letters into the names of properties: they do not count.
            name = "".join(filter(str.isupper, ident))
            if not name or text[token.end() : token.end() + 64].lstrip()[:1] not in ("[", ""):
                raise wrong(f"{shown(ident)} is not a property with a value")
            if name in node.properties:
                raise wrong(f"the property {name} appears twice in one node")
            node.properties[name] = []
        elif name is None:
            raise wrong(f"the value {shown(value[:12])} has no property")
        else:
            node.properties[name].append(value)
        position = token.end()
    if branches:
        raise wrong("the file ends inside a tree: ) is missing")
    if not roots:
        raise wrong("there is no game: an SGF file begins with (;")
    return roots


def text_of(value: str) -> str:
    """A value without the backslashes that escape; one before a line end removes it."""
    return _ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)


def pair_of(value: str) -> tuple[str, str] | None:
    """The two texts of a composed value ``name:text``, ``None`` without a colon."""
    match = re.match(r"((?:[^\\:]|\\.)*):(.*)", value, re.DOTALL)
    return None if match is None else (text_of(match[1]), text_of(match[2]))


def property_text(name: str, *values: str) -> str:
    """A property as written; the values are escaped."""
    return name + "".join(f"[{escape(value)}]" for value in values)


def escape(text: str) -> str:
    """``text`` as a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def pair_text(first: str, second: str) -> str:
    """Two texts as a composed value, with its brackets."""
    return f"[{escape(first).replace(':', chr(92) + ':')}:{escape(second)}]"


def node_text(properties: Iterable[str]) -> str:
    """A node as written."""
    return ";" + "".join(properties)
