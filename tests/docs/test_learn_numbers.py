"""Numbers in the prose of docs/learn that no figure computes, computed here.

A chapter's figures and the listings of a page compute the others: see tests/web/chapters and
test_docstrings.py. `NOT_COMPUTED` has what neither of them does, with the reason.
"""

import re
from fractions import Fraction
from functools import cache
from math import factorial

import pytest
from paths import ROOT

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    RandomArm,
    Thompson,
    mean_regret,
    ucb1_regret_bound,
)
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.value_iteration import solve, state_space, value_iteration
from rl_toolkit.envs import make_game

FOLDER = ROOT / "docs" / "learn"
ARMS = BernoulliArms((0.2, 0.5, 0.8))
POLICIES = {
    "random arm": RandomArm(),
    "greedy: the best average so far": Greedy(),
    "ε-greedy, any arm in one pull of ten": EpsilonGreedy(0.1),
    "UCB1": UCB1(),
    "Thompson sampling": Thompson(),
}
#: The games of the table of sweeps.
SWEPT = {
    "Tic-Tac-Toe 3×3": "tictactoe",
    "Connect Four 3×4, three in a row": "connect-four-3x4x3",
    "Reversi 4×4": "reversi-4",
    "Tic-Tac-Toe 3×4, three in a row": "tictactoe-4x3x3",
    "Connect Four 4×4": "connect-four-4x4",
}

#: A number in prose; one to twenty count as words unless they have a point or a percent sign.
NUMBER = re.compile(r"(?<![\w./#^·-])\d[\d,]*(?:\.\d+)?(?: ?%)?")
YEAR = "the year of a publication"
MEASURED = "measured by a training run on a graphics card, see benchmarks"
SEARCHED = "measured on 400 positions, see tools/learn_figures"
HERE = "computed in this file"
HIDDEN = "a hidden claim of the figure stands behind it"
SETTING = "a setting that the reader chooses, or that a listing has"
ASKED = "an answer to choose; its key is computed"
#: By chapter, the numbers that neither a figure nor a listing of the page computes.
NOT_COMPUTED = {
    "alphazero": {
        **dict.fromkeys(("97.9 %", "3,000", "97.3", "98.3", "99.2 %", "98.9", "99.5"), MEASURED),
        **dict.fromkeys(("99.7 %", "99.4", "99.8", "98 %", "0.4"), MEASURED),
        **dict.fromkeys(("64", "600", "100"), SETTING),
        **{"1 %": HIDDEN, "95": ASKED, "4,520": HERE, "2017": YEAR},
    },
    "bandits": {
        **dict.fromkeys(("1.41", "500", "200", "100", "1,000", "10,000"), SETTING),
        **dict.fromkeys(("30", "300", "3,000", "89", "845", "37", "306", "39", "73"), HERE),
        **dict.fromkeys(("24", "1,875"), "the spread of single runs; no test computes it"),
        "2002": YEAR,
    },
    "minimax_theorem": {**dict.fromkeys(("1913", "1928"), YEAR), "75 %": SETTING},
    "most_visited": {
        **dict.fromkeys(("30", "50", "100", "300", "400", "1,000", "3,000"), SETTING),
        **dict.fromkeys(("78.0 %", "80.5 %", "90.5 %", "91.2 %", "95.0 %", "94.2 %"), SEARCHED),
        **dict.fromkeys(("95.5 %", "84.0 %", "86.5 %", "90.0 %", "91.0 %", "95.2 %"), SEARCHED),
        **dict.fromkeys(("96.5 %", "18 %", "11 %", "4 %", "3 %"), SEARCHED),
    },
    "order": {"1975": YEAR, **dict.fromkeys(("40", "1,500", "7,000", "70,000"), ASKED)},
    "priors": dict.fromkeys(("21", "60", "61", "150"), ASKED),
    "proofs": {"50": "some 50 moves: an estimate"},
    "tables": {
        **dict.fromkeys(("44", "22", "685"), ASKED),
        **{"28": HIDDEN, "64": "the bits of a key", "1970": YEAR},
    },
    "uct": {"2006": YEAR, "2019": YEAR, "400": SETTING, "152": HERE, "4,520": HERE},
    "value_iteration": {
        **dict.fromkeys(("0.9", "0.81"), "0.9 and its square"),
        **{"0.75": SETTING, "0.50": HIDDEN},
        **dict.fromkeys(("7,157", "62,789", "111,973", "161,029"), HERE),
        "4,531,985,219,092": "counted by J. Tromp, see the references",
    },
}


def text(name):
    """A page in one line, without what makes it live."""
    page = re.sub(r"<!--.*?-->", "", (FOLDER / f"{name}.md").read_text("utf-8"), flags=re.DOTALL)
    return " ".join(page.split())


def unbound(page):
    """The numbers of a chapter's prose that neither its figures nor its listings compute."""
    listed = " ".join(re.findall(r"```output\n(.*?)```", page, flags=re.DOTALL))
    known = {found.strip(" %").replace(",", "") for found in NUMBER.findall(listed)}
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    prose = re.sub(r"[^\s(]+(?: %)?<!--\s*[=~].*?-->", "", prose, flags=re.DOTALL)
    prose = re.sub(r"<!--.*?-->|!\[.*?\]\(.*?\)|\]\([^)]*\)|`[^`]*`", "", prose, flags=re.DOTALL)
    prose = re.sub(r"^\[\w+\]:.*$", "", prose, flags=re.MULTILINE)
    for found in NUMBER.findall(prose):
        number = found.rstrip(",").strip()
        digits = number.strip(" %").replace(",", "")
        is_word = digits == number and "." not in digits and int(digits) <= 20
        if not is_word and digits not in known:
            yield number


