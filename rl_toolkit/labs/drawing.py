"""Boards and trees as text and as SVG, for sheets and for failing cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from rl_toolkit.labs.model.positions import LabBoard, start_of
from rl_toolkit.utils.board_viz import render_board_ascii, render_board_plain, render_board_svg

_MOST_BOXED = 5

Tree = Any
"""A tree: a number (a leaf), or a list of trees."""


def board_text(position: LabBoard) -> str:
    """The board as text, with the side to move below unless nobody can tell."""
    rows = [
        list(position.cells[r * position.cols : (r + 1) * position.cols])
        for r in range(position.rows)
    ]
    row_one_at = start_of(position.game).traits.row_one_at
    if position.cols <= _MOST_BOXED:
        return render_board_ascii(rows, row_one_at=row_one_at)
    return render_board_plain(rows, row_one_at)


def board_svg(
    position: LabBoard,
    *,
    best: Iterable[int] = (),
    last: int | None = None,
    labels: Mapping[int, str] | None = None,
    heat: Mapping[int, float] | None = None,
    line: Iterable[int] = (),
    title: str = "",
    size: int = 280,
) -> str:
    """The board as a picture: dots on the ``best`` cells, short texts in cells, a winning line."""
    rows = [
        list(position.cells[r * position.cols : (r + 1) * position.cols])
        for r in range(position.rows)
    ]
    traits = start_of(position.game).traits
    mover = traits.side(position.mover)
    return render_board_svg(
        rows,
        style=traits.style,
        colours=traits.piece_colours,
        row_one_at=traits.row_one_at,
        last_move=position.last if last is None else last,
        legal_moves=list(best) or None,
        winning_line=list(line) or None,
        labels=labels,
        heat=heat,
        title=title or f"{traits.title}, {mover} to move",
        size=size,
    )


# ------------------------------------------------------------------------------ trees

_WIDTH, _HEIGHT, _R = 46, 62, 15


def tree_svg(
    tree: Tree,
    *,
    max_first: bool = True,
    values: bool = True,
    unseen: Sequence[Sequence[int]] = (),
    names: Mapping[tuple[int, ...], str] | None = None,
    title: str = "A game tree",
) -> str:
    """A game tree: MAX as triangles pointing up, MIN pointing down, leaves as boxes.

    ``values`` writes the minimax value into each node. ``unseen`` are paths (child numbers from the
    root) of branches drawn dashed, as alpha-beta leaves them out: they do not count in the value of
    a node above them. ``names`` are texts beside nodes.
    """
    drawing = _TreeDrawing(max_first, values, [tuple(path) for path in unseen], dict(names or {}))
    width = drawing.place(tree, ())[1]
    height = (_depth(tree) + 1) * _HEIGHT
    body = "".join([*drawing.lines, *drawing.nodes])
    wide = max(width, 2 * _WIDTH)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {height:g}" '
        f'width="{wide:g}" height="{height:g}" role="img" font-family="system-ui, sans-serif" '
        f'font-size="13"><title>{escape(title)}</title>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{body}</svg>'
    )


def tree_text(tree: Tree, max_first: bool = True) -> str:
    """A game tree as indented lines: whose move, its value, its children."""
    lines: list[str] = []

    def walk(node: Tree, is_max: bool, depth: int) -> None:
        if isinstance(node, list):
            lines.append(f"{'  ' * depth}{'MAX' if is_max else 'MIN'} {_value(node, is_max):+g}")
            for child in node:
                walk(child, not is_max, depth + 1)
        else:
            lines.append(f"{'  ' * depth}{node:+g}")

    walk(tree, max_first, 0)
    return "\n".join(lines)


class _TreeDrawing:
    def __init__(
        self,
        max_first: bool,
        values: bool,
        unseen: list[tuple[int, ...]],
        names: dict[tuple[int, ...], str],
    ) -> None:
        self._max_first, self._values, self._unseen, self._names = max_first, values, unseen, names
        self._next = _WIDTH / 2
        self.lines: list[str] = []
        self.nodes: list[str] = []

    def place(self, node: Tree, path: tuple[int, ...]) -> tuple[float, float]:
        """Draw a node and what is below it; return its place and the width so far."""
        y = (len(path) + 0.5) * _HEIGHT
        if isinstance(node, list):
            xs = [self.place(child, (*path, number))[0] for number, child in enumerate(node)]
            x = (xs[0] + xs[-1]) / 2
            for number, below in enumerate(xs):
                self._edge(x, y, below, y + _HEIGHT, (*path, number))
        else:
            x = self._next
            self._next += _WIDTH
        self._node(node, x, y, path)
        return x, self._next - _WIDTH / 2

    def _is_unseen(self, path: tuple[int, ...]) -> bool:
        return any(path[: len(cut)] == cut for cut in self._unseen)

    def _edge(self, x: float, y: float, x2: float, y2: float, path: tuple[int, ...]) -> None:
        dashed = ' stroke-dasharray="4 4" stroke="#b91c1c"' if self._is_unseen(path) else ""
        stroke = "" if dashed else ' stroke="#64748b"'
        self.lines.append(
            f'<line x1="{x:g}" y1="{y + _R:g}" x2="{x2:g}" y2="{y2 - _R:g}"{stroke}{dashed}/>'
        )

    def _seen(self, node: Tree, is_max: bool, path: tuple[int, ...]) -> str:
        """The value of what a search has seen of a node; nothing if it has seen nothing."""
        seen = self._seen_part(node, path)
        return "" if seen == [] else f"{_value(seen, is_max):g}"

    def _seen_part(self, node: Tree, path: tuple[int, ...]) -> Tree:
        if self._is_unseen(path):
            return []
        if not isinstance(node, list):
            return node
        parts = [self._seen_part(child, (*path, number)) for number, child in enumerate(node)]
        return [part for part in parts if part != []]

    def _node(self, node: Tree, x: float, y: float, path: tuple[int, ...]) -> None:
        is_max = (len(path) % 2 == 0) == self._max_first
        is_leaf = not isinstance(node, list)
        colour = "#e2e8f0" if is_leaf else "#bfdbfe" if is_max else "#fed7aa"
        if self._is_unseen(path):
            colour = "#ffffff"
        stroke = f'fill="{colour}" stroke="#334155"'
        if is_leaf:
            shape = f'<rect x="{x - 13:g}" y="{y - 13:g}" width="26" height="26" rx="3" {stroke}/>'
        else:
            tip, base = (y - _R - 3, y + _R) if is_max else (y + _R + 3, y - _R)
            points = f"{x:g},{tip:g} {x - 21:g},{base:g} {x + 21:g},{base:g}"
            shape = f'<polygon points="{points}" {stroke}/>'
        text = f"{node:g}" if is_leaf else self._seen(node, is_max, path) if self._values else ""
        shift = 0 if is_leaf else 5 if is_max else -5
        self.nodes.append(
            shape + f'<text x="{x:g}" y="{y + 5 + shift:g}" text-anchor="middle" '
            f'fill="#0f172a">{escape(text.replace("-", "−"))}</text>'
        )
        if path in self._names:
            self.nodes.append(
                f'<text x="{x + 20:g}" y="{y - 12:g}" fill="#0f172a" font-weight="600">'
                f"{escape(self._names[path])}</text>"
            )


def _depth(tree: Tree) -> int:
    return 1 + max(map(_depth, tree)) if isinstance(tree, list) else 0


def _value(tree: Tree, is_max: bool) -> float:
    if not isinstance(tree, list):
        return float(tree)
    values = [_value(child, not is_max) for child in tree]
    return max(values) if is_max else min(values)
