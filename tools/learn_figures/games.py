"""Figures of whole games: states by ply, sweeps of value iteration, horizons, sizes of boards."""

from __future__ import annotations

from collections import Counter
from math import log10

from drawing import Figure, Plot, legend

from rl_toolkit.algorithms.value_iteration import (
    Key,
    StateSpace,
    first_values,
    solve,
    state_space,
    value_iteration,
)
from rl_toolkit.envs import TicTacToe

#: Positions of each game. Computed: the first four; the rest are from the literature.
SIZES = (
    ("Tic-Tac-Toe 3×3", 5_478, "counted"),
    ("Tic-Tac-Toe 4×4", 9_722_011, "counted"),
    ("Tic-Tac-Toe 5×5", 158_977_021_146, "counted"),
    ("Connect Four 6×7", 4_531_985_219_092, "counted"),
    ("Reversi 8×8", 10**28, "estimated"),
    ("chess", 10**44.7, "estimated"),
    ("Go 19×19", 2.08e170, "estimated"),
)


def states_by_ply() -> Figure:
    """Nodes of the tree beside positions, ply by ply."""
    space = state_space(TicTacToe())
    positions, nodes = [1], [1]
    level = {space.start: 1}  # how many paths lead to each state
    while True:
        after: Counter[Key] = Counter()
        for key, paths in level.items():
            for child in space[key].moves.values():
                after[child] += paths
        if not after:
            break
        level = dict(after)
        positions.append(len(level))
        nodes.append(sum(level.values()))
    figure = Figure(760, 380, "Nodes of the game tree and different positions, by ply")
    plot = Plot(figure, (-0.6, 9.6), (0, 6), left=92)
    plot.titles("Tic-Tac-Toe: many paths, few positions", "moves played", "count, logarithmic")
    plot.y_ticks([(power, f"{10**power:,}") for power in range(7)])
    plot.x_ticks([(ply, str(ply)) for ply in range(10)])
    for ply, (node, position) in enumerate(zip(nodes, positions, strict=True)):
        plot.bar(ply - 0.2, log10(node), "orange", width=25)
        plot.bar(ply + 0.2, log10(position), "blue", width=25)
    legend(figure, 108, 62, [
        ("orange", f"nodes of the tree: {sum(nodes):,}"),
        ("blue", f"different positions: {sum(positions):,}"),
    ])  # fmt: skip
    return figure


def sweeps() -> Figure:
    """How many values each sweep changes, and how many are still wrong."""
    space = state_space(TicTacToe())
    truth = solve(space)
    counts = [(0, 0, _wrong(first_values(space), truth))]
    counts += [
        (sweep.number, sweep.changed, _wrong(sweep.values, truth))
        for sweep in value_iteration(space)
    ]
    figure = Figure(760, 380, "Value iteration on Tic-Tac-Toe")
    plot = Plot(figure, (-0.6, 6.6), (0, 4000))
    plot.titles("Value iteration on all 5,478 states", "sweep", "states")
    plot.y_ticks([(tick, f"{tick:,}") for tick in range(0, 4001, 1000)])
    plot.x_ticks([(number, str(number) if number else "start") for number, _, _ in counts])
    for number, changed, wrong in counts:
        if number:
            plot.bar(number - 0.2, changed, "blue", width=34, label=f"{changed:,}")
        plot.bar(number + 0.2, wrong, "orange", width=34, label=f"{wrong:,}")
    legend(figure, 480, 70, [
        ("blue", "values changed in this sweep"),
        ("orange", "values still wrong after it"),
    ])  # fmt: skip
    return figure


def _wrong(values: dict[Key, float], truth: dict[Key, float]) -> int:
    return sum(values[key] != truth[key] for key in truth)


def horizon() -> Figure:
    """Games lost against every reply, by depth, when the horizon is worth 0."""
    space = state_space(TicTacToe())
    figure = Figure(760, 380, "Games lost by a search that values its horizon 0")
    plot = Plot(figure, (0.4, 7.6), (0, 400))
    plot.titles(
        "Lost games against every possible reply, horizon worth 0",
        "depth of the search in plies",
        "games lost",
    )
    plot.y_ticks([(tick, str(tick)) for tick in range(0, 401, 100)])
    plot.x_ticks([(depth, str(depth)) for depth in range(1, 8)])
    for depth in range(1, 8):
        second, first = losses(space, depth, side=-1), losses(space, depth, side=1)
        plot.bar(depth - 0.19, second, "orange", width=34, label=str(second))
        plot.bar(depth + 0.19, first, "blue", width=34, label=str(first))
    legend(figure, 500, 70, [("orange", "as the second player"), ("blue", "as the first player")])
    return figure


def losses(space: StateSpace, depth: int, side: int) -> int:
    """Games that a search of ``depth`` plies loses as ``side``, over all replies."""

    def value(key: Key, left: int) -> float:
        state = space[key]
        if state.result is not None or left == 0:
            return state.result or 0.0
        best = max if state.player == 1 else min
        return best(value(after, left - 1) for after in state.moves.values())

    def lost(key: Key) -> int:
        state = space[key]
        if state.result is not None:
            return int(state.result == -side)
        after = list(state.moves.values())
        if state.player == side:
            scores = [side * value(child, depth - 1) for child in after]
            after = [after[scores.index(max(scores))]]
        return sum(lost(child) for child in after)

    return lost(space.start)


def sizes() -> Figure:
    """Positions of games, as powers of ten."""
    figure = Figure(760, 330, "The number of positions of some games")
    figure.text(380, 26, "Positions, as a power of ten", bold=True, size=16)
    for number, (name, count, source) in enumerate(SIZES):
        y, power = 50 + 38 * number, log10(count)
        colour = "blue" if source == "counted" else "orange"
        figure.text(165, y + 18, name, size=14, anchor="end")
        figure.rect(175, y, power * 2.9, 26, fill=colour)
        figure.text(181 + power * 2.9, y + 18, f"10^{power:.1f}", size=13, anchor="start")
    legend(figure, 560, 60, [("blue", "counted exactly"), ("orange", "estimated")])
    return figure
