"""The picture of the sheet: one simulation in four phases."""

from __future__ import annotations

from rl_toolkit.utils.svg import chart_text, element, picture

_INK, _PATH, _NEW = "#334155", "#1d4ed8", "#b91c1c"
_WIDTH, _HEIGHT = 190.0, 250.0
#: The nodes of the small tree: where they are drawn, and their parent.
_NODES: dict[str, tuple[float, float, str]] = {
    "root": (95, 50, ""),
    "a": (45, 100, "root"),
    "b": (95, 100, "root"),
    "c": (145, 100, "root"),
    "d": (70, 150, "b"),
    "e": (120, 150, "b"),
    "new": (120, 200, "e"),
}
#: visits and total before the simulation, and after it, for the nodes on the path.
_BEFORE = {"root": "8", "a": "−1/2", "b": "3/4", "c": "0/2", "d": "−1/1", "e": "−1/2"}
_AFTER = {"root": "9", "b": "4/5", "e": "−2/3", "new": "1/1"}


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    parts = []
    for number, name in enumerate(("1 select", "2 expand", "3 play out", "4 back up")):
        parts += _panel(number, name)
    title = "One simulation: walk down, add a node, play a random game, add its result on the way"
    return {"phases.svg": picture(4 * _WIDTH, _HEIGHT, parts, title=title)}


def _panel(number: int, name: str) -> list[str]:
    left = number * _WIDTH
    parts = [chart_text(left + _WIDTH / 2, 20, name, size=15)]
    shown = [node for node in _NODES if node != "new" or number > 0]
    on_path = {0: ["root", "b", "e"], 1: ["new"], 2: [], 3: ["root", "b", "e", "new"]}[number]
    for node in shown:
        x, y, parent = _NODES[node]
        if parent:
            x2, y2, _ = _NODES[parent]
            bold = node in on_path
            parts.append(
                element(
                    "line",
                    x1=left + x2,
                    y1=y2 + 17,
                    x2=left + x,
                    y2=y - 17,
                    stroke=_PATH if bold else _INK,
                    stroke_width=3 if bold else 1,
                )
            )
    for node in shown:
        x, y, _ = _NODES[node]
        colour = _NEW if node == "new" else _PATH if node in on_path else _INK
        parts.append(element("circle", cx=left + x, cy=y, r=17, fill="#f1f5f9", stroke=colour))
        text = (_AFTER if number == 3 and node in _AFTER else _BEFORE).get(node, "")
        parts.append(chart_text(left + x, y + 4, text, size=11))
    if number == 2:
        x, y, _ = _NODES["new"]
        zigzag = f"M {left + x:g} {y + 17:g} l 8 6 l -14 7 l 12 6"
        parts.append(element("path", d=zigzag, fill="none", stroke=_NEW, stroke_width=2))
        parts.append(chart_text(left + x - 50, y + 36, "X wins: +1", size=12))
    return parts
