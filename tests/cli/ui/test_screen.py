"""Where commands write, in characters that the terminal can show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import Recorded

from rl_toolkit.cli.ui.ascii import plain
from rl_toolkit.cli.ui.screen import Screen


@given(st.text())
def test_plain_text_is_ascii_and_ascii_stays(text):
    assert plain(text).isascii()
    ascii_text = text.encode("ascii", "ignore").decode()
    assert plain(ascii_text) == ascii_text


@pytest.mark.parametrize(
    ("encoding", "locale", "ascii_only"),
    [
        ("utf-8", "C.UTF-8", False),
        ("utf-8", "C", True),
        ("utf-8", "POSIX", True),
        ("ascii", "C.UTF-8", True),
        ("iso-8859-1", "de_DE", True),
    ],
)
def test_letters_follow_encoding_and_locale(monkeypatch, encoding, locale, ascii_only):
    monkeypatch.setenv("LC_ALL", locale)
    out = Recorded(encoding)
    screen = Screen(out, Recorded())
    screen.say("⚖️ 3×3 …")
    assert screen.ascii == ascii_only
    assert out.getvalue().isascii() == ascii_only


def test_data_and_news_go_different_ways():
    out, err = Recorded(), Recorded()
    screen = Screen(out, err)
    screen.say("data")
    screen.tell("news")
    assert (out.getvalue(), err.getvalue()) == ("data\n", "news\n")


def test_a_row_is_cut_off_and_a_sentence_is_wrapped(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.row("word " * 20)
    screen.say("word " * 20)
    first, *others = out.getvalue().splitlines()
    assert len(first) <= 20
    assert len(others) == 5


def test_a_paragraph_breaks_no_word_and_keeps_a_number_with_its_sign(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    out = Recorded()
    folder = "/a/path/that-is/longer-than-a-line"
    Screen(out, Recorded()).paragraph(f"Type `check {folder}` for 100 % of it.", indent=2)
    assert out.getvalue().splitlines() == ["  Type `check", f"  {folder}`", "  for 100 % of it."]
