"""Proof-number search against minimax: the answers, the numbers by their definition, the proofs."""

import random
from math import inf

import pytest

from rl_toolkit.algorithms.game_tree import GameNode, TreeNode, minmax
from rl_toolkit.algorithms.proof_numbers import ProofSearch, prove
from rl_toolkit.records import position_from_text


def bush(chance, depth):
    if depth == 0 or (depth < 3 and chance.random() < 0.2):
        return TreeNode(score=chance.randint(-1, 1))
    return TreeNode([bush(chance, depth - 1) for _ in range(chance.randint(1, 4))])


def fewest(node, wanted):
    """The least number of open leaves that must answer ``wanted``, by trying every proof set."""
    if node.answer is not None:
        return 0 if node.answer == wanted else inf
    if not node.children:
        return 1
    counts = [fewest(child, wanted) for child in node.children]
    return min(counts) if node.is_or == wanted else sum(counts)


@pytest.mark.parametrize("seed", range(30))
def test_the_answer_is_that_of_minimax_and_the_numbers_are_what_they_mean(seed):
    chance = random.Random(seed)
    tree, maximizing = bush(chance, 4), bool(seed % 2)
    for target in (0, 1):
        search = ProofSearch(tree, maximizing=maximizing, target=target)
        expanded = []
        for step in search.steps():
            expanded.append(step)
            root = search.root
            if root.answer is None:
                assert (root.proof, root.disproof) == (fewest(root, True), fewest(root, False))
        _, score = minmax(tree, maximizing)
        assert search.root.answer is (score >= target)
        assert len(set(map(id, expanded))) == len(expanded)


def test_a_proof_has_one_move_here_and_every_reply_there():
    env = position_from_text("tictactoe", "x1o/3/3 x")
    search = ProofSearch(GameNode(env), maximizing=True)
    for _ in search.steps():
        pass
    proof = list(search.root.proof_tree())
    inside = set(map(id, proof))
    for node in proof:
        assert node.answer is True
        kept = [child for child in node.children if id(child) in inside]
        if node.is_or and node.children:
            assert len(kept) == 1
        else:
            assert len(kept) == len(node.node.get_children())
    assert len(proof) < search.nodes


@pytest.mark.parametrize(("text", "target", "answer", "nodes"), [
    ("x1o/3/3 x", 1, True, 162),
    ("x2/3/3 o", 0, True, 1253),
    ("x2/3/3 o", 1, False, 1327),
    ("xx1/oo1/3 x", 1, True, 6),
])  # fmt: skip
def test_answers_and_work_of_known_positions(text, target, answer, nodes):
    env = position_from_text("tictactoe", text)
    search = ProofSearch(GameNode(env), maximizing=env.current_player == 1, target=target)
    for _ in search.steps():
        pass
    assert (search.root.answer, search.nodes) == (answer, nodes)


def test_limits_and_open_questions():
    env = position_from_text("tictactoe", "3/3/3 x")
    assert prove(GameNode(env), maximizing=True, most_nodes=50) is None
    search = ProofSearch(GameNode(env), maximizing=True)
    with pytest.raises(ValueError, match="not answered yet"):
        list(search.root.proof_tree())
    with pytest.raises(ValueError, match="a leaf has no score"):
        ProofSearch(TreeNode(), maximizing=True)
