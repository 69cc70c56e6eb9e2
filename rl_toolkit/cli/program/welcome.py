"""``rl-toolkit`` without arguments on a terminal: what there is to do, one command each."""

from __future__ import annotations

#: What a person may want, and the command for it.
STEPS = {
    "Play against the computer": "rl-toolkit play connect-four",
    "See what each move is worth": "rl-toolkit analyse connect-four 4453",
    "Solve a puzzle": "rl-toolkit puzzle daily",
    "Learn: a chapter to read": "rl-toolkit help game_trees",
    "Learn: labs, checked here": "rl-toolkit lab list",
    "Watch two engines": "rl-toolkit play connect-four --x hard --o medium",
    "Let engines compete": "rl-toolkit tournament tictactoe easy medium hard",
    "Play in the browser": "rl-toolkit web --open",
}
_RESUME = {"Continue your last game": "rl-toolkit play --resume"}


def welcome(*, has_saved_game: bool) -> str:
    """The list, with the command that continues the last game if there is one."""
    steps = (_RESUME if has_saved_game else {}) | STEPS
    longest = max(map(len, steps))
    return "\n".join(
        [
            "Games to play, solve and understand. Type one of these:",
            "",
            *(f"  {what.ljust(longest)}   {command}" for what, command in steps.items()),
            "",
            "Other games: tictactoe, gomoku, reversi. `rl-toolkit --help` lists all commands.",
            "Other chapters: `rl-toolkit help topics`; live figures at /learn in the browser.",
            "",
        ]
    )


def has_saved_game() -> bool:
    """Whether ``play --resume`` would find a game."""
    from rl_toolkit.cli.play.autosave import latest_unfinished

    return latest_unfinished() is not None
