import json
import os
import random

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import NAMES, assert_same, beginning_of, check_slips, games, play_at_random

from rl_toolkit.envs import TicTacToe, make_game
from rl_toolkit.records import (
    GameRecord,
    RecordError,
    RecordFieldError,
    RecordMoveError,
    RecordResultError,
    RecordSyntaxError,
    RecordVersionError,
    checked_json,
    from_transcript,
)

relaxed = examples(60)
fuzzing = examples(200)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(1 - 2**64, 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(texts, parts, max_size=3),
    max_leaves=6,
)
json_objects = st.dictionaries(texts, json_values, max_size=3)


@st.composite
def records(draw):
    env = draw(games())
    thoughts = st.lists(
        st.none() | json_objects, min_size=len(env.history), max_size=len(env.history)
    )
    decided = {}
    if not env.is_terminal() and draw(st.booleans()):
        decided = {"result": draw(st.sampled_from([1, 0, -1])), "ended_by": "time"}
    return GameRecord.from_env(
        env,
        players=(draw(texts), draw(texts)),
        headers=draw(st.dictionaries(texts, texts, max_size=3)),
        analyses=draw(thoughts) if len(env.history) < 12 and draw(st.booleans()) else (),
        opening=draw(st.integers(0, len(env.history))),
        **decided,
    )


def record_of(game="tictactoe", text="b2a1c1", **more):
    return GameRecord.from_env(from_transcript(game, text), **more)


def json_of(**changes):
    fields = {"version": 1, "game": "tictactoe", "moves": ["b2", "a1"], "result": None}
    fields.update(changes)
    return json.dumps({name: value for name, value in fields.items() if value is not ...})


# ------------------------------------------------------------------------ round trips


@relaxed
@given(games())
def test_a_game_replays_to_itself(env):
    before = env.get_state_hash(), env.history
    record = GameRecord.from_env(env)
    assert_same(record.replay(), env)
    assert_same(record.starting_position(), beginning_of(env))
    assert record.result == env.winner
    assert (env.get_state_hash(), env.history) == before


@relaxed
@given(records())
def test_json_reads_back_as_the_same_record(record):
    text = record.to_json()
    read = GameRecord.from_json(text)
    assert read == record
    assert hash(read) == hash(record)
    assert read.to_json() == text
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))


@examples(10)
@given(record=records())
def test_a_file_reads_back_as_the_same_record(tmp_path_factory, record):
    path = tmp_path_factory.mktemp("games") / "game.json"
    record.save(path)
    assert GameRecord.load(path) == record
    assert GameRecord.load(str(path)) == record
    assert os.listdir(path.parent) == ["game.json"]


@relaxed
@given(games())
def test_positions_are_those_of_the_game_one_after_another(env):
    positions = list(GameRecord.from_env(env).positions())
    assert len(positions) == len(env.history) + 1
    for position in reversed(positions):
        assert_same(position, env)
        if env.history:
            env.undo()


# --------------------------------------------------------------------------- contents


def test_the_text_is_readable_and_says_no_more_than_needed():
    assert record_of().to_json().splitlines() == [
        "{",
        '  "version": 1,',
        '  "game": "tictactoe",',
        '  "moves": ["b2", "a1", "c1"],',
        '  "result": null',
        "}",
    ]


def test_everything_a_record_can_hold():
    env = make_game("reversi")
    env.reset(first_player=-1)
    play_at_random(env, 2, random.Random(0))
    record = GameRecord.from_env(
        env,
        players=("Zoë", "mcts"),
        headers={"event": "final"},
        analyses=[None, {"value": np.float64(0.25), "line": (1, 2)}],
        result=-1,
        ended_by="time",
    )
    assert (record.game, record.start) == ("reversi-8", "8/8/8/3ox3/3xo3/8/8/8 o")
    fields = json.loads(record.to_json())
    assert fields["players"] == {"x": "Zoë", "o": "mcts"}
    assert fields["analyses"] == [None, {"value": 0.25, "line": [1, 2]}]
    assert (fields["result"], fields["ended_by"]) == ("o", "time")
    assert "Zoë" in record.to_json()


