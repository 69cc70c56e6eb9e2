"""What can be seen on a board by looking one move ahead: who could win at once, and where.

Everything is found by playing a move on a copy and reading off the result, so it holds for every
game. For games of lines the table of windows says which few moves are worth that look.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, lines
from rl_toolkit.envs.line_game import LineGame
from rl_toolkit.envs.validation import Board


class Win(NamedTuple):
    """A move that wins at once; ``line`` holds the cells that it completes, if it is a line.

    ``cell`` is where the piece goes, ``None`` if the move places none.
    """

    move: int
    cell: int | None
    line: tuple[int, ...] | None

    @property
    def place(self) -> tuple[str, int]:
        """What tells two wins apart: the cell, as a column may offer a win twice; else the move."""
        return ("move", self.move) if self.cell is None else ("cell", self.cell)


def immediate_wins(env: BaseGameEnv) -> tuple[Win, ...]:
    """The moves with which the side to move ends the game as its winner, in legal order."""
    return _wins(env.copy())


def wins_if_to_move(env: BaseGameEnv, player: int) -> tuple[Win, ...]:
    """The lines that ``player`` could complete if it were their turn, whoever's turn it is.

    Only lines: where a game is won in other ways, what a player could do with a second move in a
    row says nothing about the game, so such wins are left out.
    """
    if env.is_terminal() or isinstance(env, Reversi):  # in Reversi there are no lines to look for
        return ()
    game = env.copy()
    game.current_player = player
    return tuple(win for win in _wins(game) if win.line is not None)


def _wins(game: BaseGameEnv) -> tuple[Win, ...]:
    """`immediate_wins` on a game that this may change."""
    player, board = game.current_player, game.board.copy()
    found = []
    for move in _suspects(game):
        try:
            _, _, done, info = game.step(move)
        except ValueError:
            # A turn that was only imagined may be one that the game does not allow.
            continue
        if done and game.get_result(player) > 0:
            found.append(Win(move, _new_piece(game, board, info), line_of(info)))
        game.undo()
    return tuple(found)


def _new_piece(game: BaseGameEnv, before: Board, info: dict[str, Any]) -> int | None:
    """The cell of the piece just placed; a pass leaves ``last_move`` where it was."""
    cell = info.get("last_move")
    return None if cell is None or game.board[cell] == before[cell] else int(cell)


def line_of(info: dict[str, Any]) -> tuple[int, ...] | None:
    """The cells of the winning line, from what `BaseGameEnv.step` tells."""
    line = info.get("winning_line")
    return None if line is None else tuple(int(cell) for cell in line)


def _suspects(env: BaseGameEnv) -> list[int]:
    """Legal moves that may win at once; surely every one that does.

    A line is completed by filling the one empty cell of a window that is otherwise one's own.
    """
    legal = env.get_legal_moves()
    if not isinstance(env, LineGame):
        return legal
    cells = lines.windows(env.rows, env.cols, env.win_length)
    pieces = env.board[cells] * env.current_player
    nearly = pieces.sum(axis=1) == env.win_length - 1
    last_cells = {int(cell) for cell in cells[nearly][pieces[nearly] == 0]}
    if isinstance(env, ConnectFour):
        last_cells = {cell % env.cols for cell in last_cells}
    return [move for move in legal if move in last_cells]
