"""Explicit game trees: minmax by definition, alpha-beta with its cuts, and trees that are none."""

import doctest
import math
import sys
from dataclasses import dataclass

import pytest
from brute_force import BruteForce, random_positions
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.algorithms import game_tree
from rl_toolkit.algorithms.game_tree import GameNode, TreeNode, alpha_beta, minmax
from rl_toolkit.envs import ConnectFour, TicTacToe
from rl_toolkit.records import position_from_text


def tree(shape, move=None):
    """A tree from nested lists of scores; children are named 0, 1, 2, …"""
    if isinstance(shape, list):
        return TreeNode([tree(child, i) for i, child in enumerate(shape)], move=move)
    return TreeNode([], score=shape, move=move)


def value_by_definition(shape, maximizing):
    if not isinstance(shape, list):
        return shape
    values = [value_by_definition(child, not maximizing) for child in shape]
    return max(values) if maximizing else min(values)


def below(node):
    """The node and everything under it."""
    return [node, *(found for child in node.get_children() for found in below(child))]


shapes = st.recursive(
    st.integers(-3, 3), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=40
)


# --- minmax ----------------------------------------------------------------------------------


@given(shapes, st.booleans())
def test_the_score_is_the_one_of_the_definition(shape, maximizing):
    _, score = minmax(tree(shape), maximizing)
    assert score == value_by_definition(shape, maximizing)


@given(shapes, st.booleans())
def test_the_best_move_is_the_first_that_reaches_the_score(shape, maximizing):
    move, score = minmax(tree(shape), maximizing)
    if not isinstance(shape, list):
        assert move is None
    else:
        values = [value_by_definition(child, not maximizing) for child in shape]
        assert move == values.index(score)


@given(shapes, st.booleans())
def test_changing_sides_negates_the_score(shape, maximizing):
    def negated(part):
        return [negated(child) for child in part] if isinstance(part, list) else -part

    move, score = minmax(tree(shape), maximizing)
    assert minmax(tree(negated(shape)), not maximizing) == (move, -score)


def test_a_leaf_has_a_score_but_no_move():
    assert minmax(TreeNode([], score=4, move="here"), True) == (None, 4)
    assert minmax(TreeNode(score=-4), False) == (None, -4)


def test_the_score_keeps_its_type():
    _, score = minmax(tree([[3, 5], [2, 9]]), True)
    assert type(score) is int


def test_infinite_scores_are_scores():
    assert minmax(tree([-math.inf, -math.inf]), True) == (0, -math.inf)
    assert minmax(tree([math.inf, 3]), False) == (1, 3)


def test_an_inner_score_is_not_looked_at():
    node = TreeNode([TreeNode(score=1, move="only")], score=99)
    assert minmax(node, True) == ("only", 1)


def test_any_class_with_the_four_methods_is_a_tree():
    @dataclass
    class Nim:
        """Take one or two sticks; who takes the last one wins. Nodes are made when asked for."""

        sticks: int
        maximizing: bool
        taken: int | None = None

        def is_leaf(self):
            return self.sticks == 0

        def get_score(self):
            return -1 if self.maximizing else 1

        def get_children(self):
            return tuple(
                Nim(self.sticks - taken, not self.maximizing, taken)
                for taken in (1, 2)
                if taken <= self.sticks
            )

        def get_move(self):
            return self.taken

    for sticks in range(1, 12):
        move, score = minmax(Nim(sticks, True), True)
        assert score == (-1 if sticks % 3 == 0 else 1)
        if score == 1:
            assert move == sticks % 3
        assert alpha_beta(Nim(sticks, True), True)[:2] == (move, score)


# --- alpha-beta ------------------------------------------------------------------------------


@given(shapes, st.booleans())
def test_alpha_beta_gives_the_answer_of_minmax(shape, maximizing):
    node = tree(shape)
    result = alpha_beta(node, maximizing)
    assert (result.best_move, result.score) == minmax(node, maximizing)


