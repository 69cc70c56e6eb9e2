"""WTHOR: games of Othello read back as they were, and nothing else is read."""

import random
import struct
from dataclasses import replace

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import games, play_at_random

from rl_toolkit.envs import make_game
from rl_toolkit.records import GameRecord, RecordError, from_transcript
from rl_toolkit.records.formats.wthor import (
    WthorFiles,
    looks_like_wthor,
    read_wthor,
    write_wthor,
    wthor_loses,
)

names = st.text(st.characters(max_codepoint=255, exclude_characters="\0"), max_size=19)
numbered = st.sampled_from(["", "#1", "#812"])


@st.composite
def databases(draw):
    several, name = [], draw(st.sampled_from([names, numbered, names | numbered]))
    shared = draw(
        st.sampled_from([{}, {"date": "1987"}, {"theoretical score": "33 with 22 empty"}])
    )
    for _ in range(draw(st.integers(1, 3))):
        env = draw(games(("reversi-8",), usual=True))
        decided = {}
        if not env.is_terminal():
            decided = {"result": draw(st.sampled_from([1, 0, -1])), "ended_by": "adjudication"}
        headers = {**shared, **({"event": event} if (event := draw(name)) else {})}
        if draw(st.booleans()):
            headers["black discs"] = draw(st.sampled_from(["40", "12", "64", "x"]))
        players = (draw(name), draw(name))
        several.append(GameRecord.from_env(env, players=players, headers=headers, **decided))
    return several


@examples(30)
@given(databases())
def test_a_database_reads_back_as_it_was(played):
    files = write_wthor(played)
    assert looks_like_wthor(files.games)
    assert len(files.games) == 16 + 68 * len(played)
    read = read_wthor(files)
    if not wthor_loses(played):
        assert read == played
    for before, after in zip(played, read, strict=True):
        assert (after.players, after.result) == (before.players, before.result)
        assert after.headers.get("event", "") == before.headers.get("event", "")
    assert write_wthor(read) == files
    assert not wthor_loses(read)


def file_of(moves="f5d6c3", discs=40, year=1999, depth=0, board=8, count=1, **more):
    """A database of one game, by the published layout."""
    squares = bytes(
        10 * int(moves[k + 1]) + "abcdefgh".index(moves[k]) + 1 for k in range(0, len(moves), 2)
    )
    head = struct.pack("<BBBBIHHBBBB", 19, 99, 12, 31, count, 0, year, board, 0, depth, 0)
    game = struct.pack("<HHHBB60s", 7, 2, 1, discs, more.get("theoretical", 41), squares)
    return head + game


def names_of(size, *listed):
    head = struct.pack("<BBBBIHHBBBB", 19, 99, 12, 31, 0, len(listed), 0, 0, 0, 0, 0)
    return head + b"".join(name.encode("latin-1").ljust(size, b"\0") for name in listed)


def test_a_file_by_the_published_layout():
    (record,) = read_wthor(file_of(depth=22))
    assert record.moves == tuple(from_transcript("reversi", "f5d6c3").history)
    assert (record.result, record.ended_by) == (1, "adjudication")
    assert record.players == ("#2", "#1")
    assert record.headers == {
        "event": "#7",
        "date": "1999",
        "black discs": "40",
        "theoretical score": "41 with 22 empty",
    }
    players = names_of(20, "?", "Ishii Zoé", "Tamenori")
    (named,) = read_wthor(WthorFiles(file_of(), players, names_of(26, "Open")))
    assert named.players == ("Tamenori", "Ishii Zoé")
    assert named.headers["event"] == "#7"


def test_a_finished_game_has_its_score_from_the_board():
    env = play_at_random(make_game("reversi"), 99, random.Random(4))
    assert env.pass_move in env.history
    record = GameRecord.from_env(env)
    files = write_wthor([record])
    empty = int((env.board == 0).sum())
    assert files.games[16 + 6] == env.piece_count(1) + (empty if env.winner == 1 else 0)
    assert read_wthor(files) == [record]
    assert (files.players, files.tournaments) == (None, None)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "games: a WTHOR file has a header of 16 bytes"),
        (file_of()[:-1], "games: the header says 1 entries, which are 84 bytes, but there are 83"),
        (file_of(count=2), "games: the header says 2 entries"),
        (file_of(board=10), "the header: only boards of 8 rows are read, not of 10"),
        (file_of(depth=61), "the header: a depth is 0 to 60, not 61"),
        (file_of(discs=65), "game 1: score: a score is 0 to 64, not 65"),
        (file_of(moves="f5f5"), "game 1: move 2: f5 is taken"),
        (file_of(moves="a1"), "game 1: move 1: a1 turns no disc"),
        (file_of(moves="f5d6").replace(b"\x38", b"\x63"), "game 1: move 1: 99 is not a square"),
        (
            WthorFiles(file_of(), names_of(20, "a")[:-1]),
            "the players: the header says 1 entries, which are 36 bytes, but there are 35",
        ),
    ],
)
def test_errors_name_game_and_move(data, message):
    with pytest.raises(RecordError) as caught:
        read_wthor(data)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (GameRecord("reversi-6"), "game: a WTHOR file holds Othello on 8×8"),
        (GameRecord("gomoku"), "game: a WTHOR file holds Othello on 8×8"),
        (GameRecord("reversi"), "result: a WTHOR file holds only games with a result"),
    ],
)
def test_what_the_format_cannot_hold_is_not_written(record, message):
    with pytest.raises(RecordError, match=f"^game 1: {message}"):
        write_wthor([record])


def test_names_without_room_are_shortened_and_stay_apart():
    names = ["x" * 19, "x" * 20, "x" * 21, "王", "?", "a\0b", "x" * 17 + "~2"]
    played = [
        GameRecord("reversi", result=1, ended_by="adjudication", players=(name, "Ada"))
        for name in names
    ]
    played[0] = replace(played[0], headers={"event": "match random against easy, seed 0"})
    read = read_wthor(write_wthor(played))
    assert [record.players[0] for record in read] == [
        *("x" * 19, "x" * 17 + "~3", "x" * 17 + "~4", "?~2", "?", "a?b", "x" * 17 + "~2")
    ]
    assert {record.players[1] for record in read} == {"Ada"}
    assert read[0].headers["event"] == "match random against easy"
    assert wthor_loses(played) == [
        "the names of events beyond 25 letters of Latin-1",
        "the names of players beyond 19 letters of Latin-1",
    ]
    assert write_wthor(read) == write_wthor(read_wthor(write_wthor(read)))


def test_another_game_cannot_be_asked_for():
    with pytest.raises(RecordError, match="holds reversi-8, not gomoku"):
        read_wthor(file_of(), "gomoku")
    assert read_wthor(file_of(), "othello")[0].game == "reversi-8"


@examples(40)
@given(st.data(), databases())
def test_changed_bytes_raise_only_record_errors(data, played):
    files = write_wthor(played)
    changed = bytearray(files.games)
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(changed[: data.draw(st.integers(0, len(changed)))])
    for what in (bytes(changed), cut, data.draw(st.binary(max_size=90))):
        try:
            read = read_wthor(WthorFiles(what, files.players, files.tournaments))
        except RecordError:
            continue
        assert read_wthor(write_wthor(read)) == read
