"""`GameTraits`: how a game describes itself, so that no other code asks which game it is.

A game declares its traits once, on the class::

    class Hex(BoardGame):
        traits = GameTraits(pieces=("Red", "Blue"), sizes=(5, 7, 11), preview="c3 b2 c2")

Everything has a default: name and title come from the name of the class, the rules from the first
paragraph of its docstring, pieces are X and O, moves are cells. `registry.check_traits` rejects
traits that contradict the game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from inspect import isabstract
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from rl_toolkit.utils import shown
from rl_toolkit.utils.svg import COLOURS, STYLES, UNSEEN

if TYPE_CHECKING:
    from rl_toolkit.envs.base_game import BaseGameEnv
    from rl_toolkit.utils import RowOneAt
    from rl_toolkit.utils.svg import StyleName

T = TypeVar("T")

#: A board: its side, or its rows and columns.
Size: TypeAlias = int | tuple[int, int]


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of the form for a new game: a number, or one of several choices.

    Attributes:
        name: its name in `GameTraits.variant` and `BaseGameEnv.form_values`.
        label: the label in a form; fields with the same label are shown side by side.
        default: its value for the usual board.
        least, most: the range of a number.
        choices: value and label of each choice; empty for a number.
        suffix: the text after it, as in "3 in a row".
    """

    name: str
    label: str
    default: int | str
    least: int = 1
    most: int = 20
    choices: tuple[tuple[str, str], ...] = ()
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class FamousPosition:
    """A position worth looking at, and what is true of it; a test asks an engine whether it is.

    Attributes:
        title: its name, such as "The open three".
        moves: the moves to it, by name.
        result: 1, 0 or −1: what the side to move gets with best play.
        best: the names of the best moves: all of them, where an exact solver knows; may be empty.
        sentence: what can be learned from it.
        variant: the board, as in the name of the game after the hyphen.
    """

    title: str
    moves: str
    result: Literal[1, 0, -1]
    best: tuple[str, ...]
    sentence: str
    variant: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTraits:
    """What engines and front ends need to know about a game besides its rules.

    Attributes:
        name: the name in the registry, lower-case words with hyphens.
        aliases: other names under which people look for the game, written in the same way.
        title: the name shown to people.
        pieces: the names of the pieces of +1 and −1: X and O, Red and Yellow.
        style: how board and pieces are drawn: ``marks`` on ruled paper, ``discs`` in a frame,
            ``stones`` on intersections, two-sided ``flips`` on felt.
        colours: the colours of the pieces of +1 and −1: ``black``, ``white``, ``red``, ``blue``,
            ``green``, ``yellow``, ``orange``, ``purple``; by default those that the names of the
            pieces are, else those of the style.
        row_one_at: whether row 1 is drawn at the top or at the bottom.
        move_by: whether a move is a ``cell``, or a ``column`` in which the piece falls.
        has_grid: whether the position is a grid of cells; a game without one (`TextGame`) is shown
            as text with a list of moves, and its positions are reached by moves alone.
        alternates: whether the sides always take turns; where one may move several times in a row,
            it is not said in how many moves it wins.
        passes: whether a side without a move passes.
        swap2_within: for a game that tournaments open by swap2, how far from the centre the first
            stones may be; 0 if it has no swap rule.
        score_unit: the unit of the final score, if pieces are counted: ``disc``.
        sizes: the boards to offer, if the constructor takes a side or rows and columns.
        fields: the fields of a form; by default made from ``sizes``.
        variant: the format that turns these fields into the part of the name after the hyphen; it
            names every field.
        variants: the names of variants in words, for a list of games.
        preview: moves to a typical position, on the board of ``preview_variant``.
        example: moves as people would paste them; by default the first two of the preview.
        rules: the rules in three short sentences.
        pictures: for each rule, moves to a position that shows it, on the board of
            ``preview_variant``; none, or as many as there are rules.
        famous: positions worth looking at: openings, traps, endings, puzzles.
        has_heuristic: whether `evaluate_heuristic` knows more than the result of a finished game;
            by default whether the class overrides it.
        levels: level → engine spec, for a game that has its own ladder.
        free_results: whether the result is any number, as in a game tree that was typed, and not
            1, 0 or −1; such a game is for the searches that a reader watches.
    """

    name: str = ""
    aliases: tuple[str, ...] = ()
    title: str = ""
    pieces: tuple[str, str] = ("X", "O")
    style: StyleName = "marks"
    colours: tuple[str, str] | tuple[()] = ()
    row_one_at: RowOneAt = "top"
    move_by: Literal["cell", "column"] = "cell"
    has_grid: bool = True
    alternates: bool = True
    passes: bool = False
    swap2_within: int = 0
    score_unit: str = ""
    sizes: tuple[Size, ...] = ()
    fields: tuple[FormField, ...] = ()
    variant: str = ""
    variants: str = ""
    preview: str = ""
    preview_variant: str = ""
    example: str = ""
    rules: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    famous: tuple[FamousPosition, ...] = ()
    has_heuristic: bool | None = None
    levels: Mapping[str, str] = field(default_factory=dict)
    free_results: bool = False

    @property
    def piece_colours(self) -> tuple[str, str] | None:
        """The colours of the pieces, ``None`` if they are those of the style.

        >>> GameTraits(pieces=("White", "Black"), style="stones").piece_colours
        ('white', 'black')
        """
        if self.colours:
            return self.colours
        first, second = (name.lower() for name in self.pieces)
        usual = STYLES[self.style].piece_names == (first, second)
        unseen = UNSEEN.get(self.style, ())
        if usual or any(name not in COLOURS or name in unseen for name in (first, second)):
            return None
        return first, second

    def side(self, player: int) -> str:
        """The player as shown to people: ``X``, or ``Red (X)`` if pieces have other names."""
        piece, letter = self.pieces[player < 0], "XO"[player < 0]
        return letter if piece == letter else f"{piece} ({letter})"


