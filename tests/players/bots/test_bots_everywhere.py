"""A file works wherever an engine is named; saved matches know a bot by its code."""

import json

import pytest

from rl_toolkit.arena.arbiter.play_game import EngineFailedError
from rl_toolkit.arena.matches import ChangedCodeError, Match, play_match
from rl_toolkit.arena.self_play import SelfPlay, self_play
from rl_toolkit.players import make_engine
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.players.spec import reaches_outside
from rl_toolkit.records import GameRecord
from rl_toolkit.utils.isolation import SANDBOX_VARIABLE

LAST = "def choose(env): return env.get_legal_moves()[-1]\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "My_Bot.py").write_text(LAST)
    yield
    bot_engine.forget_parked()
    bot_process.settle()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["match", "tictactoe", "My_Bot.py", "first", "--games", "2"], "My_Bot.py against first"),
        (["match", "first", "My_Bot.py:choose", "--games", "2"], "on connect-four"),
        (["match", "My_Bot.py", "first", "--games", "2"], "on connect-four"),
        (["analyse", "tictactoe", "b2", "--engine", "My_Bot.py"], "My_Bot.py plays c3"),
        (["compare", "tictactoe", "b2", "--engines", "My_Bot.py:choose,time=2,first"], "My_Bot.py"),
        (["accuracy", "tictactoe", "My_Bot.py", "--positions", "20"], "My_Bot.py"),
        (["self-play", "tictactoe", "My_Bot.py", "--games", "1", "--save", "g.jsonl"], "1 game"),
        (["play", "tictactoe", "--x", "My_Bot.py", "--o", "./My_Bot.py"], "c3 b3"),
    ],
)
def test_a_file_works_wherever_an_engine_is_named(run, command, words):
    ran = run(*command)
    assert (ran.code, words in ran.out) == (0, True), ran


def test_what_is_wrong_with_a_file_is_said_at_once(run):
    ran = run("match", "tictactoe", "missing.py", "first", "--games", "2")
    assert (ran.code, "missing.py: No such file or directory" in ran.err) == (2, True)
    with open("My_Bot.py", "w") as file:
        file.write("import zork\n" + LAST)
    ran = run("play", "tictactoe", "--o", "My_Bot.py")
    assert ran.code == 2
    assert "My_Bot.py cannot be loaded: ModuleNotFoundError: No module named 'zork'" in ran.err


