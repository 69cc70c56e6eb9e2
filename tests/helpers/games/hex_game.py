"""Hex: a game that the package does not have, written on `BoardGame` as a user would."""

from rl_toolkit.envs import RUNNING, BoardGame, GameTraits, Verdict

NEIGHBOURS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


class Hex(BoardGame):
    """Connect your two sides of the board."""

    traits = GameTraits(
        pieces=("Blue", "Red"),
        sizes=(3, 5, 7),
        preview="c3 b2 c2 b4 d2 c4",
        preview_variant="5",
        rules=(
            "Blue and Red take turns to mark an empty cell.",
            "Blue connects the top row with the bottom row, Red the left with the right column.",
            "The first to do so wins; there are no draws.",
        ),
    )

    def __init__(self, board_size=5):
        super().__init__(board_size)

    def verdict(self, cell=None):
        for player in (self.current_player, -self.current_player):
            chain = self._chain(player)
            if chain:
                return Verdict(player, [chain])
        return RUNNING

    def _chain(self, player):
        """The cells that connect the player's sides, or none."""
        size = self.rows
        line = range(size)
        start = [i if player > 0 else i * size for i in line]
        goal = {(size - 1) * size + i if player > 0 else i * size + size - 1 for i in line}
        came_from = {cell: None for cell in start if self.board[cell] == player}
        waiting = list(came_from)
        for cell in waiting:
            if cell in goal:
                chain = []
                while cell is not None:
                    chain.append(cell)
                    cell = came_from[cell]
                return sorted(chain)
            row, col = divmod(cell, size)
            for down, right in NEIGHBOURS:
                r, c = row + down, col + right
                inside = 0 <= r < size and 0 <= c < size
                near = r * size + c
                if inside and self.board[near] == player and near not in came_from:
                    came_from[near] = cell
                    waiting.append(near)
        return []
