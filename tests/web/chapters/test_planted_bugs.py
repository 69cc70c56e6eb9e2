"""Bugs planted in the searches of the page: the comparison with the toolkit notices each of them.

A plant changes one place of a module on its way to the browser. The comparisons are those of
`test_twins.py`, with no more cases than the quick run has.
"""

import random

import pytest
from readable_searches import nodes_entered
from test_twins import (
    SOME,
    TWINS,
    attacks,
    boards,
    countered,
    drawn,
    fallen,
    guided,
    late_positions,
    pulls,
    questions,
    simulations,
    sweeps,
    typed_trees,
    worlds,
)

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.value_iteration import state_space
from rl_toolkit.envs import TicTacToe
from rl_toolkit.learning.alphazero import shipped_generations

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Error  # noqa: E402

pytestmark = pytest.mark.full

#: By module: what stands there once, and what is put in its place.
PLANTS = {
    "alpha_beta": [
        ("here.alpha >= here.beta) {", "here.alpha > here.beta) {"),
        ("entry.value >= beta : entry.value <= alpha", "entry.value > beta : entry.value <= alpha"),
        ("value <= alpha ? UPPER", "value < alpha ? UPPER"),
        ("side > 0 ? value <= best", "side > 0 ? value < best"),
        ("? here.betaFrom : here.alphaFrom", "? here.alphaFrom : here.betaFrom"),
        ("every ? Math.max(...highs) : Infinity", "Math.max(...highs)"),
        ("moves.slice(tried + 1)", "moves.slice(tried)"),
    ],
    "connect_four": [
        ("0x8421, 0x1248", "0x8421"),
        ("0x8421, 0x1248", "0x1248"),
        ("0x1111 << column", "0x0111 << column"),
        ("(cells & 0x8888) >> 3", "(cells & 0x8888) >> 2"),
        ("cell += SIDE;", "cell += 1;"),
        (".reverse().join", ".join"),
    ],
    "pieces": [
        ("if (this.has(this.x)) return 1;", "if (this.has(this.x)) return -1;"),
        ("=== this.all ? 0 : null", "=== this.all ? 1 : null"),
        ("if (this.has(this.o)) return -1;", "if (this.has(this.o)) return 0;"),
        ("=== piece ? set | (1 << i)", "=== piece ? set | (1 << (i ^ 1))"),
    ],
    "teller": [
        ("return value === hi ? `≤", "return value === lo ? `≤"),
        ("node.side > 0 ? beta : alpha", "node.side > 0 ? alpha : beta"),
        ('(mover > 0 ? "loss" : "win")) return "_best"', '(mover > 0 ? "win" : "")) return ""'),
    ],
    "uct": [
        ("Math.log(node.visits)", "Math.log(node.visits + 1)"),
        ("came * -up.side; // for", "came * up.side; // for"),
        ("open === isOpen && score > top", "open === isOpen && score >= top"),
        ("child.proven * node.side >= 0", "child.proven * node.side > 0"),
        ("this.chance.shuffle([...FREE[x | o]])", "[...FREE[x | o]]"),
    ],
    "puct": [
        ("(1 + child.visits)", "(child.visits || 1)"),
        ("Math.sqrt(node.visits + running)", "Math.sqrt(node.visits)"),
        (": -node.mean", ": node.mean"),
        ("inGrains(value) * node.side", "inGrains(value)"),
        ("inGrains(priors[child.move] / total)", "inGrains(1 / node.children.length)"),
        ("!best || sum > top", "!best || sum >= top"),
        ("(node === this.root && this.own) || asked", "this.own || asked"),
    ],
    "bandits": [
        ("Math.log(all) / own", "Math.log(all + 1) / own"),
        ("regret += best - arms[arm]", "regret += best - paid"),
        ("scores.indexOf(", "scores.lastIndexOf("),
        ("!tally.counts.includes(0) && ", ""),
    ],
    "python_random": [
        (">>> 6", ">>> 5"),
        ("if (drawn < n)", "if (drawn <= n)"),
        ("let i = list.length - 1; i > 0", "let i = list.length - 1; i >= 0"),
        ("1566083941)) - i", "1566083941)) + i"),
        ("words[k] & 0x80000000", "words[k] & 0x40000000"),
    ],
    "sweeps": [
        ("let best = -Infinity", "let best = 0"),
        ("discount * side * best", "side * best"),
        ("values[number] !== old[number]", "values[number] > old[number]"),
    ],
    "gridworld": [
        ("[slip / 2, (move + 3) % 4]", "[slip / 2, (move + 2) % 4]"),
        (", 0) - cost)", ", 0) - discount * cost)"),
        ("found = worths(cell, old, world)", "found = worths(cell, values, world)"),
        ("values[cell] - 1e-9", "values[cell]"),
        ("best[way.at(-1)].length === 4", "best[way.at(-1)].length === 3"),
        (">= SETTLED", "> 0.01"),
    ],
    "proof_numbers": [
        ("Math.min(...proofs) : sum(proofs)", "Math.min(...proofs) : Math.max(...proofs)"),
        ("isOr ? child.proof === proof", "isOr ? child.disproof === disproof"),
        ("score >= this.target", "score > this.target"),
        ("node.isOr === answer ? told", "node.isOr ? told"),
        ("for (let node = leaf; node; node = node.parent)", "for (const node of [leaf])"),
    ],
    "threats": [
        (">= IN_ROW;", "> IN_ROW;"),
        ("answers.length ? [] : threats", "threats"),
        ("threats.slice(0, 1)", "threats.slice(0, 2)"),
        ("(answers.length ? answers : empty(board))", "empty(board)"),
        ("[1, 1], [1, -1]]", "[1, 1]]"),
    ],
    "guesses": [
        ("2 * KILLER", "KILLER / 2"),
        ("promises[at - 1] < promise", "promises[at - 1] > promise"),
        ("if (cell !== killers[0])", "if (cell !== killers[1])"),
        ("+= moves * moves", "+= 1"),
        ("history[ply % 2][cell] :", "history[0][cell] :"),
    ],
    "whole_game": [
        ("if (low >= high)", "if (low > high)"),
        ("top[node] = child", "top[node] = 0"),
        ("ply === limit", "ply > limit"),
        ("found <= alpha ? UPPER", "found < alpha ? UPPER"),
        ("(x[node] << 9) | o[node]", "x[node] | o[node]"),
        ("known >= beta", "known > beta"),
    ],
}  # fmt: skip
COUNTS = """async () => {
  const { WholeGame } = await import('/static/figures/think/whole_game.js');
  const game = new WholeGame();
  const guessed = ["killers", "history"].map((guess) => game.search(0, { guess }).entered);
  const deep = game.search(0, { depth: 6 }).entered;
  return [...[false, true].map((memory) => game.search(0, { memory }).entered), ...guessed, deep];
}"""


