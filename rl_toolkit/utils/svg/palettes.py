"""The colours of the board styles, each in a light and a dark theme.

Heat runs from ``bad`` to ``good``, two colours that colour-blind people can distinguish and that
the pieces of the style do not use.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

ThemeName: TypeAlias = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one style in one theme."""

    paper: str
    label: str  # letters and numbers beside the board
    surface: str
    line: str
    edge: str  # the outline of the board
    empty: str  # an empty cell
    ink: str  # text on an empty cell
    accent: str  # the last move
    win: str  # the winning line
    good: str  # heat towards +1
    bad: str  # heat towards −1
    first: str  # pieces of player +1
    second: str  # pieces of player −1
    first_shade: str
    second_shade: str
    on_first: str  # text on a piece
    on_second: str

    def piece(self, player: int) -> str:
        """The main colour of the player's pieces."""
        return self.first if player == 1 else self.second

    def shade(self, player: int) -> str:
        """The darker shade of the player's colour."""
        return self.first_shade if player == 1 else self.second_shade

    def with_pieces(self, first: str, second: str) -> Palette:
        """The same palette with pieces of these colours, names in `COLOURS`."""
        one, two = COLOURS[first], COLOURS[second]
        return replace(
            self,
            first=one.main,
            second=two.main,
            first_shade=one.shade,
            second_shade=two.shade,
            on_first=one.text,
            on_second=two.text,
        )

    def text_on(self, piece: int) -> str:
        """The colour of text on a cell that holds ``piece``."""
        return {0: self.ink, 1: self.on_first, -1: self.on_second}[piece]


class PieceColour(NamedTuple):
    """A colour of pieces that a game may choose: its shade, and text on it."""

    main: str
    shade: str
    text: str


COLOURS = {
    "black": PieceColour("#4a4f58", "#0c0d10", "#ffffff"),
    "white": PieceColour("#ffffff", "#cfd2d8", "#16181d"),
    "red": PieceColour("#e5484d", "#b02a30", "#ffffff"),
    "blue": PieceColour("#3b82f6", "#1d55b8", "#ffffff"),
    "green": PieceColour("#30a46c", "#1c7048", "#ffffff"),
    "yellow": PieceColour("#f5d90a", "#c9a800", "#3b2a00"),
    "orange": PieceColour("#f76b15", "#bd4a05", "#ffffff"),
    "purple": PieceColour("#8e4ec6", "#63308f", "#ffffff"),
}

#: Colours that cannot be told from the board, by style.
UNSEEN = {"marks": ("black", "white"), "flips": ("green",)}

MARKS: dict[ThemeName, Palette] = {
    "light": Palette(
        paper="#fbfaf7", label="#6b7280", surface="#ffffff", line="#c9ced8", edge="#e3e6ec",
        empty="#ffffff", ink="#1f2937", accent="#f2b84b", win="#16a34a",
        good="#10a37f", bad="#e8743b", first="#2f6fde", second="#d9416f",
        first_shade="#2f6fde", second_shade="#d9416f", on_first="#111827", on_second="#111827",
    ),
    "dark": Palette(
        paper="#14171d", label="#98a2b3", surface="#1c2129", line="#475063", edge="#2b323e",
        empty="#1c2129", ink="#f3f4f6", accent="#d99a2b", win="#4ade80",
        good="#1fb58f", bad="#e8743b", first="#6aa5ff", second="#ff7d9f",
        first_shade="#6aa5ff", second_shade="#ff7d9f", on_first="#ffffff", on_second="#ffffff",
    ),
}  # fmt: skip

DISCS: dict[ThemeName, Palette] = {
    "light": Palette(
        paper="#fbfaf7", label="#6b7280", surface="#2463c9", line="#1b4fa6", edge="#1b4fa6",
        empty="#eaf1fc", ink="#14213d", accent="#ffffff", win="#ffffff",
        good="#1fa862", bad="#b83fa5", first="#ec4a45", second="#fdd23f",
        first_shade="#c7302e", second_shade="#e2a90f", on_first="#ffffff", on_second="#3b2a00",
    ),
    "dark": Palette(
        paper="#14171d", label="#98a2b3", surface="#234f9c", line="#1a3d7c", edge="#1a3d7c",
        empty="#11161f", ink="#f1f5f9", accent="#ffffff", win="#ffffff",
        good="#23b36b", bad="#c950b5", first="#f0564f", second="#fbd34d",
        first_shade="#b93331", second_shade="#d69f14", on_first="#ffffff", on_second="#3b2a00",
    ),
}  # fmt: skip

STONES: dict[ThemeName, Palette] = {
    "light": Palette(
        paper="#fbfaf7", label="#6b7280", surface="#e6bf83", line="#7d5a2c", edge="#c79c5c",
        empty="#e6bf83", ink="#2a1c08", accent="#e03131", win="#37b24d",
        good="#1c7ed6", bad="#c2255c", first="#5a5f68", second="#ffffff",
        first_shade="#0c0d10", second_shade="#cfd2d8", on_first="#ffffff", on_second="#16181d",
    ),
    "dark": Palette(
        paper="#14171d", label="#98a2b3", surface="#80664a", line="#3a2b1a", edge="#977b5b",
        empty="#80664a", ink="#fff7e8", accent="#ff6b6b", win="#69db7c",
        good="#3d9bf0", bad="#e64980", first="#474c55", second="#f6f7f9",
        first_shade="#07080a", second_shade="#b9bdc6", on_first="#ffffff", on_second="#16181d",
    ),
}  # fmt: skip

FLIPS: dict[ThemeName, Palette] = {
    "light": Palette(
        paper="#fbfaf7", label="#6b7280", surface="#2f8f5b", line="#1d6b41", edge="#1d6b41",
        empty="#2f8f5b", ink="#ffffff", accent="#ff5d52", win="#ffd54a",
        good="#1971c2", bad="#d9480f", first="#4b5058", second="#ffffff",
        first_shade="#0d0e11", second_shade="#d2d5da", on_first="#ffffff", on_second="#16181d",
    ),
    "dark": Palette(
        paper="#14171d", label="#98a2b3", surface="#1f6340", line="#123f28", edge="#123f28",
        empty="#1f6340", ink="#ffffff", accent="#ff7168", win="#ffd54a",
        good="#2b83d6", bad="#e0571f", first="#3b4048", second="#f4f5f7",
        first_shade="#050608", second_shade="#bcc0c8", on_first="#ffffff", on_second="#16181d",
    ),
}  # fmt: skip
