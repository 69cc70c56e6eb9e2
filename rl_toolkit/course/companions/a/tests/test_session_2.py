"""Handout A, labs 2.1 to 2.3: the solver, on your own game."""

import math
from functools import lru_cache

from companion import (
    best_moves,
    drawn,
    equal,
    every_reply,
    free,
    late_positions,
    left_alone,
    method,
    over,
    played,
    position,
    require,
    take,
    value,
)

NAMES = [f"{letter}{row}" for row in "123" for letter in "abc"]


def game_at(cells, mover):
    """Your game in a position, by moves."""
    game = take("my_tictactoe.py", "TicTacToe", 1)()
    marks = {player: [c for c in range(9) if cells[c] == player] for player in (1, -1)}
    for number in range(sum(map(len, marks.values()))):
        game.step(marks[1 if number % 2 == 0 else -1][number // 2])
    return game


def solver(**options):
    return take("my_minimax.py", "MinimaxSolver", 2)(**options)


def best(thinker, cells, mover):
    return int(method(thinker, "get_best_action", 2)(game_at(cells, mover), mover == 1))


def table(thinker, cells, mover):
    return method(thinker, "get_candidate_evaluations", 2)(game_at(cells, mover), mover == 1)


@lru_cache(maxsize=None)
def calls(cells, mover):
    """The calls of plain minimax from a position, this one included."""
    if over(cells):
        return 1
    return 1 + sum(calls(played(cells, move, mover), -mover) for move in free(cells))


def test_win_in_one():
    """xx1/oo1/3 x: X takes c1 (cell 2); o2/1o1/xx1 x: c3 (cell 8)"""
    cells, mover = position("xx1/oo1/3 x")
    equal(best(solver(), cells, mover), 2, "get_best_action with X to move, two X at the top")
    cells, mover = position("o2/1o1/xx1 x")
    equal(best(solver(), cells, mover), 8, "get_best_action with X to move, two X at the bottom")


def test_win_in_one_for_o():
    """the same for O: with maximize=False the smallest value is best"""
    cells, mover = position("oo1/xx1/x2 o")
    equal(best(solver(), cells, mover), 2, "get_best_action with O to move, two O at the top")
    cells, mover = position("x2/1xx/oo1 o")
    equal(best(solver(), cells, mover), 8, "get_best_action with O to move, two O at the bottom")


def test_the_game_is_left_alone():
    """the game that is passed in is not changed"""
    cells, mover = position("xx1/oo1/3 x")
    game = game_at(cells, mover)
    left_alone(
        lambda: solver().get_best_action(game, True),
        lambda: game.board,
        cells,
        "get_best_action leaves its moves on the game that it is given: try them on a copy",
    )


def test_values():
    """values of 140 late positions, in X's view"""
    thinker = solver()
    for cells, mover in late_positions(5, 30):
        for move, entry in table(thinker, cells, mover).items():
            right = value(played(cells, int(move), mover), -mover)
            require(
                abs(float(entry["value"]) - right) < 1e-9,
                f"{drawn(cells)}, {'X' if mover == 1 else 'O'} to move: {NAMES[int(move)]} is "
                f"worth {right:+d} in X's view, your value is {float(entry['value']):+g}",
            )


def test_every_move_has_an_entry():
    """get_candidate_evaluations has every legal move: value, reasoning, is_best"""
    cells, mover = position("x2/1o1/2x o")
    entries = table(solver(), cells, mover)
    equal(sorted(map(int, entries)), free(cells), "the moves in get_candidate_evaluations")
    for entry in entries.values():
        for name in ("value", "reasoning", "is_best"):
            require(name in entry, f"an entry of get_candidate_evaluations has no {name!r}")
    marked = sorted(int(move) for move, entry in entries.items() if entry["is_best"])
    equal(marked, best_moves(cells, mover), "the moves with is_best")


def test_phrases():
    """seven phrases by the mover's value: O's win is called a win"""
    cells, mover = position("oo1/xx1/x2 o")
    words = {int(move): entry["reasoning"] for move, entry in table(solver(), cells, mover).items()}
    require(
        words[2].lower().startswith("forces"),
        f"c1 wins for O, who moves: the reasoning should be 'Forces …', yours is {words[2]!r}. "
        "The phrases go by the mover's value, the values are X's",
    )


def test_cut_off_values():
    """x2/1o1/2x o: a cut-off value in the memo is only a bound (erratum R6)"""
    cells, mover = position("x2/1o1/2x o")
    move = best(solver(), cells, mover)
    require(
        move in (1, 3, 5, 7),
        f"X has two corners, O the centre: only the edges draw, and your solver plays "
        f"{NAMES[move]}, which loses. With pruning a value can be a bound; the memo must not "
        "hand it out as exact",
    )


def test_memo_kept():
    """the memo of the empty board gives no wrong answers later (erratum R6)"""
    thinker = solver()
    best(thinker, (0,) * 9, 1)
    for cells, mover in late_positions(6, 60):
        move = best(thinker, cells, mover)
        require(
            move in best_moves(cells, mover),
            f"{drawn(cells)}, {'X' if mover == 1 else 'O'} to move: {NAMES[move]} throws the "
            "result away after your solver has searched the empty board. Are bounds stored as "
            "exact values?",
        )


def test_counts():
    """nodes_evaluated counts the calls: 549,946 from the empty board, here fewer"""
    cells, mover = position("o2/1x1/3 x")
    thinker = solver(use_pruning=False, use_memoization=False)
    thinker._minimax(game_at(cells, mover), 0, True, -math.inf, math.inf)
    right = calls(cells, mover)
    require(
        thinker.nodes_evaluated in (right, right - 1),
        f"plain minimax makes {right:,} calls from o../.X./... with X to move (or {right - 1:,} "
        f"without the first), yours counts {thinker.nodes_evaluated:,}",
    )
    plain = thinker.nodes_evaluated
    for options in ({"use_memoization": False}, {"use_pruning": False}):
        fewer = solver(**{"use_pruning": True, "use_memoization": True, **options})
        fewer._minimax(game_at(cells, mover), 0, True, -math.inf, math.inf)
        is_pruning = not options.get("use_memoization", True)
        name = "pruning" if is_pruning else "the memo"
        hint = "" if is_pruning else ". Without pruning each value is exact, and all can be kept"
        off = ", ".join(f"{option}=False" for option in options)
        require(
            fewer.nodes_evaluated < plain / 2,
            f"MinimaxSolver({off}) makes {fewer.nodes_evaluated:,} calls; {name} alone saves over "
            f"half of {plain:,}{hint}",
        )


def test_reset_stats():
    """reset_stats sets the counters to 0 and empties the memo"""
    thinker = solver()
    best(thinker, *position("xx1/oo1/3 x"))
    thinker.reset_stats()
    equal((thinker.nodes_evaluated, thinker.cache_hits), (0, 0), "counters after reset_stats")
    equal(len(thinker.memo), 0, "entries of memo after reset_stats")


def test_never_loses():
    """no game is lost against any reply, from either seat"""
    thinker = solver()
    for seat, side in ((1, "X"), (-1, "O")):
        lost = every_reply(lambda cells, mover: best(thinker, cells, mover), seat)
        require(
            lost is None,
            f"as {side} your solver loses this game: {', '.join(map(str, lost or ()))}",
        )
