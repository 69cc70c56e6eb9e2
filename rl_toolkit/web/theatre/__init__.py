"""The theatre: pages on which people watch algorithms at work, step by step, and take part.

::

    pages.py       the lobby and the stage of minimax        mcts.py         tree search
    traces.py      POST /api/trace: a search as data         workbench.py    trees to work on
    turns.py       one piece of work for each client         bandits.py      arms and regret
    own.py         a student's own searches                  experiments.py  tables and charts

What is shown is what ran: the server records a search, the page reads the recording. Each part has
a blueprint ``routes`` with its pages under ``/theatre`` and its data under ``/api``; `pages` puts
them together, and answers their errors with a sentence.
"""
