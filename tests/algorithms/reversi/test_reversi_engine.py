"""The engine `reversi`: looks ahead with its evaluation and proves the end."""

import threading

import numpy as np
import pytest
from reversi_positions import position, words

from rl_toolkit.algorithms.reversi import engine as reversi_engine
from rl_toolkit.algorithms.reversi.engine import DEPTH_BEFORE_PROOFS, EVERY_UP_TO, ReversiEngine
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.algorithms.reversi.weights import shipped_weights
from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import ConnectFour, Reversi
from rl_toolkit.kernels.jit import i64, kernel, pointer, u64, word_array
from rl_toolkit.kernels.reversi import endgame_search
from rl_toolkit.kernels.reversi.board import CELLS
from rl_toolkit.kernels.reversi.estimate import estimate
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.kernels.rules.reversi import flips_plain, moves_plain
from rl_toolkit.players import make_engine


@kernel(i64(u64, u64, word_array))
def estimated(mine, theirs, block):
    return estimate(mine, theirs, pointer(block))


def minimax(mine, theirs, depth, block):
    """The obvious search: estimates at the horizon, discs at the end, no pruning."""
    if depth == 0:
        return estimated(np.uint64(mine), np.uint64(theirs), block)
    cells = int(block[CELLS])
    moves = int(moves_plain(np.uint64(mine), np.uint64(theirs))) & cells
    if not moves:
        if not int(moves_plain(np.uint64(theirs), np.uint64(mine))) & cells:
            ahead = mine.bit_count() - theirs.bit_count()
            left = 64 - (mine | theirs).bit_count()
            return 16 * (ahead + left * ((ahead > 0) - (ahead < 0)))
        return -minimax(theirs, mine, depth, block)
    best = -(10**9)
    for i in range(64):
        if moves >> i & 1:
            turned = int(flips_plain(np.uint64(1 << i), np.uint64(mine), np.uint64(theirs)))
            after, own = theirs & ~turned, mine | turned | 1 << i
            best = max(best, -minimax(after, own, depth - 1, block))
    return best


@pytest.mark.parametrize("empties", [6, 20, 44])
def test_thinking_is_minimax(empties):
    thinker = Thinker(8, 1)
    for seed in range(4):
        mine, theirs = words(position(empties, seed))
        for depth in (1, 2, 3, 4):
            expected = minimax(mine, theirs, depth, thinker.block) / 16
            assert thinker.think(mine, theirs, depth, 1000) == expected


def test_a_bound_is_enough():
    thinker = Thinker(8, 1)
    mine, theirs = words(position(30, 1))
    exact = thinker.think(mine, theirs, 5, 1000)
    low = thinker.think(mine, theirs, 5, exact - 3)
    assert exact - 3 <= low <= exact


def test_it_is_an_engine_that_estimates_every_move():
    engine, env = ReversiEngine(), position(40, 3)
    assert isinstance(engine, Engine)
    seen = []
    analysis = engine.analyse(env, Limit(depth=8), on_progress=seen.append)
    assert sorted(c.move for c in analysis.candidates) == env.get_legal_moves()
    assert not analysis.proven
    assert all(c.outcome is None for c in analysis.candidates)
    assert [partial.depth for partial in seen] == [1, 2, 3, 4, 5, 6, 7, 8]
    scores = [c.score for c in seen[EVERY_UP_TO - 1].candidates]
    assert scores == sorted(scores, reverse=True)
    values = [c.value for c in analysis.candidates]
    assert values == sorted(values, reverse=True)


def test_what_is_only_a_bound_is_called_one():
    env = position(40, 3)
    engine = ReversiEngine(selective=False)
    best, *others = engine.analyse(env, Limit(depth=6)).candidates
    own = ReversiEngine(selective=False, every_move=True).analyse(env, Limit(depth=6))
    true_scores = {c.move: c.score for c in own.candidates}
    assert (best.score, best.note) == (true_scores[best.move], None)
    bounds = [c for c in others if c.score_bound == "upper"]
    assert len(bounds) > 3
    for candidate in bounds:
        assert candidate.value < best.value
        assert true_scores[candidate.move] <= candidate.score <= best.score
    for candidate in others:  # some seemed best until a better one was found
        if candidate not in bounds:
            assert (candidate.score, candidate.note) == (true_scores[candidate.move], None)


def test_lines_tell_what_it_expects():
    env = position(36, 4)
    analysis = ReversiEngine(selective=False).analyse(env, Limit(depth=7))
    assert len(analysis.line) >= 4
    for candidate in analysis.candidates:
        assert candidate.line[0] == candidate.move
        assert len(candidate.line) <= 7
        game = env.copy()
        for move in candidate.line:  # each is a legal move, or this raises
            game.step(move)
    game = env.copy()
    for move in analysis.line[:2]:
        game.step(move)
    thinker = Thinker(8, 1, shipped_weights())  # a look from further on sees what was promised
    assert thinker.think(*words(game), 5, 1000) == analysis.candidates[0].score


def test_near_the_end_the_best_move_is_proven():
    for seed in range(5):
        env = position(12, seed)
        analysis = ReversiEngine().analyse(env, Limit(nodes=10**9))
        assert analysis.proven
        assert analysis.candidates[0].score == ReversiSolver().solve(env)


