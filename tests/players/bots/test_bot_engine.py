"""Bots in files as engines: every form of a bot, what they get, and what is said of failures."""

import itertools
import pickle
import threading
import weakref
from types import SimpleNamespace

import pytest

from rl_toolkit.analysis import EngineError, Limit
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.records import read_position
from rl_toolkit.utils.isolation import SANDBOX_VARIABLE, worker


@pytest.fixture(autouse=True, scope="module")
def _no_bots_left():
    yield
    bot_engine.forget_parked()
    bot_process.settle()


@pytest.fixture
def bot(tmp_path):
    """Make the player of a file with this code."""
    made = []

    def make(code, options="", game="tictactoe", **more):
        file = tmp_path / "my_bot.py"
        file.write_text(code)
        player = make_player(game, f"{file}{options}", **more)
        made.append(weakref.ref(player.engine))
        return player

    yield make
    for engine in made:  # the next test can use its supervisor
        if (left := engine()) is not None:
            left.close()


@pytest.mark.parametrize(
    "code",
    [
        "def choose(env): return 4",
        "def choose(env): return 'b2'",
        "import numpy\ndef choose(env): return numpy.int8(4)",
        "class B:\n def get_best_action(self, env): return 4",
        "class B:\n def search(self, env): return 4",
        "class B:\n def choose_move(self, env): return 'B2'",
        "class B:\n def search(self, env): return 0\n def choose_move(self, env): return 4",
        "from neighbour import A\nclass B(A):\n def search(self, env): return 4",
        "class B:\n def search(self, env, maximize=True): return 4 if maximize else 0",
        "from rl_toolkit.envs import *\n"
        "class B:\n def __init__(self, seed): self.seed = seed\n"
        " def get_best_action(self, env): return 4 if self.seed == 7 else 0",
        "import neighbour\ndef choose(env): return neighbour.MOVE",
        "def choose(env):\n env.step(0); env.board[:] = 1\n return 4",
        "def choose(env, time, limit, stop, seed, on_progress):\n"
        " return 4 if (time, limit.time, stop.is_set(), seed) == (10, 10, False, 7) else 0",
    ],
)
def test_every_form_of_a_bot(bot, code, tmp_path):
    (tmp_path / "neighbour.py").write_text("MOVE = 4\nclass A:\n def analyse(s, env): return 0")
    env = make_game("tictactoe")
    analysis = bot(code, seed=7).analyse(env)
    assert (analysis.best_move, analysis.engine, analysis.seed) == (4, "my_bot.py", 7)
    assert sorted(c.move for c in analysis.candidates) == list(range(9))
    assert {c.value for c in analysis.candidates} == {None}
    assert env == make_game("tictactoe") or env.history == []


def test_a_class_with_analyse_reports_and_says_what_it_knows(bot):
    code = """
from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.records import position_to_text
import time
class B:
    name = "anything"
    def analyse(self, env, limit=None, on_progress=None, stop=None):
        best = analysis_of(env, "", "zork", [Candidate(4, "zork", 0.5), Candidate(0, "", -0.5)])
        on_progress(best)
        time.sleep(0.1)
        return best
"""
    seen = []
    analysis = bot(code).analyse(make_game("tictactoe"), on_progress=seen.append)
    assert [(c.name, c.value) for c in analysis.candidates[:3]] == [
        ("b2", 0.5),
        ("a1", -0.5),
        ("b1", None),
    ]
    assert (analysis.position, analysis.engine, analysis.value) == ("3/3/3 x", "my_bot.py", 0.5)
    assert len(analysis.candidates) == 9
    assert [partial.best_move for partial in seen] == [4]


