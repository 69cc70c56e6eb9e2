"""Tasks on trees: answers agree with a plain minimax and alpha-beta, and reasons are true."""

from __future__ import annotations

import itertools
import math
import random
import re
from typing import Any

import pytest

from rl_toolkit.envs.hand_trees import HandNode, tree_of
from rl_toolkit.explain.tree_tasks import PUZZLES, TASKS, TaskError, WorkedTree, generated
from rl_toolkit.explain.tree_tasks.ordering import BestOrder, cut_in_order, reordered
from rl_toolkit.explain.tree_tasks.worked import shown_value


def random_trees(count: int, seed: int, depth: int = 3, widest: int = 3) -> list[WorkedTree]:
    rng = random.Random(seed)

    def bush(plies: int) -> Any:
        if plies == 0 or (plies < depth and rng.random() < 0.15):
            return rng.randint(-4, 4)
        return [bush(plies - 1) for _ in range(rng.randint(1, widest))]

    return [WorkedTree(tree_of(bush(depth), max_first=rng.random() < 0.6)) for _ in range(count)]


TREES = random_trees(36, seed=3, widest=2) + [
    WorkedTree(generated(level, "cuts", seed)) for level in (1, 2, 3) for seed in range(3)
]


def plain_value(worked: WorkedTree, node: HandNode) -> float:
    """Plain minimax, written once more."""
    if node.value is not None:
        return node.value
    below = [plain_value(worked, child) for child in node.children]
    return max(below) if worked.tree.is_max(node) else min(below)


class PlainAlphaBeta:
    """Alpha-beta from left to right, written once more: who is visited with which window."""

    def __init__(self, worked: WorkedTree) -> None:
        self.worked, self.windows = worked, dict[int, tuple[float, float]]()
        self.search(worked.tree.root, -math.inf, math.inf)
        visited = [worked.nodes[number] for number in self.windows]
        self.leaves = [node.number for node in visited if node.is_leaf]
        children = [child.number for node in visited for child in node.children]
        self.tops = [number for number in children if number not in self.windows]

    def search(self, node: HandNode, alpha: float, beta: float) -> float:
        self.windows[node.number] = alpha, beta
        if node.value is not None:
            return node.value
        best = -math.inf if self.worked.tree.is_max(node) else math.inf
        for child in node.children:
            value = self.search(child, alpha, beta)
            if self.worked.tree.is_max(node):
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best


def bound(value: float) -> str:
    return {math.inf: "+∞", -math.inf: "−∞"}.get(value) or shown_value(value)


def test_values_are_those_of_plain_minimax() -> None:
    for worked in TREES:
        solution, remarks = TASKS["values"].solve(worked)
        inner = [node for node in worked.nodes if not node.is_leaf]
        assert solution == {node.number: plain_value(worked, node) for node in inner}
        assert TASKS["values"].check(worked, solution).solved
        assert len(remarks) == len(inner)


_TAKES = re.compile(
    r"(?P<name>.+): (?P<side>MAX|MIN) moves here and takes the (?P<kind>\w+) of (?P<list>[^;]+?)"
    r"(?P<other>, not the (?:largest|smallest))?\."
)


def test_a_wrong_value_is_refused_with_a_true_reason() -> None:
    rng, kinds = random.Random(8), set()
    for worked in TREES:
        truth = {n.number: plain_value(worked, n) for n in worked.nodes if not n.is_leaf}
        for _ in range(6):
            answer = {
                number: value if rng.random() < 0.5 else float(rng.randint(-5, 5))
                for number, value in truth.items()
                if rng.random() < 0.8
            }
            feedback = TASKS["values"].check(worked, answer)
            right = {number for number, value in answer.items() if value == truth[number]}
            assert feedback.solved == (right == set(truth))
            assert {r.node for r in feedback.remarks if r.mark == "right"} == right
            assert {remark.node for remark in feedback.wrong} == set(answer) - right
            for remark in feedback.wrong:
                kinds.add(true_reason(worked, remark.node, remark.text, answer, truth))
    assert kinds == {"one of", "other", "takes", "find", "follows"}


