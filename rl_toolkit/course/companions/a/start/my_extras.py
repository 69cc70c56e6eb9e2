"""Session 5: the exercises of the handout."""


class History:
    """The moves of a game, which can be taken back."""

    def __init__(self, game):
        raise NotImplementedError

    def play(self, action):
        """Play a move and remember it."""
        raise NotImplementedError

    def undo(self):
        """Take back the last move; ValueError if there is none."""
        raise NotImplementedError


def deepen(env, seconds, clock):
    """Search depth 1, 2, 3 ... until the seconds are over or the game is searched.

    Returns the best move of the last depth that was finished, and that depth.
    """
    raise NotImplementedError


def move_at_level(env, level):
    """A move of "easy" (depth 1), "medium" (depth 3) or "perfect" (no limit)."""
    raise NotImplementedError


def build_book(plies):
    """{board as a tuple: best moves} of all positions with fewer than so many pieces."""
    raise NotImplementedError
