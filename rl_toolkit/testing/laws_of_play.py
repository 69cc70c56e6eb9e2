"""Laws about play: reset, legal and refused moves, steps, the end of the game, undo."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.testing.scene import (
    Scene,
    begin,
    cells_of,
    require,
    require_equal,
    require_refused,
    require_same_view,
    view,
)

PLAYERS = (1, -1)


def reset(scene: Scene) -> None:
    """Reset always returns to the same starting position, and returns a copy of the board."""
    game = scene.env.copy()
    board = begin(game, scene.first_player)
    require_equal("the board that reset() returns", cells_of(game.board), cells_of(board))
    require(not np.shares_memory(board, game.board), "reset() must return a copy of the board")
    start = view(game)
    require_same_view("after reset(), compared with a new game", scene.trail[0], start)
    require_equal("current_player after reset", scene.first_player, start.current_player)
    for part, value in (("winner", None), ("done", False), ("move_count", 0), ("last_move", None)):
        require_equal(f"{part} after reset()", value, getattr(game, part))
    require_equal("history after reset()", [], game.history)
    board[:] = 1
    require_same_view("after writing into the board that reset() returned", start, view(game))


def legal_moves(scene: Scene) -> None:
    """Legal moves are increasing whole numbers, all playable; there are none after the end."""
    env = scene.env
    legal = env.get_legal_moves()
    require(isinstance(legal, list), f"get_legal_moves() must return a list, not {legal!r}")
    require(all(type(move) is int for move in legal), f"moves must be plain ints, not {legal!r}")
    require_equal("legal moves in increasing order", sorted(set(legal)), legal)
    outside = [move for move in legal if not 0 <= move < env.num_moves]
    require_equal(f"legal moves outside 0 … {env.num_moves - 1}", [], outside)
    require_equal("whether there are legal moves", not env.is_terminal(), bool(legal))
    require_equal("get_legal_actions()", legal, env.get_legal_actions())
    moves = list(legal)
    legal.clear()
    require_equal("legal moves after clearing the list returned", moves, env.get_legal_moves())
    for move in scene.some(moves):
        try:
            env.copy().step(move)
        except ValueError as error:
            require(False, f"the legal move {move} is refused: {error}")


def step(scene: Scene) -> None:
    """Step returns (board copy, reward of +1, done, info), all consistent with the game."""
    for move in scene.some(list(scene.here.legal_moves), 6):
        game = scene.env.copy()
        answer = game.step(move)
        require(
            isinstance(answer, tuple) and len(answer) == 4,
            f"step({move}) must return a tuple of four, not {answer!r}",
        )
        _check_answer(game, move, *answer)
        require_equal(f"move_count after {move}", scene.here.move_count + 1, game.move_count)
        require_equal(f"history after {move}", [*scene.here.history, move], game.history)
        same = scene.env.copy()
        numpy_move: Any = np.int64(move)
        same.step(numpy_move)
        require_same_view(f"after step(np.int64({move}))", view(game), view(same))
        after = view(game)
        answer[0][:] = 0
        require_same_view("after writing into the board that step() returned", after, view(game))


def _check_answer(
    game: BaseGameEnv, move: int, board: Any, reward: Any, done: Any, info: Any
) -> None:
    require_equal(f"the board that step({move}) returns", cells_of(game.board), cells_of(board))
    require(not np.shares_memory(board, game.board), "step() must return a copy of the board")
    require(isinstance(done, bool), f"done must be True or False, not {done!r}")
    require_equal(f"done after {move}", game.is_terminal(), done)
    require(isinstance(reward, float), f"the reward must be a float, not {reward!r}")
    require_equal(f"reward after {move}, for +1", float(game.winner or 0), reward)
    require(isinstance(info, dict), f"info must be a dict, not {info!r}")
    for key in ("winner", "winning_line", "move_count", "last_move"):
        require(key in info, f"info lacks {key!r}")
        require_equal(f"info[{key!r}] after {move}", getattr(game, key), info[key])
    cells = [*(game.winning_line or []), *([] if game.last_move is None else [game.last_move])]
    outside = [cell for cell in cells if not 0 <= cell < len(game.board)]
    require_equal("cells of last_move and winning_line off the board", [], outside)


def refused_moves(scene: Scene) -> None:
    """A move that cannot be played raises a ValueError and changes nothing."""
    env = scene.env.copy()
    legal = set(scene.here.legal_moves)
    known = legal or {0}
    a_move = min(known)
    illegal = [move for move in range(env.num_moves) if move not in legal]
    not_moves: list[Any] = [
        *(True, False, np.True_, float(a_move), a_move + 0.5, math.nan, math.inf),
        *(np.float64(a_move), str(a_move), None, [a_move], (a_move,), {}, b"0", 1j),
        *(-1, env.num_moves, env.num_moves + 1, 10**30, -(10**30), np.int8(-1)),
    ]
    for move in [*not_moves, *scene.some(illegal)]:
        require_refused(f"step({move!r})", partial(env.step, move))
        require_same_view(f"after step({move!r}) was refused", scene.here, view(env))


def end_of_game(scene: Scene) -> None:
    """The attributes winner and done, is_terminal, check_win and get_result agree."""
    env = scene.env
    require_equal("done, compared with is_terminal()", env.is_terminal(), env.done)
    require(env.winner in (None, 0, 1, -1), f"winner must be None, 0, 1 or -1, not {env.winner!r}")
    require_equal("whether winner is None", not env.is_terminal(), env.winner is None)
    require(env.current_player in PLAYERS, f"current_player is {env.current_player!r}")
    for player in PLAYERS:
        wins = env.check_win(player)
        require_equal(f"check_win({player:+d})", env.winner == player, bool(wins))
        if not env.is_terminal():
            require_refused(
                f"get_result({player:+d}) before the end", partial(env.get_result, player)
            )
    if env.is_terminal():
        assert env.winner is not None
        results = [env.get_result(player) for player in PLAYERS]
        require_equal("results of +1 and -1", [float(env.winner), -float(env.winner)], results)
        mover = scene.trail[-2].current_player
        require_equal("current_player at the end (the last mover)", mover, env.current_player)
    if env.winner in (None, 0):
        require_equal("winning_line without a winner", None, env.winning_line)


def undo(scene: Scene) -> None:
    """Undo after step is the identity, hash included."""
    for move in scene.some(list(scene.here.legal_moves), 6):
        game = scene.env.copy()
        game.step(move)
        after = view(game)
        require_equal("the move that undo() returns", move, game.undo())
        require_same_view(f"after step({move}) and undo()", scene.here, view(game))
        game.step(move)
        require_same_view(f"after step({move}), undo() and step({move})", after, view(game))
    if scene.here.is_terminal:
        game = scene.env.copy()
        for before in reversed(scene.trail[:-1]):
            game.undo()
            require_same_view("while undoing all moves", before, view(game))
        require_refused("undo() at the start", game.undo)
        require_same_view("after undo() was refused at the start", scene.trail[0], view(game))


def determinism(scene: Scene) -> None:
    """The same moves always lead to the same position."""
    if not scene.here.is_terminal:
        return
    game = scene.start()
    for move, expected in zip(scene.moves, scene.trail[1:], strict=True):
        game.step(move)
        require_same_view("in a second game with the same moves", expected, view(game))
