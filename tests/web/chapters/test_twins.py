"""The searches of the figures do what the toolkit's do, event by event and sentence by sentence."""

import random
from pathlib import Path

import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import trace_search
from rl_toolkit.envs.hand_trees import HandTreeGame
from rl_toolkit.explain.traces import tell
from rl_toolkit.records import position_from_text

pytest_plugins = ["web_browser"]
TWINS = Path(__file__).parent / "twins.js"


@pytest.fixture
def compare(open_page):
    """The differences between the searches of the page and recorded ones."""
    page = open_page("/figures/tree")
    source = TWINS.read_text("utf-8").replace("export async", "async")

    def differences(cases):
        return page.evaluate(f"async (cases) => {{ {source}; return differences(cases); }}", cases)

    return differences


def bush(chance, depth):
    """A tree as text, of any shape, with ties, negative numbers and halves."""
    if depth == 0 or (depth < 3 and chance.random() < 0.15):
        return str(chance.choice([chance.randint(-3, 3), chance.randint(0, 99), 2.5, -0.25]))
    return "(" + " ".join(bush(chance, depth - 1) for _ in range(chance.randint(2, 4))) + ")"


def searched(env, pruning, memory, **case):
    solver = MinimaxSolver(use_pruning=pruning, use_memoization=memory, compiled=False)
    trace = trace_search(env, solver)
    return {
        "check": "alphaBeta", "pruning": pruning, "memory": memory, **case,
        "trace": trace.data, "lines": [line.text for line in tell(trace)],
    }  # fmt: skip


def typed_trees(count, seed):
    chance = random.Random(seed)
    for number in range(count):
        text = " ".join(bush(chance, chance.randint(1, 3)) for _ in range(chance.randint(2, 4)))
        text = f"min {text}" if number % 3 == 0 else text
        yield searched(HandTreeGame(text), number % 5 != 0, False, tree=text)


def late_positions(count, seed):
    """Positions of Tic-Tac-Toe with four to six empty cells, in all four ways."""
    chance = random.Random(seed)
    while count:
        env = position_from_text("tictactoe", "3/3/3 x")
        for _ in range(chance.randint(3, 5)):
            if not env.is_terminal():
                env.step(chance.choice(env.get_legal_moves()))
        if env.is_terminal():
            continue
        count -= 1
        letters = {1: "x", -1: "o", 0: "1"}
        cells = "".join(letters[int(cell)] for cell in env.board)
        side = "x" if env.current_player == 1 else "o"
        text = f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {side}"
        way = (True, True), (True, False), (False, True), (False, False)
        yield searched(env.copy(), *way[count % 4], position=text)


def test_alpha_beta_is_the_toolkits(compare):
    cases = [*typed_trees(60, 7), *late_positions(24, 3)]
    assert {kind for case in cases for kind in case["trace"]["events"]["kind"]} == set("NEVHBbWCR")
    assert compare(cases) == []


@pytest.mark.full
def test_alpha_beta_is_the_toolkits_on_many_trees(compare):
    for seed in range(20):
        assert compare([*typed_trees(75, 100 + seed), *late_positions(20, 100 + seed)]) == []
