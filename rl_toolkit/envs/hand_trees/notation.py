"""The notation of game trees: a number is a leaf, parentheses hold the children of a node.

::

    (3 12 8) (2 4 6) (14 5 2)      MAX at the root, three MIN nodes, nine leaves
    min (3 5) (2 9)                MIN at the root
    A:(3 12) B:(x:2 4)             nodes and leaves with names
    [[3, 5], [2, 9]]               brackets and commas are read too

One pair of parentheses round everything is the root itself. Nodes without a name get one: A, B, C
below the root, A1, A2 below A, A1a, A1b below A1. `HandTree.text` writes the notation back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from rl_toolkit.envs.errors import GameError
from rl_toolkit.utils import counted, shown

#: The longest text, and the largest tree: nodes, plies, children of one node.
MOST_TEXT, MOST_NODES, MOST_PLIES, MOST_CHILDREN = 4_000, 500, 16, 26
#: The largest leaf; leaves have at most two digits after the point.
MOST_VALUE = 9_999

#: A number, or a list of bushes: a tree as courses write it.
Bush: TypeAlias = "float | Sequence[Bush]"

_TOKEN = re.compile(
    r"(?P<blank>[\s,;]+)"
    r"|(?P<open>[(\[])"
    r"|(?P<close>[)\]])"
    r"|(?P<number>[-+\u2212]?\d+(?:\.\d+)?(?![\w.]))"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]{0,11}\s*:)"
    r"|(?P<side>(?:max|min)(?![\w:]))",
    re.IGNORECASE | re.ASCII,
)
_PAIR = {"(": ")", "[": "]"}


class TreeNotationError(GameError):
    """Text that is not a tree; ``at`` is the place in it, counted from 0, −1 for all of it."""

    def __init__(self, problem: str, at: int = -1) -> None:
        super().__init__(problem if at < 0 else f"character {at + 1}: {problem}")
        self.at = at


@dataclass(frozen=True, slots=True, eq=False)
class HandNode:
    """A node of a tree; it is never changed.

    Attributes:
        number: its place in the order in which plain minimax enters the nodes; the root is 0.
        name: its name, unlike that of any other node; the root has none unless it was given one.
        named: whether the name was typed.
        depth: plies from the root.
        value: the value of a leaf for MAX, ``None`` at an inner node.
        children: the nodes below, in order.
    """

    number: int
    name: str
    named: bool
    depth: int
    value: float | None
    children: tuple[HandNode, ...]

    @property
    def is_leaf(self) -> bool:
        """Whether the game ends here."""
        return self.value is not None

    def walk(self) -> Iterator[HandNode]:
        """This node and all below, in the order of their numbers."""
        yield self
        for child in self.children:
            yield from child.walk()


class HandTree:
    """A tree read from text; ``nodes`` lists its nodes by number."""

    def __init__(self, root: HandNode, max_first: bool) -> None:
        self.root, self.max_first = root, max_first
        self.nodes = tuple(root.walk())

    @property
    def leaves(self) -> list[HandNode]:
        """The leaves from left to right."""
        return [node for node in self.nodes if node.is_leaf]

    @property
    def depth(self) -> int:
        """Plies from the root to the deepest leaf."""
        return max(node.depth for node in self.nodes)

    def is_max(self, node: HandNode) -> bool:
        """Whether MAX is to move at an inner node."""
        return (node.depth % 2 == 0) == self.max_first

    def side(self, node: HandNode) -> str:
        """``MAX`` or ``MIN``."""
        return "MAX" if self.is_max(node) else "MIN"

    def label(self, node: HandNode) -> str:
        """The node's name; ``the root`` if it is the root and has none."""
        return node.name or "the root"

    @cached_property
    def text(self) -> str:
        """The notation, from which `read_tree` makes the same tree."""
        side = "" if self.max_first else "min "
        root = self.root
        if len(root.children) == 1 or root.named:
            return side + _written(root)
        return side + " ".join(map(_written, root.children))

    def bush(self) -> Bush:
        """The tree as nested lists of numbers."""

        def of(node: HandNode) -> Bush:
            return node.value if node.value is not None else [of(child) for child in node.children]

        return of(self.root)

    def below(self, node: HandNode) -> HandTree:
        """The tree below an inner node, with the names that its nodes have here."""
        return _finished(_named_draft(node, {}, is_root=True), self.is_max(node))

    def with_order(self, order: Mapping[int, Sequence[int]]) -> HandTree:
        """The tree with other orders of children; ``order`` has them by the node's number.

        Numbers are given anew, names stay.
        """
        return _finished(_named_draft(self.root, order, is_root=True), self.max_first)

    def __eq__(self, other: object) -> bool:
        """Whether both are written alike."""
        return isinstance(other, HandTree) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<HandTree {self.text}>"


