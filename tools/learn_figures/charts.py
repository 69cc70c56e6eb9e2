"""Figures of measurements: mixed strategies, pruning, bandits, tree search, ideas, references."""

from __future__ import annotations

import random
from itertools import islice
from math import log10

from drawing import SERIES, Figure, Plot, legend

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    RandomArm,
    Thompson,
    play_bandit,
)
from rl_toolkit.algorithms.mcts import MCTSNode, MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.value_iteration import solve, state_space
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import make_engine
from rl_toolkit.records import from_transcript, position_from_text
from rl_toolkit.utils.statistics import wilson_interval


def pruning() -> Figure:
    """Nodes of Connect Four by depth: minimax, alpha-beta, with ordering, and the square root."""
    figure = Figure(760, 400, "Nodes of a search in Connect Four by depth")
    plot = Plot(figure, (0.8, 8.2), (0, 7), left=96)
    plot.titles("Connect Four from the empty board", "depth in plies", "nodes, logarithmic")
    plot.y_ticks([(power, f"{10**power:,}") for power in range(8)])
    plot.x_ticks([(depth, str(depth)) for depth in range(1, 9)])
    settings = {
        "plain minimax": {"use_pruning": False, "use_memoization": False},
        "alpha-beta, columns from left to right": {"use_memoization": False},
        "alpha-beta, best guesses first": {"use_memoization": False, "use_ordering": True},
    }
    curves = {
        name: [_nodes(depth, options) for depth in range(1, 9)]
        for name, options in settings.items()
    }
    best = [_fewest_nodes(7, depth) for depth in range(1, 9)]
    for colour, counts in zip(SERIES, curves.values(), strict=False):
        plot.curve([(depth, log10(count)) for depth, count in enumerate(counts, 1)], colour)
    plot.curve([(depth, log10(count)) for depth, count in enumerate(best, 1)], "soft", dashed=True)
    legend(figure, 110, 62, [
        *zip(SERIES, curves, strict=False),
        ("soft", "the fewest that any order allows, with 7 moves everywhere"),
    ])  # fmt: skip
    return figure


def _nodes(depth: int, options: dict[str, bool]) -> int:
    solver = MinimaxSolver(max_depth=depth, compiled=True, **options)
    solver._minimax(make_game("connect-four"))
    return solver.nodes_evaluated


