"""The searches of the figures do what the toolkit's do, event by event and sentence by sentence."""

import random
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from readable_searches import CENTRE, GUESSES, nodes_entered

from rl_toolkit.algorithms.bandits import UCB1, BernoulliArms, EpsilonGreedy, Greedy, RandomArm
from rl_toolkit.algorithms.game_tree import GameNode, TreeNode
from rl_toolkit.algorithms.gridworld import MOVES, GridWorld
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.mcts.tree import MCTSNode
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.proof_numbers import ProofSearch
from rl_toolkit.algorithms.threat_tree import ThreatNode
from rl_toolkit.algorithms.traces import trace_bandit, trace_search
from rl_toolkit.algorithms.value_iteration import solve, state_space, value_iteration
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import TicTacToe, make_game
from rl_toolkit.envs.hand_trees import HandTreeGame, read_tree
from rl_toolkit.envs.position import position_to_text
from rl_toolkit.explain.traces import tell
from rl_toolkit.learning.alphazero import shipped_generations
from rl_toolkit.learning.alphazero.features import planes_of
from rl_toolkit.learning.alphazero.inference import GRAIN
from rl_toolkit.learning.alphazero.puct_tree import PuctNode, PuctSettings, PythonPuctTree
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


#: The position of the chapter, two others, and one that is its mirror image.
FALLEN = (
    *("4/1xoo/1xox/xxoo x", "3o/1x1x/1o1o/xxox o"),
    *("2o1/1ox1/xoo1/xxxo x", "1xx1/1oo1/xoox/oxxo x"),
)


def unfolded(position):
    """By ply, the nodes below a position of Connect Four 4×4, and the different boards in them."""
    env, mirror = position_from_text("connect-four-4x4", position), np.s_[:, ::-1]
    rows = []

    def visit(ply):
        if ply == len(rows):
            rows.append([])
        board = env.board.reshape(4, 4)
        rows[ply].append((board.tobytes(), min(board.tobytes(), board[mirror].tobytes())))
        for move in [] if env.is_terminal() else env.get_legal_moves():
            env.step(move)
            visit(ply + 1)
            env.undo()

    visit(0)
    counts = [[[len(row), len({keys[at] for keys in row})] for row in rows] for at in (0, 1)]
    trace = {"all": counts[0], "mirrored": counts[1]}
    return {"check": "graph", "position": position, "trace": trace}


def fallen():
    for position in FALLEN:
        yield unfolded(position)
        for way in ((True, True), (True, False), (False, True)):
            env = position_from_text("connect-four-4x4", position)
            yield searched(env, *way, game="connect-four-4x4", position=position)


def test_connect_four_is_the_toolkits(compare):
    cases = list(fallen())
    ends = {answer["trace"]["answer"]["value"] for answer in cases if answer["check"] != "graph"}
    assert len(ends) == 3
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
    assert compare(list(simulations(monkeypatch, True, 250, (1,)))) == []  # proven draws stay open
    assert compare(list(simulations(monkeypatch, False, 80, (1, 2)))) == []


@pytest.mark.full
def test_bandits_and_uct_are_the_toolkits_in_many_runs(compare, monkeypatch):
    assert compare([drawn(f"{seed}") for seed in range(300)]) == []
    assert compare(list(pulls(range(10), 2000))) == []
    assert compare(list(simulations(monkeypatch, True, 600, range(12)))) == []
    assert compare(list(simulations(monkeypatch, False, 600, range(12)))) == []


def guided(generations, monkeypatch, proofs, count, texts, chance=None):
    """Searches of PUCT that a generation of the shipped record guides; priors by ``chance``."""
    if not proofs:
        monkeypatch.setattr(PuctNode, "conclude", lambda self: None)
    for number, text in enumerate(texts):
        c, at = (1.5, 0.0, 0.5, 4.0)[number % 4], number % len(generations.numbers)
        env = position_from_text("tictactoe", text)
        settings = PuctSettings(cpuct=c, batch=1, tactics=False, root_prior_power=1)
        evaluate = generations.evaluator(generations.numbers[at], env)
        own = dragged(env, chance) if chance else None
        tree = PythonPuctTree(env, settings, with_priors(evaluate, env, own), 0)
        tree._turn = 0  # the page begins with the first cell
        tree.run(count, count)
        yield {
            "check": "puct", "position": text, "c": c, "generation": at, "proofs": proofs,
            "own": own, "trace": {"simulations": tree.simulations, "tree": grown(tree.root)},
        }  # fmt: skip


