"""Trees typed by hand: the notation, its refusals with the place, and the tree as a game."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from rl_toolkit.algorithms.game_tree import TreeNode, alpha_beta, minmax
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import Trace, TraceError, trace_search
from rl_toolkit.envs.hand_trees import HandNode, HandTreeGame, TreeNotationError, read_tree, tree_of
from rl_toolkit.envs.hand_trees.notation import MOST_TEXT
from rl_toolkit.testing import check_game

LEAVES = st.integers(-30, 30) | st.integers(-500, 500).map(lambda n: n / 4)
BUSHES: st.SearchStrategy[Any] = st.lists(
    st.recursive(LEAVES, lambda part: st.lists(part, min_size=1, max_size=4), max_leaves=14),
    min_size=1,
    max_size=4,
)


def as_tree_nodes(node: HandNode) -> TreeNode:
    return TreeNode([as_tree_nodes(child) for child in node.children], node.value, node.name)


@settings(examples(60), derandomize=True)
@given(bush=BUSHES, max_first=st.booleans())
def test_the_notation_is_read_back_to_the_same_tree(bush: Any, max_first: bool) -> None:
    tree = tree_of(bush, max_first=max_first)
    again = read_tree(tree.text)
    assert (again.text, again.max_first, again.bush()) == (tree.text, max_first, bush)
    assert [node.name for node in again.nodes] == [node.name for node in tree.nodes]
    assert len({node.name for node in tree.nodes}) == len(tree.nodes)
    assert [node.number for node in again.nodes] == list(range(len(again.nodes)))
    side = "" if max_first else "min "
    as_list = read_tree(side + str(bush))  # a Python list is read too
    assert as_list.bush() == bush


@settings(examples(60), derandomize=True)
@given(bush=BUSHES, max_first=st.booleans())
def test_a_trace_of_a_tree_finds_what_plain_minimax_and_alpha_beta_find(
    bush: Any, max_first: bool
) -> None:
    tree = tree_of(bush, max_first=max_first)
    node = as_tree_nodes(tree.root)
    for pruning in (True, False):
        trace = trace_search(
            HandTreeGame(tree), MinimaxSolver(use_pruning=pruning, use_memoization=False)
        )
        move, score = minmax(node, max_first)
        assert trace.answer["value"] == score
        assert trace.name(trace.answer["line"][0]) == move
        seen = alpha_beta(node, max_first).visited if pruning else tree.nodes
        assert trace.answer["nodes"] == len(seen)
        assert Trace.from_json(trace.to_json()).answer == trace.answer


def test_names_that_are_typed_and_names_that_are_given() -> None:
    tree = read_tree("Left:(3 x:12) (2 4 (1 2)) A1:7")
    names = [node.name for node in tree.nodes]
    assert names == ["", "Left", "Left1", "x", "B", "B1", "B2", "B3", "B3a", "B3b", "A1"]
    assert tree.text == "Left:(3 x:12) (2 4 (1 2)) A1:7"
    # A given name makes way for one that is typed further on.
    assert [node.name for node in read_tree("(1 2) A1:3").nodes][2] == "A1_"
    assert read_tree("Root:((3 5) (2 9))").root.name == "Root"
    assert read_tree("min ((3 5))").text == "min ((3 5))"
    # One pair round everything is the root, so a second one is a root with a single child.
    for text, bush in (("((2))", [[2]]), ("(((1 1) 1))", [[[1, 1], 1]]), ("((3 5))", [[3, 5]])):
        assert (read_tree(text).bush(), read_tree(text).max_first) == (bush, True)
    assert read_tree("(3 5)").bush() == read_tree("3 5").bush() == [3, 5]
    assert read_tree("((3 5) (2 9))") == read_tree("[[3, 5], [2, 9]]") == read_tree("(3 5)(2 9)")
    assert read_tree("\u22123 +4").bush() == [-3, 4]


@pytest.mark.parametrize(
    ("text", "sentence", "at"),
    [
        ("", "there is no tree here", -1),
        ("min", "there is no tree here", -1),
        ("7", "one number alone is not a tree", 0),
        ("(3 5) (2 9", "this '(' is not closed", 6),
        ("(3 5)) 2", "this ')' closes nothing", 5),
        ("(3 5] 2", "cannot close the '(' of character 1", 4),
        ("(3 ()) 2", "at least one child", 3),
        ("(3 five) 2", "'five' is not a number", 3),
        ("3 4..5", "'4..5' is not a number", 2),
        ("3 1e9", "'1e9' is not a number", 2),
        ("3 0.125", "at most two digits", 2),
        ("3 123456", "at most 9,999 in size", 2),
        ("3 min 4", "min stands only at the beginning", 2),
        ("min: (3 4)", "write min without a colon", 0),
        ("A: B: 3", "followed by another name", 3),
        ("3 (4 A:)", "the name A is followed by nothing", 5),
        ("3 4 A:", "the name A is followed by nothing", 4),
        ("A:3 A:4", "two nodes named A", 4),
        ("(" * 18 + "1", "at most 16 plies", 16),
        ("1 " * 27, "at most 26 children", 52),
        ("(1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1) " * 21, "at most 500 nodes", 1000),
        ("3" * (MOST_TEXT + 1), "at most 4,000 characters", -1),
        ("3 \u0663", "is not a number", 2),
    ],
)
def test_what_is_not_a_tree_is_refused_with_the_place(text: str, sentence: str, at: int) -> None:
    with pytest.raises(TreeNotationError) as refused:
        read_tree(text)
    assert sentence in str(refused.value)
    assert refused.value.at == at
    assert (at < 0) or str(refused.value).startswith(f"character {at + 1}: ")


def test_any_text_is_a_tree_or_refused() -> None:
    rng = random.Random(5)
    read = 0
    for _ in range(3_000):
        words = [
            "(",
            ")",
            "[",
            "]",
            "1",
            " 2",
            " -3 ",
            "A:",
            "B:",
            ".5",
            "min ",
            "\u2212",
            "\u00e9",
        ]
        weights = [6, 6, 1, 1, 8, 8, 8, 2, 2, 1, 1, 1, 1]
        text = "".join(rng.choices(words, weights, k=rng.randrange(1, 10)))
        refused = None
        try:
            tree = read_tree(text)
        except TreeNotationError as error:
            refused = error
        if refused is None:
            read += 1
            assert read_tree(tree.text) == tree
        else:
            assert -1 <= refused.at < len(text)
    assert read > 200


def test_a_tree_is_a_game() -> None:
    env = HandTreeGame("(3 12 8) (2 4 6) (14 5 2)")
    before = env.get_state_hash()
    assert (env.current_player, env.get_legal_moves()) == (1, [1, 5, 9])
    _, reward, done, _ = env.step("b")
    assert (reward, done, env.current_player) == (0.0, False, -1)
    assert env.moves_text() == "min B1:2 B2:4 B3:6"
    twin = pickle.loads(pickle.dumps(env))
    assert (twin.history_names(), twin.get_state_hash()) == (["B"], env.get_state_hash())
    _, reward, done, _ = env.step("B2")
    assert (reward, done, env.get_result(-1), env.winner) == (4.0, True, -4.0, 1)
    with pytest.raises(ValueError, match="the game is over"):
        env.step("B2")
    env.undo()
    env.undo()
    assert env.get_state_hash() == before
    with pytest.raises(ValueError, match="B2 is not a legal move now"):
        env.step("B2")
    with pytest.raises(ValueError, match="'D' is not a move here; moves are A, B, C"):
        env.step("D")


def test_only_minimax_without_limits_searches_a_tree() -> None:
    from rl_toolkit.algorithms.mcts import MCTSSolver

    env = HandTreeGame("(3 5) (2 9)")
    with pytest.raises(TraceError, match="only minimax"):
        trace_search(env, MCTSSolver(10))
    with pytest.raises(TraceError, match="to its leaves"):
        trace_search(env, MinimaxSolver(1))
    with pytest.raises(TraceError, match="to its leaves"):
        trace_search(env, MinimaxSolver(use_distance=True))


def test_a_tree_with_plain_results_keeps_the_laws_of_games() -> None:
    check_game(lambda: HandTreeGame("(1 0 -1) (0 (1 -1)) min1:(0 1)"))
