"""A student's own page: their files, with the courses' JSON API on the same address.

::

    files.py    the files that are served, and whether one has changed
    solver.py   who answers ``POST /api/ai-move``: the student's server, their solver, or the toolkit
    site.py     the site, and `serve_own_page`, which starts it beside our server

Only this machine can reach it. Pages may have scripts and styles of their own in them; a small
script of ours (``static/own_page/page.js``) is added on the way out, never to a file.
"""
