"""`rl-toolkit library`, and `--keep` of the commands that play games."""

from __future__ import annotations

import json
import sqlite3
import time
from dataclasses import replace

import pytest

from rl_toolkit.cli.commands.measure import self_play
from rl_toolkit.library import Library, LibraryError, importing
from rl_toolkit.puzzles import PuzzleStore
from rl_toolkit.records import GameRecord, read_games, write_games

GAMES = [
    GameRecord("reversi-8", (19, 18, 17), players=("Ada", "Max"), headers={"date": "2001"}),
    GameRecord(
        "reversi-8",
        (37, 45),
        players=("Max", "Eva"),
        result=1,
        ended_by="time",
        headers={"date": "2003", "black rating": "1800"},
    ),
    GameRecord("tictactoe", (4, 0, 8), players=("Ada", "Eva")),
]


@pytest.fixture
def asked(run):
    """Run a command that ends with ``code``."""

    def asked(*words, code=0, stdin=""):
        done = run(*map(str, words), stdin=stdin)
        assert done.code == code, done.err
        return done

    return asked


@pytest.fixture
def path(tmp_path, monkeypatch):
    path = tmp_path / "library.db"
    monkeypatch.setenv("RL_TOOLKIT_LIBRARY", str(path))
    return path


@pytest.fixture
def filled(path):
    with Library(path) as library:
        library.add_run(GAMES, "evening", engines=(False, False))
    return path


def test_files_are_imported_with_a_report(asked, path, tmp_path):
    write_games(tmp_path / "a.jsonl", GAMES)
    done = asked("library", "import", tmp_path / "a.jsonl", "--tag", "club")
    assert done.out.splitlines() == ["3 games saved from 1 file."]
    again = asked("library", "import", tmp_path / "a.jsonl")
    assert again.out.splitlines()[-1] == "1 file was imported before."
    report = json.loads(asked("library", "import", tmp_path / "a.jsonl", "--json").out)
    assert (report["added"], report["known_files"]) == (0, 1)
    assert "[club]" in asked("library", "search", "--tag", "club").out


def test_a_bad_game_is_named_and_the_exit_code_says_so(asked, path, tmp_path):
    lines = [json.dumps(json.loads(game.to_json())) for game in GAMES]
    lines[1] = lines[1].replace("f5", "a1")
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    done = asked("library", "import", tmp_path / "a.jsonl", code=1)
    assert done.out.startswith("2 games saved")
    assert "Set aside: a.jsonl, game 2: line 2: moves[0]" in done.err
    assert "1 game could not be read" in done.err


def test_games_are_searched_by_player_position_and_pattern(asked, filled):
    assert len(asked("library", "search").out.splitlines()) == 4
    listed = asked("library", "search", "--player", "ada", "--game", "reversi").out.splitlines()
    assert listed[1].split()[:4] == ["1", "reversi-8", "Ada", "Max"]
    at = ("library", "search", "--game", "reversi", "--position", "c4", "--json")
    found = [json.loads(line) for line in asked(*at).out.splitlines()]
    assert [(game["id"], game["ply"]) for game in found] == [(2, 1), (1, 1)]
    assert "There is no such game." in asked(*at[:5], "d3e3").out
    shape = ("library", "search", "--game", "tictactoe", "--pattern", "???/?x?/x")
    assert asked(*shape).out.splitlines()[1].split()[0] == "3"
    assert "need --game" in asked("library", "search", "--position", "d3", code=2).err
    assert "is not a cell" in asked(*shape[:5], "z", code=2).err
    assert "name one" in asked("library", "search", "--result", "won", code=2).err
    for option in ("--since", "--until"):
        refused = asked("library", "search", option, "yesterday", code=2)
        assert "'yesterday' is not a date; dates are like 2001" in " ".join(refused.err.split())


def test_a_game_is_one_line_of_a_narrow_list(asked, path, monkeypatch):
    long = "tournament of greedy, random and easy, seed 0"
    with Library(path) as library:
        library.add_run([replace(GAMES[0], players=("minimax:depth=2", "Ada"))], long)
    monkeypatch.setenv("COLUMNS", "80")
    (row,) = asked("library", "search").out.splitlines()[1:]
    assert "minimax:depth=2" in row
    assert row.endswith("…")
    monkeypatch.setenv("COLUMNS", "60")
    narrow = asked("library", "search")
    assert len(narrow.out.splitlines()) == 2
    assert "2001" in narrow.out
    assert "Left out for lack of room: event." in narrow.err