@given(shapes, st.booleans())
def test_every_node_is_either_visited_or_below_a_pruned_one(shape, maximizing):
    node = tree(shape)
    result = alpha_beta(node, maximizing)
    cut_off = [id(found) for top in result.pruned for found in below(top)]
    assert sorted([*map(id, result.visited), *cut_off]) == sorted(map(id, below(node)))


@given(shapes, st.booleans(), st.integers(-99, 99))
def test_what_was_pruned_cannot_matter(shape, maximizing, other):
    node = tree(shape)
    before = alpha_beta(node, maximizing)
    for leaf in (found for top in before.pruned for found in below(top) if found.is_leaf()):
        leaf.score = other
    assert minmax(node, maximizing) == (before.best_move, before.score)


def test_the_cuts_of_a_worked_example():
    # max over min over leaves: after 3 on the left, 2 settles the middle; the right needs all.
    node = tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    result = alpha_beta(node, maximizing=True)
    assert (result.best_move, result.score) == (0, 3)
    assert [leaf.score for leaf in result.pruned] == [4, 6]
    assert [seen.score for seen in result.visited if seen.is_leaf()] == [3, 12, 8, 2, 14, 5, 2]


def test_a_bound_from_far_above_cuts_too():
    # max 5, or min - max - min over (4, 9): the root's 5 makes the 9 needless after the 4,
    # although the max node in between knows nothing yet.
    result = alpha_beta(tree([5, [[[4, 9], 0]]]), maximizing=True)
    assert (result.best_move, result.score) == (0, 5)
    assert [leaf.score for leaf in result.pruned] == [9]


def test_a_best_order_looks_at_the_least_leaves():
    # Four plies of two moves, best first: Knuth and Moore's 2^2 + 2^2 − 1 of the 16 leaves.
    def perfect(depth, value, maximizing):
        if depth == 0:
            return value
        worse = value - 1 if maximizing else value + 1
        return [perfect(depth - 1, v, not maximizing) for v in (value, worse)]

    result = alpha_beta(tree(perfect(4, 0, True)), maximizing=True)
    assert result.score == 0
    assert sum(node.is_leaf() for node in result.visited) == 7


# --- trees that are none, and very deep ones -------------------------------------------------


@pytest.mark.parametrize("solve", [minmax, alpha_beta])
def test_a_leaf_without_a_score_is_refused(solve):
    with pytest.raises(ValueError, match=r"TreeNode\(score=None, move='b'\) is a leaf.* no score"):
        solve(TreeNode([TreeNode(score=1, move="a"), TreeNode(move="b")]), True)


@pytest.mark.parametrize("solve", [minmax, alpha_beta])
def test_a_score_that_is_not_a_number_is_refused(solve):
    with pytest.raises(ValueError, match="is NaN"):
        solve(tree([1, math.nan]), True)


@pytest.mark.parametrize("solve", [minmax, alpha_beta])
def test_an_inner_node_without_children_is_refused(solve):
    class Stuck(TreeNode):
        def is_leaf(self):
            return False

    with pytest.raises(ValueError, match="is not a leaf but has no children"):
        solve(TreeNode([Stuck()]), True)


@pytest.mark.parametrize("solve", [minmax, alpha_beta])
def test_a_node_below_itself_is_refused(solve):
    node = TreeNode([TreeNode(score=1)], move="again")
    node.children.append(TreeNode([node]))
    with pytest.raises(ValueError, match="is its own descendant"):
        solve(node, False)


def test_a_node_may_stand_in_two_places():
    shared = TreeNode(score=2, move="shared")
    node = TreeNode([TreeNode([shared], move="left"), TreeNode([shared], move="right")])
    assert minmax(node, True) == ("left", 2)


@pytest.mark.parametrize("solve", [minmax, alpha_beta])
def test_a_tree_may_be_deeper_than_the_recursion_limit(solve):
    node = TreeNode(score=7)
    for depth in range(20 * sys.getrecursionlimit()):
        node = TreeNode([node], move=depth)
    assert solve(TreeNode([node]), True)[1] == 7


# --- games as trees ---------------------------------------------------------------------------


