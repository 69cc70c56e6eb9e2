"""A board as an SVG picture, made by one pure function.

The picture is self-contained: no external fonts, styles or scripts, and colours as plain
attributes, so it can be saved, mailed, or put into a page without affecting anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from numbers import Integral, Real

from rl_toolkit.utils.board_viz import Board2D, RowOneAt, read_board
from rl_toolkit.utils.messages import counted
from rl_toolkit.utils.position_utils import (
    column_letters,
    index_to_algebraic,
    index_to_tuple,
    tuple_to_index,
)
from rl_toolkit.utils.svg.animation import animated
from rl_toolkit.utils.svg.canvas import Canvas, centred_text, element, escaped
from rl_toolkit.utils.svg.overlays import arrow_shapes, badge_shapes, mark_shapes
from rl_toolkit.utils.svg.palettes import COLOURS, ThemeName
from rl_toolkit.utils.svg.styles import STYLES, Style, StyleName

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_MARKS: dict[ThemeName, str] = {"light": "#c026d3", "dark": "#f0abfc"}  # unlike boards and pieces
_STRONGEST_HEAT = 0.8  # opaque heat would hide the board's lines and squares


@dataclass(frozen=True, slots=True)
class _Scene:
    """A validated board with everything to draw on it."""

    grid: list[list[int]]
    canvas: Canvas
    style: Style
    last_move: int | None
    winning_line: list[int]
    legal_moves: list[int]
    heat: dict[int, float]
    labels: dict[int, str]
    value_texts: dict[int, str]
    arrows: list[tuple[int, int]]
    badges: dict[int, str]
    marks: list[tuple[int, int]]
    mark_colour: str

    @classmethod
    def of(
        cls,
        board_2d: Board2D,
        *,
        style: StyleName,
        theme: ThemeName,
        colours: tuple[str, str] | None,
        row_one_at: RowOneAt,
        last_move: int | None,
        winning_line: Iterable[int] | None,
        legal_moves: Iterable[int] | None = None,
        heat: Mapping[int, float] | None = None,
        labels: Mapping[int, str] | None = None,
        value_texts: Mapping[int, str] | None = None,
        arrows: Iterable[tuple[int, int]] = (),
        badges: Mapping[int, str] | None = None,
        marks: Iterable[tuple[int, int]] = (),
        show_coordinates: bool = True,
    ) -> _Scene:
        """The scene with these arguments of `render_board_svg`, or ``ValueError``."""
        grid = read_board(board_2d)
        if colours is not None and not set(colours) <= set(COLOURS):
            raise ValueError(f"colours are two of {', '.join(COLOURS)}, not {colours!r}")
        if style not in STYLES:
            raise ValueError(f"style is one of {', '.join(STYLES)}, not {style!r}")
        shape = len(grid), len(grid[0])
        return cls(
            grid=grid,
            canvas=Canvas(*shape, row_one_at, show_coordinates),
            style=STYLES[style](theme, colours),
            last_move=None if last_move is None else _on_board(last_move, shape),
            winning_line=sorted(_on_board(cell, shape) for cell in winning_line or ()),
            legal_moves=sorted(_on_board(cell, shape) for cell in legal_moves or ()),
            heat={_on_board(cell, shape): _value(cell, v) for cell, v in (heat or {}).items()},
            labels={_on_board(cell, shape): _label(cell, t) for cell, t in (labels or {}).items()},
            value_texts={
                _on_board(cell, shape): _label(cell, t) for cell, t in (value_texts or {}).items()
            },
            arrows=[(_on_board(start, shape), _on_board(end, shape)) for start, end in arrows],
            badges={_on_board(cell, shape): _label(cell, t) for cell, t in (badges or {}).items()},
            marks=[(_on_board(start, shape), _on_board(end, shape)) for start, end in marks],
            mark_colour=_MARKS[theme],
        )

    def piece_at(self, cell: int) -> int:
        row, col = divmod(cell, self.canvas.cols)
        return self.grid[row][col]

    def names(self, cells: Iterable[int]) -> str:
        shape = self.canvas.rows, self.canvas.cols
        return ", ".join(index_to_algebraic(cell, shape) for cell in cells) or "none"


def render_board_svg(
    board_2d: Board2D,
    *,
    style: StyleName = "marks",
    theme: ThemeName = "light",
    colours: tuple[str, str] | None = None,
    row_one_at: RowOneAt = "top",
    last_move: int | None = None,
    winning_line: Iterable[int] | None = None,
    legal_moves: Iterable[int] | None = None,
    heat: Mapping[int, float] | None = None,
    labels: Mapping[int, str] | None = None,
    value_texts: Mapping[int, str] | None = None,
    arrows: Iterable[tuple[int, int]] = (),
    badges: Mapping[int, str] | None = None,
    marks: Iterable[tuple[int, int]] = (),
    show_coordinates: bool = True,
    title: str | None = None,
    size: int = 480,
) -> str:
    """The board as a self-contained SVG document.

    ``colours`` are those of the pieces of +1 and −1, by default those of the style. Cells are given
    by index, row · cols + col; row 1 is ``board_2d[0]``, wherever it is drawn.
    ``last_move`` and ``winning_line`` are marked; ``legal_moves`` (in Connect Four the cells where
    a disc would land) get a dot. ``heat`` colours cells by a value in [−1, 1], bad to good;
    ``labels`` are short texts in cells, on pieces too. ``value_texts`` say in words what cells are
    worth, for those who cannot see the picture. ``arrows`` lead from one cell to another;
    ``badges`` are one or two characters in the corners of cells. ``marks`` are what a person drew:
    arrows, and rings from a cell to itself. ``title`` is the picture's
    accessible name; by default it describes the board. ``size`` is the longer side in pixels.

    Raises `ValueError` for a cell off the board, a value outside [−1, 1], or an unknown style,
    theme or colour.
    """
    scene = _Scene.of(
        board_2d,
        style=style,
        theme=theme,
        colours=colours,
        row_one_at=row_one_at,
        last_move=last_move,
        winning_line=winning_line,
        legal_moves=legal_moves,
        heat=heat,
        labels=labels,
        value_texts=value_texts,
        arrows=arrows,
        badges=badges,
        marks=marks,
        show_coordinates=show_coordinates,
    )
    return _document(scene, title, _pixels(size))


def render_replay_svg(
    boards: Sequence[Board2D],
    last_moves: Sequence[int | None],
    *,
    style: StyleName = "marks",
    theme: ThemeName = "light",
    colours: tuple[str, str] | None = None,
    row_one_at: RowOneAt = "top",
    winning_line: Iterable[int] | None = None,
    title: str | None = None,
    size: int = 480,
    seconds: float = 1.0,
) -> str:
    """The boards of a game one after the other, as one SVG document that moves by itself.

    Each board is shown for ``seconds``; the last one, with its ``winning_line``, stays longer
    before the replay begins anew. The other arguments are those of `render_board_svg`.
    """
    last = len(boards) - 1
    scenes = [
        _Scene.of(
            board,
            style=style,
            theme=theme,
            colours=colours,
            row_one_at=row_one_at,
            last_move=last_move,
            winning_line=winning_line if number == last else None,
        )
        for number, (board, last_move) in enumerate(zip(boards, last_moves, strict=True))
    ]
    named = f"Replay of {counted(last)}" if title is None else title
    return _framed(scenes[-1], named, animated(map(_layers, scenes), seconds), _pixels(size))


def _on_board(cell: int, shape: tuple[int, int]) -> int:
    """``cell`` as a plain int; raises `ValueError` if it is off the board."""
    return tuple_to_index(index_to_tuple(cell, shape), shape)


def _pixels(size: object) -> int:
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 1:
        raise ValueError(f"size must be a positive whole number of pixels, not {size!r}")
    return int(size)


def _value(cell: int, value: object) -> float:
    number = nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    if not -1 <= number <= 1:  # this rejects NaN too
        raise ValueError(f"the heat of cell {cell} must be in [-1, 1], not {value!r}")
    return number


def _label(cell: int, text: object) -> str:
    if not isinstance(text, str):
        raise ValueError(f"the label of cell {cell} must be text, not {text!r}")
    return text


def _document(scene: _Scene, title: str | None, size: int) -> str:
    shapes = [shape for layer in _layers(scene) for shape in layer]
    return _framed(scene, _title(scene) if title is None else title, shapes, size)


def _framed(scene: _Scene, title: str, shapes: Iterable[str], size: int) -> str:
    """The document with these shapes; its description is that of ``scene``."""
    canvas = scene.canvas
    scale = size / max(canvas.width, canvas.height)
    definitions = scene.style.definitions()
    parts = [
        element("title", escaped(title)),
        element("desc", escaped(_description(scene))),
        *([element("defs", *definitions)] if definitions else []),
        *shapes,
    ]
    return element(
        "svg",
        "\n",
        "\n".join(parts),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {canvas.width:g} {canvas.height:g}",
        width=canvas.width * scale,
        height=canvas.height * scale,
        role="img",
        font_family=_FONT,
    )


def _layers(scene: _Scene) -> list[list[str]]:
    """The shapes of the picture; a later layer covers the earlier ones."""
    canvas, palette = scene.canvas, scene.style.palette
    paper = element("rect", width=canvas.width, height=canvas.height, rx=14, fill=palette.paper)
    return [
        [paper],
        _coordinates(scene) if canvas.show_coordinates else [],
        scene.style.surface(canvas),
        _tints(scene),
        _dots_for_legal_moves(scene),
        _pieces(scene),
        _winning_line(scene),
        _last_move(scene),
        arrow_shapes(canvas, scene.arrows, palette.ink),
        mark_shapes(canvas, scene.marks, scene.mark_colour),
        _labels(scene),
        badge_shapes(canvas, scene.badges),
    ]


def _title(scene: _Scene) -> str:
    """A short description of the picture."""
    counts = [sum(row.count(player) for row in scene.grid) for player in (1, -1)]
    pieces = ", ".join(
        f"{count} {name}" for count, name in zip(counts, scene.style.piece_names, strict=True)
    )
    return f"Board of {scene.canvas.rows} rows and {scene.canvas.cols} columns: {pieces}"


def _description(scene: _Scene) -> str:
    """A full description of the picture."""
    cells = range(scene.canvas.rows * scene.canvas.cols)
    sentences = []
    for player, name in zip((1, -1), scene.style.piece_names, strict=True):
        owned = scene.names(cell for cell in cells if scene.piece_at(cell) == player)
        sentences.append(f"{name.capitalize()}: {owned}.")
    if scene.last_move is not None:
        sentences.append(f"Last move: {scene.names([scene.last_move])}.")
    if scene.winning_line:
        sentences.append(f"Winning line: {scene.names(scene.winning_line)}.")
    if scene.legal_moves:
        sentences.append(f"Legal moves: {scene.names(scene.legal_moves)}.")
    shape = scene.canvas.rows, scene.canvas.cols
    for start, end in scene.marks:
        names = [index_to_algebraic(cell, shape) for cell in (start, end)]
        sentences.append(f"Ring: {names[0]}." if start == end else f"Arrow: {' to '.join(names)}.")
    values = {cell: f"value {value:+.2f}" for cell, value in scene.heat.items()}
    for cell, text in sorted((values | scene.value_texts).items()):
        sentences.append(f"{index_to_algebraic(cell, shape)}: {text}.")
    return " ".join(sentences)


def _coordinates(scene: _Scene) -> list[str]:
    """Column letters on the side of row 1 and row numbers at the left."""
    canvas = scene.canvas
    letters_y = (
        canvas.top / 2
        if canvas.row_one_at == "top"
        else (canvas.top + canvas.board_height + canvas.height) / 2 + 2
    )
    texts = [
        centred_text(letter, canvas.centre(col)[0], letters_y, 17, scene.style.palette.label)
        for col, letter in enumerate(column_letters(canvas.cols))
    ]
    texts += [
        centred_text(
            str(row + 1),
            canvas.left / 2 - 1,
            canvas.centre(row * canvas.cols)[1],
            17,
            scene.style.palette.label,
        )
        for row in range(canvas.rows)
    ]
    return texts


def _tints(scene: _Scene) -> list[str]:
    """The heat under the pieces: the further from 0, the stronger the colour."""
    palette = scene.style.palette
    return [
        scene.style.cell_shape(
            *scene.canvas.centre(cell),
            fill=palette.good if value > 0 else palette.bad,
            fill_opacity=_STRONGEST_HEAT * abs(value),
        )
        for cell, value in sorted(scene.heat.items())
    ]


def _dots_for_legal_moves(scene: _Scene) -> list[str]:
    """A dot in each legal cell, or a rim if a label is in the middle."""
    ink = scene.style.palette.ink
    shapes = []
    for cell in scene.legal_moves:
        x, y = scene.canvas.centre(cell)
        if cell in scene.labels:
            shapes.append(
                scene.style.rim(
                    x, y, stroke=ink, stroke_width=2, stroke_opacity=0.6, stroke_dasharray="3 4"
                )
            )
        else:
            shapes.append(element("circle", cx=x, cy=y, r=5.5, fill=ink, fill_opacity=0.5))
    return shapes


def _pieces(scene: _Scene) -> list[str]:
    cells = range(scene.canvas.rows * scene.canvas.cols)
    return [
        shape
        for cell in cells
        if scene.piece_at(cell)
        for shape in scene.style.piece(*scene.canvas.centre(cell), scene.piece_at(cell))
    ]


def _winning_line(scene: _Scene) -> list[str]:
    """A mark on every winning cell, and a stroke through them if they are on one line."""
    win, cells = scene.style.palette.win, scene.winning_line
    shapes = [scene.style.winner_mark(*scene.canvas.centre(cell)) for cell in cells]
    steps = {
        (b[0] - a[0], b[1] - a[1])
        for a, b in pairwise(divmod(cell, scene.canvas.cols) for cell in cells)
    }
    if len(steps) == 1:
        (x1, y1), (x2, y2) = map(scene.canvas.centre, (cells[0], cells[-1]))
        shapes.append(
            element(
                "line",
                x1=x1,
                y1=y1,
                x2=x2,
                y2=y2,
                stroke=win,
                stroke_width=5,
                stroke_linecap="round",
                stroke_opacity=0.75,
            )
        )
    return shapes


def _last_move(scene: _Scene) -> list[str]:
    if scene.last_move is None:
        return []
    x, y = scene.canvas.centre(scene.last_move)
    return [scene.style.last_move_mark(x, y, middle_taken=scene.last_move in scene.labels)]


def _labels(scene: _Scene) -> list[str]:
    """Texts in the cells; longer ones are smaller."""
    return [
        centred_text(
            text,
            *scene.canvas.centre(cell),
            min(19.0, 57.0 / max(len(text), 1)),
            scene.style.palette.text_on(scene.piece_at(cell)),
            weight="600",
        )
        for cell, text in sorted(scene.labels.items())
    ]