ANALYSIS = """
from rl_toolkit.analysis import Analysis, Candidate
def choose(env):
    return Analysis(env.name, "", 1, "b", ({}))
"""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def choose(env): return 1", "played 1, which is illegal: b1 is taken"),
        ("def choose(env): return 99", "played 99, which is illegal"),
        ("def choose(env): return 10**400", "which is not a move"),
        ("def choose(env): return 'zork'", "returned 'zork': 'zork' is not a move here"),
        ("def choose(env): return '4'", "returned the text '4': a move is a number, or a name"),
        ("def choose(env): env.get_legal_moves()", "returned None, which is not a move"),
        ("def choose(env): return 4.0", "returned 4.0, which is not a move"),
        ("def choose(env): return True", "returned True, which is not a move"),
        ("def choose(env): return object", "which is not a move"),
        (
            "def choose(env):\n x = 0\n return 1 / x",
            "raised ZeroDivisionError: division by zero (my_bot.py, line 3)",
        ),
        ("def choose(env): raise ValueError('\\x1b[31ma\\nb\\x07')", "raised ValueError: a b (my_"),
        (
            "raise ValueError('\\x1b[2Ja')\ndef choose(e): 0",
            "cannot be loaded: ValueError: a (my",
        ),
        ("def choose(env): raise SystemExit(3)", "raised SystemExit: 3 (my_bot.py, line 1)"),
        ("def choose(env): import zork", "raised ModuleNotFoundError: No module named 'zork'"),
        ("import os\ndef choose(env): os._exit(3)", "ended (exit code 3)"),
        ("import os\ndef choose(env): os.kill(os.getpid(), 11)", "crashed (signal SIGSEGV)"),
        (
            "import os, socket\ndef choose(env):\n for file in os.listdir('/dev/fd'):\n"
            "  if os.path.realpath(f'/dev/fd/{file}').count('socket'):\n"
            "   os.write(int(file), b'x' * 99)",
            "sent something that is not an answer",
        ),
        ("import zork\ndef choose(env): return 4", "cannot be loaded: ModuleNotFoundError"),
        ("class B:\n def __init__(self, x): 0\n def search(self, e): 0", "cannot be loaded: TypeE"),
        (ANALYSIS.format(""), "returned an Analysis without candidates"),
        (ANALYSIS.format("Candidate(1, 'b1', 0.0),"), "played 1, which is illegal"),
        (ANALYSIS.format("Candidate(4, 'b2', 7.0),"), "returned the value 7 for b2; values are"),
        (
            ANALYSIS.format("Candidate(4, 'b2', float('nan')),"),
            "returned a wrong Analysis: value of b2 is nan, which is not a number",
        ),
        (
            ANALYSIS.format("Candidate(4, 'b2', 0.5, uct=-float('inf')),"),
            "returned a wrong Analysis: uct of b2 is -inf, which is not a number",
        ),
        (
            ANALYSIS.format("Candidate(4, 'b2', 0.5),), value=float('inf'"),
            "returned a wrong Analysis: value is inf, which is not a number",
        ),
        (ANALYSIS.format("Candidate(4, 'b2', 'a'),"), "returned a wrong Analysis: TypeError: "),
        (
            ANALYSIS.format("Candidate(4, 'b2', note={1}),"),
            "returned a wrong Analysis: set cannot be sent",
        ),
        (ANALYSIS.format("Candidate(4, ''), Candidate(4, '')"), "with a move twice"),
    ],
)
def test_what_went_wrong_is_one_sentence_with_the_position(bot, code, words):
    env = read_position("tictactoe", "a1b1")
    player = bot(code)
    with pytest.raises(EngineError) as failed:
        player.analyse(env)
    assert words in failed.value.reason
    assert str(failed.value) == f"my_bot.py {failed.value.reason} (position xo1/3/3 x)"
    assert pickle.loads(pickle.dumps(failed.value)).reason == failed.value.reason


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def choose(env): return [0] * 10**9 and 4", "used more"),
        ("def choose(env):\n kept = []\n while True: kept.append(0)", "used more"),
        (
            "kept = []\nwhile True: kept.append(object())\ndef choose(env): return 4",
            "cannot be loaded: it used more",
        ),
    ],
)
def test_memory_is_limited(bot, code, words):
    player = bot(code, ":memory=160,time=60,load=60")
    with pytest.raises(EngineError) as failed:
        player.analyse(make_game("tictactoe"))
    assert failed.value.reason == f"{words} than 160 MB of memory (memory= sets the megabytes)"


