"""What a person can type at the board besides moves, with a line of help for each."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """A command at the prompt: how it is written and what it does."""

    usage: str
    help: str


WORDS: dict[str, Word] = {
    "undo": Word("undo", "take back to your own last turn"),
    "redo": Word("redo", "play what was taken back again"),
    "hint": Word("hint", "ask for a good move"),
    "why": Word("why", "explain the last move"),
    "eval": Word("eval", "value every move here"),
    "history": Word("history", "list the moves so far"),
    "board": Word("board", "show the board again"),
    "save": Word("save FILE", "keep the game in a file"),
    "load": Word("load FILE", "go on with a game from a file"),
    "resign": Word("resign", "give up"),
    "new": Word("new", "begin again"),
    "swap": Word("swap", "change sides with the opponent"),
    "flip": Word("flip", "turn the board round"),
    "help": Word("help", "this list"),
    "quit": Word("quit", "leave; `rl-toolkit play --resume` goes on with the game"),
}

_ALIASES = {"?": "help", "exit": "quit", "takeback": "undo", "moves": "history"}


def split_word(text: str) -> tuple[str, str] | None:
    """The command that ``text`` begins with and the rest; ``None`` if it begins with none.

    >>> split_word("  SAVE my game.json "), split_word("b2")
    (('save', 'my game.json'), None)
    """
    head, _, rest = text.strip().partition(" ")
    word = _ALIASES.get(head.lower(), head.lower())
    return (word, rest.strip()) if word in WORDS else None


def help_lines() -> list[str]:
    """The list of commands, for a person."""
    width = max(len(word.usage) for word in WORDS.values())
    return [f"  {word.usage:<{width}}  {word.help}" for word in WORDS.values()]
