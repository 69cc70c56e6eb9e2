"""Engines that run a program or a file which the spec names: programs, other versions, bots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rl_toolkit.analysis import Engine
from rl_toolkit.players.kinds import knowledge
from rl_toolkit.players.kinds.builtin import Maker
from rl_toolkit.players.kinds.kind import SEED, EngineKind, limits
from rl_toolkit.players.notation import stated, stating
from rl_toolkit.players.options import BOT, Option, SpecError

_COMMAND = Option("cmd", "text", None, "the program with its arguments; quote it if it has commas")
_PROCESS = (
    Option("start", "number", 10, "seconds that the program may take to start", 0.1, 3600),
    Option("patience", "number", 60, "seconds to wait for an answer beyond its time", 0.1, 86_400),
    Option("folder", "text", None, "the folder in which it runs; without one, an empty folder"),
    Option("memory", "whole number", 4096, "megabytes of memory that it may use", 16, 1_000_000),
)
_CONFINED = Option(
    "sandbox", "switch", False, "keep it from your files, the network and other processes"
)


def _program(module: str, name: str, example: str) -> Callable[..., Engine]:
    """A function that makes an engine from the program of a command line."""

    def make(cmd: str | None, **options: Any) -> Engine:
        protocol = module.rpartition(".")[0].rpartition(".")[2]
        if not cmd:
            raise SpecError(f"{protocol} needs a program, as in {protocol}:cmd={example}")
        try:
            return Maker(module, name)(cmd=cmd, **options)
        except ValueError as error:
            raise SpecError(f"{protocol}: {error}") from error

    return make


def _package(path: str | None, engine: str | None, seed: int | None, **options: Any) -> Engine:
    example = "package:path=../old,engine=minimax:depth=4"
    if not path or not engine:
        raise SpecError(f"package needs a folder and an engine, as in {example}")
    asked = _as_in_a_match(engine)
    seeded = asked if seed is None else stating(asked, seed=str(seed))
    try:
        make = Maker("protocols.service.client", "PackageEngine")
        return make(path=path, engine=asked, seeded=seeded, **options)
    except ValueError as error:
        raise SpecError(f"package: {error}") from error


def _as_in_a_match(text: str) -> str:
    """The engine as it plays: a service values every move unless it is told not to.

    Without a limit a service thinks for some seconds, whatever the engine's own default is.
    """
    from rl_toolkit.players.spec import kind_named  # reads the table that this module is part of

    kind, chosen = kind_named(text), stated(text)
    if kind is None:  # a level, or an engine that only the other version has
        return text
    if kind.outside:
        raise SpecError(f"package asks an engine or level of the package, not {kind.name}")
    bounds = {option.name for option in kind.options if option.is_limit}
    if bounds & {"depth", "simulations"} and not bounds & chosen:
        most = "depth=4" if "depth" in bounds else "simulations=1000"
        raise SpecError(f"package needs an engine with a limit, such as {kind.name}:{most}")
    every = any(option.name == "every" and option.default is False for option in kind.options)
    return stating(text, every="off") if every else text


def _bot(
    file: str | None,
    name: str | None,
    memory: int,
    load: float,
    sandbox: bool,
    ponder: bool,
    seed: int | None,
) -> Engine:
    from rl_toolkit.players.bots.engine import BotEngine

    if file is None:
        raise SpecError("a bot is named by its file: my_bot.py, or my_bot.py:choose")
    return BotEngine(file, name, memory, seed, load, sandbox=sandbox, ponders=ponder)


_TIME, *_OTHERS = limits("time", "nodes", "depth", "simulations")


#: Programs, other versions of the package, and bots in files.
KINDS = (
    EngineKind(
        "gtp",
        "asks a program that speaks GTP 2, such as GNU Go or GRhino, in any game",
        _program("protocols.gtp.client", "GtpEngine", "gtp-rhino --level=3"),
        (_COMMAND, *limits("time"), *_PROCESS, _CONFINED),
        outside=True,
    ),
    EngineKind(
        "gomocup",
        "asks a program of Gomocup, the tournament of five in a row",
        _program("protocols.gomocup.client", "GomocupEngine", "./pbrain-rapfi"),
        (_COMMAND, *limits("time"), *_PROCESS, _CONFINED),
        knows=knowledge.gomocup_knows,
        outside=True,
    ),
    EngineKind(
        "nboard",
        "asks a Reversi program that speaks NBoard 2, such as Edax",
        _program("protocols.nboard.client", "NBoardEngine", "edax -nboard"),
        (
            _COMMAND,
            *limits("depth", "time"),
            Option("hints", "whole number", 0, "moves that it is to evaluate first", 0, 64),
            *_PROCESS,
            _CONFINED,
        ),
        knows=knowledge.nboard_knows,
        outside=True,
    ),
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
                replace(option, default=600) if option.name == "start" else option
                for option in _PROCESS[:2]
            ),
            _PROCESS[-1],
            SEED,
        ),
        outside=True,
    ),
    EngineKind(
        BOT,
        "plays by a Python file of yours, written my_bot.py or my_bot.py:choose",
        _bot,
        (
            Option("file", "file", None, "the file"),
            Option("name", "text", None, "the function or class in it, if there are several"),
            replace(_TIME, default=10.0, help="seconds for a move; then it has lost"),
            *_OTHERS,
            Option(
                "memory",
                "whole number",
                2048,
                "megabytes of memory that it may use",
                least=128,
                most=1_000_000,
            ),
            Option("load", "number", 10, "seconds in which its code must be loaded", 0.1, 3600),
            replace(_CONFINED, default=True),
            Option("ponder", "switch", False, "let it think while its opponent does"),
            SEED,
        ),
        outside=True,
    ),
)
