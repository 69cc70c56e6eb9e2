"""A bot that was written for a class of its own gets an object of that class."""

from __future__ import annotations

import pytest

from rl_toolkit.analysis import EngineError
from rl_toolkit.envs import load_game, make_game, registry
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.players.bots.engine import BotEngine

GAME = '''
class NumberedSquares:
    """Three in a row; cells are numbered from 1, players are X and O."""

    def __init__(self):
        self.squares, self.turn, self.winner = ["."] * 9, "X", None

    def free(self):
        return [k + 1 for k in range(9) if self.squares[k] == "."]

    available_moves = free

    def place(self, cell):
        self.squares[cell - 1] = self.turn
        for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8),
                        (0, 4, 8), (2, 4, 6)):
            if self.squares[a] == self.squares[b] == self.squares[c] != ".":
                self.winner = self.turn
        self.turn = "O" if self.turn == "X" else "X"
'''
OWN = "    return max(game.free())\n"  # only the class has it
OURS = "    return game.get_legal_moves()[-1] if game.history == [0] else 99\n"


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """The folder and the name of the game, which is loaded once."""
    folder = tmp_path_factory.mktemp("games")
    file = folder / "numbered_squares.py"
    file.write_text(GAME + "\n\ndef choose(game):\n" + OWN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
        yield folder, load_game(f"{file}:NumberedSquares")
    bot_engine.forget_parked()
    bot_process.settle()


def answer(game, code, file="my_bot.py", first=0):
    folder, name = game
    path = folder / file
    if code is not None:
        path.write_text(code)
    env = make_game(name)
    env.step(first)
    engine = BotEngine(path)
    try:
        return engine.analyse(env).best_move
    finally:
        engine.close()


@pytest.mark.parametrize(
    "code",
    [
        "import numbered_squares\ndef choose(game):\n" + OWN,
        "from numbered_squares import NumberedSquares\ndef choose(game):\n" + OWN,
        "from numbered_squares import *\nclass B:\n def search(self, game):\n" + OWN,
        "own = True\ndef choose(game):\n" + OWN,
        "def choose(game: 'NumberedSquares'):\n" + OWN,
        "import numbered_squares as ns\ndef choose(game: ns.NumberedSquares | None):\n" + OWN,
        "from typing import *\ndef choose(game: Optional['NumberedSquares'] = None):\n" + OWN,
    ],
)
def test_code_for_the_class_gets_its_object_and_answers_in_its_moves(game, code):
    assert answer(game, code) == 8


@pytest.mark.parametrize("wrong", ["True", "2.0"])
def test_truth_values_and_fractions_are_not_moves_of_the_class(game, wrong):
    with pytest.raises(EngineError, match=rf"returned {wrong}, which is not a move"):
        answer(game, f"own = True\ndef choose(game):\n    return {wrong}\n", first=8)


def test_a_bot_in_the_file_of_the_game(game):
    assert answer(game, None, "numbered_squares.py") == 8


@pytest.mark.parametrize(
    "code",
    [
        "def choose(game):\n" + OURS,
        "import random\ndef choose(game):\n" + OURS,
        "own = False\nimport numbered_squares\ndef choose(game):\n" + OURS,
        "from rl_toolkit.envs import BaseGameEnv\nimport numbered_squares\n"
        "def choose(game: BaseGameEnv):\n" + OURS,
    ],
)
def test_other_bots_get_a_game_of_the_toolkit(game, code):
    assert answer(game, code) == 8


def test_a_bot_that_misses_the_toolkit_s_names_hears_how_to_get_them(game):
    code = "import numbered_squares\ndef choose(game):\n    return game.{}\n"
    with pytest.raises(EngineError, match="no attribute 'history'; with own = False in its file"):
        answer(game, code.format("history"))
    with pytest.raises(EngineError) as failed:
        answer(game, code.format("nonsense"))
    assert "own = False" not in str(failed.value)


def test_a_game_of_the_toolkit_has_no_other_object(tmp_path):
    file = tmp_path / "my_bot.py"
    file.write_text("own = True\ndef choose(env): return env.get_legal_moves()[-1]\n")
    engine = BotEngine(file)
    try:
        assert engine.analyse(make_game("tictactoe")).best_move == 8
    finally:
        engine.close()
