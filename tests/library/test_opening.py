"""Opening a file: new, older, newer, damaged, somebody else's, read-only, of another program."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rl_toolkit.library import (
    DamagedLibraryError,
    Database,
    Filter,
    Library,
    LibraryError,
    NewerLibraryError,
    Pattern,
    rescue,
    schema,
)
from rl_toolkit.library.database import LIBRARY_VARIABLE, library_file
from rl_toolkit.library.positions.searching import Searcher
from rl_toolkit.puzzles import Attempt, PuzzleStore, shipped
from rl_toolkit.records import GameRecord, read_games
from rl_toolkit.utils.installation import STATE_VARIABLE

GAME = GameRecord("tictactoe", (4, 0, 8), players=("Ada", "Max"))
#: Libraries of older versions as text: files of every version stay readable.
VERSION_1 = Path(__file__).with_name("version_1.sql")
VERSION_2 = Path(__file__).with_name("version_2.sql")
#: What the program of version 2 exported from that one: packs of three games, one of them removed.
EXPORT_2 = Path(__file__).with_name("version_2.jsonl")


def with_games(path: Path, count: int = 3) -> Path:
    games = [
        GameRecord("tictactoe", (k % 9,), headers={"round": os.urandom(50).hex()})
        for k in range(count)
    ]
    with Library(path) as library:
        library.add_run(games, "some games")
    return path


def test_the_file_is_where_the_user_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    assert library_file() == tmp_path / "state" / "library.db"
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "deep" / "own.db"))
    with Library() as library:
        library.add(GAME)
    assert (tmp_path / "deep" / "own.db").is_file()


def test_a_new_file_says_what_it_is(tmp_path: Path) -> None:
    path = with_games(tmp_path / "a.db")
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone() == (schema.APPLICATION,)
    assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA page_size").fetchone() == (schema.PAGE,)
    connection.close()


def test_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = with_games(tmp_path / "a.db")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NewerLibraryError, match="newer version of rl_toolkit"):
        Library(path)
    assert path.read_bytes() == before


def test_an_older_file_is_copied_and_then_migrated(tmp_path: Path) -> None:
    path = with_games(tmp_path / "a.db")

    def add_column(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE game ADD COLUMN mood TEXT")

    database = Database(path, migrations=[*schema.MIGRATIONS, add_column])
    assert database.execute("SELECT mood FROM game") == [(None,)] * 3
    assert database.one("PRAGMA user_version") == (schema.VERSION + 1,)
    assert f"a copy is in a.db.version-{schema.VERSION}" in database.remark
    database.close()
    (copy,) = tmp_path.glob(f"a.db.version-{schema.VERSION}-*")
    with Library(copy) as library:
        assert len(library) == 3


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = with_games(tmp_path / "a.db")

    def break_off(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM game")
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        Database(path, migrations=[*schema.MIGRATIONS, break_off])
    with Library(path) as library:
        assert len(library) == 3


def test_a_library_of_version_1_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1.read_text())
    connection.close()
    with Library(path) as library:
        assert library.record(1) == GameRecord(
            "reversi-8",
            (19, 18, 17),
            players=("Ada", "hard"),
            headers={"event": "Cup", "date": "2001", "round": "2"},
            comments={1: "well"},
        )
        assert library.head(1).tags == ("old",)
        assert library.explore("reversi").games == 1
        assert not library.check().problems


def of_version_2(path: Path) -> tuple[Path, list[GameRecord]]:
    """A library of version 2 and its games."""
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_2.read_text())
    connection.close()
    return path, read_games(EXPORT_2)


def having_a_pattern(library: Library, *, plainly: bool = False) -> list[int]:
    searcher = Searcher(library._database, plainly=plainly)
    return searcher.matching(Pattern.read("reversi-4", "x*/?x"))[0].tolist()


def test_a_library_of_version_2_exports_the_same_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rl_toolkit.library.positions.packs.GAMES", 3)
    path, games = of_version_2(tmp_path / "old.db")
    with Library(path) as library:
        (copy,) = tmp_path.glob("old.db.version-2-*")
        assert f"brought to version {schema.VERSION}; a copy is in {copy.name}" in library.remark
        ids = sorted(library.ids())
        assert list(library.records(ids)) == games
        assert library.add_run([g for g in games if g.game == "reversi-4"], "again") == 8
        assert library.head(1).tags == ("old",)
        assert library.explore("reversi-4").games == 16
        assert having_a_pattern(library) == having_a_pattern(library, plainly=True) != []
        sizes = library._database.execute("SELECT DISTINCT length(heads) FROM pack ORDER BY 1")
        assert sizes == [(15,), (27,)]  # of the new packs and of the old ones
        assert not library.check().problems
        library.remove([1, ids[-1] + 1])
        assert library.explore("reversi-4").games == 14
        assert not library.check().problems


def test_a_library_of_version_2_that_may_not_be_changed_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, games = of_version_2(tmp_path / "old.db")
    before = path.read_bytes()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with Library(path) as library:
        assert library.read_only
        assert list(library.records(sorted(library.ids()))) == games
    assert path.read_bytes() == before


#: Opens a library, whose tables are made anew, and says so in between.
LIFTER = """
import sys
from pathlib import Path
from rl_toolkit.library import Database, schema
def slowly(connection):
    connection.execute("UPDATE score SET extra = NULL")
    print("half", flush=True)
    connection.execute("DELETE FROM pack")
    sys.stdin.read()
