"""Openings that were not typed: which are chosen, what is said of them, and that they are fair."""

import json
from dataclasses import replace

import pytest
from nim_game import Nim

from rl_toolkit.arena.exact_scores import scores_of
from rl_toolkit.arena.matches import Match, Openings, draw_openings, play_match
from rl_toolkit.arena.ratings.sprt import Sprt
from rl_toolkit.arena.runs.journal import JournalError
from rl_toolkit.arena.runs.openings.balancing import balance
from rl_toolkit.arena.runs.openings.choice import fair_openings, with_openings
from rl_toolkit.arena.runs.openings.opening import Opening, OpeningList
from rl_toolkit.arena.runs.openings.shipped import shipped_games, shipped_openings
from rl_toolkit.arena.sprt_match import play_sprt
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.arena.tournaments.report import TournamentReport
from rl_toolkit.arena.tournaments.results import Standing, leader_of
from rl_toolkit.envs import GameTraits, game_families, make_game, register_game, registry
from rl_toolkit.envs.traits import size_text
from rl_toolkit.players import levels_for, make_player
from rl_toolkit.players.advisers import exact_spec
from rl_toolkit.records import from_transcript

ENGINES = ("first", "random")

# ------------------------------------------------------------------ which are chosen


def test_the_shipped_set_is_played_if_it_suffices_or_nothing_better_can_be_drawn():
    shipped = shipped_openings("tictactoe")
    for pairs in (len(shipped), len(shipped) + 1):  # two moves give fewer balanced openings
        chosen = with_openings(Match("tictactoe", ENGINES, pairs, seed=3))
        assert chosen.openings == shipped
    assert Openings(chosen)[len(shipped)] == shipped[0]


def test_else_balanced_ones_are_drawn(monkeypatch):
    monkeypatch.setattr(Openings, "_draw_balanced", Openings._opened)  # a search takes long
    count = len(shipped_openings("gomoku-9"))
    more = with_openings(Match("gomoku-9", ENGINES, count + 1, seed=3))
    assert (more.openings, more.random_plies, more.balanced) == (None, 6, True)


def test_drawn_openings_are_balanced_and_those_of_the_seed():
    drawn = with_openings(Match("tictactoe", ENGINES, 4, seed=3), drawn=True)
    assert (drawn.openings, drawn.random_plies, drawn.balanced) == (None, 2, True)
    for number in range(3):
        assert balance(Openings(drawn)[number].position("tictactoe")).balanced
    assert draw_openings(drawn) == draw_openings(
        Match("tictactoe", ENGINES, 4, 2, seed=3, balanced=True)
    )


@pytest.mark.parametrize(
    ("game", "plies", "balanced"),
    [
        ("tictactoe", 2, True),
        ("connect-four-4x5", 4, True),
        ("connect-four", 4, True),
        ("gomoku-9", 6, True),
        pytest.param("reversi-4", 2, False, marks=pytest.mark.full),  # every opening is decided
        ("tictactoe-5", 2, False),  # no engine knows it well
    ],
)
def test_drawn_openings_are_as_long_as_the_board_allows(game, plies, balanced, monkeypatch):
    if game not in ("tictactoe", "reversi-4"):  # then a search takes long
        monkeypatch.setattr(Openings, "_draw_balanced", Openings._opened)
    chosen = fair_openings(game, 10, seed=1, drawn=True)
    assert (chosen.plies, chosen.balanced, chosen.listed) == (plies, balanced, None)


class TwoStones(Nim):
    traits = GameTraits(pieces=("First", "Second"), alternates=False)

    def __init__(self):
        super().__init__(2)

    @property
    def name(self):
        return "two-stones"

    def _arguments(self):
        return ()


