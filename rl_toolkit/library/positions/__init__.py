"""Games found by what was on the board: packs of cells, scans over them, and what was played next.

::

    Target, Pattern ──► Scan (compiled, or `plain`) over packs ──► Searcher ──► Explored
"""
