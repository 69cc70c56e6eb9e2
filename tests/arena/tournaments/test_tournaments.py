"""Tournaments: tables, resuming, growing, changed code, forfeits, the command."""

import csv
import io
import json
import signal
import subprocess
import sys
import time

import pytest
from stopping import register_tired

from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.arena.runs import playing, saved_pairs
from rl_toolkit.arena.runs.journal import Journal, JournalError
from rl_toolkit.arena.runs.stamps import ChangedCodeError, Stamp
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.players import EngineKind, register_engine, registry
from rl_toolkit.records.errors import RecordFieldError
from rl_toolkit.records.formats.json_lines import read_json_lines
from rl_toolkit.utils.executors import LocalProcesses

PLAYERS = ("random", "greedy", "first")
PLAN = Tournament("tictactoe", PLAYERS, games=4, random_plies=2, seed=5)


@pytest.fixture(autouse=True)
def _registry(monkeypatch):
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))


def table(result):
    """What must not depend on workers, interruptions and the order of players."""
    return {
        match.match.engines: [(g.pair, g.first, g.opening, g.moves, g.result) for g in match.games]
        for match in result.matches
    }


def test_a_round_robin_plays_every_pairing_with_the_same_openings_and_colours_swapped():
    result = play_tournament(PLAN)
    assert result.complete
    assert result.games == PLAN.total_games == 12
    assert len(result.matches) == 3
    for match in result.matches:
        assert [(game.pair, game.first) for game in match.games] == [(0, 0), (0, 1), (1, 0), (1, 1)]
        assert [game.opening for game in match.games] == [
            game.opening for game in result.matches[0].games
        ]
    rows = result.standings()
    assert sum(row.points for row in rows) == 12
    assert all(row.games == 8 for row in rows)
    assert [row.rating for row in rows] == sorted((row.rating for row in rows), reverse=True)
    for row in rows:
        others = [result.points(row.name, other) for other in PLAYERS]
        assert sum(points for points, _ in others) == row.points
        assert sum(games for _, games in others) == row.games
    assert result.points("random", "random") == (0.0, 0)
    assert len(result.records()) == 12


def test_the_order_of_players_and_the_number_of_workers_do_not_matter():
    turned = Tournament("tictactoe", PLAYERS[::-1], games=4, random_plies=2, seed=5)
    assert table(play_tournament(turned)) == table(play_tournament(PLAN))


@pytest.mark.full
def test_two_workers_give_the_same_table():
    assert table(play_tournament(PLAN, executor=LocalProcesses(2))) == table(play_tournament(PLAN))


def test_a_gauntlet_and_a_swiss_tournament():
    plan = Tournament("tictactoe", (*PLAYERS, "easy"), games=2, schedule="gauntlet")
    result = play_tournament(plan)
    assert result.complete
    assert [row.games for row in result.standings() if row.name == "random"] == [6]
    plan = Tournament("tictactoe", (*PLAYERS, "easy", "medium"), games=2, schedule="swiss")
    result = play_tournament(plan)
    assert (plan.swiss_rounds, result.games, result.complete) == (3, 12, True)
    pairings = [frozenset(match.match.engines) for match in result.matches]
    assert len(set(pairings)) == len(pairings) == 6
    assert result.to_dict()["rounds"] == 3


def test_a_file_of_games_is_read_as_records(tmp_path):
    saved = tmp_path / "games.jsonl"
    result = play_tournament(PLAN, save=saved)
    found = read_json_lines(saved.read_bytes())
    assert sorted((g.players, tuple(g.moves), g.result) for g in found) == sorted(
        (g.players, tuple(g.moves), g.result) for g in result.records()
    )
    wrong = saved.read_text().replace('"players": ["first", "greedy"]', '"players": ["first"]', 1)
    with pytest.raises(RecordFieldError, match="players: this must be the names of two engines"):
        read_json_lines(wrong)


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("schedule", ["round-robin", "swiss"])
def test_an_interrupted_tournament_resumes_with_the_same_table(tmp_path, monkeypatch, schedule):
    plan = Tournament("tictactoe", (*PLAYERS, "easy"), 4, schedule, random_plies=2, seed=5)
    whole = table(play_tournament(plan))
    saved = tmp_path / "games.jsonl"
    for stop in (3, 5, 6):  # three runs that end in the middle, each further than the last

        def end(result, stop=stop):
            if result.games >= 2 * stop:
                raise StoppedError

        with pytest.raises(StoppedError):
            play_tournament(plan, save=saved, on_pair=end)
    with open(saved, "a") as file:
        file.write('{"players": ["easy", "fir')  # cut off by a crash
    played = []
    real = playing.play_paired_game
    monkeypatch.setattr(playing, "play_paired_game", lambda task: played.append(1) or real(task))
    result = play_tournament(plan, save=saved)
    assert table(result) == whole
    assert len(played) == plan.total_games - 12
    assert play_tournament(plan, save=saved).to_dict() == result.to_dict()


