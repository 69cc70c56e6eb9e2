"""The engines that come with the toolkit, as data: an engine is imported when one is made."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

from rl_toolkit.analysis import Engine
from rl_toolkit.players.kinds import knowledge
from rl_toolkit.players.kinds.kind import SEED, EngineKind, limits
from rl_toolkit.players.options import Option

_MEMORY = Option(
    "memory", "whole number", 512, "megabytes of memory to use", least=1, most=1_000_000
)

_THREADS = Option(
    "threads",
    "whole number",
    1,
    "threads to search with; a single question uses all cores if only time limits it",
    least=1,
    most=256,
)


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


#: What options are called by the engines that call them something else.
_ARGUMENTS = {
    "memory": "max_memory_mb",
    "every": "every_move",
    "playout_depth": "max_depth",
    "reuse": "reuse_tree",
    "policy": "policy_only",
    **{idea: f"use_{idea}" for idea in _IDEAS},
}


class Maker:
    """Imports an engine and makes it with the options given.

    Args:
        module: the module of the engine, without the name of the package.
        name: what makes it there: its class, a method of that, or a function.
    """

    def __init__(self, module: str, name: str) -> None:
        self.module, self._name = f"rl_toolkit.{module}", name

    def __call__(self, **options: Any) -> Engine:
        """The engine; limits are not among the options."""
        factory: Any = import_module(self.module)
        for part in self._name.split("."):
            factory = getattr(factory, part)
        engine: Engine = factory(**{_ARGUMENTS.get(key, key): options[key] for key in options})
        return engine


class _ReversiMaker(Maker):
    def __call__(self, **options: Any) -> Engine:
        return super().__call__(**options | {"book": "shipped" if options["book"] else None})


def _about_networks() -> str:
    from rl_toolkit.learning.alphazero import where_to_get_networks

    return where_to_get_networks()


#: The engines of the toolkit, in the order in which they are listed.
KINDS = (
    EngineKind(
        "minimax",
        "looks ahead move by move, both sides playing their best",
        Maker("algorithms.minimax.solver", "MinimaxSolver.strong"),
        (
            *limits("depth", "nodes", "time"),
            *(Option(idea, "switch", True, line) for idea, line in _IDEAS.items()),
            _MEMORY,
            _THREADS,
            SEED,
        ),
        knows=knowledge.minimax_knows,
        needs_heuristic=True,
        takes_evaluate=True,
        perfect=knowledge.perfect_minimax,
    ),
    EngineKind(
        "mcts",
        "plays many random games to the end and prefers the moves that win most",
        Maker("algorithms.mcts.solver", "MCTSSolver"),
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
            Option("proofs", "switch", True, "prove results; off is UCT as in textbooks"),
            Option("reuse", "switch", False, "keep the tree of the last search"),
            _MEMORY,
            _THREADS,
            SEED,
        ),
    ),
    EngineKind(
        "greedy",
        "takes an immediate win, else blocks one, else plays the best move by the heuristic",
        Maker("algorithms.simple.greedy", "GreedyEngine"),
        (
            Option("slips", "number", 0.0, "probability of not looking ahead", 0, 1),
            *limits("nodes", "time"),
            SEED,
        ),
        needs_heuristic=True,
    ),
    EngineKind(
        "random",
        "plays a random legal move",
        Maker("algorithms.simple.baselines", "RandomEngine"),
        (SEED,),
    ),
    EngineKind(
        "first",
        "plays the first legal move",
        Maker("algorithms.simple.baselines", "FirstMoveEngine"),
    ),
    EngineKind(
        "exact",
        "proves the result of every move, in games that have an exact solver",
        Maker("algorithms.by_game.exact", "ExactEngine"),
        (
            *limits("nodes", "time"),
            Option("weak", "switch", False, "in Connect Four: prove only who wins, not how fast"),
            Option("lines", "switch", True, "in Connect Four: show the best line of each move"),
            Option("every", "switch", True, "in Reversi: prove every move, not only the best"),
            _THREADS,
            SEED,
        ),
        knows=knowledge.exact_knows,
        perfect=knowledge.perfect_exact,
        node_step=knowledge.solver_step,
    ),
    EngineKind(
        "reversi",
        "plays Reversi with a learned evaluation, and perfectly near the end",
        _ReversiMaker("algorithms.reversi.engine", "ReversiEngine"),
        (
            *limits("depth", "nodes", "time"),
            Option("every", "switch", False, "evaluate every move, not only the best"),
            Option("selective", "switch", True, "skip moves that a shallow search finds unlikely"),
            Option("book", "switch", True, "use the opening book if time is the only limit"),
            Option("weights", "file", None, "your own evaluation instead of the shipped one"),
            replace(_MEMORY, default=128),
            _THREADS,
            SEED,
        ),
        knows=knowledge.reversi_knows,
        node_step=knowledge.solver_step,
    ),
    EngineKind(
        "gomoku",
        "plays five in a row: proves wins by threats, and searches with a learned evaluation",
        Maker("algorithms.gomoku.engine", "GomokuEngine"),
        (
            *limits("depth", "nodes", "time"),
            Option("every", "switch", False, "value every move, not only the best"),
            Option("proofs", "switch", True, "look for wins by threats if no depth is given"),
            Option("solve", "switch", False, "look for a proof until the limit is reached"),
            Option("weights", "file", None, "your own evaluation instead of the shipped one"),
            replace(_MEMORY, default=64),
            _THREADS,
            SEED,
        ),
        knows=knowledge.gomoku_knows,
    ),
    EngineKind(
        "alphazero",
        "plays with a trained network, in games that have one",
        Maker("learning.alphazero.engine", "AlphaZeroEngine"),
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
    ),
    EngineKind(
        "mix",
        "draws a lot for every move and plays it as one of two engines",
        Maker("players.kinds.mixed_engine", "make_mix"),
        (
            Option("strong", "engine", "random", "the engine that plays most moves"),
            Option("weak", "engine", "first", "the engine that plays the others"),
            Option("slips", "number", 0.25, "share of moves that the weak engine plays", 0, 1),
            SEED,
        ),
    ),
)
