"""Keeps foreign code from the rest of the system: what a process sees, and what it may ask for.

`confining` is the kinds of sandbox, `layout` what is seen of the file system; the other modules
speak to the kernel. Nothing has to be installed, and no kind needs root. Only the package
`utils.isolation` uses this one.
"""