def test_a_record_is_written_in_the_lowest_version_that_holds_it():
    versions = {
        1: record_of(),
        2: record_of(comments={1: "the centre"}),
        3: record_of(comments={1: "the centre"}, opening=2),
    }
    for version, record in versions.items():
        fields = json.loads(record.to_json())
        assert fields["version"] == version
        assert fields.get("opening", 0) == record.opening
        assert GameRecord.from_json(record.to_json()) == record
    with pytest.raises(RecordFieldError, match="unknown field 'opening'"):
        GameRecord.from_json(json_of(version=2, opening=1))


def test_names_and_starts_are_brought_to_one_spelling():
    record = GameRecord("Reversi", [np.int64(19)], start="8/8/8/3OX3/...xO3/8/8/8 X")
    assert record == GameRecord("reversi-8", (19,))
    assert type(record.moves[0]) is int


def test_a_finished_game_may_be_all_start():
    env = make_game("tictactoe")
    env.set_position([1, 1, 1, -1, -1, 0, 0, 0, 0], 1)
    record = GameRecord.from_env(env)
    assert (record.moves, record.result, record.start) == ((), 1, "xxx/oo1/3 x")


def test_a_record_shares_nothing_with_what_it_was_made_of():
    headers, thought = {"a": "b"}, {"line": [1]}
    record = record_of(text="b2", headers=headers, analyses=[thought])
    headers["a"], thought["line"][0] = "c", 2
    assert record == record_of(text="b2", headers={"a": "b"}, analyses=[{"line": [1]}])


def test_analyses_that_say_nothing_are_none():
    assert record_of(analyses=[None] * 3) == record_of()


# ----------------------------------------------------------------- errors in a record

WON = "a1b1a2b2a3"


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: GameRecord("chess"), RecordFieldError, "game: there is no game 'chess'"),
        (lambda: GameRecord(3), RecordFieldError, "game: this must be text"),
        (lambda: GameRecord("gomoku", 3), RecordFieldError, "moves: this must be a list, not 3"),
        (lambda: GameRecord("gomoku", "h8"), RecordFieldError, "moves: this must be a list"),
        (lambda: GameRecord("tictactoe", [4, 4]), RecordMoveError, r"moves\[1\]: b2 is taken by X"),
        (lambda: GameRecord("tictactoe", [4, 9]), RecordMoveError, r"moves\[1\]: cell 9 is off"),
        (lambda: GameRecord("tictactoe", [True]), RecordMoveError, r"moves\[0\]: .* not True"),
        (lambda: GameRecord("tictactoe", start=3), RecordFieldError, "start: this must be text"),
        (lambda: GameRecord("tictactoe", start="3/4/3 x"), RecordFieldError, "start: row 2"),
        (lambda: GameRecord("tictactoe", result=2), RecordFieldError, "result: .* not 2"),
        (lambda: GameRecord("tictactoe", result=[]), RecordFieldError, r"result: .* not \[\]"),
        (lambda: GameRecord("tictactoe", result=1), RecordResultError, "result: .* X has won"),
        (
            lambda: GameRecord("tictactoe", ended_by="time"),
            RecordResultError,
            "ended_by: .* must have a result",
        ),
        (
            lambda: GameRecord("tictactoe", [0, 1, 3, 4, 6], result=-1),
            RecordResultError,
            "result: this says that O has won, but after the moves X has won",
        ),
        (
            lambda: GameRecord("tictactoe", [0, 1, 3, 4, 6]),
            RecordResultError,
            "result: this says that the game is not over, but after the moves X has won",
        ),
        (lambda: record_of(text=WON, ended_by="time"), RecordResultError, "ended_by: the moves"),
        (lambda: record_of(ended_by=None), RecordFieldError, "ended_by: this must be text"),
        (lambda: record_of(opening=4), RecordFieldError, "opening: this is 0 to 3, as the game"),
        (lambda: record_of(opening="1"), RecordFieldError, "opening: this is a number of moves"),
        (lambda: record_of(players=("a",)), RecordFieldError, "players: there must be two"),
        (lambda: record_of(players=("a", 1)), RecordFieldError, "players.o: this must be text"),
        (lambda: record_of(players="ab"), RecordFieldError, "players: this must be a list"),
        (lambda: record_of(headers=["a"]), RecordFieldError, "headers: this must map"),
        (lambda: record_of(headers={"a": 1}), RecordFieldError, "headers.a: this must be text"),
        (lambda: record_of(headers={1: "a"}), RecordFieldError, "headers: this must be text"),
        (lambda: record_of(headers={"a": "\ud800"}), RecordFieldError, "headers.a: .* half"),
        (
            lambda: record_of(analyses=[{}]),
            RecordFieldError,
            "analyses: there must be one for each of the 3 moves, not 1",
        ),
        (
            lambda: record_of(analyses=[None, 3, None]),
            RecordFieldError,
            r"analyses\[1\]: an analysis is an object or null, not 3",
        ),
        (
            lambda: record_of(analyses=[None, {"a": [0, float("inf")]}, None]),
            RecordFieldError,
            r"analyses\[1\].a\[1\]: JSON cannot hold inf",
        ),
        (
            lambda: record_of(analyses=[{"a": 2**64}, None, None]),
            RecordFieldError,
            r"analyses\[0\].a: JSON cannot hold 18446744073709551616",
        ),
        (
            lambda: record_of(analyses=[{"a": {1}}, None, None]),
            RecordFieldError,
            r"analyses\[0\].a: JSON cannot hold \{1\} of type set",
        ),
    ],
)
def test_errors_name_the_field_and_what_is_wrong(make, kind, message):
    with pytest.raises(RecordError, match=f"^{message}") as caught:
        make()
    assert type(caught.value) is kind


