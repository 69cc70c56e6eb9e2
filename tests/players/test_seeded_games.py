"""Seeds are made from the text of a position: the games of a seed are the same in every version.

The games stored with the ladders are replayed in `test_shipped_ladders`.
"""

import re

import pytest
from paths import ROOT

from rl_toolkit.envs import make_game
from rl_toolkit.players import make_engine
from rl_toolkit.records import to_transcript

#: Games of a mix against itself, as they were when mixes were new.
GAMES = {
    ("tictactoe", 1): "c2b3b2c1a2",
    ("tictactoe", 2): "a3a1c2b2c3b1b3",
    ("tictactoe", 3): "a3c3b2c1c2a2b3b1a1",
    ("connect-four", 1): "42224456526445533",
    ("connect-four", 2): "4431546",
    ("connect-four", 3): "442363735",
    ("reversi-6", 1): "d5e5e4e3f5f6f3f4c2f2d2b4b3d6a5b2b1a1a2a3a4d1e6a6",
    ("reversi-6", 2): "b3d2e3b4b5c5d5c6d6a6c2c1d1e4b1f3b6a3e2f1a5a4f2e1",
    ("gomoku-9", 1): "h4e5d4e4e6d2d5d6f7i5e7c4f5f4g4c7f6g3",
    ("gomoku-9", 2): "e5f5e4e6f4a7i6g9g8g4b8b7d6c7d2i7g2d7d5e7",
    ("gomoku-9", 3): "g1h6e6h5e5i9h3h7h9i2b2e7g3f7f4e8d6f1c7",
}


@pytest.mark.parametrize(("game", "seed"), GAMES)
def test_the_games_of_a_mix_are_played_again_move_for_move(game, seed):
    player = make_engine(f"mix:strong=greedy:slips=0.2,weak=random,slips=0.4,seed={seed}")
    env = make_game(game)
    while not env.is_terminal() and len(env.history) < 24:
        env.step(player.analyse(env).best_move)
    assert to_transcript(env) == GAMES[game, seed]


def test_seeds_are_made_from_positions_in_one_place():
    made = re.compile(r"Random\([^\n]*(position_to_text|\.text\b|get_state_hash|\bhash\()")
    files = (ROOT / "rl_toolkit").rglob("*.py")
    places = [path.name for path in files if made.search(path.read_text("utf-8"))]
    assert places == ["seeds.py"]
