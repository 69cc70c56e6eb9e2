"""`moves_to`: the moves that lead from the start of a game to its position."""

from __future__ import annotations

from rl_toolkit.envs import BaseGameEnv, make_game

#: Positions to try before giving up on a position without a history.
_TRIES = 20_000


def moves_to(env: BaseGameEnv) -> list[int] | None:
    """Moves from the start of the game to this position, ``None`` if none are found.

    They are the history of the game, if it is complete. Otherwise, in a game whose pieces stay as
    they are, the pieces on the board are placed one by one in an order that is legal.
    """
    start = make_game(env.name)
    if replays(start, env.history, env):
        return list(env.history)
    return _placed(start, env)


def replays(start: BaseGameEnv, moves: list[int], env: BaseGameEnv) -> bool:
    """Whether ``moves`` lead from ``start`` to the position of ``env``."""
    try:
        return _same(BaseGameEnv.after(start, moves), env)
    except ValueError:
        return False


def _placed(start: BaseGameEnv, env: BaseGameEnv) -> list[int] | None:
    """Search, depth first, for an order in which the pieces of ``env`` can be placed."""
    target = env.board
    moves: list[int] = []
    tries = 0

    def place() -> bool:
        nonlocal tries
        if start.get_state_hash() == env.get_state_hash():
            return True
        player = start.current_player
        for move in start.get_legal_moves():
            tries += 1
            if tries > _TRIES:
                return False
            cell = start.landing_cell(move)
            if cell is None or target[cell] != player:
                continue
            start.step(move)
            moves.append(move)
            if _agree(start, env) and (not start.is_terminal() or _same(start, env)) and place():
                return True
            start.undo()
            moves.pop()
        return False

    return moves if _agree(start, env) and place() else None


def _agree(part: BaseGameEnv, whole: BaseGameEnv) -> bool:
    """Whether every piece of ``part`` is on the board of ``whole``."""
    return bool(((part.board == 0) | (part.board == whole.board)).all())


def _same(one: BaseGameEnv, other: BaseGameEnv) -> bool:
    return one.get_state_hash() == other.get_state_hash()
