"""Games that were not played: tried twice, rated by nobody, and said in every headline."""

import json
import pickle

import pytest
from click.testing import CliRunner
from protocol_programs import scripted

from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import EngineError
from rl_toolkit.arena.arbiter.play_game import EngineFailedError, timed_answer
from rl_toolkit.arena.calibration.plan import Calibration
from rl_toolkit.arena.calibration.running import calibrate
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.ratings.sprt import Sprt
from rl_toolkit.arena.scorecard.rating import rate
from rl_toolkit.arena.scorecard.words import scale_text
from rl_toolkit.arena.sprt_match import play_sprt
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.arena.tournaments.report import TournamentReport
from rl_toolkit.arena.tournaments.report_html import report_html
from rl_toolkit.cli.program.group import cli
from rl_toolkit.envs import make_game
from rl_toolkit.players import EngineKind, register_engine, registry
from rl_toolkit.records.formats.json_lines import read_json_lines
from rl_toolkit.web.arena.boards import Boards


class Shaky:
    """Plays at random, and cannot play the games (counted over all tries) that are listed."""

    name = "shaky"
    tries = 0
    fails = ()
    by = "not played"

    def prepare(self, game):
        type(self).tries += 1
        self.fails_now = type(self).tries in self.fails

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        if self.fails_now and env.move_count >= 2:
            raise EngineError(self.name, "answered 'ERROR'", by=self.by)
        return RandomEngine(seed=env.move_count).analyse(env)


@pytest.fixture(autouse=True)
def shaky(monkeypatch):
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    monkeypatch.setattr(Shaky, "tries", 0)
    register_engine(EngineKind("shaky", "cannot play some games", Shaky))

    def failing(*tries):
        monkeypatch.setattr(Shaky, "fails", tries)
        monkeypatch.setattr(Shaky, "tries", 0)

    return failing


