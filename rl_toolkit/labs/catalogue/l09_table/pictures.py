"""The picture of the table lab: the eight images of a board, and the one that stands for all."""

from __future__ import annotations

from rl_toolkit.utils.svg import chart_text, element, picture

_CELL, _GAP, _TOP = 26, 34, 44
_INK, _FAINT, _GOOD = "#0f172a", "#64748b", "#bbf7d0"
_BOARD = "XO......."
_TURN, _MIRROR = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)


def pictures() -> dict[str, str]:
    """File name → SVG."""
    rows = [_turns(_BOARD), _turns(_image(_BOARD, _MIRROR))]
    smallest = min(image for row in rows for image in row)
    size = 3 * _CELL + _GAP
    width, height = 4 * size + _GAP + 80, 2 * (size + 26) + _TOP
    shapes: list[str] = []
    for number, title in enumerate(("as it is", "¼ turn", "½ turn", "¾ turn")):
        middle = 80 + _GAP + number * size + 1.5 * _CELL
        shapes.append(chart_text(middle, 22, title, size=14, colour=_INK))
    for row, images in enumerate(rows):
        top = _TOP + row * (size + 26)
        name = "mirrored" if row else "board"
        shapes.append(chart_text(50, top + 1.5 * _CELL + 5, name, size=14, colour=_INK))
        for number, image in enumerate(images):
            left = 80 + _GAP + number * size
            shapes += _drawn(left, top, image, image == smallest)
            if image == smallest:
                middle = left + 1.5 * _CELL
                label = chart_text(middle, top + 3 * _CELL + 22, "smallest", size=14, colour=_INK)
                shapes.append(label)
    title = "Eight images of one board; the smallest stands for all"
    return {"images.svg": picture(width, height, shapes, title=title)}


def _image(board: str, cells: tuple[int, ...]) -> str:
    return "".join(board[cell] for cell in cells)


def _turns(board: str) -> list[str]:
    images = [board]
    for _ in range(3):
        images.append(_image(images[-1], _TURN))
    return images


def _drawn(left: float, top: float, board: str, is_chosen: bool) -> list[str]:
    shapes: list[str] = []
    for cell, mark in enumerate(board):
        row, col = divmod(cell, 3)
        x, y = left + col * _CELL, top + row * _CELL
        fill = _GOOD if is_chosen else "#f8fafc"
        box = element("rect", x=x, y=y, width=_CELL, height=_CELL, fill=fill, stroke=_FAINT)
        shapes.append(box)
        if mark != ".":
            shapes.append(chart_text(x + _CELL / 2, y + 19, mark, size=16, colour=_INK))
    return shapes
