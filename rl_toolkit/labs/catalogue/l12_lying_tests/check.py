"""Checks of the bug hunt for lying tests: every test is run on the right class and on mutants."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from rl_toolkit.labs.checking import Check, LabBoard, probe, side
from rl_toolkit.labs.truth import connect_four as truth


class Mutant(NamedTuple):
    """A broken class: what it does, and the change of the right one.

    Attributes:
        what: goes after "a class that".
        changes: pairs of an old and a new text; the old one occurs once in the right class.
    """

    what: str
    changes: tuple[tuple[str, str], ...]

    def source(self) -> str:
        """The text of the broken class."""
        text = right_class()
        for old, new in self.changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return text


@cache
def right_class() -> str:
    """The text of the class that students get."""
    return (Path(__file__).parent / "start" / "connect_four.py").read_text("utf-8")


_DRAW = "        if 0 not in self.board:\n            self.winner = 0\n"
_LOOP = "        for up, right in DIRECTIONS:\n"
_ON_BOARD = "            if not (0 <= row < ROWS and 0 <= col < COLS):\n"
_OVER_EDGE = "            if not 0 <= row * COLS + col < ROWS * COLS:\n"
_OVER = 'raise ValueError("the game is over")'
_FULL = 'raise ValueError(f"column {column} is full or not on the board")'

MUTANTS: dict[int, tuple[Mutant, ...]] = {
    1: (
        Mutant("never sees four across", (("(0, 1), (1, 0)", "(1, 0)"),)),
        Mutant(
            "names the loser as the winner",
            (("self.winner = self.player", "self.winner = -self.player"),),
        ),
        Mutant("leaves line empty", (("self.line = sorted(line)", "self.line = []"),)),
    ),
    2: (
        Mutant("cannot see rising diagonals", (("(1, 1), (1, -1)", "(1, -1)"),)),
        Mutant("cannot see falling diagonals", ((", (1, -1)]", "]"),)),
    ),
    3: (
        Mutant("never declares a draw", ((_DRAW, ""),)),
        Mutant(
            "gives a drawn game to the player who moved last",
            ((_DRAW, _DRAW.replace("= 0", "= self.player")),),
        ),
        Mutant(
            "says draw as soon as the board is full, even if the last piece makes four",
            ((_LOOP, f"{_DRAW}            return\n{_LOOP}"),),
        ),
    ),
    4: (Mutant("counts on over the edge of the board", ((_ON_BOARD, _OVER_EDGE),)),),
    5: (
        Mutant(
            "ignores a move into a full column and passes the turn",
            ((_FULL, "self.player = -self.player\n            return"),),
        ),
        Mutant("plays on when the game is over", ((_OVER, "pass"),)),
        Mutant(
            "refuses a full column but has given the turn away",
            ((_FULL, f"self.player = -self.player\n            {_FULL}"),),
        ),
        Mutant("does nothing at all when a column is full", ((_FULL, "return"),)),
        Mutant("does nothing at all when the game is over", ((_OVER, "return"),)),
        Mutant(
            "refuses a full column with KeyError instead of ValueError",
            ((_FULL, 'raise KeyError("full")'),),
        ),
    ),
}
#: Only to tell mistakes apart: it counts on over the edge, and three are enough.
_THREE = Mutant("", ((_ON_BOARD, _OVER_EDGE), ("len(line) >= 4", "len(line) >= 3")))

TESTS = {1: "test_row", 2: "test_diagonals", 3: "test_full_board", 4: "test_edge"}
TESTS[5] = "test_refusals"

_PANEL = [*(mutant for some in MUTANTS.values() for mutant in some), _THREE]
PANELS = {
    task: [
        probe("passes", right_class(), test),
        *(probe("passes", mutant.source(), test) for mutant in _PANEL),
    ]
    for task, test in TESTS.items()
}


def _kills(check: Check) -> None:
    """The test passes on the right class and fails on each mutant of its task."""
    test, mutants = TESTS[check.task.number], MUTANTS[check.task.number]
    own, value = check.names.own(test), check.probe("run", right_class(), test).value
    check.require(value["error"] != "Missing", None, f"There is no {own} in test_four.py.")
    game = value["games"][-1] if value["games"] else None
    case = check.case(board=_position(game))
    lines, number = check.file("test_four.py").splitlines(), value["line"]
    code = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    what = f"{value['error']}: {value['message']}" if value["message"] else value["error"]
    sentence = f"{own} fails on the right class, in line {number}: {code}. {_described(game)}"
    shown = f"{own}() on the right class"
    case.require(value["passes"], sentence, "", f"fails ({what})", "passes", shown=shown)
    for mutant in mutants:
        survives = check.probe("run", mutant.source(), test).value["passes"]
        passed = f"{own} also passes on a class that {mutant.what}. {_described(game)}"
        shown = f"{own}() on a class that {mutant.what}"
        case.require(
            not survives, f"The mutant survives: {passed}", "", "passes", "fails", shown=shown
        )
    killed = {1: "the mutant", 2: "both mutants"}.get(len(mutants), f"all {len(mutants)} mutants")
    check.note(f"passes on the right class and kills {killed}")


task_1 = task_2 = task_3 = task_4 = task_5 = _kills


def _position(game: Any) -> LabBoard | None:
    return None if game is None else truth.board(tuple(game["board"]), game["player"])


def _described(game: Any) -> str:
    """Who wins in a game, and how."""
    if game is None:
        return "It plays no game at all."
    if game["winner"] is None:
        return "In its last game nobody has won."
    if game["winner"] == 0:
        return "Its last game is a draw."
    line = game["line"]
    names = " ".join(f"{'abcdefg'[cell % 7]}{cell // 7 + 1}" for cell in line)
    step = line[1] - line[0] if len(line) > 1 else 0
    kinds = {1: "a row", 7: "a column", 8: "a rising diagonal", 6: "a falling diagonal"}
    winner, kind = side(game["winner"]), kinds.get(step, "a line")
    return f"In its last game {winner} wins with {names}, {kind}."
