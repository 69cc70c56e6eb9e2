"""A small lab with a player, and a student's folder of it, for tests of pages."""

from contextlib import contextmanager

from rl_toolkit.labs.folder.student_folder import start_folder
from rl_toolkit.labs.folder.template import TEMPLATE, write_template
from rl_toolkit.labs.model.lab import read_lab
from rl_toolkit.web.learn.live import WORKSPACE

CHOOSE = """

def choose(board):
    return board.index(" ")
"""
SOLUTION = (TEMPLATE / "solution" / "winner.py").read_text("utf-8") + CHOOSE
NO_DIAGONALS = SOLUTION.replace(", (0, 4, 8), (2, 4, 6)]", "]").replace(
    "    for a, b, c", "    print('looking')\n    for a, b, c"
)
SYNTAX_ERROR = SOLUTION.replace("def winner(board):", "def winner(board)")
ENDLESS = SOLUTION.replace("    for a, b, c", "    while True:\n        pass\n    for a, b, c")
RAISES = SOLUTION.replace("    for a, b, c", "    board['b2']\n    for a, b, c")


def small_lab(folder):
    """A lab with one task of 10 points, one question, and the player ``choose``."""
    write_template(folder)
    file = folder / "lab.toml"
    text = file.read_text("utf-8")
    text = text.replace('file = "winner.py"', 'file = "winner.py"\nbot = "choose"')
    text += '\n[functions.choose]\ntakes = ["board"]\nreturns = "cell"\n'
    file.write_text(text, "utf-8")
    return read_lab(folder)


def started(folder):
    """A student's folder of the small lab, and the file to write into."""
    own = folder / "work"
    start_folder(small_lab(folder / "lab"), own)
    return own, own / "winner.py"


@contextmanager
def watched(app):
    """The student's folder of an application, checked while the block runs."""
    found = app.extensions[WORKSPACE]
    found.start()
    try:
        yield found
    finally:
        found.close()


def save(file, text):
    """Save in one step, as editors do; returns nothing that says when it is checked."""
    new = file.parent.parent / f"{file.name}.new"  # not in the folder that is watched
    new.write_text(text, "utf-8")
    new.replace(file)
