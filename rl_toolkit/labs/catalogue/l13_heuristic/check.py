"""Checks of the lab on depth and heuristic."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from rl_toolkit.labs.checking import (
    Check,
    LabBoard,
    OneOf,
    after,
    call,
    position,
    probe,
    same,
    side,
    signed,
)
from rl_toolkit.labs.truth import connect_four as truth
from rl_toolkit.labs.truth.connect_four import COLS, GAME, WINDOWS

WIN = 100_000
#: The moves before a position that is drawn.
PLIES = range(3, 30)
POINTS = {2: 10, 3: 100}
#: Moves of the handouts with the sums of their boards.
SUMS = {"d": 3, "dad": 16, "dada": 6, "dadad": 109, "cadae": 203}

MARKS = after([0, 1], GAME)
#: A window of four cells, +1, −1 or 0 each → its score.
Scores = dict[tuple[int, ...], float]
#: Windows that are not full of one colour, in the order of the probe.
OPEN_WINDOWS = [window for window in product((1, -1, 0), repeat=4) if abs(sum(window)) < 4]
#: What three of O cost in handout D.
HEAVY = 120


def _at(letters: str) -> LabBoard:
    return after(["abcdefg".index(letter) for letter in letters], GAME)


#: X has three at the bottom with both ends open: O is lost, and X wins at once if it is X's turn.
OPEN_THREE = _at("cadae")
MINE = position("7/7/7/7/o5o/o1xxx2 x", GAME)
THEIRS = position("7/7/7/7/x5x/x1ooo2 o", GAME)
#: Three moves from a full board, a draw whatever happens; O has more of the middle column.
LATE = _at("fbgfaacacfabfdccaacgcddeefebfegebbbdddg")

PANELS = {
    1: [probe("window_score", MARKS)],
    2: [call("evaluate", _at(letters)) for letters in (*SUMS, "ddd", "dddd", "adbdcf", "cdcdcea")],
    3: [
        *(
            call("minimax_depth", p, depth, seconds=0.5)  # soon enough for a search without end
            for p in (OPEN_THREE, MINE, THEIRS)
            for depth in (0, 1, 2)
        ),
        *(call("minimax_depth", _at("ddd"), depth) for depth in (1, 2)),
        *(call("minimax_depth", _at("dddcd"), depth) for depth in (1, 2)),
        *(call("minimax_depth", _at("cadaef"), depth) for depth in (0, 1, 3)),
        *(call("minimax_depth", _at("cadaeb"), depth) for depth in (1, 3)),
        *(call("minimax_depth", _at("cadaegf"), depth) for depth in (0, 2)),
        call("minimax_depth", LATE, 3),
    ],
    4: [
        *(call("choose", p, depth) for p in (OPEN_THREE, MINE, THEIRS, LATE) for depth in (1, 2)),
        *(
            call("choose", _at(letters), depth)
            for letters in ("", "d", "dc", "dce")
            for depth in (1, 2)
        ),
        *(call("choose", _at(letters), 1) for letters in ("dada", "cadf", "cadfe")),
    ],
}


# ------------------------------------------------------------------------------ the tasks


def task_1(check: Check) -> None:
    """All windows that are not full of one colour; three of O may cost 120, as in handout D."""
    scores = dict(zip(OPEN_WINDOWS, check.probe("window_score", MARKS).value, strict=True))
    threes = [window for window in OPEN_WINDOWS if _window_score(window) == -POINTS[3]]
    is_heavy = all(scores[window] == -HEAVY for window in threes)
    for window, value in scores.items():
        right = -HEAVY if is_heavy and window in threes else _window_score(window)
        cells = ", ".join(repr("X.O"[1 - cell]) for cell in window)
        case = check.case(shown=f"window_score([{cells}])")
        is_right = value == right and not isinstance(value, bool)
        case.require(is_right, _window_sentence(window), "", repr(value), right)
    check.note(f"{len(OPEN_WINDOWS)} windows, all right")
    if is_heavy:
        check.note(
            "three of O cost 120, as in handout D: minimax with X's values may weigh that more, a "
            "negamax may not (erratum R41)"
        )


def task_2(check: Check) -> None:
    """The sums of the handouts and of random boards, with the student's own windows.

    A wrong window_score costs the points of its own task and of no other.
    """
    scores = _scores_in_use(check)
    drawn = [_at(letters) for letters in SUMS] + truth.random_positions(check.rng, 30, PLIES)
    swapped = [truth.board(tuple(-cell for cell in p.cells), -p.mover) for p in drawn]
    for cases in (drawn, swapped):
        check.compare("evaluate", cases, lambda p: _evaluate(p.cells, scores), _sum_sentence)
    sums = ", ".join(str(_evaluate(_at(letters).cells, scores)) for letters in SUMS)
    check.note(f"{sums} in the examples, and {2 * len(drawn) - len(SUMS)} more boards")


def task_3(check: Check) -> None:
    """Ends, the horizon, and values of random positions; the heuristic is the student's own."""
    scores = _scores_in_use(check)

    def right(board: LabBoard, depth: int) -> float:
        return _value(board.cells, board.mover, depth, scores)

    def sentence(value: Any, right: float, board: LabBoard, depth: int) -> str:
        return _value_sentence(board, depth, right, scores)

    ends = [(MINE, 1), (THEIRS, 1), (MINE, 3), (OPEN_THREE, 2), (LATE, 2), (LATE, 3)]
    won = [(p, depth) for p in _won_positions(check.rng, 6) for depth in (0, 2)]
    drawn = truth.random_positions(check.rng, 24, PLIES)
    near = [(p, depth) for depth in (0, 1) for p in drawn]
    far = [(p, 2) for p in drawn[:10]] + [(p, 3) for p in drawn[:2]]
    for cases in (won, ends, near, far):  # the quick ones first
        check.compare("minimax_depth", cases, right, sentence, seconds=4)
    check.note(f"{len(won + ends + near + far)} values with depths from 0 to 3, all right")