def test_every_number_of_a_chapter_is_computed_or_accounted_for():
    pages = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    chapters = {name: page for name, page in pages.items() if '"live: ' in page}
    assert len(chapters) >= 8
    found = {name: set(unbound(page)) for name, page in chapters.items()}
    assert {name: numbers for name, numbers in found.items() if numbers} == {
        name: set(reasons) for name, reasons in NOT_COMPUTED.items()
    }
    assert set(unbound("It is 47 or 0.5, not 3. 8<!--= leaves --> of 99 %<!--= a -->.")) == {
        "47", "0.5",
    }  # fmt: skip


@cache
def space():
    return state_space(make_game("tictactoe"))


def up(of_end, of_moves):
    """A number for every state, from those of the states after it."""
    found = {}

    def visit(key):
        if key not in found:
            state = space()[key]
            after = {move: visit(child) for move, child in state.moves.items()}
            found[key] = of_end(state) if state.result is not None else of_moves(state, after)
        return found[key]

    visit(space().start)
    return found


@cache
def nodes_and_ends():
    nodes = up(lambda state: 1, lambda state, after: 1 + sum(after.values()))
    ends = up(lambda state: 1, lambda state, after: sum(after.values()))
    return nodes[space().start], ends[space().start]


def test_the_tree_of_tictactoe():
    nodes, ends = nodes_and_ends()
    inner = nodes - ends
    page = text("theory_and_practice")
    assert f"instead of {nodes:,}" in page
    assert f"the {inner:,} inner nodes of the tree have {(nodes - 1) / inner:.2f} children" in page
    assert f"at most 9! = {factorial(9):,} games | {ends:,} |" in page
    assert f"{len(space()):,} states and {nodes:,} nodes" in text("README")


def test_a_good_average_in_random_games_may_lose():
    """Exact fractions: floats would part moves that are equally good."""
    average = up(
        lambda state: Fraction(int(state.result)),
        lambda state, after: sum(after.values()) / len(after),
    )
    truth = solve(space())
    going = [state for state in space().states.values() if state.moves]
    wrong = sum(
        truth[max(state.moves.values(), key=lambda key: state.player * average[key])]
        != truth[state.key]
        for state in going
    )
    assert f"In {wrong} of the {len(going):,} open positions of Tic-Tac-Toe" in text("uct")
    assert f"the right move in all {len(going):,} positions" in text("alphazero")


def test_the_sweeps_of_tictactoe():
    sweeps = list(value_iteration(space()))
    page = text("value_iteration")
    assert f"The first sweep finds the {sweeps[0].changed:,} positions" in page
    assert f"compare all {len(space()):,} states with brute force" in page
    assert f"For {len(space()):,} states both are instant" in page
    assert f"value iteration on 3×3: at most 10 sweeps | {len(sweeps)} |" in text(
        "theory_and_practice"
    )


@pytest.mark.parametrize("title", [
    title if title.startswith("Tic-Tac-Toe 3×3") else pytest.param(title, marks=pytest.mark.full)
    for title in SWEPT
])  # fmt: skip
def test_the_table_of_sweeps(title):
    reached = state_space(make_game(SWEPT[title]), most=200_000)
    sweeps = sum(1 for _ in value_iteration(reached))
    assert f"| {title} | {len(reached):,} | {sweeps} |" in text("value_iteration")


def test_the_regret_of_ucb1():
    page = text("theory_and_practice")
    regret = mean_regret(ARMS, UCB1(), at=(1000,), runs=200)[0]
    bound = ucb1_regret_bound(ARMS, 1000)
    assert f"regret at most {bound:.0f} after 1,000 pulls | {regret:.0f} |" in page
    assert f"We measured {regret:.0f}." in text("bandits")


@pytest.mark.full
@pytest.mark.parametrize("name", POLICIES)
def test_the_table_of_regrets(name):
    regrets = mean_regret(ARMS, POLICIES[name], at=(100, 1000, 10_000), runs=200)
    row = " | ".join(f"{regret:,.0f}" for regret in regrets)
    assert f"| {name} | {row} |" in text("bandits")


def test_what_it_takes_to_solve_tictactoe():
    ideas = ("ordering", "symmetry", "pvs", "distance", "threats", "dead_lines")
    solver = MinimaxSolver(**{f"use_{idea}": True for idea in ideas})
    assert solver.value(make_game("tictactoe")) == 0
    nodes, _ = nodes_and_ends()
    row = f"| Tic-Tac-Toe 3×3 | {len(space()):,} | draw | {solver.nodes_evaluated:,} nodes |"
    assert row in text("feasibility")
    title = f"The same value for {solver.nodes_evaluated:,} nodes instead of {nodes:,}"
    assert title in text("theory_and_practice")


@pytest.mark.full
def test_what_it_takes_to_solve_a_wider_board():
    env = make_game("tictactoe-4x3x3")
    solver = MinimaxSolver.strong()
    assert solver.value(env) == 1
    reached = len(state_space(env))
    row = f"| 4×3, three in a row | {reached:,} | win | {solver.nodes_evaluated:,} nodes |"
    assert row in text("feasibility")
