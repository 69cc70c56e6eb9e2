"""Comments and variations of records, in Python and in JSON of version 2."""

import json

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import check_slips, commented, games

from rl_toolkit.records import (
    GameRecord,
    RecordError,
    RecordFieldError,
    RecordMoveError,
    Variation,
    from_transcript,
)
from rl_toolkit.records.tree import variations

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@st.composite
def records(draw):
    env = draw(games())
    return GameRecord.from_env(env, **draw(commented(env, texts)))


def record_of(text="b2a1c1", **more):
    return GameRecord.from_env(from_transcript("tictactoe", text), **more)


def json_with(**more):
    fields = {"version": 2, "game": "tictactoe", "moves": ["b2", "a1"], "result": None}
    return json.dumps({**fields, **more})


@examples(40)
@given(records())
def test_json_reads_back_as_the_same_record(record):
    text = record.to_json()
    read = GameRecord.from_json(text)
    assert read == record
    assert hash(read) == hash(record)
    assert read.to_json() == text
    used = bool(record.comments or record.variations)
    assert json.loads(text)["version"] == (2 if used else 1)


def test_a_tree_in_json():
    inner = Variation(1, (8,), {1: "why not"})
    record = record_of(
        comments={0: "a club game", 3: "end"},
        variations=[Variation(1, (2, 6), {2: "better"}, [inner])],
    )
    fields = json.loads(record.to_json())
    assert fields["comments"] == {"0": "a club game", "3": "end"}
    assert fields["variations"] == [
        {
            "ply": 1,
            "moves": ["c1", "a3"],
            "comments": {"2": "better"},
            "variations": [{"ply": 1, "moves": ["c3"], "comments": {"1": "why not"}}],
        }
    ]
    assert record.variations[0].size == 3


def test_version_1_is_still_read_and_has_no_variations():
    old = {"version": 1, "game": "tictactoe", "moves": ["b2"], "result": None}
    assert GameRecord.from_json(json.dumps(old)) == GameRecord("tictactoe", (4,))
    with pytest.raises(RecordFieldError, match="unknown field 'comments'"):
        GameRecord.from_json(json.dumps({**old, "comments": {"0": "hm"}}))


def test_variations_are_kept_in_the_order_of_their_plies():
    early, one, other = Variation(0, (0,)), Variation(2, (5,)), Variation(2, (3,))
    assert record_of(variations=[one, early, other]).variations == (early, one, other)
    assert record_of(variations=[other, one, early]).variations == (early, other, one)


def test_comments_have_one_kind_of_line_end_and_none_is_empty():
    record = record_of(comments={2: "a\r\nb\rc", 1: "", 0: "x"})
    assert list(record.comments.items()) == [(0, "x"), (2, "a\nb\nc")]


def test_a_record_shares_nothing_with_the_variations_it_was_made_of():
    moves, comments = [2, 6], {1: "a"}
    record = record_of(variations=[Variation(1, moves, comments)])
    moves[0], comments[1] = 5, "b"
    assert record.variations == (Variation(1, (2, 6), {1: "a"}),)