def task_4(check: Check) -> None:
    """Wins are taken, lost positions get a move, and random positions one of the best columns."""
    drawn, scores = truth.random_positions(check.rng, 24, PLIES), _scores_in_use(check)

    def best(board: LabBoard, depth: int) -> OneOf:
        values = _column_values(board, depth, scores)
        return OneOf(column for column in values if values[column] == max(values.values()))

    def sentence(value: Any, right: OneOf, board: LabBoard, depth: int) -> str:
        return _choice_sentence(value, board, _column_values(board, depth, scores), right[0])

    near = [(OPEN_THREE, 2), (LATE, 3), *((p, 1) for p in drawn)]
    far = [(MINE, 3), (THEIRS, 3), *((p, 2) for p in drawn)]
    for cases in (near, far, [(p, 3) for p in drawn[:2]]):
        check.compare("choose", cases, best, sentence, seconds=4)
    check.note("wins in one are taken, and lost positions get a move")


# ------------------------------------------------------------------------------ right answers


def _window_score(window: tuple[int, ...]) -> int:
    x, o = window.count(1), window.count(-1)
    return 0 if x and o else POINTS.get(x, 0) - POINTS.get(o, 0)


def _scores_in_use(check: Check) -> Scores:
    """The scores of windows by which the student's evaluate adds up: their own, or the right ones.

    The right ones if evaluate does not use window_score, or if that does not answer with numbers.
    """
    asked = check.probe("window_score", MARKS, may_raise=True)
    own = asked.value if asked.error is None else []
    if len(own) != len(OPEN_WINDOWS) or not all(type(each) in (int, float) for each in own):
        return SCORES
    scores = {**SCORES, **dict(zip(OPEN_WINDOWS, own, strict=True))}
    boards = [_at(letters) for letters in (*SUMS, "dcdcecb", "adbdcf")]
    answers = check.calls([call("evaluate", board) for board in boards], may_raise=True)
    pairs = [(answer.value, answer.call.arguments[0].cells) for answer in answers]
    is_right = all(same(value, _evaluate(cells, SCORES)) for value, cells in pairs)
    return SCORES if is_right else scores


