"""The commands, one file each: arguments, options, help, and what the command does.

Numba is never imported at the top of these files, so that ``--help`` stays quick.
"""