class _Draft:
    """A node while the text is read."""

    def __init__(
        self,
        name: str,
        at: int,
        value: float | None = None,
        children: list[_Draft] | None = None,
        bracket: str = "(",
    ) -> None:
        self.name, self.at, self.value, self.bracket = name, at, value, bracket
        self.children = children or []
        self.named_at = at


def _named_draft(
    node: HandNode, order: Mapping[int, Sequence[int]], *, is_root: bool = False
) -> _Draft:
    children = {child.number: child for child in node.children}
    drafts = [_named_draft(children[number], order) for number in order.get(node.number, children)]
    return _Draft(node.name if node.named or not is_root else "", -1, node.value, drafts)


def read_tree(text: str) -> HandTree:
    """The tree that ``text`` describes; `TreeNotationError` with the place of the mistake.

    >>> read_tree("(3 12 8) (2 4 6) (14 5 2)").nodes[5].name
    'B'
    >>> read_tree("(3 12 8) (2 4 six)")
    Traceback (most recent call last):
    rl_toolkit.envs.hand_trees.notation.TreeNotationError: character 15: 'six' is not a number; \
write leaves as numbers and names with a colon, as in A:(3 5)
    """
    if not isinstance(text, str):
        raise TreeNotationError(f"a tree is text such as (3 5) (2 9), not {shown(text)}")
    if len(text) > MOST_TEXT:
        raise TreeNotationError(f"a tree has at most {MOST_TEXT:,} characters, not {len(text):,}")
    max_first, drafts = _read(text)
    if not drafts:
        raise TreeNotationError("there is no tree here; write for example (3 12 8) (2 4 6)")
    only = drafts[0]
    if len(drafts) == 1 and only.value is not None:
        raise TreeNotationError(
            "one number alone is not a tree; write at least two, as in 3 5", only.at
        )
    root = only if len(drafts) == 1 else _Draft("", 0, None, drafts)
    return _finished(root, max_first)


def tree_of(bush: Bush, *, max_first: bool = True) -> HandTree:
    """The tree of nested lists of numbers, as courses write it.

    Raises `TreeNotationError` for lists that are not a tree.

    >>> tree_of([[3, 5], [2, 9]]).text
    '(3 5) (2 9)'
    """

    def draft(part: Bush) -> _Draft:
        if isinstance(part, (int, float)):
            return _Draft("", -1, float(part) + 0.0)
        return _Draft("", -1, None, [draft(child) for child in part])

    root = draft(bush)
    if root.value is not None:
        raise TreeNotationError("one number alone is not a tree")
    return _finished(root, max_first)