@pytest.mark.parametrize(("signal", "by"), [(9, "killed"), (15, "killed"), (11, "forfeit")])
def test_a_bot_that_was_killed_has_not_lost(bot, signal, by):
    player = bot(f"import os\ndef choose(env): os.kill(os.getpid(), {signal})")
    with pytest.raises(EngineError) as failed:
        player.analyse(make_game("tictactoe"))
    assert failed.value.by == by


def test_there_is_memory_for_the_answer_of_a_bot_that_keeps_all_of_it(bot):
    code = "kept = []\ndef choose(env):\n while True: kept.append('x%d' % len(kept))"
    for megabytes in (134, 142, 150):  # what is free at the end depends on the limit
        with pytest.raises(EngineError, match=f"used more than {megabytes} MB of memory"):
            bot(code, f":memory={megabytes},time=60").analyse(make_game("tictactoe"))


def test_a_bot_without_memory_gets_a_new_process(bot, tmp_path, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")  # the bot leaves a file
    code = f"""
import pathlib
mark, kept = pathlib.Path({str(tmp_path / "mark")!r}), []
def choose(env):
    if mark.exists(): return len(kept)
    mark.touch()
    while True: kept.append(bytes(1 << 20))
"""
    player = bot(code, ":memory=160,time=60")
    with pytest.raises(EngineError, match="used more than 160 MB of memory"):
        player.analyse(make_game("tictactoe"))
    assert player.analyse(make_game("tictactoe")).best_move == 0


def test_files_are_limited_and_the_folder_is_empty_and_gone_afterwards(bot, tmp_path):
    code = """
import os, sys
def choose(env):
    assert os.listdir() == [] and sys.stdin.read() == ""
    assert os.environ["HOME"] == os.environ["TMPDIR"] == os.getcwd()
    assert "SECRET" not in os.environ
    with open("big", "wb") as file:
        try:
            file.write(bytes(100 << 20)); file.flush()
        except OSError as error:
            return str(os.getcwd())
"""
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("SECRET", "1")
        with pytest.raises(EngineError) as failed:
            bot(code).analyse(make_game("tictactoe"))
    assert "rl-toolkit-" in failed.value.reason
    bot_engine.forget_parked()


def test_a_slow_bot_loses_its_move_and_the_next_one_gets_a_new_process(bot, tmp_path, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")  # the bot leaves a file
    mark = tmp_path / "mark"
    code = f"""
import pathlib, time
mark = pathlib.Path({str(mark)!r})
def choose(env):
    if not mark.exists():
        print("thinking ...")
        mark.touch()
        time.sleep(1000)
    return 4
"""
    player = bot(code)
    player.engine.prepare("tictactoe")
    # The second is over when the bot has begun to think, however busy the machine is: from then
    # on two seconds pass between any two looks at the clock.
    looks = itertools.count(1000.0, 2.0)
    clock = SimpleNamespace(monotonic=lambda: next(looks) if mark.exists() else 1000.0)
    monkeypatch.setattr(worker, "time", clock)
    with pytest.raises(EngineError) as failed:
        player.analyse(make_game("tictactoe"), Limit(time=1))
    monkeypatch.undo()
    assert failed.value.reason == "did not answer within 1 s"
    assert player.engine.printed == "thinking ...\n"
    assert failed.value.position == "3/3/3 x"
    assert player.analyse(make_game("tictactoe")).best_move == 4


def test_an_analysis_that_is_none_of_ours(bot):
    """What the bot's process sends may be anything: it is checked here."""
    player, env = bot("def choose(env): return 4"), make_game("tictactoe")
    for data in (None, 7, {}, {"version": 2, "candidates": 3}):
        with pytest.raises(Exception, match="returned a wrong Analysis: "):
            player.engine._read(env, "", {"analysis": data}, 0.0)
    for answer in ({"move": "x"}, {"move": True}, {"returned": 3}, {"raised": 3}, {}):
        with pytest.raises(Exception, match="which is not a move"):
            player.engine._read(env, "", answer, 0.0)


def test_a_stop_ends_a_bot_that_asks_for_it_and_one_that_does_not(bot, monkeypatch):
    monkeypatch.setattr(bot_process, "GRACE", 60.0)
    stop = threading.Event()
    stop.set()
    patient = bot("def choose(env, stop):\n while not stop.is_set(): pass\n return 4")
    assert patient.analyse(make_game("tictactoe"), stop=stop).best_move == 4
    assert patient.analyse(make_game("tictactoe"), stop=stop).best_move == 4
    monkeypatch.setattr(bot_process, "GRACE", 0.1)
    deaf = bot("def choose(env):\n while True: pass")
    with pytest.raises(EngineError, match="was stopped before it had an answer"):
        deaf.analyse(make_game("tictactoe"), stop=stop)


def test_what_it_prints_is_kept_up_to_a_limit(bot):
    code = "import os\ndef choose(env):\n print('one')\n os.system('echo two')\n return 4"
    player = bot(code)
    analysis = player.analyse(make_game("tictactoe"))
    assert analysis.notes == ("It printed: one two",)
    assert player.engine.printed == "one\ntwo\n"
    loud = bot("def choose(env):\n for _ in range(300): print('x' * 9999)\n return 4")
    analysis = loud.analyse(make_game("tictactoe"))
    assert analysis.best_move == 4
    assert len(analysis.notes[0]) < 300
    assert loud.engine.printed.endswith(f"… and {3_000_000 - (1 << 16):,} bytes more")


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "reversi-6", "gomoku-9"])
def test_it_sees_the_position_and_how_it_arose(bot, game):
    code = """
def choose(env):
    print(env.name, env.history, env.board.tolist(), env.current_player)
    return env.get_legal_moves()[-1]
"""
    player = bot(code, game=game)
    env = make_game(game)

    def seen():
        player.analyse(env)
        return player.engine.printed.strip()

    def expected():
        return f"{env.name} {env.history} {env.board.tolist()} {env.current_player}"

    for _ in range(4):
        env.step(env.get_legal_moves()[-1])
        assert seen() == expected()
    env.undo()
    assert seen() == expected()
    env.step(env.get_legal_moves()[0])
    assert seen() == expected()
    env.board, env.current_player = env.board, env.current_player  # the history begins anew
    assert env.history == []
    assert seen() == expected()
    env.step(env.get_legal_moves()[0])
    assert seen() == expected()
    other = make_game(game)
    other.reset(first_player=-1)
    env = other
    assert seen() == expected()


