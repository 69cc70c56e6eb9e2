"""``help``: commands, games, levels, engines and the words for values, looked up by name."""

from __future__ import annotations

from collections.abc import Sequence

import click

from rl_toolkit.cli.options import examples
from rl_toolkit.utils import did_you_mean


def _topics(root: click.Context) -> list[str]:
    """Everything that has help."""
    from rl_toolkit.envs import game_families
    from rl_toolkit.players import LEVELS, engine_kinds

    commands = root.command.list_commands(root) if isinstance(root.command, click.Group) else []
    games = [name for f in game_families() for name in (f.name, *f.traits.aliases)]
    return [*commands, *games, *(kind.name for kind in engine_kinds()), *LEVELS, "legend"]


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [topic for topic in _topics(context.find_root()) if topic.startswith(incomplete)]


@click.command()
@click.argument(
    "topic", nargs=-1, metavar="[COMMAND|GAME|ENGINE|LEVEL|legend]...", shell_complete=_complete
)
@click.pass_context
@examples(
    "rl-toolkit help connect-four     the rules, and what each level is",
    "rl-toolkit help legend           what values like `≈ 46 %` mean",
    "rl-toolkit help train plot",
)
def help(context: click.Context, topic: tuple[str, ...]) -> None:  # noqa: A001 - its name
    """Explain a command, a game, an engine, or the words for values; without a topic, list them."""
    root = context.find_root()
    words = [word.lower() for word in topic]
    if not words:
        click.echo(root.get_help())
        click.echo("\n`rl-toolkit help GAME` has rules and levels, `help legend` explains values.")
    elif words == ["legend"]:
        _legend()
    elif not (_command(root, words) or _game(" ".join(words)) or _engine(words) or _level(words)):
        raise click.UsageError(
            f"there is no help for {' '.join(topic)!r}{_suggestion(root, words)}"
        )


def _command(root: click.Context, words: Sequence[str]) -> bool:
    """Show the help of a command, if ``words`` call one."""
    context, command = root, root.command
    for word in words:
        named = command.get_command(context, word) if isinstance(command, click.Group) else None
        if named is None:
            return False
        command = named
        context = click.Context(command, context, info_name=word, **command.context_settings)
    click.echo(command.get_help(context))
    return True


def _game(name: str) -> bool:
    """Show the rules and levels of a game, if there is one of that name."""
    from rl_toolkit.cli.play.cells import Cells, form_of_moves
    from rl_toolkit.cli.ui.reference import level_table
    from rl_toolkit.cli.ui.screen import Screen
    from rl_toolkit.envs import UnknownGameError, make_game

    try:
        env = make_game(name)
    except UnknownGameError:
        return False
    screen, traits = Screen(), env.traits
    screen.say(f"{traits.title} ({env.name}), {traits.side(1)} against {traits.side(-1)}", "bold")
    for sentence in traits.rules:
        screen.say(sentence)
    screen.say(f"Moves are {form_of_moves(env, Cells())}.")
    screen.say()
    screen.say(level_table(env.name, screen))
    screen.say()
    screen.say(f"Play: rl-toolkit play {name}    Analyse: rl-toolkit analyse {name}", "dim")
    return True


def _engine(words: Sequence[str]) -> bool:
    """Show the options of an engine, if there is one of that name."""
    from rl_toolkit.cli.commands.about.listings import engine_options
    from rl_toolkit.cli.ui.screen import Screen
    from rl_toolkit.players import engine_kinds

    screen = Screen()
    for kind in engine_kinds():
        if [kind.name] == list(words):
            screen.say(f"{kind.name}: {kind.help}")
            screen.say(engine_options(kind, screen))
            return True
    return False


def _level(words: Sequence[str]) -> bool:
    """Show what a level is in each game, if there is one of that name."""
    from rl_toolkit.cli.ui.screen import Screen
    from rl_toolkit.cli.ui.tables import listing
    from rl_toolkit.envs import game_families
    from rl_toolkit.players import levels_for
    from rl_toolkit.players.levels import described_levels

    if len(words) != 1:
        return False
    screen, rows = Screen(), []
    for family in game_families():
        spec = levels_for(family.name).get(words[0])
        if spec is not None:
            rows.append((family.name, screen.fit(described_levels(family.name)[words[0]]), spec))
    if rows:
        screen.say(listing(("game", f"what {words[0]} does", "engine"), rows, screen.width))
    return bool(rows)


def _legend() -> None:
    from rl_toolkit.cli.ui.reference import legend_table
    from rl_toolkit.cli.ui.screen import Screen
    from rl_toolkit.envs import game_families

    screen = Screen()
    # The game with the most to explain: one that counts pieces.
    traits = max((f.traits for f in game_families()), key=lambda traits: bool(traits.score_unit))
    screen.say(legend_table(traits, screen))
    screen.say()
    screen.say("Values are for the side that the heading names; moves are the winner's own.", "dim")


def _suggestion(root: click.Context, words: Sequence[str]) -> str:
    """``; did you mean play?`` where something has a similar name."""
    meant = did_you_mean(" ".join(words), _topics(root))
    return f"; did you mean {meant}?" if meant else "; `rl-toolkit --help` lists the commands"
