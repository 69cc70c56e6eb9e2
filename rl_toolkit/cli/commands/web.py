"""``web``: the command that serves the pages."""

from __future__ import annotations

import click

from rl_toolkit.web import HOST, PORT

_HELP = """Serve pages on which to play, watch engines think, and analyse.

\b
Examples:
  rl-toolkit web --open
  rl-toolkit web --port 8080
  rl-toolkit web --host 0.0.0.0 --name games.example.org
"""


@click.command(help=_HELP)
@click.option(
    "--host",
    default=HOST,
    show_default=True,
    help="Address to listen on; 0.0.0.0 lets other machines in.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port to listen on; 0 takes any free one.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A further name by which browsers may ask for this server; may be repeated.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in the browser.")
def web(host: str, port: int, names: tuple[str, ...], open_browser: bool) -> None:
    """Serve until interrupted."""
    from rl_toolkit.web.server import serve

    try:
        serve(host, port, names=names, open_browser=open_browser)
    except OSError as error:
        raise click.ClickException(
            f"cannot listen on {host}:{port}: {error.strerror or error}"
        ) from error