def cases_of(module, monkeypatch):
    """What the quick run compares with the toolkit for a module."""
    if module in ("alpha_beta", "teller"):
        return [*typed_trees(40, 7), *late_positions(12, 3)]
    if module == "uct":
        return [
            *simulations(monkeypatch, True, 250, (1,)),
            *simulations(monkeypatch, False, 80, (1, 2)),
        ]
    if module == "puct":
        generations = shipped_generations("tictactoe")
        return [
            *guided(generations, monkeypatch, True, 30, SOME[:4]),
            *guided(generations, monkeypatch, True, 100, ["x2/3/3 o"] * 5),
            *guided(generations, monkeypatch, False, 30, SOME[2:3]),
            *guided(generations, monkeypatch, False, 60, SOME[2:3], random.Random(5)),
        ]
    if module == "python_random":
        return [drawn(seed) for seed in (0, 1, 2**40 + 7, "arms 3", "policy 0", "ü" * 90)]
    if module == "sweeps":
        space = state_space(TicTacToe())
        return [sweeps(space, boards(space), 0.9)]
    if module == "gridworld":
        return list(worlds(40, 5))
    if module in ("connect_four", "pieces"):
        return list(fallen())
    if module == "threats":
        return [*countered(), *attacks(2, 3)]
    return list(pulls((3,), 200) if module == "bandits" else questions(40, 5))


def right_counts():
    """How many nodes Python enters: without and with a table, two guesses, and to depth 6."""
    counts = []
    for memory in (False, True):
        solver = MinimaxSolver(use_pruning=True, use_memoization=memory, compiled=True)
        solver.value(TicTacToe())
        counts.append(solver.nodes_evaluated)
    guessed = [nodes_entered(guess)[0] for guess in ("killers", "history")]
    return [*counts, *guessed, nodes_entered("cells", depths=range(1, 7))[0]]


@pytest.mark.parametrize("module", PLANTS)
def test_every_planted_bug_is_noticed(browser, web_server, monkeypatch, module):
    plants = PLANTS[module]
    assert len(plants) >= 3
    whole = module in ("whole_game", "guesses")
    cases = [] if whole else cases_of(module, monkeypatch)
    right = right_counts() if whole else []
    source = TWINS.read_text("utf-8").replace("export async", "async")
    compare = f"async (cases) => {{ {source}; return differences(cases); }}"
    page = browser.new_page()
    page.set_default_timeout(60_000)

    def notices(plant):
        """Whether the comparison fails on a page whose module has the plant."""
        planted = []

        def answer(route):
            response = route.fetch()
            text = response.text()
            assert text.count(plant[0]) == 1, plant
            planted.append(plant)
            route.fulfill(response=response, body=text.replace(*plant))

        if plant:
            page.route(f"**/think/{module}.js*", answer)
        page.goto(f"{web_server}/learn")
        try:
            found = page.evaluate(COUNTS) != right if whole else page.evaluate(compare, cases) != []
        except Error:  # a search that fails is noticed as well
            found = True
        page.unroute_all()
        assert bool(planted) == bool(plant), plant
        return found

    assert not notices(None)
    missed = [plant for plant in plants if not notices(plant)]
    page.close()
    assert missed == []
