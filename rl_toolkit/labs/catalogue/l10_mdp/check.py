"""Checks of the MDP lab: actions, rewards, states, backups, sweeps, one pass, matching pennies."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from rl_toolkit.algorithms.value_iteration import state_space, value_iteration
from rl_toolkit.labs.checking import Answer, Check, LabBoard, call, position, same, side
from rl_toolkit.labs.checking.session import Raised
from rl_toolkit.labs.truth import tictactoe as truth

Values = dict[str, float]

_PENNIES = [[1, -1], [-1, 1]]
_TABLES = [_PENNIES, [[4, 2, 3], [1, 0, 5]], [[0, 2], [3, 1], [5, -4]], [[7]]]
_ENDED = ("xxx/oo1/3 o", "xx1/ooo/x2 x", "xox/xoo/oxx o")
_LATE = ("xox/oox/x2 o", "xo1/xo1/3 x", "x1o/1o1/x2 x", "xxo/1o1/x2 o")


def _state(board: LabBoard) -> str:
    """A position as the lab writes it."""
    return "".join(".XO"[cell] for cell in board.cells) + (" X" if board.mover > 0 else " O")


@cache
def _reached(start: LabBoard) -> tuple[LabBoard, ...]:
    """Every position that can be reached, the start included."""
    return tuple(truth.reached(start))


def _first_values(places: tuple[LabBoard, ...]) -> Values:
    """The values before the first sweep, fullest boards first."""
    return {_state(board): float(truth.result(board)) for board in reversed(places)}


def _next_values(board: LabBoard) -> Values:
    """Numbers for the next states of a position, few of them equal."""
    return {_state(truth.play(board, move)): (3 * move) % 7 - 3 for move in truth.moves(board)}


PANELS = {
    1: [
        *(call("actions", _state(position(text))) for text in (*_ENDED, *_LATE)),
        *(call("reward", _state(position(text))) for text in (*_ENDED, *_LATE)),
    ],
    2: [call("states", _state(position(text))) for text in _LATE[:2]],
    3: [
        *(call("backup", _state(p), _next_values(p)) for p in map(position, (*_ENDED, *_LATE))),
        *(call("sweep", _first_values(_reached(position(text)))) for text in _LATE),
    ],
    4: [
        call("backward_pass", list(_first_values(_reached(position(text))))[::step])
        for text in _LATE
        for step in (1, -1)
    ],
    5: [call("pure_values", table) for table in _TABLES],
}


def _late(check: Check, count: int, free: range) -> list[LabBoard]:
    """The late positions of the sheet, and some drawn anew."""
    return [*map(position, _LATE), *truth.drawn(check.rng, count, free)]


# ------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """Actions and rewards of states drawn anew, ended ones among them."""
    places = [*map(position, (*_ENDED, *_LATE)), *check.rng.sample(truth.positions(), 150)]
    boards = {_state(board): board for board in places}

    def shown(value: Any, right: Any, state: str) -> dict[str, Any]:
        return {"board": boards[state]}

    def actions(value: Any, right: list[int], state: str) -> str:
        if truth.over(boards[state]):
            return "The game is over here: there are no actions."
        return "The actions are the numbers of the free cells."

    def fits(value: Any, right: list[int]) -> bool:
        return isinstance(value, (list, set)) and _sorted(value) == right

    def reward(value: Any, right: int, state: str) -> str:
        result = {1: "X has won", -1: "O has won", 0: "Nobody has won"}[right]
        return f"{result}, so X gets {right}."

    moves = [truth.moves(board) for board in boards.values()]
    check.compare("actions", boards, moves, actions, fits=fits, shown=shown)
    results = [truth.result(board) for board in boards.values()]
    check.compare("reward", boards, results, reward, shown=shown)
    check.note(f"{len(places)} states")


def _sorted(found: Any) -> list[Any]:
    try:
        return sorted(found)
    except TypeError:
        return list(found)


# ------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The states from a few late positions, then from the start."""
    starts = [*_late(check, 20, range(6)), position(_ENDED[0]), position("3/3/3 x")]
    for start in starts:
        _check_states(check, check.call("states", _state(start)), start)
    check.note("5,478 states from the empty board, 958 of them final")


