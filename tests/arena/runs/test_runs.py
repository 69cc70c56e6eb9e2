"""Runs: stopping is leaving the loop, journals of older versions are read, nothing is hashed."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from rl_toolkit.arena import self_play as self_playing
from rl_toolkit.arena.calibration.plan import Calibration
from rl_toolkit.arena.calibration.running import calibrate
from rl_toolkit.arena.matches import match_pairs, play_match
from rl_toolkit.arena.ratings.sprt import Sprt
from rl_toolkit.arena.runs import (
    ChangedCodeError,
    Journal,
    Match,
    Openings,
    Planned,
    SavedPairs,
    play_pairs,
    stamps,
)
from rl_toolkit.arena.runs.paired_game import play_or_explain
from rl_toolkit.arena.runs.reached_files import ReachedFiles, reached_files
from rl_toolkit.arena.self_play import SelfPlay, self_play
from rl_toolkit.arena.sprt_match import play_sprt
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.players import make_player
from rl_toolkit.utils.executors import InProcess, LostTaskError

MATCH = Match("tictactoe", ("greedy", "random"), pairs=4, random_plies=4, seed=3)


def moves(games):
    return [(game.pair, game.first, game.opening, game.moves, game.result) for game in games]


# ---------------------------------------------------------------------- stopping


def test_leaving_the_loop_ends_the_run_and_the_next_one_goes_on_from_there(tmp_path):
    saved = tmp_path / "match.jsonl"
    with closing(match_pairs(MATCH, save=saved)) as run:
        for pairs in run:
            assert [pair.number for pair in pairs] == [0]
            break
    assert len(saved.read_text().splitlines()) == 2
    with closing(match_pairs(MATCH, save=saved)) as run:  # nobody holds the file any more
        assert [[pair.number for pair in pairs] for pairs in run] == [[0], [1], [2], [3]]
    with closing(match_pairs(MATCH, save=saved)) as run:  # the saved ones come together
        assert [[pair.number for pair in pairs] for pairs in run] == [[0, 1, 2, 3]]
    whole = play_match(MATCH)
    assert moves(play_match(MATCH, save=saved).games) == moves(whole.games)


def test_a_test_that_decides_stops_the_workers_and_closes_its_file(tmp_path):
    class Watched(InProcess):
        open = 0

        def map(self, function, tasks):
            self.open += 1
            try:
                yield from super().map(function, tasks)
            finally:
                self.open -= 1

    saved, executor = tmp_path / "sprt.jsonl", Watched()
    match = Match("tictactoe", ("greedy", "random"), pairs=500, random_plies=4)
    result = play_sprt(match, Sprt(0, 200), executor=executor, save=saved)
    assert result.decision is not None
    assert executor.open == 0
    assert len(saved.read_text().splitlines()) < 500
    Journal(saved, "match", json.loads(saved.read_text().splitlines()[0])).close()


class TwoMatches:
    """A schedule of a pair each of two matches."""

    def __init__(self):
        self.matches = [Match("tictactoe", ("greedy", other), 1) for other in ("random", "first")]
        self.pairs = []

    def stages(self):
        yield [Planned(match, 0) for match in self.matches]

    def opening(self, planned):
        return Openings(planned.match)[planned.number]

    def count(self, pair):
        self.pairs.append(pair)


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
def test_a_run_with_its_own_play_does_without_games_that_nobody_survives(tmp_path, lost):
    class Dying(InProcess):
        def map(self, function, tasks):
            for number, task in enumerate(tasks):
                if (task[0].engines[1], task[3]) == [
                    (other, first) for other in ("random", "first") for first in (0, 1)
                ][lost]:
                    raise LostTaskError("three workers died", number)
                yield number, function(task)

    with pytest.raises(LostTaskError):
        list(play_pairs(TwoMatches(), executor=Dying()))
    schedule = TwoMatches()
    players = {name: make_player("tictactoe", name) for name in ("greedy", "random", "first")}

    def saved():
        journal = Journal(tmp_path / "games.jsonl", "tournament", {})
        return SavedPairs(journal, schedule.matches[0], players, "refuse")

    list(play_pairs(schedule, executor=Dying(), saved=saved(), play=play_or_explain))
    failures = {pair.match.engines[1]: (pair.failure, len(pair.games)) for pair in schedule.pairs}
    names = ["random", "first"]
    assert failures[names[lost // 2]] == ("ended the process that referees", 0)
    assert failures[names[1 - lost // 2]] == ("", 2)
    again = TwoMatches()
    list(play_pairs(again, executor=Dying(), saved=saved()))  # a failure is not tried again
    assert {pair.match.engines: pair for pair in again.pairs} == {
        pair.match.engines: pair for pair in schedule.pairs
    }


# --------------------------------------------------------- journals of older versions

JOURNALS = Path(__file__).parent / "journals"  # written by version 0.1.0, before this one
PLAYERS = ("random", "greedy", "first")
OLD = {
    "match": (
        lambda **more: play_match(Match("tictactoe", ("greedy", "random"), 2, 4, 3), **more).games,
        4,
        "greedy and random",
    ),
    "tournament": (
        lambda **more: [
            game
            for match in play_tournament(
                Tournament("tictactoe", PLAYERS, 2, random_plies=4, seed=5), **more
            ).matches
            for game in match.games
        ],
        6,
        "first and greedy and random",
    ),
    "calibration": (
        lambda on_news=None, **more: [
            game
            for pairs in calibrate(
                Calibration(
                    "tictactoe",
                    ("random", "greedy:slips=1", "greedy"),
                    random_plies=1,
                    seed=3,
                    target=600,
                ),
                seconds=0,
                **more,
            ).games.values()
            for both in pairs.values()
            for game in both
        ],
        14,
        "greedy and greedy:slips=1 and random",
    ),
}


@pytest.mark.parametrize("kind", OLD)
def test_journals_of_older_versions_are_read_and_count_as_older_code(tmp_path, kind):
    play, games, engines = OLD[kind]
    saved = Path(shutil.copy(JOURNALS / f"{kind}.jsonl", tmp_path))
    before = saved.read_text()
    message = f"the code of {engines} has changed since {games} games in .* keep them"
    with pytest.raises(ChangedCodeError, match=message):
        play(save=saved)
    assert saved.read_text() == before
    news = []
    kept = play(save=saved, if_changed="keep", on_news=news.append)
    assert len(kept) == games
    assert not news
    assert saved.read_text() == before
    lines = [json.loads(line) for line in before.splitlines()[1:]]
    assert sorted((g.pair, g.first, g.opening, g.moves, g.result) for g in kept) == sorted(
        (line["pair"], g["first"], tuple(g["opening"]), tuple(g["moves"]), g["result"])
        for line in lines
        for g in line["games"]
    )
    if kind != "calibration":  # which plays as many pairs as it likes
        replayed = play(save=saved, if_changed="replay", on_news=news.append)
        assert sorted(moves(replayed)) == sorted(moves(kept))  # move for move, with its seeds
        assert news == [f"{games} games in {saved} were played by older code and will be replayed."]
        assert sorted(moves(play(save=saved))) == sorted(moves(kept))


def test_the_command_names_the_option_that_keeps_the_games(run, tmp_path):
    saved = shutil.copy(JOURNALS / "match.jsonl", tmp_path)
    command = ("match", "greedy", "random", "--game", "tictactoe", "--games", "4", "--seed", "3")
    ran = run(*command, "--save", saved, "--json")
    assert ran.code == 2
    assert "(--if-changed replay or keep)" in " ".join(ran.err.split())
    kept = json.loads(run(*command, "--save", saved, "--if-changed", "keep", "--json").out)
    assert (kept["games"], kept["won"], kept["lost"]) == (4, 3, 1)


# ------------------------------------------------------------------ nothing is hashed

RUNS = {
    "match": lambda **more: play_match(MATCH, **more),
    "sprt": lambda **more: play_sprt(MATCH, Sprt(0, 200), **more),
    "tournament": lambda **more: play_tournament(
        Tournament("tictactoe", ("greedy", "random"), 2), **more
    ),
    "calibration": lambda **more: calibrate(
        Calibration("tictactoe", ("random", "greedy"), 1, target=2000), **more
    ),
    "self-play": lambda **more: list(self_play(SelfPlay("tictactoe", "greedy", 1), **more)),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in ("match", "self-play") else pytest.mark.full)
        for name in RUNS
    ],
)
def test_nothing_is_hashed_when_nothing_is_saved(tmp_path, monkeypatch, name):
    hashed = []
    found = ReachedFiles.of
    monkeypatch.setattr(
        ReachedFiles, "of", lambda self, *roots: hashed.append(roots) or found(self, *roots)
    )
    for module in (stamps, self_playing):
        code = module.code_of
        monkeypatch.setattr(
            module, "code_of", lambda *a, code=code, **k: hashed.append(a) or code(*a, **k)
        )
    stamps._files_code.cache_clear()
    reached_files.cache_clear()
    RUNS[name]()
    assert not hashed
    RUNS[name](save=tmp_path / "games.jsonl")
    assert hashed