def size_text(size: Size) -> str:
    """A size as written in the name of a game: ``5`` for a square, ``3x4`` for 3 rows of 4."""
    rows, cols = (size, size) if isinstance(size, int) else size
    return str(rows) if rows == cols else f"{rows}x{cols}"


def complete_traits(cls: type[BaseGameEnv], plain_heuristic: object) -> GameTraits:
    """The traits of ``cls`` with all defaults filled in.

    A class that declares none is to the registry the same game as its parent, if that is a game
    and not an abstract base. ``plain_heuristic`` is `BaseGameEnv.evaluate_heuristic`.
    """
    declared = vars(cls).get("traits")
    if declared is not None and not isinstance(declared, GameTraits):
        raise TypeError(f"{cls.__name__}.traits must be GameTraits, not {shown(declared)}")
    traits = cls.traits
    parents = [base for base in cls.__mro__[1:] if hasattr(base, "traits")]
    if not declared and all(map(isabstract, parents)):
        traits = replace(traits, name="", aliases=(), title="", rules=())
    if not declared and "evaluate_heuristic" in vars(cls):
        traits = replace(traits, has_heuristic=None)  # not its parent's
    usual_name, usual_title = names_from_class(cls.__name__)
    name = traits.name or usual_name
    if not (isinstance(traits.sizes, tuple) and all(map(_is_size, traits.sizes))):
        raise TypeError(f"{cls.__name__}.traits: sizes must be sides or pairs (rows, columns)")
    fields = traits.fields
    if not fields and len(traits.sizes) > 1:
        choices = tuple((size_text(size), _size_label(size)) for size in traits.sizes)
        fields = (FormField("size", "Size", choices[0][0], choices=choices),)
    summary = (cls.__doc__ or "").strip().partition("\n\n")[0].replace("\n", " ")
    own = cls.evaluate_heuristic is not plain_heuristic
    listed = ", ".join(f"{name}-{size_text(size)}" for size in traits.sizes)
    return replace(
        traits,
        name=name,
        title=traits.title or usual_title,
        fields=fields,
        variant=traits.variant or ("" if traits.fields or not fields else "{size}"),
        variants=traits.variants or (f"or {listed}" if len(traits.sizes) > 1 else ""),
        example=traits.example or " ".join(traits.preview.split()[:2]),
        rules=traits.rules or ((re.sub(r"\s+", " ", summary),) if summary else ()),
        has_heuristic=own if traits.has_heuristic is None else traits.has_heuristic,
    )


def names_from_class(class_name: str) -> tuple[str, str]:
    """Name and title of a game by the name of its class.

    >>> names_from_class("FourCorners")
    ('four-corners', 'Four Corners')
    """
    words = re.findall(r"(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)[0-9]*", class_name) or [class_name]
    return "-".join(words).lower(), " ".join(word[0].upper() + word[1:] for word in words)


def _is_size(size: object) -> bool:
    sides = size if isinstance(size, tuple) else (size, size)
    return len(sides) == 2 and all(type(side) is int for side in sides)


def _size_label(size: Size) -> str:
    rows, cols = (size, size) if isinstance(size, int) else size
    return f"{rows} × {cols}"


def for_game(table: Mapping[type[Any], T], env: BaseGameEnv | type[BaseGameEnv]) -> T | None:
    """The entry for the game's class or its nearest base class, ``None`` if there is none.

    Other layers use this to find what they have for individual games: phrases, formats, ladders.
    """
    cls = env if isinstance(env, type) else type(env)
    return next((table[kind] for kind in cls.__mro__ if kind in table), None)
