"""``rl-toolkit puzzle``: solving at the prompt, lists and sets, making, progress."""

import csv
import json
import os
import re

import pytest

from rl_toolkit.cli.commands.puzzle import solving
from rl_toolkit.library import Library
from rl_toolkit.puzzles import DAY, Maker, read_set, shipped
from rl_toolkit.records import GameRecord

DAY_ONE = 1_780_000_000.0


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test moves by hand; each look at it takes a second."""
    state = {"now": DAY_ONE}

    def now():
        state["now"] += 1
        return state["now"]

    monkeypatch.setattr(solving.CLOCK, "now", now)
    return state


def typed(puzzle, *before):
    """What to type to solve a puzzle, after other words."""
    env = puzzle.env()
    names = env.line_names(puzzle.line)[::2]
    return "\n".join([*before, *names]) + "\n"


def test_a_puzzle_is_missed_comes_back_and_is_known(run, tmp_path, clock):
    puzzle = next(each for each in shipped("connect-four") if each.steps == 2 and each.missed)
    path = tmp_path / "set.txt"
    path.write_text(f"# puzzles of connect-four\n{puzzle.to_text()}\n")
    wrong = puzzle.env().move_name(puzzle.played)
    asked = typed(puzzle, "nonsense", "hint", wrong, "why")
    done = run(
        "puzzle", "next", "--set", str(path), "--results", str(tmp_path / "r.csv"), stdin=asked
    )
    assert done.code == 0
    assert "What was better?" in done.words
    # The board in the terminal has letters, so the task says whose they are.
    side = puzzle.env().traits.side(puzzle.env().current_player)
    assert side in ("Red (X)", "Yellow (O)")
    assert f"{side} to play" in done.words
    assert "'nonsense' is not a move" in done.err
    assert f"✗ After {wrong}" in done.out or f"✗ {wrong}" in done.out
    assert "The reply is" in done.out
    assert "✓ Solved" in done.out
    assert "0 of 1 puzzle solved at the first try." in done.words
    (row,) = csv.DictReader((tmp_path / "r.csv").read_text().splitlines())
    assert (row["puzzle"], row["solved"], row["hints"]) == (puzzle.name, "0", "1")

    for _ in range(2):  # it comes back, until it is solved twice
        clock["now"] += 9 * DAY
        done = run("puzzle", "next", "connect-four", "--count", "1", stdin=typed(puzzle))
        assert f"{puzzle.name} ·" in done.out
        assert "1 of 1 puzzle solved" in done.words
    clock["now"] += 30 * DAY
    done = run("puzzle", "next", "connect-four", "--count", "1", stdin="quit\n")
    (other,) = re.findall(r"connect-four/\w{8}", done.out)
    assert other != puzzle.name
    shown = run("puzzle", "progress")
    assert "connect-four" in shown.out
    assert "3" in shown.out

    saved = run("puzzle", "progress", "-o", str(tmp_path / "p.json"))
    assert saved.code == 0
    assert len(json.loads((tmp_path / "p.json").read_text())["attempts"]) == 3
    assert "Nothing was erased." in run("puzzle", "progress", "--erase", stdin="n\n").err
    assert "3 attempts erased" in run("puzzle", "progress", "--erase", "--yes").out
    assert (
        "3 attempts and 0 puzzles"
        in run("puzzle", "progress", "--read", str(tmp_path / "p.json")).out
    )


def test_a_theme_chooses_among_the_puzzles_of_a_set(run, tmp_path):
    path, puzzles = tmp_path / "set.txt", shipped("connect-four")
    mixed = [next(each for each in puzzles if each.kind == kind) for kind in ("hold", "fork")]
    path.write_text("\n".join(["# puzzles of connect-four", *(each.to_text() for each in mixed)]))
    forks = run("puzzle", "next", "--set", str(path), "--theme", "fork", stdin="quit\n")
    assert "1 puzzle of connect-four" in forks.words
    assert mixed[1].name in forks.out
    assert mixed[0].name not in forks.out
    none = run("puzzle", "next", "--set", str(path), "--theme", "fours")
    assert none.code == 2
    assert "has no puzzle of the kind fours" in " ".join(none.err.split())


def test_results_outlast_ctrl_c_and_are_not_replaced_by_nothing(run, tmp_path, clock, monkeypatch):
    first, other = shipped("connect-four")[:2]
    homework, results = tmp_path / "set.txt", tmp_path / "r.csv"
    homework.write_text(f"# puzzles of connect-four\n{first.to_text()}\n{other.to_text()}\n")
    words = ("puzzle", "next", "--set", str(homework), "--results")
    read_line = solving.read_line

    def stopped(prompt):
        line = read_line(prompt)
        if line == "Ctrl-C":
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr(solving, "read_line", stopped)
    wrong = other.env().move_name(other.tempting[0])
    done = run(*words, str(results), stdin=f"{typed(first)}{wrong}\nCtrl-C\n")
    assert done.code == 130
    written = results.read_text()
    rows = [(row["puzzle"], row["solved"]) for row in csv.DictReader(written.splitlines())]
    assert rows == [(first.name, "1"), (other.name, "0")]

    for leave in ("quit\n", "Ctrl-C\n"):
        run(*words, str(results), stdin=leave)
        assert results.read_text() == written
    refused = run(*words, str(tmp_path / "none" / "r.csv"), stdin=typed(first))
    assert refused.code == 2
    assert "does not exist" in " ".join(refused.err.split())
    assert first.name not in refused.out  # before the first puzzle
    asked = json.loads(run("puzzle", "progress", "--json").out)["attempts"]
    assert [each["puzzle"] for each in asked] == [first.name, other.name]


def test_the_puzzle_of_the_day_and_a_storm(run, clock):
    one, other = (run("puzzle", "daily", "--date", "2026-05-31", stdin="quit\n").out for _ in "ab")
    assert one == other
    assert "The puzzle of 2026-05-31" in one
    storm = run("puzzle", "storm", "tictactoe", "--seed", "1", stdin="a1\nb2\nc3\na2\nb3\n" * 40)
    assert storm.code == 0
    assert re.search(r"\d+ puzzles? solved of \d+\.", storm.words)
    again = run("puzzle", "storm", "tictactoe", stdin="help\n")
    assert "Your move (or hint, solution, quit): " in again.out
    assert "why" not in again.out
    assert "Your move (or hint, why, solution, quit): " in one
    assert "You have 3 minutes, and one try for each puzzle" in again.words
    assert "The storm ended before the first puzzle was answered." in again.words


def test_the_time_in_which_the_engine_judges_is_not_the_players(run, clock, monkeypatch):
    judge = solving.answer

    def slowly(*asked):
        clock["now"] += 100
        return judge(*asked)

    monkeypatch.setattr(solving, "answer", slowly)
    cells = "".join(f"{column}{row}\n" for column in "abc" for row in "123") * 2
    storm = run("puzzle", "storm", "tictactoe", "--seed", "1", stdin=cells)
    left = [int(seconds) for seconds in re.findall(r"solved, (\d+) s left", storm.words)]
    assert len(left) > 2
    assert min(left) > 100
    tried = json.loads(run("puzzle", "progress", "--json").out)["attempts"]
    assert max(each["seconds"] for each in tried) < 60


def test_an_answer_after_the_end_of_a_storm_does_not_count(run, clock, monkeypatch):
    read = solving.read_line

    def late(prompt):
        clock["now"] += 200
        return read(prompt)

    monkeypatch.setattr(solving, "read_line", late)
    storm = run("puzzle", "storm", "tictactoe", "--seed", "1", stdin="a1\nb2\nc3\n" * 3)
    assert "The time is up." in storm.words
    assert "The storm ended before the first puzzle was answered." in storm.words


@pytest.mark.parametrize(
    "words",
    [
        ("progress",),
        ("progress", "--json"),
        ("progress", "--erase", "--yes"),
        ("mine",),
        ("mine", "--list"),
        ("show", "connect-four/11366b36"),
        ("next", "tictactoe"),
        ("storm", "tictactoe"),
    ],
)
def test_asking_about_puzzles_makes_no_file(run, tmp_path, clock, words):
    assert run("puzzle", *words, stdin="quit\n").code == 0
    assert not list(tmp_path.rglob("library.db*"))


def test_puzzles_are_solved_beside_a_library_that_is_only_read(run, tmp_path, clock, monkeypatch):
    file = tmp_path / "state" / "library.db"
    with Library(file) as library:
        library.add(GameRecord("tictactoe", (4,), ("You", "easy")), origin="play")
    before = file.read_bytes()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    for words in (("next", "tictactoe", "--count", "1"), ("storm", "tictactoe"), ("mine",)):
        done = run("puzzle", *words, stdin="solution\n" * 40)
        assert done.code == 0
        assert "it is only read, and attempts are not saved." in " ".join(done.err.split())
    assert file.read_bytes() == before


def test_own_mistakes_are_found_in_kept_games_and_asked(run, tmp_path, clock):
    with Library(tmp_path / "state" / "library.db") as library:
        game = GameRecord("connect-four", (0, 6, 1, 6, 2, 6, 3), ("medium", "Ada"), 1)
        library.add(game, event="played", origin="play", engines=(True, False))
    listed = run("puzzle", "mine", "--list")
    assert "Looked at 1 game: 1 new puzzle." in listed.err
    (name,) = re.findall(r"connect-four/\w{8}", listed.out)
    assert "due" in listed.out
    progress = run("puzzle", "progress").out.splitlines()[-1]
    assert progress.split() == ["connect-four", "–", "0", "–", "1"]  # due before the first attempt
    assert "Red played" not in run("puzzle", "show", name).out
    done = run("puzzle", "mine", stdin="d\n")
    assert "Yellow played g. What was better?" in done.words
    assert "✓ Solved" in done.out
    assert "Looked at" not in done.err
    assert "Nothing is due today; you have 1 puzzle." in run("puzzle", "mine").words


@pytest.mark.parametrize(
    ("player", "more", "added"),
    [("human", (), True), ("Ada", (), False), ("Ada", ("--side", "o"), True)],
)
def test_a_review_of_a_file_makes_puzzles_of_ones_own_mistakes(run, tmp_path, player, more, added):
    game = GameRecord("connect-four", (0, 6, 1, 6, 2, 6, 3), ("medium", player), 1)
    (tmp_path / "game.json").write_text(game.to_json())
    review = ("game", "review", str(tmp_path / "game.json"), *more)
    assert run(*review, "--json").code == 0
    assert not list(tmp_path.rglob("library.db*"))
    told = run(*review)
    assert told.code == 0
    assert ("1 new puzzle from your mistakes: puzzle mine." in told.out) == added
    assert len(list(tmp_path.rglob("library.db"))) == added
    if added:
        assert "in your library already" in run(*review).err
        assert "connect-four/" in run("puzzle", "mine", "--list").out


def test_lists_sets_and_links(run, tmp_path):
    overview = [line.split() for line in run("puzzle", "list").out.splitlines()]
    defend = str(sum(each.kind == "defend" for each in shipped("gomoku")))
    assert ["defend", "stop", "the", "attack", defend] in overview
    firsts = [line[0] for line in overview]
    assert {"connect-four", "gomoku-15", "tictactoe-5x5x4"} <= set(firsts)
    assert ["all", str(len(shipped("connect-four")))] in overview
    rows = run("puzzle", "list", "reversi", "--theme", "discs", "--count", "4", "--json").out
    found = [json.loads(row) for row in rows.splitlines()]
    assert [each["kind"] for each in found] == ["discs"] * 4
    assert [each["rating"] for each in found] == sorted(each["rating"] for each in found)
    path = tmp_path / "week.txt"
    made = run("puzzle", "list", "gomoku", "--count", "3", "--title", "Week 3", "-o", str(path))
    assert made.code == 0
    assert (read_set(path).title, len(read_set(path).puzzles)) == ("Week 3", 3)
    link = run("puzzle", "list", "gomoku", "--count", "3", "--link").out.strip()
    numbers = ",".join(each.number for each in read_set(path).puzzles)
    assert link == f"http://localhost:5001/puzzles?set=gomoku-15:{numbers}"
    shown = run("puzzle", "show", read_set(path).puzzles[0].name, "--solution")
    assert "Solution:" in shown.out


@pytest.mark.parametrize("words", [("show", "--help"), ("show", "nothing")])
def test_puzzles_that_are_named_as_examples_exist(run, words):
    said = run("puzzle", *words)
    (name,) = set(re.findall(r"[a-z-]+/[0-9a-f]{8}", said.out + said.err))
    assert "Solution:" in run("puzzle", "show", name, "--solution").out


def test_puzzles_are_made_and_more_are_added(run, tmp_path):
    path = tmp_path / "mine.txt"
    made = run("puzzle", "make", "reversi", "-o", str(path), "--count", "1", "--seed", "3")
    assert made.code == 0
    (first,) = read_set(path).puzzles
    assert "1 puzzle, 1 of them new" in made.words
    more = run("puzzle", "make", "reversi", "-o", str(path), "--count", "2", "--seed", "3")
    assert "2 puzzles, 1 of them new" in more.words
    assert read_set(path).puzzles[0] == first
    refused = run("puzzle", "make", "gomoku", "-o", str(path))
    assert refused.code == 2
    assert "has puzzles of reversi-8" in " ".join(refused.err.split())


@pytest.mark.parametrize(
    ("found", "said"), [(0, "No puzzle was found yet"), (1, "1 puzzle is in mk.txt")]
)
def test_making_that_is_stopped_says_what_the_file_holds(run, tmp_path, monkeypatch, found, said):
    monkeypatch.chdir(tmp_path)

    def stopped(maker, *given):
        yield from shipped("reversi")[:found]
        raise KeyboardInterrupt

    monkeypatch.setattr(Maker, "played", stopped)
    done = run("puzzle", "make", "reversi", "-o", "mk.txt")
    assert done.code == 130
    assert f"Stopped. {said}; run the same command to resume." in " ".join(done.err.split())
    assert len(read_set(tmp_path / "mk.txt").puzzles) == found


def test_a_set_of_another_game_is_refused(run, tmp_path):
    path = tmp_path / "set.txt"
    path.write_text(f"# puzzles of connect-four\n{shipped('connect-four')[0].to_text()}\n")
    refused = run("puzzle", "next", "tictactoe", "--set", str(path))
    assert refused.code == 2
    assert "has puzzles of connect-four, not of tictactoe." in " ".join(refused.err.split())
    assert run("puzzle", "next", "connect-four", "--set", str(path), stdin="quit\n").code == 0


@pytest.mark.parametrize("words", [("make", "tictactoe"), ("list", "tictactoe")])
def test_a_file_of_puzzles_makes_no_folder(run, tmp_path, words):
    refused = run("puzzle", *words, "-o", str(tmp_path / "none" / "x.txt"))
    assert refused.code == 2
    assert "does not exist" in " ".join(refused.err.split())
    assert not (tmp_path / "none").exists()


def test_making_from_a_library_without_such_games_says_so(run, tmp_path):
    file, output = tmp_path / "l.db", tmp_path / "x.txt"
    words = ("puzzle", "make", "tictactoe", "-o", str(output), "--from-library", "--library")
    with Library(file) as library:
        library.add(GameRecord("connect-four", (3,)))
    refused = run(*words, str(file))
    assert refused.code == 1
    assert "there is no game of tictactoe in" in " ".join(refused.err.split())
    with Library(file) as library:
        library.add(GameRecord("tictactoe", (2,), start="1x1/1o1/3 x"))
    assert "has the usual start" in " ".join(run(*words, str(file)).err.split())
    assert not output.exists()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("next", "connect-four", "--theme", "joke"), 2, "'joke' is not a kind of puzzle"),
        (("next", "tictactoe-4x4x4"), 1, "puzzle make tictactoe-4x4x4"),
        (("show", "connect-four/00000000"), 2, "there is no puzzle"),
        (("show", "nothing"), 2, "names are like connect-four/11366b36"),
        (("make", "tictactoe-9x9x5", "-o", "x.txt"), 2, "no engine proves"),
        (("next", "--results", "x.csv"), 2, "--results goes with --set"),
        (("list", "--link"), 2, "a set needs GAME"),
    ],
)
def test_refusals_are_one_sentence(run, arguments, code, words):
    ended = run("puzzle", *arguments)
    assert ended.code == code
    assert words in " ".join(ended.err.split())
