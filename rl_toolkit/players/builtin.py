"""The engines that come with the toolkit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from rl_toolkit.analysis import Engine
from rl_toolkit.players import knowledge
from rl_toolkit.players.options import Option
from rl_toolkit.players.registry import SEED, EngineKind, limits, register_engine

if TYPE_CHECKING:
    from rl_toolkit.learning.alphazero.inference import Backend

_MEMORY = Option(
    "memory", "whole number", 512, "megabytes of memory to use", least=1, most=1_000_000
)


def _random(seed: int | None) -> Engine:
    from rl_toolkit.algorithms.simple import RandomEngine

    return RandomEngine(seed)


def _greedy(seed: int | None, slips: float) -> Engine:
    from rl_toolkit.algorithms.simple import GreedyEngine

    return GreedyEngine(seed, slips)


#: The techniques of minimax that can be switched off, to see what each is worth.
_IDEAS = {
    "pruning": "alpha-beta: skip what cannot change the result",
    "memoization": "remember positions in a table",
    "ordering": "try promising moves first",
    "symmetry": "symmetric positions share one table entry",
    "distance": "prefer faster wins and slower losses",
    "pvs": "search later moves only to see whether they are better",
    "threats": "if a win or a block is forced, consider nothing else",
    "dead_lines": "stop where the side that must win no longer can",
    "iterative_deepening": "search one ply deeper each time, until a limit is reached",
}


def _minimax(memory: int, seed: int | None, **ideas: bool) -> Engine:
    from rl_toolkit.algorithms.minimax import MinimaxSolver

    switches: dict[str, Any] = {f"use_{idea}": on for idea, on in ideas.items()}
    return MinimaxSolver.strong(max_memory_mb=memory, seed=seed, **switches)


def _mcts(
    c: float,
    playout_depth: int | None,
    tactics: bool,
    reuse: bool,
    memory: int,
    seed: int | None,
) -> Engine:
    from rl_toolkit.algorithms.mcts import MCTSSolver

    return MCTSSolver(
        c=c,
        max_depth=playout_depth,
        tactics=tactics,
        reuse_tree=reuse,
        max_memory_mb=memory,
        seed=seed,
    )


def _reversi(
    weights: str | None, memory: int, every: bool, selective: bool, book: bool, seed: int | None
) -> Engine:
    from rl_toolkit.algorithms.reversi.engine import ReversiEngine

    chosen: Literal["shipped"] | None = "shipped" if book else None
    return ReversiEngine(
        max_memory_mb=memory,
        every_move=every,
        seed=seed,
        book=chosen,
        weights=weights,
        selective=selective,
    )


def _exact(weak: bool, lines: bool, every: bool, seed: int | None) -> Engine:
    from rl_toolkit.algorithms.exact import ExactEngine

    return ExactEngine(weak=weak, lines=lines, every_move=every, seed=seed)


def _alphazero(
    weights: str | None,
    policy: bool,
    cpuct: float,
    batch: int,
    tactics: bool,
    root_prior_power: float,
    backend: Backend,
    memory: int,
    seed: int | None,
) -> Engine:
    from rl_toolkit.learning.alphazero import AlphaZeroEngine

    return AlphaZeroEngine(
        weights,
        policy_only=policy,
        cpuct=cpuct,
        batch=batch,
        tactics=tactics,
        root_prior_power=root_prior_power,
        backend=backend,
        max_memory_mb=memory,
        seed=seed,
    )


def _about_networks() -> str:
    from rl_toolkit.learning.alphazero.weights import where_to_get_networks

    return where_to_get_networks()


register_engine(
    EngineKind(
        "minimax",
        "looks ahead move by move, both sides playing their best",
        _minimax,
        (
            *limits("depth", "nodes", "time"),
            *(Option(idea, "switch", True, line) for idea, line in _IDEAS.items()),
            _MEMORY,
            SEED,
        ),
        knows=knowledge.minimax_knows,
        needs_heuristic=True,
        perfect=knowledge.perfect_minimax,
    )
)
register_engine(
    EngineKind(
        "mcts",
        "plays many random games to the end and prefers the moves that win most",
        _mcts,
        (
            *limits("simulations", "nodes", "time"),
            Option("c", "number", 1.41, "exploration constant of UCT", 0, 100),
            Option(
                "playout_depth",
                "whole number",
                None,
                "plies after which a playout is evaluated by the heuristic",
                0,
                1_000,
            ),
            Option("tactics", "switch", True, "take immediate wins and block immediate losses"),
            Option("reuse", "switch", False, "keep the tree of the last search"),
            _MEMORY,
            SEED,
        ),
    )
)
register_engine(
    EngineKind(
        "greedy",
        "takes an immediate win, else blocks one, else plays the best move by the heuristic",
        _greedy,
        (
            Option("slips", "number", 0.0, "probability of not looking ahead", 0, 1),
            *limits("nodes", "time"),
            SEED,
        ),
        needs_heuristic=True,
    )
)
register_engine(EngineKind("random", "plays a random legal move", _random, (SEED,)))
register_engine(
    EngineKind(
        "exact",
        "proves the result of every move, in games that have an exact solver",
        _exact,
        (
            *limits("nodes", "time"),
            Option("weak", "switch", False, "in Connect Four: prove only who wins, not how fast"),
            Option("lines", "switch", True, "in Connect Four: show the best line of each move"),
            Option("every", "switch", True, "in Reversi: prove every move, not only the best"),
            SEED,
        ),
        knows=knowledge.exact_knows,
        perfect=knowledge.perfect_exact,
    )
)
register_engine(
    EngineKind(
        "reversi",
        "plays Reversi with a learned evaluation, and perfectly near the end",
        _reversi,
        (
            *limits("depth", "nodes", "time"),
            Option("every", "switch", False, "evaluate every move, not only the best"),
            Option("selective", "switch", True, "skip moves that a shallow search finds unlikely"),
            Option("book", "switch", True, "use the opening book if time is the only limit"),
            Option("weights", "file", None, "your own evaluation instead of the shipped one"),
            replace(_MEMORY, default=128),
            SEED,
        ),
        knows=knowledge.reversi_knows,
    )
)
register_engine(
    EngineKind(
        "alphazero",
        "plays with a trained network, in games that have one",
        _alphazero,
        (
            replace(limits("simulations")[0], help="simulations per move (default 400)"),
            *limits("time"),
            Option("weights", "file", None, "your own network instead of the shipped one"),
            Option(
                "policy", "switch", False, "play the move with the highest prior, without search"
            ),
            Option("cpuct", "number", 1.5, "how far search follows the network's priors", 0, 100),
            Option("batch", "whole number", 8, "positions per call of the network", 1, 1024),
            Option("tactics", "switch", True, "take immediate wins and block immediate losses"),
            Option(
                "root_prior_power",
                "number",
                0.3,
                "power of the priors at the root: 1 unchanged, 0 all equal",
                0,
                1,
            ),
            Option(
                "backend",
                "choice",
                "auto",
                "what computes the network; auto is onnx if onnxruntime is installed",
                choices=("auto", "onnx", "numpy"),
            ),
            _MEMORY,
            SEED,
        ),
        knows=knowledge.alphazero_knows,
        advice=_about_networks,
    )
)
