"""A student's own search: found in a folder, run in a process of its own, shown on stage.

::

    finding.py   which functions and classes of a file are searches; files are read, not run
    process.py   the process in which they run
    stage.py     a recorded search: its trace, its faults, its sentences
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.course.searches.finding import (
        OwnSearch,
        chosen_search,
        code_files,
        own_searches,
        own_solvers,
    )
    from rl_toolkit.course.searches.process import OwnCodeError, OwnProcess
    from rl_toolkit.course.searches.stage import Staged, record_search, record_with

__all__ = [
    "OwnCodeError",  # The student's code raised an exception or did not end
    "OwnProcess",  # The student's files in a process of their own
    "OwnSearch",  # A search of a student
    "Staged",  # A recorded search, with its faults in words
    "chosen_search",  # The search of a folder that a user names; raises `CourseError`
    "code_files",  # The Python files of a folder, or those beside a file
    "own_searches",  # The searches in the files of a folder, or in one file
    "own_solvers",  # The classes in files that choose a move
    "record_search",  # Record a student's own search for the theatre
    "record_with",  # The same in a process that runs
]
__getattr__, __dir__ = front_door(__name__)