def true_reason(
    worked: WorkedTree, number: int, text: str, answer: dict[int, float], truth: dict[int, float]
) -> str:
    """Read the reason back and compare it with the tree; the kind of reason."""
    node = worked.nodes[number]
    values = [plain_value(worked, child) for child in node.children]
    is_max = worked.tree.is_max(node)
    listed = re.findall(r"[−\d.]*\d", text.rpartition(" of ")[2].partition(", not the")[0])
    if found := _TAKES.fullmatch(text):
        assert found["side"] == ("MAX" if is_max else "MIN")
        assert found["kind"] == ("largest" if is_max else "smallest")
        assert listed == [shown_value(value) for value in values]
        if found["other"]:
            assert found["other"].endswith("smallest" if is_max else "largest")
            assert answer[number] == (min(values) if is_max else max(values))
        return "other" if found["other"] else "takes"
    if "one of its children" in text:
        assert answer[number] not in values
        return "one of"
    unknown = [
        c for c in node.children if not c.is_leaf and answer.get(c.number) != truth[c.number]
    ]
    assert unknown
    assert all(re.search(rf"\b{child.name}\b", text.partition(": ")[2]) for child in unknown)
    if "follows from your values" in text:
        mine = [c.value if c.value is not None else answer[c.number] for c in node.children]
        assert answer[number] == (max(mine) if is_max else min(mine))
        return "follows"
    assert "first" in text
    return "find"


def test_cuts_and_visits_are_those_of_plain_alpha_beta() -> None:
    for worked in TREES:
        truth = PlainAlphaBeta(worked)
        assert sorted(TASKS["cuts"].solve(worked)[0]) == sorted(truth.tops)
        assert TASKS["visits"].solve(worked)[0] == truth.leaves
        assert TASKS["cuts"].check(worked, truth.tops).solved
        assert TASKS["visits"].check(worked, truth.leaves).solved


def test_wrong_marks_are_refused_with_the_window_or_the_cut() -> None:
    rng, seen = random.Random(4), set()
    for worked in TREES:
        truth = PlainAlphaBeta(worked)
        for _ in range(4):
            marked = rng.sample(range(len(worked.nodes)), min(3, len(worked.nodes)))
            feedback = TASKS["cuts"].check(worked, marked)
            covered = {node.number for top in marked for node in worked.nodes[top].walk()}
            unseen = {node.number for top in truth.tops for node in worked.nodes[top].walk()}
            assert feedback.solved == (covered == unseen)
            for remark in feedback.wrong:
                if remark.node in truth.windows:
                    alpha, beta = truth.windows[remark.node]
                    told = f"α = {bound(alpha)} and β = {bound(beta)}"
                    assert remark.node == 0 or told in remark.text
                    assert remark.node == 0 or alpha < beta
                    seen.add("visited")
                else:
                    above = worked.parent[remark.node]
                    assert above.number in unseen - covered
                    assert f"{above.name} is not." in remark.text
                    seen.add("higher")
            for remark in feedback.remarks:
                assert remark.mark == "wrong" or remark.node in unseen
    assert seen == {"visited", "higher"}


def test_a_wrong_visit_is_refused_with_the_reason() -> None:
    rng, seen = random.Random(6), set()
    for worked in TREES:
        truth = PlainAlphaBeta(worked).leaves
        leaves = [leaf.number for leaf in worked.tree.leaves]
        for _ in range(6):
            place = rng.randrange(len(truth) + 1)
            wrong = rng.choice(leaves)
            feedback = TASKS["visits"].check(worked, [*truth[:place], wrong])
            if place < len(truth) and wrong == truth[place]:
                assert not feedback.wrong
                assert feedback.solved == (place + 1 == len(truth))
                continue
            assert not feedback.solved
            (remark,) = feedback.wrong
            assert remark.node == wrong
            if "was visited already" in remark.text:
                assert wrong in truth[:place]
            elif "never visited" in remark.text:
                assert wrong not in truth
                assert remark.text.partition(". ")[2] in worked.sentences.values()
            else:
                assert "comes later" in remark.text
                assert wrong in truth[place + 1 :]
            seen.add(remark.text.split()[1:3][0])
    assert seen == {"was", "is", "comes"}


def all_orders(worked: WorkedTree) -> list[dict[int, list[int]]]:
    inner = [node for node in worked.nodes if len(node.children) > 1]
    each = [itertools.permutations(child.number for child in node.children) for node in inner]
    return [
        {node.number: list(chosen) for node, chosen in zip(inner, choice, strict=True)}
        for choice in itertools.product(*each)
    ]


