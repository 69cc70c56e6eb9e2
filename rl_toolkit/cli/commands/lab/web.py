"""``lab web``: the sheet in the browser, beside the checks, which run whenever a file is saved."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import check_isolation, failure, report_errors
from rl_toolkit.cli.commands.lab.place import to_lab_folder
from rl_toolkit.cli.options import examples, open_option, port_option
from rl_toolkit.web import HOST, PORT


@click.command()
@click.argument(
    "folder",
    metavar="[DIR]",
    type=click.Path(path_type=Path),
    default=Path("."),
    callback=to_lab_folder,
)
@port_option(PORT)
@open_option
@examples("rl-toolkit lab web", "rl-toolkit lab web L05-minimax --open")
def web_command(folder: Path, port: int, open_browser: bool) -> None:
    """Serve the sheet of the lab in DIR, by default this folder, beside the result of its checks.

    Write in your editor. The checks run whenever you save a file, and the page shows what is right
    and the first case that is wrong. Only this machine can reach the page.
    """
    check_isolation()
    from rl_toolkit.labs.folder import lab_of
    from rl_toolkit.web import serve

    with report_errors():
        lab = lab_of(folder)
    try:
        serve(
            HOST,
            port,
            page=f"learn/labs/{lab.id}",
            open_browser=open_browser,
            lab_folder=folder,
        )
    except OSError as error:
        reason = error.strerror or error
        raise failure(
            f"cannot listen on port {port}: {reason}; --port 0 takes a free one"
        ) from error
