"""The engines that come with the toolkit."""

from __future__ import annotations

from rl_toolkit.analysis import Engine
from rl_toolkit.players.options import Option
from rl_toolkit.players.registry import SEED, EngineKind, limits, register_engine

_MEMORY = Option(
    "memory", "whole number", 512, "megabytes that may be used", least=1, most=1_000_000
)


def _random(seed: int | None) -> Engine:
    from rl_toolkit.algorithms.simple import RandomEngine

    return RandomEngine(seed)


def _greedy(seed: int | None, slips: float) -> Engine:
    from rl_toolkit.algorithms.simple import GreedyEngine

    return GreedyEngine(seed, slips)


def _minimax(memory: int, seed: int | None, **ideas: bool) -> Engine:
    from rl_toolkit.algorithms.minimax import MinimaxSolver

    return MinimaxSolver(
        max_memory_mb=memory,
        seed=seed,
        use_pruning=ideas["pruning"],
        use_memoization=ideas["memoization"],
        use_ordering=ideas["ordering"],
        use_symmetry=ideas["symmetry"],
        use_distance=ideas["distance"],
        use_pvs=ideas["pvs"],
        use_iterative_deepening=ideas["deepening"],
    )


def _mcts(
    c: float, playout_depth: int | None, tactics: bool, memory: int, seed: int | None
) -> Engine:
    from rl_toolkit.algorithms.mcts import MCTSSolver

    return MCTSSolver(
        c=c, max_depth=playout_depth, tactics=tactics, max_memory_mb=memory, seed=seed
    )


def _idea(name: str, help_line: str) -> Option:
    return Option(name, "switch", True, help_line)


register_engine(
    EngineKind(
        "minimax",
        "looks ahead move by move, both sides playing their best",
        _minimax,
        (
            *limits("depth", "nodes", "time"),
            _idea("pruning", "alpha-beta: leave out what cannot change the result"),
            _idea("memoization", "remember positions in a table"),
            _idea("ordering", "try promising moves first"),
            _idea("symmetry", "mirror images share what is known of them"),
            _idea("distance", "prefer faster wins and slower losses"),
            _idea("pvs", "ask of later moves only whether they are better"),
            _idea("deepening", "look one ply deeper each time, until a limit is reached"),
            _MEMORY,
            SEED,
        ),
    )
)
register_engine(
    EngineKind(
        "mcts",
        "plays many games to the end and goes where they are won",
        _mcts,
        (
            *limits("simulations", "time"),
            Option("c", "number", 1.41, "how eagerly rarely tried moves are tried", 0, 100),
            Option(
                "playout_depth",
                "whole number",
                None,
                "plies after which a playout is judged by the heuristic",
                1,
                1_000,
            ),
            Option("tactics", "switch", True, "playouts take wins and stop losses they can see"),
            _MEMORY,
            SEED,
        ),
    )
)
register_engine(
    EngineKind(
        "greedy",
        "wins at once or stops the opponent from it, else plays what looks best",
        _greedy,
        (
            Option("slips", "number", 0.0, "the chance that it does not look", 0, 1),
            *limits("nodes", "time"),
            SEED,
        ),
    )
)
register_engine(EngineKind("random", "plays any legal move", _random, (SEED,)))
