"""The batched games of training, held to the games of `envs` at every ply."""

from __future__ import annotations

import numpy as np
import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero.features import planes_of as network_planes

jax = pytest.importorskip("jax")
jnp = jax.numpy
jax.config.update("jax_disable_most_optimizations", True)  # compiling takes longer than running

from rl_toolkit.learning.training.games import batch_game  # noqa: E402
from rl_toolkit.learning.training.games.base import planes_of  # noqa: E402
from rl_toolkit.learning.training.games.starts import random_starts  # noqa: E402
from rl_toolkit.learning.training.presets import preset_settings  # noqa: E402
from rl_toolkit.learning.training.settings import StartMix  # noqa: E402

GAMES = ["tictactoe", "connect-four", "reversi-4"]
MORE_GAMES = [
    "tictactoe-3x5x4",
    "connect-four-5x4x3",
    "gomoku-9",
    "gomoku-9-standard",
    "reversi-6",
    "reversi-8",
]


def play_side_by_side(name: str, games: int, seed: int) -> set[int | None]:
    """Play random games in both, comparing everything at every ply; the winners seen."""
    game = batch_game(name)
    legal, step, inputs = (
        jax.jit(game.legal),
        jax.jit(game.step),
        jax.jit(game.inputs, static_argnums=1),
    )
    chance = np.random.default_rng(seed)
    envs = [make_game(name) for _ in range(games)]
    planes = game.start(games)
    running = np.ones(games, bool)
    winners = set()
    while running.any():
        allowed, seen = np.asarray(legal(planes)), np.asarray(inputs(planes, "float32"))
        moves = np.zeros(games, np.int32)
        for i in np.flatnonzero(running):
            expected = envs[i].get_legal_moves()
            assert np.flatnonzero(allowed[i]).tolist() == expected
            moves[i] = chance.choice(expected)
        still = [envs[i] for i in np.flatnonzero(running)]
        assert np.array_equal(seen[running], network_planes(still))
        after = step(planes, jnp.asarray(moves))
        for i in np.flatnonzero(running):
            mover = envs[i].current_player
            envs[i].step(int(moves[i]))
            over = envs[i].is_terminal()
            assert bool(after.done[i]) == over
            assert float(after.reward[i]) == (envs[i].get_result(mover) if over else 0)
            board = envs[i].board_2d
            assert np.array_equal(after.planes[i], [board == -mover, board == mover])
            if over:
                running[i] = False
                winners.add(envs[i].winner)
        planes = after.planes
    return winners


@pytest.mark.parametrize("name", GAMES)
def test_batched_rules_are_those_of_the_games(name):
    winners = play_side_by_side(name, games=24, seed=1)
    assert {1, -1} <= winners


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES + MORE_GAMES)
def test_batched_rules_are_those_of_the_games_at_length(name):
    assert {1, -1} <= play_side_by_side(name, games=200, seed=2)


@pytest.mark.parametrize("name", ["connect-four-5x5x4", "gomoku-9-standard", "gomoku-9"])
def test_cells_that_complete_a_line(name):
    """Dense boards have rows of every length, overlines too."""
    game = batch_game(name)
    chance = np.random.default_rng(3)
    boards = chance.random((40, game.rows, game.cols)) < 0.6
    found = np.asarray(jax.jit(game.completing)(jnp.asarray(boards)))
    env = make_game(name)
    for own, completing in zip(boards, found, strict=True):
        for cell in np.flatnonzero(~own):
            with_piece = own.ravel().copy()
            with_piece[cell] = True
            runs = env_runs(with_piece, cell, game.rows, game.cols)
            expected = any(map(env._wins, runs))
            assert completing.ravel()[cell] == expected


def env_runs(own, cell, rows, cols):
    from rl_toolkit.envs.bases import lines

    return lines.runs_through(own.astype(np.int8).tobytes(), cell, rows, cols)


@pytest.mark.parametrize(("name", "count"), [("connect-four", 2), ("reversi-4", 8)])
def test_symmetries_carry_positions_and_moves(name, count):
    """What a symmetry makes of a position has the image of its legal moves."""
    game = batch_game(name)
    assert len(game.cell_sources) == count
    pieces = np.random.default_rng(4).integers(-1, 2, (16, game.rows, game.cols))
    if name == "connect-four":
        pieces *= np.cumprod(pieces != 0, axis=1)  # nothing floats
    planes = np.stack([pieces == 1, pieces == -1], axis=1)
    legal = jax.jit(game.legal)
    allowed, flat = np.asarray(legal(planes)), planes.reshape(16, 2, -1)
    for cells, moves in zip(game.cell_sources, game.move_sources, strict=True):
        image = flat[:, :, cells].reshape(planes.shape)
        assert np.array_equal(legal(image), allowed[:, moves])


@pytest.mark.full
def test_safe_starts_leave_nobody_a_win():
    game = batch_game("connect-four")
    mix = StartMix(empty=0.1, early=0.3, early_plies=12, late_plies=(8, 36), noise=0.0)
    started = jax.jit(lambda key: random_starts(game, key, 200, mix))(jax.random.key(5))
    env = make_game("connect-four")
    plies = np.asarray(started.plies)
    for planes, count in zip(np.asarray(started.planes), plies, strict=True):
        mover = 1 if count % 2 == 0 else -1
        env.board = (mover * (planes[0].astype(np.int8) - planes[1])).ravel()
        env.current_player = mover
        assert env.move_count == count
        assert not env.is_terminal()
        assert not env.winning_moves(mover)
    assert (plies == 0).mean() == pytest.approx(0.1, abs=0.07)
    assert plies.max() > 20


@pytest.mark.full
def test_noisy_starts_of_tictactoe_reach_every_running_position():
    """Where a network must know all positions, all of them can begin a game."""
    game = batch_game("tictactoe")
    mix = preset_settings("tictactoe", "laptop").starts
    planes = jax.jit(lambda key: random_starts(game, key, 400_000, mix).planes)(jax.random.key(6))
    met = {position.tobytes() for position in np.asarray(planes)}
    reachable = set()
    waiting = [make_game("tictactoe")]
    while waiting:
        env = waiting.pop()
        key = planes_of(env).tobytes()
        if env.is_terminal() or key in reachable:
            continue
        reachable.add(key)
        for move in env.get_legal_moves():
            after = env.copy()
            after.step(move)
            waiting.append(after)
    assert len(reachable) == 5478 - 958
    assert met == reachable
