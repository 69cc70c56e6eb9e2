"""The arena on the page: one tournament at a time among built-in levels, for everybody to watch.

::

    plans.py     what may be asked for: games, levels, bounds on cost
    boards.py    several games side by side in one process, taking turns to think
    worker.py    the process that plays
    hall.py      the tournament of this server: its process, its state, its token
    pages.py     the address /arena and those under /api/arena
"""
