"""Grading a class: submissions in, a table and reports out.

::

    collecting.py   what was handed in          similarity.py   passages that two students share
    jobs.py         one submission, checked     tournament.py   the bots of the class, round robin
    run.py          the whole class, resumed    rubric.py       points by rubric, open items
    results.py      what a later run needs      remarks.py      code worth a look
    keys.py         the key that seals it       table.py        the CSV
    style.py        advice on structure         write.py        the files
    pages.py        the HTML

Student code runs in processes of its own; what it prints and its exit code prove nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.labs.grading.collecting import (
        Collection,
        HandedIn,
        NothingHandedInError,
        collect,
    )
    from rl_toolkit.labs.grading.jobs import Graded, check_job, job_key
    from rl_toolkit.labs.grading.keys import ResultsError, key_file
    from rl_toolkit.labs.grading.pages import (
        answers_page,
        index_page,
        page_names,
        student_page,
    )
    from rl_toolkit.labs.grading.results import (
        FORMER_PROJECTS,
        Results,
        protection,
        take_over,
    )
    from rl_toolkit.labs.grading.rubric import Part, Rubric, find_rubric, fitting_rubric
    from rl_toolkit.labs.grading.run import (
        ClassReport,
        Student,
        check_all,
        class_seed,
        grade_class,
        known_results,
        like_pairs,
    )
    from rl_toolkit.labs.grading.style import advice, style_of
    from rl_toolkit.labs.grading.tournament import MOVE_SECONDS, REFERENCES
    from rl_toolkit.labs.grading.write import CSV, INDEX, write_reports

__all__ = [
    "CSV",  # The name of the table of a class
    "FORMER_PROJECTS",  # The file in which earlier versions kept the results of projects
    "INDEX",  # The name of the first page of a class
    "MOVE_SECONDS",  # Processor seconds that a bot has for a move
    "REFERENCES",  # Engines that play along in a tournament, by the name that readers see
    "ClassReport",  # Everything about a class
    # The submissions to grade, those that cannot be read, and what to say about them
    "Collection",
    "Graded",  # A submission with its result
    "HandedIn",  # One submission
    "NothingHandedInError",  # There is no folder, or nothing in it; the message is a sentence
    "Part",  # A part of an item of a rubric
    "Results",  # What a class has handed in and reached: sealed rows in one file
    "ResultsError",  # The results cannot be opened; the message is a sentence
    "Rubric",  # A rubric
    "Student",  # One student: their submissions by lab
    "advice",  # How many points counting proposes for structure, and why
    "answers_page",  # All written answers, question by question, for the teacher
    "check_all",  # Check what is not known yet, and keep it
    "check_job",  # The result of one submission, checked in this process
    "class_seed",  # The seed of a class: the given one, that of the earlier run, or a new one
    "collect",  # Read the submissions in a folder; with ``lab`` only those of this lab count
    "find_rubric",  # A rubric of the package by its id, or a file; raises `RubricError`
    # The rubric of the package all of whose labs were handed in, ``None`` if there is none
    "fitting_rubric",
    "grade_class",  # Grade what was collected; ``out`` is where results are kept
    "index_page",  # The page of a class for the teacher
    "job_key",  # What a result depends on: the files of the student and the code of the lab
    "key_file",  # Where the key of the user is that seals results
    "known_results",  # The results of earlier runs with a seed
    "like_pairs",  # Submissions that are alike; a hint for a talk, no proof
    "page_names",  # Name of a student → file name
    "protection",  # Why results are not protected from the code that is graded
    "student_page",  # The page of a student, which can be given back
    "style_of",  # What can be counted about the structure of files
    "take_over",  # The lines of the journal that an earlier version wrote; each is taken over once
    "write_reports",  # Write all files and return them; each is replaced whole or not at all
]
__getattr__, __dir__ = front_door(__name__)
