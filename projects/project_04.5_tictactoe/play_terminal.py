"""Play Tic-Tac-Toe in the terminal: ``python play_terminal.py --show-thinking --board-size 3``."""

from rl_toolkit.cli.course.scripts import tictactoe_script

if __name__ == "__main__":
    tictactoe_script()