Database(Path(sys.argv[1]), migrations=[*schema.MIGRATIONS, slowly])
"""


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="a process cannot be killed so there")
def test_a_migration_that_is_killed_changes_nothing(tmp_path: Path) -> None:
    path, games = of_version_2(tmp_path / "old.db")
    words = [sys.executable, "-c", LIFTER, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as lifter:
        assert lifter.stdout is not None
        assert lifter.stdout.readline() == b"half\n"
        lifter.kill()
    with Library(path) as library:
        assert list(library.records(sorted(library.ids()))) == games
        assert having_a_pattern(library) == having_a_pattern(library, plainly=True) != []
        assert not library.check().problems


@pytest.mark.parametrize("content", [b"PK not a database", b"{}", b"SQLite format 3\0 cut"])
def test_another_file_is_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "thesis.doc"
    path.write_bytes(content)
    with pytest.raises(LibraryError):
        Library(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE note (text TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(LibraryError, match="another program"):
        Library(path)


def test_a_folder_is_not_a_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="cannot be opened"):
        Library(tmp_path)


def test_somebody_elses_file_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = with_games(tmp_path / "a.db")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with Library(path) as library:
        assert library.read_only
        assert "somebody else" in library.remark
        assert len(library) == 3
        assert library.search().total == 3
        for change in (
            lambda: library.add(GAME),
            lambda: library.remove([1]),
            lambda: library.tag([1], "mine"),
        ):
            with pytest.raises(LibraryError, match="read-only"):
                change()


def test_a_missing_file_is_not_made_to_be_read(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="there is no library"):
        Library(tmp_path / "no.db", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_read_only_without_a_place_for_shared_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in WAL mode on a disk that cannot be written: SQLite has to be told so."""
    path = with_games(tmp_path / "a.db")
    first = Database._connect
    tried = []

    def connect(self: Database) -> sqlite3.Connection:
        tried.append(self._immutable)
        if not self._immutable:
            raise sqlite3.OperationalError("unable to open database file")
        return first(self)

    monkeypatch.setattr(Database, "_connect", connect)
    with Library(path, read_only=True) as library:
        assert len(library) == 3
    assert tried == [False, True]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no process can have another user here")
@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_library_in_a_folder_where_nothing_can_be_written_is_read(mode: str) -> None:
    with TemporaryDirectory() as name:  # another user does not get into the folders of pytest
        folder = Path(name)
        path = with_games(folder / "a.db")
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.close()
        folder.chmod(0o555)

        assert asked_by_somebody_else(path) == "(3, 3, 1) True []\n"
        assert [each.name for each in folder.iterdir()] == ["a.db"]


