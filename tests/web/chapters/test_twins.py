"""The searches of the figures do what the toolkit's do, event by event and sentence by sentence."""

import random
from pathlib import Path

import pytest

from rl_toolkit.algorithms.bandits import UCB1, BernoulliArms, EpsilonGreedy, Greedy, RandomArm
from rl_toolkit.algorithms.game_tree import GameNode, TreeNode
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.mcts.tree import MCTSNode
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.proof_numbers import ProofSearch
from rl_toolkit.algorithms.traces import trace_bandit, trace_search
from rl_toolkit.algorithms.value_iteration import state_space, value_iteration
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import TicTacToe
from rl_toolkit.envs.hand_trees import HandTreeGame, read_tree
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
    cases = [*typed_trees(40, 7), *late_positions(12, 3)]
    assert {kind for case in cases for kind in case["trace"]["events"]["kind"]} == set("NEVHBbWCR")
    assert compare(cases) == []


@pytest.mark.full
def test_alpha_beta_is_the_toolkits_on_many_trees(compare):
    for seed in range(20):
        assert compare([*typed_trees(75, 100 + seed), *late_positions(20, 100 + seed)]) == []


# ------------------------------------------------------------------------ chance and counts


def drawn(seed):
    """What Python's generator gives, in the order in which the page asks for it."""
    chance, numbers = random.Random(seed), list(range(20))
    first = [chance.random(), chance.randrange(7), chance.randrange(1000), chance.choice(numbers)]
    chance.shuffle(numbers)
    return {"check": "random", "seed": seed, "drawn": [*first, numbers, chance.random()]}


def pulls(seeds, count):
    policies = {
        "ucb1": UCB1(1.41), "greedy": Greedy(), "epsilon": EpsilonGreedy(0.1), "random": RandomArm()
    }  # fmt: skip
    for name, policy in policies.items():
        for arms in ((0.2, 0.5, 0.8), (0.5, 0.55), (0.1, 0.9, 0.4, 0.6, 0.6)):
            for seed in seeds:
                trace = trace_bandit(BernoulliArms(arms), policy, count, seed=seed).data
                yield {
                    "check": "bandit", "arms": arms, "policy": name, "seed": seed, "c": 1.41,
                    "trace": {"pulls": [pull[:3] for pull in trace["pulls"]]},
                }  # fmt: skip


def simulations(monkeypatch, proofs, count, seeds):
    if not proofs:
        monkeypatch.setattr(MCTSNode, "conclude", lambda self: None)
    for text in ("3/3/3 x", "x2/3/3 o", "x1o/3/3 x", "x1o/1x1/2o o"):
        for seed in seeds:
            c = (1.41, 0.0, 0.5, 4.0)[seed % 4]
            solver = MCTSSolver(c=c, seed=seed, tactics=False, compiled=False)
            env = position_from_text("tictactoe", text)
            trace = trace_search(env, solver, Limit(simulations=count)).data
            kept = {name: trace[name] for name in ("nodes", "answer")}
            kept["simulations"] = [each[:4] for each in trace["simulations"]]
            kept["answer"] = {"simulations": len(kept["simulations"])}
            yield {
                "check": "uct", "position": text, "c": c, "seed": seed, "proofs": proofs,
                "trace": kept,
            }  # fmt: skip


def test_bandits_and_uct_are_the_toolkits(compare, monkeypatch):
    assert (
        compare([drawn(seed) for seed in (0, 1, 2**40 + 7, "arms 3", "policy 0", "ü" * 90)]) == []
    )
    assert compare(list(pulls((3,), 200))) == []
    assert compare(list(simulations(monkeypatch, True, 80, (0,)))) == []
    assert compare(list(simulations(monkeypatch, False, 80, (1, 2)))) == []


@pytest.mark.full
def test_bandits_and_uct_are_the_toolkits_in_many_runs(compare, monkeypatch):
    assert compare([drawn(f"{seed}") for seed in range(300)]) == []
    assert compare(list(pulls(range(10), 2000))) == []
    assert compare(list(simulations(monkeypatch, True, 600, range(12)))) == []
    assert compare(list(simulations(monkeypatch, False, 600, range(12)))) == []


