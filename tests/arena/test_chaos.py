"""Chaos: workers and whole runs killed at random; the final table is that of an undisturbed run."""

import json
import multiprocessing
import random
import signal
import subprocess
import sys
import time

import pytest

from rl_toolkit.arena.arbiter.rules import Rules
from rl_toolkit.arena.runs.openings.shipped import shipped_openings
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.utils.executors import LocalProcesses

#: None of these needs compiled code, which every new worker would have to load.
PLAIN = ("random", "greedy", "greedy:slips=0.5", "first")
PLAYERS = ("random", "greedy", "mcts:simulations=20", "first")


def plan_of(players, games, rules):
    openings = shipped_openings("tictactoe")
    return Tournament("tictactoe", players, games, seed=11, rules=rules, openings=openings)


def table(result):
    """Everything but the time that moves took."""
    return {
        match.match.engines: [
            (g.pair, g.first, g.opening, g.moves, g.result, g.adjudication) for g in match.games
        ]
        for match in result.matches
    }


def ratings(result):
    rows = result.to_dict()["players"]
    return [(row["name"], row["rating"], row["interval"], row["points"]) for row in rows]


class RunKilledError(Exception):
    """The whole run ends here."""


def play_in_chaos(plan, saved, rng, kill_after, end_after):
    """Play with two workers; kill one of them after some pairs of this run, then end the run."""
    executor, pairs = LocalProcesses(2, retries=10), 0

    def look(result):
        nonlocal pairs
        workers = multiprocessing.active_children()
        if not workers:  # the games of earlier runs
            return
        pairs += 1
        if result.games > end_after:
            raise RunKilledError
        if pairs in kill_after:
            victim = rng.choice(workers)
            victim.kill()
            victim.join()  # or the others may be done before it is gone, and nobody misses it

    try:
        return play_tournament(plan, executor=executor, save=saved, on_pair=look, if_changed="keep")
    finally:
        assert executor.account.losses >= len(kill_after)


def test_killed_workers_and_runs_leave_the_table_as_it_is(tmp_path):
    plan, saved, rng = plan_of(PLAIN, 6, Rules()), tmp_path / "games.jsonl", random.Random(2)
    whole = play_tournament(plan)
    for end_after in (8, 20):
        with pytest.raises(RunKilledError):
            play_in_chaos(plan, saved, rng, {1}, end_after)
    with open(saved, "ab") as file:
        file.write(b'{"players": ["first", "gre')  # the last run died while it was writing
    result = play_in_chaos(plan, saved, rng, {2}, plan.total_games)
    assert result.complete
    assert table(result) == table(whole)
    assert ratings(result) == ratings(whole)
    lines = [json.loads(line) for line in saved.read_text().splitlines()[1:]]
    played = [(*line["players"], line["pair"]) for line in lines]
    assert len(played) == len(set(played)) == plan.total_games // 2  # nothing was played twice


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
def test_a_longer_run_with_many_kills(tmp_path, seed):
    plan, saved = plan_of(PLAYERS, 60, Rules(adjudicate=2)), tmp_path / "games.jsonl"
    rng = random.Random(seed)
    whole = play_tournament(plan)
    arguments = ("tictactoe", *PLAYERS, "--games", "60", "--save", str(saved), "--workers", "3")
    rules = ("--seed", "11", "--adjudicate", "2", "--openings", "balanced")
    # Someone may be editing the toolkit meanwhile; that is not what this is about.
    keep = ("--if-changed", "keep")
    command = [sys.executable, "-m", "rl_toolkit.cli", "tournament", *arguments, *rules, *keep]
    for lines in sorted(rng.sample(range(5, 150), 3)):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while not saved.exists() or saved.read_bytes().count(b"\n") < lines:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    result = play_in_chaos(plan, saved, rng, {2, 5, 9, 14, 20}, plan.total_games)
    assert table(result) == table(whole)
    assert ratings(result) == ratings(whole)
