"""Handout C, section 8: proof instead of trying."""

from companion import every_reply, require, take
from test_session_2 import marks


def test_never_loses_as_x():
    """as X, moving first, no game is lost: 99 won and 2 drawn of 101"""
    take("my_game.py", "find_best_move_ab", 3)
    find = take("my_game.py", "find_best_move_ab", 3)
    lost = every_reply(lambda cells, mover: find(marks(cells)), 1)
    require(lost is None, f"X loses this game: {lost}")


def test_never_loses_as_second():
    """as second player, with the colours exchanged, no game is lost"""
    find = take("my_game.py", "find_best_move_ab", 3)

    def choose(cells, mover):
        return find(marks([-cell for cell in cells]))

    lost = every_reply(choose, -1)
    require(lost is None, f"the second player loses this game: {lost}")