def test_the_whole_game_has_the_toolkits_counts(open_page):
    page = open_page("/figures/tree")
    found = page.evaluate(
        """async () => {
             const { WholeGame, NODES } = await import('/static/figures/think/whole_game.js');
             const game = new WholeGame();
             const ways = [[false, false], [true, false], [false, true], [true, true]];
             const counts = ways.map(([pruning, memory]) => {
               const { entered, value } = game.search(0, { pruning, memory });
               return [pruning, memory, entered, value];
             });
             return { counts, nodes: NODES, first: [...game.value.slice(1, 10)] };
           }"""
    )
    for pruning, memory, entered, value in found["counts"]:
        env = position_from_text("tictactoe", "3/3/3 x")
        solver = MinimaxSolver(use_pruning=pruning, use_memoization=memory, compiled=True)
        assert (solver.value(env), solver.nodes_evaluated) == (value, entered)
    assert found["nodes"] == 549_946
    assert found["first"] == [0] * 9


def cells(board, player):
    """The cells of a player as the set of bits that the page uses."""
    return sum(1 << cell for cell, piece in enumerate(board) if piece == player)


def sweeps(space, positions, discount):
    found = list(value_iteration(space, discount))
    return {
        "check": "sweeps", "discount": discount, "trace": {
            "positions": positions,
            "changed": [sweep.changed for sweep in found],
            "values": [[sweep.values[key] for key in space.states] for sweep in found],
        },
    }  # fmt: skip


def boards(space):
    """The cells of both players in every state, in the order of the space."""
    found = {}

    def visit(env):
        found[env.get_state_hash()] = [cells(env.board, 1), cells(env.board, -1)]
        for move, key in space[env].moves.items():
            if key not in found:
                env.step(move)
                visit(env)
                env.undo()

    visit(TicTacToe())
    return [found[key] for key in space.states]


def test_the_sweeps_are_the_toolkits(compare):
    space = state_space(TicTacToe())
    positions = boards(space)
    assert compare([sweeps(space, positions, discount) for discount in (1.0, 0.9)]) == []


def as_tree(node):
    if node.is_leaf:
        return TreeNode(score=node.value)
    return TreeNode([as_tree(child) for child in node.children])


def proven(root, maximizing, target, **case):
    search = ProofSearch(root, maximizing=maximizing, target=target)
    steps = [
        [step.number, *(str(n) if n == float("inf") else n for n in numbers(search.root))]
        for step in search.steps()
    ]
    proof = [node.number for node in search.root.proof_tree()]
    trace = {"steps": steps, "answer": search.root.answer, "nodes": search.nodes, "proof": proof}
    return {"check": "proof", "target": target, **case, "trace": trace}


def numbers(node):
    return node.proof, node.disproof


def questions(count, seed):
    chance = random.Random(seed)
    for number in range(count):
        text = " ".join(bush(chance, chance.randint(1, 4)) for _ in range(chance.randint(2, 4)))
        text = f"min {text}" if number % 3 == 0 else text
        tree = read_tree(text)
        yield proven(as_tree(tree.root), tree.max_first, chance.choice([0, 1, 2, 50]), tree=text)
    for text in ("x1o/3/3 x", "x2/3/3 o", "x1o/1x1/2o x", "xo1/1x1/2o o"):
        env = position_from_text("tictactoe", text)
        for target in (0, 1):
            root = GameNode(env)
            yield proven(root, env.current_player == 1, target, position=text)


def test_proof_numbers_are_the_toolkits(compare):
    cases = list(questions(40, 5))
    assert {case["trace"]["answer"] for case in cases} == {True, False}
    assert compare(cases) == []


@pytest.mark.full
def test_proof_numbers_are_the_toolkits_on_many_trees(compare):
    for seed in range(10):
        assert compare(list(questions(100, 100 + seed))) == []
