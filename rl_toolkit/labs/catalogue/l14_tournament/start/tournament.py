"""Which evaluation plays better? Write your own, let it play a league, and say how sure you are."""

import math
import time

from engine import COLS, WINDOWS, centre, none, play_game, search, windows

# ---------------------------------------------------------------- Task 1


def my_evaluate(cells):
    """X's points for a board of 42 cells: high is good for X. Do not change the board."""
    return None  # TODO 1: an evaluation of your own; it must beat engine.none


# ---------------------------------------------------------------- Task 2


def league(first, second):
    """Wins, draws and losses of the first evaluation against the second, as a list.

    98 games: all 49 openings of two moves, each once with first as X and once with first as O.
    """
    return None  # TODO 2: use play_game; its result is X's


# ---------------------------------------------------------------- Task 3


def interval(wins, draws, losses):
    """The score per game and its 95 % interval, as a list [score, low, high]."""
    return None  # TODO 3


# ---------------------------------------------------------------- Task 4


def report(players):
    """One row for each pair of players: [name, other name, [wins, draws, losses], verdict].

    players is a dictionary: name -> evaluation. The verdict about the first of the two is "better",
    "worse" or "not clear".
    """
    return None  # TODO 4: use league and interval


# ---------------------------------------------------------------- given


def choose(cells, player):
    """The move of your evaluation with a search of depth 2; for `rl-toolkit lab play`."""
    return search(list(cells), player, my_evaluate)[1]


def main():
    if my_evaluate([0] * 42) is None:
        print("Task 1 is not written yet: my_evaluate answers None.")
        return
    if league(none, none) is None:
        print("Task 2 is not written yet: league answers None.")
        return
    start = time.perf_counter()
    print("centre against none:", league(centre, none))
    print("windows against none:", league(windows, none))
    if interval(40, 9, 49) is None:
        print("Task 3 is not written yet: interval answers None.")
        return
    print("40 won, 9 drawn, 49 lost:", [round(number, 3) for number in interval(40, 9, 49)])
    rows = report({"mine": my_evaluate, "windows": windows, "centre": centre})
    for first, second, results, verdict in rows or []:
        print(f"{first:8} {second:8} {results} {verdict}")
    print(f"{time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
