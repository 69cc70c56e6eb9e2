"""Checks of the Connect Four lab."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from rl_toolkit.envs.bases import runs_through
from rl_toolkit.labs.checking import Check, LabBoard, after, call, from_env, position, probe
from rl_toolkit.labs.truth import connect_four as truth
from rl_toolkit.labs.truth.connect_four import COLS, GAME, ROWS

EMPTY = after([], GAME)
ACROSS = after([0, 0, 1, 1, 2, 2, 3], GAME)
UP = after([3, 4, 3, 4, 3, 4, 3], GAME)
RISING = after([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3], GAME)
FALLING = after([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3], GAME)
FULL = after([0] * 6, GAME)
#: X on e1, f1, g1 and a1, a2: a walk that leaves the board on the right comes back at a1.
EDGES = position("7/7/7/7/x6/xoo1xxx o", GAME)
#: Discs on the bottom and the top of one column, which a walk through row −1 would join.
TOP = after([3, 3, 3, 3, 3, 3, 0, 6, 0, 6], GAME)
#: A draw: three pairs of columns, then the last column.
DRAW = [
    *(column for a in (0, 2, 4) for column in [a, a + 1] * 3 + [a + 1, a] * 3),
    *[6] * 6,
]
#: Five in a row; two across and two up from one cell; columns with one free cell.
FIVE = position("7/7/7/7/7/xxxxx2 o", GAME)
CORNER = position("7/7/7/x6/xoo4/xxxooo1 o", GAME)
NEARLY = after([0] * 5 + [6] * 5, GAME)
COUNTS = [7, 49, 343, 2_401, 16_807, 117_649, 823_536]

_LINES = [(ACROSS, cell) for cell in (0, 1, 2, 3)] + [(UP, cell) for cell in (3, 10, 17, 24)]
_LINES += [(RISING, cell) for cell in (0, 8, 16, 24)] + [
    (FALLING, cell) for cell in (6, 12, 18, 24)
]

PANELS = {
    1: [
        *(call("lowest_row", p, column) for p in (EMPTY, FULL, UP) for column in (0, 3, 6)),
        *(call("legal", p) for p in (EMPTY, FULL, UP, NEARLY)),
    ],
    2: [
        *(call("wins_at", p, *divmod(cell, COLS)) for p, cell in _LINES),
        *(call("wins_at", EDGES, 0, column) for column in (0, 3, 6)),
        *(call("wins_at", TOP, row, 3) for row in (0, 5)),
        *(call("wins_at", p, 0, column) for p in (FIVE, CORNER) for column in (0, 1, 2)),
        *(call("wins_at", EMPTY, row, column) for row in (0, 5) for column in (0, 3)),
    ],
    3: [
        probe("shared", EMPTY, 3, "X"),
        *(call("step", EMPTY, column, 1) for column in (-1, 0, 6, 7)),
        call("step", FULL, 0, 1),
        call("step", UP, 0, -1),
    ],
    4: [call("windows")],
}


def task_1(check: Check) -> None:
    """Where discs land, and which columns are open."""
    positions = [EMPTY, FULL, NEARLY, *islice(_random_positions(check.rng), 60)]
    cases = [(p, column) for p in positions for column in range(COLS)]
    check.compare("lowest_row", cases, _lowest_row, _landing)
    sentence = "A column is open while its top cell is empty. Name them from left to right."
    check.compare("legal", positions, lambda p: truth.columns(p.cells), sentence)
    check.note(f"{len(cases)} landings and {len(positions)} lists of columns, all right")


def task_2(check: Check) -> None:
    """Four in a row through a cell, in every direction and from every place in the line."""
    cells = [*_LINES, (FIVE, 0), (FIVE, 2), (CORNER, 0), (CORNER, 1)]
    cells += [(EDGES, 6), (EDGES, 0), (TOP, 3), (TOP, 38), (EMPTY, check.rng.randrange(42))]
    for p in islice(_random_positions(check.rng, ends=0.7), 150):
        cells += [(p, cell) for cell in check.rng.sample(range(42), 4)]
        cells += [(p, p.last)] if p.last is not None else []
    cases = [(p, *divmod(cell, COLS)) for p, cell in cells]
    check.compare("wins_at", cases, lambda *case: len(_longest(*case)) >= 4, _line)
    check.note(f"{len(cases)} cells, all right")


def task_3(check: Check) -> None:
    """Moves and refusals, the old board untouched, and the number of move sequences."""
    answer = check.call("step", EMPTY, 3, 1)
    check.equal(answer, list(EMPTY.play(3).cells), "A disc dropped into column d lands on d1.")
    kept = check.probe("shared", EMPTY, 3, "X").value
    mistakes = {"board": "changes-board", "rows": "shares-rows"}
    case = check.case(answer, said="a move on the old board")
    sentence = "Your step changes the old board. Make a new board and leave the old one as it was."
    is_new, right = kept not in mistakes, "a new board, the old one as it was"
    case.require(is_new, sentence, mistakes.get(kept, ""), right=right)
    _refusals(check)
    _whole_games(check)
    counts = check.probe("count_moves", EMPTY, after([0, 1], GAME), len(COUNTS), seconds=8).value
    for moves, (count, expected) in enumerate(zip(counts, COUNTS, strict=True), 1):
        sentence = (
            f"{moves} moves can be made in {expected:,} ways from the empty board, and your rules "
            f"give {count:,}. legal, is_won and step do not fit together."
        )
        check.require(count == expected, None, sentence, board=EMPTY)
    check.note("823,536 ways to make seven moves, as it must be")


def _refusals(check: Check) -> None:
    wrong = [
        (EMPTY, -1, "This column would be left of the board: refuse it."),
        (EMPTY, 7, "This column would be right of the board: refuse it."),
        (FULL, 0, "Column a is full: refuse the move."),
        (UP, 0, "X has won with d1 to d4, so no more moves are possible: refuse it."),
    ]
    full = next(p for p in _random_positions(check.rng) if _full_columns(p))
    wrong.append((full, _full_columns(full)[0], "This column is full: refuse the move."))
    won = next(p for p in _random_positions(check.rng, ends=1.0) if p.winner)
    wrong.append((won, truth.columns(won.cells)[0], "This game is won: refuse the move."))
    for board, column, sentence in wrong:
        answer = check.call("step", board, column, board.mover, may_raise=True)
        kind = answer.error.kind if answer.error else ""
        case = check.case(answer, said=f"it raised {kind}" if kind else "it made a move")
        sentence += " To refuse a move means: raise ValueError(…)."
        case.require(kind == "ValueError", sentence, right="ValueError")


def _whole_games(check: Check) -> None:
    """Every move of a drawn game and of random games."""
    games = [DRAW, *(list(truth.random_game(check.rng).history) for _ in range(12))]
    cases: list[tuple[LabBoard, int, int]] = []
    for moves in games:
        board = EMPTY
        for move in moves:
            cases.append((board, move, board.mover))
            board = board.play(move)
    sentence = "The disc falls to the lowest empty cell of its column."
    check.compare("step", cases, lambda p, move, _: list(p.play(move).cells), sentence)


def task_4(check: Check) -> None:
    """The 69 windows."""
    answer = check.call("windows")
    case = check.case(answer, right="69 windows")
    try:
        own = [frozenset((int(r), int(c)) for r, c in window) for window in answer.value]
    except (TypeError, ValueError):
        case.fail("A window is a list of four pairs (row, column).")
    right = {frozenset(divmod(cell, COLS) for cell in window) for window in truth.WINDOWS}
    value = f"{len(own)} windows"
    for window in own:
        outside = [c for c in sorted(window) if not (0 <= c[0] < ROWS and 0 <= c[1] < COLS)]
        sentence = f"{_names(window)} are not four cells in a row." if not outside else ""
        if outside:
            sentence = f"One of your windows has the cell {outside[0]}, which is off the board."
        case.require(window in right, sentence, said=value, board=_with(window))
    missing = sorted(right.difference(own), key=sorted)
    if missing:
        falling = [w for w in right if sorted(w)[0][1] > sorted(w)[-1][1]]
        mistake = "falling-missing" if missing == sorted(falling, key=sorted) else ""
        sentence = f"The window {_names(missing[0])} is missing (shown as X)."
        case.fail(sentence, mistake, value, board=_with(missing[0]))
    sentence = "Some windows are in your list twice. A window read backwards is the same window."
    case.require(len(own) == len(right), sentence, said=value)
    check.note("24 across, 21 up, 12 and 12 diagonal: 69")


# ------------------------------------------------------------------------------ right answers


def _lowest_row(p: LabBoard, column: int) -> int | None:
    return next((row for row in range(ROWS) if not p.cells[row * COLS + column]), None)


def _longest(p: LabBoard, row: int, column: int) -> list[int]:
    """The longest run of equal discs through a cell; nothing for an empty cell."""
    cell = row * COLS + column
    if not p.cells[cell]:
        return []
    cells = bytes(index + 1 for index in p.cells)
    return max(runs_through(cells, cell, ROWS, COLS), key=len)


def _full_columns(p: LabBoard) -> list[int]:
    return [] if p.over else sorted({*range(COLS)} - {*truth.columns(p.cells)})


# ------------------------------------------------------------------------------ sentences


def _landing(value: object, right: int | None, p: LabBoard, column: int) -> str:
    name = "abcdefg"[column]
    if right is None:
        return f"Column {name} is full, so no disc can land there: the answer is None."
    return f"The lowest empty cell of column {name} is {name}{right + 1}."


def _line(value: object, right: bool, p: LabBoard, row: int, column: int) -> str:
    name, run = p.name(row * COLS + column), _longest(p, row, column)
    if right:
        ends = f"{p.name(run[0])}–{p.name(run[-1])}"
        return f"{name} is part of {len(run)} in a row: {ends}."
    if not run:
        return f"{name} is empty, and an empty cell is not part of a line."
    return f"The longest line through {name} has {len(run)} of 4 discs."


def _names(window: frozenset[tuple[int, int]]) -> str:
    return " ".join(f"{'abcdefg'[c]}{r + 1}" for r, c in sorted(window))


def _with(window: frozenset[tuple[int, int]]) -> LabBoard:
    """A board with X on the cells of a window."""
    return truth.board(tuple(int(divmod(cell, COLS) in window) for cell in range(42)), 1)


def _random_positions(rng: Random, ends: float = 0.2) -> Iterator[LabBoard]:
    """Positions of random games without end; ``ends`` is the share in which the game is over."""
    while True:
        plies = 99 if rng.random() < ends else rng.randrange(4, 36)
        yield from_env(truth.random_game(rng, plies))
