"""The HTML of a class: an index for the teacher, and a report for each student.

Every page stands alone: no script, no link to the network. Whatever comes from a student is
escaped; pictures are embedded as images, in which nothing runs.
"""

from rl_toolkit.labs.grading.pages.index_page import index_page
from rl_toolkit.labs.grading.pages.names import page_names
from rl_toolkit.labs.grading.pages.student_page import student_page

__all__ = ["index_page", "page_names", "student_page"]