def test_the_kind_of_a_failure_survives_its_way_through_workers():
    for error in (
        EngineError("a", "b", "c", "not played"),
        EngineFailedError(1, "a", "b", "c", "time"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.by, str(again)) == (type(error), error.by, str(error))


def test_a_game_that_could_not_be_played_is_played_again_once(shaky, tmp_path):
    shaky(2)
    news, plan = [], Match("tictactoe", ("shaky", "random"), pairs=2)
    result = play_match(plan, save=tmp_path / "m.jsonl", on_news=news.append)
    assert (len(result.games), result.unplayed, result.not_played) == (4, [], "")
    assert Shaky.tries == 5
    assert "shaky answered 'ERROR'; the game was played again." in news
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    assert [game.get("first_try", {}).get("by") for game in lines[1]["games"]] == [
        None,
        "not played",
    ]


def test_a_game_that_is_not_played_counts_for_nobody_and_is_said(shaky, tmp_path):
    shaky(1, 2)  # the first game of the first pair, both times
    saved, news = tmp_path / "m.jsonl", []
    plan = Match("tictactoe", ("shaky", "random"), pairs=2, random_plies=2)
    result = play_match(plan, save=saved, on_news=news.append)
    assert (len(result.games), len(result.unplayed), result.complete) == (3, 1, True)
    assert result.not_played == "1 of 4 games was not played"
    assert result.forfeits == (0, 0)
    (gone,) = result.unplayed
    assert (gone.pair, gone.first, gone.forfeit.engine, gone.forfeit.by) == (0, 0, 0, "not played")
    points = sum((game.result + 1) / 2 for game in result.games)
    assert result.share == pytest.approx(points / 3)
    assert news == ["shaky answered 'ERROR'; the game was tried twice and is not played."]
    assert result.remarks() == [
        f"shaky could not play 1 game: it answered 'ERROR' (position {gone.forfeit.position}). "
        "What is not played after two tries counts for neither side."
    ]
    data = result.to_dict()
    assert (data["games"], data["complete"], data["forfeits"]) == (3, True, [])
    assert [each["reason"] for each in data["not_played"]] == ["answered 'ERROR'"]
    tries = Shaky.tries
    assert play_match(plan, save=saved) == result  # nothing is left to play
    assert Shaky.tries == tries
    assert len(read_json_lines(saved.read_text())) == 3


@pytest.mark.parametrize(
    ("fails", "lost"), [((1, 2), 1), ((1,), 0)], ids=["killed twice", "killed once"]
)
def test_who_is_killed_twice_in_a_game_has_lost_it(shaky, monkeypatch, fails, lost):
    """It could kill itself whenever it is about to lose; who sent a signal cannot be seen."""
    monkeypatch.setattr(Shaky, "by", "killed")
    shaky(*fails)
    news = []
    plan = Match("tictactoe", ("shaky", "random"), pairs=1, random_plies=2)
    result = play_match(plan, on_news=news.append)
    assert (len(result.games), result.unplayed, result.forfeits) == (2, [], (lost, 0))
    if lost:
        assert [game.result for game in result.games if game.forfeit] == [-1]
        assert news[-1] == (
            "shaky answered 'ERROR', for the second time in this game and forfeits the game."
        )
    else:
        assert news == ["shaky answered 'ERROR'; the game was played again."]


def test_pairs_with_a_game_that_is_not_played_do_not_count_in_a_test(shaky):
    shaky(1, 2)
    match = Match("tictactoe", ("shaky", "random"), pairs=3, random_plies=2)
    test = play_sprt(match, Sprt(-400, 400))
    assert (sum(test.pairs), test.skipped, test.played) == (2, 1, 6)
    assert (test.complete, len(test.result.games)) == (True, 4)
    assert test.result.not_played == "1 of 5 games was not played"
    assert test.to_dict()["sprt"]["skipped_pairs"] == 1


def test_a_tournament_says_how_many_games_were_not_played(shaky):
    shaky(1, 2)
    plan = Tournament("tictactoe", ("shaky", "random", "first"), 2, random_plies=2)
    result = play_tournament(plan)
    report = TournamentReport.of(result)
    assert result.complete
    assert report.title.endswith(
        "round-robin, 5 games: 1 random opening of 2 moves, each from both sides; "
        "1 of 6 games was not played"
    )
    assert {row.name: (row.games, row.not_played, row.forfeits) for row in report.rows} == {
        "shaky": (3, 1, 0),
        "random": (4, 0, 0),
        "first": (3, 1, 0),
    }
    assert len(list(result.rated_games())) == 5
    said = "shaky could not play 1 game: it answered"
    assert [each.startswith(said) for each in report.warnings()].count(True) == 1
    assert [row["not_played"] for row in report.csv_rows() if row["name"] == "shaky"] == [1]
    assert report.to_dict()["not_played"][0]["player"] == "shaky"
    page = report_html(report)
    assert "1 of 6 games was not played" in page
    assert "Not played" in page


def test_a_program_that_never_understands_has_not_lost(tmp_path):
    answers = {"START": "OK\n", "BEGIN": "ERROR no\n", "DONE": "ERROR no\n"}
    program = f"gomocup:cmd={scripted(tmp_path, answers)}"
    arguments = ["match", "gomoku-9", "first", program, "--games", "2", "--openings", "random:1"]
    answer = CliRunner().invoke(cli, arguments)
    assert answer.exit_code == 0, answer.output
    assert "0 games: no opening has been played; 2 of 2 games were not played" in (
        " ".join(answer.output.split())
    )
    assert "scores" not in answer.output  # nothing was played, which is not 0 %
    assert "%" not in answer.output
    told = CliRunner().invoke(cli, [*arguments, "--json"])
    assert json.loads(told.stdout)["share"] is None
    assert "forfeit" not in answer.output


def test_a_calibration_that_plays_nothing_ends(shaky):
    shaky(*range(1, 400))
    plan = Calibration("tictactoe", ("random", "shaky"), 2)
    result = calibrate(plan, round_seconds=0.01)
    assert result.count == 0
    assert result.unplayed >= 6  # a pair or more in each of three rounds
    games = result.unplayed
    assert result.not_played == f"{games} of {games} games were not played"


def test_a_calibration_outlives_a_round_in_which_no_game_was_played(shaky):
    shaky(*range(1, 5))  # both games of the first pair, each tried twice
    clock = iter(range(100))
    plan = Calibration("tictactoe", ("random", "shaky"), 2)
    result = calibrate(plan, round_seconds=0.01, seconds=3, clock=lambda: next(clock))
    assert result.unplayed == 2
    assert result.count > 0


def test_a_rating_counts_only_games_that_were_played(shaky):
    shaky(1, 2)
    found = rate("tictactoe", "shaky", ["random"], 4)
    assert (found.not_played, sum(each.games for each in found.opponents)) == (1, 3)
    assert scale_text(found).startswith("1 of 4 games was not played. 3 games against")
    shaky(*range(1, 100))
    assert rate("tictactoe", "shaky", ["random"], 4) is None


def test_the_arena_page_hears_of_a_game_that_is_not_played(shaky):
    shaky(1, 2)
    news = []
    plan = Tournament("tictactoe", ("shaky", "random"), 2, random_plies=2)
    play_tournament(plan, executor=Boards(1, 0.0, news.append))
    games = [each["game"] for each in news if "game" in each]
    assert (games[0]["winner"], games[0]["ended_by"]) == (None, "not played")
    assert games[1]["ended_by"] == ""
    assert [each["ply"] for each in news if "board" in each][:3] == [2, 3, 2]  # begun again


def test_pauses_are_on_nobodys_clock():
    class Patient:
        name = "patient"
        paused = 0.0

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            self.paused += 1000.0  # more than has passed
            return RandomEngine(seed=1).analyse(env)

    answer = timed_answer(Patient(), make_game("tictactoe"))
    assert answer.analysis is not None
    assert answer.seconds == 0.0