@pytest.mark.parametrize("count", [5, pytest.param(200, marks=pytest.mark.full)])
def test_the_fewest_leaves_are_those_of_the_best_of_all_orders(count: int) -> None:
    tried = 0
    for worked in random_trees(count * 5, seed=11, widest=3):
        choices = math.prod(math.factorial(len(node.children)) for node in worked.nodes)
        if not 3 < choices < 60 or tried == count:
            continue
        tried += 1
        fewest = math.inf
        for order in all_orders(worked):
            seen = PlainAlphaBeta(WorkedTree(reordered(worked, order))).leaves
            fewest = min(fewest, len(seen))
            feedback = TASKS["order"].check(worked, order)
            assert feedback.solved == (len(seen) == BestOrder(worked).least)
            assert feedback.solved or feedback.remarks[0].mark == "wrong"
        assert fewest == BestOrder(worked).least
    assert tried == count


def test_a_better_order_is_named_truly_and_following_the_hints_leads_to_the_best() -> None:
    for seed in range(5):
        worked = WorkedTree(generated(1 + seed % 3, "order", seed))
        order: dict[int, list[int]] = {}
        for _ in range(20):
            hint = TASKS["order"].hint(worked, order)
            if hint.node < 0:
                break
            found = re.search(
                r"tries (\w+) first.*MAX gets (?:only )?(\S+) or (more|less)", hint.text
            )
            assert found
            side = 1 if found[3] == "more" else -1
            node = worked.nodes[hint.node]
            before = len(WorkedTree(reordered(worked, order)).visited_leaves)
            assert worked.tree.is_max(node) == (side == 1)
            best = BestOrder(worked).first_child(node)
            assert (worked.values[best.number] - worked.values[0]) * side >= 0
            if "it is not so" in hint.text:
                first = next(child for child in node.children if child.name == found[1])
                assert (worked.values[first.number] - worked.values[0]) * side < 0
            now = order.get(node.number) or [child.number for child in node.children]
            order[node.number] = [best.number, *(number for number in now if number != best.number)]
            after = len(WorkedTree(reordered(worked, order)).visited_leaves)
            assert after < before or "saves no leaf yet" in hint.text
        assert TASKS["order"].check(worked, order).solved


def test_the_order_of_the_courses_is_reached_by_moves_that_each_save_a_leaf() -> None:
    """A move was named here that changed nothing: swapping the leaves of E."""
    worked = WorkedTree(next(p.tree for p in PUZZLES if p.name == "red-and-blue-order"))
    feedback = TASKS["order"].check(worked, {0: [16, 1]})
    assert feedback.summary == "8 leaves visited (it was 11); 7 are enough."
    assert feedback.remarks[0].text.startswith("At A MIN tries A1 first.")
    a = next(node for node in worked.nodes if node.name == "A")
    swapped = [child.number for child in reversed(a.children)]
    assert TASKS["order"].check(worked, {0: [16, 1], a.number: swapped}).solved


def test_a_node_is_judged_when_all_its_fields_are_filled() -> None:
    worked = WorkedTree("(3 5) (2 9)")
    windows = TASKS["windows"]
    half = windows.check(worked, windows.read({"0": ["-inf", ""], "1": ["", "inf"]}))
    assert (half.summary, half.remarks) == ("0 right, 3 to do.", ())
    b = next(node.number for node in worked.nodes if node.name == "B")
    given = {"0": ["-inf", "inf"], "1": ["-inf", "3"], str(b): ["3", ""]}
    some = windows.check(worked, windows.read(given))
    assert some.summary == "1 right, 1 not right, 1 to do."
    assert [remark.node for remark in some.wrong] == [1]


def test_two_cuts_with_one_reason_are_told_apart() -> None:
    worked = WorkedTree("5 (((4 9) 3) 7) (6 (8 1))")
    _, remarks = TASKS["cuts"].solve(worked)
    told = [remark.text for remark in remarks]
    assert told[0].startswith("B1a2. Cut: α = 5 ≥ β = 4.")
    assert told[1] == "B2 is left out by the cut at B, which has the same reason."
    same = [remark.text for remark in TASKS["cuts"].solve(WorkedTree("(3 5) (2 9 1)"))[1]]
    assert same[1] == "B3 is left out by the same cut."


