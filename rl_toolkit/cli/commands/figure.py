"""``figure``: a figure of the chapters as a picture, or as one live HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import failure, refuse, report_errors
from rl_toolkit.cli.options import examples
from rl_toolkit.cli.param_types import FILE
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils import write_bytes_atomically


@click.command()
@click.argument("kind", default="")
@click.argument("fields", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--svg", type=FILE, metavar="FILE", help="Write the picture as SVG.")
@click.option("--png", type=FILE, metavar="FILE", help="Write the picture as PNG, twice as large.")
@click.option("--html", type=FILE, metavar="FILE", help="Write the live figure as one HTML file.")
@click.option("--width", type=int, default=860, show_default=True, help="Width of the picture.")
@click.option("--height", type=int, default=560, show_default=True, help="Height of the picture.")
@click.option(
    "--theme", type=click.Choice(["light", "dark"]), default="light", help="Light or dark colours."
)
@examples(
    "rl-toolkit figure",
    "rl-toolkit figure tree",
    'rl-toolkit figure tree tree="(3 12 8) (2 4 6)" at=cut --svg cut.svg',
    "rl-toolkit figure whole order=1 --html proof.html",
)
def figure(
    kind: str,
    fields: tuple[str, ...],
    svg: Path | None,
    png: Path | None,
    html: Path | None,
    width: int,
    height: int,
    theme: str,
) -> None:
    """Write a figure of the chapters: a picture for slides, or a live file that needs no server.

    KIND is its name, and NAME=VALUE what it shows, as in the address of its page. Without KIND the
    command lists the figures, without a file the fields of one. A picture is drawn by an installed
    Chromium, Chrome or Edge; the HTML file needs none to be written.
    """
    from rl_toolkit.web import FIGURE_KINDS, Figure, FigureError, figure_choices, figure_fields

    screen = Screen()
    if not kind:
        for name, text in FIGURE_KINDS.items():
            screen.line(f"{name:12} {text}")
        return
    state: dict[str, str | float | bool] = {}
    for each in fields:
        name, equals, value = each.partition("=")
        if not equals:
            raise refuse(f"{each!r} is not a field; write it as name=value")
        state[name] = value
    try:
        made = Figure(kind, state)
    except FigureError as error:
        raise refuse(error) from error
    if svg is None and png is None and html is None:
        choices = figure_choices(kind)
        for name, usual in figure_fields(kind).items():
            shown = ("on" if usual else "off") if isinstance(usual, bool) else usual
            words = f"   of {', '.join(choices[name])}" if name in choices else ""
            screen.line(f"{name:10} {shown}{words}")
        screen.tell("Write the figure with --svg, --png or --html FILE.", "dim")
        return
    written: dict[Path, bytes] = {}
    try:
        if html is not None:
            written[html] = made.html(theme).encode()
        if svg is not None:
            written[svg] = made.svg(width, height, theme).encode()
        if png is not None:
            written[png] = made.png(width, height, theme)
    except FigureError as error:
        raise failure(error) from error
    for file, data in written.items():
        with report_errors():
            write_bytes_atomically(file, data)
        screen.tell(f"Saved to {file}", "dim")
