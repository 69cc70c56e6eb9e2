"""`rl-toolkit trace tree`: a tree that is typed, in sentences."""

import pytest

from rl_toolkit.algorithms.traces import Trace


def test_a_typed_tree_is_told_with_the_names_of_its_nodes(run):
    ran = run("trace", "tree", "(3 12 8) (2 4 6) (14 5 2)")
    told = " ".join(ran.out.split())
    assert "MAX A MIN: A1 = 3, A2 = 12, A3 = 8 B MIN: B1 = 2" in told
    assert "MIN tries B1. The window is α = 3, β = +∞. A leaf: 2 for MAX." in told
    assert (
        "Cut: α = 3 ≥ β = 2. Here MIN holds MAX to 2 or less; but at the root MAX already has A, "
        "worth 3. MAX gains nothing by coming here: 2 moves (2 positions) left out. "
        "At B: ≤ 2 for MAX." in told
    )
    assert told.endswith(
        "The value is 3 for MAX, with A A1: 11 positions visited, 13 by plain minimax."
    )


def test_a_tree_may_begin_with_a_minus_and_is_data_too(run):
    trace = Trace.from_json(run("trace", "tree", "-1 (3 -4)", "--json").out)
    assert (trace.data["game"], trace.data["position"]) == ("tree", "-1 (3 -4)")
    assert (trace.answer["value"], trace.data["free_results"]) == (-1.0, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["(3 5"], "character 1: this '(' is not closed"),
        ([], "there is no tree here"),
        (["3 5", "--engine", "mcts"], "only minimax searches a tree"),
        (["3 5", "--engine", "value-iteration"], "only minimax searches a tree"),
        (["3 5", "--depth", "1"], "a tree is searched to its leaves"),
        (["3 5", "--ply", "1"], "not from a tree"),
    ],
)
def test_what_cannot_be_traced_is_refused(run, arguments, sentence):
    ran = run("trace", "tree", *arguments)
    assert ran.code == 2
    assert sentence in " ".join(ran.err.split())
