"""The arbiter: clocks, limits of a move, adjudication, repeated games."""

import itertools
import json
import random
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from rl_toolkit.algorithms.simple import FirstMoveEngine, RandomEngine
from rl_toolkit.analysis import EngineError, Limit
from rl_toolkit.arena.arbiter import referee
from rl_toolkit.arena.arbiter.adjudication import Adjudication, adjudication
from rl_toolkit.arena.arbiter.clocks import GameClock, RunningClock
from rl_toolkit.arena.arbiter.play_game import TimedAnswer
from rl_toolkit.arena.arbiter.rules import Rules, limit_from_text
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.envs import make_game
from rl_toolkit.players import EngineKind, register_engine, registry
from rl_toolkit.players.kinds.kind import limits
from rl_toolkit.records import GameRecord, read_games, read_position


@pytest.fixture(autouse=True)
def _registry(monkeypatch):
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))


class Clock:
    """A clock that only `sleep` moves; ``limits`` has the time that each question allowed."""

    def __init__(self, monkeypatch):
        self.now, self.limits = 0.0, []
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def sleep(self, seconds):
        self.now += seconds


def sleeper(clock, seconds, name="sleeper", declared=("time",)):
    """Register an engine that needs ``seconds`` for each move: a number, or a function."""

    class Sleeper(FirstMoveEngine):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            clock.limits.append(None if limit is None else limit.time)
            clock.sleep(seconds(stop) if callable(seconds) else seconds)
            return super().analyse(env)

    Sleeper.name = name
    register_engine(EngineKind(name, "sleeps", Sleeper, (*limits(*declared),)))


# ------------------------------------------------------------------------- clocks


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0", "more than 0 seconds, not 0"),
        ("-5+1", "more than 0 seconds, not -5"),
        ("5+-1", "the increment of a clock cannot be -1"),
        ("a minute", "SECONDS or SECONDS\\+INCREMENT"),
        ("60+", "SECONDS or SECONDS\\+INCREMENT"),
        ("nan", "SECONDS or SECONDS\\+INCREMENT"),
    ],
)
def test_clocks_that_no_game_can_be_played_with_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        GameClock.from_text(text)


def test_an_engine_loses_on_time_when_its_whole_clock_is_used(monkeypatch, tmp_path):
    clock = Clock(monkeypatch)
    sleeper(clock, 1.0)
    news, saved = [], tmp_path / "match.jsonl"
    plan = Match("connect-four", ("sleeper", "random"), 1, rules=Rules(GameClock(2.5)))
    result = play_match(plan, save=saved, on_news=news.append)
    for game in result.games:
        assert game.forfeit.engine == 0
        assert game.forfeit.by == "time"
        assert game.forfeit.reason == "exceeded its clock of 2.5 by 0.50 s"
        assert game.seconds == (3.0, 0.0)
        assert len(game.moves) == 4 + game.first  # two moves each; the third came too late
        assert game.result == -1
    assert result.lost_on_time == result.forfeits == (2, 0)
    assert any("sleeper exceeded its clock of 2.5 by 0.50 s" in said for said in news)
    assert "sleeper forfeited 2 games (2 on time)" in result.remarks()[0]
    assert play_match(plan, save=saved).games == result.games
    record = result.games[0].record(plan)
    assert (record.ended_by, record.result) == ("time", -1)
    assert [each.ended_by for each in read_games(saved)] == ["time", "time"]
    assert GameRecord.from_json(record.to_json()) == record


def test_the_time_of_a_failure_is_not_that_of_a_move(monkeypatch):
    """One that hangs is waited for, and its process is ended; that is no move."""
    clock = Clock(monkeypatch)

    class Hangs(FirstMoveEngine):
        name = "hangs"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            clock.sleep(2.0)
            if env.move_count > 1:
                raise EngineError(self.name, "did not answer within 2 s")
            return super().analyse(env)

    register_engine(EngineKind("hangs", "hangs", Hangs))
    result = play_match(Match("tictactoe", ("hangs", "random"), pairs=1))
    assert (result.forfeits, result.seconds_per_move()[0]) == ((2, 0), 2.0)


