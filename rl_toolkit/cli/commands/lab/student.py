"""``lab start``, ``hint``, ``play`` and ``submit``."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import check_isolation, failure, refuse, report_errors
from rl_toolkit.cli.commands.lab.place import lab_folder, to_lab_folder
from rl_toolkit.cli.options import examples
from rl_toolkit.cli.param_types import FILE
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils import as_typed

_HERE = click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("."),
    callback=to_lab_folder,
    help="The folder of the lab.",
)


@click.command()
@click.argument("lab", metavar="ID|FOLDER")
@click.argument("folder", metavar="[DIR]", type=FILE, required=False)
@click.option("--notebook", is_flag=True, help="Write a notebook as well.")
@examples("rl-toolkit lab start L05", "rl-toolkit lab start L05 my_folder --notebook")
def start_command(lab: str, folder: Path | None, notebook: bool) -> None:
    """Make the folder of a lab: the sheet, a skeleton, a file for written answers.

    The command leaves files that exist as they are; run it again to get back a missing file.
    """
    from rl_toolkit.labs import find_lab
    from rl_toolkit.labs.folder import folder_name, start_folder, write_notebook

    screen = Screen()
    with report_errors():
        chosen = find_lab(lab)
        where = folder or Path(folder_name(chosen))
        written = start_folder(chosen, where)
        if notebook:
            written += write_notebook(chosen, where)
    screen.say(f"{chosen.id} {chosen.title}: {chosen.goal}", "bold")
    names = [name for name in written if "/" not in name]
    screen.say(f"Written into {where}: {', '.join(names) or 'nothing, all files are there'}.")
    screen.say("Next:")
    screen.say(f"  cd {as_typed(str(where))}")
    screen.say(f"  read sheet.md (about {chosen.minutes} minutes), write into {chosen.files[0]}")
    screen.say("  rl-toolkit lab check")


@click.command()
@click.argument("words", nargs=-1, metavar="[TASK] [FOLDER]")
@click.option("--folder", type=FILE, hidden=True)
@examples("rl-toolkit lab hint", "rl-toolkit lab hint 2", "rl-toolkit lab hint 2 L05-minimax")
def hint_command(words: tuple[str, ...], folder: Path | None) -> None:
    """Give the next hint for TASK, by default the first task that is not right yet.

    FOLDER is the folder of the lab, by default this one. A task has three hints: the idea, the
    place, nearly the line. Your progress counts the hints that you take.
    """
    task: int | None = None
    for word in words:
        if task is None and word.isdecimal() and not Path(word).is_dir():
            task = int(word)
        elif folder is None:
            folder = Path(word)
        else:
            raise refuse(f"{word} is one word too many: name a task and a folder")
    folder = lab_folder(folder or Path("."))
    from rl_toolkit.labs import STAGES
    from rl_toolkit.labs.folder import lab_of, take_hint

    screen = Screen()
    with report_errors():
        taken = take_hint(lab_of(folder), folder, task)
    for number, text in enumerate(taken.texts, 1):
        screen.say(f"Task {taken.task.number}, hint {number} of 3 ({STAGES[number - 1]}):", "dim")
        screen.say(text, "bold" if number == len(taken.texts) else "")
    if taken.were_all:
        screen.say("That was the last hint.", "dim")


@click.command()
@click.argument("output", metavar="[FILE]", type=FILE, required=False)
@_HERE
@click.option("--name", default="", help="Your name, for the teacher's table.")
@examples("rl-toolkit lab submit", 'rl-toolkit lab submit ada.zip --name "Ada L."')
def submit_command(output: Path | None, folder: Path, name: str) -> None:
    """Write one file for your teacher: a plain zip with your files and your progress."""
    from rl_toolkit.labs import SubmissionError, write_submission
    from rl_toolkit.labs.folder import lab_of

    screen = Screen()
    with report_errors(SubmissionError):
        lab = lab_of(folder)
        own = folder.resolve().name
        path = output or folder / (f"{own}.zip" if lab.id in own else f"{lab.id}-{own}.zip")
        if path.suffix != ".zip":
            raise failure(f"a submission is a zip file: {path.name}.zip")
        names = write_submission(lab, folder, path, name)
    screen.say(f"{path} holds {', '.join(names)}. Give it to your teacher.")


@click.command()
@_HERE
@click.option("--you", type=click.Choice(["x", "o"]), default="x", help="Your side; X moves first.")
@click.option(
    "--against", metavar="LEVEL|ENGINE", help="Watch your program play against an engine."
)
@examples(
    "rl-toolkit lab play", "rl-toolkit lab play --you o", "rl-toolkit lab play --against hard"
)
def play_command(folder: Path, you: str, against: str | None) -> None:
    """Play against what you have written, or watch it play against an engine."""
    check_isolation()
    import rl_toolkit.labs.engine  # noqa: F401 - registers the engine `lab`
    from rl_toolkit.cli.play.loop import PlayLoop
    from rl_toolkit.cli.play.setup import GameSetup
    from rl_toolkit.cli.play.view import GameView
    from rl_toolkit.labs.folder import lab_of
    from rl_toolkit.players import Spec

    with report_errors():
        lab = lab_of(folder)
        mine = Spec("lab").with_(folder=str(folder)).text
        other = against or "human"
        x, o = (other, mine) if you == "x" else (mine, other)
        setup = GameSetup(lab.game, x, o)
        session = setup.session()
    PlayLoop(session, GameView(Screen()), setup, None).run()