def test_the_explorer_shows_moves_results_and_values(asked, filled, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")  # one line for each move
    out = asked("library", "explore", "reversi", "c4").out
    assert "2 games: Black won 1, 0 drawn, White won 0, 1 undecided" in out
    assert "rating" not in out  # White's moves, and no rating of White is known
    start = asked("library", "explore", "reversi").out
    assert "1800" in start
    assert start.splitlines()[-1].split()[:2] == ["d3", "2"]
    assert start.splitlines()[-1].endswith("≈ 2 discs ahead")  # so says the book
    worth = json.loads(asked("library", "explore", "reversi", "--json").out)["moves"][0]["value"]
    assert worth == "≈ 2 discs ahead"
    centre = asked("library", "explore", "tictactoe", "b2").out.splitlines()
    assert centre[-1].split()[:2] == ["a1", "1"]
    assert "draw" in centre[-1]
    plain = asked("library", "explore", "tictactoe", "b2", "--no-value", "--json").out
    assert json.loads(plain)["moves"][0]["value"] is None
    assert "No game of the library" in asked("library", "explore", "connect-four").out
    only = asked("library", "explore", "reversi", "--player", "Eva", "--since", "2002").out
    assert "1 game:" in only


def test_a_game_is_shown_with_its_board(asked, filled):
    with Library(filled) as library:
        library.add(GameRecord("tictactoe", (4, 2, 6)))
    out = asked("library", "show", "3").out
    assert out.startswith("Game 3: tictactoe · X: Ada · O: Eva · unfinished")
    assert "event: evening" in out
    assert "1. b2 a1 2. c3" in out
    assert "mirror image of them: 4" in out
    assert json.loads(asked("library", "show", "3", "--json").out)["players"]["x"] == "Ada"
    assert "there is no game 77" in asked("library", "show", "77", code=1).err
    assert "there is no ply 9" in asked("library", "show", "3", "--ply", "9", code=2).err


def test_counts_exports_tags_and_removal(asked, filled, tmp_path):
    out = asked("library", "stats").out
    assert "3 games" in out
    assert "evening" in out
    asked("library", "export", "--player", "Max", "-o", tmp_path / "max.sgf")
    with_event = [replace(game, headers={"event": "evening", **game.headers}) for game in GAMES]
    assert read_games(tmp_path / "max.sgf") == with_event[:2]
    assert len(asked("library", "export", "3", "1").out.splitlines()) == 2
    assert "must end in one of" in asked("library", "export", "1", "-o", "a.xyz", code=2).err
    assert "GGF" in asked("library", "export", "3", "-o", tmp_path / "t.ggf", code=1).err
    asked("library", "tag", "1", "2", "--add", "nice")
    asked("library", "tag", "2", "--drop", "nice")
    assert len(asked("library", "search", "--tag", "nice").out.splitlines()) == 2
    assert "No tag was changed." in asked("library", "tag", "2", "--drop", "nice").err
    assert "1 game tagged anew." in asked("library", "tag", "1", "2", "--add", "nice").err
    asked("library", "tag", "2", "--drop", "nice")
    assert "name a tag" in asked("library", "tag", "1", code=2).err
    assert "Nothing was removed." in asked("library", "remove", "1", stdin="n\n", code=1).err
    assert "3 games" in asked("library", "stats").out
    asked("library", "remove", "1", "--yes")
    asked("library", "remove", "--player", "Eva", "--yes")
    assert "0 games" in asked("library", "stats").out
    assert (
        "no game of the library fits" in asked("library", "remove", "--mine", "--yes", code=1).err
    )
    assert "by their numbers or by a filter" in asked("library", "remove", "--yes", code=2).err


def test_check_says_what_is_wrong_and_repairs_it(asked, filled):
    assert "3 games, all right" in asked("library", "check").out
    connection = sqlite3.connect(filled)
    connection.execute("DELETE FROM loose")
    connection.commit()
    connection.close()
    done = asked("library", "check", code=1)
    assert "2 games of reversi-8 cannot be searched" in done.out
    assert "--repair" in done.err
    assert "made anew" in asked("library", "check", "--repair").out
    asked("library", "check")


def test_a_damaged_library_is_set_aside_by_check(asked, filled):
    data = bytearray(filled.read_bytes())
    data[8192:16384] = b"\xa5" * 8192
    filled.write_bytes(data)
    assert "--repair" in asked("library", "search", code=1).err
    out = asked("library", "check", "--repair").out
    assert "The damaged file is now" in out
    assert "No game could be read" in out
    assert "0 games, all right" in asked("library", "check").out


def test_a_library_that_cannot_be_used_is_a_sentence(asked, tmp_path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ada")
    for command in (("search",), ("stats",), ("explore", "reversi"), ("check",)):
        done = asked("library", *command, "--library", other, code=1)
        assert "is not a library of games" in done.err
    assert other.read_text() == "Dear Ada"


def test_a_match_and_a_tournament_are_kept_once(asked, path):
    match = ("match", "tictactoe", "random", "greedy", "--games", "4", "--keep")
    assert "4 games saved in" in asked(*match).err
    assert "0 games saved in" in asked(*match).err
    asked(
        "tournament", "tictactoe", "random", "greedy", "--games", "2", "--accuracy", "0", "--keep"
    )
    with Library(path) as library:
        origins = [origin for _, origin, _ in library.events()]
        assert origins == ["tournament", "match"]
        head = library.head(1)
        assert head.engines == (True, True)
        assert head.event == "match random against greedy, seed 0"
        assert head.date.startswith(time.strftime("%Y"))


def test_an_export_adds_nothing_to_the_library_that_it_came_from(asked, path, tmp_path):
    match = ("match", "tictactoe", "random", "greedy", "--games", "4", "--keep")
    asked(*match)
    with Library(path) as library:
        library.add(GAMES[0], event="evening", origin="play", engines=(False, True))
        library.import_files([write(tmp_path / "cup.sgf", [GAMES[1]])])
    for name in ("all.jsonl", "some.json"):
        numbers = () if name == "all.jsonl" else ("5",)
        asked("library", "export", *numbers, "-o", tmp_path / name)
        report = json.loads(asked("library", "import", tmp_path / name, "--json").out)
        assert (report["added"], report["there"]) == (0, 1 if numbers else 6)
    # Another day: the same match is the same one, and one with another seed is not.
    with Library(path) as library, library._database.writing() as connection:
        connection.execute("UPDATE game SET date = '2001-01-01'")
    assert "0 games saved in" in asked(*match).err
    assert "4 games saved in" in asked(*match, "--seed", "5").err


def test_an_export_leaves_out_what_the_format_cannot_hold(asked, path, tmp_path):
    asked("match", "reversi-4", "random", "greedy", "--games", "2", "--keep")
    done = asked("library", "export", "-o", tmp_path / "small.wtb", code=1)
    assert "game 1: game: a WTHOR file holds Othello on 8×8" in " ".join(done.err.split())
    long = "match of two programs, seed 1234"
    with Library(path) as library:
        library.add_run(GAMES, long)
    done = asked("library", "export", "--game", "reversi", "-o", tmp_path / "o.wtb")
    said = " ".join(done.err.split())
    assert "1 game written to" in said
    assert "Left out: game 3: result: a WTHOR file holds only games with a result." in said
    assert "the names of events beyond 25 letters" in said
    (read,) = read_games(tmp_path / "o.wtb")
    assert (read.moves, read.headers["event"]) == (GAMES[1].moves, long[:25])


def write(path, games):
    write_games(path, games)
    return path


def test_an_import_that_the_disk_stops_is_a_failure(asked, path, tmp_path, monkeypatch):
    write_games(tmp_path / "a.jsonl", GAMES)

    def stop(self, paths):
        raise LibraryError("the disk is full")

    monkeypatch.setattr(importing.Importer, "run", stop)
    done = asked("library", "import", tmp_path / "a.jsonl", code=1)
    assert "the disk is full" in done.err


def test_a_bad_game_is_named_by_each_import_and_by_the_check(asked, path, tmp_path):
    file = tmp_path / "go.sgf"
    file.write_text("(;GM[1]SZ[15];B[hh])(;GM[2];B[dc])(;GM[4]SZ[15];B[hh];W[hh])")
    first = asked("library", "import", file, code=1)
    again = asked("library", "import", tmp_path, code=1)
    assert "1 game saved from 1 file." in first.out
    assert "1 file was imported before." in again.out
    for done in (first, again):
        said = " ".join(done.err.split())
        assert "Set aside: go.sgf, game 1: GM: GM[1] (Go) is not a game that can be read" in said
        assert "say which game" not in said
        assert "Set aside: go.sgf, game 3: " in said
        assert "2 games could not be read" in said
    checked = asked("library", "check")
    assert "2 games set aside by imports." in checked.out
    assert "Set aside: go.sgf, game 1: GM: GM[1] (Go)" in " ".join(checked.err.split())
    other = asked("library", "import", file, "--game", "gomoku", code=1)
    said = " ".join(other.err.split())
    assert "GM[1] (Go) is another game than gomoku-15, which has GM[4]" in said


def test_a_folder_without_games_is_not_a_success(asked, path, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "letter.txt").write_text("Dear Ada")
    write_games(tmp_path / "a.jsonl", GAMES)
    done = asked("library", "import", tmp_path / "empty", tmp_path / "a.jsonl", code=1)
    assert done.out.startswith("3 games saved from 1 file")
    assert "there is no file of games in this folder" in " ".join(done.err.split())
    assert "1 file could not be read" in done.err


def test_an_import_of_nothing_makes_no_library(asked, path, tmp_path):
    (tmp_path / "empty").mkdir()
    done = asked("library", "import", tmp_path / "none.sgf", code=1)
    assert "none.sgf: No such file" in " ".join(done.err.split())
    done = asked("library", "import", tmp_path / "empty", code=1)
    assert "there is no file of games in" in " ".join(done.err.split())
    assert not path.exists()


def test_self_play_keeps_its_analyses(asked, path, tmp_path):
    played = ("self-play", "tictactoe", "mcts:simulations=20", "--games", "2")
    asked(*played, "--save", tmp_path / "g.jsonl", "--keep")
    with Library(path) as library:
        kept = [replace(record, headers={}) for record in library.records([1, 2])]
        assert kept == [replace(game, headers={}) for game in read_games(tmp_path / "g.jsonl")]
        assert library.head(1).date
        assert library.record(1).analyses


def test_a_finished_game_that_was_played_is_kept(asked, path):
    moves = "a1\nb1\na2\nb2\na3\n"
    played = ("play", "tictactoe", "--x", "human", "--o", "human", "--keep")
    done = asked(*played, stdin=f"{moves}undo\na3\nnew\nb2\nquit\n")
    assert "as game 1" in done.err
    with Library(path) as library:
        (head,) = library.search().heads  # the second game was not finished
        assert (head.result, head.origin, head.engines) == (1, "play", (False, False))
        assert head.date


def test_keep_refuses_a_library_that_cannot_be_used_before_it_plays(asked, tmp_path):
    match = ("match", "tictactoe", "random", "greedy", "--games", "2")
    (tmp_path / "b.txt").write_text("no library")
    done = asked(*match, "--keep", "--library", tmp_path / "b.txt", code=1)
    assert "is not a library" in done.err
    assert done.out == ""
    assert "add --keep" in asked(*match, "--library", tmp_path / "c.db", code=2).err
    assert not (tmp_path / "c.db").exists()


@pytest.mark.parametrize(
    "words",
    [
        *(("search",), ("show", "1"), ("explore", "reversi"), ("stats",), ("check",)),
        *(("review", "--mine"), ("insight",), ("tag", "1", "--add", "new"), ("remove", "1")),
    ],
)
def test_asking_makes_no_file(words, asked, path, tmp_path):
    there = tmp_path / "typo.db"
    for file, more in ((there, ("--library", there)), (path, ())):
        done = asked("library", *words, *more, code=1)
        assert f"there is no library {file} yet" in " ".join(done.err.split())
        assert not file.exists()


def test_self_play_that_is_stopped_keeps_what_was_played_and_saves_it_once(
    asked, path, tmp_path, monkeypatch
):
    words = ("self-play", "tictactoe", "mcts:simulations=20", "--games", "3", "--keep")
    words = (*words, "--save", tmp_path / "games.jsonl")
    play_games = self_play.play_games

    def stopped(*given, **options):
        yield next(play_games(*given, **options))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(self_play, "play_games", stopped)
        asked(*words, code=130)
    assert "1 game\n" in asked("library", "stats").out
    asked(*words)
    assert "3 games\n" in asked("library", "stats").out


def test_games_are_reviewed_and_show_how_one_plays(asked, path, tmp_path):
    with Library(path) as library:
        lost = GameRecord("tictactoe", (1, 0, 5, 4, 2, 8), ("You", "hard"), -1)
        library.add(lost, origin="play", engines=(False, True))
    assert "library review --mine" in asked("library", "insight").out
    reviewed = asked("library", "review", "--mine").out
    assert "1 game reviewed." in reviewed
    assert "new puzzle from your mistakes" in reviewed
    with PuzzleStore(path) as store:
        (puzzle, _) = next(iter(store.puzzles().values()))
        assert puzzle.env().current_player == 1  # the mistake of the person, not of the engine
    for words in (("--mine",), ("1",)):
        again = asked("library", "review", *words).out
        assert "0 games reviewed." in again
        assert "1 game was reviewed before; --again reviews once more." in again
    shown = asked("library", "insight", "--plots", tmp_path / "plots").out
    assert "1 game, 0.0 % of the points, 1 reviewed." in shown
    assert "Let the other side win at once" in shown
    assert "accuracy" in shown
    assert (tmp_path / "plots" / "mistakes.svg").read_text("utf-8").startswith("<svg")
    assert json.loads(asked("library", "insight", "--json").out)["tables"]["side"][0]["lost"] == 1
    with Library(path) as library:
        won = GameRecord("tictactoe", (1, 0, 5, 4, 2, 8), ("Max", "Ada Lee"), -1)
        library.add(won, engines=(False, False))
    advice = asked("library", "insight", "--player", "Ada Lee").words
    assert "`rl-toolkit library review --player 'Ada Lee'` finds" in advice
    assert "1 game reviewed." in asked("library", "review", "--player", "Ada Lee").out
    assert "no such game of yours" in asked("library", "insight", "--player", "Eva").out
