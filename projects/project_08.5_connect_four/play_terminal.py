"""Play Connect Four in the terminal: ``python play_terminal.py --show-search-tree``."""

from rl_toolkit.cli.course.scripts import connect_four_script

if __name__ == "__main__":
    connect_four_script()
