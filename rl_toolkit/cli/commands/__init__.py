"""The commands as they are typed: arguments, options, help. What they do is in the files above.

Everything heavier than Click is imported inside the commands, so that ``--help`` is quick.
"""
