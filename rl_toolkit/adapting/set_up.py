"""Set up a position of a plain class: by playing to it, or by writing its board.

Playing is the surer way: whatever the object keeps besides the board (heights of columns, a count
of moves) is then right. Only where no order of moves leads to the board is the board written, and
then every legal move is tried: an object that keeps more than its board shows itself there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rl_toolkit.adapting.objects import Reading, Snapshot
from rl_toolkit.envs import GameError, InvalidPositionError
from rl_toolkit.envs.validation import Board

_MOST_TRIES = 3_000  # moves played while looking for an order


def set_up(reading: Reading, near: Snapshot, cells: Board, player: int) -> Snapshot:
    """The position with these cells; ``player`` is to move, or has ended the game.

    ``near`` is the position before: if only the turn differs, it is given to the other side.
    Raises `InvalidPositionError` if the class cannot be brought there.
    """
    position = None
    if np.array_equal(near.cells, cells):
        position = _with_the_turn(reading, near, player)
    if position is None and reading.places:
        position = _by_play(reading, cells, player)
    if position is None:
        position = _by_writing(reading, cells, player)
    if position is None:
        raise InvalidPositionError(
            f"this position of {reading.title} cannot be set up: no order of moves leads to it, "
            f"and its {reading.board} cannot be assigned"
        )
    return position


def _with_the_turn(reading: Reading, near: Snapshot, player: int) -> Snapshot | None:
    """``near`` with ``player`` to move, ``None`` if the class does not let the turn be given."""
    if near.player == player:
        return near
    if near.winner is not None:
        return replace(near, player=player)
    if not reading.can_choose_opener:
        return None
    try:
        game = reading.copy_of(near.game)
        reading.give_turn(game, player)
        here = reading.position(game, player)
    except Exception:  # what goes wrong in the class means that this is not the way
        return None
    return here if here.player == player else None


def _by_play(reading: Reading, cells: Board, player: int) -> Snapshot | None:
    """The position, reached by legal moves, ``None`` if no order of moves was found."""
    start = reading.cells_of(reading.start)
    if ((start != 0) & (start != cells)).any():
        return None
    plies = int(np.count_nonzero(cells)) - int(np.count_nonzero(start))
    surplus = int(cells.sum(dtype=np.int64)) - int(start.sum(dtype=np.int64))
    openers = [player if plies % 2 == 0 else -player]  # with the player to move
    openers.append(-openers[0])  # the player has ended the game
    for opener in openers:
        balanced = surplus == (opener if plies % 2 else 0)
        if not balanced or (opener != reading.opener and not reading.can_choose_opener):
            continue
        try:
            begin = reading.opening(opener)
        except GameError:
            continue
        position = _reached(reading, begin, cells)
        if position is not None and (position.player == player or position.winner is not None):
            return replace(position, player=player)
    return None


def _reached(reading: Reading, begin: Snapshot, cells: Board) -> Snapshot | None:
    """Search for moves that lead to ``cells``, each of them one of its pieces."""
    stack = [(begin, _untried(reading, begin, cells))]
    seen = {(begin.cells.tobytes(), begin.player)}
    tries = 0
    while stack and tries < _MOST_TRIES:
        here, untried = stack[-1]
        if np.array_equal(here.cells, cells):
            return here
        if not untried:
            stack.pop()
            continue
        tries += 1
        try:
            after = reading.play(here, untried.pop())
        except GameError:
            continue
        fits = after.last is not None and cells[after.last] == here.player
        ended = after.winner is not None and not np.array_equal(after.cells, cells)
        key = (after.cells.tobytes(), after.player)
        if fits and not ended and key not in seen:
            seen.add(key)
            stack.append((after, _untried(reading, after, cells)))
    return None


def _untried(reading: Reading, here: Snapshot, cells: Board) -> list[int]:
    """The moves that may lead to ``cells``, the best last: columns with many pieces to come."""
    if reading.form.moves not in ("column", "letter"):
        return [m for m in here.moves if m < len(cells) and cells[m] == here.player]
    sides = reading.form.rows, reading.form.cols
    missing = ((cells != 0) & (here.cells == 0)).reshape(sides)
    next_row = missing.argmax(axis=0)
    if not reading.falls_to_row_one:
        next_row = reading.form.rows - 1 - missing[::-1].argmax(axis=0)
    colours = cells.reshape(reading.form.rows, reading.form.cols)[
        next_row, range(reading.form.cols)
    ]
    left = missing.sum(axis=0)
    fitting = [m for m in here.moves if left[m] and colours[m] == here.player]
    return sorted(fitting, key=lambda m: int(left[m]))


def _by_writing(reading: Reading, cells: Board, player: int) -> Snapshot | None:
    """The position with its board written, ``None`` if the class does not take it."""
    try:
        game = reading.write(cells, player)
        if not np.array_equal(reading.cells_of(game), cells):
            return None
        here = reading.position(game, player)
    except Exception:  # the class has no place to write to, or fails there
        return None
    if here.winner is None and not _asks_the_board(reading):
        here = _judged(reading, here)
    return here if _plays_on(reading, here) else None


def _plays_on(reading: Reading, here: Snapshot) -> bool:
    """Whether every legal move of a written position can be played, each on an empty cell."""
    pieces = int(np.count_nonzero(here.cells))
    try:
        after = [reading.play(here, move).cells for move in here.moves]
    except GameError:
        return False
    return not reading.places or all(np.count_nonzero(cells) == pieces + 1 for cells in after)


def _asks_the_board(reading: Reading) -> bool:
    """Whether winners are told by a method, which reads the board."""
    name = reading.winner or reading.has_won
    return name is not None and callable(getattr(reading.start, name))


def _judged(reading: Reading, here: Snapshot) -> Snapshot:
    """``here`` with its winner: one piece is taken back and played again, as in `judged`."""
    drawn = here
    for side in (-here.player, here.player):
        for cell in np.flatnonzero(here.cells == side).tolist():
            before = here.cells.copy()
            before[cell] = 0
            try:
                trial = reading.position(reading.write(before, side), side)
                likely = [m for m in (cell, cell % reading.form.cols) if m in trial.moves]
                for move in likely or trial.moves:
                    after = reading.play(trial, move)
                    if np.array_equal(after.cells, here.cells) and after.winner is not None:
                        if after.winner:
                            return replace(after, player=here.player)
                        drawn = replace(after, player=here.player)
            except Exception:  # not how the position arose
                continue
    return drawn
