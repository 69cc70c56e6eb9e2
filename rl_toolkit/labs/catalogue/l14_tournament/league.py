"""A league that our process plays: the student's program only gives values of boards.

All games advance together, so that one message asks for the values of a whole round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product

from rl_toolkit.envs.bases import windows

ROWS, COLS, CELLS, WIN = 6, 7, 42, 100_000
WINDOWS: list[list[int]] = windows(ROWS, COLS, 4).tolist()
_THROUGH = [[[o for o in w if o != c] for w in WINDOWS if c in w] for c in range(CELLS)]

#: The values of boards, given as texts: X's points.
Values = Callable[[list[str]], Sequence[float]]
Cells = list[int]


@dataclass(slots=True)
class LeagueGame:
    """One game: ``seat`` is the side of the student's evaluation."""

    seat: int
    moves: list[int]
    cells: Cells = field(default_factory=lambda: [0] * CELLS)
    mover: int = 1
    winner: int | None = None

    def play(self, column: int) -> None:
        """Make a move."""
        cell = landing(self.cells, column)
        assert cell is not None
        self.cells[cell] = self.mover
        if wins_at(self.cells, cell, self.mover):
            self.winner = self.mover
        elif 0 not in self.cells:
            self.winner = 0
        self.mover = -self.mover


def play_league(values: Values, opponent: Callable[[Cells], float]) -> list[LeagueGame]:
    """The 98 games of an evaluation against ``opponent``, both looking two moves ahead."""
    games = [
        LeagueGame(seat, list(opening))
        for opening in product(range(COLS), repeat=2)
        for seat in (1, -1)
    ]
    for game in games:
        for column in game.moves:
            game.play(column)
    known: dict[str, float] = {}
    while running := [game for game in games if game.winner is None]:
        mine = [game for game in running if game.mover == game.seat]
        expected = {text for game in mine for text in _leaves(game)} - known.keys()
        asked = sorted(expected)
        known.update(zip(asked, values(asked), strict=True))
        for game in running:
            is_mine = game.mover == game.seat
            choice = best_column(
                game.cells, game.mover, (lambda c: known[_text(c)]) if is_mine else opponent
            )
            game.moves.append(choice)
            game.play(choice)
    return games


def results(games: Sequence[LeagueGame]) -> tuple[int, int, int]:
    """Wins, draws and losses of the student's evaluation."""
    ends = [game.seat * (game.winner or 0) for game in games]
    return ends.count(1), ends.count(0), ends.count(-1)


def landing(cells: Cells, column: int) -> int | None:
    """Where a disc lands."""
    return next((cell for cell in range(column, CELLS, COLS) if not cells[cell]), None)


def wins_at(cells: Cells, cell: int, player: int) -> bool:
    """Whether the player's disc on this cell completes four in a row."""
    return any(
        cells[a] == player and cells[b] == player and cells[c] == player
        for a, b, c in _THROUGH[cell]
    )


def best_column(cells: Cells, player: int, evaluate: Callable[[Cells], float]) -> int:
    """The best column two moves ahead; of equal columns the first."""
    best, choice = float("-inf"), 0
    tried = _tried(cells, player)
    for column, value, _ in tried:
        if value == WIN + 2:
            return column
    for column, value, replies in tried:
        least = value
        for end, reply in replies:
            found = end if end is not None else player * evaluate(reply)
            if found < least:
                least = found
        if least > best:
            best, choice = least, column
    return choice


def _leaves(game: LeagueGame) -> list[str]:
    """The boards whose values decide the move; none if it wins at once."""
    tried = _tried(game.cells, game.mover)
    if any(value == WIN + 2 for _, value, _ in tried):
        return []
    return [
        _text(reply)
        for _, _, replies in tried
        if all(end is None or end >= 0 for end, _ in replies)
        for end, reply in replies
        if end is None
    ]


def _tried(cells: Cells, player: int) -> list[tuple[int, float, list[tuple[float | None, Cells]]]]:
    """Every column: its value if the game ends there, else infinity and the replies.

    A reply is the value if it ends the game, else ``None``, and the board. If a reply wins, it is
    the only one.
    """
    tried: list[tuple[int, float, list[tuple[float | None, Cells]]]] = []
    for column in range(COLS):
        cell = landing(cells, column)
        if cell is None:
            continue
        one = cells.copy()
        one[cell] = player
        if wins_at(one, cell, player):
            tried.append((column, WIN + 2, []))
        elif 0 not in one:
            tried.append((column, 0, []))
        else:
            tried.append((column, float("inf"), _replies(one, -player)))
    return tried


def _replies(cells: Cells, player: int) -> list[tuple[float | None, Cells]]:
    replies: list[tuple[float | None, Cells]] = []
    for column in range(COLS):
        cell = landing(cells, column)
        if cell is None:
            continue
        two = cells.copy()
        two[cell] = player
        if wins_at(two, cell, player):
            return [(-WIN - 1, two)]
        replies.append((0 if 0 not in two else None, two))
    return replies


def _text(cells: Sequence[int]) -> str:
    return "".join(".xo"[cell] for cell in cells)
