"""Gomoku: five in a row on a large board.

Row 1 is at the bottom, ``a1`` is bottom left and ``h8`` the centre of the 15×15 board. In the
freestyle game five or more win; in the standard game exactly five.
"""

from __future__ import annotations

from typing import ClassVar, Self

from rl_toolkit.envs.bases.line_game import LineGame, checked_win_length
from rl_toolkit.envs.errors import InvalidPositionError
from rl_toolkit.envs.traits import FamousPosition, FormField, GameTraits
from rl_toolkit.envs.validation import as_sides, read_numbers, shown
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD, LineRule, LineWeights

#: The sizes that forms offer; every size between the smallest and the largest can be played.
SIZES = (9, 13, 15, 19, 20)
SMALLEST, LARGEST = 5, 20

#: Closed and open patterns: an open four is as good as won, an open three must be answered. Single
#: stones count a little for each line they can still be part of, which favours the centre.
WEIGHTS = LineWeights(windows=(400, 50, 10, 8), open_windows=(4000, 300, 40), scale=10_000)


def _drawn_game(side: int) -> str:
    """Moves that fill a board without five in a row: pairs in each row, shifted row by row."""
    colours: tuple[list[str], list[str]] = ([], [])
    for cell in range(side * side):
        row, col = divmod(cell, side)
        colours[(col // 2 + row) % 2].append(f"{'abcdefghi'[col]}{row + 1}")
    black, white = colours
    return " ".join(f"{b} {w}" for b, w in zip(black, [*white, ""], strict=True)).rstrip()


def _suffix(rule: LineRule) -> str:
    """What a rule adds to the name of a game."""
    return "" if rule == FREESTYLE else f"-{rule.name}"


_RULE_CHOICES = tuple((_suffix(rule), rule.words) for rule in (FREESTYLE, STANDARD))


class Gomoku(LineGame):
    """``win_length`` in a row on ``board_size`` × ``board_size`` crossings; +1 is black.

    Raises `InvalidPositionError` for a size, length or rule that Gomoku does not have.

    >>> env = Gomoku(15)
    >>> _ = env.step(env.parse_move("h8"))
    >>> env.last_move, env.name
    (112, 'gomoku-15')
    """

    #: The rules by their names. A rule that is added here can be played, saved and read.
    rules: ClassVar[dict[str, LineRule]] = {rule.name: rule for rule in (FREESTYLE, STANDARD)}

    traits = GameTraits(
        aliases=("five-in-a-row", "gobang"),
        pieces=("Black", "White"),
        style="stones",
        row_one_at="bottom",
        swap2_within=3,
        sizes=SIZES,
        fields=(
            FormField("size", "Size", "15", choices=tuple((str(n), f"{n} × {n}") for n in SIZES)),
            FormField("rule", "Rule", "", choices=_RULE_CHOICES),
        ),
        variant="{size}{rule}",
        variants="or gomoku-9, gomoku-13, gomoku-15, gomoku-19, gomoku-20, each with -standard "
        "for exactly five; any size from 5 to 20",
        preview="e5 e6 f6 d4 d5 f4 f5 c5 g5 h5 g6 e4",
        preview_variant="9",
        example="h8 i9",
        rules=(
            "Black and White take turns to put a stone on an empty crossing.",
            "Five or more in a row, column or diagonal win; the standard rule needs exactly five.",
            "A full board without five in a row is a draw.",
        ),
        pictures=("e5 e6 d4", "e5 e4 d5 d4 c5 c4 f5 f4 g5", _drawn_game(9)),
        famous=(
            FamousPosition(
                title="Three with both ends open",
                moves="h8 g8 h9 g9 h10 g10",
                result=1,
                best=("h7", "h11"),
                sentence="Both sides have three in a row; the one to move makes an open four.",
            ),
            FamousPosition(
                title="Two lines that cross",
                moves="h8 a1 i8 a2 h9 a4",
                result=1,
                best=("h7", "g8"),
                sentence="Two pairs that meet in one stone: with White far away, Black wins by "
                "threats.",
            ),
            FamousPosition(
                title="A long combination",
                moves="h8 g8 j8 h10 i7 g9 h6 k9 h5 h7",
                result=1,
                best=("g5",),
                sentence="Black wins by force, but the win is several moves deep.",
            ),
        ),
    )

    def __init__(self, board_size: int = 15, win_length: int = 5, rule: str = "freestyle") -> None:
        side, cols = as_sides(board_size)
        if side != cols or not SMALLEST <= side <= LARGEST:
            raise InvalidPositionError(
                f"Gomoku is played on a square board of {SMALLEST} to {LARGEST} rows, "
                f"not {shown(board_size)}"
            )
        if not isinstance(rule, str) or rule not in self.rules:
            names = " or ".join(map(repr, self.rules))
            raise InvalidPositionError(f"rule is {names}, not {shown(rule)}")
        super().__init__(
            side, checked_win_length(win_length, side, side), win_rule=self.rules[rule]
        )
        self.board_size = side
        self.rule = rule
        self.heuristic_weights = WEIGHTS

    @classmethod
    def from_variant(cls, variant: str) -> Self | None:
        """``9`` or ``9x9x4``, also with ``-standard`` or ``-freestyle``; or the rule alone."""
        if variant in ("", *cls.rules):
            variant = f"15-{variant}".rstrip("-")
        shape, dash, rule = variant.partition("-")
        numbers = read_numbers(shape, (1, 3))
        if numbers is None or (dash and rule not in cls.rules):
            return None
        if len(numbers) == 3 and numbers[0] != numbers[1]:
            return None
        length = numbers[2] if len(numbers) == 3 else 5
        return cls(numbers[0], length, rule or FREESTYLE.name)

    @classmethod
    def rule_named(cls, word: str) -> str:
        """The name of the rule that a file calls ``word``, in letters of any case.

        Freestyle for an empty word; raises `InvalidPositionError` if there is no such rule.
        """
        name = word.strip().lower() if word else FREESTYLE.name
        if name not in cls.rules:
            names = " or ".join(cls.rules)
            raise InvalidPositionError(f"the rule of Gomoku is {names}, not {shown(word)}")
        return name

    @property
    def is_five(self) -> bool:
        """Whether five in a row win, as threats, proofs and the Gomoku engine assume."""
        return self.win_length == 5 and bool(self.win_rule.wins(5, 5))

    def form_values(self) -> dict[str, int | str]:
        """Size and rule."""
        return {"size": str(self.rows), "rule": _suffix(self.win_rule)}

    @property
    def name(self) -> str:
        """``gomoku-15``, ``gomoku-15x15x4`` for another length; ``-standard`` for that rule."""
        side = str(self.rows)
        shape = side if self.win_length == 5 else f"{side}x{side}x{self.win_length}"
        return f"{self.traits.name}-{shape}{_suffix(self.win_rule)}"
