"""Companions to the five handouts of the courses: a folder for one's own files, pages, tests.

::

    companions/   the companions as data: pages, skeletons, tests      model.py    read from there
    folder.py     the student's folder: started, renewed               checking.py  its tests, run
    typed.py      a tree typed as a handout says
    own.py        a notebook or project with names of its own           grading.py  its points
    class_grading.py   the projects of a class        searches/   searches of the student, recorded
    host/         what runs in the student's process

The student's files and our tests run in a process of their own. The verdict is the student's own:
a teacher's points come from `rl_toolkit.labs.grading`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.course.checking import (
        CourseReport,
        SessionReport,
        TestReport,
        check_course,
    )
    from rl_toolkit.course.class_grading import (
        GradedProject,
        grade_projects,
        graded_entry,
        project_entries,
    )
    from rl_toolkit.course.folder import (
        Started,
        companion_of,
        is_course_folder,
        start_course,
        started_below,
    )
    from rl_toolkit.course.grading import Grade, grade_project, is_graded
    from rl_toolkit.course.model import (
        Companion,
        CourseError,
        Session,
        companion,
        companions,
        overview_page,
        session_page,
    )
    from rl_toolkit.course.own import (
        OwnWork,
        check_folder,
        check_own_work,
        code_cells,
        read_own,
        taken_for,
    )
    from rl_toolkit.course.searches.stage import record_search
    from rl_toolkit.course.typed import check_typed, typed_handouts

__all__ = [
    "Companion",  # The companion to a handout: sessions with their pages, skeletons and tests
    "CourseError",  # There is no such companion or session; the message is a sentence
    "CourseReport",  # What the tests of a companion say about a folder
    "Grade",  # The points of a project that a program can judge
    "GradedProject",  # One project or notebook of a class
    "OwnWork",  # Work with names of its own: a notebook or a project
    "Session",  # One session of a companion
    "SessionReport",  # The tests of one session
    "Started",  # What `start_course` has written, renewed and left alone
    "TestReport",  # The result of one test
    "check_course",  # Run the tests of a companion on the files in a folder
    "check_folder",  # Run them on the files in a folder, or on the notebook of C or D there
    "check_own_work",  # Run the tests of C or D on a notebook or project with names of its own
    "check_typed",  # Run them on a tree that was typed as the handout says, ``rl_toolkit/envs/…``
    "code_cells",  # The code of a notebook, without lines for the notebook itself
    "companion",  # The companion of a letter; raises `CourseError`
    "companion_of",  # The companion to which a folder belongs; raises `CourseError`
    "companions",  # The companions, A to E
    "grade_project",  # The points of a report by the rubric of its handout
    "grade_projects",  # Grade the projects of a class, and write their reports
    "graded_entry",  # The result of one project of a class as plain data
    "is_course_folder",  # Whether a folder belongs to a companion
    "is_graded",  # Whether the handout of a report has points
    "overview_page",  # The plan of a companion as a page: sessions, minutes, weeks
    "project_entries",  # The entries of a folder of submissions that are projects
    "read_own",  # The work in a notebook or folder; raises `CourseError`
    "record_search",  # Record a student's own search for the theatre
    "session_page",  # The page of a session, in Markdown
    "start_course",  # Write the folder of a companion, or renew what is still ours in it
    "started_below",  # The folders of companions: this one, or those right below it
    "taken_for",  # Which handout a folder or notebook is taken for; raises `CourseError`
    "typed_handouts",  # The companions whose files a typed tree has; raises `CourseError`
]
__getattr__, __dir__ = front_door(__name__)
