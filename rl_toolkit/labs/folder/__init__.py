"""The student's folder: started, with its progress and written answers, handed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.labs.folder.hints import take_hint
    from rl_toolkit.labs.folder.notebook import write_notebook
    from rl_toolkit.labs.folder.progress import (
        Progress,
        after_check,
        progress_from,
        read_progress,
        write_progress,
    )
    from rl_toolkit.labs.folder.sheets import full_sheet
    from rl_toolkit.labs.folder.started import how_far, started_labs
    from rl_toolkit.labs.folder.student_folder import (
        folder_name,
        lab_of,
        mark_folder,
        pictures_of,
        start_folder,
    )
    from rl_toolkit.labs.folder.template import write_template
    from rl_toolkit.labs.folder.watching import FolderWatch

__all__ = [
    "FolderWatch",  # Looks at the files that a check reads
    "Progress",  # The progress in a folder
    "after_check",  # The progress after a check; ``points`` are those of the whole lab
    "folder_name",  # The folder that ``lab start`` makes unless another is named
    "full_sheet",  # The sheet that a student reads, in Markdown
    "how_far",  # The progress in a few words; ``points`` are those of the whole lab
    "lab_of",  # The lab of a student's folder; raises `LabError` if it is not one
    "mark_folder",  # Write into a folder which lab it belongs to
    "pictures_of",  # The pictures of a lab's sheet
    "progress_from",  # The progress that a file of a student's folder tells; raises `ValueError`
    # The progress in a folder; a damaged file is moved aside, which the answer says
    "read_progress",
    "start_folder",  # Write the files of a lab into a folder and return those written
    "started_labs",  # The labs that were started in a folder or in those right below it
    # Give the next hint for a task, by default the first that is not right yet, and count
    # it
    "take_hint",
    # Write the notebook of a lab unless it is there; returns the names of new files
    "write_notebook",
    "write_progress",  # Write the progress of a folder
    # Write the template into a new or empty folder; returns the names of the files
    "write_template",
]
__getattr__, __dir__ = front_door(__name__)
