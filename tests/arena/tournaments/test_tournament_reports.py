"""Reports of tournaments: accuracy of the moves played, JSON, CSV, HTML, the live table."""

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner
from recorded import Recorded
from rich.text import Text

from rl_toolkit.arena.exact_scores import NotSolvedError, keeping, scores_of
from rl_toolkit.arena.runs.match_results import Forfeit, MatchResult, PlayedGame
from rl_toolkit.arena.tournaments import report_accuracy
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.arena.tournaments.report import CSV_COLUMNS, TournamentReport
from rl_toolkit.arena.tournaments.report_accuracy import judge_moves, moves_to_judge
from rl_toolkit.arena.tournaments.report_html import board_html, player_html, report_html
from rl_toolkit.arena.tournaments.results import TournamentResult
from rl_toolkit.cli.commands.measure import standings
from rl_toolkit.cli.commands.measure.standings import LiveStandings
from rl_toolkit.cli.program.group import cli
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.records import position_from_text, position_to_text, read_games
from rl_toolkit.utils.statistics import percent

PLAN = Tournament("tictactoe", ("random", "greedy", "perfect"), games=6, random_plies=2, seed=3)


@pytest.fixture(scope="module")
def result():
    return play_tournament(PLAN)


@pytest.fixture(scope="module")
def report(result):
    return TournamentReport.of(result, "random", judge_moves(result))


class Clock:
    """Takes the place of the module ``time``."""

    now = 100.0

    def monotonic(self):
        return self.now


class Terminal(Recorded):
    def isatty(self):
        return True


class Reader(HTMLParser):
    """Checks that tags are closed, and collects them with their texts."""

    VOID = ("meta", "rect", "line", "circle", "br", "img")

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.words = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


# ------------------------------------------------------------------------------ accuracy


def env_of(judged):
    return position_from_text("tictactoe", judged.position)


def test_moves_are_judged_by_exact_scores_and_always_the_same_ones(result):
    moves = list(moves_to_judge(result, 5))
    assert moves == list(moves_to_judge(result, 5))
    assert {each.player for each in moves} == set(PLAN.players)
    assert all(sum(each.player == name for each in moves) == 5 for name in PLAN.players)
    marks = judge_moves(result, 5)
    for name in PLAN.players:
        mine = [each for each in moves if each.player == name]
        right = [each for each in mine if each.move in keeping(scores_of(env_of(each)))]
        assert (marks[name].keeps.right, marks[name].keeps.of) == (len(right), 5)


def test_only_moves_that_a_player_made_itself_are_judged(result):
    line = {}
    for match in result.matches:
        for game in match.games:
            first = match.match.engines[game.first]
            second = match.match.engines[1 - game.first]
            for ply, move in enumerate((*game.opening, *game.moves)):
                if ply >= len(game.opening):
                    line.setdefault((first, second)[ply % 2], set()).add((ply, move))
    judged = list(moves_to_judge(result, 1000))
    # A position of tictactoe says how many moves were made.
    for each in judged:
        ply = sum(letter in "xo" for letter in each.position.split()[0])
        assert (ply, each.move) in line[each.player]
    assert len(judged) > 40


def test_perfect_play_is_always_right_and_other_play_is_not(report):
    assert report.accuracy["perfect"].matters.share == 1.0
    assert report.accuracy["perfect"].matters.of >= 10
    assert report.accuracy["random"].matters.share < 1.0


def test_a_position_that_cannot_be_proven_is_left_out(result, monkeypatch):
    moves = list(moves_to_judge(result, 5))
    unproven = moves[0].position
    real = report_accuracy.scores_of

    def scores(env):
        if position_to_text(env) == unproven:
            raise NotSolvedError("not today")
        return real(env)

    monkeypatch.setattr(report_accuracy, "scores_of", scores)
    judged = sum(marks.keeps.of for marks in judge_moves(result, 5).values())
    assert judged == sum(each.position != unproven for each in moves) < 15


def test_without_a_solver_nothing_is_judged():
    plan = Tournament("gomoku-9", ("random", "first"), games=2, random_plies=2)
    match = plan.match("random", "first")
    game = PlayedGame(0, 0, (40, 41), (0, 1), 1, (0.0, 0.0), (1, 1))
    assert judge_moves(TournamentResult(plan, [MatchResult(match, [game])])) == {}


# ----------------------------------------------------------------------------- the forms


