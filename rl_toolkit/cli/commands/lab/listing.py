"""``lab list``: the labs, and what is done in the folders below this one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rl_toolkit.cli.arguments import report_errors
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.ui.screen import Screen


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("."))
@click.option("--handout", metavar="A|B|C|D|E", help="The labs of a handout, in a good order.")
@json_option("one object per lab")
@examples("rl-toolkit lab list", "rl-toolkit lab list --handout B", "rl-toolkit lab list --json")
def list_command(folder: Path, handout: str | None, as_json: bool) -> None:
    """List the labs; those that were started in FOLDER, by default this one, with their points.

    With --handout each lab comes after those that it needs; a lab without a section is only needed
    by another one.
    """
    from rl_toolkit.labs import HANDOUTS, handout_named, labs, labs_for, sections_of
    from rl_toolkit.labs.folder import how_far, started_labs

    screen = Screen()
    with report_errors():
        done = started_labs(folder)
        letter = "" if handout is None else handout_named(handout)
        if letter and not as_json:
            screen.say(f"Handout {letter}, {HANDOUTS[letter]}", "bold")
        shown = labs_for(letter) if letter else labs()
        for lab in shown:
            where, progress = done.get(lab.id, (None, None))
            if as_json:
                more: dict[str, Any] = {
                    "folder": None if where is None else str(where),
                    "progress": None if progress is None else progress.to_dict(),
                }
                screen.json({**lab.to_dict(), **more})
                continue
            state = "" if progress is None else how_far(progress, lab.points)
            name = f"{lab.id}  {lab.title:34.34}  {lab.minutes:3} min"
            if letter:
                name += f"  {', '.join(sections_of(lab, letter)) or '(needed)':18}"
            screen.row(f"{name}  {state}".rstrip(), "" if progress is None else "bold")
    if not as_json and handout is None:
        which = ", ".join(f"{each} {title}" for each, title in HANDOUTS.items())
        screen.tell(f"`--handout B` orders them by a handout: {which}.", "dim")
    following = next((lab.id for lab in shown if lab.id not in done), "")
    if following and not as_json:
        screen.tell(f"`rl-toolkit lab start {following}` begins the next one.", "dim")
