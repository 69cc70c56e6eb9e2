"""How many threads a player uses: one where games are counted, all cores for a single question."""

import os
import pickle
import subprocess
import sys

import pytest

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.kernels.threads import crew
from rl_toolkit.players import Spec, engine_kinds, levels_for, make_engine, make_player, player

SEVERAL = {"minimax", "mcts", "exact", "reversi", "gomoku"}


@pytest.fixture
def six_cores(monkeypatch):
    monkeypatch.setattr(player, "cores", lambda: 6)


def threads_of(found, game="connect-four"):
    engine = found.engine
    return engine._options["threads"] if found.name == "exact" else engine.threads


def test_engines_with_threads_say_so_and_have_one_by_default():
    found = {kind.name for kind in engine_kinds() if any(o.name == "threads" for o in kind.options)}
    assert found == SEVERAL
    for name in SEVERAL:
        assert threads_of(make_engine(name)) == 1
        assert threads_of(make_engine(f"{name}:threads=3")) == 3


@pytest.mark.usefixtures("six_cores")
def test_a_single_question_uses_all_cores_unless_it_must_be_repeatable():
    for name in SEVERAL:
        assert threads_of(make_engine(name).on_all_cores()) == 6
        assert threads_of(make_engine(f"{name}:time=1").on_all_cores()) == 6
        assert threads_of(make_engine(f"{name}:threads=2").on_all_cores()) == 2
        assert threads_of(make_engine(f"{name}:threads=1").on_all_cores()) == 1
    counted = ("mcts:simulations=50", "mcts:nodes=50,time=1", "minimax:depth=3", "exact:nodes=9")
    for text in counted:
        assert threads_of(make_engine(text).on_all_cores()) == 1
    assert threads_of(make_engine("minimax").on_all_cores(Limit(depth=3))) == 1
    assert threads_of(make_engine("minimax:depth=4").on_all_cores(Limit(time=3))) == 6
    random = make_engine("random")
    assert random.on_all_cores() is random


@pytest.mark.usefixtures("six_cores")
def test_levels_with_a_rating_keep_their_single_thread():
    for game in ("connect-four", "gomoku", "reversi", "tictactoe"):
        for level, spec in levels_for(game).items():
            made = make_player(game, level)
            if Spec.read(spec).limit != Limit():
                assert made.on_all_cores() is made, (game, level)


@pytest.mark.usefixtures("six_cores")
def test_the_spec_and_a_pickled_player_have_one_thread():
    made = make_engine("mcts:time=1").on_all_cores()
    assert made.spec == make_engine("mcts:time=1").spec
    assert threads_of(pickle.loads(pickle.dumps(made))) == 1


def test_a_cap_holds_for_searches_that_begin_under_it():
    found = make_engine("mcts:threads=8")
    with crew.at_most(2):
        analysis = found.analyse(make_game("connect-four"), Limit(simulations=9000))
        with crew.at_most(1):
            assert crew.allowed(8) == 1
        assert crew.allowed(8) == 2
    assert analysis.threads == 2
    assert crew.allowed(8) == 8


FORKED = """
import os, threading
from rl_toolkit.analysis import Limit
from rl_toolkit.players import make_engine
from rl_toolkit.records import from_transcript

env = from_transcript("connect-four", "33632641126551")  # beyond the book
for name in ("mcts", "exact", "minimax"):
    engine = make_engine(f"{name}:threads=2")
    engine.analyse(env, Limit(time=0.1))
    child = os.fork()
    if child == 0:
        analysis = engine.analyse(env.copy(), Limit(time=0.1))
        os._exit(0 if analysis.threads == 2 and threading.active_count() == 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, name
    assert threading.active_count() == 1, name
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be forked")
def test_a_forked_process_can_search_with_threads_again():
    """In a process of its own: libraries of other tests may run threads, which a fork loses."""
    subprocess.run([sys.executable, "-c", FORKED], check=True)