def test_an_analysis_inside_itself_is_refused():
    thought = {}
    thought["again"] = thought
    with pytest.raises(RecordFieldError, match="nested too deeply"):
        record_of(text="b2", analyses=[thought])


def test_a_game_that_has_no_name_cannot_be_recorded():
    class Nameless(TicTacToe):
        name = "nameless"

    with pytest.raises(RecordFieldError, match="game: there is no game 'nameless'"):
        GameRecord.from_env(Nameless())


def test_a_name_that_stands_for_another_board_cannot_be_recorded():
    class Misnamed(TicTacToe):
        name = "tictactoe"

    assert GameRecord.from_env(Misnamed()).game == "tictactoe"
    for wrong in (Misnamed(4), Misnamed((3, 4), 3)):
        with pytest.raises(RecordFieldError, match="game: 'tictactoe' is another game"):
            GameRecord.from_env(wrong)


def test_a_game_begun_on_a_board_beyond_play_cannot_be_recorded():
    env = make_game("tictactoe")
    env.board = [1, 1, 1, 1, 0, 0, 0, 0, 0]
    with pytest.raises(RecordFieldError, match="start: players alternate"):
        GameRecord.from_env(env)


# ------------------------------------------------------------------- errors in the text


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (3, RecordSyntaxError, "JSON is text, not 3"),
        ("", RecordSyntaxError, "line 1 column 1: this is not JSON"),
        ('{\n"version": 1,\n"game": }', RecordSyntaxError, "line 3 column 9: this is not JSON"),
        ("[]", RecordSyntaxError, r"this must be a JSON object \{…\}, not \[\]"),
        ('{"version": 1, "version": 1}', RecordSyntaxError, "the key 'version' appears twice"),
        ('{"a": ' + "9" * 5000 + "}", RecordSyntaxError, "the JSON cannot be read"),
        ("[" * 100_000, RecordSyntaxError, "the JSON is nested too deeply"),
        ("{}", RecordFieldError, "version: this field is missing"),
        (json_of(version=5, later=1), RecordVersionError, "version: this record has version 5"),
        (json_of(version="1"), RecordVersionError, "version: this record has version '1'"),
        (json_of(version=True), RecordVersionError, "version: this record has version True"),
        (json_of(game=...), RecordFieldError, "game: this field is missing"),
        (json_of(game="chess"), RecordFieldError, "game: there is no game 'chess'"),
        (json_of(game=[1]), RecordFieldError, "game: this must be text"),
        (json_of(mvoes=[]), RecordFieldError, "unknown field 'mvoes'"),
        (json_of(moves={"b2": 1}), RecordFieldError, "moves: this must be a list of move names"),
        (json_of(moves=["b2", 3]), RecordMoveError, r"moves\[1\]: 3 is not a move of tictactoe"),
        (json_of(moves=["b2", "4"]), RecordMoveError, r"moves\[1\]: '4' is not a move"),
        (json_of(moves=["b2", ["a1"]]), RecordMoveError, r"moves\[1\]: \['a1'\] is not a move"),
        (json_of(moves=["b2", "b2"]), RecordMoveError, r"moves\[1\]: b2 is taken by X"),
        (json_of(result="X"), RecordFieldError, "result: a result is x, o, draw or null, not 'X'"),
        (json_of(result=0), RecordFieldError, "result: a result is x, o, draw or null, not 0"),
        (json_of(result="x"), RecordResultError, "result: this says that X has won"),
        (json_of(players=["a", "b"]), RecordFieldError, "players: this must look like"),
        (json_of(players={"x": "a"}), RecordFieldError, "players: this must look like"),
        (json_of(players={"x": 1, "o": ""}), RecordFieldError, "players.x: this must be text"),
        (json_of(start="nonsense"), RecordFieldError, "start: 'nonsense' is not a position"),
        (
            json_of(analyses=[None, {"v": float("nan")}]),
            RecordFieldError,
            r"analyses\[1\].v: .*nan",
        ),
        (
            json_of(analyses=[None, {"v": 7}]).replace("7", "1e999"),
            RecordFieldError,
            r"analyses\[1\].v: .*inf",
        ),
    ],
)
def test_errors_name_the_line_or_the_field(text, kind, message):
    with pytest.raises(RecordError, match=f"^{message}") as caught:
        GameRecord.from_json(text)
    assert type(caught.value) is kind