def test_every_game_is_a_tree_and_minmax_agrees_with_brute_force():
    oracle, signs = BruteForce(), set()
    for name in ("tictactoe", "tictactoe-3x4x3", "connect-four-4x4x4", "reversi-4"):
        for env in random_positions(name, 5, 8, seed=3):
            x_moves = env.current_player == 1
            move, score = minmax(GameNode(env), x_moves)
            assert score == oracle.verdict(env)[0] * env.current_player
            assert oracle.after(env, move)[0] == oracle.verdict(env)[0]
            assert alpha_beta(GameNode(env), x_moves)[:2] == (move, score)
            assert math.copysign(1, score) == (-1 if score < 0 else 1)  # no -0.0
            signs.add((x_moves, score))
    assert len(signs) >= 5


@pytest.mark.parametrize(
    ("opening", "visited"), [([4], 2_316), pytest.param([], 18_297, marks=pytest.mark.full)]
)
def test_the_whole_board_is_cut_as_the_textbooks_say(opening, visited):
    env = TicTacToe()
    for move in opening:
        env.step(move)
    result = alpha_beta(GameNode(env), maximizing=not opening)
    assert (result.best_move, result.score, len(result.visited)) == (0, 0.0, visited)


@pytest.mark.full
def test_the_whole_board_can_be_solved_without_cuts():
    assert minmax(GameNode(TicTacToe()), maximizing=True) == (0, 0.0)


def test_a_node_is_a_copy_and_its_children_are_made_on_demand():
    env = TicTacToe()
    node = GameNode(env)
    env.step(4)
    assert not node.env.board.any()
    children = node.get_children()
    assert [child.get_move() for child in children] == list(range(9))
    assert [child.env.move_count for child in children] == [1] * 9
    assert node.get_children()[0] is not children[0]
    assert (node.is_leaf(), node.get_score(), node.get_move()) == (False, None, None)
    assert repr(children[4]) == "GameNode('3/1x1/3 o', move=4)"


def test_a_finished_game_is_a_leaf():
    won = GameNode(position_from_text("tictactoe", "xx1/ooo/x2 o"))
    assert (won.is_leaf(), won.get_score(), won.get_children()) == (True, -1.0, [])
    for maximizing in (True, False):  # nobody is to move
        assert minmax(won, maximizing) == (None, -1.0)


def test_at_the_horizon_the_heuristic_counts():
    env = ConnectFour()
    for column in (3, 0, 2, 0):
        env.step(column)
    assert minmax(GameNode(env, max_depth=0), True) == (None, env.evaluate_heuristic(1))
    values = {}
    for move in env.get_legal_moves():
        env.step(move)
        values[move] = env.evaluate_heuristic(1)
        env.undo()
    best = max(values, key=values.get)
    assert minmax(GameNode(env, max_depth=1), True) == (best, values[best])
    assert minmax(GameNode(env, max_depth=3), True) == (4, 1.0)  # three with both ends open


@pytest.mark.parametrize("solve", [minmax, alpha_beta])
@pytest.mark.parametrize(("player", "sentence"), [(1, r"\+1 .* True"), (-1, r"-1 .* False")])
def test_the_side_to_move_must_be_the_side_that_is_searched_for(solve, player, sentence):
    env = TicTacToe()
    env.reset(first_player=player)
    for move in (0, 1, 3, 4):
        env.step(move)
    with pytest.raises(ValueError, match=f"player {sentence}"):
        solve(GameNode(env), player == -1)
    assert solve(GameNode(env), player == 1)[:2] == (6, float(player))


def test_a_game_with_two_turns_in_a_row_is_refused():
    class TwoTurns(TicTacToe):
        def step(self, move):
            answer = super().step(move)
            if not self.done and self.move_count % 2:
                self._player = -self._player
            return answer

    with pytest.raises(ValueError, match="after move 0 the same player moves again"):
        minmax(GameNode(TwoTurns()), True)


def test_the_examples_in_the_docstrings():
    failed, tried = doctest.testmod(game_tree)
    assert failed == 0
    assert tried > 0
