"""Checks of the MDP lab: actions, rewards, states, backups, sweeps, one pass, matching pennies."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from rl_toolkit.algorithms.value_iteration import state_space, value_iteration
from rl_toolkit.labs.checking import Answer, Check, LabBoard, call, position, same
from rl_toolkit.labs.truth import tictactoe as truth

Values = dict[str, float]

_PENNIES = [[1, -1], [-1, 1]]
_TABLES = [_PENNIES, [[4, 2, 3], [1, 0, 5]], [[0, 2], [3, 1], [5, -4]], [[7]]]
_ENDED = ("xxx/oo1/3 o", "xx1/ooo/x2 x", "xox/xoo/oxx o")
_LATE = ("xox/oox/x2 o", "xo1/xo1/3 x", "x1o/1o1/x2 x", "xxo/1o1/x2 o")


def _state(here: LabBoard) -> str:
    """A position as the lab writes it."""
    return "".join(".XO"[cell] for cell in here.cells) + (" X" if here.mover > 0 else " O")


@cache
def _reached(start: LabBoard) -> tuple[LabBoard, ...]:
    """Every position that can be reached, the start included."""
    found, waiting = {(start.cells, start.mover): start}, [start]
    for here in waiting:
        for move in truth.moves(here):
            there = truth.play(here, move)
            if (there.cells, there.mover) not in found:
                found[there.cells, there.mover] = there
                waiting.append(there)
    return tuple(found.values())


def _first_values(places: tuple[LabBoard, ...]) -> Values:
    """The values before the first sweep, fullest boards first."""
    return {_state(here): float(truth.result(here)) for here in reversed(places)}


def _next_values(here: LabBoard) -> Values:
    """Numbers for the next states of a position, few of them equal."""
    return {_state(truth.play(here, move)): (3 * move) % 7 - 3 for move in truth.moves(here)}


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


# ------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """Actions and rewards of states drawn anew, ended ones among them."""
    places = [*map(position, (*_ENDED, *_LATE)), *check.rng.sample(truth.positions(), 150)]
    for here, answer in zip(
        places, check.calls([call("actions", _state(here)) for here in places]), strict=True
    ):
        right = truth.moves(here)
        found = answer.value
        if isinstance(found, (list, set)) and _sorted(found) == right:
            continue
        over = "The game is over here: there are no actions."
        sentence = over if truth.over(here) else "The actions are the numbers of the free cells."
        check.fail(answer, sentence, board=here, right=right)
    for here, answer in zip(
        places, check.calls([call("reward", _state(here)) for here in places]), strict=True
    ):
        result = {1: "X has won", -1: "O has won", 0: "nobody has won"}[truth.result(here)]
        sentence = f"{result[0].upper()}{result[1:]}, so X gets {truth.result(here)}."
        check.equal(answer, truth.result(here), sentence, board=here)
    check.note(f"{len(places)} states")


def _sorted(found: Any) -> list[Any]:
    try:
        return sorted(found)
    except TypeError:
        return list(found)


# ------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The states from a few late positions, then from the start."""
    late = [here for here in truth.open_positions() if here.cells.count(0) <= 5]
    starts = [*map(position, _LATE), *check.rng.sample(late, 20), position(_ENDED[0])]
    starts.append(position("3/3/3 x"))
    for start in starts:
        answer = check.call("states", _state(start))
        _check_states(check, answer, start)
    check.note("5,478 states from the empty board, 958 of them final")


