"""``games``, ``engines`` and ``levels``: tables of what the package has."""

from __future__ import annotations

import click

from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import GAME
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.envs import game_families, make_game
from rl_toolkit.players import SpecError, engine_kind, engine_kinds, levels_for


@click.command()
@json_option()
@examples("rl-toolkit games", "rl-toolkit games --json")
def games(as_json: bool) -> None:
    """List the games and their variants."""
    screen = Screen()
    if as_json:
        parts = ("name", "title", "variants")
        screen.json([{part: getattr(f, part) for part in parts} for f in game_families()])
        return
    table = plain_table("game", "", "variants")
    for family in game_families():
        table.add_row(family.name, family.title, screen.fit(family.variants))
    screen.say(table)


@click.command()
@click.argument("name", required=False)
@click.option("--game", type=GAME, help="List only the engines that play this game.")
@json_option()
@examples(
    "rl-toolkit engines",
    "rl-toolkit engines --game gomoku",
    "rl-toolkit engines mcts",
    "rl-toolkit play reversi --o mcts:simulations=5000,c=1.2",
)
def engines(name: str | None, game: str | None, as_json: bool) -> None:
    """List the engines and the games they play; with a NAME, the options of that engine.

    Options follow the engine's name: name:option=value,option=value.
    """
    screen = Screen()
    env = make_game(game) if game else None
    try:
        kinds = engine_kinds(env) if name is None else [engine_kind(name)]
    except SpecError as error:
        raise click.BadParameter(str(error), param_hint="'NAME'") from error
    if as_json:
        screen.json([kind.to_dict() for kind in kinds])
    elif name is None:
        table = plain_table("engine", "what it does", "plays", "options")
        for kind in kinds:
            games = "all" if len(kind.games) == len(game_families()) else ", ".join(kind.games)
            names = ", ".join(option.name for option in kind.options)
            table.add_row(kind.name, screen.fit(kind.help), games, names)
        screen.say(table)
    else:
        screen.say(f"{name}: {kinds[0].help}")
        table = plain_table("option", "value", "default", "")
        for option in kinds[0].options:
            default = "" if option.default is None else option.write(option.default)
            table.add_row(option.name, option.allowed, default, screen.fit(option.help))
        screen.say(table)


@click.command()
@click.argument("game", type=GAME, required=False)
@json_option()
@examples("rl-toolkit levels connect-four", "rl-toolkit play connect-four --o expert")
def levels(game: str | None, as_json: bool) -> None:
    """List the levels of GAME, or of every game, with the engine behind each."""
    screen = Screen()
    names = [game] if game else [family.name for family in game_families()]
    known = {name: levels_for(name) for name in names}
    if as_json:
        screen.json(known)
        return
    table = plain_table("game", "level", "engine")
    for name in names:
        for number, (level, spec) in enumerate(known[name].items()):
            table.add_row("" if number else name, level, spec)
    screen.say(table)