def test_hints_lead_to_the_answer() -> None:
    for worked in TREES[::6]:
        values: dict[int, float] = {}
        while (hint := TASKS["values"].hint(worked, values)).node >= 0:
            values[hint.node] = worked.values[hint.node]
        assert TASKS["values"].check(worked, values).solved
        marked: list[int] = []
        while (hint := TASKS["cuts"].hint(worked, marked)).node >= 0:
            children = [child.number for child in worked.nodes[hint.node].children]
            marked += [number for number in children if number in worked.cuts]
        assert TASKS["cuts"].check(worked, marked).solved


def test_the_trees_of_the_courses_have_the_known_answers() -> None:
    by_name = {puzzle.name: WorkedTree(puzzle.tree) for puzzle in PUZZLES}
    assert len(by_name) == len(PUZZLES)
    for puzzle in PUZZLES:
        worked, task = by_name[puzzle.name], TASKS[puzzle.task]
        assert task.check(worked, task.solve(worked)[0]).solved
        nothing: Any = {} if puzzle.task in ("values", "order") else []
        assert not task.check(worked, nothing).solved
    big = by_name["red-and-blue"]
    names = {big.name(number): value for number, value in big.values.items()}
    assert [names[name] for name in "ABCDEFGHIJKLMN"] == [
        *(0, -1, -1, -1, 0, -1, 1, 1),
        *(0, -1, 0, 1, -1, 0),
    ]
    assert (names["Root"], len(big.visits), len(big.nodes)) == (0, 25, 31)
    assert sorted(big.name(top) for top in big.cuts) == ["B2", "D2", "F2", "H"]
    swapped = reordered(big, {0: [16, 1]})
    assert len(WorkedTree(swapped).visits) == 19
    assert len(by_name["three-plies"].visited_leaves) == 7
    assert len(by_name["worst-first"].visited_leaves) == 9
    assert BestOrder(by_name["worst-first"]).least == 5


def test_generated_trees_are_repeatable_and_worth_the_task() -> None:
    for level, task, seed in itertools.product((1, 2, 3), TASKS, range(1)):
        tree = generated(level, task, seed)
        assert tree == generated(level, task, seed)
        worked = WorkedTree(tree)
        if task in ("cuts", "visits"):
            assert worked.cuts
        if task == "order":
            assert len(worked.visited_leaves) > BestOrder(worked).least
    assert generated(2, "cuts", 1) != generated(2, "cuts", 2)
    with pytest.raises(TaskError, match="levels run from 1 to 3"):
        generated(4, "cuts", 1)


@pytest.mark.parametrize(
    ("task", "answer", "sentence"),
    [
        ("values", [1], "an object"),
        ("values", {"x": 1}, "keys of the answer"),
        ("values", {"0": "1"}, "a value is a number"),
        ("values", {"0": True}, "a value is a number"),
        ("values", {"0": math.nan}, "finite"),
        ("values", {"2": 3}, "A1 is a leaf"),
        ("values", {"99": 3}, "numbers from 0 to 6"),
        ("cuts", {"1": 2}, "a list of nodes"),
        ("cuts", ["1"], "by their numbers"),
        ("cuts", [7], "numbers from 0 to 6"),
        ("cuts", [-1], "numbers from 0 to 6"),
        ("visits", [1], "A is not a leaf"),
        ("order", {"0": [1]}, "each child once"),
        ("order", {"0": [1, 1]}, "each child once"),
        ("order", {"2": []}, "A1 is a leaf"),
        ("order", {"0": 4}, "a list of nodes"),
    ],
)
def test_what_is_not_an_answer_is_refused(task: str, answer: Any, sentence: str) -> None:
    worked = WorkedTree("(3 5) (2 9)")
    chosen = TASKS[task]
    with pytest.raises(TaskError, match=sentence):
        chosen.check(worked, chosen.read(answer))


def test_a_tree_that_is_too_large_to_draw_is_refused() -> None:
    WorkedTree("1 " * 25)
    with pytest.raises(TaskError, match="at most 25 leaves"):
        WorkedTree("(1 2) " * 13)
    with pytest.raises(TaskError, match="8 plies"):
        WorkedTree("((((((((1))))))))  2")


def test_cuts_in_a_new_order_are_named_by_the_old_numbers() -> None:
    worked = WorkedTree("(2 9) (3 5)")
    assert cut_in_order(worked, {}) == []
    assert [worked.name(top) for top in cut_in_order(worked, {0: [4, 1]})] == ["A2"]
