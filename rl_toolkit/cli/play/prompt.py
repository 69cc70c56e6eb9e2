"""The prompt: lines typed by a person or read from a pipe, and the words besides moves."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import NamedTuple

from rl_toolkit.utils import did_you_mean


def read_line(prompt: str) -> str:
    """The next line, with editing and history where the system has them; `EOFError` at the end.

    Lines from a pipe are echoed after the prompt, so that the output reads like a game.
    """
    is_person = sys.stdin is not None and sys.stdin.isatty()
    if is_person:
        with suppress(ImportError):
            import readline  # noqa: F401 - importing it is what makes input() editable
    try:
        line = input(prompt)
    except UnicodeDecodeError:
        line = "\N{REPLACEMENT CHARACTER}"  # bytes that are not text are not a move
    if not is_person:
        print("".join(char if char.isprintable() else "?" for char in line[:200]))
    return line


class Word(NamedTuple):
    """A word that can be typed at the prompt: how it is written and what it does."""

    usage: str
    help: str


WORDS: dict[str, Word] = {
    "undo": Word("undo", "take back your last move"),
    "redo": Word("redo", "play what was taken back"),
    "hint": Word("hint", "ask for a good move"),
    "why": Word("why", "explain the last move"),
    "eval": Word("eval", "value every move here"),
    "legend": Word("legend", "what the values mean"),
    "rules": Word("rules", "the rules of this game"),
    "levels": Word("levels", "the levels of this game"),
    "cells": Word("cells [1-9]", "show the numbers of the cells, or count them from 1"),
    "history": Word("history", "list the moves so far"),
    "board": Word("board", "show the board again"),
    "save": Word("save FILE", "save the game in a file"),
    "load": Word("load FILE", "continue a game from a file; load FILE 3 takes its third game"),
    "resign": Word("resign", "give up"),
    "new": Word("new", "start a new game"),
    "swap": Word("swap", "change sides with the opponent"),
    "flip": Word("flip", "turn the board upside down"),
    "help": Word("help", "this list"),
    "quit": Word("quit", "leave; `rl-toolkit play --resume` continues the game"),
}

_ALIASES = {
    "?": "help",
    "exit": "quit",
    "bye": "quit",
    "takeback": "undo",
    "back": "undo",
    "moves": "history",
    "analyse": "eval",
    "analyze": "eval",
    "evaluate": "eval",
    "restart": "new",
}


def split_word(text: str) -> tuple[str, str] | None:
    """The word that ``text`` begins with and the rest; ``None`` if it does not begin with one.

    >>> split_word("  SAVE my game.json "), split_word("b2")
    (('save', 'my game.json'), None)
    """
    head, _, rest = text.strip().partition(" ")
    word = _ALIASES.get(head.lower(), head.lower())
    return (word, rest.strip()) if word in WORDS else None


def meant_word(text: str) -> str | None:
    """The word that ``text`` is most like, if it can hardly be a move: ``undoo`` → ``undo``."""
    head = text.split()[0] if text.split() else ""
    return did_you_mean(head, [*WORDS, *_ALIASES]) if len(head) > 2 and head.isalpha() else None


def help_lines() -> list[str]:
    """The list of words with their help."""
    width = max(len(word.usage) for word in WORDS.values())
    return [f"  {word.usage:<{width}}  {word.help}" for word in WORDS.values()]
