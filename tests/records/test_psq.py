"""Piskvork's format: games of Gomoku read back as they were, and nothing else is read."""

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import check_slips, games

from rl_toolkit.records import GameRecord, RecordError, from_transcript
from rl_toolkit.records.formats.psq import looks_like_psq, psq_loses, read_psq, write_psq

NAMES = ("gomoku-9", "gomoku-15-standard", "gomoku-20")
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = texts.map(lambda name: name.replace("\n", "").replace("\r", ""))


@st.composite
def records(draw):
    env = draw(games(NAMES, usual=True))
    if draw(st.booleans()):
        first = env.history
        env.reset(first_player=-1)
        for move in first[: len(first) // 2]:
            env.step(move)
    decided = {}
    if not env.is_terminal() and draw(st.booleans()):
        reason = draw(st.sampled_from(["adjudication", "time"]))
        decided = {"result": draw(st.sampled_from([1, 0, -1])), "ended_by": reason}
    times = draw(st.lists(st.integers(0, 10**6), min_size=2, max_size=2))
    headers = {}
    if draw(st.booleans()) and env.history:
        words = [f"{ms / 1000:g}" if ms else "-" for ms in times]
        headers["move times"] = " ".join(words[k % 2] for k in range(len(env.history)))
    if draw(st.booleans()):
        headers["psq code"] = draw(st.sampled_from(["0", "15", "x"]))
    opening = draw(st.integers(0, len(env.history)))
    players = (draw(names), draw(names))
    return GameRecord.from_env(env, players=players, headers=headers, opening=opening, **decided)


@examples(30)
@given(records())
def test_a_game_reads_back_as_it_was(record):
    text = write_psq([record])
    (read,) = read_psq(text)
    assert looks_like_psq(text.encode())
    if not psq_loses(record):
        assert read == record
    assert (read.game, read.moves, read.start) == (record.game, record.moves, record.start)
    assert (read.players, read.result) == (record.players, record.result)
    assert read.opening == record.opening
    assert write_psq([read]) == text
    assert not psq_loses(read)
    assert read_psq(text.encode().replace(b"\n", b"\r\n")) == [read]


def test_a_game_of_gomocup():
    text = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,1500\npbrain-ada.exe\npbrain-max.exe\n-1\n"
    (record,) = read_psq(text)
    assert record.game == "gomoku-15"
    assert record.moves == tuple(from_transcript("gomoku", "h8i9").history)
    assert record.players == ("pbrain-ada.exe", "pbrain-max.exe")
    assert record.headers == {"move times": "- 1.5"}
    (ended,) = read_psq(text + "2,Standard\n")
    assert (ended.game, ended.result, ended.ended_by) == (
        "gomoku-15-standard",
        -1,
        "adjudication",
    )
    assert read_psq("Piskvorky 15x15, 0:11, 0\n8,8,0\n-1\n")[0].players == ("", "")
    assert read_psq("Piskvorky 15x15, 0:11, 0\n8,8\n")[0].moves == (112,)
    assert read_psq(text.replace("\n", "\r")) == [record]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a psq file begins like"),
        ("Piskvorky 15, 0:0, 0", "line 1: a psq file begins like"),
        ("Piskvorky 15x14, 0:0, 0", "line 1: 15x14 is not a square board"),
        ("Piskvorky 21x21, 0:0, 0", "line 1: Gomoku is played on a square board of"),
        ("Piskvorky 15x15, 0:0, 0\n16,1,0", "line 2: '16,1,0' is not on the board"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0", "line 3: h8 is taken by"),
        ("Piskvorky 15x15, 0:0, 0\n8;8,0\n7,7,0\n-1", "line 2: after the moves there are"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\nada\n", "line 3: after the moves there are"),
        (
            "Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n1,Renju",
            "the last line: the rule of Gomoku is freestyle or standard, not 'Renju'; say which",
        ),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\na\nb\nc\n-1\n1,Freestyle", "line 3: after the moves"),
    ],
)
def test_errors_name_the_line(text, message):
    with pytest.raises(RecordError) as caught:
        read_psq(text)
    assert str(caught.value).startswith(message)


def test_the_caller_may_decide_the_rule():
    text = "Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n1,Renju"
    assert read_psq(text, "gomoku-15-standard")[0].game == "gomoku-15-standard"
    with pytest.raises(RecordError, match="holds Gomoku, not tictactoe"):
        read_psq(text, "tictactoe")
    with pytest.raises(RecordError, match="the board has 15 rows"):
        read_psq(text, "gomoku-9")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (GameRecord("tictactoe"), "holds Gomoku to five in a row, not tictactoe"),
        (GameRecord("gomoku-15x15x4"), "holds Gomoku to five in a row"),
        (GameRecord("gomoku-9", players=("3,4,5", "a")), "players: .*cannot hold the name '3,4,5'"),
        (GameRecord("gomoku-9", players=("a\nb", "a")), "players: .*cannot hold the name"),
        (
            GameRecord("gomoku-9", start="9/9/9/9/4x4/9/9/9/9 o"),
            "start: a psq file begins with the empty board",
        ),
    ],
)
def test_what_the_format_cannot_hold_is_not_written(record, message):
    with pytest.raises(RecordError, match=message):
        write_psq([record])
    with pytest.raises(RecordError, match="holds one game, not 2"):
        write_psq([record, record])


@examples(30)
@given(st.data(), records())
def test_slips_raise_only_record_errors(data, record):
    signs = "Piskvorky 0123456789,:x\n-"
    check_slips(data, write_psq([record]), signs, read_psq, write_psq)


@examples(100)
@given(st.binary(max_size=40))
def test_random_bytes_raise_only_record_errors(data):
    for text in (data, b"Piskvorky 9x9, 0:0, 0\n" + data):
        try:
            read_psq(text)
        except RecordError:
            continue
