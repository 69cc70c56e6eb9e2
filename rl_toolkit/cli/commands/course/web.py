"""``course web``: your own page, served with the API of the courses."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import listening_on, refuse
from rl_toolkit.cli.options import examples
from rl_toolkit.cli.param_types import WholeNumber
from rl_toolkit.web import PORT


@click.command("web")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("."))
@click.option(
    "--port",
    type=WholeNumber(1, 65000),
    default=PORT,
    help="Port of the toolkit; your page has the next free one.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open your page in the browser.")
@examples("rl-toolkit course web --open", "rl-toolkit course web course-b")
def web_command(folder: Path, port: int, open_browser: bool) -> None:
    """Serve your own page: the HTML, CSS and JavaScript in FOLDER.

    The page can ask /api/ai-move and the other addresses of the toolkit. Your solver answers if
    the folder has one (my_server.py, my_mcts.py, my_minimax.py), in a process of its own; on
    Windows that needs WSL. What goes wrong on the page is said here and in a bar on the page, and
    the page reloads when you save a file. Only this machine can reach it.
    """
    if not folder.is_dir():
        raise refuse(f"there is no folder {folder}")
    from rl_toolkit.web import serve_own_page

    with listening_on(port):
        serve_own_page(folder, port=port, open_browser=open_browser)
