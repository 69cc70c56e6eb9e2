"""Laws about positions: shape, copies, hashes, symmetries, assignment, heuristic."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from rl_toolkit.envs import BaseGameEnv, InvalidPositionError
from rl_toolkit.testing.scene import (
    Scene,
    cells_of,
    require,
    require_equal,
    require_refused,
    require_same_view,
    view,
)


def shape(scene: Scene) -> None:
    """The board is a flat int8 array of rows × cols cells that hold -1, 0 and 1."""
    env = scene.env
    require(isinstance(env.board, np.ndarray), f"board must be an array, not {type(env.board)}")
    require_equal("type of the board's cells", np.dtype(np.int8), env.board.dtype)
    require_equal("shape of the board", (env.rows * env.cols,), env.board.shape)
    require(set(cells_of(env.board)) <= {-1, 0, 1}, f"the board holds {cells_of(env.board)}")
    require(env.num_moves >= 1, f"num_moves is {env.num_moves}")
    require_equal("board_2d", env.board.tolist(), env.board_2d.reshape(-1).tolist())


def copies(scene: Scene) -> None:
    """A copy is equal to the game and shares nothing with it."""
    env = scene.env.copy()
    require(type(env) is type(scene.env), f"copy() returns a {type(env).__name__}")
    twin = env.copy()
    require(twin is not env, "copy() returns the game itself")
    require_same_view("in a copy", scene.here, view(twin))
    require_same_view("after being copied", scene.here, view(env))
    require(not np.shares_memory(env.board, twin.board), "a copy must have its own board")

    scene.play_out(twin)
    require_same_view("after playing moves in a copy", scene.here, view(env))
    while twin.history:
        twin.undo()
    require_same_view("after undo in a copy", scene.here, view(env))

    twin = env.copy()
    scene.play_out(env)
    require_same_view("in a copy, after playing moves in the original", scene.here, view(twin))
    while env.history:
        env.undo()
    require_same_view("in a copy, after undo in the original", scene.here, view(twin))


def hashes(scene: Scene) -> None:
    """Hashes are equal exactly if board and side to move are equal."""
    key = scene.env.get_state_hash()
    if not scene.env.traits.has_grid:  # there positions with equal hashes have the same moves
        future = (scene.here.legal_moves, scene.here.current_player)
        require_equal("hash of a copy", key, scene.env.copy().get_state_hash())
        require_equal(
            "moves and side to move of a position with an equal hash",
            scene.positions.setdefault(key, future),
            future,
        )
        return
    position = (scene.here.board, scene.here.current_player)
    require_equal("hash of a copy", key, scene.env.copy().get_state_hash())
    require_equal("get_state_value(), an older name", key, scene.env.get_state_value())
    require_equal(
        "the position with an equal hash", scene.positions.setdefault(key, position), position
    )
    require_equal("the hash of an equal position", scene.hashes.setdefault(position, key), key)
    other = scene.env.copy()
    other.current_player = -other.current_player
    require(other.get_state_hash() != key, "the hash is the same with the other side to move")


def symmetries(scene: Scene) -> None:
    """The image of a position has the images of its legal moves and the same value."""
    env, here = scene.env, scene.here
    all_of_them = env.symmetries()
    if not env.traits.has_grid:
        require_equal("number of symmetries without a grid", 1, len(all_of_them))
        return
    first = all_of_them[0]
    require_equal("cells of the first symmetry", list(range(len(env.board))), first.cells.tolist())
    chosen = list(range(len(all_of_them)))
    if scene.moves:  # a few at each position, all of them at the start
        chosen = scene.some(chosen, 3)
    for symmetry in (all_of_them[k] for k in chosen):
        name = symmetry.name
        for what, table, size in (
            ("cells", symmetry.cells, len(env.board)),
            ("moves", symmetry.moves, env.num_moves),
        ):
            require_equal(
                f"{what} under {name!r}, sorted", list(range(size)), sorted(table.tolist())
            )
        image = scene.make()
        image.set_position(symmetry.apply_to_board(env.board), env.current_player)
        expected = sorted(symmetry.apply_to_move(move) for move in here.legal_moves)
        require_equal(f"legal moves of the image under {name!r}", expected, image.get_legal_moves())
        require_equal(f"winner of the image under {name!r}", env.winner, image.winner)
        value, image_value = (game.evaluate_heuristic(1) for game in (env, image))
        require(
            math.isclose(value, image_value, abs_tol=1e-9),
            f"the heuristic is {value}, but {image_value} in the image under {name!r}",
        )
        for move in scene.some(list(here.legal_moves), 2):
            played, played_image = env.copy(), image.copy()
            played.step(move)
            played_image.step(symmetry.apply_to_move(move))
            expected_board = cells_of(symmetry.apply_to_board(played.board))
            actual = cells_of(played_image.board)
            require_equal(f"board after {move}, under {name!r}", expected_board, actual)
            require_equal(
                f"winner after {move}, under {name!r}", played.winner, played_image.winner
            )


def assignments(scene: Scene) -> None:
    """Everything follows from an assigned board and player, and the history is cleared."""
    if not scene.env.traits.has_grid:  # there neither can be assigned
        _require_no_assignment(scene)
        return
    games = [("in a new game", scene.start())]
    if scene.moves:
        elsewhere = scene.env.copy()
        if scene.here.is_terminal:
            elsewhere.undo()
        else:
            scene.play_out(elsewhere)
        # In a game with repeated positions the moves may have led back to the same one.
        if elsewhere.get_state_hash() != scene.here.state_hash:
            games.append(("in a game in another position", elsewhere))
    for where, game in games:
        # As course code does it: np.array([...]) is int64.
        game.board = np.array(list(scene.here.board))
        game.current_player = scene.here.current_player
        game.done = False
        _require_same_position(f"after assigning board and player {where}", scene, game)
    game = scene.start()
    game.board[:] = scene.here.board
    game.current_player = scene.here.current_player
    _require_same_position("after writing into the board of a new game", scene, game)

    turned = scene.env.copy()
    turned.current_player = -turned.current_player
    try:
        turned.get_legal_moves()
    except InvalidPositionError:
        return  # whose turn it is follows from the board, so the game refuses another turn
    require_equal("history after assigning current_player", [], turned.history)
    require_refused("undo() after assigning current_player", turned.undo)


def _require_no_assignment(scene: Scene) -> None:
    """Require that a game without a grid refuses another board and another side to move."""
    game, here = scene.env.copy(), scene.here
    for what, change in (
        ("board", partial(setattr, game, "board", [0] * len(here.board))),
        ("current_player", partial(setattr, game, "current_player", -here.current_player)),
        ("board[0]", partial(game.board.__setitem__, 0, 1)),
        ("set_position()", partial(game.set_position, list(here.board), here.current_player)),
    ):
        require_refused(f"assigning {what}", change)
        require_same_view(f"after assigning {what} was refused", here, view(game))
    game.done = False
    require_same_view("after assigning done", here, view(game))


def _require_same_position(when: str, scene: Scene, game: BaseGameEnv) -> None:
    """Require that ``game`` agrees with the scene on all that follows from board and player."""
    env = scene.env
    require_equal(f"board {when}", scene.here.board, cells_of(game.board))
    require_equal(f"type of the board's cells {when}", np.dtype(np.int8), game.board.dtype)
    require_equal(f"get_state_hash() {when}", scene.here.state_hash, game.get_state_hash())
    require_equal(f"is_terminal() {when}", scene.here.is_terminal, game.is_terminal())
    require_equal(f"legal moves {when}", list(scene.here.legal_moves), game.get_legal_moves())
    for player in (1, -1):
        require_equal(f"check_win({player}) {when}", env.check_win(player), game.check_win(player))
        if env.is_terminal():
            result = env.get_result(player)
            require_equal(f"get_result({player}) {when}", result, game.get_result(player))
    require_equal(f"winner {when}", scene.here.winner, game.winner)
    require_equal(f"done {when}", scene.here.done, game.done)
    if scene.moves:
        require_equal(f"history {when}", [], game.history)
    for move in scene.some(list(scene.here.legal_moves), 1):
        expected, actual = env.copy().step(move), game.copy().step(move)
        require_equal(f"reward of {move} {when}", expected[1], actual[1])
        require_equal(
            f"winner in info of {move} {when}", expected[3]["winner"], actual[3]["winner"]
        )


def set_position(scene: Scene) -> None:
    """Every position reached by play can be set up; anything else is refused."""
    if not scene.env.traits.has_grid:
        return  # it is reached by moves alone; see "assignment"
    game = scene.start()
    board = np.array(list(scene.here.board))
    game.set_position(board, scene.here.current_player)
    _require_same_position("after set_position()", scene, game)
    require_equal("winner after set_position()", scene.here.winner, game.winner)
    require_equal("done after set_position()", scene.here.done, game.done)
    require_equal("history after set_position()", [], game.history)
    before = view(game)
    board[:] = 0
    require_same_view("after writing into the board given to set_position()", before, view(game))

    cells = list(scene.here.board)
    player = scene.here.current_player
    refused: list[tuple[Any, Any]] = [
        ([*cells, 0], player),
        (cells[:-1], player),
        ([2, *cells[1:]], player),
        ([math.nan, *cells[1:]], player),
        (None, player),
        ("board", player),
        *((cells, not_a_player) for not_a_player in (0, 2, None, "X", True, math.nan)),
    ]
    for bad_board, bad_player in refused:
        require_refused(
            f"set_position({bad_board!r}, {bad_player!r})",
            partial(game.set_position, bad_board, bad_player),
        )
        require_same_view("after set_position() was refused", before, view(game))


def heuristic(scene: Scene) -> None:
    """The heuristic is in [-1, 1], and equals the result when the game is over."""
    env = scene.env
    for player in (1, -1):
        value = env.evaluate_heuristic(player)
        require(isinstance(value, float), f"the heuristic must be a float, not {value!r}")
        require(-1 <= value <= 1, f"the heuristic for {player:+d} is {value}, outside [-1, 1]")
        if env.is_terminal():
            require_equal(f"heuristic for {player:+d} at the end", env.get_result(player), value)
    require_equal("shape of move_priorities()", (env.num_moves,), env.move_priorities().shape)
