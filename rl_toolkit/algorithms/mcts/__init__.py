"""Monte Carlo tree search (UCT), in Python and compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.algorithms.mcts.compiled_tree import CompiledNode, CompiledTree
    from rl_toolkit.algorithms.mcts.growth import Tree, TreeAnalysisBuilder, grow
    from rl_toolkit.algorithms.mcts.report import Bonus, SearchNode, exploration
    from rl_toolkit.algorithms.mcts.solver import MCTSSolver
    from rl_toolkit.algorithms.mcts.tree import (
        BYTES_PER_NODE,
        MCTSNode,
        PythonTree,
        Settings,
        forced_moves,
    )

__all__ = [
    # Estimated size of one node with its copy of the game, plus one byte per cell
    "BYTES_PER_NODE",
    "Bonus",  # The exploration term of a visited node, given the visits of its parent
    "CompiledNode",  # One record of a compiled tree, as a `SearchNode`
    # Like `PythonTree`, with nodes as records in one array as large as the memory cap
    # allows
    "CompiledTree",
    "MCTSNode",  # A position in the search tree
    "MCTSSolver",  # Monte Carlo tree search over any `BaseGameEnv`, compiled for games with kernels
    "PythonTree",  # A search tree over any `BaseGameEnv`, grown simulation by simulation
    "SearchNode",  # The properties of a node that this module reads
    "Settings",  # How a tree is searched
    "Tree",  # A search tree that can be grown and read; see `algorithms.mcts.tree.PythonTree`
    "TreeAnalysisBuilder",  # Turns the current state of a tree into an `Analysis`
    "exploration",  # The exploration term of the UCT score; infinite without a visit
    # In a line game, the immediately winning moves, else the blocks of such a win; else
    # none
    "forced_moves",
    "grow",  # Run simulations until ``limit`` is reached, ``stop`` is set or the result is proven
]
__getattr__, __dir__ = front_door(__name__)
