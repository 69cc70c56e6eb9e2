"""The picture of the terminal lab: the game loop, with the result below it."""

from __future__ import annotations

from rl_toolkit.utils.svg import chart_text, element, picture

_INK, _LINE, _LOOP, _ASK, _END = "#0f172a", "#64748b", "#dbeafe", "#fef3c7", "#dcfce7"


def pictures() -> dict[str, str]:
    """File name → SVG."""
    return {"loop.svg": _loop()}


def _loop() -> str:
    shapes = [
        _tip(),
        element("rect", x=16, y=84, width=688, height=168, rx=12, fill="#f8fafc", stroke="#cbd5e1"),
        chart_text(
            116, 110, "loop: while nobody has won and a cell is free", size=14, anchor="start"
        ),
        *_box(32, 16, 180, "empty board, X begins", _LOOP),
        *_box(32, 128, 132, "ask", _ASK),
        *_box(216, 128, 132, "a free cell?", _ASK),
        *_box(400, 128, 132, "apply the move", _LOOP),
        *_box(560, 128, 132, "show the board", _LOOP),
        *_box(560, 196, 132, "swap the player", _LOOP),
        *_box(32, 302, 300, "say once: Winner: X, Winner: O or Draw", _END),
        _arrow("M98 60V128"),
        _arrow("M164 150H216"),
        _arrow("M348 150H400"),
        _arrow("M532 150H560"),
        _arrow("M626 172V196"),
        _arrow("M560 230H60V172"),
        _arrow("M282 172V194H132V172"),
        _arrow("M60 252V302"),
        chart_text(372, 142, "yes", size=13),
        chart_text(207, 211, "no: say what is wrong", size=13),
        chart_text(84, 280, "below the loop, not inside it", size=13, anchor="start"),
    ]
    return picture(720, 372, shapes, title="The game loop")


def _box(x: float, y: float, width: float, text: str, fill: str) -> list[str]:
    return [
        element("rect", x=x, y=y, width=width, height=44, rx=8, fill=fill, stroke=_LINE),
        chart_text(x + width / 2, y + 27, text, size=14, colour=_INK),
    ]


def _arrow(path: str) -> str:
    return element(
        "path", d=path, fill="none", stroke=_INK, stroke_width=1.5, marker_end="url(#tip)"
    )


def _tip() -> str:
    """The head of the arrows."""
    shape = element("path", d="M0 0L8 4L0 8Z", fill=_INK)
    marker = element(
        "marker", shape, id="tip", markerWidth=8, markerHeight=8, refX=8, refY=4, orient="auto",
        markerUnits="userSpaceOnUse",
    )  # fmt: skip
    return element("defs", marker)
