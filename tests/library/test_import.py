"""Import: as the usual readers read it, nothing twice, bad games named, and resumable."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from library_games import random_records

from rl_toolkit.arena import Match, play_match
from rl_toolkit.envs import make_game
from rl_toolkit.library import Filter, Library, LibraryError, importing
from rl_toolkit.records import GameRecord, read_games, write_games
from rl_toolkit.records.bulk import raw_games

Files = dict[str, list[GameRecord]]


def wthor_by_hand(games: list[list[int]], discs: list[int], year: int = 1999) -> dict[str, bytes]:
    """A WTHOR database as its public description has it, written without the toolkit's writer."""
    head = struct.pack("<BBBBIHHBBBB", 20, 1, 2, 3, len(games), 0, year, 8, 0, 0, 0)
    body = b""
    for number, (moves, score) in enumerate(zip(games, discs, strict=True)):
        squares = bytes(10 * (m // 8 + 1) + m % 8 + 1 for m in moves if m != 64)
        body += struct.pack("<HHHBB", 1, 1 + number % 2, 2 - number % 2, score, score)
        body += squares.ljust(60, b"\0")
    players = struct.pack("<BBBBIHHBBBB", 20, 1, 2, 3, 0, 3, 0, 0, 0, 0, 0)
    players += b"".join(name.ljust(20, b"\0") for name in (b"??", b"Ada", b"Tam\xe9s"))
    cups = struct.pack("<BBBBIHHBBBB", 20, 1, 2, 3, 0, 2, 0, 0, 0, 0, 0)
    cups += b"".join(name.ljust(26, b"\0") for name in (b"??", b"Prague open"))
    return {".wtb": head + body, ".jou": players, ".trn": cups}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with games in every format, some of them cut off, commented, from positions."""
    folder = tmp_path_factory.mktemp("files")
    reversi = random_records("reversi-8", 8, 1, finished=0.7)
    gomoku = random_records("gomoku-9", 4, 2) + random_records("gomoku-15", 2, 3, finished=0)
    decided = [game for game in reversi if game.result is not None]
    rich = GameRecord("reversi-8", (19, 18), comments={1: "hm"}, headers={"event": "Cup"})
    write_games(folder / "reversi.sgf", [*reversi, rich])
    write_games(folder / "gomoku.sgf", gomoku)
    write_games(folder / "reversi.ggf", reversi)
    write_games(folder / "decided.wtb", decided)
    write_games(folder / "one.psq", gomoku[:1])
    write_games(folder / "one.json", [rich])
    start = GameRecord("tictactoe", (2,), start="1x1/1o1/3 x")
    write_games(folder / "mixed.jsonl", [*reversi[:3], *gomoku, rich, start])
    play_match(Match("tictactoe", ("random", "greedy"), 4), save=folder / "match.jsonl")
    for suffix, data in wthor_by_hand(
        [list(game.moves) for game in reversi], [40] * len(reversi)
    ).items():
        (folder / f"hand{suffix}").write_bytes(data)
    return folder


def test_the_bulk_path_saves_what_the_usual_readers_read(files: Path, tmp_path: Path) -> None:
    names = sorted(path for path in files.iterdir() if path.suffix not in (".jou", ".trn"))
    assert len(names) == 9
    for path in names:
        with Library(tmp_path / f"{path.name}.db") as library:
            report = library.import_files([path])
            assert not report.refused
            want = read_games(path)
            assert list(library.records(sorted(library.ids()))) == want, path.name
            assert report.added == len(want)
            assert not library.check().problems


def test_most_games_take_the_fast_way(files: Path) -> None:
    """Else the test above would compare the usual reader with itself."""
    fast = {}
    for path in files.iterdir():
        if path.suffix in (".sgf", ".wtb", ".jsonl"):
            games = list(
                raw_games(
                    path.read_bytes(),
                    suffix=path.suffix,
                    beside=lambda suffix, path=path: _content(path.with_suffix(suffix)),
                )
            )
            fast[path.name] = sum(bool(raw.game) for raw in games) / len(games)
    assert fast["hand.wtb"] == fast["decided.wtb"] == fast["match.jsonl"] == 1
    assert min(fast.values()) > 0.5


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def test_names_of_a_wthor_archive_are_read(files: Path, tmp_path: Path) -> None:
    with Library(tmp_path / "a.db") as library:
        library.import_files([files / "hand.wtb"])
        head = library.head(1)
        assert (head.players, head.event, head.date) == (("Ada", "Tamés"), "Prague open", "1999")
        assert library.ids(Filter(event="prague", since="1999", until="1999", player="tamés"))


def test_a_folder_is_imported_and_nothing_twice(files: Path, tmp_path: Path) -> None:
    with Library(tmp_path / "a.db") as library:
        first = library.import_files([files])
        assert first.files == 9
        again = library.import_files([files, files / "hand.wtb"])
        assert (again.added, again.files, again.known) == (0, 0, 10)
        assert len(library) == first.added


def test_a_file_that_has_grown_adds_only_what_is_new(tmp_path: Path) -> None:
    games = random_records("tictactoe", 10, 3)
    path = tmp_path / "games.jsonl"
    with Library(tmp_path / "a.db") as library:
        write_games(path, [*games[:6], games[0]])  # one game twice: both are games
        assert library.import_files([path]).added == 7
        write_games(path, [*games, games[0]])
        report = library.import_files([path])
        assert (report.added, report.there) == (4, 7)
        mirrored = [
            GameRecord("tictactoe", [8 - move for move in game.moves], players=game.players,
                       result=game.result, ended_by=game.ended_by, headers=game.headers)
            for game in games[:2]
        ]  # fmt: skip
        write_games(tmp_path / "other.jsonl", mirrored)
        report = library.import_files([tmp_path / "other.jsonl"])
        assert (report.added, report.there, report.twins) == (2, 0, 2)  # another event: shown


def test_bad_games_are_named_and_the_others_saved(tmp_path: Path) -> None:
    good = random_records("reversi-8", 3, 5, finished=1)
    hand = wthor_by_hand([list(game.moves) for game in good], [40, 40, 40])
    data = bytearray(hand[".wtb"])
    data[16 + 68 + 8 + 4] = 99  # no square
    data[16 + 2 * 68 + 8 + 1] = data[16 + 2 * 68 + 8]  # the same square again
    (tmp_path / "bad.wtb").write_bytes(data)
    texts = [
        "(;GM[2]SZ[8];B[dc];W[cc])",
        "(;GM[2]SZ[8];B[aa])",
        "(;GM[2]SZ[8]RE[W+R];B[dc])",
        "(;GM[2]SZ[8]RE[what];B[dc])",
        "(;GM[1];B[dc])",
    ]
    (tmp_path / "bad.sgf").write_text("\n".join(texts))
    lines = ['{"version": 1, "game": "tictactoe", "moves": ["b2"], "result": null}']
    lines += [lines[0].replace("null", '"x"'), "{]", lines[0].replace("b2", "b9"), lines[0]]
    (tmp_path / "bad.jsonl").write_text("\n".join(lines))
    (tmp_path / "broken.sgf").write_text("(;GM[2];B[dc]")
    (tmp_path / "empty.json").write_text("")
    with Library(tmp_path / "a.db") as library:
        report = library.import_files([tmp_path])
        refused = {(each.file, each.number): each.reason for each in report.refused}
        assert set(refused) == {
            *(("bad.wtb", 2), ("bad.wtb", 3)),
            *(("bad.sgf", 2), ("bad.sgf", 4), ("bad.sgf", 5)),
            *(("bad.jsonl", 2), ("bad.jsonl", 3), ("bad.jsonl", 4)),
            *(("broken.sgf", 0), ("empty.json", 1)),
        }
        assert "99 is not a square" in refused["bad.wtb", 2]
        assert "move 2" in refused["bad.wtb", 3]
        assert "a1" in refused["bad.sgf", 2]
        assert "ended_by must say why" in refused["bad.jsonl", 2]
        assert report.added == len(library) == 1 + 2 + 2
        set_aside = {(each.file, each.number): each.reason for each in library.check().refused}
        assert set_aside == {place: why for place, why in refused.items() if place[1]}
        assert not library.check().problems


def test_an_import_that_was_stopped_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 10)
    games = random_records("tictactoe", 45, 7)
    path = tmp_path / "games.jsonl"
    write_games(path, [*games, *games[:5]])
    with Library(tmp_path / "a.db") as library:

        def stop(done: int, total: int, saved: int) -> None:
            if saved >= 30:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            library.import_files([path], on_progress=stop)
        assert len(library) == 30
        report = library.import_files([path])
        assert (report.added, report.resumed, report.there) == (20, 1, 0)
        assert list(library.records(sorted(library.ids()))) == [*games, *games[:5]]
        assert library.import_files([path]).known == 1


def test_games_that_another_program_saves_meanwhile_are_not_saved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 10)
    games = random_records("reversi-6", 40, 7)
    path, part, db = tmp_path / "games.jsonl", tmp_path / "part.jsonl", tmp_path / "a.db"
    write_games(path, games)
    write_games(part, games[25:32])

    def meanwhile(done: int, total: int, saved: int) -> None:
        if saved == 20:
            with Library(db) as other:
                assert other.import_files([part], event="games").added == 7

    with Library(db) as library:
        report = library.import_files([path], on_progress=meanwhile)
        assert (report.added, report.there) == (33, 7)
        assert len(library) == 40


def test_progress_is_told_from_nothing_to_all(files: Path, tmp_path: Path) -> None:
    told = []
    with Library(tmp_path / "a.db") as library:
        library.import_files([files], on_progress=lambda *numbers: told.append(numbers))
    done, totals, games = zip(*told, strict=True)
    assert list(done) == sorted(done)
    assert len(set(totals)) == 1
    assert done[-1] == totals[0]
    assert games[-1] == max(games) > 0


def test_games_without_a_name_need_to_be_told_which_they_are(tmp_path: Path) -> None:
    path = tmp_path / "moves.txt"
    path.write_text("d3 c3 c4")
    with Library(tmp_path / "a.db") as library:
        assert "not a file of games" in library.import_files([path]).refused[0].reason
        report = library.import_files([path], game="reversi", event="by hand", tags=["old"])
        assert report.added == 1
        head = library.head(1)
        assert (head.game, head.event, head.tags) == ("reversi-8", "by hand", ("old",))
        assert head.plies == len(make_game("reversi").copy().history) + 3


def test_a_missing_file_ends_the_import_before_it_begins(files: Path, tmp_path: Path) -> None:
    with Library(tmp_path / "a.db") as library:
        with pytest.raises(FileNotFoundError):
            library.import_files([files / "reversi.sgf", tmp_path / "no.sgf"])
        assert len(library) == 0
        with pytest.raises(LibraryError):
            library.add_run([], "")