def dragged(env, chance):
    """Priors of the nine cells as a hand may drag them: many small ones, often one of 0.1 %."""
    legal = env.get_legal_moves()
    weights = {move: chance.random() ** 3 + 0.001 for move in legal}
    weights[chance.choice(legal)] = 0.001 * sum(weights.values())
    total = sum(weights.values())
    return [weights.get(cell, 0) / total for cell in range(9)]


def with_priors(evaluate, env, own):
    """An evaluator that has ``own`` priors for the position ``env``, if there are any."""
    root = planes_of([env])[0]

    def evaluated(planes, allowed):
        found = evaluate(planes, allowed)
        if own is None or not np.array_equal(planes[0], root):
            return found
        return found._replace(priors=np.rint(np.array([own]) / sum(own) / GRAIN) * GRAIN)

    return evaluated


def grown(node):
    """A tree as lists: move, visits, total, prior, children."""
    below = [grown(child) for child in node.children.values()]
    return [node.move_from_parent, node.visit_count, node.total_value, node.prior, below]


SOME = ("3/3/3 x", "x2/3/3 o", "x1o/3/3 x", "x1o/1x1/2o x", "xo1/xo1/3 x", "xox/oxo/1x1 o")


def open_positions(count, seed):
    """Positions of Tic-Tac-Toe in which somebody can move, after random moves."""
    chance = random.Random(seed)
    while count:
        env = TicTacToe()
        for _ in range(chance.randrange(8)):
            if not env.is_terminal():
                env.step(chance.choice(env.get_legal_moves()))
        if not env.is_terminal():
            count -= 1
            yield position_to_text(env)


def test_puct_on_a_record_is_the_toolkits(compare, monkeypatch):
    generations = shipped_generations("tictactoe")
    assert compare(list(guided(generations, monkeypatch, True, 30, SOME[:4]))) == []
    # Many generations and constants: whether N counts the simulation that is under way.
    assert compare(list(guided(generations, monkeypatch, True, 100, ["x2/3/3 o"] * 5))) == []
    assert compare(list(guided(generations, monkeypatch, False, 30, SOME[2:3]))) == []


@pytest.mark.parametrize(("times", "count"), [
    (3, 60), pytest.param(15, 200, marks=pytest.mark.full),
])  # fmt: skip
def test_puct_with_priors_of_a_reader_is_the_toolkits(compare, monkeypatch, times, count):
    generations, texts = shipped_generations("tictactoe"), ["xx1/oo1/3 x", *SOME[:5]] * times
    cases = list(guided(generations, monkeypatch, False, count, texts, random.Random(times)))
    assert len({tuple(case["own"]) for case in cases}) == len(cases)
    assert compare(cases) == []


@pytest.mark.full
def test_puct_on_a_record_is_the_toolkits_in_many_searches(compare, monkeypatch):
    generations = shipped_generations("tictactoe")
    for proofs in (True, False):
        for seed in range(6):
            texts = list(open_positions(25, 10 * seed + proofs))
            assert compare(list(guided(generations, monkeypatch, proofs, 300, texts))) == []


def test_the_record_says_the_same_in_python_and_in_the_page(open_page):
    page = open_page("/figures/generations")
    generations = shipped_generations("tictactoe")
    found = page.evaluate(
        """async () => {
             const record = await import("/static/figures/think/generations.js");
             const { NUMBERS, said } = record;
             const { readPosition } = await import('/static/figures/think/tictactoe.js');
             const [x, o] = readPosition('xo1/2x/3 o');
             return { said: NUMBERS.map((_, index) => said(index, x, o)), NUMBERS };
           }"""
    )
    assert tuple(found["NUMBERS"]) == generations.numbers == (0, 1, 3, 10, 30, 100)
    env = position_from_text("tictactoe", "xo1/2x/3 o")
    for number, there in zip(generations.numbers, found["said"], strict=True):
        value, priors = generations.said(number, env)
        assert there["value"] == value
        assert {m: p for m, p in enumerate(there["priors"]) if p} == pytest.approx(priors)
        assert sum(priors.values()) == pytest.approx(1)


@pytest.mark.full
def test_the_record_keeps_as_many_results_in_python_as_in_the_page(open_page):
    page = open_page("/figures/generations")
    generations, values = shipped_generations("tictactoe"), solve(state_space(TicTacToe()))
    right = page.evaluate(
        """async () => {
             const { NUMBERS, rightAt } = await import("/static/figures/think/generations.js");
             return NUMBERS.map((_, index) => rightAt(index));
           }"""
    )
    assert right[-1] == {"right": 4520, "all": 4520}
    assert right[1]["right"] == kept_results(generations, 1, values)