def test_the_same_seed_gives_the_same_answers_and_a_new_game_a_new_start(bot):
    code = """
import random, numpy
asked = 0
def choose(env):
    global asked
    asked += 1
    print(asked, random.random(), numpy.random.rand(), hash("text"))
    return env.get_legal_moves()[0]
"""
    env, printed = make_game("tictactoe"), []
    for seed in (1, 1, 2):
        player = bot(code, seed=seed)
        for _ in range(2):
            player.analyse(env)
            printed.append(player.engine.printed)
        del player  # its process is not kept for the next one
    assert printed[:2] == printed[2:4]
    assert printed[0] != printed[4]


def test_a_process_is_kept_for_the_next_engine_with_the_same_code(bot):
    code = "import time\nborn = time.monotonic_ns()\ndef choose(env):\n print(born)\n return 4"
    env, births = make_game("tictactoe"), []
    for _ in range(2):
        player = bot(code)
        player.analyse(env)
        births.append(player.engine.printed)
        del player
    player = bot(f"{code}\n# changed")
    player.analyse(env)
    assert births[0] == births[1] != player.engine.printed


def test_a_finished_game_needs_no_bot_and_a_player_can_be_pickled(bot):
    player = bot("def choose(env): return 4")
    assert player.analyse(read_position("tictactoe", "a1a2b1b2c1")).best_move is None
    twin = pickle.loads(pickle.dumps(player))
    assert twin.analyse(make_game("tictactoe")).best_move == 4