def _check_states(check: Check, answer: Answer, start: LabBoard) -> None:
    found = answer.value
    right = {_state(here): here for here in _reached(start)}
    size = f"{len(right):,} states"
    if not isinstance(found, (list, set, dict)):
        sentence = "states should return a list of states."
        check.fail(answer, sentence, board=start, said=repr(found)[:80], right=size)
    seen = Counter(each for each in found if isinstance(each, str))
    missing = [state for state in right if state not in seen]
    extra = [each for each in found if not isinstance(each, str) or each not in right]
    shown: dict[str, Any] = {"said": f"{len(found):,} states", "right": size}
    if extra:
        sentence = f"{extra[0]!r} cannot be reached from here by legal moves."
        check.fail(answer, sentence, board=start, **shown)
    if missing:
        state = missing[0]
        is_ended = _is_end(right)
        is_start = missing == [_state(start)]
        is_end = all(map(is_ended, missing)) and not any(map(is_ended, seen))
        mistake = "start-missing" if is_start else "ended-missing" if is_end else ""
        sentence = f"{state!r} is missing."
        check.fail(answer, sentence, mistake=mistake, board=right[state], **shown)
    if len(found) != len(right):
        state = seen.most_common(1)[0][0]
        sentence = f"{state!r} is there more than once."
        check.fail(answer, sentence, mistake="repeats", board=right[state], **shown)


def _is_end(right: dict[str, LabBoard]) -> Any:
    return lambda state: truth.over(right[state])


# ------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Single backups, sweeps of small games, then the whole game."""
    _check_backups(check)
    late = [here for here in truth.open_positions() if 3 <= here.cells.count(0) <= 5]
    for start in [*map(position, _LATE), *check.rng.sample(late, 15)]:
        _check_sweep(check, start)
    counts = _changes()
    first = _first_values(tuple(truth.positions()))
    answer = check.probe("iterate", first, 12, seconds=4)
    changes, values = answer.value
    check.require(
        changes == counts,
        answer,
        "The sweeps of the whole game change other numbers of states than they should.",
        shown="sweep(values), again and again, for all 5,478 states",
        said=repr(changes),
        right=repr(counts),
    )
    for here in truth.positions():
        value = values.get(_state(here))
        check.require(
            same(value, truth.value(here)),
            answer,
            "After the last sweep the value of this state is not the one of minimax.",
            board=here,
            shown="value_iteration(states(START))",
            said=repr(value),
            right=str(truth.value(here)),
        )
    check.note(f"sweeps change {', '.join(map(str, counts))}; all values equal minimax")


def _check_backups(check: Check) -> None:
    places = [*map(position, (*_ENDED, *_LATE)), *check.rng.sample(truth.positions(), 80)]
    drawn: list[Values] = []
    for here in places:
        after = [_state(truth.play(here, move)) for move in truth.moves(here)]
        drawn.append({state: check.rng.randint(-5, 5) for state in after})
    made = [call("backup", _state(p), values) for p, values in zip(places, drawn, strict=True)]
    for here, values, answer in zip(places, drawn, check.calls(made, may_raise=True), strict=True):
        if answer.error is not None:
            is_end = truth.over(here) and answer.error.kind in ("ValueError", "ZeroDivisionError")
            sentence = f"backup stopped with {answer.error.kind}: {answer.error.message}"
            mistake = "no-end" if is_end else ""
            check.fail(answer, sentence, mistake=mistake, board=here)
        right = _backup(here, values)
        check.equal(answer, right, _why(here, values, right), board=here)


def _backup(here: LabBoard, values: Values) -> float:
    if truth.over(here):
        return truth.result(here)
    return max(values.values()) if here.mover > 0 else min(values.values())


def _why(here: LabBoard, values: Values, right: float) -> str:
    if truth.over(here):
        return f"The game is over: the value is the reward, {right:g}."
    side, rule = ("X", "largest") if here.mover > 0 else ("O", "smallest")
    numbers = ", ".join(
        f"{here.name(move)} {values[_state(truth.play(here, move))]:g}"
        for move in truth.moves(here)
    )
    return f"{side} moves. The next values are {numbers}; {side} takes the {rule}."


