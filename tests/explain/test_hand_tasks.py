"""Tasks by hand and windows of trees: what is called right is right by a second computation."""

from __future__ import annotations

import math
import random

import pytest

from rl_toolkit.envs.hand_trees import tree_of
from rl_toolkit.explain.hand_tasks import HAND_TASKS, judged, made
from rl_toolkit.explain.tree_tasks import TASKS, TaskError, WorkedTree
from rl_toolkit.web.app import create_app
from rl_toolkit.web.theatre.sheets import sheets_of


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def right_answers(task):
    """The numbers of a task worked out from its table and question alone."""
    if task.kind == "sweep":
        gamma = number(task.question.split("γ = ")[1].split(",")[0])
        old = {name: number(value) for name, value, *_ in task.rows}
        return {
            f"value {name}": max(
                number(action.split(",")[0]) + gamma * old.get(action.split("then ")[1], 0)
                for action in actions
            )
            for name, _, *actions in task.rows
        }
    rows = [dict(zip(task.head, row, strict=True)) for row in task.rows]
    if task.kind == "puct":
        assert round(sum(number(row["prior"]) for row in rows), 9) == 1
    visits = {row["move"]: int(row["visits n"]) for row in rows}
    totals = {row["move"]: number(row[task.head[-2]]) for row in rows}
    every = sum(visits.values())
    sums = {}
    for row in rows:
        move = row["move"]
        mean = totals[move] / visits[move]
        if task.kind == "uct":
            bonus = 1.41 * math.sqrt(math.log(every) / visits[move])
        else:
            bonus = 1.5 * number(row["prior"]) * math.sqrt(every + 1) / (1 + visits[move])
        sums[move] = mean + bonus
    chosen = max(sums, key=sums.__getitem__)
    words = "ends with " if task.kind == "uct" else "position at "
    result = number(task.question.split(words)[1].split(" ")[0])
    found = {f"sum {move}": total for move, total in sums.items()}
    found |= {"choice": chosen, "visits": visits[chosen] + 1}
    found["mean"] = (totals[chosen] + result) / (visits[chosen] + 1)
    if task.kind == "uct":
        found["root"] = (sum(totals.values()) + result) / (every + 1)
    return found


@pytest.mark.parametrize("kind", HAND_TASKS)
def test_right_answers_are_accepted_and_wrong_ones_are_not(kind: str) -> None:
    for seed in range(60):
        task = made(kind, seed)
        assert task == made(kind, seed)
        right = right_answers(task)
        texts = {name: f"{v:.2f}" if isinstance(v, float) else str(v) for name, v in right.items()}
        assert [blank.name for blank in task.blanks] == list(right)
        said = judged(task, texts)
        assert {mark for mark, _ in said.values()} == {"right"}, (seed, said)
        off = {
            name: ("b" if v == "a" else "a") if isinstance(v, str) else f"{v + 0.05:.2f}"
            for name, v in right.items()
        }
        said = judged(task, off)
        assert {mark for mark, _ in said.values()} == {"wrong"}, (seed, said)
        assert judged(task, {}) == {}


def searched(node, alpha, beta, is_max, seen):
    """Alpha-beta written anew: the window of each node, and what it hands up with its kind."""
    if node.is_leaf:
        return node.value, ""
    seen[node.number] = [alpha, beta, None]
    best, kinds, all_tried = None, [], True
    for place, child in enumerate(node.children):
        value, sign = searched(child, alpha, beta, not is_max, seen)
        kinds.append((value, sign))
        best = value if best is None else (max if is_max else min)(best, value)
        alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
        if alpha >= beta and place + 1 < len(node.children):
            all_tried = False
            break
    # Exact if every move was tried and what decides is exact, and no bound could beat it.
    away = "≥" if is_max else "≤"
    against = "≤" if is_max else "≥"
    if not all_tried or any(sign == away and value == best for value, sign in kinds):
        sign = away
    elif any(sign == "" and value == best for value, sign in kinds):
        sign = ""
    else:
        sign = against
    seen[node.number][2] = (best, sign)
    return best, sign


def text(value: float) -> str:
    if abs(value) == math.inf:
        return "+∞" if value > 0 else "−∞"
    return f"{value:g}".replace("-", "−")


def test_windows_and_bounds_are_those_of_alpha_beta() -> None:
    rng = random.Random(5)
    cut = 0
    for number_of in range(60):
        bush = [[rng.randint(-9, 9) for _ in range(rng.randint(1, 3))] for _ in range(3)]
        if number_of % 2:
            bush = [[b, [rng.randint(-9, 9), rng.randint(-9, 9)]] for b in bush]
        tree = tree_of(bush, max_first=number_of % 3 > 0)
        worked, seen = WorkedTree(tree), {}
        searched(tree.root, -math.inf, math.inf, tree.max_first, seen)
        windows, _ = TASKS["windows"].solve(worked)
        assert windows == {n: [text(alpha), text(beta)] for n, (alpha, beta, _) in seen.items()}
        bounds, _ = TASKS["bounds"].solve(worked)
        wanted = {n: [f"{sign} {text(best)}".strip()] for n, (_, _, (best, sign)) in seen.items()}
        assert bounds == wanted, tree.text
        cut += bool(worked.cuts)
        for name, answer in (("windows", windows), ("bounds", bounds)):
            task = TASKS[name]
            typed = {
                str(n): [t.replace("−", "-").replace("∞", "inf") for t in texts]
                for n, texts in answer.items()
            }
            assert task.check(worked, task.read(typed)).solved
            typed["0"] = ["77"] * len(typed["0"])
            feedback = task.check(worked, task.read(typed))
            assert [remark.node for remark in feedback.wrong] == [0]
    assert cut > 20


def test_a_bound_typed_as_a_number_and_a_node_never_entered_are_told_apart() -> None:
    worked, task = WorkedTree("((3 5) (4 6)) ((1 2) (9 9))"), TASKS["bounds"]
    said = task.check(worked, task.read({str(n): ["99"] for n in worked.returned}))
    assert len(said.wrong) == len(worked.returned)
    bounds = [n for n, bound in worked.returned.items() if bound[0] in "≤≥"]
    bare = {str(n): [worked.returned[n][2:]] for n in bounds}
    assert bare
    assert all("not every move" in r.text for r in task.check(worked, task.read(bare)).wrong)
    unseen = [n for n in worked.unseen if not worked.nodes[n].is_leaf]
    for number_ in unseen:
        told = task.check(worked, task.read({str(number_): ["1"]})).wrong
        assert "never entered" in told[0].text
    with pytest.raises(TaskError):
        task.read({"x": ["1"]})


def test_a_set_is_a_sheet_with_solutions_and_a_bad_one_a_sentence() -> None:
    client = create_app().test_client()
    text = "cuts@textbook;bounds@(3 5) (2 9);uct@7;sweep@2"
    assert len(sheets_of(text)) == 4
    page = client.get("/theatre/workbench/sheet", query_string={"set": text}).get_data(as_text=True)
    assert page.count('class="task"') == 4
    assert "Solutions" not in page
    way = made("uct", 7).blanks[0].way
    assert way not in page
    with_answers = client.get(f"/theatre/workbench/sheet?set={text}&solutions").get_data(
        as_text=True
    )
    assert way in with_answers
    assert "B hands up ≤ 2." in with_answers
    assert "?:" not in with_answers
    for bad in ("", "nothing@1", "uct@x", "cuts@(3", ";".join(["uct@1"] * 13)):
        answer = client.get("/theatre/workbench/sheet", query_string={"set": bad})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.get_data(as_text=True)