def test_a_tournament_grows_by_games_and_by_players(tmp_path, monkeypatch):
    saved = tmp_path / "games.jsonl"
    first = table(play_tournament(PLAN, save=saved))
    played = []
    real = playing.play_paired_game
    monkeypatch.setattr(playing, "play_paired_game", lambda task: played.append(1) or real(task))
    more = Tournament("tictactoe", ("easy", *PLAYERS), games=6, random_plies=2, seed=5)
    grown = table(play_tournament(more, save=saved))
    assert len(played) == 6 * 6 - 12
    for pairing, games in first.items():
        assert grown[pairing][:4] == games
    assert table(play_tournament(PLAN, save=saved)) == first
    with pytest.raises(JournalError, match="belongs to a different run \\(seed 5, not 6\\)"):
        play_tournament(Tournament("tictactoe", PLAYERS, 4, random_plies=2, seed=6), save=saved)


def _engine(monkeypatch, code):
    class Mine(RandomEngine):
        name = "mine"

    registry._KINDS.pop("mine", None)
    register_engine(EngineKind("mine", "a bot", lambda: Mine(seed=1)))
    monkeypatch.setattr(
        saved_pairs,
        "stamp_of",
        lambda game, player, judged: Stamp(
            None, code if player.spec.kind == "mine" else "same", None
        ),
    )


def test_games_of_changed_code_are_never_mixed_unasked(tmp_path, monkeypatch):
    saved, news = tmp_path / "games.jsonl", []
    _engine(monkeypatch, "old")
    plan = Tournament("tictactoe", ("mine", *PLAYERS), games=2)
    before = saved_lines(saved, plan)
    _engine(monkeypatch, "new")
    with pytest.raises(ChangedCodeError, match="the code of mine has changed since 6 games"):
        play_tournament(plan, save=saved)
    play_tournament(plan, save=saved, if_changed="keep")
    assert len(saved.read_text().splitlines()) == before
    play_tournament(plan, save=saved, if_changed="replay", on_news=news.append)
    assert news == [f"6 games in {saved} were played by older code and will be replayed."]
    assert len(saved.read_text().splitlines()) == before + 3
    play_tournament(plan, save=saved)
    with pytest.raises(ValueError, match="if_changed must be one of"):
        play_tournament(plan, if_changed="ask")


def saved_lines(saved, plan):
    play_tournament(plan, save=saved)
    return len(saved.read_text().splitlines())


def test_an_engine_that_fails_forfeits_and_the_tournament_continues():
    class Broken:
        name = "broken"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            raise ZeroDivisionError("no plan")

    register_engine(EngineKind("broken", "always fails", Broken))
    news = []
    plan = Tournament("tictactoe", ("broken", *PLAYERS), games=2)
    result = play_tournament(plan, on_news=news.append)
    assert result.complete
    last = result.standings()[-1]
    assert (last.name, last.games, last.points, last.forfeits) == ("broken", 6, 0.0, 6)
    assert last.interval[0] < last.rating < last.interval[1]
    lost = result.to_dict()["forfeits"]
    assert {each["player"] for each in lost} == {"broken"}
    assert {each["opponent"] for each in lost} == set(PLAYERS)
    assert "ZeroDivisionError: no plan" in lost[0]["reason"]
    assert len(news) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ("random",)}, "at least two players, not 1"),
        ({"players": ("random", "no-such", "first")}, "'no-such' is neither a level nor an engine"),
        ({"players": ("random", "first", "random")}, "'random' is there twice"),
        ({"games": 3}, "games must be even"),
        ({"games": 0}, "games must be even"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"schedule": "knockout"}, "schedule must be one of round-robin, gauntlet, swiss"),
        ({"rounds": 2}, "only a Swiss tournament has a number of rounds"),
        ({"rounds": 9, "schedule": "swiss"}, "after 3 rounds everyone has met everyone, not 9"),
    ],
)
def test_what_cannot_be_played_is_refused_before_play(options, message):
    with pytest.raises(ValueError, match=message):
        Tournament(**{"game": "tictactoe", "players": PLAYERS, "games": 2, **options})