def test_the_increment_and_the_grace_keep_an_engine_in_time(monkeypatch):
    clock = Clock(monkeypatch)
    sleeper(clock, 1.0)
    rules = Rules(GameClock(1.0, 1.0))
    result = play_match(Match("tictactoe", ("sleeper", "random"), 1, rules=rules))
    assert result.lost_on_time == (0, 0)
    clock = Clock(monkeypatch)
    sleeper(clock, 1.04, "late")  # beyond its clock by less than the grace of 0.05 s
    rules = Rules(limit=Limit(time=1.0))
    result = play_match(Match("tictactoe", ("late", "random"), 1, rules=rules))
    assert result.lost_on_time == (0, 0)
    sleeper(clock, 1.06, "later")
    result = play_match(Match("tictactoe", ("later", "random"), 1, rules=rules))
    assert result.lost_on_time == (2, 0)
    assert result.games[0].forfeit.reason == "took 1.06 s for a move, limit 1 s"


def test_a_move_gets_a_share_of_the_clock_and_a_search_past_it_is_stopped(monkeypatch):
    clock = Clock(monkeypatch)

    def until_stopped(stop):
        return next(s for s in itertools.count(0.5, 0.5) if clock.now + s > 0 and _set(stop, s))

    def _set(stop, seconds):
        before, clock.now = clock.now, clock.now + seconds
        try:
            return stop.is_set()
        finally:
            clock.now = before

    sleeper(clock, until_stopped)
    plan = Match("connect-four", ("sleeper", "random"), 1, 0, rules=Rules(GameClock(10.0)))
    result = play_match(plan)
    assert result.lost_on_time == (2, 0)
    assert clock.limits[0] == pytest.approx(10 / 21)  # at most 21 moves each
    assert result.games[0].seconds[0] == 11.0  # the first step after 10 s and the time to stop
    late = RunningClock(GameClock(10.0))
    assert (late.press(10.04, 0.05), late.left) == (0.0, 0.0)  # within the grace
    assert RunningClock(GameClock(10.0)).press(10.06, 0.05) == pytest.approx(0.06)
    running = RunningClock(GameClock(10.0, 2.0))
    assert running.share(make_game("tictactoe")) == pytest.approx(10 / 5 + 2)
    assert running.press(9.9, 0.05) == 0.0
    assert running.left == pytest.approx(2.1)
    assert running.share(make_game("tictactoe")) == pytest.approx(1.05)  # never more than half


# ------------------------------------------------------------------------- limits


def test_work_beyond_a_limit_is_counted_and_said(tmp_path):
    class Greedy(RandomEngine):
        name = "eager"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            return replace(super().analyse(env), nodes=150, depth=9)

    register_engine(EngineKind("eager", "works", lambda: Greedy(seed=1), (*limits("nodes"),)))
    saved = tmp_path / "match.jsonl"
    plan = Match("tictactoe", ("eager:nodes=100", "random"), 2, random_plies=2)
    result = play_match(plan, save=saved)
    moves = sum(game.thought[0] for game in result.games)
    assert result.over_limit == (moves, 0)
    said = f"eager:nodes=100 reported more than its limit in {moves} moves: 150 nodes, limit 100."
    assert said in result.remarks()
    assert play_match(plan, save=saved).games == result.games
    assert json.loads(json.dumps(result.to_dict()))["over_limit"] == [moves, 0]
    roomy = play_match(Match("tictactoe", ("eager:nodes=150", "random"), 1))
    assert roomy.over_limit == (0, 0)  # depth is not a limit that it knows


def test_a_limit_of_the_match_tightens_those_of_the_engines():
    plan = Match(
        "tictactoe",
        ("mcts:simulations=50", "mcts:simulations=5"),
        1,
        rules=Rules(limit=Limit(simulations=10)),
    )
    asked = []
    from rl_toolkit.arena.runs.openings.opening import Opening
    from rl_toolkit.arena.runs.paired_game import play_paired_game

    game = play_paired_game(
        (plan, 0, Opening(), 0), lambda player, analysis, seconds: asked.append(analysis)
    )
    assert {each.simulations for each in asked[::2]} <= set(range(1, 11))
    assert max(each.simulations for each in asked[::2]) == 10
    assert max(each.simulations for each in asked[1::2]) == 5
    assert "over_limit" not in game


def test_an_engine_that_cannot_keep_a_limit_is_named_before_the_match():
    news = []
    rules = Rules(limit=Limit(nodes=10))
    play_match(Match("tictactoe", ("first", "greedy"), 1, rules=rules), on_news=news.append)
    assert news[0] == "first has no limit on nodes and cannot keep it."
    assert not any("greedy has" in said for said in news)
    with pytest.raises(ValueError, match="a clock or a time for every move, not both"):
        Rules(GameClock(1), Limit(time=1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time=0", "time must be a positive number of seconds"),
        ("nodes=-1", "nodes must be a whole number of at least 1"),
        ("nodes=1.5", "nodes must be a positive number"),
        ("visits=3", "limits are written time=N, nodes=N"),
        ("nodes=1,nodes=2", "nodes is given twice"),
    ],
)
def test_limits_that_cannot_be_kept_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        limit_from_text(text)


