"""The rules three times: Python, compiled, and OpenSpiel's, side by side through random games.

At every ply the legal moves, the boards, and whether and how the game has ended agree. Each family
plays at least 2,000 games that all three know, most of them on small boards; a quick run plays the
first tenth of them.

OpenSpiel's conventions: player 0 opens and is our +1; ``mnk`` has m columns and n rows; in
``connect_four`` row 0 is the bottom; six in a row win in ``gomoku``; in ``othello`` a1 is top left
and 64 is the pass.
"""

import random
from typing import NamedTuple

import numpy as np
import pyspiel
import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.kernels.rules.compiled import compiled_rules
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON


class Match(NamedTuple):
    """A game by our name and by OpenSpiel's (if it knows the game), and how often it is played.

    ``planes`` are where OpenSpiel's observation shows the pieces of +1 and of −1.
    """

    name: str
    games: int
    spiel: str | None = None
    planes: tuple[int, int] = (0, 1)


def mnk(rows, cols, length, games):
    spiel = f"mnk(m={cols},n={rows},k={length})"
    return Match(f"tictactoe-{rows}x{cols}x{length}", games, spiel, (2, 1))


def connect_four(rows, cols, length, games):
    spiel = f"connect_four(rows={rows},columns={cols},x_in_row={length})"
    return Match(f"connect-four-{rows}x{cols}x{length}", games, spiel)


def gomoku(side, games, length=5):
    spiel = f"gomoku(size={side},connect={length})"
    return Match(f"gomoku-{side}x{side}x{length}", games, spiel)


MATCHES = [
    Match("tictactoe", 1000, "tic_tac_toe", (2, 1)),
    mnk(3, 3, 3, 200),
    mnk(3, 4, 3, 200),
    mnk(4, 3, 3, 100),
    mnk(4, 4, 4, 200),
    mnk(5, 4, 4, 100),
    mnk(5, 6, 4, 100),
    mnk(7, 7, 5, 80),
    mnk(8, 8, 4, 60),
    mnk(9, 8, 5, 40),
    mnk(12, 13, 5, 20),
    Match("connect-four", 1000, "connect_four"),
    connect_four(4, 4, 4, 300),
    connect_four(4, 5, 3, 200),
    connect_four(5, 4, 4, 200),
    connect_four(7, 6, 5, 150),
    connect_four(6, 8, 4, 100),
    connect_four(3, 9, 3, 100),
    gomoku(9, 1400),
    gomoku(9, 250, length=4),
    gomoku(9, 50, length=6),
    gomoku(13, 250),
    gomoku(15, 200),
    gomoku(19, 40),
    gomoku(20, 20),
    Match("reversi", 2000, "othello", (1, 2)),
    # What OpenSpiel does not play: Python and compiled rules only.
    Match("gomoku-9-standard", 300),
    Match("gomoku-9x9x3-standard", 300),
    Match("gomoku-15-standard", 30),
    Match("gomoku-20-standard", 10),
    Match("reversi-6", 300),
    Match("reversi-4", 500),
]
FAMILIES = ("tictactoe", "connect-four", "gomoku", "reversi")


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_plays_two_thousand_games_with_openspiel(family):
    games = [match.games for match in MATCHES if match.name.startswith(family) and match.spiel]
    assert sum(games) >= 2000


each_match = pytest.mark.parametrize(
    "match", MATCHES, ids=lambda match: match.name + ("" if match.spiel else "*")
)


@each_match
def test_three_sets_of_rules_agree(match):
    agree(match, max(5, match.games // 25))


@pytest.mark.full
@each_match
def test_three_sets_of_rules_agree_in_all_games(match):
    agree(match, match.games)


def agree(match, games):
    rng = random.Random(match.name)
    env = make_game(match.name)
    rules = compiled_rules(env.kernel_spec())
    assert rules is not None
    game = pyspiel.load_game(match.spiel) if match.spiel else None
    for _ in range(games):
        env.reset()
        play_along(env, rules, game.new_initial_state() if game else None, match.planes, rng)


def play_along(env, rules, state, planes, rng):
    """One random game on all boards at once."""
    words = rules.encode(env.board, env.current_player)
    while True:
        legal = env.get_legal_moves()
        assert rules.moves(words) == legal
        if state is not None:
            assert state.legal_actions() == legal
            assert state.current_player() == (0 if env.current_player == 1 else 1)

        move = rng.choice(legal)
        player = env.current_player
        board, reward, done, _ = env.step(move)
        words, status = rules.play(words, move)
        assert status == status_for(player, reward, done)
        assert rules.status(words) == status_for(-player, reward, done)
        assert rules.decode(words, -player).tobytes() == board.tobytes()
        if state is not None:
            state.apply_action(move)
            assert state.is_terminal() == done
            observed = np.array(state.observation_tensor(0), dtype=np.int8).reshape(3, -1)
            assert (observed[planes[0]] - observed[planes[1]]).tobytes() == board.tobytes()
        if done:
            break
    assert (rules.encode(env.board, -player) == words).all()
    if state is not None:
        assert state.returns() == [reward, -reward]


def status_for(player, reward, done):
    """A reward of player +1 as the kernels tell it to ``player``."""
    if not done:
        return RUNNING
    return {1: WON, 0: DRAWN, -1: LOST}[int(reward) * player]