def kept_results(generations, number, values):
    """In how many positions the move with the greatest prior keeps the result."""
    right = 0

    def visit(env, seen):
        nonlocal right
        key = env.get_state_hash()
        if key in seen or env.is_terminal():
            return
        seen.add(key)
        _, priors = generations.said(number, env)
        best = max(priors, key=lambda move: priors[move])
        for move in env.get_legal_moves():
            env.step(move)
            right += move == best and values[env.get_state_hash()] == values[key]
            visit(env, seen)
            env.undo()

    visit(TicTacToe(), set())
    return right


@pytest.mark.parametrize("pruning", [
    True, pytest.param(False, marks=pytest.mark.full),
])  # fmt: skip
def test_the_whole_game_has_the_toolkits_counts(open_page, pruning):
    page = open_page("/figures/tree")
    found = page.evaluate(
        """async (pruning) => {
             const { WholeGame, NODES } = await import('/static/figures/think/whole_game.js');
             const game = new WholeGame();
             const counts = [false, true].map((memory) => {
               const { entered, value } = game.search(0, { pruning, memory });
               return [memory, entered, value];
             });
             return { counts, nodes: NODES, first: [...game.value.slice(1, 10)] };
           }""",
        pruning,
    )
    for memory, entered, value in found["counts"]:
        env = position_from_text("tictactoe", "3/3/3 x")
        solver = MinimaxSolver(use_pruning=pruning, use_memoization=memory, compiled=True)
        assert (solver.value(env), solver.nodes_evaluated) == (value, entered)
    assert found["nodes"] == 549_946
    assert found["first"] == [0] * 9


@pytest.mark.parametrize("tables", [[True], pytest.param([False, True], marks=pytest.mark.full)])
def test_the_orders_that_need_no_values_enter_as_many_nodes_as_in_python(open_page, tables):
    page = open_page("/figures/tree")
    found = page.evaluate(
        """async (tables) => {
             const { WholeGame } = await import('/static/figures/think/whole_game.js');
             const { GUESSES } = await import('/static/figures/think/guesses.js');
             const game = new WholeGame();
             const found = {};
             for (const guess in GUESSES) {
               found[guess] = tables.map((memory) => {
                 const { entered, hits } = game.search(0, { memory, guess });
                 return [entered, hits];
               });
             }
             return found;
           }""",
        tables,
    )
    assert found == {
        guess: [list(nodes_entered(guess, memory)) for memory in tables] for guess in GUESSES
    }
    if False in tables:
        solver = MinimaxSolver(use_memoization=False, use_ordering=True, compiled=False)
        solver.value(CentreFirst())
        assert found["all"][0][0] == solver.nodes_evaluated


@pytest.mark.parametrize("deepest", [5, pytest.param(9, marks=pytest.mark.full)])
def test_searches_depth_by_depth_enter_as_many_nodes_as_in_python(open_page, deepest):
    page = open_page("/figures/tree")
    orders, depths = ("cells", "killers"), list(range(1, deepest + 1))
    found = page.evaluate(
        """async ([orders, wanted]) => {
             const { WholeGame } = await import('/static/figures/think/whole_game.js');
             const game = new WholeGame();
             return orders.map((guess) => wanted.map((depth) => {
               const { entered, depths, value } = game.search(0, { guess, depth });
               return [entered, depths, value, game.seen.lastIndexOf(1) < game.plies[depth + 1]];
             }));
           }""",
        [orders, depths],
    )
    for guess, told in zip(orders, found, strict=True):
        nodes = [nodes_entered(guess, depths=depths[:count])[0] for count in depths]
        assert told == [[nodes[i], nodes[: i + 1], 0, True] for i in range(deepest)]


class CentreFirst(TicTacToe):
    """Moves that are equally promising go in the order centre, corners, edges."""

    def move_priorities(self):
        return np.array(CENTRE)


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


@pytest.mark.parametrize("discount", [0.9, pytest.param(1.0, marks=pytest.mark.full)])
def test_the_sweeps_are_the_toolkits(compare, discount):
    space = state_space(TicTacToe())
    assert compare([sweeps(space, boards(space), discount)]) == []


def worlds(count, seed):
    """Worlds of cells with rewards, costs, discounts and slips as the sliders give them."""
    chance = random.Random(seed)
    names, columns = list(MOVES), len(GridWorld().rows[0])
    for number in range(count):
        rewards = {letter: chance.randint(-18, 18) / 2 for letter in "NFP"}
        cost = chance.choice([0, chance.randint(1, 40) / 20])
        slip = (0, 0.2, 0.2, 0.35)[number % 4]
        discount = chance.randint(50, 100) / 100
        world = GridWorld(rewards, cost, slip)
        found = list(world.sweeps(discount))
        best = [[sweep.best.get(cell, []) for cell in world.cells] for sweep in found]
        yield {
            "check": "gridworld", "rewards": rewards,
            "world": {"discount": discount, "cost": cost, "slip": slip},
            "trace": {
                "rows": world.rows,
                "changed": [sweep.changed for sweep in found],
                "values": [[sweep.values[cell] for cell in world.cells] for sweep in found],
                "best": [[[names.index(m) for m in moves] for moves in each] for each in best],
                "ways": [[r * columns + c for r, c in world.way(sweep.best)] for sweep in found],
            },
        }  # fmt: skip


