"""Nine bots that misbehave play a whole match: each failure is a forfeit, and nothing is left."""

import gc
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from rl_toolkit.analysis import EngineError, Limit
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.runs import paired_game, playing
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.utils.executors import LocalProcesses
from rl_toolkit.utils.isolation import SANDBOX_VARIABLE, supervisor

#: Each leaves its mark, an argument of its processes, where it starts any.
BAD = {
    "sleeps": ("import time\ndef choose(env): time.sleep(9999)", "did not answer within"),
    "forks": (
        """
import os, sys, time
def choose(env):
    for leave_group in (False, True):
        if os.fork() == 0:
            if leave_group:
                os.setsid()
                if os.fork():
                    os._exit(0)
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(9999)", MARK])
    time.sleep(9999)
""",
        "did not answer within",
    ),
    "prints": ("def choose(env):\n while True: print('x' * 100_000)", "did not answer"),
    "fills_memory": (
        "def choose(env):\n kept = []\n while True: kept.append(bytes(10 << 20))",
        "used more than 256 MB of memory",
    ),
    "exits": ("import os\ndef choose(env): os._exit(0)", "ended (exit code 0)"),
    "raises": ("def choose(env): raise KeyError('x')", "raised KeyError: 'x' (raises.py, line 1)"),
    "nonsense": ("def choose(env): return {'move': 4}", "returned {'move': 4}, which is not a"),
    "illegal": ("def choose(env): return 100", "played 100, which is illegal"),
    "hangs": ("def choose(env): return 4\nwhile True: pass", "was not loaded within 0.2 s"),
}
#: Those that never answer need not be waited for; a busy machine may delay the others.
NEVER_ANSWER = ("sleeps", "forks", "prints")
FORKS_AND_ANSWERS = BAD["forks"][0].replace("    time.sleep(9999)\n", "    return 4\n")


@pytest.fixture(autouse=True)
def _no_bots_left():
    yield
    bot_engine.forget_parked()
    bot_process.settle()


def bots_in(folder: Path, mark: str) -> dict[str, str]:
    """The bad bots as files; the spec of each."""
    specs = {}
    for name, (code, _) in BAD.items():
        file = folder / f"{name}.py"
        file.write_text(f"MARK = {mark!r}\n" if "MARK" in code else "")
        with file.open("a") as added:
            added.write(code)
        seconds = 0.1 if name in NEVER_ANSWER else 60
        load = 0.2 if name == "hangs" else 60
        specs[name] = f"{file}:time={seconds},memory=256,load={load}"
    return specs


def running(mark: str) -> list[int]:
    """The processes that have ``mark`` among their arguments."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                text = Path(f"/proc/{entry}/cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in text.split(b"\0"):
                found.append(int(entry))
    return found


def below(pid: int) -> list[str]:
    """The state and the command of every process that ``pid`` has started, at any depth."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                name, _, rest = Path(f"/proc/{entry}/stat").read_text().rpartition(")")
            except OSError:
                continue
            parents[int(entry)] = (int(rest.split()[1]), f"{rest.split()[0]} {name}")
    found, waiting = [], [pid]
    while waiting:
        above = waiting.pop()
        children = [child for child, (parent, _) in parents.items() if parent == above]
        found += [parents[child][1] for child in children]
        waiting += children
    return found


