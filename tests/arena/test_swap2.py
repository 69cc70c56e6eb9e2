"""Swap2: the players make the opening, in matches and tournaments, resumed and repeated."""

import json
import random
from dataclasses import replace
from functools import partial

import pytest

from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.arena import Sprt
from rl_toolkit.arena.arbiter.swap2 import CLOSE, PLACEMENTS, check_swap2, swap2
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.runs.journal import JournalError
from rl_toolkit.arena.runs.match_results import PlayedGame
from rl_toolkit.arena.runs.stamps import ChangedCodeError
from rl_toolkit.arena.sprt_match import _Counting
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.envs.registry import check_traits
from rl_toolkit.players import EngineKind, register_engine, registry

#: A small board with four in a row: games are short, and some placements would end one.
GAME = "gomoku-7x7x4"


class Valuer:
    """Notes what it is asked about, and answers in turn."""

    def __init__(self, *values):
        self.values, self.asked = list(values), []

    def __call__(self, env):
        self.asked.append(list(env.history))
        assert not env.is_terminal()
        assert env.current_player == -1
        return self.values.pop(0)


UNEVEN = 2 * CLOSE


@pytest.mark.parametrize(
    ("chooses", "decides", "stones", "placer_is_black"),
    [
        ((UNEVEN,), (), 3, True),  # White is better, so the other player takes White
        ((-UNEVEN,), (), 3, False),
        ((0.0, 0.9, 0.8, 0.1, 0.7), (UNEVEN,), 5, False),  # the first player takes White
        ((0.0, 0.9, 0.8, 0.1, 0.7), (-UNEVEN,), 5, True),
    ],
)
def test_stones_are_placed_and_colours_taken(chooses, decides, stones, placer_is_black):
    placer, chooser = Valuer(0.9, -0.1, 0.5, 0.7, *decides), Valuer(*chooses)
    moves, is_black = swap2(make_game("gomoku-15"), random.Random(1), placer, chooser)
    assert (len(moves), is_black) == (stones, placer_is_black)
    assert moves[:3] == placer.asked[1]  # the most even of its placements
    assert chooser.asked[0] == moves[:3]
    if stones == 5:
        assert moves == chooser.asked[3] == placer.asked[PLACEMENTS]
    rows, cols = zip(*(divmod(move, 15) for move in moves), strict=True)
    assert {*rows, *cols} <= set(range(4, 11))
    assert (placer.values, chooser.values) == ([], [])


def test_only_a_game_with_a_swap_rule_has_it():
    with pytest.raises(ValueError, match=r"connect-four has no swap rule; .* are for gomoku"):
        Match("connect-four", ("random", "first"), 1, swap2=True)
    with pytest.raises(ValueError, match="reversi has no swap rule"):
        Tournament("reversi", ("random", "first"), 2, swap2=True)
    with pytest.raises(ValueError, match="it takes no others"):
        Match(GAME, ("random", "first"), 1, random_plies=2, swap2=True)
    check_swap2("gomoku-9-standard")

    class Twice(Gomoku):
        traits = replace(Gomoku.traits, name="twice", alternates=False)

    with pytest.raises(ValueError, match="swap2_within is for games"):
        check_traits(Twice)


def moves_of(result):
    return [(g.pair, g.first, g.opening, g.moves, g.result) for g in result.games]


