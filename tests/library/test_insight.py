"""How somebody plays: results, accuracy over time, kinds of mistakes, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from rl_toolkit.library import Filter, Library, LibraryError
from rl_toolkit.records import GameRecord
from rl_toolkit.records.tree import Note

ROW = (0, 3, 1, 4, 2)  # X wins with the first row
MIRROR = (2, 5, 1, 4, 0)  # the same, seen in a mirror
LESSON = "Missed a win in one move"


def played(moves: tuple[int, ...], o: bool = False, **more: object) -> GameRecord:
    names = ("hard", "You") if o else ("You", "hard")
    return GameRecord("tictactoe", moves, names, 1, **more)  # type: ignore[arg-type]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library.db")


def add(library: Library, record: GameRecord, o: bool = False, **more: object) -> int:
    return library.add(record, origin="play", engines=(o, not o), **more)  # type: ignore[arg-type]


def test_results_are_those_of_the_person(library: Library) -> None:
    with library:
        for _ in range(3):
            add(library, played(ROW))
        add(library, played(MIRROR))
        add(library, played(ROW, o=True), o=True)
        add(library, GameRecord("tictactoe", (4,), ("You", "easy")))  # undecided
        library.add(played(ROW), origin="match", engines=(True, True))  # not played here
        library.add(played(ROW), origin="play")  # two people
        library.add(GameRecord("connect-four", (3,), ("Ada", "Max")))
        seen = library.insight()
        assert seen.games == 6
        assert seen.total is not None
        assert (seen.total.won, seen.total.drawn, seen.total.lost) == (4, 0, 1)
        low, high = seen.total.interval
        assert low < seen.total.score == 0.8 < high
        tables = {
            name: [(row.name, row.games) for row in rows] for name, rows in seen.tables.items()
        }
        assert tables["opponent"] == [("hard", 5)]
        assert tables["side"] == [("X", 4), ("O", 1)]
        assert tables["opening"] == [("a1 a2", 5)]  # a mirror image is the same opening
        assert tables["length"] == [("5 moves", 5)]
        assert seen.reviewed == 0
        assert seen.accuracy == seen.mistakes == ()
        ada = library.insight(Filter(player="ada"))
        assert (ada.games, ada.total) == (1, None)
        assert library.insight(Filter(game="connect-four")).games == 0
        assert set(seen.plots()) == {"opponent", "side", "opening", "length"}
        assert "<svg" in seen.plots()["side"].to_svg()


def test_accuracy_is_in_order_and_its_interval_has_the_mean(library: Library) -> None:
    with library:
        for k in range(25):
            day = {"date": f"2026-{12 - k // 3:02}-01"}  # saved in the wrong order
            share = 0.5 + k / 100
            add(library, played(ROW, headers=day), accuracy=(share, 0.1))
        points = library.insight().accuracy
        assert [point.games for point in points] == [13, 12]
        assert points[0].first == "2026-04-01"
        assert points[0].mean > points[1].mean
        for point in points:
            assert point.interval[0] < point.mean < point.interval[1]
        assert points[0].mean == pytest.approx(sum(0.5 + k / 100 for k in range(12, 25)) / 13)


def test_only_ones_own_mistakes_are_counted(library: Library) -> None:
    def note(judgement: str, lesson: str = "") -> Note:
        return Note(review={"judgement": judgement, **({"lesson": lesson} if lesson else {})})

    notes = {
        1: note("mistake", LESSON),
        2: note("blunder", LESSON),
        3: note("good"),
        5: note("blunder"),
    }
    with library:
        number = add(library, played(ROW))
        library.annotate(number, played(ROW, notes=notes), accuracy=(0.75, 0.5))
        assert library.record(number).notes[1].review == {"judgement": "mistake", "lesson": LESSON}
        seen = library.insight()
        assert seen.mistakes == ((LESSON, 1),)
        assert ">0.5<" not in seen.plots()["mistakes"].to_svg()  # mistakes are counted
        assert dict(seen.marks) == {"inaccuracy": 0, "mistake": 1, "blunder": 1}
        assert (seen.reviewed, seen.accuracy[0].mean) == (1, 0.75)
        with pytest.raises(LibraryError, match="has other moves"):
            library.annotate(number, played(MIRROR))
        with pytest.raises(LibraryError, match="no game 9"):
            library.annotate(9, played(ROW))
        assert not library.check().problems