@pytest.fixture
def no_collector():
    """Without the garbage collector, which would hide that a failed bot is still referred to."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def supervisors() -> set[int]:
    return {each.process.pid for each in supervisor.supervisors}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")
def test_nine_bad_bots_play_a_whole_match_and_leave_nothing(tmp_path, no_collector):
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    others = {pid for pid in supervisors() if below(pid)}  # bots of other tests
    specs = bots_in(tmp_path, mark)
    names = list(specs)
    for number in range(0, len(names), 2):  # every bot is first once, the first one twice
        pair = names[number], names[(number + 1) % len(names)]
        result = play_match(Match("tictactoe", (specs[pair[0]], specs[pair[1]]), 1, 0))
        assert result.complete
        for game in result.games:
            # Whoever moves first fails first; "raises.py, line 1" is where its code stands.
            assert game.forfeit is not None
            assert game.forfeit.engine == game.first
            assert BAD[pair[game.first]][1] in game.forfeit.reason
            assert game.forfeit.position == "3/3/3 x"
            assert game.result == (-1 if game.first == 0 else 1)
    # Every other game is as it is without them.
    honest = Match("tictactoe", ("greedy:seed=1", "random:seed=2"), pairs=2, random_plies=1)
    assert not any(play_match(honest).forfeits)
    bot_engine.forget_parked()
    bot_process.settle()
    assert running(mark) == []
    for pid in supervisors() - others:
        assert below(pid) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")
def test_processes_that_a_good_bot_starts_end_with_it(tmp_path):
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    file = tmp_path / "forks.py"
    file.write_text(f"MARK = {mark!r}\n{FORKS_AND_ANSWERS}")
    player = make_player("tictactoe", f"{file}:ponder=on")  # else they are frozen with it
    assert player.analyse(make_game("tictactoe")).best_move == 4
    while len(running(mark)) < 2:  # they may take a moment to start
        time.sleep(0.01)
    player.engine.close()
    bot_process.settle()
    assert running(mark) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")
@pytest.mark.parametrize("end", ["exits", "is killed"])
def test_nothing_is_left_when_our_process_ends(tmp_path, end):
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    file = tmp_path / "forks.py"
    file.write_text(
        f"MARK = {mark!r}\n{BAD['forks'][0]}".replace("time.sleep(9999)\n", "return 4\n")
    )
    script = (
        "import os, sys\n"
        "from rl_toolkit.envs import make_game\n"
        "from rl_toolkit.players import make_player\n"
        "player = make_player('tictactoe', sys.argv[1] + ':ponder=on')\n"
        "player.analyse(make_game('tictactoe'))\n"
        "print('ready', flush=True)\n"
        "sys.stdin.read()\n"
    )
    ours = subprocess.Popen(
        [sys.executable, "-c", script, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with ours:
        assert ours.stdout.readline() == "ready\n"
        while len(running(mark)) < 2:
            time.sleep(0.01)
        if end == "is killed":
            ours.kill()
    if end == "exits":  # then everything has ended before us
        assert ours.returncode == 0
        assert running(mark) == []
    while running(mark):
        time.sleep(0.01)


def test_a_bot_that_ends_its_supervisor_fails_and_the_next_move_works(tmp_path, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")  # else it cannot
    folders = tmp_path / "folders"
    folders.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folders))
    file = tmp_path / "rude.py"
    file.write_text(
        "import os, time\ndef choose(env):\n os.kill(os.getppid(), 9)\n time.sleep(9999)"
    )
    with pytest.raises(EngineError, match="closed its connection"):
        make_player("tictactoe", str(file)).analyse(make_game("tictactoe"))
    assert list(folders.iterdir()) == []
    file.write_text("def choose(env): return 4")
    player = make_player("tictactoe", str(file))
    assert player.analyse(make_game("tictactoe"), Limit(time=30)).best_move == 4
    assert len(list(folders.iterdir())) == 1
    player.engine.close()
    bot_process.settle()
    assert list(folders.iterdir()) == []


def test_a_bot_that_hangs_while_it_is_loaded_is_waited_for_once(tmp_path, monkeypatch):
    monkeypatch.setattr(paired_game, "_LONG", 0.1)
    tries, games, news = [], [], []
    real_bot, real_game = bot_engine.BotProcess, playing.play_paired_game
    monkeypatch.setattr(bot_engine, "BotProcess", lambda code: tries.append(1) or real_bot(code))
    monkeypatch.setattr(
        playing, "play_paired_game", lambda task: games.append(1) or real_game(task)
    )
    spec = bots_in(tmp_path, "")["hangs"]
    match = Match("tictactoe", ("first", spec), pairs=3, random_plies=1)
    result = play_match(match, on_news=lambda text: news.append((len(games), text)))
    assert result.forfeits == (0, 6)
    assert len(tries) == 1
    assert news == [(1, f"{spec} {result.games[0].forfeit.reason} and forfeits the game.")]
    # Another match tries again; one engine does not.
    play_match(match)
    assert len(tries) == 2
    player = make_player("tictactoe", spec)
    for _ in range(3):
        with pytest.raises(EngineError, match=r"was not loaded within 0\.2 s \(load= sets"):
            player.analyse(make_game("tictactoe"))
    assert len(tries) == 3


@pytest.mark.full
def test_bad_bots_in_worker_processes(tmp_path):
    specs = bots_in(tmp_path, "mark")
    match = Match("tictactoe", (specs["exits"], specs["sleeps"]), pairs=4, random_plies=0)
    result = play_match(match, executor=LocalProcesses(2))
    assert result.forfeits == (4, 4)