def _check_states(check: Check, answer: Answer, start: LabBoard) -> None:
    states = answer.value
    right = {_state(board): board for board in _reached(start)}
    size = f"{len(right):,} states"
    if not isinstance(states, (list, set, dict)):
        case = check.case(answer, board=start, said=repr(states)[:80], right=size)
        case.fail("states should return a list of states.")
    case = check.case(answer, board=start, said=f"{len(states):,} states", right=size)
    seen = Counter(entry for entry in states if isinstance(entry, str))
    for entry in states:
        is_reached = isinstance(entry, str) and entry in right
        case.require(is_reached, f"{entry!r} cannot be reached from here by legal moves.")
    missing = [state for state in right if state not in seen]
    if missing:

        def is_end(state: str) -> bool:
            return truth.over(right[state])

        is_ends = all(map(is_end, missing)) and not any(map(is_end, seen))
        is_start = missing == [_state(start)]
        mistake = "start-missing" if is_start else "ended-missing" if is_ends else ""
        case.fail(f"{missing[0]!r} is missing.", mistake, board=right[missing[0]])
    if len(states) != len(right):
        state = seen.most_common(1)[0][0]
        case.fail(f"{state!r} is there more than once.", "repeats", board=right[state])


# ------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Single backups, sweeps of small games, then the whole game."""
    _check_backups(check)
    for start in _late(check, 15, range(3, 6)):
        _check_sweep(check, start)
    counts = _changes()
    first = _first_values(tuple(truth.positions()))
    answer = check.probe("iterate", first, 12, seconds=4)
    changes, values = answer.value
    case = check.case(answer, shown="sweep(values), again and again, for all 5,478 states")
    sentence = "The sweeps of the whole game change other numbers of states than they should."
    case.require(changes == counts, sentence, "", repr(changes), repr(counts))
    sentence = "After the last sweep the value of this state is not the one of minimax."
    for board in truth.positions():
        value, right = values.get(_state(board)), truth.value(board)
        case = check.case(answer, board=board, shown="value_iteration(states(START))")
        case.require(same(value, right), sentence, "", repr(value), right)
    check.note(f"sweeps change {', '.join(map(str, counts))}; all values equal minimax")


def _check_backups(check: Check) -> None:
    places = [*map(position, (*_ENDED, *_LATE)), *check.rng.sample(truth.positions(), 80)]
    boards = {_state(board): board for board in places}
    cases: list[tuple[str, Values]] = []
    for board in places:
        after = [_state(truth.play(board, move)) for move in truth.moves(board)]
        cases.append((_state(board), {state: check.rng.randint(-5, 5) for state in after}))

    def stopped(error: Raised, state: str, values: Values) -> tuple[str, str]:
        is_end = not values and error.kind in ("ValueError", "ZeroDivisionError")
        return f"backup stopped with {error.kind}: {error.message}", "no-end" if is_end else ""

    check.compare(
        "backup",
        cases,
        lambda state, values: _backup(boards[state], values),
        lambda value, right, state, values: _why(boards[state], values, right),
        raised=stopped,
        shown=lambda value, right, state, values: {"board": boards[state]},
    )


def _backup(board: LabBoard, values: Values) -> float:
    """The value of a position from those of the next ones."""
    if truth.over(board):
        return truth.result(board)
    below = [values[_state(truth.play(board, move))] for move in truth.moves(board)]
    return max(below) if board.mover > 0 else min(below)


def _why(board: LabBoard, values: Values, right: float) -> str:
    if truth.over(board):
        return f"The game is over: the value is the reward, {right:g}."
    mover, rule = side(board.mover), "largest" if board.mover > 0 else "smallest"
    after = {board.name(move): _state(truth.play(board, move)) for move in truth.moves(board)}
    numbers = ", ".join(f"{name} {values[state]:g}" for name, state in after.items())
    return f"{mover} moves. The next values are {numbers}; {mover} takes the {rule}."


