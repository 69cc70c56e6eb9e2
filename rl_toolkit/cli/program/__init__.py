"""The program around its commands: the group, the overview, the exit codes."""
