"""A class: who is in it, what they handed in, what they reached, and back to the platform.

::

    class_folder.py  what is where             settings.py     class.toml: deadlines, late rules
    roster.py        who is in the class       platforms.py    names that platforms give to files
    trees.py         files, read with care     works.py        labs and projects in an upload
    intake.py        downloads → hand-ins      gradebook.py    hand-ins and results → points
    grading.py       take in, check, grade     reports.py      pages for teacher and students
    tournament.py    the bots of the class
    exports/         back to the platforms     forgetting.py   one student removed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.classroom.class_folder import ClassFolder, new_class
    from rl_toolkit.classroom.exports.plain import grades_json
    from rl_toolkit.classroom.exports.writing import FORMS, write_export
    from rl_toolkit.classroom.forgetting import Forgotten, find_student, forget
    from rl_toolkit.classroom.gradebook import Gradebook, history
    from rl_toolkit.classroom.grading import grade, read_book, read_remarks
    from rl_toolkit.classroom.reports import (
        tournament_board,
        write_class_reports,
        write_tournament_board,
        write_tournament_reports,
    )
    from rl_toolkit.classroom.settings import ClassError, ClassSettings
    from rl_toolkit.classroom.tournament import ClassTournament, plan_tournament

__all__ = [
    "FORMS",  # The forms of exports, each with what it is
    "ClassError",  # Something about a class is not right; the message is a sentence
    "ClassFolder",  # The folder of a class
    "ClassSettings",  # A class.toml
    "ClassTournament",  # The bots of a class, ready to play
    "Forgotten",  # What `forget` removed, and what the teacher has to remove
    "Gradebook",  # The students of a class with their points
    "find_student",  # The student of an id or a name; raises `ClassError`
    "forget",  # Remove a student from results, roster, lists of platforms and reports
    "grade",  # Take in what was handed in, check what is new, and make the gradebook
    "grades_json",  # Everything that counts, as one JSON object
    "history",  # Everything that a student handed in, with what counted
    "new_class",  # Make the folder of a class
    "plan_tournament",  # The tournament of the bots that a class has now; raises `ClassError`
    "read_book",  # The gradebook as the last `grade` left it
    "read_remarks",  # What was wrong with the results that are kept, until `grade` settles it
    "tournament_board",  # Where the table for a projector is
    "write_class_reports",  # Write the pages of a class
    "write_export",  # Write the files that go back to a platform
    "write_tournament_board",  # Write the table for a projector
    # Write the report of a tournament, the table for a projector, and a page for each player
    "write_tournament_reports",
]
__getattr__, __dir__ = front_door(__name__)