def test_a_game_that_is_over_within_two_moves_has_no_opening(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(TwoStones)
    result = play_match(Match("two-stones", ENGINES, 1))
    assert (result.match.random_plies, result.opening_words) == (
        0,
        "all from the starting position",
    )


def test_a_sequential_test_always_draws():
    test = play_sprt(Match("tictactoe", ENGINES, 2), Sprt(0, 100))
    assert (test.result.match.openings, test.result.match.balanced) == (None, True)
    typed = Match("tictactoe", ENGINES, 2, openings=shipped_openings("tictactoe"))
    assert play_sprt(typed, Sprt(0, 100)).result.match == typed


def test_what_is_typed_is_played():
    start = Match("tictactoe", ENGINES, 1, random_plies=0)
    assert with_openings(start) is start
    with pytest.raises(ValueError, match="balanced openings need a number of moves"):
        Match("tictactoe", ENGINES, 1, balanced=True)


# ----------------------------------------------------------------------- saved runs


@pytest.mark.parametrize(
    ("pairs", "own"),
    [
        (2, {"random_plies": 4}),
        pytest.param(2, {"random_plies": 3, "balanced": True}, marks=pytest.mark.full),
        pytest.param(2, {"random_plies": 0}, marks=pytest.mark.full),
        (18, {"openings": shipped_openings("tictactoe")}),  # 17, which would not suffice
    ],
)
def test_a_file_keeps_its_openings_if_none_are_typed(tmp_path, pairs, own):
    saved = tmp_path / "games.jsonl"
    first = play_match(Match("tictactoe", ENGINES, 1, seed=2, **own), save=saved)
    grown = play_match(Match("tictactoe", ENGINES, pairs, seed=2), save=saved)
    assert list(grown.games[:2]) == list(first.games)
    assert grown.match == replace(first.match, pairs=pairs)
    typed = Match("tictactoe", ENGINES, 1, random_plies=1, seed=2)
    with pytest.raises(JournalError, match="belongs to a different run"):
        play_match(typed, save=saved)


def test_a_tournament_keeps_them_too_and_a_file_of_openings_must_be_named(tmp_path, run):
    saved = tmp_path / "games.jsonl"
    plan = Tournament("tictactoe", ENGINES, 2, random_plies=4, seed=2)
    play_tournament(plan, save=saved)
    assert play_tournament(Tournament("tictactoe", ENGINES, 4, seed=2), save=saved).games == 4
    saved.unlink()
    listed = OpeningList("book.txt", [Opening((4,))])
    play_tournament(replace(plan, random_plies=None, openings=listed), save=saved)
    ran = run("tournament", "tictactoe", *ENGINES, "--seed", "2", "--save", str(saved))
    assert (ran.code, "name that file (--openings book.txt)" in " ".join(ran.err.split())) == (
        2,
        True,
    )


# ---------------------------------------------------------------------- what is said


def test_the_header_names_the_openings_and_decided_ones_are_called_decided(run):
    words = ("match", "tictactoe", "perfect", "random", "--games", "8")
    said = run(*words)
    assert said.words.startswith(
        "perfect against random on tictactoe, 8 games: 4 balanced openings, each from both sides "
    )
    assert "decided" not in said.words
    told = json.loads(run(*words, "--openings", "random:4", "--json").out)
    assert told["opening_words"] == "4 random openings of 4 moves, each from both sides"
    plan = Match("tictactoe", ("perfect", "random"), 4, random_plies=4)
    lost = sum(
        max(scores_of(Opening(tuple(each)).position("tictactoe")).values()) != 0
        for each in draw_openings(plan)
    )
    assert lost  # so that there is something to say
    assert told["opening_remark"].startswith(f"{lost} of 4 openings that an engine checked w")
    assert "decided before the players moved" in told["opening_remark"]
    start = run(*words, "--openings", "start").words
    assert ", 8 games: all from the starting position " in start


def test_openings_that_no_engine_can_check_are_said_to_be_unchecked(run):
    said = run("tournament", "tictactoe-5", "greedy", "random", "--games", "2", "--accuracy", "0")
    assert "2 games: 1 random opening of 2 moves, each from both sides" in said.words
    assert "No engine has checked whether these openings favour a side." in said.words


def test_a_reader_of_a_report_is_told_of_openings_and_leaders():
    result = play_tournament(Tournament("tictactoe", ("perfect", "random"), 2))
    report = TournamentReport.of(result)
    assert report.title.endswith("2 games: 1 balanced opening, each from both sides")
    none = TournamentReport.of(replace(result, matches=[]))
    assert none.title.endswith("0 of 2 games: no opening has been played")
    assert report.to_dict()["leader"] == leader_of(report.rows)
    (said,) = [note for note in report.notes() if "lead" in note]
    assert said.startswith("perfect leads" if leader_of(report.rows) else "No player leads")


def standing(name, low, high):
    interval = None if low is None else (low, high)
    return Standing(name, 0.0, interval, 2, 1, 0, 1, None, 0.0, 0, 0)


@pytest.mark.parametrize(
    ("others", "leads"),
    [
        ([(-90, 9), (-80, 5)], True),
        ([(-90, 10)], False),
        ([(-90, 9), (-80, 30)], False),  # not the second, but the third
        ([(None, None)], False),
    ],
)
def test_a_leader_is_announced_only_if_no_interval_overlaps(others, leads):
    table = [standing("a", 10, 50), *(standing(f"b{k}", *each) for k, each in enumerate(others))]
    assert leader_of(table) == ("a" if leads else None)
    assert leader_of([standing("a", None, None), *table[1:]]) is None


# -------------------------------------------------------------------- perfect players


SMALL = ("tictactoe-4", "tictactoe-4x4x3", "connect-four-4x5", "connect-four-5x6")


def boards_with_perfect():
    """Every board with a level ``perfect`` that a page offers, and some smaller ones."""
    for family in game_families():
        sizes = [f"{family.name}-{size_text(size)}" for size in family.traits.sizes]
        for name in dict.fromkeys(make_game(each).name for each in (family.name, *sizes)):
            if family.traits.has_grid and "perfect" in levels_for(name):
                yield name
    yield from SMALL


def every_fair_opening(game):
    """The shipped openings, if there are some, and those that are drawn for 20 pairs."""
    listed = shipped_openings(game).openings if game in shipped_games() else ()
    drawn = Openings(with_openings(Match(game, ("random", "random"), 20), drawn=True))
    return OpeningList("all", list(dict.fromkeys([*listed, *map(drawn.__getitem__, range(20))])))


def is_lost_for(side, env):
    """Whether ``side`` loses with best play; by an engine that proves it."""
    if exact_spec(env) is not None:
        best = max(scores_of(env).values())
    else:
        found = make_player(env.name, "perfect").analyse(env)
        assert found.proven
        assert found.value is not None
        best = found.value * found.player * env.current_player
    return best * env.current_player * side < 0


def losses_of_perfect(match):
    """The games that ``perfect`` lost from openings that were not lost for it."""
    for played in play_match(match).games:
        env = Opening(played.opening, played.start).position(match.game)
        side = 1 if played.first == 0 else -1
        if played.result < 0 and not is_lost_for(side, env):
            yield played


@pytest.mark.parametrize(
    ("game", "opponent", "pairs"),
    [("tictactoe", "random", 4), ("tictactoe", "greedy", 4), ("connect-four", "greedy", 1)],
)
def test_perfect_loses_no_game_from_a_sample_of_fair_openings(game, opponent, pairs):
    assert list(losses_of_perfect(Match(game, ("perfect", opponent), pairs))) == []


@pytest.mark.full
@pytest.mark.parametrize("opponent", ["random", "greedy"])
@pytest.mark.parametrize("game", list(boards_with_perfect()))
def test_perfect_loses_no_game_from_any_fair_opening(game, opponent):
    openings = every_fair_opening(game)
    plan = Match(game, ("perfect", opponent), len(openings), openings=openings)
    assert list(losses_of_perfect(plan)) == []


def test_losses_would_be_seen():
    """An engine that is not perfect loses such games, and a lost opening is no fault."""
    lost = from_transcript("tictactoe", "a1b1")
    assert is_lost_for(-1, lost)
    assert not is_lost_for(1, lost)
    result = play_match(Match("tictactoe", ("first", "greedy"), 6))
    assert result.count(-1)
