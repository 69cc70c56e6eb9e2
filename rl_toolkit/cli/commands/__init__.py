"""The commands, one file each: arguments, options, help, and what the command does.

A command that consists of several is a folder, and so are commands for one purpose. Numba is never
imported at the top of these files, so that ``--help`` stays quick.
"""