@pytest.mark.parametrize(
    ("more", "kind", "message"),
    [
        ({"comments": {4: "x"}}, RecordFieldError, "comments: a ply is 0 to 3, not 4"),
        ({"comments": {"0": "x"}}, RecordFieldError, "comments: a ply is 0 to 3, not '0'"),
        ({"comments": {1: 5}}, RecordFieldError, "comments.1: this must be text"),
        ({"comments": ["x"]}, RecordFieldError, "comments: this must map plies to text"),
        ({"variations": 3}, RecordFieldError, "variations: this must be a list, not 3"),
        ({"variations": ["c1"]}, RecordFieldError, r"variations\[0\]: this must be a Variation"),
        (
            {"variations": [Variation(4, (3,))]},
            RecordFieldError,
            r"variations\[0\].ply: a variation leaves its line at ply 0 to 3, not 4",
        ),
        (
            {"variations": [Variation(0, ())]},
            RecordFieldError,
            r"variations\[0\].moves: a variation has at least one move",
        ),
        (
            {"variations": [Variation(1, (4,))]},
            RecordMoveError,
            r"variations\[0\].moves\[0\]: b2 is taken by X",
        ),
        (
            {"variations": [Variation(1, (2,), {0: "x"})]},
            RecordFieldError,
            r"variations\[0\].comments: a ply is 1 to 1, not 0",
        ),
        (
            {"variations": [Variation(0, (0, 1), {}, [Variation(0, (3,))])]},
            RecordFieldError,
            r"variations\[0\].variations\[0\].ply: a variation leaves its line at ply 1 to 1",
        ),
        (
            {"variations": [Variation(0, (0,), {}, [Variation(1, (3,))])]},
            RecordFieldError,
            r"variations\[0\].variations\[0\].ply: .* there is none",
        ),
    ],
)
def test_errors_name_the_branch(more, kind, message):
    with pytest.raises(RecordError, match=f"^{message}") as caught:
        record_of(**more)
    assert type(caught.value) is kind


def test_a_tree_has_bounds(monkeypatch):
    monkeypatch.setattr(variations, "MAX_MOVES", 3)
    with pytest.raises(RecordFieldError, match="more than 3 moves"):
        record_of(variations=[Variation(0, (0, 1)), Variation(0, (1, 0))])
    loop = []
    loop.append(Variation(1, (2, 3), {}, loop))
    monkeypatch.setattr(variations, "MAX_MOVES", 10**6)
    monkeypatch.setattr(variations, "MAX_DEPTH", 4)
    with pytest.raises(RecordError):
        record_of(variations=loop)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"comments": []}, "comments: this must map plies to text"),
        ({"comments": {"one": "x"}}, "comments: a ply is a number such as 3, not 'one'"),
        ({"comments": {"01": "x"}}, "comments: a ply is a number such as 3, not '01'"),
        ({"comments": {"9": "x"}}, "comments: a ply is 0 to 2, not 9"),
        ({"variations": {}}, "variations: this must be a list"),
        ({"variations": [3]}, r"variations\[0\]: a variation is an object, not 3"),
        ({"variations": [{"ply": 1}]}, r"variations\[0\].moves: this field is missing"),
        (
            {"variations": [{"ply": 1, "moves": ["c1"], "name": "x"}]},
            r"variations\[0\]: unknown field 'name'",
        ),
        (
            {"variations": [{"ply": 2, "moves": ["c1"]}]},
            r"variations\[0\].ply: a ply is a number below the 2 moves of the line, not 2",
        ),
        (
            {"variations": [{"ply": 1, "moves": ["b2"]}]},
            r"variations\[0\].moves\[0\]: 'b2' cannot be played here",
        ),
        ({"variations": [{"ply": 1, "moves": "c1"}]}, r"variations\[0\].moves: .* list of move"),
        ({"variations": [], "start": "what"}, "start: 'what' is not a position"),
        ({"variations": [{"ply": 0, "moves": ["c1"]}], "moves": ["b2", "b2"]}, "moves"),
    ],
)
def test_errors_in_json_name_the_branch(more, message):
    with pytest.raises(RecordError, match=f"^{message}"):
        GameRecord.from_json(json_with(**more))


def test_deep_json_is_refused():
    tree = []
    for _ in range(60):
        tree = [{"ply": 1, "moves": ["c1", "c2"], "variations": tree}]
    with pytest.raises(RecordError, match="variations"):
        GameRecord.from_json(json_with(variations=tree))


@examples(25)
@given(st.data(), records())
def test_slips_in_json_raise_only_record_errors(data, record):
    signs = '{}[]",:0123456789-plymovescomments '
    check_slips(data, record.to_json(), signs, GameRecord.from_json, GameRecord.to_json)