def _fewest_nodes(b: int, depth: int) -> int:
    """Nodes of the smallest tree that proves a value (Knuth and Moore), inner nodes included."""
    return 1 + sum(b ** ((d + 1) // 2) + b ** (d // 2) - 1 for d in range(1, depth + 1))


def bandit_regret() -> Figure:
    """Mean regret of five policies by the number of pulls."""
    arms, runs, pulls = BernoulliArms((0.2, 0.5, 0.8)), 200, 3000
    figure = Figure(760, 400, "The regret of five policies on three arms")
    plot = Plot(figure, (1, log10(pulls)), (0, 160), right=32)
    plot.titles(
        f"Three arms that pay 20, 50 and 80 %: mean of {runs} runs", "pulls, logarithmic", "regret"
    )
    plot.y_ticks([(tick, str(tick)) for tick in range(0, 161, 40)])
    plot.x_ticks([(log10(n), f"{n:,}") for n in (10, 30, 100, 300, 1000, 3000)])
    policies = {
        "random": RandomArm(),
        "greedy": Greedy(),
        "ε-greedy, ε = 0.1": EpsilonGreedy(0.1),
        "UCB1": UCB1(),
        "Thompson": Thompson(),
    }
    marks = [round(10 ** (k / 20)) for k in range(20, int(20 * log10(pulls)) + 1)]
    for colour, policy in zip(SERIES, policies.values(), strict=True):
        total = dict.fromkeys(marks, 0.0)
        for seed in range(runs):
            for pull in islice(play_bandit(arms, policy, seed=seed), marks[-1]):
                if pull.number in total:
                    total[pull.number] += pull.regret / runs
        plot.curve([(log10(n), regret) for n, regret in total.items() if regret <= 160], colour)
    legend(figure, 90, 66, list(zip(SERIES, policies, strict=True)))
    return figure


class PlainNode(MCTSNode):
    """A node of plain UCT, without the proofs of the toolkit's search."""

    def conclude(self) -> None:
        """Prove nothing."""


def simulate(root: PlainNode, chance: random.Random) -> None:
    """One simulation: select, expand, play out, back up."""
    node = root
    while node.children and node.is_fully_expanded():
        node = node.best_child()
    if node.untried_moves:
        chance.shuffle(node.untried_moves)
        node = node.expand()
    env = node.env.copy()
    while not env.is_terminal():
        env.step(chance.choice(env.get_legal_moves()))
    node.back_up(env.get_result(1))


def visits() -> Figure:
    """The share of the visits of each move while the search goes on."""
    env = position_from_text("tictactoe", "x1o/3/3 x")
    root, chance = PlainNode(env), random.Random(1)
    marks = [round(10 ** (k / 15)) for k in range(15, 54)]
    shares: dict[int, list[tuple[float, float]]] = {move: [] for move in env.get_legal_moves()}
    for number in range(1, marks[-1] + 1):
        simulate(root, chance)
        if number in marks:
            for move, child in root.children.items():
                shares[move].append((log10(number), child.visit_count / number))
    figure = Figure(760, 400, "Where UCT spends its visits")
    plot = Plot(figure, (1, log10(marks[-1])), (0, 1), left=56)
    plot.titles("Share of the visits of each move", "simulations, logarithmic", "share")
    plot.y_ticks([(tick / 4, f"{25 * tick} %") for tick in range(5)])
    plot.x_ticks([(log10(n), f"{n:,}") for n in (10, 30, 100, 300, 1000, 3000)])
    space = state_space(env)
    values = solve(space)
    words = {1.0: "wins", 0.0: "draws", -1.0: "loses"}
    lines = [
        (colour, f"{name}: {words[values[space[env].moves[env.parse_move(name)]]]}")
        for colour, name in zip(SERIES, ("b2", "a3", "a2", "c3"), strict=False)
    ]
    colours = {name[:2]: colour for colour, name in lines}
    for move, points in shares.items():
        plot.curve(points, colours.get(env.move_name(move), "soft"))
    figure.board(96, 64, "".join({1: "x", -1: "o", 0: "."}[int(p)] for p in env.board), size=84)
    figure.text(138, 166, "X to move", size=13, fill="soft")
    others = [name for name in map(env.move_name, shares) if name not in colours]
    legend(figure, 210, 66, [*lines, ("soft", ", ".join(others))])
    return figure


def recommendation() -> Figure:
    """How often the most visited move, and the one with the best mean, keep the result."""
    positions = _judged_positions(400)
    budgets = (7, 10, 20, 50, 100, 300, 1000, 3000)
    figure = Figure(760, 400, "Most visited move or best mean")
    plot = Plot(figure, (log10(6), log10(3500)), (0.7, 1))
    plot.titles(
        "Connect Four: moves that keep the result, 400 positions",
        "simulations, logarithmic",
        "share of positions",
    )
    plot.y_ticks([(tick / 100, f"{tick} %") for tick in range(70, 101, 10)])
    plot.x_ticks([(log10(n), f"{n:,}") for n in budgets])
    right: dict[str, list[float]] = {"visits": [], "mean": []}
    for budget in budgets:
        found = {"visits": 0, "mean": 0}
        for number, (env, good) in enumerate(positions):
            solver = MCTSSolver(budget, seed=number, tactics=False, compiled=True)
            seen = [
                c for c in solver.analyse(env, Limit(simulations=budget)).candidates if c.visits
            ]
            most = max(seen, key=lambda c: c.visits or 0)
            best = max(seen, key=lambda c: c.value or 0.0)
            found["visits"] += most.move in good
            found["mean"] += best.move in good
        for name, count in found.items():
            right[name].append(count / len(positions))
    for colour, shift, shares in zip(("blue", "orange"), (-5, 5), right.values(), strict=True):
        for budget, share in zip(budgets, shares, strict=True):
            x = plot.x(log10(budget)) + shift
            low, high = wilson_interval(share, len(positions))
            figure.line((x, plot.y(low)), (x, plot.y(high)), stroke=colour)
            figure.circle(x, plot.y(share), 4, fill=colour)
    legend(figure, 470, 250, [("blue", "most visited move"), ("orange", "move with the best mean")])
    figure.text(470, 306, "bars: 95 % intervals", size=13, fill="soft", anchor="start")
    return figure


def _judged_positions(count: int) -> list[tuple[BaseGameEnv, set[int]]]:
    """Connect Four positions in which some moves keep the result and others do not."""
    exact, chance = make_engine("exact"), random.Random(3)
    found: list[tuple[BaseGameEnv, set[int]]] = []
    while len(found) < count:
        env = make_game("connect-four")
        for _ in range(chance.randint(14, 26)):
            if not env.is_terminal():
                env.step(chance.choice(env.get_legal_moves()))
        if env.is_terminal():
            continue
        signs = {
            c.move: (c.score > 0) - (c.score < 0)
            for c in exact.analyse(env).candidates
            if c.score is not None
        }
        good = {move for move, sign in signs.items() if sign == max(signs.values())}
        if len(good) < len(signs):
            found.append((env, good))
    return found


def priors() -> Figure:
    """What the network thinks at first, what the search does with it, and the truth."""
    env = from_transcript("connect-four", "44455554")
    network = make_engine("alphazero:simulations=400,seed=1,backend=numpy")
    analysis = network.analyse(env)
    exact = make_engine("exact").analyse(env)
    figure = Figure(760, 380, "Priors of the network and visits of the search")
    plot = Plot(figure, (-0.6, 6.6), (0, 1), left=56, bottom=86)
    plot.titles("Connect Four after 44455554: prior, visits, and the exact result", "", "share")
    plot.y_ticks([(tick / 4, f"{25 * tick} %") for tick in range(5)])
    total = sum(c.visits or 0 for c in analysis.candidates)
    for column, letter in enumerate("abcdefg"):
        try:
            seen, truth = analysis.candidate(column), exact.candidate(column)
        except (KeyError, ValueError):
            continue
        plot.bar(column - 0.19, seen.prior or 0.0, "orange", width=34)
        plot.bar(column + 0.19, (seen.visits or 0) / total, "blue", width=34)
        figure.text(plot.x(column), plot.bottom + 20, letter, size=14, bold=True)
        figure.text(plot.x(column), plot.bottom + 40, truth.outcome or "", size=13, fill="soft")
    figure.text(380, 368, "below each column: the result with best play", size=13, fill="soft")
    legend(
        figure,
        80,
        62,
        [("orange", "prior: the network alone"), ("blue", "visits: after 400 simulations")],
    )
    return figure


def ideas() -> Figure:
    """Nodes to solve Tic-Tac-Toe, with one idea after the other."""
    switches = [
        ("plain minimax", {}),
        ("+ alpha-beta", {"use_pruning": True}),
        ("+ table", {"use_memoization": True}),
        ("+ ordering", {"use_ordering": True}),
        ("+ symmetry", {"use_symmetry": True}),
        ("+ null windows", {"use_pvs": True}),
        ("+ threats", {"use_threats": True}),
        ("+ dead lines", {"use_dead_lines": True}),
    ]
    options: dict[str, bool] = {"use_pruning": False, "use_memoization": False}
    figure = Figure(760, 370, "Nodes to solve Tic-Tac-Toe")
    figure.text(380, 26, "Positions visited to solve Tic-Tac-Toe, logarithmic", bold=True, size=16)
    for number, (name, switch) in enumerate(switches):
        options |= switch
        solver = MinimaxSolver(compiled=True, **options)
        solver._minimax(make_game("tictactoe"))
        y, width = 46 + 38 * number, log10(solver.nodes_evaluated) * 85
        figure.text(150, y + 18, name, size=14, anchor="end")
        figure.rect(160, y, width, 26, fill="blue")
        figure.text(168 + width, y + 18, f"{solver.nodes_evaluated:,}", size=13, anchor="start")
    return figure


#: What the theory pages build on, by year.
MILESTONES = (
    (1913, "Zermelo: backward induction"),
    (1928, "von Neumann: the minimax theorem"),
    (1950, "Shannon: depth and evaluation"),
    (1957, "Bellman: dynamic programming"),
    (1975, "Knuth and Moore: alpha-beta"),
    (1988, "Allen, Allis: Connect Four solved"),
    (2002, "Auer and others: UCB1"),
    (2006, "Kocsis and Szepesvári: UCT"),
    (2017, "Silver and others: AlphaZero"),
    (2023, "Takizawa: Reversi 8×8 solved"),
)


def timeline() -> Figure:
    """The works behind these pages, in order."""
    figure = Figure(760, 60 + 32 * len(MILESTONES), "The works behind these pages, by year")
    figure.text(380, 26, "A century of ideas", bold=True, size=16)
    for number, (year, words) in enumerate(MILESTONES):
        y = 62 + 32 * number
        figure.text(190, y, str(year), size=15, bold=True, anchor="end")
        if number + 1 < len(MILESTONES):
            figure.line((214, y - 5), (214, y + 27), stroke="rule", width=2)
        figure.circle(214, y - 5, 6, fill="blue")
        figure.text(236, y, words, size=15, anchor="start")
    return figure