def test_a_bot_that_fails_in_play_is_a_sentence_and_the_game_continues(run, tmp_path, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")  # the bot leaves a file
    code = f"""
import pathlib
def choose(env):
    mark = pathlib.Path({str(tmp_path / "failed")!r})
    if mark.exists():
        return "a1"
    mark.touch()
    return "zork"
"""
    (tmp_path / "My_Bot.py").write_text(code)
    ran = run("play", "tictactoe", "--o", "My_Bot.py", stdin="b2\n\nquit\n")
    assert ran.code == 0
    assert "My_Bot.py returned 'zork': 'zork' is not a move here" in ran.out
    assert "Press Enter to ask it again" in ran.out
    assert "O (My_Bot.py) plays a1" in ran.out
    (tmp_path / "failed").unlink()
    ran = run("play", "tictactoe", "--o", "My_Bot.py", "--x", "first")
    assert (ran.code, "My_Bot.py returned 'zork'" in ran.err) == (1, True)


def test_a_saved_game_runs_nothing_by_itself(run, tmp_path, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")  # the bot could leave a file
    mark = tmp_path / "it-ran"
    (tmp_path / "My_Bot.py").write_text(f"open({str(mark)!r}, 'w').close()\n{LAST}")
    for other in ("My_Bot.py", f"{tmp_path}/My_Bot.py", "gtp:cmd=touch it-ran"):
        GameRecord("tictactoe", moves=[4], players=("human", other)).save("game.json")
        ran = run("play", "--load", "game.json")
        assert ran.code == 2
        assert f"{other} played in this game; to let it play on, add --o {other}" in ran.err
        ran = run("play", "tictactoe", stdin="load game.json\nquit\n")
        assert "played in this game" in ran.words
        for command in (["game", "show", "game.json"], ["game", "review", "game.json"]):
            assert run(*command).code == 0
    assert not mark.exists()
    ran = run("play", "--load", "game.json", "--o", "My_Bot.py", stdin="quit\n")
    assert (ran.code, mark.exists()) == (0, True)


def test_what_reaches_outside():
    for spec in ("a.py", "a.py:b", "file-bot", "gtp:cmd=x", "alphazero: time=1, Weights=x"):
        assert reaches_outside(spec)
    for value in ("off", "./x", '"x,y"', "x,depth=1", "x,zork"):
        assert reaches_outside(f"gomoku:Weights={value}")
    assert not reaches_outside("gomoku:depth=1")
    for spec in ("perfect", "mcts", "mcts:time=1,reuse=on", "zork", "human", ""):
        assert not reaches_outside(spec)


def test_a_saved_match_knows_a_bot_by_its_code_and_not_by_its_place(tmp_path):
    save = tmp_path / "match.jsonl"
    match = Match("tictactoe", ("My_Bot.py", "first"), pairs=1)
    first = play_match(match, save=save)
    (tmp_path / "there").mkdir()
    moved = tmp_path / "there" / "My_Bot.py"
    moved.write_text(LAST)
    again = play_match(Match("tictactoe", (str(moved), "first"), pairs=1), save=save)
    assert again.games == first.games
    assert len(save.read_text().splitlines()) == 2  # nothing was played again
    moved.write_text(f"{LAST}# changed\n")
    with pytest.raises(
        ChangedCodeError, match=r"the code of .*My_Bot.py has changed since 2 games"
    ):
        play_match(Match("tictactoe", (str(moved), "first"), pairs=1), save=save)
    assert json.loads(save.read_text().splitlines()[0])["engines"] == ["My_Bot.py", "first"]


def test_self_play_knows_it_too_and_says_what_failed(tmp_path):
    plan = SelfPlay("tictactoe", "My_Bot.py", games=1, varied_plies=0)
    (record,) = self_play(plan, save=tmp_path / "games.jsonl")
    assert record.moves[:2] == (8, 7)
    (tmp_path / "My_Bot.py").write_text("def choose(env): return 0")
    with pytest.raises(
        EngineFailedError, match=r"My_Bot.py played 0, which is illegal: a1 is taken by X"
    ):
        list(self_play(SelfPlay("tictactoe", "My_Bot.py", games=1, varied_plies=0)))


def test_a_match_records_engine_position_and_reason(tmp_path):
    (tmp_path / "My_Bot.py").write_text("def choose(env): return 0")
    result = play_match(Match("tictactoe", ("My_Bot.py", "first"), pairs=1, random_plies=0))
    assert result.complete
    assert result.forfeits == (2, 0)
    assert [game.forfeit.position for game in result.games] == ["xo1/3/3 x", "x2/3/3 o"]
    assert result.remarks() == [
        "My_Bot.py forfeited 2 games: it played 0, which is illegal: a1 is taken by X "
        "(position xo1/3/3 x)."
    ]
    record = result.games[0].record(result.match)
    assert (record.ended_by, record.result) == ("forfeit", -1)


def test_the_spec_makes_the_same_player_again():
    player = make_engine("./My_Bot.py:choose,seed=3,time=2")
    assert player.spec.text == "./My_Bot.py:choose,time=2,seed=3"
    assert make_engine(player.spec).engine.digest == player.engine.digest
    assert player.name == "My_Bot.py:choose"


def test_each_game_of_a_match_starts_anew_with_a_seed_of_the_bot_too(tmp_path):
    file = tmp_path / "my_bot.py"
    file.write_text(
        "games = set()\n"
        "def choose(env):\n"
        "    games.add(tuple(env.history[:3]))\n"
        "    assert len(games) == 1\n"
        "    return env.get_legal_moves()[0]\n"
    )
    result = play_match(Match("tictactoe", (f"{file}:seed=1", "first"), pairs=3, random_plies=3))
    assert len({game.opening for game in result.games}) == 3
    assert result.forfeits == (0, 0)
