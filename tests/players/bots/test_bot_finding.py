"""Which function or class of a file is the bot."""

import pytest

from rl_toolkit.players import Spec, SpecError, make_engine
from rl_toolkit.players.bots.finding import find_bot
from rl_toolkit.players.notation import join_spec, spec_name, split_spec
from rl_toolkit.players.registry import engine_kinds


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def choose(env): return 0", "choose"),
        ("def anything(position): return 0", "anything"),
        ("def _help(env): pass\ndef mine(env): return 0", "mine"),
        ("def value(env, depth): pass\ndef mine(env): return 0", "mine"),
        ("def value(env): pass\ndef choose(env): return 0", "choose"),
        ("def mine(env, time): return 0\ndef value(a, b): pass", "mine"),
        ("def mine(env, *, seed): return 0\ndef other(env, *, more): pass", "mine"),
        ("def mine(*all): return 0", "mine"),
        ("import random\nchoose = lambda env: 0", "choose"),
        ("def mine(env): return 0\nkey = lambda a, b: 0\n_key = lambda a: 0", "mine"),
        ("class Bot:\n def analyse(self, env): pass\ndef choose(env): pass", "Bot"),
        ("class Node:\n pass\nclass Tree:\n def search(self, env): pass", "Tree"),
        ("class Mine:\n def get_best_action(self, env): pass", "Mine"),
        ("class Mine:\n def choose_move(self, env): pass", "Mine"),
        ("class Mine:\n def best_move(self, env): pass\ndef value(env): pass", "Mine"),
        ("class Mine:\n @staticmethod\n def choose(env): pass", "Mine"),
        ("class Node:\n def get_move(self): pass\ndef mine(env): pass", "mine"),
        ("class Board:\n def get_move(self, n): pass\ndef choose(env): pass", "choose"),
        ("class B:\n def choose(s, e): 0\nclass Tree:\n def search(s, e): 0", "Tree"),
    ],
)
def test_the_one_obvious_bot(source, name):
    assert find_bot(source, "my_bot.py") == name


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "my_bot.py has no bot: write a function choose(env) that returns a move, or a class"),
        ("def two(env, depth): pass", "has no bot"),
        ("choose = 3", "has no bot"),
        (
            "def a(env): pass\ndef b(env): pass",
            "my_bot.py has several bots: a and b; write my_bot.py:a",
        ),
        ("def choose(env): pass\ndef bot(env): pass", "several bots: choose and bot"),
        ("class A:\n def search(s, e): 0\nclass B:\n def analyse(s, e): 0", "several bots: A and"),
        ("def choose(env)\n  return 0", "my_bot.py, line 1: expected ':'"),
        ("a = '\0'", "my_bot.py: source code string cannot contain null bytes"),
    ],
)
def test_none_and_several_are_one_precise_sentence(source, words):
    with pytest.raises(SpecError) as refused:
        find_bot(source, "my_bot.py")
    assert words in str(refused.value)


SOURCE = """
from random import choice as pick
import numpy.random
try:
    import torch
except ImportError:
    torch = None
if torch:
    def fast(env): ...
else:
    fast = slow = None
class Mine: ...
"""


def test_a_name_may_be_anything_that_the_file_defines():
    for name in ("pick", "numpy", "torch", "fast", "slow", "Mine"):
        assert find_bot(SOURCE, "my_bot.py", name) == name
    with pytest.raises(SpecError, match=r"has no function or class mine; did you mean Mine\?"):
        find_bot(SOURCE, "my_bot.py", "mine")
    with pytest.raises(SpecError, match="has no function or class zork; it has pick, torch, fast"):
        find_bot(SOURCE, "my_bot.py", "zork")
    assert find_bot("from other import *", "my_bot.py", "anything") == "anything"


@pytest.mark.parametrize(
    ("spec", "chosen", "written"),
    [
        ("my_bot.py", {"file": "my_bot.py"}, "my_bot.py"),
        (" Bots/My_Bot.py ", {"file": "Bots/My_Bot.py"}, "Bots/My_Bot.py"),
        ("my_bot.py:choose", {"file": "my_bot.py", "name": "choose"}, "my_bot.py:choose"),
        ("b.py:time=2", {"file": "b.py", "time": "2"}, "b.py:time=2"),
        (
            "b.py:Bot, seed=3, Time=2",
            {"file": "b.py", "name": "Bot", "seed": "3", "time": "2"},
            "b.py:Bot,time=2,seed=3",
        ),
        ("a,b.py", {"file": "a,b.py"}, "a,b.py"),
        (r"C:\bots\b.py:Bot", {"file": r"C:\bots\b.py", "name": "Bot"}, r"C:\bots\b.py:Bot"),
        ("file-bot:file=b.py,name=Bot", {"file": "b.py", "name": "Bot"}, "b.py:Bot"),
    ],
)
def test_a_spec_that_names_a_file(spec, chosen, written):
    assert spec_name(spec) == "file-bot"
    assert split_spec(spec) == ("file-bot", chosen)
    assert split_spec(join_spec("file-bot", chosen)) == ("file-bot", chosen)
    assert Spec.read(spec).text == written
    assert split_spec(written)[1] == chosen


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("my_bot.py:", "after the file comes the name"),
        ("my_bot.py:a b", "after the file comes the name of a function or class, not 'a b'"),
        ("my_bot.py:choose,zork", "'zork' is not option=value"),
        ("my_bot.py:zork=3", "no option 'zork'"),
        ("my_bot.py:time=no", "time is a number"),
        ("missing.py", "missing.py: No such file or directory"),
        ("file-bot", "a bot is named by its file"),
    ],
)
def test_a_wrong_spec(spec, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text("def choose(env): return 0")
    with pytest.raises(SpecError) as refused:
        make_engine(spec)
    assert words in str(refused.value)


def test_a_file_in_another_coding_and_one_that_is_no_text(tmp_path):
    file = tmp_path / "my_bot.py"
    file.write_bytes("# coding: latin-1\nNAME = 'é'\ndef choose(env): return 0".encode("latin-1"))
    assert make_engine(str(file)).name == "my_bot.py"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="is not a text in Python"):
        make_engine(str(file))


def test_it_is_listed_only_where_it_is_asked_for():
    assert "file-bot" not in {kind.name for kind in engine_kinds()}
    assert "file-bot" in {kind.name for kind in engine_kinds(outside=True)}