def test_json_and_csv_have_the_accuracy_beside_the_rating(report):
    found = report.to_dict()
    assert [each["name"] for each in found["players"]] == [row.name for row in report.rows]
    perfect = next(each for each in found["players"] if each["name"] == "perfect")
    assert perfect["accuracy"]["matters"]["share"] == 1.0
    assert 5 <= found["mean_length"] <= 9
    json.dumps(found, allow_nan=False)
    rows = list(report.csv_rows())
    assert all(tuple(row) == CSV_COLUMNS for row in rows)
    assert {row["name"]: row["accuracy"] for row in rows}["perfect"] == 1.0
    bare = TournamentReport.of(report.result)
    assert {each["accuracy"] for each in bare.to_dict()["players"]} == {None}
    assert {row["accuracy"] for row in bare.csv_rows()} == {None}


def test_the_page_is_whole_and_needs_nothing_else(report):
    html = report_html(report)
    found = read(html)
    words = " ".join(found.words)
    for row in report.rows:
        assert row.name in words
        assert f"{row.rating:+.0f}" in words
    assert "Accuracy and rating" in words
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in found.tags}
    assert not any(name in attrs for _, attrs in found.tags for name in ("src", "href"))
    assert "default-src 'none'" in html
    pictures = [attrs for tag, attrs in found.tags if tag == "svg"]
    assert len(pictures) == len(report.rows) + 2 * 2  # two charts, wide and narrow
    assert all(attrs["role"] == "img" and attrs["aria-label"] for attrs in pictures)
    tables = sum(tag == "table" for tag, _ in found.tags)
    assert sum(tag == "caption" for tag, _ in found.tags) == tables == 6
    assert "light-dark(" in html


def test_names_are_text_and_forfeits_are_listed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hostile = "<script>alert(1)<script>.py"
    (tmp_path / hostile).write_text(
        "def choose_move(game):\n    return game.get_legal_moves()[0]\n"
    )
    plan = Tournament("tictactoe", ("random", hostile), games=2)
    match = plan.match("random", hostile)
    lost = Forfeit(0, "3/3/3 x", "raised <script>alert('x')</script> & \"more\"")
    games = [
        PlayedGame(0, 0, (), (), -1, (0.0, 0.0), (0, 0), forfeit=lost),
        PlayedGame(0, 1, (), (0, 1, 3, 4, 6), -1, (0.0, 0.0), (2, 3)),
    ]
    report = TournamentReport.of(TournamentResult(plan, [MatchResult(match, games)]))
    found = read(report_html(report))
    assert "script" not in {tag for tag, _ in found.tags}
    assert "Forfeits" in found.words
    assert not re.search(r"<th[^>]*>\s*</th>", report_html(report))  # a reader says them aloud
    assert any("forfeited 1 game: it raised <script>" in warning for warning in report.warnings())
    assert hostile in found.words
    assert any(word.endswith(f" {hostile}") for word in found.words)  # in the crosstable


def test_players_with_equal_ratings_share_a_place():
    plan = Tournament("tictactoe", ("easy", "first", "greedy", "random"), games=2)

    def met(one, other, *results):  # results as ``one`` sees them, the first by name
        games = [
            PlayedGame(0, first, (), (0, 1), result, (0.0, 0.0), (1, 1))
            for first, result in enumerate(results)
        ]
        return MatchResult(plan.match(one, other), games)

    strong, weak = ("easy", "first"), ("greedy", "random")
    matches = [met(one, other, 1, 1) for one in strong for other in weak]
    matches += [met(*weak, 0, 0), met(*strong, 0, 0)]
    report = TournamentReport.of(TournamentResult(plan, matches))
    assert [row.place for row in report.rows] == [1, 1, 3, 3]
    assert "Shared place 3 of 4" in player_html(report, "greedy", [])
    board = board_html(report, title="All")
    assert [part[0] for part in board.split('class="rank">')[1:]] == ["1", "1", "3", "3"]
    unequal = TournamentReport.of(TournamentResult(plan, matches[1:]))
    assert unequal.rows[0].place == 1
    assert unequal.rows[1].place == 2
    assert '<p class="lead">Place 1 of 4' in player_html(unequal, unequal.rows[0].name, [])


def test_a_tournament_that_has_just_begun_has_a_page():
    plan = Tournament("tictactoe", ("random", "first", "greedy"), games=2)
    html = report_html(TournamentReport.of(TournamentResult(plan, [])))
    assert "No game has been played." in html
    assert "0 of 6 games" in html
    read(html)


