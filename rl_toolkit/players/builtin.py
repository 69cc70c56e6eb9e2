"""The engines that come with the toolkit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from rl_toolkit.analysis import Engine
from rl_toolkit.players import knowledge
from rl_toolkit.players.options import Option, SpecError, split_spec
from rl_toolkit.players.registry import SEED, EngineKind, engine_kinds, limits, register_engine

_MEMORY = Option(
    "memory", "whole number", 512, "megabytes of memory to use", least=1, most=1_000_000
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


def _maker(module: str, name: str) -> Callable[..., Engine]:
    """A function that imports an engine and makes it with the options given."""

    def make(**options: Any) -> Engine:
        found: Any = import_module(f"rl_toolkit.{module}")
        for part in name.split("."):
            found = getattr(found, part)
        engine: Engine = found(**{_ARGUMENTS.get(key, key): options[key] for key in options})
        return engine

    return make


def _reversi(book: bool, **options: Any) -> Engine:
    make = _maker("algorithms.reversi.engine", "ReversiEngine")
    return make(book="shipped" if book else None, **options)


def _program(module: str, name: str, example: str) -> Callable[..., Engine]:
    """A function that makes an engine from the program of a command line."""

    def make(cmd: str | None, **options: Any) -> Engine:
        protocol = module.rpartition(".")[0].rpartition(".")[2]
        if not cmd:
            raise SpecError(f"{protocol} needs a program, as in {protocol}:cmd={example}")
        try:
            return _maker(module, name)(cmd=cmd, **options)
        except ValueError as error:
            raise SpecError(f"{protocol}: {error}") from error

    return make


def _about_networks() -> str:
    from rl_toolkit.learning.alphazero.weights import where_to_get_networks

    return where_to_get_networks()


register_engine(
    EngineKind(
        "minimax",
        "looks ahead move by move, both sides playing their best",
        _maker("algorithms.minimax", "MinimaxSolver.strong"),
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
        _maker("algorithms.mcts", "MCTSSolver"),
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
        _maker("algorithms.simple", "GreedyEngine"),
        (
            Option("slips", "number", 0.0, "probability of not looking ahead", 0, 1),
            *limits("nodes", "time"),
            SEED,
        ),
        needs_heuristic=True,
    )
)
register_engine(
    EngineKind(
        "random", "plays a random legal move", _maker("algorithms.simple", "RandomEngine"), (SEED,)
    )
)
register_engine(
    EngineKind(
        "first", "plays the first legal move", _maker("algorithms.simple", "FirstMoveEngine")
    )
)
register_engine(
    EngineKind(
        "exact",
        "proves the result of every move, in games that have an exact solver",
        _maker("algorithms.exact", "ExactEngine"),
        (
            *limits("nodes", "time"),
            Option("weak", "switch", False, "in Connect Four: prove only who wins, not how fast"),
            Option("lines", "switch", True, "in Connect Four: show the best line of each move"),
            Option("every", "switch", True, "in Reversi: prove every move, not only the best"),
            SEED,
        ),
        knows=knowledge.exact_knows,
        perfect=knowledge.perfect_exact,
        node_step=knowledge.solver_step,
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
        node_step=knowledge.solver_step,
    )
)
register_engine(
    EngineKind(
        "gomoku",
        "plays five in a row: proves wins by threats, and searches with a learned evaluation",
        _maker("algorithms.gomoku.engine", "GomokuEngine"),
        (
            *limits("depth", "nodes", "time"),
            Option("every", "switch", False, "value every move, not only the best"),
            Option("proofs", "switch", True, "look for wins by threats if no depth is given"),
            Option("weights", "file", None, "your own evaluation instead of the shipped one"),
            Option(
                "network",
                "file",
                "on",
                "your own network; on: the shipped one, if there is one",
                choices=("on", "off"),
            ),
            replace(_MEMORY, default=64),
            SEED,
        ),
        knows=knowledge.gomoku_knows,
    )
)
register_engine(
    EngineKind(
        "alphazero",
        "plays with a trained network, in games that have one",
        _maker("learning.alphazero", "AlphaZeroEngine"),
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

# --- other programs ---------------------------------------------------------------

_COMMAND = Option("cmd", "text", None, "the program with its arguments; quote it if it has commas")
_PROCESS = (
    Option("start", "number", 10, "seconds that the program may take to start", 0.1, 3600),
    Option("patience", "number", 60, "seconds to wait for an answer beyond its time", 0.1, 86_400),
    Option("folder", "text", None, "the folder in which it runs; without one, an empty folder"),
    Option("memory", "whole number", 4096, "megabytes of memory that it may use", 16, 1_000_000),
)

register_engine(
    EngineKind(
        "gtp",
        "asks a program that speaks GTP 2, such as GNU Go or GRhino, in any game",
        _program("protocols.gtp.client", "GtpEngine", "gtp-rhino --level=3"),
        (_COMMAND, *limits("time"), *_PROCESS),
        outside=True,
    )
)
register_engine(
    EngineKind(
        "gomocup",
        "asks a program of Gomocup, the tournament of five in a row",
        _program("protocols.gomocup.client", "GomocupEngine", "./pbrain-rapfi"),
        (_COMMAND, *limits("time"), *_PROCESS),
        knows=knowledge.gomocup_knows,
        outside=True,
    )
)
register_engine(
    EngineKind(
        "nboard",
        "asks a Reversi program that speaks NBoard 2, such as Edax",
        _program("protocols.nboard.client", "NBoardEngine", "edax -nboard"),
        (
            _COMMAND,
            *limits("depth", "time"),
            Option("hints", "whole number", 0, "moves that it is to evaluate first", 0, 64),
            *_PROCESS,
        ),
        knows=knowledge.nboard_knows,
        outside=True,
    )
)


def _package(path: str | None, engine: str | None, **options: Any) -> Engine:
    example = "package:path=../old,engine=minimax:depth=4"
    if not path or not engine:
        raise SpecError(f"package needs a folder and an engine, as in {example}")
    asked = _as_in_a_match(engine)
    try:
        return _maker("protocols.service.client", "PackageEngine")(
            path=path, engine=asked, **options
        )
    except ValueError as error:
        raise SpecError(f"package: {error}") from error


def _as_in_a_match(spec: str) -> str:
    """The engine as it plays: a service values every move unless it is told not to.

    Without a limit a service thinks for some seconds, whatever the engine's own default is.
    """
    name, chosen = split_spec(spec)
    kind = next((kind for kind in engine_kinds(outside=True) if kind.name == name), None)
    if kind is None:  # a level, or an engine that only the other version has
        return spec
    if kind.outside:
        raise SpecError(f"package asks an engine or level of the package, not {name}")
    known = {option.name for option in kind.options if option.is_limit}
    if known & {"depth", "simulations"} and not known & chosen.keys():
        most = "depth=4" if "depth" in known else "simulations=1000"
        raise SpecError(f"package needs an engine with a limit, such as {name}:{most}")
    every = any(option.name == "every" and option.default is False for option in kind.options)
    if not every or "every" in chosen:
        return spec
    return f"{spec}{',' if ':' in spec else ':'}every=off"


register_engine(
    EngineKind(
        "package",
        "asks an engine of another version of this package, in a folder that you name",
        _package,
        (
            Option("path", "text", None, "the folder with rl_toolkit, such as a worktree"),
            Option("engine", "text", None, "the engine or level there; quote it if it has commas"),
            Option("python", "text", None, "its interpreter; without one, the one that runs"),
            *limits("time", "nodes", "depth", "simulations"),
            *(
                replace(each, default=600) if each.name == "start" else each
                for each in _PROCESS[:2]
            ),
            _PROCESS[-1],
            SEED,
        ),
        outside=True,
    )
)
