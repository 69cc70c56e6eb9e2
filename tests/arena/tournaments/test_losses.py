"""How a game was lost: the last move that gave a win or a draw away, by exact play."""

import pytest

from rl_toolkit.arena.tournaments import Tournament, lost_games, play_tournament
from rl_toolkit.arena.tournaments.losses import _judge
from rl_toolkit.envs import make_game

SQUARES = {make_game("tictactoe").move_name(move): move for move in range(9)}


@pytest.mark.parametrize(
    ("moves", "plies", "verdict", "ply", "words"),
    [
        # O answers c2 with a1, which loses; four other moves draw. Later nothing can save O.
        ("c2 a1 c1 b1 c3", (1, 3), "turn", 1, "It played a1, which loses; 4 other moves draw."),
        # X is winning and overlooks it: of two mistakes the last one counts.
        ("c2 c3 a1 b3 b1 a3", (2, 4), "turn", 4, "It played b1, which loses; a3 wins."),
        # The same first game with a1 as a part of the opening: O never had a chance.
        ("c2 a1 c1 b1 c3", (3,), "opening", 0, ""),
    ],
)
def test_the_move_that_lost_is_named(moves, plies, verdict, ply, words):
    line = tuple(SQUARES[name] for name in moves.split())
    found, turn, at = _judge(("tictactoe", "", line, plies))
    assert (found, at) == (verdict, ply)
    assert (turn.sentence if turn else "").endswith(words)
    assert (turn is None) == (verdict != "turn")


def test_only_so_many_games_are_judged_and_a_game_without_a_solver_says_so():
    result = play_tournament(Tournament("tictactoe", ("random", "perfect"), 20, seed=3))
    lost = lost_games(result, most=2)["random"]
    assert len(lost) > 2
    assert [each.verdict == "not judged" for each in lost] == [False, False] + [True] * (
        len(lost) - 2
    )
    assert lost[-1].sentence == "This game was not judged."
    gomoku = play_tournament(Tournament("gomoku-7", ("first", "greedy"), 2, random_plies=2))
    (games,) = (each for each in lost_games(gomoku).values() if each)
    assert {each.verdict for each in games} == {"unsolved"}
