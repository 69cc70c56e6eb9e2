"""``games``, ``engines`` and ``levels``: tables of what the package has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
from rich.console import RenderableType

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import GAME
from rl_toolkit.cli.ui.reference import level_table
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import listing
from rl_toolkit.envs import UnknownGameError, game_families, make_game
from rl_toolkit.players import (
    EngineKind,
    engine_kind,
    engine_kinds,
    levels_for,
    meant_engine,
    ratings_for,
)
from rl_toolkit.players.levels import (
    RATING_UNIT,
    described_levels,
    distinct_levels,
    overlooked_by_level,
    slow_levels,
)
from rl_toolkit.utils import listed


@click.command()
@json_option()
@examples("rl-toolkit games", "rl-toolkit games --json")
def games(as_json: bool) -> None:
    """List the games and their variants."""
    screen = Screen()
    if as_json:
        parts = ("name", "title", "variants")
        screen.json(
            [
                {part: getattr(f, part) for part in parts} | {"aliases": list(f.traits.aliases)}
                for f in game_families()
            ]
        )
        return
    rows = [
        (f.name, f.title, screen.fit(f.variants.removeprefix("or ")), ", ".join(f.traits.aliases))
        for f in game_families()
    ]
    screen.say(listing(("game", "title", "variants", "also called"), rows, screen.width))


@click.command()
@click.argument("name", metavar="[GAME|ENGINE]", required=False)
@click.option("--game", type=GAME, hidden=True)
@json_option()
@examples(
    "rl-toolkit engines",
    "rl-toolkit engines gomoku-15",
    "rl-toolkit engines mcts",
    "rl-toolkit play reversi --o mcts:simulations=5000,c=1.2",
)
def engines(name: str | None, game: str | None, as_json: bool) -> None:
    """List the engines that play GAME, or all engines; or the options of one ENGINE.

    Options follow the engine's name: name:option=value,option=value.
    """
    screen = Screen()
    known = {kind.name: kind for kind in engine_kinds(outside=True)}
    if name is not None and name.lower() not in known and game is None:
        game = _game(name, known)
        name = None
    env = make_game(game) if game else None
    with report_errors():
        kinds = engine_kinds(env, outside=True) if name is None else [engine_kind(name.lower())]
    if as_json:
        screen.json([kind.to_dict() for kind in kinds])
    elif name is None:
        screen.say(_engine_list(kinds, screen))
    else:
        screen.say(f"{kinds[0].name}: {kinds[0].help}")
        screen.say(engine_options(kinds[0], screen))


def _game(name: str, engines: Iterable[str]) -> str:
    """The full name of a game; a usage error that knows engines too."""
    try:
        return make_game(name).name
    except UnknownGameError as error:
        meant = meant_engine(name.lower())
        other = f"there is no engine or game {name!r}; the engines are {listed(engines)}"
        message = f"there is no engine {name!r}; did you mean {meant}?" if meant else other
        raise refuse(message) from error


def _engine_list(kinds: Iterable[EngineKind], screen: Screen) -> RenderableType:
    """The engines, what they do, the games they play and their options."""
    families = [family.name for family in game_families()]
    rows = []
    for kind in kinds:
        games = "all" if kind.games == families else ", ".join(kind.games)
        names = ", ".join(option.name for option in kind.options)
        rows.append((kind.name, screen.fit(kind.help), games, names))
    return listing(("engine", "what it does", "plays", "options"), rows, screen.width)


def engine_options(kind: EngineKind, screen: Screen) -> RenderableType:
    """The options of an engine."""
    rows = []
    for option in kind.options:
        default = "" if option.default is None else option.write(option.default)
        rows.append((option.name, screen.fit(option.help), option.allowed, default))
    return listing(("option", "what it does", "value", "default"), rows, screen.width)


def _levels_data(game: str) -> dict[str, dict[str, Any]]:
    """Each level with its engine, and rating and interval; ``None`` if they were not measured.

    ``same_as`` is another level with the same engine, under which lists for people have it.
    """
    rated, described = ratings_for(game), described_levels(game)
    same = {other: level for level, others in distinct_levels(game).items() for other in others}
    data = {}
    for level, spec in levels_for(game).items():
        rating = rated.get(level)
        data[level] = {
            "engine": spec,
            "same_as": same.get(level),
            "description": described[level],
            "overlooks": overlooked_by_level(game, level),
            "rating": None if rating is None else rating.rating,
            "unit": None if rating is None else RATING_UNIT,
            "interval": None if rating is None else list(rating.interval),
            "games": None if rating is None else rating.games,
            "accuracy": None if rating is None else rating.accuracy,
        }
    return data


@click.command()
@click.argument("game", type=GAME, required=False)
@json_option()
@examples(
    "rl-toolkit levels connect-four",
    "rl-toolkit play connect-four --o expert",
    "rl-toolkit play connect-four --o 900",
)
def levels(game: str | None, as_json: bool) -> None:
    """List the levels of GAME, or of every game, with what each does and its engine.

    Ratings are in Elo above random play, with 95 % intervals. `right` says how often the level
    avoids a mistake where one is possible. You can also play against a rating: `--o 1200` plays
    about that strong.
    """
    screen = Screen()
    names = [game] if game else [family.name for family in game_families()]
    if as_json:
        screen.json({name: _levels_data(name) for name in names})
        return
    for number, name in enumerate(names):
        if number:
            screen.say()
        screen.say(name, "bold")
        screen.say(level_table(name, screen))
        if slow := slow_levels(name):
            screen.say(slow)
