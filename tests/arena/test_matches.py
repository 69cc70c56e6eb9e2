"""Matches and self-play: failing engines, the clock, changed code, scores, drawn moves."""

import importlib.util
import json
import pickle
import random
import re
import sys
import time
from pathlib import Path

import pytest

import rl_toolkit
from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.arena.arbiter.play_game import EngineFailedError, play_on
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.runs.journal import JournalError
from rl_toolkit.arena.runs.match_results import MatchResult, PlayedGame
from rl_toolkit.arena.runs.stamps import _version_code, code_of
from rl_toolkit.arena.self_play import SelfPlay, draw_move, self_play
from rl_toolkit.envs import TicTacToe, make_game
from rl_toolkit.players import EngineKind, make_player, register_engine, registry
from rl_toolkit.players.kinds.kind import limits
from rl_toolkit.players.options import Option
from rl_toolkit.records import GameRecord, position_to_text
from rl_toolkit.utils.statistics import elo


@pytest.fixture(autouse=True)
def _registry(monkeypatch):
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))


class Bot:
    """Plays the first legal move, until ``answer`` says something else."""

    name = "bot"

    def __init__(self, answer=None):
        self.answer = answer

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        good = RandomEngine(seed=1).analyse(env)
        return good if self.answer is None else self.answer(env, good)


def _raises(env, good):
    return 1 // 0


def _with_move(move):
    def answer(env, good):
        wrong = Candidate(move, "?", 0.0)
        return Analysis(env.name, "", env.current_player, "bot", (wrong,))

    return answer


def _spoils_the_game(env, good):
    env.step(env.get_legal_moves()[0])
    raise SystemExit(3)


