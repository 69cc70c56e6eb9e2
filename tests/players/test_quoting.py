"""Quotes in specs: any text can be the value of an option."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.players.notation import (
    join_spec,
    quoted,
    split_at_commas,
    split_spec,
    unquoted,
)
from rl_toolkit.players.options import SpecError


@pytest.mark.parametrize(
    ("spec", "cmd"),
    [
        ("gtp:cmd=gnugo --mode gtp", "gnugo --mode gtp"),
        ("gtp:cmd=gtp-rhino --level=5", "gtp-rhino --level=5"),
        (r"gtp:cmd=C:\games\engine.exe -x:3", r"C:\games\engine.exe -x:3"),
        ('gtp:cmd="engine --levels 3,4"', "engine --levels 3,4"),
        ("gtp:cmd='engine, the best'", "engine, the best"),
        ('gtp:cmd=sh -c "echo a, b"', 'sh -c "echo a, b"'),
        ('gtp:cmd="say ""hi, you"""', 'say "hi, you"'),
        ("gtp:cmd='it''s'", "it's"),
        ('gtp:cmd="my bot" "a, b"', '"my bot" "a, b"'),
    ],
)
def test_commands_in_specs(spec, cmd):
    assert split_spec(spec) == ("gtp", {"cmd": cmd})
    assert split_spec(f"{spec},time=2") == ("gtp", {"cmd": cmd, "time": "2"})
    name, rest = spec.split(":", 1)
    assert split_spec(f"{name}:time=2,{rest}") == ("gtp", {"time": "2", "cmd": cmd})


def test_an_open_quote_and_an_unquoted_comma_are_refused():
    with pytest.raises(SpecError, match="a quote is not closed"):
        split_spec('gtp:cmd="engine,time=2')
    with pytest.raises(SpecError, match="'4' is not option=value"):
        split_spec("gtp:cmd=engine --levels 3,4")


# Values are stripped, so the edges of a value are not blank.
VALUES = st.text("ab ,:='\"\\#é", min_size=1).filter(lambda text: text == text.strip())


@given(VALUES)
def test_every_value_can_be_written_and_read(value):
    chosen = {"cmd": value, "time": "2"}
    assert split_spec(join_spec("gtp", chosen)) == ("gtp", chosen)
    assert unquoted(quoted(value)) == value
    assert split_at_commas(quoted(value)) == [quoted(value)]


@given(st.text("ab,'\"= "))
def test_splitting_loses_nothing(text):
    parts = split_at_commas(text)
    assert parts is None or ",".join(parts) == text
