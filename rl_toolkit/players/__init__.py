"""Engines by name and options, and the levels of every game."""

from rl_toolkit.players import builtin as _builtin  # registers the engines of the toolkit
from rl_toolkit.players import mixing as _mixing  # registers mixes of two engines
from rl_toolkit.players.bots import kind as _bots  # registers bots in files
from rl_toolkit.players.levels import LEVELS, levels_for, make_level, make_player
from rl_toolkit.players.options import Option, SpecError
from rl_toolkit.players.player import Player
from rl_toolkit.players.registry import (
    SEED,
    EngineKind,
    Knowledge,
    engine_kind,
    engine_kinds,
    limits,
    make_engine,
    register_engine,
)

__all__ = [
    "LEVELS",
    "SEED",
    "EngineKind",
    "Knowledge",
    "Option",
    "Player",
    "SpecError",
    "engine_kind",
    "engine_kinds",
    "levels_for",
    "limits",
    "make_engine",
    "make_level",
    "make_player",
    "register_engine",
]

del _bots, _builtin, _mixing