def _check_sweep(check: Check, start: LabBoard) -> None:
    """One sweep after another on the states below a late position, fullest boards first."""
    values = _first_values(_reached(start))
    places = {_state(here): here for here in _reached(start)}
    for number in range(1, 10):
        right = {state: _backup_of(places[state], values) for state in values}
        changes = sum(right[state] != values[state] for state in values)
        answer = check.call("sweep", values)
        shown = f"sweep(values), sweep {number} of the {len(values)} states from this board"
        if answer.changed:
            sentence = "After the sweep, values itself has changed."
            check.fail(answer, sentence, mistake="in-place", board=start, shown=shown, said="")
        found = answer.value
        if not isinstance(found, list) or len(found) != 2 or not isinstance(found[0], dict):
            sentence = "sweep should return two things: the new dictionary and a number."
            check.fail(answer, sentence, board=start, shown=shown)
        for state, value in right.items():
            if not same(found[0].get(state), value):
                sentence = f"The backup of {state!r} is off in sweep {number}."
                said, wanted = repr(found[0].get(state)), f"{value:g}"
                board = places[state]
                check.fail(answer, sentence, board=board, said=said, right=wanted, shown=shown)
        check.require(
            same(found[1], changes),
            answer,
            "The new values are right, but not the number of states that changed.",
            board=start,
            shown=shown,
            said=f"{found[1]!r} changes",
            right=f"{changes} changes",
        )
        if not changes:
            return
        values = right


def _backup_of(here: LabBoard, values: Values) -> float:
    after = {_state(truth.play(here, move)) for move in truth.moves(here)}
    return _backup(here, {state: values[state] for state in after})


@cache
def _changes() -> list[int]:
    """The changes in each sweep of the whole game, by the package."""
    space = state_space(position("3/3/3 x").env())
    return [sweep.changed for sweep in value_iteration(space)]


# ------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """States in any order: from late positions, then all of them."""
    late = [here for here in truth.open_positions() if 2 <= here.cells.count(0) <= 5]
    starts = [*map(position, _LATE), *check.rng.sample(late, 15), position("3/3/3 x")]
    for start in starts:
        places = {_state(here): here for here in _reached(start)}
        given = check.rng.sample(sorted(places), len(places))
        answer = check.call("backward_pass", given, may_raise=True)
        shown = f"backward_pass(all_states) for the {len(given):,} states from this board"
        if answer.error is not None:
            mistake = "fewest-first" if answer.error.kind == "KeyError" else ""
            sentence = f"backward_pass stopped with {answer.error.kind}: {answer.error.message}"
            check.fail(answer, sentence, mistake=mistake, board=start, shown=shown)
        values = answer.value
        if not isinstance(values, dict):
            sentence = "backward_pass should return a dictionary: state → value."
            check.fail(answer, sentence, board=start, shown=shown)
        check.require(
            not answer.changed, answer, "The list all_states was changed.", board=start, shown=shown
        )
        for state, here in places.items():
            if same(values.get(state), truth.value(here)):
                continue
            has = f"{state!r} has the wrong value." if state in values else f"{state!r} is missing."
            right = str(truth.value(here))
            said = repr(values.get(state))
            check.fail(answer, has, board=here, said=said, right=right, shown=shown)
    check.note("one pass over 5,478 states; all values equal minimax")


# ------------------------------------------------------------------ task 5


def task_5(check: Check) -> None:
    """Matching pennies, a table with a value, and tables drawn anew."""
    tables = [*_TABLES, *(_drawn_table(check.rng) for _ in range(40))]
    for table, answer in zip(
        tables, check.calls([call("pure_values", table) for table in tables]), strict=True
    ):
        lows = [min(row) for row in table]
        highs = [max(column) for column in zip(*table, strict=True)]
        sentence = (
            f"The row minima are {_listed(lows)}, the column maxima {_listed(highs)}. The row "
            "player takes the largest minimum, the column player the smallest maximum."
        )
        check.equal(answer, [max(lows), min(highs)], sentence)
    check.note("matching pennies: −1 and +1, so no pure value")


def _drawn_table(rng: Random) -> list[list[int]]:
    rows, cols = rng.randint(1, 4), rng.randint(1, 4)
    return [[rng.randint(-9, 9) for _ in range(cols)] for _ in range(rows)]


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
