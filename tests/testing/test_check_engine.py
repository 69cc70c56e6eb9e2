"""`check_engine` and the commands of the same purpose: good engines pass, each fault is found."""

import itertools
import random
import time

import pytest

import rl_toolkit.testing
from rl_toolkit.algorithms.simple import FirstMoveEngine, GreedyEngine, RandomEngine
from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.testing import RULES, EngineRuleError, check_engine, check_engines
from rl_toolkit.testing.check_engines import random_positions


@pytest.fixture(autouse=True)
def _no_bots_left_and_no_hurry(monkeypatch):
    """A busy machine is no fault of an engine; tests of slow ones have limits of their own."""
    monkeypatch.setattr(bot_process, "GRACE", 60.0)
    monkeypatch.setattr(check_engines, "GRACE", 60.0)
    yield
    bot_engine.forget_parked()
    bot_process.settle()


class Faulty:
    """The first move, with one fault."""

    name = "faulty"

    def __init__(self, fault=lambda env: None, limit=None):
        self.fault = fault

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        move = self.fault(env)
        if move is None:
            move = env.get_legal_moves()[0]
        return analysis_of(env, "", self.name, [Candidate(move, str(move))])


@pytest.mark.parametrize("make", [GreedyEngine, lambda seed: FirstMoveEngine()])
def test_good_engines_pass(make):
    check_engine(make, ["tictactoe", "reversi-6"], positions=12, limit=60)


def test_without_names_every_game_is_checked():
    done = []
    check_engine(RandomEngine, positions=12, limit=60, on_game=done.append)
    assert [(game.game, game.positions) for game in done] == [
        ("tictactoe", 12),
        ("connect-four", 12),
        ("gomoku", 12),
        ("reversi", 12),
    ]


@pytest.mark.parametrize(
    ("make", "rule", "words"),
    [
        (lambda seed: Faulty(lambda env: 99), "legal", "faulty played 99, which is illegal"),
        (lambda seed: Faulty(lambda env: 1 / 0), "legal", "faulty raised ZeroDivisionError"),
        (lambda seed: Faulty(lambda env: 0), "legal", "faulty played 0, which is illegal"),
        (
            lambda seed: Faulty(lambda env: random.choice(env.get_legal_moves())),
            "seed",
            "faulty does not repeat itself with the same seed: ",
        ),
    ],
)
def test_each_fault_is_found_with_its_position(make, rule, words):
    with pytest.raises(EngineRuleError) as broken:
        check_engine(make, ["tictactoe"], positions=30, limit=60)
    assert broken.value.rule == rule
    assert words in broken.value.sentence
    assert str(broken.value).startswith(f"{broken.value.sentence} (tictactoe, position ")
    assert not broken.value.env.is_terminal()


def test_slow_engines_and_deaf_ones(monkeypatch):
    monkeypatch.setattr(check_engines, "GRACE", 0.01)
    with pytest.raises(EngineRuleError, match=r"faulty took .* s with a limit of 0.01 s"):
        check_engine(
            lambda seed: Faulty(lambda env: time.sleep(0.1)), ["tictactoe"], positions=2, limit=0.01
        )
    with pytest.raises(EngineRuleError, match=r"went on for .* s after it was told to stop"):
        check_engine(
            lambda seed: Faulty(lambda env: time.sleep(0.1)), ["tictactoe"], positions=2, limit=60
        )


def test_a_move_that_time_chose_need_not_be_repeated():
    asked = itertools.count()

    def by_clock(env):
        time.sleep(0.01)
        return env.get_legal_moves()[next(asked) % 2 - 1]

    check_engine(lambda seed: Faulty(by_clock), ["tictactoe"], positions=3, limit=0.02)
    with pytest.raises(EngineRuleError, match="does not repeat itself with the same seed"):
        check_engine(lambda seed: Faulty(by_clock), ["tictactoe"], positions=3, limit=60)


def test_the_positions_differ_and_a_small_game_may_have_fewer():
    positions = list(random_positions("tictactoe", 200, 0))
    assert len({env.get_state_hash() for env in positions}) == 200
    assert positions[0].history == []
    assert not any(env.is_terminal() for env in positions)
    again = [env.get_state_hash() for env in random_positions("tictactoe", 200, 0)]
    assert [env.get_state_hash() for env in positions] == again
    assert len(list(random_positions("tictactoe-1x3x3", 200, 0))) < 20
    assert len(RULES) == 6


# ----------------------------------------------------------------------- the commands


def test_the_starter_is_written_once_passes_the_check_and_plays(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("engine", "new", "my_bot.py")
    assert (ran.code, "rl-toolkit engine check my_bot.py" in ran.out) == (0, True)
    games = ("tictactoe", "reversi")  # one without and one with passes
    ran = run("engine", "check", "my_bot.py", *games, "--positions", "4", "--time", "30")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "my_bot.py is fine."), ran
    assert "reversi-8: 4 positions" in ran.out
    ran = run("match", "tictactoe", "my_bot.py", "first", "--games", "2")
    assert (ran.code, "forfeit" in ran.out) == (0, False)
    before = (tmp_path / "my_bot.py").read_text()
    ran = run("engine", "new", "my_bot.py")
    assert (ran.code, "my_bot.py already exists" in ran.err) == (1, True)
    assert (tmp_path / "my_bot.py").read_text() == before
    assert run("engine", "new", "my_bot").code == 2
    assert run("engine", "new", "nowhere/my_bot.py").code == 1