def test_the_sweeps_of_a_gridworld_are_the_toolkits(compare):
    cases = list(worlds(40, 5))
    ends = {case["trace"]["ways"][-1][-1] for case in cases}
    assert len(ends) >= 4  # the three ends, and worlds in which no way is the best
    assert compare(cases) == []


@pytest.mark.full
def test_the_sweeps_of_a_gridworld_are_the_toolkits_in_many_worlds(compare):
    for seed in range(10):
        assert compare(list(worlds(200, 100 + seed))) == []


def as_tree(node):
    if node.is_leaf:
        return TreeNode(score=node.value)
    return TreeNode([as_tree(child) for child in node.children])


def proven(root, maximizing, target, most=None, **case):
    """A search by proof numbers; its answer is None if it needs more than ``most`` steps."""
    search = ProofSearch(root, maximizing=maximizing, target=target)
    steps = [
        [step.number, *(str(n) if n == float("inf") else n for n in numbers(search.root))]
        for step in islice(search.steps(), most)
    ]
    answer = search.root.answer
    proof = [] if answer is None else [node.number for node in search.root.proof_tree()]
    trace = {"steps": steps, "answer": answer, "nodes": search.nodes, "proof": proof}
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


def attacks(count, seed, most=120):
    """Positions of Gomoku after random moves, with a search for a win by fours; yes and no."""
    chance = random.Random(seed)
    middle = [row * 9 + col for row in range(1, 8) for col in range(1, 8)]
    answers = {True: 0, False: 0}
    while min(answers.values()) < count:
        env = make_game("gomoku-9")
        for move in chance.sample(middle, chance.choice([13, 14, 15, 16])):
            if not env.is_terminal():
                env.step(move)
        root = None if env.is_terminal() else ThreatNode(env)
        if root is None or root.is_leaf():
            continue
        text = position_to_text(env)
        case = proven(root, True, 1, most, position=text) | {"check": "threats"}
        answer = case["trace"]["answer"]
        if answer is not None and answers[answer] < count:
            answers[answer] += 1
            yield case


#: X stops one of two fives of O with a four; O's stop of a four makes a four of its own. In the
#: last one e5 threatens four fives: O stops one, and of the others one is enough to try.
COUNTERS = (
    "8x/9/9/9/9/x8/x8/x8/1oooo4 x",
    "8o/7o1/9/9/1oxxx4/6o2/x5o2/x5o2/x8 x",
    "o1o1o1o1o/9/8o/9/1xxx5/4x4/4x4/4x4/9 x",
)


def countered():
    for text in COUNTERS:
        env = position_from_text("gomoku-9", text)
        case = proven(ThreatNode(env), True, 1, position=position_to_text(env))
        yield case | {"check": "threats"}


@pytest.mark.parametrize("count", [2, pytest.param(8, marks=pytest.mark.full)])
def test_chains_of_fours_are_the_toolkits(compare, count):
    cases = list(countered())
    assert [case["trace"]["answer"] for case in cases] == [False, False, True]
    cases += attacks(count, 3)
    assert compare(cases) == []
    # A win by fours is a win: play the attack against every reply that the game allows.
    for case in cases:
        env = position_from_text("gomoku-9", case["position"])
        search = ProofSearch(ThreatNode(env), maximizing=True, target=1)
        list(search.steps())
        if search.root.answer:
            assert wins_by_fours(search.root)


def wins_by_fours(node):
    """Whether the proof holds against all legal replies, not only those that stop a five."""
    env = node.node.env
    if node.node.is_leaf():
        return env.is_terminal() and env.get_result(node.node.attacker) > 0
    if node.is_or:
        return wins_by_fours(next(child for child in node.children if child.answer))
    stops = {child.move: child for child in node.children}
    for move in env.get_legal_moves():
        after = env.after([move])
        if move in stops:
            if not wins_by_fours(stops[move]):
                return False
        elif after.is_terminal() or not after.winning_moves(node.node.attacker):
            return False
    return True


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 105))
def test_chains_of_fours_are_the_toolkits_in_many_positions(compare, seed):
    assert compare(list(attacks(25, seed, 300))) == []


@pytest.mark.full
def test_proof_numbers_are_the_toolkits_on_many_trees(compare):
    for seed in range(10):
        assert compare(list(questions(100, 100 + seed))) == []
