"""Engines by name and options, and the levels of every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.players.advisers import READABLE, readable_player
    from rl_toolkit.players.kinds.kind import SEED, EngineKind, Knowledge, limits
    from rl_toolkit.players.kinds.mixed_engine import MixedEngine
    from rl_toolkit.players.kinds.mixing import Mix
    from rl_toolkit.players.levels.ladders import LEVELS
    from rl_toolkit.players.levels.lookup import (
        check_player,
        is_level,
        is_rating,
        levels_for,
        make_level,
        make_player,
        ratings_for,
        resolve,
        spec_of_rating,
        usual_level,
    )
    from rl_toolkit.players.notation import portable, split_engines, tidied
    from rl_toolkit.players.options import BOT, Option, SpecError
    from rl_toolkit.players.player import Player, make_engine
    from rl_toolkit.players.registry import (
        engine_kind,
        engine_kinds,
        meant_engine,
        register_engine,
        registered_kind,
    )
    from rl_toolkit.players.spec import Spec, kind_named, reaches_outside

__all__ = [
    "BOT",  # The name of the engine that plays by a file
    "LEVELS",  # All names of levels, weakest first. No game has all of them
    "READABLE",  # The engines whose searches can be traced
    "SEED",  # The option for the seed of an engine
    "EngineKind",  # One kind of engine, by its name
    "Knowledge",  # How well an engine knows a position
    "Mix",  # The parts of a mix
    "MixedEngine",  # Two engines, one of which plays each move by lot
    "Option",  # One option of an engine
    "Player",  # An engine and its default limit
    "Spec",  # An engine kind with its options and limit, as a value
    "SpecError",  # Text that is not an engine or level; the message lists what can be used instead
    "check_player",  # Raise ``ValueError`` if the player that ``text`` names cannot play a game
    "engine_kind",  # The kind of that name; raises `SpecError` if there is none
    "engine_kinds",  # All kinds of engines, or those that play a game
    "is_level",  # Whether ``text`` is the name of a level or a rating, in some game
    "is_rating",  # Whether ``text`` is a number, which is taken as a rating
    "kind_named",  # The kind of engine that a text begins with
    "levels_for",  # The levels of a game, weakest first, each with its engine spec
    "limits",  # The options for these parts of a `Limit`
    "make_engine",  # The player for a spec
    "make_level",  # The player of a level
    "make_player",  # The player that ``text`` names; see `resolve`
    "meant_engine",  # What an unknown name of an engine probably means
    "portable",  # A level or spec as files of games keep it
    "ratings_for",  # The measured ratings of the levels of a game
    "reaches_outside",  # Whether a spec names a program to run or a file to read
    "readable_player",  # A player whose search is as the textbook has it
    "register_engine",  # Register a kind of engine under its name
    "registered_kind",  # The kind of that name, ``None`` if there is none
    "resolve",  # The engine that ``text`` names
    "spec_of_rating",  # The spec that plays about as strong as ``rating``
    "split_engines",  # Split a list of engines at its commas
    "tidied",  # A level or spec with its name in lower case, and the rest as it was typed
    "usual_level",  # The level to play against by default
]
__getattr__, __dir__ = front_door(__name__)
