"""``lab`` and its commands, each imported when it is called."""

from __future__ import annotations

import importlib

import click

from rl_toolkit.cli.options import examples

#: Command → its module in this package, and its line in the overview.
COMMANDS: dict[str, tuple[str, str]] = {
    "list": ("listing", "List the labs, and what you have done."),
    "start": ("student", "Make the folder of a lab: sheet, skeleton, answers."),
    "check": ("checks", "Check your work: points, and the first case that is wrong."),
    "hint": ("student", "Give a hint for a task: the idea, the place, nearly the line."),
    "web": ("web", "Show the sheet in the browser, and the checks whenever you save."),
    "play": ("student", "Play against what you have written."),
    "submit": ("student", "Write one file for your teacher."),
    "grade-all": ("grading", "Grade a class: a table, reports, likenesses, a tournament."),
    "new": ("teacher", "Make a lab of your own from a template."),
    "verify": ("teacher", "Prove a lab sound: solution, skeleton and typical mistakes."),
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rl_toolkit.cli.commands.lab.{COMMANDS[cmd_name][0]}")
        command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=_Lazy)
@examples(
    "rl-toolkit lab list",
    "rl-toolkit lab start L05",
    "cd L05-minimax; rl-toolkit lab check",
)
def lab() -> None:
    """Do the labs: from an empty board to a trained network, checked on your own machine.

    `lab start` makes a folder with a sheet and a skeleton. `lab check` gives points for each task,
    and shows the first case that is wrong. No account is needed.
    """
