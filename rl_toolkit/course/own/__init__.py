"""A student's own search: found in a folder, run in a process of its own, shown on stage.

::

    finding.py   which functions and classes of a file are searches; files are read, not run
    process.py   the process in which they run
    stage.py     a recorded search: its trace, its faults, its sentences
"""
