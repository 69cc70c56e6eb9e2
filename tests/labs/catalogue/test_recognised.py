"""What is said of wrong versions: by what a mistake is recognised, and what the corpus hears."""

from __future__ import annotations

import tomllib

import pytest
from wrong_versions import FOLDER, Variant, variants

from rl_toolkit.labs.checking.fingerprints import RIGHT, fingerprint, recognise
from rl_toolkit.labs.checking.report import Failure, TaskReport
from rl_toolkit.labs.checking.run import check_work
from rl_toolkit.labs.checking.session import Answer, Raised, Session, call
from rl_toolkit.labs.checking.verify import changed, solution_files, verify_lab
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.values import Other
from rl_toolkit.labs.model.work import work_from

#: Lab → wrong version → the mistake by whose sentence it is named, "" for none.
RECOGNISED = tomllib.loads((FOLDER / "recognised.toml").read_text("utf-8"))
#: Mistakes of any lab, which the checks recognise without a fingerprint.
IN_GENERAL = {"prints", "other-arguments", "asks-for-input"}
#: One version for each way of recognising; each check costs a process.
SAMPLE = (
    ("L05", "forgets-to-undo"),  # a check of its own
    ("L05", "negamax-in-the-movers-view"),  # the values of another program
    ("L05", "depth-in-the-score"),  # a witness
    ("L05", "prints-the-value"),  # the same in every lab
    ("L05", "find-best-move-of-handout-c"),
    ("L16", "ln-of-the-grandparent"),
    ("L12", "never-asks-for-the-error"),
    ("L07", "cut-turned-round"),
)


def work_of(version: Variant):
    lab = lab_by_id(version.lab)
    return lab, work_from(lab, {**lab.start_files(), **version.files})


def said_of(versions: list[Variant]) -> dict[str, tuple[str, bool]]:
    """For each version the mistake that is named, and whether its task loses points."""
    said: dict[str, tuple[str, bool]] = {}
    lab, work = work_of(versions[0])
    with Session(lab, work, shares=True) as session:
        for version in versions:
            _, work = work_of(version)
            report = check_work(lab, work, tasks=(version.task,), seed=0, shared=session)
            failure = report.problem or report.tasks[0].failure
            named = failure.mistake if failure is not None else ""
            said[version.name] = named, report.reached < report.points
    return said


# ------------------------------------------------------------------ the corpus


def test_four_of_five_wrong_versions_are_named_by_their_own_sentence():
    """The table has every version, and names mistakes that its lab, or every lab, knows."""
    versions = list(variants())
    table = {
        (lab, name): mistake for lab, row in RECOGNISED.items() for name, mistake in row.items()
    }
    assert table.keys() == {(each.lab, each.name) for each in versions}
    for source in ("from_sheets", "classic"):
        found = [table[each.lab, each.name] for each in versions if each.source == source]
        assert len(found) >= 75
        assert sum(map(bool, found)) >= 0.8 * len(found)
    for lab, row in RECOGNISED.items():
        files = [*lab_by_id(lab).folder.glob("*.toml"), *lab_by_id(lab).folder.glob("*.py")]
        known = "".join(path.read_text("utf-8") for path in files)
        assert [
            m for m in row.values() if m not in IN_GENERAL and f'"{m}"' not in known and m
        ] == []


@pytest.mark.parametrize(("lab", "name"), SAMPLE, ids=[f"{lab} {name}" for lab, name in SAMPLE])
def test_a_wrong_version_is_named(lab, name):
    version = next(each for each in variants(lab) if each.name == name)
    assert said_of([version]) == {name: (RECOGNISED[lab][name], True)}


@pytest.mark.full
@pytest.mark.parametrize("lab", sorted(RECOGNISED))
def test_wrong_versions_lose_points_and_hear_the_sentence_that_was_judged_true(lab):
    said = said_of(list(variants(lab)))
    assert {name: named for name, (named, _) in said.items()} == RECOGNISED[lab]
    assert [name for name, (_, loses) in said.items() if not loses] == []


# ------------------------------------------------------------------ the same verdict on every seed


@pytest.mark.full
@pytest.mark.parametrize("lab", sorted(RECOGNISED))
def test_twenty_seeds_give_the_same_verdicts(lab):
    assert verify_lab(lab_by_id(lab), seeds=20, quick=True).problems == []


@pytest.mark.full
@pytest.mark.parametrize("name", ["ln-of-the-root", "ln-of-the-grandparent"])
def test_a_wrong_count_in_uct_costs_the_same_on_every_seed(name):
    version = next(each for each in variants("L16") if each.name == name)
    lab, work = work_of(version)
    found = {
        tuple(task.status for task in check_work(lab, work, tasks=(1, 2, 3, 4, 5), seed=seed).tasks)
        for seed in range(20)
    }
    assert found == {("wrong", "right", "right", "right", "right")}


# ------------------------------------------------------------------ one fault, one price


def statuses(lab_id: str, old: str, new: str, tasks: tuple[int, ...]):
    """The tasks of a lab after one change of its solution."""
    lab = lab_by_id(lab_id)
    files = changed(lab, solution_files(lab), [{"old": old, "new": new}], lab_id)
    return check_work(lab, work_from(lab, files), tasks=tasks, seed=0).tasks


POINTS = "    return points.get(x, 0) - points.get(o, 0)"


