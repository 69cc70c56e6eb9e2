"""``class new | roster | grade | show | export | tournament | forget``."""

from __future__ import annotations

import click

from rl_toolkit.cli.commands.classroom.giving import export, show
from rl_toolkit.cli.commands.classroom.playing import tournament
from rl_toolkit.cli.commands.classroom.taking import forget, grade, new, roster
from rl_toolkit.cli.options import examples


class _InOrder(click.Group):
    """Lists its commands in the order in which they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group("class", cls=_InOrder)
@examples(
    "rl-toolkit class new cs101 --lab L05 --lab L07",
    "rl-toolkit class roster cs101 participants.csv",
    "rl-toolkit class grade cs101",
    'rl-toolkit class show cs101 "Ada Lovelace"',
    "rl-toolkit class export cs101 moodle",
    "rl-toolkit class tournament cs101 --open",
)
def class_() -> None:
    """Run a class: who is in it, what they handed in, what they reached, and back to the platform.

    A class is a folder. class.toml says what counts and until when, submissions/ takes what Moodle,
    Canvas or your students give you, reports/ has the pages. Nothing leaves your machine.
    `lab grade-all` grades a folder without a class.
    """


for command in (new, roster, grade, show, export, tournament, forget):
    class_.add_command(command)
