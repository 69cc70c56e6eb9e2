"""Labs: sheets, skeletons and checks, from an empty board to a trained network.

::

    catalogue/   the labs, one folder each       model/     a lab, a position, names: data only
    checking/    the checks, in our process      host/      what runs in the student's process
    folder/      the student's folder            truth/     right answers that several labs need

A check keeps positions and right answers here. The student's code runs in a process of its own,
which only answers calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.labs.catalogue.l19_browser.engines import NoEngineError, page_seen
    from rl_toolkit.labs.checking.report import LabReport, by_hand, storable
    from rl_toolkit.labs.checking.run import check_folder, check_work
    from rl_toolkit.labs.model.finding import find_lab, lab_by_id, labs
    from rl_toolkit.labs.model.lab import STAGES, Lab, LabError, read_lab
    from rl_toolkit.labs.model.names import NamesError, names_table
    from rl_toolkit.labs.model.order import (
        HANDOUTS,
        handout_named,
        labs_for,
        missing_before,
        sections_of,
    )
    from rl_toolkit.labs.model.work import work_from
    from rl_toolkit.labs.submission import (
        SubmissionError,
        files_below,
        is_plain,
        read_regular_file,
        read_submission,
        write_submission,
    )

__all__ = [
    "HANDOUTS",  # The handouts to which labs belong, by letter
    "STAGES",  # The stages of the labs, in order
    "Lab",  # A lab: sheet, skeleton, checks, hints
    "LabError",  # There is no such lab, or its folder is not one; the message is a sentence
    "LabReport",  # The result of a check
    "NamesError",  # names.toml does not say what it should; the message is a sentence
    "NoEngineError",  # There is no browser or Node here; the message says what is missing
    "SubmissionError",  # A file is not a submission that can be read; the message is a sentence
    "by_hand",  # What to say of work if the check failed, and not the work
    "check_folder",  # Check the work in a student's folder
    "check_work",  # Check a student's work, all tasks or some
    "files_below",  # The files below a folder that somebody handed in; links are refused
    "find_lab",  # The lab that a user names
    "handout_named",  # The letter of a handout; raises `LabError`
    "is_plain",  # Whether the name of a file has nothing that changes a terminal
    "lab_by_id",  # The lab of the package with an id (``L05``, ``5``) or a title; raises `LabError`
    "labs",  # The labs of the package, by id
    "labs_for",  # The labs of a handout, each after those that it needs
    "missing_before",  # The labs that are still to be done before a lab
    "names_table",  # What a names.toml says, as it is; raises `NamesError`
    "page_seen",  # What a script sees of a student's page in a browser
    "read_lab",  # The lab in a folder; raises `LabError`
    "read_regular_file",  # A file that was handed in, not a link, of at most some bytes
    "read_submission",  # The submission in a zip; raises `SubmissionError` for anything else
    "sections_of",  # The sections of a handout that a lab belongs to
    "storable",  # A result as a file can hold it, whatever text it has
    "work_from",  # A student's work from the text of its files; raises `LabError`
    "write_submission",  # Write the submission of a student's folder
]
__getattr__, __dir__ = front_door(__name__)
