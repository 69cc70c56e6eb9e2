"""The game tree ply by ply: how wide it is, where games end, and who has won them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rl_toolkit.envs import make_game
from rl_toolkit.experiments.counting.whole_trees import SETTINGS, depth_for
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Cell, Column, Result
from rl_toolkit.utils.svg import Chart

if TYPE_CHECKING:
    from rl_toolkit.kernels.search.tree_counts import Tally


def measure(game: str, depth: int | None) -> Iterator[Progress | Tally]:
    """One walk through the tree."""
    from rl_toolkit.kernels.rules.compiled import compiled_rules  # loads compiled code
    from rl_toolkit.kernels.search.tree_counts import tally

    env = make_game(game)
    spec = env.kernel_spec()
    rules = compiled_rules(spec) if spec is not None else None
    if rules is None:
        raise ValueError(f"{env.name} has no compiled rules, and without them this takes too long")
    depth = depth_for(env, depth) or len(env.board)
    yield Progress(0, 1, f"walking the tree, {depth} plies")
    yield tally(rules, rules.encode(env.board, env.current_player), depth)


def conclude(measured: Sequence[Tally], complete: bool, game: str, depth: int | None) -> Result:
    """Nodes and finished games of each ply."""
    (counted,) = measured
    name = make_game(game).name
    depth = len(counted.nodes) - 1
    cells: list[list[Cell]] = []
    for ply, nodes in enumerate(counted.nodes):
        won, lost = counted.won[ply], counted.lost[ply]
        x_won, o_won = (won, lost) if ply % 2 else (lost, won)  # X makes the odd plies
        cells.append([str(ply), nodes, x_won, counted.drawn[ply], o_won])
    nodes, ended = sum(counted.nodes), sum(counted.won) + sum(counted.drawn) + sum(counted.lost)
    deepest = max(ply for ply, count in enumerate(counted.nodes) if count)
    plies = [str(ply) for ply in range(depth + 1)]
    return Result(
        title=f"The game tree of {name}, {depth} plies deep",
        columns=[
            Column("ply", "plain"),
            *(Column(what) for what in ("nodes", "X has won", "drawn", "O has won")),
        ],
        cells=[*cells, ["all", nodes, None, None, None]],
        remarks=[
            f"{ended:,} games end within {depth} plies; nodes and games are different counts.",
            f"The deepest recursion is {deepest} plies: minimax never holds more positions "
            "than that at once.",
        ],
        chart=Chart(f"Nodes by ply, {name}", plies, counted.nodes, "nodes", log=True),
        data={
            "game": name,
            "nodes_by_ply": counted.nodes,
            "nodes": nodes,
            "games": ended,
            "deepest": deepest,
        },
    )


TREE_BY_PLY = Experiment(
    id="depth",
    title="The tree ply by ply",
    about="How wide a game tree is at every ply, and where its games end.",
    unit="walks",
    settings=SETTINGS,
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "Nine cells can be filled in 9! = 362,880 orders. Why are there only 255,168 games?",
            "Many games end before the board is full, and every such game stands for all the ways "
            "in which the rest could have been filled.",
        ),
        Question(
            "The tree of Tic-Tac-Toe grows narrower at the last ply. Why?",
            "Games that ended earlier have no nodes there, and with one empty cell left there is "
            "only one move.",
        ),
    ),
    examples=("reversi --depth 8",),
)
