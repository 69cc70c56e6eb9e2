"""``web``: serve the web pages."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path

import click

from rl_toolkit.cli.arguments import failure, refuse
from rl_toolkit.cli.options import examples, open_option, port_option
from rl_toolkit.cli.param_types import FILE, GAME
from rl_toolkit.web import HOST, PORT

#: Addresses that only this machine reaches.
_HERE = ("127.0.0.1", "localhost", "::1")


def _ip_address(text: str) -> str:
    """An address in numbers, written as connections have it."""
    try:
        return str(ip_address(text.strip()))
    except ValueError as error:
        raise click.UsageError(
            f"--trusted-proxy takes one address in numbers, such as 127.0.0.1, not {text!r}"
        ) from error


@click.command()
@click.argument("games", nargs=-1, type=GAME)
@click.option("--host", default=HOST, help="Address to listen on; 0.0.0.0 accepts other machines.")
@port_option(PORT)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another host name of this server; may be repeated.",
)
@click.option(
    "--trusted-proxy",
    metavar="ADDRESS",
    callback=lambda _, __, value: None if value is None else _ip_address(value),
    help="Address of a proxy in front of this server, which names clients in X-Forwarded-For.",
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="[NAME=]SPEC",
    help="Offer a bot or program on the pages; may be repeated.",
)
@click.option(
    "--game",
    "more_games",
    type=GAME,
    multiple=True,
    help="The same as the argument GAME; may be repeated.",
)
@click.option(
    "--library",
    type=FILE,
    metavar="FILE",
    help="The library that the pages show, and save games in. Default: your own, if the server "
    "is for this machine only.",
)
@click.option("--no-library", is_flag=True, help="Show no library, and save no games.")
@open_option
@examples(
    "rl-toolkit web --open",
    "rl-toolkit web my_game.py:ConnectFour --open",
    "rl-toolkit web --port 8080",
    "rl-toolkit web --engine my_bot.py --engine Alice=alice.py",
    "rl-toolkit web 'openspiel:hex(board_size=5)'",
    "rl-toolkit web --host 0.0.0.0 --name games.example.org",
    "rl-toolkit web --name games.example.org --trusted-proxy 127.0.0.1",
    "rl-toolkit web --host 0.0.0.0 --library class.db",
)
def web(
    games: tuple[str, ...],
    host: str,
    port: int,
    names: tuple[str, ...],
    trusted_proxy: str | None,
    engines: tuple[str, ...],
    more_games: tuple[str, ...],
    library: Path | None,
    no_library: bool,
    open_browser: bool,
) -> None:
    """Serve web pages to play, analyse and watch engines think.

    Every game of the toolkit has a page. GAME adds a game of yours, in a file, or one of another
    library; the page of the first GAME is the one that --open opens. A file runs inside the server,
    so it must be one that you trust.

    Visitors choose among the engines of the toolkit and those named with --engine; they cannot name
    files or programs. Everybody who reaches the server sees the games of its library, and saves
    finished games there; so your own library is shown on this machine only.
    """
    from rl_toolkit.envs import UnknownGameError
    from rl_toolkit.envs.registry import family_of
    from rl_toolkit.library import library_file
    from rl_toolkit.players import SpecError
    from rl_toolkit.web import serve

    if library is not None and no_library:
        raise refuse("--library and --no-library contradict each other")
    if library is None and not no_library and host in _HERE and not names and not trusted_proxy:
        library = library_file()
    named = (*games, *more_games)
    families = [family_of(game) for game in named]
    prefixed = [game for game, family in zip(named, families, strict=True) if family is None]
    first = families[0] if families else None
    page = named[0] if first is None and named else "" if first is None else first.name
    try:
        serve(
            host,
            port,
            names=names,
            trusted_proxy=trusted_proxy,
            engines=engines,
            games=prefixed,
            page=page,
            library=library,
            open_browser=open_browser,
        )
    except (SpecError, UnknownGameError) as error:
        raise refuse(error) from error
    except OSError as error:
        raise failure(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
