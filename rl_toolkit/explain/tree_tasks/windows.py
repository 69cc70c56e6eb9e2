"""Write α and β at each node as alpha-beta enters it, or what each node hands up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rl_toolkit.envs.hand_trees import HandNode
from rl_toolkit.explain.tree_tasks.feedback import Feedback, Remark, TaskError
from rl_toolkit.explain.tree_tasks.worked import WorkedTree, capital
from rl_toolkit.utils import shown

WINDOWS = (
    "Alpha-beta searches from left to right, with α = −∞ and β = +∞ at the root. Write α and β of "
    "each node at the moment it is entered: α is the most that MAX has found so far at its nodes "
    "above, β the least that MIN has found at its nodes above. Leave nodes empty that are never "
    "entered. For ∞ you may type inf."
)
BOUNDS = (
    "Alpha-beta searches from left to right, with α = −∞ and β = +∞ at the root. Write the "
    "value that each node hands to the node above it: a number, or a bound such as ≤ 2 (you may "
    "type <=2). At a MAX node 3 and ≤ 4 make ≤ 4, as it may be worth 4, and no more. Leave nodes "
    "empty that are never entered."
)

#: What one node is asked for: one text, or two.
Texts = Mapping[int, tuple[str, ...]]


def read_texts(given: object) -> Texts:
    """The answer from JSON: a list of one or two texts by the number of the node."""
    if not isinstance(given, dict) or len(given) > 500:
        raise TaskError(f"the answer is an object with a node in each key, not {shown(given)}")
    answer: dict[int, tuple[str, ...]] = {}
    for key, texts in given.items():
        is_number = isinstance(key, str) and key.isdecimal() and len(key) < 6
        are_texts = isinstance(texts, list) and 1 <= len(texts) <= 2
        if not is_number or not are_texts or not all(isinstance(t, str) for t in texts):
            raise TaskError("the answer has one or two texts for the number of each node")
        answer[int(key)] = tuple(plain(text) for text in texts)
    return {number: texts for number, texts in answer.items() if any(texts)}


def plain(text: str) -> str:
    """A typed number or bound as the trace writes it.

    >>> plain("<= -3"), plain("-inf"), plain("+3"), plain("∞"), plain("3.0")
    ('≤ −3', '−∞', '3', '+∞', '3')
    """
    text = text[:20].strip().lower().replace("<=", "≤").replace(">=", "≥").replace("−", "-")
    sign = text[:1] if text[:1] in ("≤", "≥") else ""
    rest = text.removeprefix(sign).strip().replace("infinity", "inf").replace("∞", "inf")
    if rest.lstrip("+-") == "inf":
        number = "−∞" if rest.startswith("-") else "+∞"
    else:
        try:
            number = f"{float(rest.replace(',', '.')):.2f}".rstrip("0").rstrip(".")
        except ValueError:
            return text
        number = "0" if number == "-0" else number.replace("-", "−")
    return f"{sign} {number}".strip()


class _Asked:
    """A task with one right list of texts for every node that is entered."""

    def __init__(
        self,
        truth: Callable[[WorkedTree], dict[int, tuple[str, ...]]],
        why_wrong: Callable[[WorkedTree, HandNode, tuple[str, ...]], str],
        told: Callable[[WorkedTree, HandNode], str],
        hint: str,
    ) -> None:
        self._truth, self._why_wrong, self._told, self._hint = truth, why_wrong, told, hint

    def check(self, worked: WorkedTree, answer: Texts) -> Feedback:
        """Judge the nodes whose fields all have a text; the others are still to do."""
        truth = self._truth(worked)
        fields = len(truth[0])
        remarks, done = [], 0
        for number, texts in answer.items():
            node = worked.nodes[worked.check_number(number, leaf=False)]
            if not all((*texts, "")[:fields]):
                continue
            done += number in truth
            name = capital(worked.tree.label(node))
            if number not in truth:
                text = f"{name} is never entered. {worked.sentences[worked.unseen[number]]}"
                remarks.append(Remark(number, "wrong", text))
            elif texts == truth[number]:
                remarks.append(Remark(number, "right", self._told(worked, node)))
            else:
                remarks.append(Remark(number, "wrong", self._why_wrong(worked, node, texts)))
        wrong = sum(remark.mark == "wrong" for remark in remarks)
        right = len(remarks) - wrong
        if not wrong and right == len(truth):
            return Feedback(True, "All of them are right.", tuple(remarks))
        parts = [f"{right} right", *([f"{wrong} not right"] if wrong else [])]
        parts += [f"{len(truth) - done} to do"] if done < len(truth) else []
        return Feedback(False, f"{', '.join(parts)}.", tuple(remarks))

    def hint(self, worked: WorkedTree, answer: Texts) -> Remark:
        truth = self._truth(worked)
        for number in truth:
            if answer.get(number) != truth[number]:
                node = worked.nodes[number]
                name = worked.tree.label(node)
                return Remark(number, "wait", f"Look at {name}. {self._hint}")
        return Remark(-1, "right", "All of them are right.")

    def solve(self, worked: WorkedTree) -> tuple[dict[int, list[str]], tuple[Remark, ...]]:
        truth = self._truth(worked)
        remarks = tuple(
            Remark(number, "right", self._told(worked, worked.nodes[number])) for number in truth
        )
        return {number: list(texts) for number, texts in truth.items()}, remarks


# ------------------------------------------------------------------------------- α and β


def _windows(worked: WorkedTree) -> dict[int, tuple[str, ...]]:
    inner = (number for number in worked.visits if not worked.nodes[number].is_leaf)
    return {number: worked.visits[number][:2] for number in inner}


def _wrong_window(worked: WorkedTree, node: HandNode, texts: tuple[str, ...]) -> str:
    alpha = worked.visits[node.number].alpha
    name = capital(worked.tree.label(node))
    given = (*texts, "")[:2]
    if given[0] != alpha:
        return (
            f"{name}: α is not {given[0] or 'empty'}. α is the most that MAX has found so far at "
            "the nodes above, and −∞ if MAX has found nothing yet."
        )
    return (
        f"{name}: β is not {given[1] or 'empty'}. β is the least that MIN has found so far at the "
        "nodes above, and +∞ if MIN has found nothing yet."
    )


def _told_window(worked: WorkedTree, node: HandNode) -> str:
    alpha, beta, _ = worked.visits[node.number]
    return f"{capital(worked.tree.label(node))} is entered with α = {alpha} and β = {beta}."


windows = _Asked(
    _windows,
    _wrong_window,
    _told_window,
    "What have MAX and MIN found so far at the nodes on the way to it?",
)

# ------------------------------------------------------------------- what is handed up


def _returned(worked: WorkedTree) -> dict[int, tuple[str, ...]]:
    return {number: (text,) for number, text in worked.returned.items()}


def _wrong_bound(worked: WorkedTree, node: HandNode, texts: tuple[str, ...]) -> str:
    name, truth, given = capital(worked.tree.label(node)), worked.returned[node.number], texts[0]
    number = truth.removeprefix("≤ ").removeprefix("≥ ")
    if given == number:
        return f"{name}: {number} is the number, but not every move was searched to its value."
    if given.removeprefix("≤ ").removeprefix("≥ ") == number and truth == number:
        return f"{name}: {number} is right, and it is the value itself, not a bound."
    if given.removeprefix("≤ ").removeprefix("≥ ") == number:
        way = "larger" if worked.is_max(node) else "smaller"
        side = worked.tree.side(node)
        reason = f"{side} moves here, so more moves could only make it {way}"
        return f"{name}: look again which way. {reason}."
    side, kind = ("MAX", "largest") if worked.is_max(node) else ("MIN", "smallest")
    return f"{name}: not {given}. {side} hands up the {kind} value that came back to it."


def _told_bound(worked: WorkedTree, node: HandNode) -> str:
    return f"{capital(worked.tree.label(node))} hands up {worked.returned[node.number]}."


bounds = _Asked(
    _returned,
    _wrong_bound,
    _told_bound,
    "Which values came back to it, and was anything left out?",
)
