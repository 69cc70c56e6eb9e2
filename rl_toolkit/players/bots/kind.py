"""The kind of engine that plays by a file: ``my_bot.py``, ``my_bot.py:choose,time=2``."""

from __future__ import annotations

from dataclasses import replace

from rl_toolkit.analysis import Engine
from rl_toolkit.players.options import BOT, Option, SpecError
from rl_toolkit.players.registry import SEED, EngineKind, limits, register_engine


def _make(file: str | None, name: str | None, memory: int, load: float, seed: int | None) -> Engine:
    from rl_toolkit.players.bots.engine import BotEngine

    if file is None:
        raise SpecError("a bot is named by its file: my_bot.py, or my_bot.py:choose")
    return BotEngine(file, name, memory, seed, load)


_TIME, *_OTHERS = limits("time", "nodes", "depth", "simulations")

register_engine(
    EngineKind(
        BOT,
        "plays by a Python file of yours, written my_bot.py or my_bot.py:choose",
        _make,
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
            SEED,
        ),
        outside=True,
    )
)