def _check_sweep(check: Check, start: LabBoard) -> None:
    """One sweep after another on the states below a late position, fullest boards first."""
    values = _first_values(_reached(start))
    places = {_state(here): here for here in _reached(start)}
    for number in range(1, 10):
        right = {state: _backup(places[state], values) for state in values}
        changes = sum(right[state] != values[state] for state in values)
        answer = check.call("sweep", values)
        shown = f"sweep(values), sweep {number} of the {len(values)} states from this board"
        case = check.case(answer, board=start, shown=shown)
        sentence = "After the sweep, values itself has changed."
        case.require(not answer.changed, sentence, "in-place", "")
        said = answer.value
        is_pair = isinstance(said, list) and len(said) == 2 and isinstance(said[0], dict)
        sentence = "sweep should return two things: the new dictionary and a number."
        case.require(is_pair, sentence)
        for state, value in right.items():
            own, sentence = said[0].get(state), f"The backup of {state!r} is off in sweep {number}."
            is_same, board = same(own, value), places[state]
            case.require(is_same, sentence, "", repr(own), f"{value:g}", board=board)
        sentence = "The new values are right, but not the number of states that changed."
        own, expected = f"{said[1]!r} changes", f"{changes} changes"
        case.require(same(said[1], changes), sentence, "", own, expected)
        if not changes:
            return
        values = right


@cache
def _changes() -> list[int]:
    """The changes in each sweep of the whole game, by the package."""
    space = state_space(position("3/3/3 x").env())
    return [sweep.changed for sweep in value_iteration(space)]


# ------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """States in any order: from late positions, then all of them."""
    for start in (*_late(check, 15, range(2, 6)), position("3/3/3 x")):
        places = {_state(board): board for board in _reached(start)}
        given = check.rng.sample(sorted(places), len(places))
        answer = check.call("backward_pass", given, may_raise=True)
        values, error = answer.value, answer.error
        shown = f"backward_pass(all_states) for the {len(given):,} states from this board"
        case = check.case(answer, board=start, shown=shown)
        if error is not None:
            mistake = "fewest-first" if error.kind == "KeyError" else ""
            case.fail(f"backward_pass stopped with {error.kind}: {error.message}", mistake)
        sentence = "backward_pass should return a dictionary: state → value."
        case.require(isinstance(values, dict), sentence)
        case.require(not answer.changed, "The list all_states was changed.")
        for state, board in places.items():
            own, right = values.get(state), truth.value(board)
            what = "has the wrong value" if state in values else "is missing"
            is_same = same(own, right)
            case.require(is_same, f"{state!r} {what}.", "", repr(own), right, board=board)
    check.note("one pass over 5,478 states; all values equal minimax")


# ------------------------------------------------------------------ task 5


def task_5(check: Check) -> None:
    """Matching pennies, a table with a value, and tables drawn anew."""
    tables = [*_TABLES, *(_drawn_table(check.rng) for _ in range(40))]

    def bounds(table: list[list[int]]) -> tuple[list[int], list[int]]:
        columns = zip(*table, strict=True)
        return [min(row) for row in table], [max(column) for column in columns]

    def right(table: list[list[int]]) -> list[int]:
        lows, highs = bounds(table)
        return [max(lows), min(highs)]

    def sentence(value: Any, right: list[int], table: list[list[int]]) -> str:
        lows, highs = (", ".join(map(str, numbers)) for numbers in bounds(table))
        return (
            f"The row minima are {lows}, the column maxima {highs}. The row "
            "player takes the largest minimum, the column player the smallest maximum."
        )

    check.compare("pure_values", tables, right, sentence)
    check.note("matching pennies: −1 and +1, so no pure value")


def _drawn_table(rng: Random) -> list[list[int]]:
    rows, cols = rng.randint(1, 4), rng.randint(1, 4)
    return [[rng.randint(-9, 9) for _ in range(cols)] for _ in range(rows)]
