"""Looking back on a game: what each move kept or threw away."""

import pytest

from rl_toolkit.algorithms.connect_four_exact import ConnectFourSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.review import Review, review, review_move
from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.envs import TicTacToe
from rl_toolkit.records import from_transcript


def test_a_game_of_connect_four_thrown_away_twice():
    env = from_transcript("connect-four", "44444473765")
    before = env.get_state_hash()
    steps = []
    told = review(env, ConnectFourSolver(), on_progress=lambda *done: steps.append(done))
    assert env.get_state_hash() == before
    assert steps == [(n, 11) for n in range(1, 12)]
    assert [move.move for move in told.moves] == env.history
    solver = ConnectFourSolver()
    replay = from_transcript("connect-four", "")
    for move in told.moves:
        scores = solver.score_moves(replay)
        assert move.score_before == max(scores.values())
        assert move.score_after == scores[move.move]
        kept = (scores[move.move] > 0) - (scores[move.move] < 0)
        could = (max(scores.values()) > 0) - (max(scores.values()) < 0)
        assert move.threw_away == (kept < could)
        assert move.is_best == (scores[move.move] == max(scores.values()))
        replay.step(move.move)
    for player in (1, -1):
        mine = [move for move in told.moves if move.player == player]
        assert told.accuracy(player) == sum(not m.threw_away for m in mine) / len(mine)
        thrown = [move for move in mine if move.threw_away]
        assert told.lost_at(player) == (thrown[-1] if thrown else None)
    assert any(move.threw_away for move in told.moves)


def test_a_perfect_game_loses_nothing():
    engine, env = ConnectFourSolver(), from_transcript("connect-four", "4444")
    while not env.done and env.move_count < 20:
        env.step(engine.analyse(env).candidates[0].move)
    told = review(env, engine)
    assert told.accuracy(1) == told.accuracy(-1) == 1.0
    assert told.lost_at(1) is told.lost_at(-1) is None


def test_any_engine_and_game_will_do():
    env = TicTacToe()
    for move in (4, 1, 0, 8, 3, 5, 6):  # O leaves the diagonal's ends open, then the column
        env.step(move)
    told = review(env, MinimaxSolver.strong())
    assert env.winner == told.winner == 1
    assert told.lost_at(-1).name == "b1"
    assert told.accuracy(1) == 1.0


def test_without_proof_nothing_was_thrown_away():
    env = from_transcript("connect-four", "4455")
    told = review(env, RandomEngine(seed=1))
    assert not any(move.threw_away for move in told.moves)
    assert told.accuracy(1) == 1.0
    assert Review((), None).accuracy(1) is None


def test_an_analysis_that_does_not_know_the_move_is_refused():
    env = from_transcript("connect-four", "444444")
    analysis = ConnectFourSolver().analyse(env)
    with pytest.raises(ValueError, match="nothing of d"):
        review_move(env, 3, analysis, 7)
