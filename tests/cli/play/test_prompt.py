"""The words that can be typed at the prompt."""

from __future__ import annotations

from rl_toolkit.cli.play.loop import PlayLoop
from rl_toolkit.cli.play.prompt import WORDS, split_word


def test_words_are_read_in_any_case_and_moves_are_none():
    assert split_word(" UNDO ") == ("undo", "")
    assert split_word("?") == ("help", "")
    assert split_word("save a b.json") == ("save", "a b.json")
    assert split_word("b2") is None
    assert split_word("") is None


def test_every_word_is_answered():
    assert all(callable(getattr(PlayLoop, f"_do_{word}", None)) for word in WORDS)