def _evaluate(cells: tuple[int, ...], scores: Scores) -> float:
    total: float = 3 * sum(cells[3::COLS])
    for a, b, c, d in WINDOWS:
        total += scores[cells[a], cells[b], cells[c], cells[d]]
    return total


def _value(cells: tuple[int, ...], mover: int, depth: int, scores: Scores) -> float:
    """X's value, looking ``depth`` moves ahead."""
    if won := truth.winner(cells):
        return won * (WIN + depth)
    columns = truth.columns(cells)
    if not columns:
        return 0
    if depth == 0:
        return _evaluate(cells, scores)
    boards = [truth.drop(cells, column, mover) for column in columns]
    values = [_value(board, -mover, depth - 1, scores) for board in boards]
    return max(values) if mover > 0 else min(values)


def _column_values(board: LabBoard, depth: int, scores: Scores) -> dict[int, float]:
    """The values of all columns for the player to move."""
    cells, mover = board.cells, board.mover
    return {
        column: mover * _value(truth.drop(cells, column, mover), -mover, depth - 1, scores)
        for column in truth.columns(cells)
    }


#: The right scores; full windows end the game before anything is added up.
SCORES: Scores = {window: _window_score(window) for window in product((1, -1, 0), repeat=4)}


# ------------------------------------------------------------------------------ sentences


def _window_sentence(window: tuple[int, ...]) -> str:
    x, o = window.count(1), window.count(-1)
    if x and o:
        return "X and O are both in this window, so nobody can complete it: 0."
    if max(x, o) < 2:
        return "A window with fewer than two discs counts nothing."
    points = "100" if max(x, o) == 3 else "10"
    side, sign = ("X", "+") if x else ("O", "−")
    return f"{max(x, o)} discs of {side} and the rest empty count {sign}{points}."


def _sum_sentence(value: Any, right: float, board: LabBoard) -> str:
    centre = 3 * sum(board.cells[3::COLS])
    windows, middle = signed(right - centre), signed(centre)
    return f"All windows together give {windows} and the middle column {middle}."


def _value_sentence(board: LabBoard, depth: int, right: float, scores: Scores) -> str:
    if winner := truth.winner(board.cells):
        first = " Ask for the winner before you ask for the depth." if depth == 0 else ""
        return f"{side(winner)} has won, with depth {depth} left: {right:,}.{first}"
    if depth == 0:
        return "No depth is left and the game is not over: this is the value of evaluate."
    values = {column: board.mover * v for column, v in _column_values(board, depth, scores).items()}
    listed = ", ".join(f"{'abcdefg'[column]} {value:,}" for column, value in values.items())
    mover, best = side(board.mover), "highest" if board.mover > 0 else "lowest"
    return f"{mover} is to move; the columns are worth {listed}, and {mover} takes the {best}."


def _choice_sentence(value: Any, board: LabBoard, values: dict[int, float], good: int) -> str:
    name = "abcdefg"[good]
    if value is None:
        return "There is a legal column, so the answer must not be None, even if all columns lose."
    if values[good] > WIN / 2 and isinstance(value, int) and values.get(value, 0) > WIN / 2:
        return f"Column {name} wins sooner. A quicker win has the higher value."
    if not isinstance(value, int) or value not in values:
        return "That is not a legal column."
    worth, own = board.mover * values[good], board.mover * values[value]
    return (
        f"For {side(board.mover)}, column {name} is worth {worth:,}, and column "
        f"{'abcdefg'[value]} only {own:,} (values are X's)."
    )


def _won_positions(rng: Random, count: int) -> list[LabBoard]:
    """Ends of random games, won by either side; the side to move is the other one."""
    won: list[LabBoard] = []
    while len(won) < count:
        env, winner = truth.random_game(rng), 1 if len(won) % 2 else -1
        if env.winner == winner:
            won.append(truth.board(tuple(int(cell) for cell in env.board), -winner))
    return won
