"""The checks of labs, in our process; what the check.py of a lab uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.labs.checking.check import Case, Check, OneOf, Thing, same
    from rl_toolkit.labs.checking.report import MARKS, Failure, LabReport, Picture, TaskReport
    from rl_toolkit.labs.checking.run import check_folder
    from rl_toolkit.labs.checking.session import Answer, Call, call, probe
    from rl_toolkit.labs.checking.verify import verify_lab
    from rl_toolkit.labs.model.positions import LabBoard, after, from_env, position
    from rl_toolkit.labs.model.values import Other, as_env, decimals, side, signed

if TYPE_CHECKING:  # older names: they still work, the door no longer offers them
    from rl_toolkit.labs.model.positions import Position as Position

__all__ = [
    "MARKS",  # The marks of a report: right, wrong, not done
    "Answer",  # What came back from a call
    "Call",  # One call of the student's code
    "Case",  # One case of a task, judged in several ways
    "Check",  # The check of one task
    "Failure",  # The first failing case of a task
    "LabBoard",  # A board with the side to move
    "LabReport",  # The result of a check
    "OneOf",  # Several right answers
    "Other",  # An answer that is not plain data
    "Picture",  # Something drawn, for the terminal and for a page
    "TaskReport",  # The result of one task; ``say`` is a line of kind words, or why it stays open
    "Thing",  # An object in the student's process
    "after",  # The position after these moves from the start
    "as_env",  # Pass a position as a game of the package
    "call",  # A call of a function on the sheet; the options are the fields of `Call`
    "check_folder",  # Check the work in a student's folder
    "decimals",  # Numbers for people
    "from_env",  # The position of a game
    # The position that ``text`` describes; the pieces need not be numbers that a game
    # reaches
    "position",
    "probe",  # A call of a function in the lab's probe.py
    "same",  # Whether an answer is right; numbers to 1e-9, tuples as lists, True is not 1
    "side",  # The name of a side: X or O
    "signed",  # A value for people
    "verify_lab",  # Run solution, skeleton and mistakes through the checks
]
__getattr__, __dir__ = front_door(__name__)
