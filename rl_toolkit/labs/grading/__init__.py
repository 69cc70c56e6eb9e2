"""Grading a class: submissions in, a table and reports out.

::

    collect.py      what was handed in          similarity.py   passages that two students share
    jobs.py         one submission, checked     tournament.py   the bots of the class, round robin
    run.py          the whole class, resumed    rubric.py       points by rubric, open items
    remarks.py      code worth a look           style.py        advice on structure
    table.py        the CSV                     pages/          the HTML

Student code runs in processes of its own; what it prints and its exit code prove nothing.
"""
