"""Checks of the lab about networks."""

from __future__ import annotations

from math import sqrt
from typing import Any

from rl_toolkit.labs.catalogue.l20_network.run import Outcome, RunError, random_grade, trained
from rl_toolkit.labs.catalogue.l20_network.settings import FILE, RunSettingsError, run_settings
from rl_toolkit.labs.checking import Check, LabBoard, Picture, call, position, same, side
from rl_toolkit.labs.truth import tictactoe as truth
from rl_toolkit.learning.alphazero import planes_of
from rl_toolkit.learning.training import Settings

#: The grade that a run must reach, and by how much it must rise.
ENOUGH, RISE = 0.85, 0.05

#: Boards for the planes; in those of the second row O has opened.
SEEN = [position(text) for text in ("xx1/oo1/3 x", "xx1/o2/3 o", "3/3/3 x", "x1o/1x1/3 o")]
SEEN += [position(text) for text in ("3/3/3 o", "1o1/3/3 x", "xo1/3/3 o")]
#: Children in the example of the sheet: prior, sum of values, visits.
HAND = [(0.5, 3.0, 5), (0.3, 1.0, 2), (0.2, 0.0, 0)]
SCORED = [(*child, 10, 1.5) for child in HAND]
SCORED += [(0.4, -2.0, 4, 30, 2.0), (0.9, 6.0, 9, 16, 1.0), (0.1, 0.5, 1, 1, 1.5)]
COUNTED = [1, 0, 3, 0, 0, 0, 0, 0, 0]

PANELS = {
    1: [call("planes", question) for question in SEEN],
    2: [call("puct_score", *arguments) for arguments in SCORED],
    3: [call("targets", COUNTED, player, won) for player in (1, -1) for won in (1, -1, 0)],
}


# ------------------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """The planes of fixed boards, of boards drawn anew, and of games that O opened."""
    drawn, others = truth.drawn(check.rng, 150), truth.drawn(check.rng, 50)
    boards = [*SEEN, *drawn, *map(truth.swapped, others)]
    check.compare(
        "planes",
        boards,
        _planes,
        _plane_sentence,
        fits=lambda value, right: _flat(value) == right,
        changed="planes changed the board. It should only look at it.",
    )
    check.note(f"{len(boards)} boards, O opening in some of them")


def _planes(board: LabBoard) -> list[list[int]]:
    seen = planes_of([board.env()])[0].reshape(9, 3).astype(int)
    return [[int(cell) for cell in seen[:, plane]] for plane in range(3)]


def _flat(value: Any) -> Any:
    """Planes as lists of nine numbers, if they are planes: rows may be lists of their own."""
    if not isinstance(value, list):
        return value
    flat = []
    for plane in value:
        cells = plane if isinstance(plane, list) else [plane]
        nested = [cell for row in cells for cell in (row if isinstance(row, list) else [row])]
        flat.append([int(c) if isinstance(c, (bool, int, float)) else c for c in nested])
    return flat


def _plane_sentence(value: Any, right: list[list[int]], board: LabBoard) -> str:
    said, mover = _flat(value), side(board.mover)
    if not isinstance(said, list) or [len(plane) for plane in said] != [9, 9, 9]:
        return "The answer must be three planes of nine numbers each."
    plane = next(number for number in range(3) if said[number] != right[number])
    if plane == 2:
        mine, theirs = sum(right[0]), sum(right[1])
        opened = "opened the game" if mine == theirs else "did not open the game"
        return (
            f"{mover} is to move and has {mine} marks on the board against {theirs}: "
            f"{mover} {opened}, so plane 2 is {right[2][0]} everywhere."
        )
    whose = f"{mover}, who is to move" if plane == 0 else "the other side"
    cells = [board.name(cell) for cell in range(9) if right[plane][cell]]
    where = " and ".join(cells) if cells else "no cell"
    return f"Plane {plane} is for {whose}: it has a 1 on {where}."


# ------------------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The score in the example, without visits, and in cases drawn anew."""
    cases = list(SCORED)
    for _ in range(60):
        visits = check.rng.choice([0, 0, 1, 2, 5, check.rng.randint(1, 80)])
        total = check.rng.uniform(-visits, visits)
        parent = visits + check.rng.randint(1, 100)
        cases.append((check.rng.random(), total, visits, parent, check.rng.choice([1.0, 1.5, 2.5])))
    check.compare("puct_score", cases, _puct, _puct_sentence)
    plain = check.call("puct_score", *HAND[0], 10)
    check.equal(plain, _puct(*HAND[0], 10, 1.5), "If c is not given, it is 1.5.")
    check.note("0.995, 0.974 and 0.949 in the example, and 60 more")