def test_a_match_by_swap2_is_saved_resumed_and_repeated(tmp_path):
    plan = Match(GAME, ("minimax:depth=1", "greedy"), 4, random_plies=0, swap2=True)
    result = play_match(plan, save=tmp_path / "all.jsonl")
    assert {len(game.opening) for game in result.games} <= {3, 5}
    assert result.opening_words.endswith("by swap2, each player placing first in turn")
    assert result.opening_remark == ""
    for game in result.games:  # points are those of the engine, whatever its colour
        env = make_game(GAME).after([*game.opening, *game.moves])
        assert env.is_terminal()
        assert game.result == env.get_result(1) * (1 if game.first == 0 else -1)
        assert game.record(plan).opening == len(game.opening)
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["swap2"] is True
    half = tmp_path / "half.jsonl"
    half.write_text("\n".join(lines[:3]) + "\n")
    unsaid = Match(GAME, plan.engines, 4)  # the openings are those of the file
    assert moves_of(play_match(unsaid, save=half)) == moves_of(result)
    with pytest.raises(JournalError, match="belongs to a different run"):
        play_match(Match(GAME, plan.engines, 4, random_plies=0), save=half)
    aged = [json.loads(line) for line in lines[1:]]
    aged[0]["code"] = ["0", "0"]
    half.write_text("\n".join([lines[0], *map(json.dumps, aged)]) + "\n")
    with pytest.raises(ChangedCodeError, match="2 games"):
        play_match(plan, save=half)
    other = play_match(Match(GAME, plan.engines, 4, random_plies=0, seed=1, swap2=True))
    assert {g.opening for g in other.games}.isdisjoint(g.opening for g in result.games)


class Sure:
    """Values every position the same, or raises; plays at random."""

    name = "sure"

    def __init__(self, value):
        self._value = value

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        if self._value is None and len(env.history) == 3:
            raise RuntimeError("no idea")
        move = RandomEngine(seed=len(env.history)).analyse(env).best_move
        found = (Candidate(move, env.move_name(move), self._value),)
        return Analysis(env.name, "", env.current_player, "sure", found, value=self._value)


@pytest.fixture
def sure(monkeypatch):
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    for name, value in (("white", 1.0), ("black", -1.0), ("lost", None)):
        register_engine(EngineKind(name, name, partial(Sure, value)))


def test_who_takes_a_colour_gets_it_and_an_engine_that_fails_forfeits(sure):
    both = play_match(Match(GAME, ("white", "white"), 2, random_plies=0, swap2=True))
    assert [game.first for game in both.games] == [0, 1, 0, 1]  # each leaves White to the other
    mixed = play_match(Match(GAME, ("black", "white"), 2, random_plies=0, swap2=True))
    assert [game.first for game in mixed.games] == [0] * 4  # the first always gets its Black
    failed = play_match(Match(GAME, ("white", "lost"), 1, random_plies=0, swap2=True))
    assert [game.result for game in failed.games] == [1, 1]
    assert failed.forfeits == (0, 2)
    assert "raised RuntimeError: no idea" in failed.games[0].forfeit.reason


def test_other_openings_are_no_sign_of_randomness():
    plan = Match(GAME, ("greedy", "first"), 3, random_plies=0, swap2=True)
    counting = _Counting(plan, Sprt(0, 300))
    for pair, (opening, moves) in enumerate([((6, 7, 8), 9), ((6, 7, 5), 8), ((6, 7, 8), 9)]):
        rest = {"result": 0, "seconds": (0.0, 0.0), "thought": (1, 1)}
        one = PlayedGame(pair, 0, (1, 2, 3), (4, 5), **rest)
        counting.add([one, PlayedGame(pair, 1, opening, (moves, 10), **rest)])
    assert (counting.result().repeated, len(counting.result().result.games)) == (1, 4)


def test_a_tournament_and_the_command_line_have_it(run):
    plan = Tournament(GAME, ("greedy", "first", "random"), 2, random_plies=0, swap2=True)
    result = play_tournament(plan)
    assert result.games == 6
    assert result.to_dict()["swap2"] is True
    words = (GAME, "greedy", "first", "--games", "2", "--openings", "swap2")
    ran = run("match", *words)
    assert (ran.code, "by swap2" in ran.words) == (0, True)
    assert run("tournament", *words).code == 0
    refused = run("match", "connect-four", "greedy", "first", "--openings", "swap2")
    assert refused.code == 2
    assert "connect-four has no swap rule" in refused.err