def test_before_a_proof_every_move_gets_its_own_estimate():
    """What a move seems to get at most says too little once the best turns out to be worse."""
    seen = []
    ReversiEngine().analyse(position(12, 2), Limit(nodes=50_000), on_progress=seen.append)
    assert seen[-1].depth == DEPTH_BEFORE_PROOFS > EVERY_UP_TO
    estimates = [c for analysis in seen for c in analysis.candidates if not c.proven]
    assert estimates
    assert {c.score_bound for c in estimates} == {"exact"}


def test_every_move_gets_an_estimate_or_a_proof_of_its_own():
    env = position(40, 3)
    engine = ReversiEngine(every_move=True, selective=False)
    analysis = engine.analyse(env, Limit(depth=5))
    for candidate in analysis.candidates:
        after = env.copy()
        after.step(candidate.move)
        assert candidate.score == -engine.analyse(after, Limit(depth=4)).candidates[0].score
    env = position(12, 2)
    scores = {c.move: c.score for c in engine.analyse(env, Limit(nodes=10**9)).candidates}
    assert scores == ReversiSolver().score_moves(env)


def test_depth_and_nodes_make_it_repeatable():
    env = position(30, 5)
    for limit in (Limit(depth=6), Limit(nodes=3000)):
        first, second = (ReversiEngine().analyse(env, limit) for _ in range(2))
        assert first.candidates == second.candidates
        assert first.nodes == second.nodes
    assert second.nodes <= 3001


def test_it_beats_a_random_player_on_every_board():
    for size, opponent in ((4, 1), (6, 2), (8, 3)):
        env, other = Reversi(size), RandomEngine(seed=opponent)
        while not env.is_terminal():
            if env.current_player == -1:  # who moves second wins 4×4 and 6×6
                env.step(ReversiEngine().analyse(env, Limit(depth=4)).best_move)
            else:
                env.step(other.analyse(env).best_move)
        assert env.winner == -1


def test_no_time_is_spent_on_the_only_move():
    """Ten minutes are allowed, and the move is known: whoever plays wants it at once."""
    env = position(30, 4635)
    assert len(env.get_legal_moves()) == 1
    analysis = ReversiEngine().analyse(env, Limit(time=600))
    assert analysis.depth == DEPTH_BEFORE_PROOFS
    assert analysis.candidates[0].score is not None
    assert ReversiEngine().analyse(env, Limit(depth=8)).depth == 8  # but what is asked for is done


def test_a_pass_and_a_finished_game():
    env = Reversi(4)
    env.set_position(np.array([-1, 1] + [0] * 14, np.int8), 1)
    assert ReversiEngine().analyse(env, Limit(depth=3)).best_move == env.pass_move
    env.set_position(np.array([1] * 16, np.int8), 1)
    assert ReversiEngine().analyse(env).candidates == ()


def test_stopped_before_it_began_it_still_answers():
    stop = threading.Event()
    stop.set()
    env = position(30, 7)
    analysis = ReversiEngine().analyse(env, stop=stop)
    assert analysis.best_move in env.get_legal_moves()
    assert not analysis.proven
    glance = ReversiEngine().analyse(env, Limit(depth=1))
    assert [c.score for c in analysis.candidates] == [c.score for c in glance.candidates]


def test_it_has_a_name_and_options():
    player = make_engine("reversi:depth=2,seed=1,memory=8")
    assert isinstance(player.engine, ReversiEngine)
    assert not player.engine.every_move
    assert player.engine.selective
    assert not make_engine("reversi:selective=off").engine.selective
    assert make_engine("reversi:every=on").engine.every_move
    assert (player.engine.max_memory_mb, player.engine.seed) == (8, 1)
    assert player.analyse(Reversi()).depth == 2


def test_what_it_refuses():
    with pytest.raises(ValueError, match="do not play connect-four"):
        ReversiEngine().analyse(ConnectFour())
    with pytest.raises(ValueError, match="positive"):
        ReversiEngine(max_memory_mb=0)


@pytest.mark.parametrize(
    ("seconds", "empties"),
    [(0.02, 14), (0.05, 16), (0.1, 19), (0.2, 19), (0.5, 20), (1, 22), (2, 22), (5, 24)],
)
def test_when_proofs_begin(seconds, empties):
    """As measured by `benchmarks/reversi_proofs.py`; every move costs as much as two squares."""
    assert reversi_engine._can_prove(empties, Limit(time=seconds), every_move=False)
    assert not reversi_engine._can_prove(empties + 1, Limit(time=seconds), every_move=False)
    assert reversi_engine._can_prove(empties - 2, Limit(time=seconds), every_move=True)
    assert not reversi_engine._can_prove(empties - 1, Limit(time=seconds), every_move=True)


def test_proofs_are_compiled_only_when_one_begins(monkeypatch):
    made = []
    monkeypatch.setattr(endgame_search.is_above, "make", lambda: made.append("proofs"))
    ReversiEngine().analyse(Reversi(), Limit(depth=1))
    assert made == []
    late = position(12, seed=1)
    ReversiEngine().analyse(late, Limit(time=600))  # it ends with the proof
    assert made == ["proofs"]
