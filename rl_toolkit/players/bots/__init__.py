"""Bots in files: found by `finding`, run in a process of their own, asked by `BotEngine`.

The process is a worker (see `utils.isolation`): limits, an empty folder, no stdin, its prints
captured, ended with all that it has started. No code of a bot runs in this process, and nothing
that a bot sends is unpickled.
"""