def test_errors_in_a_file_open_with_its_name(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json_of(moves=["b2", "b2"]))
    with pytest.raises(RecordMoveError, match=r"^game.json: moves\[1\]: b2 is taken") as caught:
        GameRecord.load(path)
    assert caught.value.where == "game.json: moves[1]"
    path.write_bytes(b'{"version":\n "\xff"}')
    with pytest.raises(RecordSyntaxError, match=r"^game.json: line 2: this is not UTF-8 text"):
        GameRecord.load(path)
    path.write_text(json_of(unknown=1))
    with pytest.raises(RecordFieldError, match=r"^game.json: unknown field"):
        GameRecord.load(path)
    with pytest.raises(FileNotFoundError):
        GameRecord.load(tmp_path / "none.json")


def test_a_byte_order_mark_does_no_harm(tmp_path):
    path = tmp_path / "game.json"
    path.write_bytes(b"\xef\xbb\xbf" + json_of().encode())
    assert GameRecord.load(path) == GameRecord("tictactoe", (4, 0))


def test_huge_files_are_neither_read_nor_written(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    with open(path, "wb") as file:
        file.truncate(checked_json.MAX_BYTES + 10**9)  # sparse: takes no room on the disk
    with pytest.raises(RecordSyntaxError, match=r"^game.json: this is too large: .* 32 MiB"):
        GameRecord.load(path)
    monkeypatch.setattr(checked_json, "MAX_BYTES", 200)
    with pytest.raises(RecordSyntaxError, match="too large"):
        GameRecord.from_json(" " * 201)
    record_of().save(path)
    with pytest.raises(RecordSyntaxError, match="too large"):
        record_of(headers={"a": "é" * 100}).save(path)
    assert GameRecord.load(path) == record_of()


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    record_of(text="b2").save(path)

    def fail(*_args):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="no space left"):
            record_of().save(path)
    assert GameRecord.load(path) == record_of(text="b2")


# ------------------------------------------------------------------------------ fuzzing


@fuzzing
@given(st.data(), records())
def test_slips_in_json_raise_only_record_errors(data, record):
    signs = '{}[]",:0123456789.eE-xo/\\untrfalse '
    check_slips(data, record.to_json(), signs, GameRecord.from_json, GameRecord.to_json)


@fuzzing
@given(st.data())
def test_any_json_in_any_field_raises_only_record_errors(data):
    fields = json.loads(data.draw(records()).to_json())
    name = data.draw(st.sampled_from([*fields, "start", "players", "headers", "analyses"]))
    odd = json_values | st.sampled_from([float("nan"), float("inf"), 10**30, "\ud800", *NAMES])
    new = data.draw(odd | st.lists(odd, max_size=3) | st.dictionaries(texts, odd, max_size=2))
    if isinstance(fields.get(name), list) and fields[name] and data.draw(st.booleans()):
        fields[name][data.draw(st.integers(0, len(fields[name]) - 1))] = new
    else:
        fields[name] = new
    try:
        read = GameRecord.from_json(json.dumps(fields))
    except RecordError:
        return
    assert GameRecord.from_json(read.to_json()) == read
