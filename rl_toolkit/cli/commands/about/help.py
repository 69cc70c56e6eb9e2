"""``help``: commands, games, levels, engines, words for values and pages, looked up by name."""

from __future__ import annotations

from collections.abc import Sequence

import click

from rl_toolkit.cli.commands.about.pages import KINDS, as_terminal_text, page_named, pages
from rl_toolkit.cli.options import examples
from rl_toolkit.utils import did_you_mean


def _topics(root: click.Context) -> list[str]:
    """Everything that has help."""
    from rl_toolkit.envs import game_families
    from rl_toolkit.players import LEVELS, engine_kinds

    commands = root.command.list_commands(root) if isinstance(root.command, click.Group) else []
    games = [name for f in game_families() for name in (f.name, *f.traits.aliases)]
    return [
        *commands,
        *games,
        *(kind.name for kind in engine_kinds()),
        *LEVELS,
        "legend",
        "topics",
        *pages(),
    ]


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [topic for topic in _topics(context.find_root()) if topic.startswith(incomplete)]


@click.command()
@click.argument(
    "topic", nargs=-1, metavar="[COMMAND|GAME|ENGINE|LEVEL|PAGE]...", shell_complete=_complete
)
@click.pass_context
@examples(
    "rl-toolkit help connect-four     the rules, and what each level is",
    "rl-toolkit help legend           what values like `≈ 46 %` mean",
    "rl-toolkit help train plot",
    "rl-toolkit help topics           the pages of the documentation",
    "rl-toolkit help write_a_bot",
)
def help(context: click.Context, topic: tuple[str, ...]) -> None:  # noqa: A001 - its name
    """Explain a command, a game, an engine, or the words for values; show a page of the manual.

    The pages come with the package; no network is needed. A command or a game goes before a page
    of the same name: `help page minimax` shows the page.
    """
    root = context.find_root()
    words = [word.lower() for word in topic]
    if not words:
        click.echo(root.get_help())
        click.echo("\n`rl-toolkit help GAME` has rules and levels, `help legend` explains values,")
        click.echo("`help topics` lists the pages of the documentation.")
    elif words == ["legend"]:
        _legend()
    elif words == ["topics"]:
        _list_pages()
    elif words[0] == "page" and _page(" ".join(words[1:])):
        pass
    elif not (
        _command(root, words)
        or _game(" ".join(words))
        or _engine(words)
        or _level(words)
        or _page(" ".join(words))
    ):
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


def _page(topic: str) -> bool:
    """Show a page of the documentation, if there is one of that name."""
    from rich.markdown import Markdown

    from rl_toolkit.cli.ui.screen import Screen

    page = page_named(topic)
    if page is None:
        return False
    screen = Screen()
    screen.say(Markdown(as_terminal_text(page.text), code_theme="ansi_dark"))
    return True


def _list_pages() -> None:
    """The pages by kind, each with its title."""
    from rl_toolkit.cli.ui.screen import Screen
    from rl_toolkit.cli.ui.tables import listing

    if not pages():
        raise click.ClickException("the pages are not in this installation")
    screen = Screen()
    rows = [(page.topic, page.title, KINDS[page.kind]) for page in pages().values()]
    screen.say(listing(("topic", "page", "kind"), rows, screen.width))
    screen.say()
    screen.say("Read one with `rl-toolkit help page TOPIC`.", "dim")


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
    """``; did you mean play?`` where something has a similar name, else pages about it."""
    meant = did_you_mean(" ".join(words), _topics(root))
    if meant:
        return f"; did you mean {meant}?"
    wanted = words[1:] if words[0] == "page" else words
    about = [page.topic for page in pages().values() if _mentions(page.title, wanted)]
    if about:
        return f"; pages about it: {', '.join(about)}"
    return "; `rl-toolkit help topics` lists the pages, `rl-toolkit --help` the commands"


def _mentions(title: str, words: Sequence[str]) -> bool:
    """Whether a title has one of these words, in the singular or the plural."""
    wanted = {word.rstrip("s") for word in words if len(word) > 2}
    return not wanted.isdisjoint(word.rstrip("s:,.") for word in title.lower().split())