def _puct(prior: float, total: float, visits: int, parent: int, c: float) -> float:
    mean = total / visits if visits else 0.0
    return mean + c * prior * sqrt(parent) / (1 + visits)


def _puct_sentence(
    value: Any, right: float, prior: float, total: float, visits: int, parent: int, c: float
) -> str:
    mean = total / visits if visits else 0.0
    without = " (nothing is known yet)" if not visits else ""
    return (
        f"Q is {mean:.3f}{without} and the bonus {c:g} · {prior:.3g} · √{parent} / {1 + visits} = "
        f"{right - mean:.3f}; the score is their sum."
    )


# ------------------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Shares of visits, and the result in the view of the player."""
    cases = [(COUNTED, player, won) for player in (1, -1) for won in (1, -1, 0)]
    for _ in range(40):
        counts = [check.rng.choice([0, 0, 1, 4, check.rng.randint(0, 200)]) for _ in range(9)]
        counts[check.rng.randrange(9)] += 1
        cases.append((counts, check.rng.choice([1, -1]), check.rng.choice([1, -1, 0])))
    changed = "targets changed the list of visits. It should only read it."
    check.compare("targets", cases, _targets, _target_sentence, changed=changed)
    check.note(f"{len(cases)} positions of games that were won, drawn and lost")


def _targets(counts: list[int], player: int, won: int) -> list[Any]:
    return [[count / sum(counts) for count in counts], player * won]


def _target_sentence(said: Any, right: list[Any], counts: list[int], player: int, won: int) -> str:
    if not isinstance(said, list) or len(said) != 2 or not isinstance(said[0], list):
        return "The answer must be two things: the policy, a list of nine, and the value."
    if not same(said[0], right[0]):
        total = sum(counts)
        return f"The visits add up to {total}; the policy has each of them divided by that."
    if not won:
        return "The game was drawn, so the value is 0 for both sides."
    mover, value = side(player), f"{player * won:+d}"
    return f"{mover} was to move and {side(won)} won in the end: that is {value} for {mover}."


# ------------------------------------------------------------------------------ tasks 4 and 5


def task_4(check: Check) -> None:
    """Settings in healthy ranges: nothing has to be trained to see a bad one."""
    settings = _settings(check, "")
    positions = settings.chunk * (settings.iterations or 0)
    check.note(f"{settings.iterations} iterations, {positions:,} positions of self-play")


def task_5(check: Check) -> None:
    """The run: the grade must rise above a random player's, and the doctor find nothing."""
    settings = _settings(check, "Task 4 comes first: ")
    try:
        outcome = trained(settings)
    except RunError as error:
        check.open(f"It stays open: the training did not run here ({error}).")
    case = check.case(shown="python train.py", picture=_curve(outcome))
    for finding in outcome.findings:
        case.fail(f"The doctor finds something. {finding[:1].upper()}{finding[1:]}")
    (_, first), (last, reached) = outcome.grades[0], outcome.grades[-1]
    by_chance, grade = _percent(random_grade()), _percent(reached)
    sentence = (
        f"After {last} iterations the first choice of the network keeps the result in {grade} of "
        f"the 4,520 positions; a random move keeps it in {by_chance}. It learns too slowly: larger "
        "steps, more use of each position, or more iterations."
    )
    case.require(reached >= ENOUGH, sentence, "", grade, f"{100 * ENOUGH:.0f} % or more")
    sentence = (
        f"The grade was {_percent(first)} after the first iteration and is {grade} now: it hardly "
        "rises."
    )
    value, right = f"{100 * (reached - first):+.1f} points", f"{100 * RISE:+.0f} points or more"
    case.require(reached >= first + RISE, sentence, "", value, right)
    check.note(
        f"{_percent(first)} after the first iteration, {_percent(reached)} after {last}; a random "
        f"move keeps {by_chance}; the doctor finds nothing"
    )


def _settings(check: Check, before: str) -> Settings:
    try:
        return run_settings(check.file(FILE))
    except RunSettingsError as error:
        shown = f"{error.entry} in {FILE}" if error.entry else FILE
        case = check.case(shown=shown, said=error.given or None, right=error.wanted)
        case.fail(f"{before}{error}", "" if before else error.mistake)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _curve(outcome: Outcome) -> Picture:
    """The grades as bars."""
    rows = [
        f"iteration {number:3}  {'█' * round(40 * share):40}  {_percent(share)}"
        for number, share in outcome.grades
    ]
    return Picture("\n".join([*rows, f"random move    {'░' * round(40 * random_grade())}"]))