def test_games_of_many_lengths_share_columns():
    plan = Tournament("reversi", ("random", "first"), games=2)
    match = plan.match("random", "first")
    games = [
        PlayedGame(n, 0, (), tuple(range(n)), (-1, 0, 1)[n % 3], (0.0, 0.0), (1, 1))
        for n in range(9, 60)
    ]
    html = report_html(TournamentReport.of(TournamentResult(plan, [MatchResult(match, games)])))
    found = read(html)
    rows = found.words.index("Games by length and result")
    cells = [word.strip() for word in found.words[rows + 1 :] if word.strip()]
    counts = [int(cell) for cell in cells if cell.isdigit()]
    assert sum(counts) == len(games)


# --------------------------------------------------------------------------- the command


def test_the_command_writes_report_and_games(tmp_path):
    html, games = tmp_path / "report.html", tmp_path / "games.jsonl"
    files = ["--html", str(html), "--records", str(games)]
    run = CliRunner().invoke(
        cli,
        ["tournament", "tictactoe", "random", "first", "--games", "4", "--csv", *files],
    )
    assert run.exit_code == 0, run.output
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    assert {row["name"] for row in rows} == {"random", "first"}
    assert all(0 <= float(row["accuracy"]) <= 1 for row in rows)
    read(html.read_text())
    assert len(read_games(games)) == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--records", "games.txt"], "the name must end in"),
        (["--records", "nowhere/games.jsonl"], "the folder nowhere does not exist"),
        (["--html", "."], "this is a folder, not a file"),
        (["--html", "a.jsonl", "--records", "a.jsonl"], "need different files"),
        (["--save", "a.jsonl", "--html", "../{folder}/a.jsonl"], "need different files"),
        (["--records", "games.sgf"], "SGF has no form for"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_play(
    tmp_path, monkeypatch, options, message
):
    monkeypatch.chdir(tmp_path)
    options = [option.format(folder=tmp_path.name) for option in options]
    run = CliRunner().invoke(
        cli, ["tournament", "connect-four", "random", "first", "--games", "2000", *options]
    )
    assert run.exit_code == 2
    assert message in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_live_table_fits_the_terminal(result, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "6")
    clock = Clock()
    monkeypatch.setattr(standings, "time", clock)
    err = Terminal()
    screen = Screen(Recorded(), err)
    live = LiveStandings(screen, "random")
    assert list(live.lines()) == []
    live.look(result)
    for line in live.lines():
        screen.err.print(line)
    shown = Text.from_ansi(err.getvalue()).plain
    best = max(result.standings(), key=lambda row: row.score)
    assert live.leader == f"no clear leader at {percent(best.score)}"  # intervals overlap
    assert best.name in shown
    assert "… and 1 more" in shown
    part = TournamentResult(PLAN, result.matches[:1])
    leading = max(part.standings(), key=lambda row: row.score)
    assert leading.score != best.score
    clock.now += 0.9
    live.look(part)  # too soon
    assert live.leader.endswith(percent(best.score))
    clock.now += 0.2
    live.look(TournamentResult(PLAN, []))  # nobody leads without games
    assert live.leader.endswith(percent(best.score))
    live.look(part)
    assert live.leader.endswith(percent(leading.score))
    live.look(result)  # the last result is shown at once
    assert live.leader.endswith(percent(best.score))
    assert max(len(line) for line in shown.splitlines()) <= 60


def test_the_last_line_of_progress_is_of_all_games(run):
    words = ("--games", "20", "--accuracy", "0", "--openings", "random:2")
    ran = run("tournament", "tictactoe", "random", "perfect", *words, "--json")
    best = max(json.loads(ran.out)["players"], key=lambda row: row["score"])
    assert "20 of 20 games, " in ran.err
    assert f", {best['name']} leads with {percent(best['score'])}\n" in ran.err
    ran = run("match", "tictactoe", "perfect", "random", *words[:2], *words[4:], "--json")
    share = json.loads(ran.out)["share"]
    assert f", {percent(share)} for perfect\n" in ran.err


def test_columns_without_room_are_named(run, monkeypatch):
    words = ("random", "perfect", "--games", "2", "--accuracy", "0", "--openings", "random:2")
    monkeypatch.setenv("COLUMNS", "60")
    assert "Left out for lack of room: " in run("tournament", "tictactoe", *words).err
    monkeypatch.setenv("COLUMNS", "200")
    assert "Left out" not in run("tournament", "tictactoe", *words).err
