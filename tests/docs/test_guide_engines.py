"""The guide to engines: the engine it builds keeps the promises that the guide lists."""

import subprocess
import sys
import threading

import pytest
from markdown_examples import blocks, run_page
from paths import ROOT
from stopping import PATIENCE

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.players import registry
from rl_toolkit.records import read_position

GUIDE = ROOT / "docs" / "guides" / "adding_engines.md"


@pytest.fixture(scope="module")
def guide():
    """The names that the guide's code defines; the registry is as before afterwards."""
    kinds = dict(registry._KINDS)
    names = run_page(GUIDE)
    registry._KINDS.clear()
    registry._KINDS.update(kinds)
    return names


@pytest.mark.parametrize("position", ["", "b2", "b2a1", "a1b2c3", "xx1/oo1/3 o", "a1b1a2b2"])
def test_it_values_every_legal_move_and_proves_only_what_is_true(guide, position):
    env = read_position("tictactoe", position)
    before = env.get_state_hash()
    analysis = guide["FlatMonteCarlo"](seed=1).analyse(env, Limit(simulations=50))
    exact = MinimaxSolver.strong().analyse(env)
    assert env.get_state_hash() == before
    assert sorted(c.move for c in analysis.candidates) == env.get_legal_moves()
    for candidate in analysis.candidates:
        if candidate.proven:
            truth = exact.candidate(candidate.move)
            assert (candidate.outcome, candidate.distance) == (truth.outcome, truth.distance)
    if any(c.outcome == "win" for c in analysis.candidates):
        assert analysis.best.outcome == "win"


def test_an_unknown_move_is_better_than_a_certain_loss_and_worse_than_a_known_one(guide):
    env = read_position("tictactoe", "xx1/1o1/3 o")
    stop = threading.Event()
    stop.set()
    stopped = guide["FlatMonteCarlo"](seed=1).analyse(env, stop=stop)
    assert stopped.best.name == "c1"
    assert (stopped.best.visits, stopped.best.proven) == (None, False)
    assert all(c.outcome == "loss" for c in stopped.candidates[1:])
    one = guide["FlatMonteCarlo"](careful=False, seed=1).analyse(env, Limit(simulations=1))
    assert [c.visits for c in one.candidates] == [1] + [None] * 5


def test_it_reports_and_stops(guide):
    seen, stop = [], threading.Event()

    def listen(analysis):
        seen.append(analysis.simulations)
        if len(seen) == 3:
            stop.set()
        raise RuntimeError("a listener's own problem")

    engine = guide["FlatMonteCarlo"](seed=1)
    analysis = engine.analyse(make_game("tictactoe"), Limit(simulations=10**9), listen, stop)
    assert seen == [100, 200, 300]
    assert analysis.simulations == 300


def test_it_works_as_a_file_of_its_own_with_workers(tmp_path):
    """The guide's code as a file: commands and worker processes know the engine."""
    code = [block.text for block in blocks(GUIDE.read_text(encoding="utf-8"))]
    parts = [
        next(text for text in code if mark in text)
        for mark in ("class FlatMonteCarlo", "register_engine(", "__main__")
    ]
    file = tmp_path / "flat.py"
    file.write_text("\n".join(parts), encoding="utf-8")
    asked = ["match", "flat:simulations=5", "random", "--game", "tictactoe", "--games", "2"]
    ran = subprocess.run(
        [sys.executable, str(file), *asked, "--workers", "2", "--json"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ran.returncode, "flat:simulations=5" in ran.stdout) == (0, True), ran.stderr
