"""The search of training, held to the one of mctx from which it borrows its rules."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

jax = pytest.importorskip("jax")
mctx = pytest.importorskip("mctx")
jnp = jax.numpy
jax.config.update("jax_disable_most_optimizations", True)  # compiling takes longer than running

from rl_toolkit.learning.training.games import batch_game  # noqa: E402
from rl_toolkit.learning.training.games.base import BatchGame, where_games  # noqa: E402
from rl_toolkit.learning.training.games.starts import random_starts  # noqa: E402
from rl_toolkit.learning.training.loop.network import Output  # noqa: E402
from rl_toolkit.learning.training.loop.search import SearchSettings, search  # noqa: E402
from rl_toolkit.learning.training.settings import StartMix  # noqa: E402

NO_LOGIT = float(np.finfo(np.float32).min)
DISCOUNT, SCALE = 0.97, 0.2


def opinion(game: BatchGame):
    """A fixed, arbitrary network: one random layer."""
    cells = 2 * game.rows * game.cols
    policy, wdl = (
        jax.random.normal(jax.random.key(seed), (cells, outputs))
        for seed, outputs in ((1, game.moves), (2, 3))
    )

    def evaluate(planes):
        flat = planes.reshape(len(planes), -1).astype(jnp.float32)
        return Output(flat @ policy, flat @ wdl)

    return evaluate


def by_mctx(game, evaluate, simulations, planes, key):
    """The same search by mctx alone, which goes on below finished games."""

    def judged(planes):
        output = evaluate(planes)
        wdl = jax.nn.softmax(output.wdl)
        logits = jnp.where(game.legal(planes), output.policy, NO_LOGIT)
        return logits, wdl[:, 0] - wdl[:, 2]

    def recurrent(_, __, move, state):
        planes, was_over = state
        step = game.step(planes, move)
        planes = where_games(was_over, planes, step.planes)
        over = was_over | step.done
        logits, value = judged(planes)
        output = mctx.RecurrentFnOutput(
            reward=jnp.where(was_over, 0.0, step.reward),
            discount=jnp.where(over, 0.0, -DISCOUNT),
            prior_logits=logits,
            value=jnp.where(over, 0.0, value),
        )
        return output, (planes, over)

    logits, value = judged(planes)
    root = mctx.RootFnOutput(
        prior_logits=logits, value=value, embedding=(planes, jnp.zeros(len(planes), bool))
    )
    return mctx.gumbel_muzero_policy(
        None,
        key,
        root,
        recurrent,
        simulations,
        invalid_actions=~game.legal(planes),
        qtransform=partial(
            mctx.qtransform_completed_by_mix_value, rescale_values=False, value_scale=SCALE
        ),
        max_num_considered_actions=game.moves,
    )


def compare(name: str, simulations: int, games: int) -> None:
    game = batch_game(name)
    evaluate = opinion(game)
    cells = game.rows * game.cols
    mix = StartMix(0.1, 0.3, cells // 3, (cells // 2, cells - 2), noise=0.5)
    planes = jax.jit(lambda key: random_starts(game, key, games, mix).planes)(jax.random.key(3))
    how = SearchSettings(simulations, game.moves, DISCOUNT, SCALE)
    key = jax.random.key(4)
    theirs = jax.jit(partial(by_mctx, game, evaluate, simulations))(planes, key)
    # mctx splits its key once before it draws the noise.
    noise_key = jax.random.split(key)[1]
    ours = jax.jit(lambda planes, key: search(game, evaluate, planes, key, how))(planes, noise_key)

    assert np.array_equal(ours.move, theirs.action)
    assert np.allclose(ours.policy, theirs.action_weights, atol=1e-5)
    summary = theirs.search_tree.summary()
    tried = np.asarray(summary.visit_counts) > 0
    weights = np.where(tried, theirs.action_weights, 0.0) + 1e-8 * tried
    values = (weights * np.where(tried, summary.qvalues, 0.0)).sum(1) / weights.sum(1)
    assert np.allclose(ours.value, values, atol=1e-5)
    assert np.abs(values).max() > 0.9  # some searches have seen the end of a game


@pytest.mark.full
@pytest.mark.parametrize("name", ["tictactoe", "connect-four", "reversi-4", "gomoku-9"])
def test_search_gives_what_mctx_gives(name):
    compare(name, simulations=48, games=64)


def test_search_prefers_the_quicker_win_and_sees_a_loss():
    """With no opinion at all, what search finds is what the rules say."""
    game = batch_game("tictactoe")
    to_win = np.zeros((2, 3, 3), bool)
    to_win[0, 0, :2] = to_win[1, 1, :2] = True  # X X . / O O . / . . .
    lost = np.zeros((2, 3, 3), bool)
    lost[0, 0, 1] = lost[0, 1, 2] = True  # the opponent threatens three lines
    lost[1, 0, 0] = lost[1, 2, 2] = lost[1, 2, 0] = True
    planes = jnp.asarray(np.stack([to_win, lost]))

    def ignorant(planes):
        return Output(jnp.zeros((len(planes), 9)), jnp.zeros((len(planes), 3)))

    how = SearchSettings(simulations=64, considered=9, discount=0.9, value_scale=0.3)
    found = jax.jit(lambda planes: search(game, ignorant, planes, jax.random.key(0), how, 0.0))(
        planes
    )
    assert int(found.move[0]) == 2
    assert float(found.policy[0, 2]) > 0.9
    assert float(found.value[1]) == pytest.approx(-0.9, abs=0.25)