# ------------------------------------------------------------------- adjudication

PROVEN = [
    # X has three in a row with a free end, and one ply is left.
    ("connect-four", "415161", Adjudication(1, "exact", 1), 1),
    ("tictactoe", "b2 a1 c1 a3 a2 c2", Adjudication(0, "minimax", 3), 3),
    ("gomoku-9", "e5 a1 e6 b1 e7 a9", None, 1),
]


@pytest.mark.parametrize(("game", "moves", "expected", "plies"), PROVEN)
def test_only_a_proof_near_the_end_decides(game, moves, expected, plies):
    env = read_position(game, moves)
    before = env.get_state_hash()
    found = adjudication(env, plies)
    assert found == expected
    assert env.get_state_hash() == before
    if expected is not None:
        assert adjudication(env, plies - 1) is None


def test_gomoku_is_decided_by_a_proof_and_reversi_by_its_endgame():
    found = adjudication(read_position("gomoku-9", "e5 a1 e6 b1 e7 a9"), 9)
    assert (found.winner, found.by) == (1, "gomoku")
    env = make_game("reversi-4")
    while not env.is_terminal() and (env.board == 0).sum() > 4:
        env.step(env.get_legal_moves()[0])
    assert adjudication(env, 3) is None
    found = adjudication(env, 4)
    best = make_game("reversi-4")
    for move in env.history:
        best.step(move)
    while not best.is_terminal():  # the same result as playing on perfectly
        from rl_toolkit.players import make_player

        best.step(make_player("reversi-4", "exact").analyse(best).best_move)
    assert found.winner == best.winner


def test_an_endgame_is_judged_as_soon_as_its_empty_squares_are_few_enough():
    env, chance = make_game("reversi"), random.Random(1)
    while (env.board == 0).sum() > 6:
        env.step(chance.choice(env.get_legal_moves()))
    assert adjudication(env, 5) is None
    found = adjudication(env, 6)
    assert (found.by, found.plies) == ("exact", 6)


def test_adjudicated_games_keep_their_results_and_say_why(tmp_path):
    saved = tmp_path / "match.jsonl"
    engines = ("minimax:depth=9", "random")
    whole = play_match(Match("tictactoe", engines, 3, random_plies=2))
    plan = Match("tictactoe", engines, 3, random_plies=2, rules=Rules(adjudicate=4))
    result = play_match(plan, save=saved)
    assert result.adjudicated > 0
    ended = [game for game in result.games if game.adjudication is not None]
    for game, other in zip(result.games, whole.games, strict=True):
        assert other.moves[: len(game.moves)] == game.moves
    at_once = play_match(replace(plan, rules=Rules(adjudicate=9)))
    assert [len(game.moves) for game in at_once.games] == [1] * 6  # never before the first move
    record = ended[0].record(plan)
    assert record.ended_by == "adjudication"
    assert record.headers["adjudication"].startswith("minimax proves ")
    assert record.result == ended[0].adjudication.winner
    assert sum(each.ended_by == "adjudication" for each in read_games(saved)) == len(ended)
    assert f"{len(ended)} games ended by adjudication." in result.remarks()
    assert play_match(plan, save=saved).games == result.games


# ------------------------------------------------------------------ repeated games


def test_games_that_repeat_are_counted_and_said_once():
    news = []
    result = play_match(Match("tictactoe", ("first", "first"), 3, 0), on_news=news.append)
    assert (result.distinct, result.repeated) == (1, 5)
    assert len([said for said in news if "repeat their games" in said]) == 1
    varied = play_match(Match("tictactoe", ("random", "random"), 3, 0), on_news=news.append)
    assert varied.repeated == 0
    assert len(news) == 1


def test_a_move_that_never_came_has_no_time():
    seen = SimpleNamespace(seconds=[0.0, 0.0], thought=[0, 0])
    referee._Game._count(SimpleNamespace(seen=seen), 1, TimedAnswer(None, None, 4.5))
    assert (seen.seconds, seen.thought) == ([0.0, 0.0], [0, 0])