@pytest.mark.parametrize("tasks", [(1, 2), pytest.param((1, 2, 3, 4), marks=pytest.mark.full)])
def test_the_weight_of_handout_d_costs_nothing(tasks):
    heavy = "    return points.get(x, 0) - (120 if o == 3 else points.get(o, 0))"
    found = statuses("L13", POINTS, heavy, tasks)
    assert {task.status for task in found} == {"right"}
    assert "erratum R41" in " ".join(found[0].notes)


@pytest.mark.parametrize("tasks", [(1, 2), pytest.param((1, 2, 3, 4), marks=pytest.mark.full)])
def test_a_wrong_window_score_costs_its_own_task_only(tasks):
    found = statuses("L13", POINTS, "    return points.get(x, 0)", tasks)
    assert [task.status for task in found] == ["wrong", *["right"] * (len(tasks) - 1)]


def test_a_program_that_prints_without_end_is_not_told_that_it_misses_the_end():
    won = '    won = winner(board)\n    if won == "X":'
    prints = won.replace("    if", '    print("x" * 3_000_000)\n    if')
    (task,) = statuses("L05", won, prints, (3,))
    assert "prints more than two million characters" in task.failure.sentence


def test_leaves_that_begin_at_the_right_hear_of_the_order():
    (task,) = statuses("L07", "    for child in node:", "    for child in node[::-1]:", (1,))
    assert task.failure.sentence == "The first leaf is 3: look at the children from left to right."


def test_a_small_fault_costs_a_point():
    small = Failure("Of equal moves the first.", "not-the-first", costs=1)
    assert TaskReport(4, "The best move", 25, "wrong", small).reached == 24
    assert TaskReport(4, "The best move", 25, "wrong", Failure("It loses.")).reached == 0


# ------------------------------------------------------------------ by what it is recognised


def answers(*values, calls=()):
    counts = calls or [0] * len(values)
    return [
        Answer(call("f", number), value, {"f": count})
        for number, (value, count) in enumerate(zip(values, counts, strict=True))
    ]


STORED = {
    RIGHT: fingerprint(answers(1, 0, -1, calls=[9, 9, 9])),
    "no-minus": fingerprint(answers(1, 0, 1, calls=[9, 9, 9])),
    "too-many": fingerprint(answers(1, 0, -1, calls=[20, 20, 20])),
}


def test_the_same_wrong_values_are_recognised_whatever_the_counts_are():
    assert recognise(STORED, {}, answers(1, 0, 1, calls=[3, 4, 5])) == "no-minus"
    assert recognise(STORED, {}, answers(1, 1, 1, calls=[9, 9, 9])) == ""


def test_right_values_are_recognised_by_equal_counts_only():
    assert recognise(STORED, {}, answers(1, 0, -1, calls=[20, 20, 20])) == "too-many"
    assert recognise(STORED, {}, answers(1, 0, -1, calls=[20, 20, 21])) == ""
    assert recognise(STORED, {}, answers(1, 0, -1, calls=[9, 9, 9])) == ""


def test_two_mistakes_with_the_same_values_are_told_apart_by_counts_or_not_at_all():
    stored = STORED | {"minus-twice": fingerprint(answers(1, 0, 1, calls=[7, 7, 7]))}
    assert recognise(stored, {}, answers(1, 0, 1, calls=[7, 7, 7])) == "minus-twice"
    assert recognise(stored, {}, answers(1, 0, 1, calls=[8, 8, 8])) == ""


def test_a_witness_looks_at_what_shows_the_mistake():
    witnesses = {"zero-for-all": lambda given: given[1].value == given[2].value == 0}
    assert recognise(STORED, witnesses, answers(5, 0, 0)) == "zero-for-all"
    assert recognise(STORED, witnesses, answers(5, 0, 1)) == ""
    assert recognise(STORED, witnesses, answers(1, 0, 1, calls=[9, 9, 9])) == "no-minus"


def test_the_address_of_an_object_is_not_compared():
    stored = {
        RIGHT: [1],
        "returns-the-child": fingerprint([Answer(call("f", 0), "<Node object at 0x7f01>")]),
    }
    again = [Answer(call("f", 0), "<Node object at 0x7fab>")]
    assert recognise(stored, {}, again) == "returns-the-child"


def test_an_answer_that_was_not_reached_shows_no_mistake():
    """A program that ends, or prints without end, has made no other mistake for that."""
    witnesses = {"no-end": lambda given: all(each.error is not None for each in given)}
    made = call("f", 0)
    stopped, after_it = (
        [Answer(made, error=Raised(kind)) for kind in kinds]
        for kinds in (("ValueError", "ValueError"), ("Ended", "NotReached"))
    )
    assert recognise({}, witnesses, stopped) == "no-end"
    assert recognise({}, witnesses, after_it) == ""


def test_an_exception_is_a_value_of_its_own():
    stored = {RIGHT: [1], "divides": [{"raised": "ZeroDivisionError"}]}
    made = call("f", 0)
    assert recognise(stored, {}, [Answer(made, error=Raised("ZeroDivisionError"))]) == "divides"
    assert recognise(stored, {}, [Answer(made, error=Raised("KeyError"))]) == ""


def test_an_object_is_recognised_wherever_it_lies_in_memory():
    stored = {
        RIGHT: [3],
        "the-child": fingerprint(answers(Other("Node", "<Node object at 0x7f1>"))),
    }
    assert "0x" not in str(stored)
    assert recognise(stored, {}, answers(Other("Node", "<Node object at 0xa2c>"))) == "the-child"
