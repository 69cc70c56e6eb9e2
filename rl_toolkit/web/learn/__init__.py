"""The course on the page: labs, theory, and the live result of a student's checks.

::

    markdown.py    sheets and theory pages as HTML     workspace.py   one student's folder, checked
    theory.py      the pages of docs/learn             pages.py       the addresses under /learn
    course.py      labs and theory side by side        live.py        the addresses under /api/lab
    chapters.py    theory pages with live figures      figures.py     one figure: page, file, SVG
"""
