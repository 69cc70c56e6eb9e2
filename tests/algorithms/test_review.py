"""Looking back on a game: what each move kept or threw away."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.reference import reference_scores
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.algorithms.review import MoveReview, Review, in_hindsight, review, review_move
from rl_toolkit.algorithms.simple import GreedyEngine, RandomEngine
from rl_toolkit.analysis import Analysis, Candidate, Limit, analysis_of
from rl_toolkit.envs import ConnectFour, Reversi, TicTacToe
from rl_toolkit.records import from_transcript


@pytest.fixture(scope="module")
def scored():
    """A game of Connect Four, and the scores of all moves before each of its moves."""
    env, solver = from_transcript("connect-four", "44444473765"), ConnectFourSolver()
    replay, scores = from_transcript("connect-four", ""), []
    for move in env.history:
        scores.append(solver.score_moves(replay))
        replay.step(move)
    return env, scores


def test_a_game_of_connect_four_thrown_away_twice(scored):
    env, known = scored
    before = env.get_state_hash()
    steps = []
    told = review(env, ConnectFourSolver(), on_progress=lambda *done: steps.append(done))
    assert env.get_state_hash() == before
    assert steps == [(n, 11) for n in range(1, 12)]
    assert [move.move for move in told.moves] == env.history
    for move, scores in zip(told.moves, known, strict=True):
        assert move.score_before == max(scores.values())
        assert move.score_after == scores[move.move]
        kept = (scores[move.move] > 0) - (scores[move.move] < 0)
        could = (max(scores.values()) > 0) - (max(scores.values()) < 0)
        assert move.threw_away == (kept < could)
        assert move.is_best == (scores[move.move] == max(scores.values()))
    assert any(move.threw_away for move in told.moves)


def test_accuracy_is_what_was_kept_of_what_was_at_stake(scored):
    """By the definition: what the moves lost, over what random moves would have lost."""
    env, known = scored
    told = review(env, ConnectFourSolver())
    lost, stake, player = {1: 0.0, -1: 0.0}, {1: 0.0, -1: 0.0}, 1
    for move, scores in zip(env.history, known, strict=True):
        results = {m: (s > 0) - (s < 0) for m, s in scores.items()}
        best = max(results.values())
        lost[player] += best - results[move]
        stake[player] += sum(best - r for r in results.values()) / len(results)
        player = -player
    for player in (1, -1):
        assert lost[player] > 0
        expected = max(0.0, 1 - lost[player] / stake[player])
        assert told.accuracy(player) == pytest.approx(expected)


def test_a_perfect_game_loses_nothing():
    engine, env = ConnectFourSolver(), from_transcript("connect-four", "4444")
    while not env.done and env.move_count < 20:
        env.step(engine.analyse(env).candidates[0].move)
    told = review(env, engine)
    assert told.accuracy(1) == 1.0
    assert told.accuracy(-1) is None  # lost from the start, so nothing was at stake
    assert not any(move.threw_away for move in told.moves)


def test_any_engine_and_game_will_do():
    env = TicTacToe()
    for move in (4, 1, 0, 8, 3, 5, 6):  # O leaves the diagonal's ends open, then the column
        env.step(move)
    told = review(env, MinimaxSolver.strong())
    assert env.winner == told.winner == 1
    assert [move.name for move in told.moves if move.threw_away][-1] == "b1"
    assert told.accuracy(1) == 1.0


@pytest.mark.parametrize(
    ("score", "depth", "lost"),
    [
        (None, 7, 0.8),  # the search after the move looked as far as that of the best one
        (None, 6, 0.1),  # it did not
        (30.0, 7, 0.1),  # the engine searched both as far
    ],
)
def test_a_shallow_estimate_waits_for_a_deeper_one(score, depth, lost):
    best, played = Candidate(0, "a", 0.3, score=60.0), Candidate(1, "b", 0.2, score=score)
    before, after = TicTacToe(), moves_of(1)
    first = Analysis.of(before, "judge", [best, played], depth=8)
    reply = Analysis.of(after, "judge", [Candidate(0, "a", 0.5)], depth=depth)
    found = review_move(before, 1, in_hindsight(first, 1, reply), 1)
    assert found.value_lost == pytest.approx(lost)
    assert Review((found,), None).costliest() is found


def test_without_proof_nothing_was_thrown_away():
    env = from_transcript("connect-four", "4455")
    told = review(env, RandomEngine(seed=1))
    assert not any(move.threw_away for move in told.moves)
    assert told.accuracy(1) is None  # nobody evaluated the moves
    assert Review((), None).accuracy(1) is None


class Judge:
    """An engine that says what a table says: position after the moves → value of each move."""

    name = "judge"

    def __init__(self, table):
        self.table = table

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        values = self.table(env)
        known = [Candidate(m, str(m), v, visits=1) for m, v in values.items() if v is not None]
        known.sort(key=lambda c: -c.value)
        rest = [Candidate(m, str(m)) for m, v in values.items() if v is None]
        return analysis_of(env, "", self.name, known + rest)


def moves_of(*cells):
    env = TicTacToe()
    for cell in cells:
        env.step(cell)
    return env


def test_moves_that_cannot_be_wrong_do_not_count():
    even = review(moves_of(0, 1, 2), Judge(lambda env: dict.fromkeys(env.get_legal_moves(), 0.25)))
    assert even.accuracy(1) is even.accuracy(-1) is None

    def first_matters(env):
        first = not env.history
        return {m: 0.5 if first and m == 0 else 0.0 for m in env.get_legal_moves()}

    assert review(moves_of(0, 1, 2, 3), Judge(first_matters)).accuracy(1) == 1.0
    assert review(moves_of(8, 1, 2, 3), Judge(first_matters)).accuracy(1) == 0.0


def test_half_of_what_was_at_stake():
    def table(env):  # a random move loses 0.4 on average of six moves or more
        legal = env.get_legal_moves()
        return {m: 0.0 if m == legal[0] else -0.2 if m == legal[1] else -0.4 for m in legal}

    told = review(moves_of(1), Judge(table))
    stake = (0.2 + 7 * 0.4) / 9
    assert told.moves[0].value_lost == pytest.approx(0.2)
    assert told.moves[0].value_at_stake == pytest.approx(stake)
    assert told.accuracy(1) == pytest.approx(1 - 0.2 / stake)


def test_a_move_that_nobody_evaluated_is_judged_by_the_next_analysis_or_not_at_all():
    def knows_centre(env):
        legal = env.get_legal_moves()
        return {m: (0.5 if m == 4 else -0.1) if m in (4, 5) else None for m in legal}

    told = review(moves_of(0, 8), Judge(knows_centre))
    # After a1 the engine expects 0.5 for the other side: −0.5 instead of 0.5.
    assert told.moves[0].value_lost == pytest.approx(1.0)
    assert told.moves[0].value_at_stake == pytest.approx((0.0 + 0.6 + 1.0) / 3)
    assert told.moves[0].best == ("4",)

    def knows_nothing_later(env):
        return knows_centre(env) if not env.history else dict.fromkeys(env.get_legal_moves())

    told = review(moves_of(0, 8), Judge(knows_nothing_later))
    assert (told.moves[0].value_lost, told.moves[0].value_at_stake) == (0.0, 0.0)
    assert told.accuracy(1) is None


def test_a_proof_one_ply_later_replaces_an_estimate():
    """X lets O win at once; the engine calls all moves even before, and sees it afterwards."""

    class Shortsighted(Judge):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            if env.winning_moves(env.current_player):
                return MinimaxSolver.strong().analyse(env)
            return super().analyse(env)

    env = moves_of(0, 4, 8, 2, 1, 6)  # X plays b1 instead of stopping a3
    told = review(env, Shortsighted(lambda env: dict.fromkeys(env.get_legal_moves(), 0.0)))
    blunder = told.moves[4]
    assert (blunder.after, blunder.value_lost) == ("loss", 1.0)
    assert blunder.value_at_stake == pytest.approx(1 / 5)
    assert told.accuracy(1) == 0.0
    assert told.moves[5].after == "win"


class Remembering:
    """An engine that keeps its answers: positions repeat in many games."""

    name = "remembering"

    def __init__(self, engine):
        self.engine, self.answers = engine, {}

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        key = env.get_state_hash()
        if key not in self.answers:
            self.answers[key] = self.engine.analyse(env, limit)
        return self.answers[key]


def accuracies(judge, make, players, games):
    for number in range(games):
        env, engines = make(), {s: players(2 * number + (s > 0)) for s in (1, -1)}
        while not env.is_terminal():
            env.step(engines[env.current_player].analyse(env).best_move)
        shares = (review(env, judge).accuracy(player) for player in (1, -1))
        yield from (share for share in shares if share is not None)


def test_random_play_is_low_perfect_play_is_100_and_slips_are_between():
    """The seeds are fixed; `benchmarks/accuracy.py` measures all four games."""
    judge = Remembering(MinimaxSolver.strong(compiled=False))
    mean = {}
    for name, players in (
        ("random", lambda seed: RandomEngine(seed)),
        ("easy", lambda seed: GreedyEngine(seed, slips=0.35)),
        ("perfect", lambda seed: judge),
    ):
        shares = list(accuracies(judge, TicTacToe, players, 10))
        mean[name] = sum(shares) / len(shares)
    assert mean["random"] < 0.4
    assert mean["random"] + 0.2 < mean["easy"] < 0.9
    assert mean["perfect"] == 1.0


def test_accuracy_in_connect_four():
    judge = ConnectFourSolver(lines=False)
    random_play = list(accuracies(judge, ConnectFour, RandomEngine, 4))
    perfect = list(accuracies(judge, ConnectFour, lambda seed: judge, 1))
    assert sum(random_play) / len(random_play) < 0.4
    assert set(perfect) == {1.0}


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


def lost(player, discs, *, proven=True, choice=True):
    """A move of Reversi that lost so many discs."""
    best = ("a1",) if discs else ("b1",)
    return MoveReview(
        1, player, 1, "b1", best, None, None, discs, 0.0, proven, 0.0, has_choice=choice
    )


DISCS = st.lists(st.floats(0, 64), min_size=1, max_size=12)


@given(DISCS, DISCS)
def test_who_loses_fewer_discs_a_move_never_has_the_lower_accuracy(black, white):
    moves = [lost(1, discs) for discs in black] + [lost(-1, discs) for discs in white]
    told = Review(tuple(moves), None, counts_pieces=True)
    means = {1: sum(black) / len(black), -1: sum(white) / len(white)}
    better = min(means, key=lambda player: means[player])
    assert told.accuracy(better) >= told.accuracy(-better)


@given(st.lists(st.floats(0, 16), min_size=1, max_size=12))
def test_the_accuracy_of_a_side_in_discs_is_the_mean_of_its_moves(discs):
    told = Review(tuple(lost(1, each) for each in discs), None, counts_pieces=True)
    mean = sum(told.accuracy_of(move) for move in told.moves) / len(discs)
    assert told.accuracy(1) == pytest.approx(mean)
    assert [told.accuracy_of(lost(1, each)) for each in (0, 4, 16, 40)] == [1, 0.75, 0, 0]


def test_moves_without_a_choice_do_not_count_and_estimates_are_marked():
    forced, sure, guess = lost(1, 0, choice=False), lost(1, 8), lost(1, 4, proven=False)
    assert Review((forced,), None, counts_pieces=True).accuracy(1) is None
    told = Review((forced, sure), None, counts_pieces=True)
    assert (told.accuracy(1), told.accuracy_is_proven(1)) == (0.5, True)
    told = Review((forced, sure, guess), None, counts_pieces=True)
    assert (told.accuracy(1), told.accuracy_is_proven(1)) == (0.625, False)


def test_a_game_of_reversi_is_reviewed_in_discs():
    env = from_transcript("reversi-4", "b1c1d1a1")
    told = review(env, ReversiSolver())
    for player in (1, -1):
        moves = [move for move in told.moves if move.player == player and move.has_choice]
        mean = sum(move.score_lost for move in moves) / len(moves)
        assert told.accuracy(player) == pytest.approx(max(0, 1 - mean / 16))
