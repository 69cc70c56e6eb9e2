"""The same seed gives the same games on every executor."""

from __future__ import annotations

from rl_toolkit.arena.self_play import SelfPlay, self_play
from rl_toolkit.utils.executors import InProcess, LocalProcesses

PLAN = SelfPlay("tictactoe", "random", games=6, seed=3)


def played(executor):
    """The moves of all games, in the order of their numbers or of their ends."""
    return sorted(tuple(record.moves) for record in self_play(PLAN, executor))


def test_self_play_is_the_same_in_this_process_and_in_two_others():
    two = LocalProcesses(2)
    games = played(two)
    assert games == played(InProcess())
    assert len(set(games)) > 1  # games that are all equal would show nothing
    assert two.account.tasks == 6
