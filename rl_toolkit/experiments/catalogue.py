"""All experiments, by their ids, in the order in which they are shown."""

from __future__ import annotations

from rl_toolkit.experiments.counting.branching import BRANCHING
from rl_toolkit.experiments.counting.move_order import MOVE_ORDER
from rl_toolkit.experiments.counting.node_counts import NODE_COUNTS
from rl_toolkit.experiments.counting.positions import POSITIONS
from rl_toolkit.experiments.counting.tree_by_ply import TREE_BY_PLY
from rl_toolkit.experiments.counting.value_sweeps import VALUE_SWEEPS
from rl_toolkit.experiments.description import Experiment
from rl_toolkit.experiments.playing.against_one import (
    STRENGTH_BY_C,
    STRENGTH_BY_SIMULATIONS,
    VS_RANDOM,
)
from rl_toolkit.experiments.playing.leagues import DEPTHS, HEURISTICS
from rl_toolkit.experiments.playing.never_loses import NEVER_LOSES
from rl_toolkit.experiments.sampling.mcts_values import MCTS_VALUES
from rl_toolkit.experiments.sampling.regret import REGRET

EXPERIMENTS: dict[str, Experiment] = {
    experiment.id: experiment
    for experiment in (
        NODE_COUNTS,
        TREE_BY_PLY,
        POSITIONS,
        BRANCHING,
        MOVE_ORDER,
        VALUE_SWEEPS,
        NEVER_LOSES,
        DEPTHS,
        HEURISTICS,
        VS_RANDOM,
        MCTS_VALUES,
        STRENGTH_BY_SIMULATIONS,
        STRENGTH_BY_C,
        REGRET,
    )
}
