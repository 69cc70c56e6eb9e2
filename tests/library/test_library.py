"""Games go into a library and come out unchanged; tags, removal, filters, kinds of games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from breakthrough_game import Breakthrough
from library_games import random_records

import rl_toolkit as rlt
from rl_toolkit.envs import Position, make_game, register_game, registry
from rl_toolkit.library import Filter, Library, LibraryError, Pattern
from rl_toolkit.records import GameRecord, Variation
from rl_toolkit.records.tree import Note


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library.db") as made:
        yield made


RICH = GameRecord(
    "tictactoe",
    (4, 0, 8),
    players=("Ada", "Märta"),
    result=1,
    ended_by="resignation",
    headers={"event": "Cup", "date": "2001-05-03", "round": "3", "black rating": "1650"},
    analyses=[None, {"value": 0.5}, None],
    comments={0: "begin", 2: "hm"},
    variations=[Variation(1, [2, 6], comments={1: "better"})],
    opening=1,
    notes={3: Note(glyph="!")},
)


@pytest.mark.parametrize(
    "record",
    [
        RICH,
        GameRecord("tictactoe"),
        GameRecord("tictactoe", (0,), headers={"event": "", "date": ""}),
        GameRecord("connect-four", (3, 3, 2), start="", opening=2),
        GameRecord("tictactoe", (2,), start="1x1/1o1/3 x", comments={1: "from a position"}),
        GameRecord("tictactoe", (2,), start="3/1x1/3 o", headers={"date": "long ago"}),
        GameRecord("gomoku-16", (255, 0, 254), players=("a", "b")),
        *random_records("reversi-6", 3, 1),
    ],
)
def test_a_game_comes_out_as_it_went_in(library: Library, record: GameRecord) -> None:
    number = library.add(record)
    assert library.record(number) == record
    head = library.head(number)
    assert (head.players, head.plies, head.result) == (
        tuple(record.players),
        len(record.moves),
        record.result,
    )
    assert not library.check().problems


def test_a_head_says_what_a_list_shows(library: Library) -> None:
    number = library.add(
        RICH,
        event="not used",
        origin="play",
        engines=(False, True),
        specs=("", "minimax:depth=2"),
        accuracy=(0.9, None),
        tags=["nice", "club"],
    )
    head = library.head(number)
    assert (head.event, head.date, head.origin) == ("Cup", "2001-05-03", "play")
    assert (head.ratings, head.accuracy) == ((1650, None), (0.9, None))
    assert (head.engines, head.tags) == ((False, True), ("club", "nice"))
    assert library.ids(Filter(engine="minimax:depth=2")) == [number]
    assert library.ids(Filter(engine="Märta")) == [number]
    assert library.ids(Filter(engine="Ada")) == []
    assert library.ids(Filter(mine=True)) == [number]
    assert library.ids(Filter(event="cu", since="2001-05", until="2001-05")) == [number]
    assert library.ids(Filter(until="2000")) == library.ids(Filter(origin="match")) == []


def test_tags_are_given_and_taken(library: Library) -> None:
    one, two = (library.add(GameRecord("tictactoe", (k,))) for k in (0, 4))
    library.tag([one, two], "blunder")
    library.tag([one], "blunder", "my best")
    library.untag([two], "blunder")
    assert library.ids(Filter(tag="blunder")) == library.ids(Filter(tag="my best")) == [one]
    with pytest.raises(LibraryError, match="there is no game 77"):
        library.tag([two, 77], "half")
    assert library.ids(Filter(tag="half")) == []  # all or nothing
    with pytest.raises(LibraryError, match="without a comma"):
        library.tag([one], "a,b")
    library.remove([one])
    assert library.ids(Filter(tag="blunder")) == []


def test_a_number_is_never_given_twice(library: Library) -> None:
    first = library.add(GameRecord("tictactoe", (0,)))
    library.remove([first])
    assert library.add(GameRecord("tictactoe", (0,))) > first
    with pytest.raises(LibraryError, match=f"there is no game {first}"):
        library.record(first)


def test_a_run_is_saved_once_however_often_it_is_offered(library: Library) -> None:
    games = [GameRecord("tictactoe", (4, 0)), GameRecord("tictactoe", (4, 0))]
    more = [*games, GameRecord("tictactoe", (4, 0)), GameRecord("tictactoe", (0,))]
    assert library.add_run(games, "match") == 2  # engines may repeat themselves
    assert library.add_run(games, "match") == 0
    assert library.add_run(more, "match") == 2
    assert library.add_run(games, "another match") == 2


def test_twins_are_games_in_other_orientations(library: Library) -> None:
    corners = [library.add(GameRecord("tictactoe", moves)) for moves in ((0, 4, 1), (8, 4, 5))]
    other = library.add(GameRecord("tictactoe", (0, 4, 8)))
    assert library.twins(corners[0]) == corners[1:]
    assert library.twins(other) == []


def test_pages_of_results(library: Library) -> None:
    for k in range(7):
        library.add(GameRecord("tictactoe", (k,)))
    page = library.search(limit=3, skip=3)
    assert ([head.id for head in page.heads], page.total) == ([4, 3, 2], 7)
    start = Position("tictactoe")
    page = library.search(position=start, limit=3, skip=6)
    assert ([head.id for head in page.heads], page.plies, page.total) == ([1], (0,), 7)
    pattern = Pattern.read("tictactoe", "?x")
    with pytest.raises(LibraryError, match="not for both"):
        library.search(position=start, pattern=pattern)
    assert library.search(pattern=pattern).total == 3  # b3, a2 and c2; the seventh game is a1


def test_wrong_filters_are_refused_with_a_sentence() -> None:
    for fields, words in (
        ({"result": "x won"}, "a result is x, o"),
        ({"side": "x"}, "name one"),
        ({"result": "won"}, "name one"),
        ({"player": "a", "side": "black"}, "a side is x or o"),
    ):
        with pytest.raises(LibraryError, match=words):
            Filter(**fields)


def test_the_library_is_one_of_the_names_of_the_toolkit(tmp_path: Path) -> None:
    with rlt.Library(tmp_path / "a.db") as library:
        assert len(library) == 0
        library.add(GameRecord("reversi", (19,)))
        (kind,) = library.stats()
        assert (kind.game, kind.games, kind.plies) == ("reversi-8", 1, 1.0)
        assert library.events() == [("", "python", 1)]


@pytest.fixture
def moving_game(monkeypatch: pytest.MonkeyPatch) -> str:
    """A game whose pieces move."""
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Breakthrough)
    return str(Breakthrough().name)


def test_games_whose_pieces_move_are_searched_too(library: Library, moving_game: str) -> None:
    records = random_records(moving_game, 12, 2)
    ids = [library.add(record) for record in records]
    assert library._database.one("SELECT count(*) FROM pack") == (0,)
    asked = list(records[0].positions())
    for ply in (0, 1, 2, len(records[0].moves)):
        env = asked[ply]
        want = [
            number
            for number, record in zip(ids, records, strict=True)
            if any(p.get_state_hash() == env.get_state_hash() for p in record.positions())
        ]
        found = library.search(position=env, limit=99)
        assert {head.id for head in found.heads} >= set(want)
        explored = library.explore(env)
        assert explored.games == found.total
        assert sum(move.games for move in explored.moves) + explored.ended == found.total
    cells = (1, *[2] * (len(make_game(moving_game).board) - 1))
    with pytest.raises(LibraryError, match="move"):
        library.search(pattern=Pattern(moving_game, cells))
    assert library.remove(ids[:3]) == 3
    assert library._database.one("SELECT count(DISTINCT game) FROM position") == (9,)
    assert not library.check().problems


def test_a_date_is_found_in_whatever_way_it_is_written(library: Library) -> None:
    dates = ["2001.01.01", "2001/1/20", "2001-01-05,06", "2001.01.31_18:30:00.EST", "2001-01"]
    others = ["2001", "2001-02-01", "2000.12.31", "last May", "20010105", "2001-01-32", ""]
    for k, text in enumerate([*dates, *others]):
        library.add(GameRecord("tictactoe", (k % 9,), headers={"date": text, "round": str(k)}))
    month = Filter(since="2001-01", until="2001-01")
    assert sorted(library.ids(month)) == [1, 2, 3, 4, 5]
    assert library.explore("tictactoe", where=month).games == 5
    assert sorted(library.ids(Filter(since="2001-01-20", until="2001-01-31"))) == [2, 4]
    assert sorted(library.ids(Filter(until="2000"))) == [8]  # no game without a date
    assert sorted(library.ids(Filter(since="1900"))) == list(range(1, 9))
    assert library.record(4).headers["date"] == "2001.01.31_18:30:00.EST"
