"""Bots in files: found by `finding`, run in a process of their own, asked by `BotEngine`.

::

    this process              a supervisor                     the bot
    ────────────              ────────────                     ───────
    BotEngine ── control ───► forks the bot, ends it and  ───► limits, an empty folder, no stdin;
        │                     all that it has started          runs the code of the file
        └───────── questions and answers, as JSON ────────────────────┘

No code of a bot runs in this process, and nothing that a bot sends is unpickled.
"""
