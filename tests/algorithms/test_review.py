"""Looking back on a game: what each move kept or threw away."""

import random

import pytest

from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.reference import reference_scores
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.algorithms.review import Review, review, review_move
from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi, TicTacToe
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
    assert any(move.threw_away for move in told.moves)


def test_a_perfect_game_loses_nothing():
    engine, env = ConnectFourSolver(), from_transcript("connect-four", "4444")
    while not env.done and env.move_count < 20:
        env.step(engine.analyse(env).candidates[0].move)
    told = review(env, engine)
    assert told.accuracy(1) == told.accuracy(-1) == 1.0
    assert not any(move.threw_away for move in told.moves)


def test_any_engine_and_game_will_do():
    env = TicTacToe()
    for move in (4, 1, 0, 8, 3, 5, 6):  # O leaves the diagonal's ends open, then the column
        env.step(move)
    told = review(env, MinimaxSolver.strong())
    assert env.winner == told.winner == 1
    assert [move.name for move in told.moves if move.threw_away][-1] == "b1"
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
    with pytest.raises(ValueError, match="does not cover d"):
        review_move(env, 3, analysis, 7)


def random_game(size, seed):
    env, chance = Reversi(size), random.Random(seed)
    while not env.is_terminal():
        env.step(chance.choice(env.get_legal_moves()))
    return env


def test_discs_lost_in_reversi_are_those_of_the_slow_solver():
    end, known = random_game(4, 5), {}
    told = review(end, ReversiSolver())
    position = Reversi(4)
    for move in told.moves:
        if move.number > 3:  # before that the slow solver takes long
            scores = reference_scores(position, known)
            assert move.score_lost == max(scores.values()) - scores[move.move]
        assert move.score_proven
        position.step(move.move)
    for player in (1, -1):
        lost = [move.score_lost for move in told.moves if move.player == player]
        assert told.score_lost(player, proven=True) == sum(lost) > 0
        assert told.score_lost(player, proven=False) is None
        assert told.costliest(player).score_lost == max(lost)
        assert told.costliest(player).player == player
    assert told.costliest().score_lost == max(move.score_lost for move in told.moves)


def test_estimates_and_proofs_are_not_added_up():
    end = random_game(8, 1)
    for _ in range(14):
        end.undo()
    game = Reversi()
    game.set_position(end.board, end.current_player)  # the history begins here
    for _ in range(10):
        game.step(game.get_legal_moves()[0])
    told = review(game, ReversiEngine(every_move=True), Limit(nodes=30_000))
    truth = review(game, ReversiSolver())
    assert [move.score_proven for move in told.moves][::9] == [False, True]
    for move, known in zip(told.moves, truth.moves, strict=True):
        assert move.score_lost == known.score_lost or not move.score_proven
    for player in (1, -1):
        for proven in (True, False):
            mine = [m for m in told.moves if m.player == player and m.score_proven == proven]
            assert told.score_lost(player, proven=proven) == sum(m.score_lost for m in mine)


def test_games_without_a_measure_lose_no_score():
    told = review(from_transcript("connect-four", "4455"), RandomEngine(seed=1))
    assert told.score_lost(1, proven=True) is told.score_lost(1, proven=False) is None
    assert told.costliest() is None