def test_two_bots_with_the_same_file_name_are_refused(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text("def choose(env):\n    return 0\n")
    bots = tuple(str(tmp_path / folder / "bot.py") for folder in ("a", "b"))
    with pytest.raises(ValueError, match="have the same name; players need different names"):
        Tournament("tictactoe", bots, games=2)


# --------------------------------------------------------------------- the command

COMMAND = ("tournament", "tictactoe", *PLAYERS, "--games", "4", "--seed", "5")


def test_the_table_has_ratings_and_a_crosstable(run):
    ran = run(*COMMAND, "--anchor", "random")
    assert ran.code == 0
    assert "3 players on tictactoe, round-robin, 12 games" in ran.out
    lines = ran.out.splitlines()
    assert any("Elo" in line for line in lines[1:3])  # headings wrap if a time is long
    assert sum("/4" in line for line in lines) == 3
    assert "random has rating 0. The first move is worth" in ran.out


def test_json_and_csv_have_every_player(run):
    ran = run(*COMMAND, "--json")
    told = json.loads(ran.out)
    assert (told["games"], told["complete"], told["schedule"]) == (12, True, "round-robin")
    assert {row["name"] for row in told["players"]} == set(PLAYERS)
    for row in told["players"]:
        assert row["interval"][0] < row["rating"] < row["interval"][1]
        assert row["games"] == 8
        assert row["score"] == row["points"] / 8
    assert sum(row["rating"] for row in told["players"]) == pytest.approx(0, abs=1e-6)
    rows = list(csv.DictReader(io.StringIO(run(*COMMAND, "--csv").out)))
    assert [row["name"] for row in rows] == [row["name"] for row in told["players"]]
    assert [float(row["rating"]) for row in rows] == [row["rating"] for row in told["players"]]
    assert float(rows[0]["low"]) == told["players"][0]["interval"][0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random", "rnadom", "first"), "'rnadom' is neither a level nor an engine"),
        (("random", "first", "random"), "'random' is there twice"),
        (("random", "first", "--games", "5"), "games must be even"),
        (("random", "first", "--anchor", "easy"), "--anchor easy is not one of the engines"),
        (
            ("random", "first", "--openings", "x"),
            "openings are auto, random:K, start, balanced, balanced:K, swap2 or",
        ),
        (("random",), "at least two players"),
    ],
)
def test_bad_input_is_refused_before_play(run, tmp_path, arguments, message):
    saved = tmp_path / "games.jsonl"
    ran = run("tournament", "tictactoe", *arguments, "--save", str(saved))
    assert ran.code == 2
    assert message in " ".join(ran.err.split())
    assert not saved.exists()


def test_a_file_that_another_run_writes_is_refused(run, tmp_path):
    pytest.importorskip("fcntl")
    saved = tmp_path / "games.jsonl"
    with Journal(saved, "tournament", {}):
        ran = run(*COMMAND, "--save", str(saved))
    assert ran.code == 2
    assert "another run is writing to" in " ".join(ran.err.split())


def test_ctrl_c_shows_the_standings_so_far_and_the_run_resumes(run, tmp_path):
    register_tired()
    saved = str(tmp_path / "games.jsonl")
    command = ("tournament", "tictactoe", "tired", *PLAYERS, "--games", "8", "--save", saved)
    ran = run(*command)
    assert ran.code == 130
    assert " of 48 games" in ran.out
    assert "points against" in ran.out
    assert "run the same command to resume" in " ".join(ran.err.split())
    told = json.loads(run(*command, "--json").out)
    assert (told["games"], told["complete"]) == (48, True)


@pytest.mark.full
def test_a_killed_tournament_resumes_with_the_same_table(tmp_path):
    saved = tmp_path / "games.jsonl"
    players = ("random", "greedy", "mcts:simulations=30", "first")
    arguments = ("tictactoe", *players, "--games", "30", "--save", str(saved))
    arguments += ("--workers", "2", "--openings", "random:4")
    # Someone may be editing the toolkit meanwhile; that is not what this is about.
    keep = ("--if-changed", "keep")
    command = [sys.executable, "-m", "rl_toolkit.cli", "tournament", *arguments, *keep]
    for lines in (5, 20, 40):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while not saved.exists() or len(saved.read_text().splitlines()) < lines:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    plan = Tournament("tictactoe", players, games=30, random_plies=4)
    resumed = play_tournament(plan, executor=LocalProcesses(2), save=saved, if_changed="keep")
    assert table(resumed) == table(play_tournament(plan))
