"""Board styles: one class per style, each with a light and a dark palette.

A style draws on a `Canvas` and returns XML elements: ``marks`` are X and O on ruled paper,
``discs`` are in a blue frame, ``stones`` on intersections, two-sided ``flips`` on green squares.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import product
from typing import ClassVar, Literal, TypeAlias

from rl_toolkit.utils.svg.canvas import CELL, Canvas, element
from rl_toolkit.utils.svg.palettes import DISCS, FLIPS, MARKS, STONES, Palette, ThemeName

StyleName: TypeAlias = Literal["marks", "discs", "stones", "flips"]


class Style(ABC):
    """One style; ``piece_names`` are the names of the pieces of +1 and −1.

    ``colours`` are those of the pieces, if they are not the usual ones of the style.
    """

    piece_names: tuple[str, str]
    palettes: ClassVar[dict[ThemeName, Palette]]
    piece_radius: ClassVar[float] = 0.4 * CELL

    def __init__(self, theme: ThemeName, colours: tuple[str, str] | None = None) -> None:
        if theme not in self.palettes:
            raise ValueError(f"theme is 'light' or 'dark', not {theme!r}")
        self.theme = theme
        self.palette = self.palettes[theme]
        if colours is not None:
            self.palette = self.palette.with_pieces(*colours)
            self.piece_names = colours

    def definitions(self) -> list[str]:
        """Gradients used by the other elements."""
        return []

    @abstractmethod
    def surface(self, canvas: Canvas) -> list[str]:
        """The empty board."""

    @abstractmethod
    def cell_shape(self, x: float, y: float, **paint: str | float) -> str:
        """The area of the cell at ``(x, y)``, filled with ``paint``."""

    @abstractmethod
    def piece(self, x: float, y: float, player: int) -> list[str]:
        """A piece of ``player`` in the cell at ``(x, y)``."""

    def rim(self, x: float, y: float, **paint: str | float) -> str:
        """The outline of a piece, stroked with ``paint``."""
        return element("circle", cx=x, cy=y, r=self.piece_radius, fill="none", **paint)

    def winner_mark(self, x: float, y: float) -> str:
        """The highlight of a piece in the winning line."""
        return self.rim(x, y, stroke=self.palette.win, stroke_width=4)

    def last_move_mark(self, x: float, y: float, middle_taken: bool) -> str:
        """A dot on the last piece, or a rim if a label is in the middle."""
        accent = self.palette.accent
        if middle_taken:
            return self.rim(x, y, stroke=accent, stroke_width=3)
        return element("circle", cx=x, cy=y, r=6, fill=accent)

    def _board_rect(self, canvas: Canvas, grow: float, radius: float, **paint: str | float) -> str:
        """The rectangle of the board, larger by ``grow`` on every side."""
        return element(
            "rect",
            x=canvas.left - grow,
            y=canvas.top - grow,
            width=canvas.board_width + 2 * grow,
            height=canvas.board_height + 2 * grow,
            rx=radius,
            **paint,
        )

    def _rulings(self, canvas: Canvas, first: float, inset: float, width: float) -> str:
        """Vertical and horizontal lines, ending ``inset`` before the edges of the board.

        The first line is ``first`` cells from the edge: 1 is between cells, 0.5 through their
        centres.
        """
        left, top = canvas.left, canvas.top
        right, bottom = left + canvas.board_width, top + canvas.board_height
        down = [left + (first + i) * CELL for i in range(int(canvas.cols + 1 - 2 * first))]
        across = [top + (first + i) * CELL for i in range(int(canvas.rows + 1 - 2 * first))]
        path = [f"M{x:g} {top + inset:g}V{bottom - inset:g}" for x in down]
        path += [f"M{left + inset:g} {y:g}H{right - inset:g}" for y in across]
        return element(
            "path",
            d="".join(path),
            fill="none",
            stroke=self.palette.line,
            stroke_width=width,
            stroke_linecap="round",
        )


class Marks(Style):
    """X and O between ruled lines."""

    piece_names = ("X", "O")
    palettes = MARKS

    def surface(self, canvas: Canvas) -> list[str]:
        """Paper with lines between the cells, open at the edges."""
        palette = self.palette
        return [
            self._board_rect(canvas, 4, 12, fill=palette.surface, stroke=palette.edge),
            self._rulings(canvas, first=1, inset=5, width=2.5),
        ]

    def cell_shape(self, x: float, y: float, **paint: str | float) -> str:
        """A rounded square."""
        side = CELL - 8
        return element(
            "rect", x=x - side / 2, y=y - side / 2, width=side, height=side, rx=8, **paint
        )

    def rim(self, x: float, y: float, **paint: str | float) -> str:
        """The square of the cell, since a mark has no outline."""
        return self.cell_shape(x, y, fill="none", **paint)

    def winner_mark(self, x: float, y: float) -> str:
        """A tint of the cell."""
        return self.cell_shape(x, y, fill=self.palette.win, fill_opacity=0.2)

    def last_move_mark(self, x: float, y: float, middle_taken: bool) -> str:
        """A bar under the mark."""
        return element(
            "path",
            d=f"M{x - 11:g} {y + 23.5:g}h22",
            stroke=self.palette.accent,
            stroke_width=3.5,
            stroke_linecap="round",
        )

    def piece(self, x: float, y: float, player: int) -> list[str]:
        """Two strokes or a ring."""
        pen: dict[str, str | float] = {
            "fill": "none",
            "stroke": self.palette.piece(player),
            "stroke_width": 6.5,
            "stroke_linecap": "round",
        }
        if player == -1:
            return [element("circle", cx=x, cy=y, r=15.5, **pen)]
        a = 14.0
        strokes = (
            f"M{x - a:g} {y - a:g}L{x + a:g} {y + a:g}M{x + a:g} {y - a:g}L{x - a:g} {y + a:g}"
        )
        return [element("path", d=strokes, **pen)]


class Discs(Style):
    """Red and yellow discs in the holes of a blue frame."""

    piece_names = ("red", "yellow")
    palettes = DISCS

    def surface(self, canvas: Canvas) -> list[str]:
        """The frame and its holes."""
        palette = self.palette
        frame = self._board_rect(
            canvas, 6, 16, fill=palette.surface, stroke=palette.edge, stroke_width=2
        )
        holes = [
            self.cell_shape(
                *canvas.centre(cell), fill=palette.empty, stroke=palette.line, stroke_width=2
            )
            for cell in range(canvas.rows * canvas.cols)
        ]
        return [frame, *holes]

    def cell_shape(self, x: float, y: float, **paint: str | float) -> str:
        """The hole."""
        return element("circle", cx=x, cy=y, r=self.piece_radius, **paint)

    def piece(self, x: float, y: float, player: int) -> list[str]:
        """A disc with a raised ring."""
        palette, shade = self.palette, self.palette.shade(player)
        radius = self.piece_radius
        return [
            element(
                "circle",
                cx=x,
                cy=y,
                r=radius,
                fill=palette.piece(player),
                stroke=shade,
                stroke_width=2,
            ),
            element(
                "circle",
                cx=x,
                cy=y,
                r=0.68 * radius,
                fill="none",
                stroke=shade,
                stroke_width=2.5,
                stroke_opacity=0.6,
            ),
        ]


class LitPieces(Style):
    """The base of stones and flips: round pieces lit from the upper left."""

    piece_names = ("black", "white")

    def definitions(self) -> list[str]:
        """A gradient for each player, from the lit side to the dark one."""
        return [
            element(
                "radialGradient",
                element("stop", offset="0", stop_color=self.palette.piece(player)),
                element("stop", offset="1", stop_color=self.palette.shade(player)),
                id=self._gradient_id(player),
                cx="0.36",
                cy="0.32",
                r="0.7",
            )
            for player in (1, -1)
        ]

    def piece(self, x: float, y: float, player: int) -> list[str]:
        """A round piece with a soft shadow below it."""
        radius = self.piece_radius
        return [
            element("circle", cx=x + 1.2, cy=y + 2.4, r=radius, fill="#000000", fill_opacity=0.28),
            element(
                "circle",
                cx=x,
                cy=y,
                r=radius,
                fill=f"url(#{self._gradient_id(player)})",
                stroke=self.palette.shade(player),
                stroke_width=0.8,
            ),
        ]

    def _gradient_id(self, player: int) -> str:
        """A name that differs for different gradients, since a page may show many boards."""
        kind = type(self).__name__.lower()
        return f"rlt-{kind}-{self.theme}-{'first' if player == 1 else 'second'}"


class Stones(LitPieces):
    """Black and white stones on the intersections of a wooden board."""

    piece_radius = 0.45 * CELL
    palettes = STONES

    def surface(self, canvas: Canvas) -> list[str]:
        """Wood, lines through the centres of the cells, star points."""
        palette = self.palette
        wood = self._board_rect(canvas, 2, 8, fill=palette.surface, stroke=palette.edge)
        stars = [
            element("circle", cx=x, cy=y, r=5, fill=palette.line)
            for x, y in map(canvas.centre, star_points(canvas.rows, canvas.cols))
        ]
        return [wood, self._rulings(canvas, first=0.5, inset=CELL / 2, width=1.4), *stars]

    def cell_shape(self, x: float, y: float, **paint: str | float) -> str:
        """The place of a stone."""
        return element("circle", cx=x, cy=y, r=self.piece_radius, **paint)


class Flips(LitPieces):
    """Black and white discs on green squares."""

    palettes = FLIPS

    def surface(self, canvas: Canvas) -> list[str]:
        """Green squares, and four dots two squares from the corners."""
        palette = self.palette
        felt = self._board_rect(
            canvas, 3, 6, fill=palette.surface, stroke=palette.edge, stroke_width=3
        )
        dots: list[str] = []
        if canvas.rows >= 6 and canvas.cols >= 6:
            dots = [
                element(
                    "circle",
                    cx=canvas.left + col * CELL,
                    cy=canvas.top + row * CELL,
                    r=4.5,
                    fill=palette.line,
                )
                for row, col in product((2, canvas.rows - 2), (2, canvas.cols - 2))
            ]
        return [felt, self._rulings(canvas, first=1, inset=0, width=1.8), *dots]

    def cell_shape(self, x: float, y: float, **paint: str | float) -> str:
        """The square."""
        side = CELL - 4
        return element(
            "rect", x=x - side / 2, y=y - side / 2, width=side, height=side, rx=3, **paint
        )


STYLES: dict[StyleName, type[Style]] = {
    "marks": Marks,
    "discs": Discs,
    "stones": Stones,
    "flips": Flips,
}


def star_points(rows: int, cols: int) -> list[int]:
    """The cells marked with a dot on a wooden board: near the corners, and the centre.

    Boards of 19 × 19 and more also have them near the middle of each side; small boards have none,
    and a board with an even side has no centre cell.

    >>> star_points(15, 15) == [3 * 15 + 3, 3 * 15 + 11, 7 * 15 + 7, 11 * 15 + 3, 11 * 15 + 11]
    True
    """
    if min(rows, cols) < 7:
        return []
    inset = 2 if min(rows, cols) < 12 else 3
    points = set(product((inset, rows - 1 - inset), (inset, cols - 1 - inset)))
    if rows % 2 and cols % 2:
        middle = (rows // 2, cols // 2)
        points.add(middle)
        if min(rows, cols) >= 19:
            points |= set(product((inset, middle[0], rows - 1 - inset), (middle[1],)))
            points |= set(product((middle[0],), (inset, cols - 1 - inset)))
    return sorted(row * cols + col for row, col in points)