#: Asks as root first, which loads all that another user may not be able to read.
ASKING = """
import os, sys
from pathlib import Path
from rl_toolkit.library import Library
from rl_toolkit.puzzles import PuzzleStore

def ask(path):
    with Library(path) as library, PuzzleStore(path) as store:
        found = len(library), library.search().total, len(library.record(1).moves)
        return f"{found} {library.read_only} {store.attempts()}"

if os.geteuid() == 0:
    ask(Path(sys.argv[2]))
    os.setgid(65534)
    os.setuid(65534)
print(ask(Path(sys.argv[1])))
"""


def asked_by_somebody_else(path: Path) -> str:
    """What a process of a user who is not root says of a library."""
    with TemporaryDirectory() as name:
        other = with_games(Path(name) / "b.db")
        command = [sys.executable, "-c", ASKING, str(path), str(other)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.stdout + answer.stderr


def test_a_reader_leaves_nothing_beside_somebody_elses_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_games(tmp_path / "a.db")

    reader = of_somebody_else(path, monkeypatch)
    assert reader.explore("tictactoe").games == 3
    assert list(tmp_path.iterdir()) == [path]
    with Library(path) as owner:  # it sees what the owner does meanwhile
        owner.add(GAME)
        assert reader.explore("tictactoe").games == len(reader) == 4
    assert reader.explore("tictactoe").games == 4
    assert not reader.check().problems


def of_somebody_else(path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 12345)
        return Library(path)


def test_a_library_that_its_owner_moves_away_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_games(tmp_path / "a.db")
    reader = of_somebody_else(path, monkeypatch)
    assert len(reader) == 3
    path.rename(tmp_path / "b.db")
    with pytest.raises(LibraryError, match="cannot be opened"):
        len(reader)
    with ThreadPoolExecutor(1) as another, pytest.raises(LibraryError, match="cannot be opened"):
        another.submit(len, reader).result()
    (tmp_path / "b.db").rename(path)
    reader.close()
    with Library(path) as owner:
        assert owner.add(GAME) == 4


def test_a_disk_without_shared_memory_gets_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Network drives do not allow WAL: the journal mode that SQLite answers decides."""
    connect = sqlite3.connect

    class Refusing(sqlite3.Connection):
        def execute(self, statement: str, *more: object) -> sqlite3.Cursor:
            if statement == "PRAGMA journal_mode = WAL":
                statement = "PRAGMA journal_mode = DELETE"
            return super().execute(statement, *more)

    monkeypatch.setattr(
        sqlite3, "connect", lambda *args, **more: connect(*args, **more, factory=Refusing)
    )
    with Library(tmp_path / "a.db") as library:
        assert "network drive" in library.remark
        number = library.add(GAME)
        assert library.record(number) == GAME


def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    path = with_games(tmp_path / "a.db")
    with Library(path) as library:
        pages = library._database.one("PRAGMA page_count")
        assert pages is not None
        library._database.execute(f"PRAGMA max_page_count = {pages[0]}")
        big = GameRecord("tictactoe", (4,), comments={1: os.urandom(200_000).hex()})
        with pytest.raises(LibraryError, match="the disk is full"):
            library.add(big)
        assert len(library) == 3
        assert not library.check().problems


def damage(path: Path) -> None:
    """Overwrite every other page after the tables were made, as a bad disk might."""
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // schema.PAGE, 2):
        data[page * schema.PAGE : (page + 1) * schema.PAGE] = b"\xa5" * schema.PAGE
    path.write_bytes(data)


def test_a_damaged_file_is_set_aside_and_what_can_be_read_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with_games(path, 400)
    damage(path)
    with pytest.raises(DamagedLibraryError, match="check --repair"), Library(path) as library:
        list(library.records(range(1, 401)))
    saved = rescue(path)
    with Library(path) as library:  # a new one, with what could be read
        assert len(library) == saved.games
        assert not library.check().problems
    assert saved.aside.exists()
    assert saved.games + saved.lost <= 400
    if saved.saved is not None:
        assert len(read_games(saved.saved)) == saved.games


def test_games_of_a_file_with_one_bad_page_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Library(path) as library:
        mine = library.add(
            GameRecord("tictactoe", (4, 0, 8), ("human", "hard")),
            event="an evening",
            origin="play",
            engines=(False, True),
        )
        library.annotate(mine, library.record(mine), accuracy=(87.5, None))
        with_games(path, 400)
        library.tag([mine, 2, 401], "endgame", "to show")
        before = library.head(mine)
    connection = sqlite3.connect(path)
    (page,) = (
        connection.execute(
            "SELECT max(pageno) FROM dbstat WHERE name = 'score' AND pagetype = 'leaf'"
        ).fetchone()
        if _has_dbstat(connection)
        else (None,)
    )
    connection.close()
    if page is None:
        pytest.skip("this SQLite cannot say which pages a table has")
    data = bytearray(path.read_bytes())
    data[(page - 1) * schema.PAGE : page * schema.PAGE] = b"\xa5" * schema.PAGE
    path.write_bytes(data)
    saved = rescue(path)
    assert saved.games > 0
    assert saved.lost > 0
    assert saved.games + saved.lost == 401
    with Library(path) as library:
        assert library.check().problems == []
        assert library.search().total == saved.games
        tagged = library.ids(Filter(tag="to show"))
        assert tagged == library.ids(Filter(tag="endgame"))
        (again,) = library.ids(Filter(mine=True))
        assert library.head(again) == replace(before, id=again)
        assert again in tagged
        assert len(tagged) >= 2


def test_attempts_and_own_puzzles_outlive_a_bad_page(tmp_path: Path) -> None:
    path = with_games(tmp_path / "a.db", 3)
    mine = shipped("tictactoe")[0]
    with PuzzleStore(path) as store:
        tried = [Attempt(mine.name, mine.kind, mine.rating, k, k % 2 == 0) for k in range(600)]
        store.add(tried)
        store.keep([mine], 5.0)
    connection = sqlite3.connect(path)
    (root,) = connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'attempt'"
    ).fetchone()
    connection.close()
    data = bytearray(path.read_bytes())
    # A page of the table is one to which its root points: the second of them.
    at = (root - 1) * schema.PAGE
    cell = int.from_bytes(data[at + 14 : at + 16], "big")
    page = int.from_bytes(data[at + cell : at + cell + 4], "big")
    data[(page - 1) * schema.PAGE : page * schema.PAGE] = b"\xa5" * schema.PAGE
    path.write_bytes(data)
    saved = rescue(path)
    assert saved.games == 3
    assert 300 < saved.attempts < 600
    with PuzzleStore(path) as store:
        assert list(store.puzzles()) == [mine.name]
        assert len(store.attempts()) == saved.attempts
        assert set(store.attempts()) < set(tried)
        assert tried[0] in store.attempts()
        assert tried[-1] in store.attempts()


def _has_dbstat(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1 FROM dbstat LIMIT 1")
    except sqlite3.OperationalError:
        return False
    return True


def test_lists_that_do_not_agree_with_the_games_are_made_anew(tmp_path: Path) -> None:
    path = with_games(tmp_path / "a.db")
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM loose WHERE game = 2")
    connection.commit()
    connection.close()
    with Library(path) as library:
        assert library.explore("tictactoe").games == 2
        assert library.check().problems == ["1 game of tictactoe cannot be searched"]
        assert library.check(repair=True).repaired
        assert library.explore("tictactoe").games == 3
        assert not library.check().problems


def test_a_changed_move_is_found(tmp_path: Path) -> None:
    path = with_games(tmp_path / "a.db")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE score SET moves = x'0000' WHERE game = 2")
    connection.execute("UPDATE score SET moves = x'04' WHERE game = 3")
    connection.commit()
    connection.close()
    with Library(path) as library:
        problems = library.check().problems
    assert "game 2 has an illegal move, 2" in problems
    assert "game 3 has other moves than when it was saved" in problems


def test_two_programs_and_several_threads_see_each_others_games(tmp_path: Path) -> None:
    from threading import Thread

    path = with_games(tmp_path / "a.db")
    with Library(path) as one, Library(path) as other:
        assert one.explore("tictactoe").games == other.explore("tictactoe").games == 3
        number = other.add(GAME)
        assert one.explore("tictactoe").games == 4
        assert one.record(number) == GAME
        seen: list[int] = []
        threads = [
            Thread(target=lambda: seen.append(one.explore("tictactoe").games)) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [4, 4, 4]
        one.remove([number])
        assert other.explore("tictactoe").games == 3