FAILURES = {
    "raises": (_raises, "raised ZeroDivisionError: .* \\(test_matches.py, line [0-9]+\\)"),
    "leaves": (_spoils_the_game, "raised SystemExit: 3"),
    "an int": (lambda env, good: 4, "returned 4 instead of an Analysis"),
    "nothing": (
        lambda env, good: Analysis(env.name, "", env.current_player, "bot"),
        "returned an Analysis without candidates",
    ),
    "not a candidate": (
        lambda env, good: Analysis(env.name, "", env.current_player, "bot", (4,)),
        "returned 4 instead of a Candidate",
    ),
    "off the board": (_with_move(99), "played 99: .*99"),
    "no move": (_with_move(None), "played None: "),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_an_engine_that_fails_forfeits_the_game_and_the_match_goes_on(failure, tmp_path):
    answer, reason = FAILURES[failure]
    register_engine(EngineKind("bot", "fails", lambda: Bot(answer)))
    news, saved = [], tmp_path / "match.jsonl"
    plan = Match("tictactoe", ("bot", "random"), pairs=2, random_plies=2)
    result = play_match(plan, save=saved, on_news=news.append)
    assert (result.count(-1), len(result.games), result.forfeits) == (4, 4, (4, 0))
    start = result.games[0].forfeit
    assert start.engine == 0
    assert re.match(reason, start.reason), start.reason
    for game in result.games:  # it failed in the position after the last legal move
        env = make_game("tictactoe")
        for move in (*game.opening, *game.moves):
            env.step(move)
        assert game.forfeit.position == position_to_text(env)
        assert len(game.moves) == game.first
    assert news == [f"bot {start.reason} and forfeits the game."]
    assert result.remarks() == [
        f"bot forfeited 4 games: it {start.reason} (position {start.position})."
    ]
    data = json.loads(json.dumps(result.to_dict()))
    assert [each["reason"] for each in data["forfeits"]] == [g.forfeit.reason for g in result.games]
    again = play_match(plan, save=saved)  # nothing is left to play; forfeits are read back
    assert again.games == result.games
    record = GameRecord.from_json(result.games[1].record(plan).to_json())
    assert (record.ended_by, record.result) == ("forfeit", result.games[1].first * 2 - 1)


def test_a_failure_names_engine_position_and_reason_and_can_be_sent():
    env = make_game("tictactoe")
    with pytest.raises(EngineFailedError, match="bot returned 4 instead of an Analysis") as caught:
        play_on(env, {1: RandomEngine(seed=0), -1: Bot(lambda env, good: 4)})
    sent = pickle.loads(pickle.dumps(caught.value))
    assert (sent.player, sent.engine, sent.reason) == (-1, "bot", caught.value.reason)
    assert str(sent) == str(caught.value)
    assert env.move_count == 1
    register_engine(EngineKind("bot", "fails", lambda: Bot(_raises)))
    with pytest.raises(EngineFailedError, match="bot raised ZeroDivisionError"):
        list(self_play(SelfPlay("tictactoe", "bot", games=1)))


def test_an_engine_that_plays_on_its_board_does_not_change_the_game():
    def plays_ahead(env, good):
        env.step(good.best_move)
        return good

    env = make_game("tictactoe")
    play_on(env, {1: Bot(plays_ahead), -1: RandomEngine(seed=2)})
    assert env.is_terminal()


class _Clock:
    """A clock that only sleeping moves."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def sleep(self, seconds):
        self.now += seconds


def test_time_is_measured_by_the_arena_and_moves_over_the_limit_are_counted(monkeypatch):
    clock = _Clock(monkeypatch)

    def sleeps(env, good):
        clock.sleep(2.0 if env.move_count < 2 else 0.1)
        return good

    register_engine(
        EngineKind("bot", "sleeps", lambda: Bot(sleeps), (*limits("time"),)),
    )
    result = play_match(Match("tictactoe", ("bot:time=0.1", "random"), pairs=1, random_plies=0))
    moves = sum(game.thought[0] for game in result.games)
    mine, theirs = result.seconds_per_move()
    assert mine == pytest.approx((2 * 2.0 + (moves - 2) * 0.1) / moves, abs=1e-3)
    assert theirs == 0.0
    assert result.over_time == (2, 0)
    assert result.remarks() == ["bot:time=0.1 exceeded its limit in 2 moves."]
    assert result.to_dict()["over_time"] == [2, 0]


# ------------------------------------------------------------------- changed code

BOT = """
import rl_toolkit
from rl_toolkit.algorithms.simple import RandomEngine
import {helper}

class Engine(RandomEngine):
    name = "{name}"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        return {helper}.think(super().analyse(env))
"""
HELPER = "def think(analysis):\n    return analysis  # {remark}\n"


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """Write a bot and its helper module, import and register them; call it again to change them."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write(remark):
        (tmp_path / "bot_helper.py").write_text(HELPER.format(remark=remark))
        file = tmp_path / "bot_engine.py"
        file.write_text(BOT.format(helper="bot_helper", name="my-bot"))
        for name in ("bot_helper", "bot_engine"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        spec = importlib.util.spec_from_file_location("bot_engine", file)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "bot_engine", module)
        spec.loader.exec_module(module)
        registry._KINDS.pop("my-bot", None)
        register_engine(EngineKind("my-bot", "a bot in a file", module.Engine))

    return write


def test_saved_games_of_changed_code_are_not_reused_unasked(bot, tmp_path):
    saved, played = tmp_path / "match.jsonl", []
    bot("one")
    plan = Match("tictactoe", ("my-bot", "random"), pairs=2)
    first = play_match(plan, save=saved)
    same = play_match(plan, save=saved, on_pair=played.append)
    assert same.games == first.games
    assert [len(result.games) for result in played] == [4]  # only what was in the file
    bot("two")
    with pytest.raises(JournalError, match=r"the code of my-bot has changed since 4 games in .*"):
        play_match(plan, save=saved)
    kept = play_match(plan, save=saved, if_changed="keep")
    assert kept.games == first.games
    news, played = [], []
    play_match(plan, save=saved, if_changed="replay", on_pair=played.append, on_news=news.append)
    assert [len(result.games) for result in played] == [2, 4]
    assert news == [f"4 games in {saved} were played by older code and will be replayed."]
    play_match(plan, save=saved)  # the games of the new code are there now
    with pytest.raises(ValueError, match="if_changed must be one of refuse, replay, keep"):
        play_match(plan, if_changed="ask")


def test_games_without_a_named_code_are_from_an_older_version_and_count(tmp_path):
    saved = tmp_path / "match.jsonl"
    plan = Match("tictactoe", ("random", "greedy"), pairs=1)
    first = play_match(plan, save=saved)
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    del lines[1]["code"]
    for game in lines[1]["games"]:
        del game["over_time"]
    saved.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert play_match(plan, save=saved).games == first.games


def test_self_play_notices_changed_code_as_well(bot, tmp_path):
    saved = tmp_path / "games.jsonl"
    bot("one")
    plan = SelfPlay("tictactoe", "my-bot", games=2)
    first = list(self_play(plan, save=saved))
    bot("two")
    with pytest.raises(JournalError, match="the code of my-bot has changed since 2 games"):
        list(self_play(plan, save=saved))
    assert list(self_play(plan, save=saved, if_changed="keep")) == first
    assert len(list(self_play(plan, save=saved, if_changed="replay"))) == 2
    assert len(list(self_play(plan, save=saved))) == 2


def test_code_at_the_prompt_counts_by_what_it_does():
    def code(text, use="Engine"):
        scope = {"__name__": "__main__", "RandomEngine": RandomEngine}
        exec(text, scope)
        registry._KINDS.pop("typed", None)
        register_engine(EngineKind("typed", "typed", scope[use]))
        return code_of("tictactoe", make_player("tictactoe", "typed"))

    text = """
DEPTH, GAMES = 3, 10
def helper(env): return DEPTH
class Engine(RandomEngine):
    name = "typed"
    def analyse(self, env, limit=None, on_progress=None, stop=None):
        helper(env)
        return super().analyse(env)
"""
    before = code(text)
    assert code("\n\n" + text) == before
    assert code(text.replace("GAMES = 3, 10", "GAMES = 3, 20")) == before
    assert code(text.replace("GAMES = 3, 10", "GAMES = 4, 10")) != before
    assert code(text.replace("return DEPTH", "return DEPTH + 1")) != before
    assert code(text.replace("helper(env)\n", "helper(env) or None\n")) != before


def test_a_file_in_a_spec_counts(tmp_path):
    option = Option("weights", "file", None, "a file")
    register_engine(EngineKind("bot", "x", lambda weights: Bot(), (option,)))
    file = tmp_path / "weights"
    file.write_text("1")
    player = make_player("tictactoe", f"bot:weights={file}")
    before = code_of("tictactoe", player)
    assert code_of("tictactoe", player) == before
    file.write_text("2")
    assert code_of("tictactoe", player) != before


def test_a_rating_is_known_by_its_spec_and_a_mix_by_its_parts(tmp_path):
    def code(spec):
        return code_of("tictactoe", make_player("tictactoe", spec))

    assert code("400") != code("200")
    assert code("400") == code(make_player("tictactoe", "400").spec)
    bot = tmp_path / "part.py"
    bot.write_text("def choose(env):\n    return env.get_legal_moves()[0]\n")
    inner = f"mix:strong={bot},weak=random"
    mixes = [inner, f"mix:strong=first,weak='{inner}'"]
    before = [code(spec) for spec in mixes]
    assert [code(spec) for spec in mixes] == before
    bot.write_text("def choose(env):\n    return env.get_legal_moves()[-1]\n")
    assert all(code(spec) != old for spec, old in zip(mixes, before, strict=True))
    (tmp_path / "moved").mkdir()
    moved = bot.rename(tmp_path / "moved" / bot.name)
    here = code(str(moved))
    assert code(str(moved.rename(bot))) == here


def test_the_data_that_engines_play_with_counts(tmp_path):
    (tmp_path / "data").mkdir()
    found = set()
    for name in ("gomoku.weights", "reversi.book"):
        for content in ("1", "2"):
            (tmp_path / "data" / name).write_text(content)
            found.add(_version_code.__wrapped__(tmp_path))
    assert len(found) == 4
    shipped = [file.suffix for file in (Path(rl_toolkit.__file__).parent / "data").iterdir()]
    assert set(shipped) <= {".weights", ".book", ""}  # a new kind of data must be added above


# ----------------------------------------------------------------------- scores


def _result(*results):
    games = [
        PlayedGame(n // 2, n % 2, (), (n,), result, (0.0, 0.0), (1, 1))
        for n, result in enumerate(results)
    ]
    return MatchResult(Match("tictactoe", ("random", "greedy"), pairs=2), games)


def test_an_even_score_is_plus_zero_and_a_clean_sweep_has_a_lower_bound():
    even = _result(1, -1, 0, 0).to_dict()
    assert json.dumps(even["elo"]) == "0.0"
    assert even["elo_low"] < 0 < even["elo_high"]
    swept = _result(1, 1, 1, 1)
    assert swept.to_dict()["elo"] is swept.to_dict()["elo_high"] is None
    assert swept.to_dict()["elo_low"] == elo(swept.interval[0])
    assert swept.complete
    assert not _result(1, 1).to_dict()["complete"]


# --------------------------------------------------------------------- self-play


def test_a_perfect_engine_never_leaves_the_best_moves_in_self_play():
    """Drawn among all moves, most of these games would have a winner."""
    games = list(self_play(SelfPlay("tictactoe", "perfect", games=12, varied_plies=9, seed=1)))
    assert {game.result for game in games} == {0}
    assert len({tuple(game.moves) for game in games}) > 6


def _analysis(*candidates):
    return Analysis("tictactoe", "", 1, "bot", candidates)


def _drawn(*candidates):
    rng = random.Random(1)
    return {draw_move(_analysis(*candidates), rng) for _ in range(200)}


def test_moves_are_drawn_by_visits_then_priors_then_among_the_best():
    assert _drawn(Candidate(0, "a", 0.1, visits=9), Candidate(1, "b", 0.0, visits=1)) == {0, 1}
    assert _drawn(Candidate(0, "a", 0.1, visits=9), Candidate(1, "b", 0.0, visits=0)) == {0}
    assert _drawn(Candidate(0, "a", 0.1, prior=0.5), Candidate(1, "b", 0.1, prior=0.0)) == {0}
    assert _drawn(*(Candidate(n, "?", None) for n in range(3))) == {0, 1, 2}
    assert _drawn(Candidate(0, "a", 0.1), Candidate(1, "b", 0.1), Candidate(2, "c", 0.0)) == {0, 1}


def test_a_proven_result_is_never_drawn_away():
    win = Candidate(0, "a", 1.0, "win", True, 1, visits=1)
    slower = Candidate(1, "b", 1.0, "win", True, 3, visits=1)
    guess = Candidate(2, "c", 0.9, visits=500)
    loss = Candidate(3, "d", -1.0, "loss", True, 2, visits=500)
    assert _drawn(win, slower, guess, loss) == {0, 1}
    assert _drawn(guess, loss) == {2}
    assert _drawn(loss) == {3}


def test_random_self_play_still_draws_any_move():
    firsts = {g.moves[0] for g in self_play(SelfPlay("tictactoe", "random", games=40, seed=3))}
    assert len(firsts) > 6
    assert set(firsts) <= set(TicTacToe().get_legal_moves())
