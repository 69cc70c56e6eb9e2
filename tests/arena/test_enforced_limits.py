"""Limits on work that a match sets: who loses by them, who cannot, and whose are not checked."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

import rl_toolkit
from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.arena.arbiter.limits import WORK, WorkLimits, kept_limits, warnings
from rl_toolkit.arena.arbiter.rules import Rules
from rl_toolkit.arena.arbiter.worker_engines import new_engine
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.arena.tournaments.report import TournamentReport
from rl_toolkit.envs import make_game
from rl_toolkit.players import EngineKind, make_player, register_engine, registry
from rl_toolkit.players.kinds.kind import limits
from rl_toolkit.players.levels import levels_for
from rl_toolkit.players.registry import engine_kinds
from rl_toolkit.records import read_games

GAMES = (
    "tictactoe",
    "connect-four",
    "gomoku-9",
    "gomoku-15",
    "reversi-6",
    "reversi-8",
)


@pytest.fixture(autouse=True)
def _registry(monkeypatch):
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))


def worker(name, known, **reported):
    """Register an engine that plays at random, knows some limits, and reports this much work."""

    class Worker(RandomEngine):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            return replace(super().analyse(env), **reported)

    Worker.name = name
    register_engine(EngineKind(name, "works", lambda: Worker(seed=1), (*limits(*known),)))


def played(first, limit, pairs=1, **more):
    plan = Match("tictactoe", (first, "random"), pairs, random_plies=2, rules=Rules(limit=limit))
    return play_match(plan, **more)


def said_before(game, engine, limit):
    """What is said before a match about an engine and the limit."""
    player = make_player(game, engine)
    return warnings([engine], [player], Rules(limit=limit), make_game(game))


# ------------------------------------------------------------------------ who loses


@pytest.mark.parametrize(
    ("part", "most", "allowed", "too_much"),
    [
        ("nodes", 100, 111, 112),
        ("nodes", 100_000, 101_010, 101_011),
        ("simulations", 100, 111, 112),
        ("depth", 4, 4, 5),
    ],
)
def test_work_beyond_a_limit_of_the_match_loses_the_game(part, most, allowed, too_much, tmp_path):
    worker("honest", [part], **{part: allowed})
    worker("eager", [part], **{part: too_much})
    limit = Limit(**{part: most})
    assert played("honest", limit).forfeits == (0, 0)
    news, saved = [], tmp_path / "match.jsonl"
    result = played("eager", limit, save=saved, on_news=news.append)
    assert result.forfeits == (2, 0)
    assert [game.result for game in result.games] == [-1, -1]
    reason = f"reported {too_much:,} {part}, limit {most:,}"
    assert {game.forfeit.reason for game in result.games} == {reason}
    assert {game.forfeit.by for game in result.games} == {"forfeit"}
    assert f"eager {reason} and forfeits the game." in news
    assert any(f"eager forfeited 2 games: it {reason}" in said for said in result.remarks())
    assert played("eager", limit, save=saved).games == result.games
    assert [(each.ended_by, each.headers["forfeit"]) for each in read_games(saved)] == [
        ("forfeit", f"eager {reason}")
    ] * 2


def test_a_tighter_limit_in_the_spec_is_the_engines_own_affair():
    worker("eager", ["nodes"], nodes=150)
    result = played("eager:nodes=100", Limit(nodes=1_000))
    assert result.forfeits == (0, 0)
    assert result.over_limit == (sum(game.thought[0] for game in result.games), 0)


def test_an_engine_whose_steps_are_long_may_finish_one():
    worker("slow", ["nodes"], nodes=3_000)
    kind = registry._KINDS["slow"]
    registry._KINDS["slow"] = replace(kind, node_step=lambda env: 2_900)
    assert played("slow", Limit(nodes=100)).forfeits == (0, 0)
    registry._KINDS["slow"] = replace(kind, node_step=lambda env: 2_899)
    assert played("slow", Limit(nodes=100)).forfeits == (2, 0)
    assert said_before("tictactoe", "slow", Limit(nodes=100)) == [
        "slow searches up to 2,899 nodes between two looks at its limit; it may report that many "
        "more."
    ]


@pytest.mark.parametrize(
    ("game", "engine", "spare"),
    [
        ("connect-four", "exact", 20),
        ("connect-four", "mix:strong=exact,weak=greedy", 20),
        ("reversi-6", "exact", 20_000),
        ("reversi-8", "reversi", 20_000),
    ],
)
def test_a_step_belongs_to_an_engine_in_a_game(game, engine, spare):
    limit, env = Limit(nodes=1_000), make_game(game)
    player = make_player(game, engine).within(limit)
    (bound,) = WorkLimits.of(player, Rules(limit=limit), env).enforced
    assert (bound.most, bound.spare) == (1_000, spare)
    assert bool(said_before(game, engine, limit)) is (spare > 20)


# -------------------------------------------------------------------- who is unchecked


def test_engines_that_report_nothing_are_said_to_be_unchecked(tmp_path):
    worker("silent", ["nodes"])
    worker("treelike", ["simulations"], nodes=10**6, simulations=5)
    worker("counting", ["nodes"], nodes=5)
    limit = Limit(nodes=10)
    for name, checked in (("silent", False), ("treelike", False), ("counting", True)):
        saved = tmp_path / f"{name}.jsonl"
        result = played(name, limit, save=saved)
        moves = [sum(game.thought[side] for game in result.games) for side in (0, 1)]
        assert result.forfeits == (0, 0)
        assert list(result.unchecked) == [0 if checked else moves[0], moves[1]]
        assert result.to_dict()["unchecked"] == list(result.unchecked)
        said = [text for text in result.remarks() if f"of {name}: it has no such limit" in text]
        assert bool(said) is not checked
        assert played(name, limit, save=saved).games == result.games
    assert played("silent", Limit(time=9)).unchecked == (0, 0)
    plan = Tournament(
        "tictactoe", ("silent", "counting"), 2, random_plies=2, rules=Rules(limit=limit)
    )
    report = TournamentReport.of(play_tournament(plan))
    silent, counting = sorted(report.rows, key=lambda row: row.name != "silent")
    assert silent.unchecked > 0 == counting.unchecked
    assert [said for said in report.warnings() if "not checked" in said] == [
        f"The limit was not checked in {silent.unchecked} moves of silent: it has no such limit, "
        "or does not report its work."
    ]


@pytest.mark.parametrize(
    ("spec", "known"),
    [
        ("mix:strong=minimax,weak=random", {"depth", "nodes", "time"}),
        ("mix:strong=minimax,weak=greedy", {"nodes", "time"}),
        ("mix:strong=mcts,weak=minimax", {"nodes", "time"}),
        ("mix:strong=random,weak=first", set()),
        ("mcts", {"simulations", "nodes", "time"}),
    ],
)
def test_a_mix_keeps_what_its_engines_keep(spec, known):
    assert kept_limits(make_player("tictactoe", spec), make_game("tictactoe")) == known


#: This version of the package, asked as if it were another.
OTHER = f"package:path={Path(rl_toolkit.__file__).parents[1]},engine="


@pytest.mark.parametrize(
    ("engine", "known"),
    [
        ("mcts:simulations=5", {"simulations", "nodes", "time"}),
        ("hard", {"depth", "nodes", "time"}),
        ("Easy", {"nodes", "time"}),
        ("300", {"nodes", "time"}),
        ('"mix:strong=minimax:depth=2,weak=greedy"', {"nodes", "time"}),
        ("random", set()),
    ],
)
def test_another_version_keeps_what_its_engine_or_level_keeps(engine, known):
    player, limit = make_player("tictactoe", OTHER + engine), Limit(nodes=100)
    assert kept_limits(player, make_game("tictactoe")) == known
    rules = Rules(limit=limit)
    checks = WorkLimits.of(player.within(limit), rules, make_game("tictactoe"))
    assert (bool(checks.enforced), checks.unknown) == (bool(known), not known)
    said = f"{OTHER + engine} has no limit on nodes and cannot keep it."
    assert said_before("tictactoe", OTHER + engine, limit) == ([] if known else [said])


@pytest.mark.parametrize("engine", ["zork", "hard+", "99999", "mix:strong=zork"])
def test_what_an_engine_of_another_version_keeps_may_not_be_known(engine):
    text = OTHER + engine
    player, limit = make_player("tictactoe", text), Limit(nodes=100)
    assert said_before("tictactoe", text, limit) == [
        f"It is not known whether {text} keeps a limit on nodes."
    ]
    checks = WorkLimits.of(player.within(limit), Rules(limit=limit), make_game("tictactoe"))
    assert (checks.enforced, checks.unknown) == ((), True)


# ------------------------------------------------------- engines of the toolkit keep them


def positions(game, empty_cells=(), seed=5):
    """The start, positions on the way of a random game, and those with so many empty cells."""
    rng, env, found = random.Random(seed), make_game(game), []
    while not env.is_terminal():
        empty = int((env.board == 0).sum())
        if env.move_count in (0, 9) or empty in empty_cells:
            found.append(env.copy())
        env.step(rng.choice(env.get_legal_moves()))
    return found


def overrun(player, envs):
    """The first answer of a player that would lose it a game, in words."""
    for part in WORK:
        for most in {"nodes": (1, 300), "simulations": (1, 20), "depth": (1, 2)}[part]:
            if part not in kept_limits(player, envs[0]):
                continue
            rules = Rules(limit=Limit(**{part: most}))
            limited = player.within(rules.limit)
            checks = WorkLimits.of(limited, rules, envs[0])
            for env in envs:
                answer = limited.analyse(env.copy())
                assert getattr(answer, part) is not None or player.name == "mix"
                if said := checks.breach(answer):
                    return said
    return ""


@pytest.mark.parametrize("game", GAMES)
def test_no_engine_of_the_toolkit_can_lose_by_a_limit(game):
    envs = positions(game)
    kinds = engine_kinds(make_game(game))
    lost = {kind.name: overrun(new_engine(game, kind.name, seed=1), envs) for kind in kinds}
    assert lost == dict.fromkeys(lost, "")
    assert {"minimax", "mcts", "greedy"} <= lost.keys()


@pytest.mark.parametrize("game", ["reversi-6", "reversi-8"])
def test_endgames_that_cannot_be_stopped_at_once_stay_within_their_step(game, monkeypatch):
    envs = [env for seed in (1, 2) for env in positions(game, range(8, 14), seed)]
    engines = {spec: new_engine(game, spec, seed=1) for spec in ("exact", "reversi")}
    assert {spec: overrun(each, envs) for spec, each in engines.items()} == {
        "exact": "",
        "reversi": "",
    }
    for spec in engines:
        stepless = replace(registry._KINDS[spec], node_step=lambda env: 0)
        monkeypatch.setitem(registry._KINDS, spec, stepless)
    assert overrun(engines["exact"], envs)  # it needs its step


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "gomoku-9", "reversi-8"])
def test_no_level_can_lose_by_a_limit(game):
    env = positions(game)[-1]
    for level in levels_for(game):
        assert overrun(new_engine(game, level, seed=1), [env]) == "", level