@pytest.mark.parametrize(
    ("bot", "games"),
    [
        ("exact", ["connect-four", "reversi"]),
        ("hard", ["tictactoe", "connect-four", "gomoku", "reversi"]),
    ],
)
def test_without_games_those_are_checked_that_it_plays(run, monkeypatch, bot, games):
    checked = []

    def check(make, games, **options):
        checked.extend((game, make(0).spec) for game in games)

    monkeypatch.setattr(rl_toolkit.testing, "check_engine", check)
    assert run("engine", "check", bot).code == 0
    assert checked == [(game, make_player(game, bot, seed=0).spec) for game in games]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "def choose(env): return 0",
            "my_bot.py played 0, which is illegal: a1 is taken by ",
        ),
        ("def choose(env): return None", "my_bot.py returned None, which is not a move"),
        ("import zork\ndef choose(env): return 0", "my_bot.py cannot be loaded: ModuleNotFound"),
        (
            "import os\ndef choose(env): return env.get_legal_moves()[os.urandom(1)[0] % 2 - 1]",
            "my_bot.py does not repeat itself with the same seed: ",
        ),
        (
            "import time\ndef choose(env):\n if len(env.history) > 3: time.sleep(99)\n"
            " return env.get_legal_moves()[0]",
            "my_bot.py did not answer within 0.2 s (time= sets the seconds) (tictactoe, position ",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_and_the_board(run, tmp_path, monkeypatch, code, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text(code)
    seconds = "30"
    if "sleep" in code:
        monkeypatch.setattr(bot_process, "GRACE", 0.1)
        seconds = "0.2"
    ran = run("engine", "check", "my_bot.py", "tictactoe", "--time", seconds)
    assert ran.code == 1
    assert words in ran.err
    assert ran.err.startswith("Error: ")
    assert len(ran.err.splitlines()) == 1
    assert ("+---+---+---+" in ran.out) == ("cannot be loaded" not in words)


def test_a_bot_is_checked_with_its_own_options(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = (
        "import resource\ndef choose(env, time):\n"
        " assert time in {times}, time  # 60 where it is stopped\n"
        " assert resource.getrlimit(resource.RLIMIT_AS)[0] == 3000 << 20\n"
        " return env.get_legal_moves()[0]"
    )
    (tmp_path / "my_bot.py").write_text(code.format(times=(37, 60)))
    bot = "my_bot.py:time=37,memory=3000"
    ran = run("engine", "check", bot, "tictactoe", "--positions", "3")
    assert (ran.code, f"{bot} is fine." in ran.out) == (0, True), ran
    ran = run("engine", "check", bot, "tictactoe", "--positions", "3", "--time", "38")
    assert "raised AssertionError: 38" in ran.err
    (tmp_path / "my_bot.py").write_text(code.format(times=(10, 60)))  # as in a match
    ran = run("engine", "check", "my_bot.py:memory=3000", "tictactoe", "--positions", "3")
    assert ran.code == 0, ran


def test_a_bot_that_needs_more_memory_names_the_option(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text("kept = bytearray(3 << 30)\ndef choose(env): return 0")
    ran = run("engine", "check", "my_bot.py", "tictactoe", "--positions", "3")
    assert "used more than 2048 MB of memory (memory= sets the megabytes)" in ran.err


def test_a_bot_that_does_not_stop(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bot_process, "GRACE", 0.2)  # it would not hear a later one either
    code = "def choose(env, time):\n while time == 60: pass\n return env.get_legal_moves()[0]"
    (tmp_path / "my_bot.py").write_text(code)
    ran = run("engine", "check", "my_bot.py", "tictactoe", "--time", "30", "--positions", "2")
    assert (ran.code, "my_bot.py is fine." in ran.out) == (0, True), ran
    assert "was stopped before it had an answer: take a parameter stop" in ran.words


def test_a_game_that_is_too_large_for_a_bot_is_named_and_the_others_are_checked(
    run, tmp_path, monkeypatch
):
    def check(make, games, *, on_game, **_):
        if games[0].startswith("gomoku"):
            raise EngineRuleError("limit", None, "my_bot.py did not answer within 1 s")
        on_game(check_engines.CheckedGame(games[0], 2, 0.1))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rl_toolkit.testing, "check_engine", check)
    (tmp_path / "my_bot.py").write_text("def choose(env): return env.get_legal_moves()[0]")
    ran = run("engine", "check", "my_bot.py")
    assert ran.code == 0, ran
    assert "gomoku: not checked to the end: my_bot.py did not answer within 1 s" in ran.out
    assert "Too slow for gomoku: --time 30 gives it 30 seconds" in ran.out
    assert "reversi: 2 positions" in ran.out
    for bot, more in (("my_bot.py:time=40", 120), ("mcts", 3)):
        assert f"--time {more} gives it {more} seconds" in run("engine", "check", bot).out
    assert run("engine", "check", "my_bot.py", "gomoku").code == 1


def test_a_bot_says_which_games_it_plays(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "GAMES = ['tictactoe', 'othello-6']\ndef choose(env): return env.get_legal_moves()[0]"
    (tmp_path / "my_bot.py").write_text(code)
    ran = run("engine", "check", "my_bot.py", "--positions", "3", "--time", "30")
    assert [line.partition(":")[0] for line in ran.out.splitlines()[:-1]] == [
        "tictactoe",
        "othello-6",
    ]
    for game in ("tictactoe-4x4x3", "reversi-6"):
        assert make_player(game, "my_bot.py").name == "my_bot.py"
    ran = run("play", "connect-four", "--o", "my_bot.py")
    assert ran.code == 2
    assert "my_bot.py plays only tictactoe and othello-6, not connect-four" in ran.err
    assert make_game("othello-6").name == "reversi-6"


def test_levels_and_built_in_engines_can_be_checked_too(run):
    ran = run("engine", "check", "easy", "tictactoe", "--positions", "3", "--time", "30")
    assert (ran.code, "easy is fine." in ran.out) == (0, True)
    assert run("engine", "check", "zork").code == 2
    assert run("engine", "check", "missing.py").code == 2