def number_text(value: float) -> str:
    """A leaf as it is written: ``3``, ``-0.5``.

    >>> number_text(3.0), number_text(-0.5)
    ('3', '-0.5')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


# ------------------------------------------------------------------------------- reading


def _read(text: str) -> tuple[bool, list[_Draft]]:
    """Whether MAX is at the root, and the parts of the text that no parentheses hold."""
    max_first = True
    outer = _Draft("", 0)
    open_nodes = [outer]
    name: tuple[str, int] | None = None
    at, nodes = 0, 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _unknown(text, at)
        word, kind = token[0], token.lastgroup
        if kind == "side":
            if outer.children or len(open_nodes) > 1 or name:
                raise TreeNotationError(f"{word} stands only at the beginning", at)
            max_first = word.lower() == "max"
        elif kind == "name":
            name = (_checked_name(word, at, name), at)
        elif kind == "close":
            _close(open_nodes, word, at, name)
        elif kind != "blank":
            nodes += 1
            if nodes > MOST_NODES:
                raise TreeNotationError(f"a tree has at most {MOST_NODES} nodes", at)
            above = open_nodes[-1]
            if len(above.children) >= MOST_CHILDREN:
                raise TreeNotationError(f"a node has at most {MOST_CHILDREN} children", at)
            draft = _Draft(name[0] if name else "", at)
            draft.named_at = name[1] if name else at
            name = None
            above.children.append(draft)
            if kind == "number":
                draft.value = _number(word, at)
            else:
                draft.bracket = word
                open_nodes.append(draft)
                if len(open_nodes) - 1 > MOST_PLIES:
                    raise TreeNotationError(f"a tree has at most {MOST_PLIES} plies", at)
        at = token.end()
    if name:
        raise TreeNotationError(f"the name {name[0]} is followed by nothing", name[1])
    if len(open_nodes) > 1:
        here = open_nodes[-1]
        raise TreeNotationError(f"this {here.bracket!r} is not closed", here.at)
    return max_first, outer.children


def _close(open_nodes: list[_Draft], word: str, at: int, name: tuple[str, int] | None) -> None:
    if name:
        raise TreeNotationError(f"the name {name[0]} is followed by nothing", name[1])
    if len(open_nodes) == 1:
        raise TreeNotationError(f"this {word!r} closes nothing", at)
    here = open_nodes.pop()
    if _PAIR[here.bracket] != word:
        raise TreeNotationError(
            f"this {word!r} cannot close the {here.bracket!r} of character {here.at + 1}", at
        )
    if not here.children:
        raise TreeNotationError("a node needs at least one child between its parentheses", here.at)


def _checked_name(word: str, at: int, waiting: tuple[str, int] | None) -> str:
    name = word[:-1].strip()
    if waiting:
        raise TreeNotationError(f"the name {waiting[0]} is followed by another name", at)
    if name.lower() in ("max", "min"):
        raise TreeNotationError(f"write {name.lower()} without a colon, at the beginning", at)
    return name


def _number(word: str, at: int) -> float:
    plain = word.replace("\u2212", "-")
    if len(plain.partition(".")[2]) > 2:
        raise TreeNotationError("a leaf has at most two digits after the point", at)
    if len(plain) > 9 or abs(float(plain)) > MOST_VALUE:
        raise TreeNotationError(f"a leaf is at most {MOST_VALUE:,} in size", at)
    return float(plain) + 0.0


def _unknown(text: str, at: int) -> TreeNotationError:
    match = re.match(r"[^\s,;()\[\]]+", text[at:])
    word = match[0] if match else text[at]
    return TreeNotationError(
        f"{shown(word)} is not a number; write leaves as numbers and names with a colon, "
        "as in A:(3 5)",
        at,
    )


# ---------------------------------------------------------------------- names and numbers


def _finished(root: _Draft, max_first: bool) -> HandTree:
    """The tree with numbers and names; names that were typed must differ."""
    taken: set[str] = set()
    waiting = [root]
    for draft in waiting:
        waiting += draft.children
        if draft.name in taken:
            raise TreeNotationError(f"there are two nodes named {draft.name}", draft.named_at)
        taken |= {draft.name} - {""}
    count = 0

    def made(draft: _Draft, name: str, depth: int) -> HandNode:
        nonlocal count
        number, count = count, count + 1
        children = tuple(
            made(child, child.name or _free(name if depth else "", place, taken), depth + 1)
            for place, child in enumerate(draft.children)
        )
        return HandNode(number, name, bool(draft.name), depth, draft.value, children)

    return HandTree(made(root, root.name, 0), max_first)


def _free(above: str, place: int, taken: set[str]) -> str:
    """A name for child ``place`` of the node ``above`` that no other node has."""
    if not above:
        name = chr(ord("A") + place)
    elif above[-1].isalpha():
        name = f"{above}{place + 1}"
    else:
        name = f"{above}{chr(ord('a') + place)}"
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _written(node: HandNode) -> str:
    if node.value is not None:
        text = number_text(node.value)
    else:
        text = f"({' '.join(map(_written, node.children))})"
    return f"{node.name}:{text}" if node.named else text


def described(tree: HandTree) -> str:
    """The tree as indented lines; a node whose children are all leaves takes one line.

    >>> print(described(read_tree("(3 5) (2 9)")))
    MAX
      A MIN: A1 = 3, A2 = 5
      B MIN: B1 = 2, B2 = 9
    """
    lines: list[str] = []

    def walk(node: HandNode) -> None:
        indent, name = "  " * node.depth, f"{node.name} " if node.name else ""
        if node.value is not None:
            lines.append(f"{indent}{node.name} = {number_text(node.value)}")
        elif all(child.is_leaf for child in node.children):
            leaves = (f"{c.name} = {number_text(c.value or 0.0)}" for c in node.children)
            lines.append(f"{indent}{name}{tree.side(node)}: {', '.join(leaves)}")
        else:
            lines.append(f"{indent}{name}{tree.side(node)}")
            for child in node.children:
                walk(child)

    walk(tree.root)
    return "\n".join(lines)


def size_of(tree: HandTree) -> str:
    """``13 nodes, 9 leaves, 2 plies``."""
    plies = "1 ply" if tree.depth == 1 else f"{tree.depth} plies"
    leaves = counted(len(tree.leaves), "leaf").replace("leafs", "leaves")
    return f"{len(tree.nodes)} nodes, {leaves}, {plies}"
