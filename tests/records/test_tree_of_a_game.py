"""A game as a tree: edits against a plain model, JSON of version 4, links, merging."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import play_at_random

from rl_toolkit.envs import make_game
from rl_toolkit.records import (
    FORMATS,
    GameRecord,
    RecordError,
    RecordFieldError,
    from_transcript,
)
from rl_toolkit.records.formats.sgf import read_sgf, write_sgf
from rl_toolkit.records.tree import (
    GLYPHS,
    LONGEST_LINK,
    SHAPES,
    VERDICTS,
    GameTree,
    Mark,
    Note,
    link_text,
    tree_from_json,
    tree_from_link,
    tree_to_json,
)

GOLDEN = json.loads((Path(__file__).parent / "game_trees.json").read_text(encoding="utf-8"))
GAMES = ("tictactoe", "connect-four", "gomoku-9", "gomoku-19", "reversi-4", "reversi-8")


class Model:
    """The naive tree: the order of the moves at every path, and the path of the game."""

    def __init__(self, moves):
        self.below = {}
        for ply, move in enumerate(moves):
            self.below[tuple(moves[:ply])] = [move]
        self.game = tuple(moves)

    def order(self, path):
        return self.below.setdefault(tuple(path), [])

    def to_front(self, path, places):
        moves = self.order(path[:-1])
        at = moves.index(path[-1])
        moves.insert(max(0, at - places), moves.pop(at))

    def promote(self, path):
        for length in range(len(path), 0, -1):
            if self.order(path[: length - 1]).index(path[length - 1]):
                self.to_front(path[:length], 1)
                return

    def make_main(self, path):
        for length in range(len(path), 0, -1):
            self.to_front(path[:length], 10**6)

    def remove(self, path):
        self.order(path[:-1]).remove(path[-1])
        self.below = {key: v for key, v in self.below.items() if key[: len(path)] != path}

    def paths(self, path=()):
        yield path
        for move in self.below.get(path, ()):
            yield from self.paths((*path, move))


@st.composite
def edited_trees(draw):
    """A tree after random edits, and the model after the same ones."""
    env = make_game(draw(st.sampled_from(GAMES)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    record = GameRecord.from_env(play_at_random(env, draw(st.integers(1, 8)), rng))
    tree, model = GameTree(record), Model(record.moves)
    for kind in draw(st.lists(st.sampled_from("aaaapmrn"), max_size=14)):
        node, position = rng.choice(list(tree.positions()))
        path, legal = node.path, position.get_legal_moves()
        if kind == "a" and legal:
            move = rng.choice(legal)
            tree.add(path, move)
            if move not in model.order(path):
                model.order(path).append(move)
        elif kind == "p":
            tree.promote(path)
            model.promote(path)
        elif kind == "m":
            tree.make_main(path)
            model.make_main(path)
        elif kind == "r" and path and not node.played:
            tree.remove(path)
            model.remove(path)
        elif kind == "n":
            cells = env.rows * env.cols
            marks = [
                Mark(
                    shape,
                    rng.randrange(cells),
                    rng.randrange(cells) if shape in ("arrow", "line") else None,
                    "ä;=$" if shape == "label" else "",
                )
                for shape in rng.sample(SHAPES, 2)
            ]
            node.comment = draw(st.sampled_from(["", "Größe ♟ $(*:~!", "two\nlines", "100 %"]))
            node.note = Note(
                rng.choice(["", *GLYPHS]), rng.choice(["", *VERDICTS]), tuple(marks), by="ada"
            )
            if path:
                node.note = replace(node.note, time=rng.randrange(90) / 8, clock=7.5)
    return tree, model


def shape_of(tree):
    return [(n.path, n.comment, n.note, n.played) for n in tree.walk()]


@examples(60)
@given(edited_trees())
def test_edits_do_what_they_do_to_a_plain_model(case):
    tree, model = case
    assert [node.path for node in tree.walk()] == list(model.paths())
    assert tuple(node.move for node in tree.game) == model.game == tree.record().moves
    assert tree.root.path == ()
    tree.back_to_game()
    assert tuple(node.move for node in tree.main)[: len(model.game)] == model.game


@examples(60)
@given(edited_trees())
def test_a_tree_survives_record_file_page_and_copy(case):
    tree, _ = case
    record = tree.record()
    assert shape_of(GameTree(record)) == shape_of(tree)
    assert GameRecord.from_json(record.to_json()) == record
    assert shape_of(tree_from_json(json.loads(json.dumps(tree_to_json(tree))))) == shape_of(tree)
    copy = tree.copy()
    assert shape_of(copy) == shape_of(tree)
    copy.merge(tree)
    assert shape_of(copy) == shape_of(tree)


@examples(60)
@given(edited_trees())
def test_a_tree_survives_a_link_without_times_and_names(case):
    tree, _ = case
    text = link_text(tree)
    read = tree_from_link(replace(tree.about, result=None, moves=()), text)
    for node in tree.walk():
        node.note = replace(node.note, time=None, clock=None, by="")
    assert shape_of(read) == shape_of(tree)
    assert link_text(read) == text


@pytest.mark.parametrize("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_the_golden_trees_in_all_their_forms(case):
    tree = tree_from_json(case["tree"])
    assert tree_to_json(tree) == case["tree"]
    assert json.loads(tree.record().to_json()) == case["record"]
    assert link_text(tree) == case["link"]
    linked = tree_from_link(tree.record(), case["link"])
    assert [n.path for n in linked.walk()] == [n.path for n in tree.walk()]
    assert [n.played for n in linked.walk()] == [n.played for n in tree.walk()]
    assert [n.comment for n in linked.walk()] == [n.comment for n in tree.walk()]


@examples(40)
@given(edited_trees())
def test_a_tree_survives_sgf(case):
    record = case[0].record()
    if case[0].about.game.startswith(("gomoku", "reversi")):
        assert FORMATS["sgf"].loses([record]) == []
        assert read_sgf(write_sgf([record])) == [record]


def test_sgf_of_other_programs():
    text = (
        "(;GM[4]SZ[15]CR[zz]LB[aa:1];B[hh]TE[2]BL[60.5]OB[3];W[ig]DO[]GB[1]AR[aa:bb][cc]TR[ab][cd]"
        "(;B[ii]BM[1]WL[3])(;B[gg]UC[2]MA[ab:cd]))"
    )
    (record,) = read_sgf(text)
    rectangle = [row * 15 + col for row in (11, 12, 13) for col in (0, 1, 2)]
    crosses = tuple(Mark("cross", cell) for cell in rectangle)
    assert record.notes == {
        0: Note(marks=(Mark("label", 14 * 15, text="1"),)),
        1: Note("!!", clock=60.5),
        2: Note("?!", "+", (Mark("arrow", 210, 196), Mark("triangle", 195), Mark("triangle", 167))),
        3: Note("?"),
    }
    assert record.variations[0].notes == {1: Note(verdict="∞∞", marks=crosses)}
    with pytest.raises(RecordError, match="RLNOTE is not a note"):
        read_sgf("(;GM[4]SZ[15];B[hh]RLNOTE[{])")


def tree_of(game="tictactoe", text="b2a1c1"):
    return GameTree(GameRecord.from_env(from_transcript(game, text)))


def test_what_one_copy_deletes_stays_deleted_until_it_is_added_again():
    mine = tree_of()
    mine.add((4,), 8)
    theirs = mine.copy()
    mine.remove((4, 8))
    theirs.add((4, 8), 2)
    mine.merge(theirs)
    theirs.merge(mine)
    assert [n.path for n in mine.walk()] == [n.path for n in theirs.walk()]
    assert (4, 8) not in [n.path for n in mine.walk()]
    theirs.add((4,), 8)
    mine.merge(theirs)
    assert mine.at((4, 8)).path == (4, 8)
    with pytest.raises(RecordFieldError, match="different starts"):
        mine.merge(tree_of("connect-four", "44"))


def test_the_game_as_played_is_not_deleted_and_moves_on_only_when_played():
    tree = tree_of()
    with pytest.raises(ValueError, match="not deleted"):
        tree.remove((4, 0))
    with pytest.raises(ValueError, match="taken"):
        tree.add((4,), 4)
    tree.add((4,), 8, played=True, ahead=True)
    assert tree.record().moves == (4, 8)
    assert [v.moves for v in tree.record().variations] == [(0, 2)]


def test_notes_need_version_4_and_times_do_not():
    record = GameRecord("tictactoe", (4, 0), notes={1: Note(time=1.5, analysis={"value": 0})})
    assert json.loads(record.to_json())["version"] == 1
    assert record.headers == {"move times": "1.5 -"}
    assert record.analyses == ({"value": 0}, None)
    marked = replace(record, notes={2: Note("?!", marks=(Mark("arrow", 0, 8),))})
    fields = json.loads(marked.to_json())
    assert fields["version"] == 4
    assert fields["notes"] == {"2": {"glyph": "?!", "marks": [["arrow", "a1", "c3"]]}}
    with pytest.raises(RecordFieldError, match="unknown field 'notes'"):
        GameRecord.from_json(json.dumps({**fields, "version": 3}))
    with pytest.raises(RecordError, match=r"version 5; only versions 1, 2, 3 (and|or) 4"):
        GameRecord.from_json(json.dumps({**fields, "version": 5}))


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ({"glyph": "!!!"}, r"notes.1.glyph: this is one of ! \?"),
        ({"verdict": "x"}, "notes.1.verdict: this is one of ="),
        ({"clock": -1}, "notes.1.clock: this is a number of seconds"),
        ({"time": True}, "notes.1.time: this is a number of seconds"),
        ({"by": 3}, "notes.1.by: this must be text"),
        ({"review": []}, "notes.1.review: this is an object"),
        ({"marks": [["star", "a1"]]}, r"notes.1.marks\[0\]: a mark looks like"),
        ({"marks": [["circle", "d1"]]}, r"notes.1.marks\[0\]: .*off the 3×3 board"),
        ({"marks": [["label", "a1", ""]]}, r"notes.1.marks\[0\]: a label is a line"),
        ({"marks": {}}, "notes.1.marks: this must be a list"),
        ({"colour": "red"}, "notes.1: unknown field 'colour'"),
    ],
)
def test_wrong_notes_are_refused_with_their_place(note, message):
    fields = {"version": 4, "game": "tictactoe", "moves": ["b2"], "result": None}
    with pytest.raises(RecordError, match=f"^{message}"):
        GameRecord.from_json(json.dumps({**fields, "notes": {"1": note}}))


@pytest.mark.parametrize(
    "text",
    ["", "1~z", "1~4(", "1~4)", "1~44", "1~4*z", "1~4:q1;", "1~4$a", "1~4$%ff$", "1~(0)0", "3~0"],
)
def test_broken_links_are_refused(text):
    with pytest.raises(RecordError):
        tree_from_link(GameRecord("tictactoe"), text)


def test_a_link_that_is_too_long_says_so():
    tree = tree_of()
    tree.root.comment = "x" * LONGEST_LINK
    with pytest.raises(RecordError, match=r"too long for a link: 6,0.. characters"):
        link_text(tree)
