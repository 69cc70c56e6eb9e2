"""Games as other programs write them: one file for each format, and `game_files` over all.

`rl_toolkit.records` has the names that most callers need.
"""
