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
    "memory", "whole number", 512, "megabytes that may be used", least=1, most=1_000_000
)


def _random(seed: int | None) -> Engine:
    from rl_toolkit.algorithms.simple import RandomEngine

    return RandomEngine(seed)


def _greedy(seed: int | None, slips: float) -> Engine:
    from rl_toolkit.algorithms.simple import GreedyEngine

    return GreedyEngine(seed, slips)


#: The ideas that minimax can be played without, to see what each is worth.
_IDEAS = {
    "pruning": "alpha-beta: leave out what cannot change the result",
    "memoization": "remember positions in a table",
    "ordering": "try promising moves first",
    "symmetry": "mirror images share what is known of them",
    "distance": "prefer faster wins and slower losses",
    "pvs": "ask of later moves only whether they are better",
    "threats": "where a win or a block is due, consider nothing else",
    "dead_lines": "stop where the side that must win no longer can",
    "iterative_deepening": "look one ply deeper each time, until a limit is reached",
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
        "plays many games to the end and follows the moves that win them",
        _mcts,
        (
            *limits("simulations", "nodes", "time"),
            Option("c", "number", 1.41, "how eagerly rarely visited moves are explored", 0, 100),
            Option(
                "playout_depth",
                "whole number",
                None,
                "plies after which a playout is judged by the heuristic",
                0,
                1_000,
            ),
            Option("tactics", "switch", True, "playouts take wins and stop losses they can see"),
            Option("reuse", "switch", False, "keep the tree of the last search"),
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
        needs_heuristic=True,
    )
)
register_engine(EngineKind("random", "plays any legal move", _random, (SEED,)))
register_engine(
    EngineKind(
        "exact",
        "knows the true result of every move, in games that have an exact solver",
        _exact,
        (
            *limits("nodes", "time"),
            Option("weak", "switch", False, "in Connect Four: only who wins, not how fast"),
            Option("lines", "switch", True, "in Connect Four: also the best play after each move"),
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
            Option("every", "switch", False, "value every move by itself, not only the best"),
            Option("selective", "switch", True, "leave out what a shallow look finds unlikely"),
            Option("book", "switch", True, "ask the opening book where only a clock is the limit"),
            Option("weights", "file", None, "an evaluation of your own; without, the shipped one"),
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
            Option("weights", "file", None, "a network of your own; without one, the shipped one"),
            Option(
                "policy", "switch", False, "play the move with the highest prior, without search"
            ),
            Option("cpuct", "number", 1.5, "how far search follows the network's priors", 0, 100),
            Option(
                "batch", "whole number", 8, "positions to ask the network about at once", 1, 1024
            ),
            Option("tactics", "switch", True, "search takes wins and stops losses it can see"),
            Option(
                "root_prior_power",
                "number",
                0.3,
                "power of the priors at the root: 1 as they are, 0 all alike",
                0,
                1,
            ),
            Option(
                "backend",
                "choice",
                "auto",
                "what computes the network; auto is onnx where onnxruntime is installed",
                choices=("auto", "onnx", "numpy"),
            ),
            _MEMORY,
            SEED,
        ),
        knows=knowledge.alphazero_knows,
        advice=_about_networks,
    )
)
