"""The games, one file each, and the registry that finds them by name."""

from rl_toolkit.envs.base_game import BaseGameEnv
from rl_toolkit.envs.board_game import DRAWN, RUNNING, BoardGame, Verdict
from rl_toolkit.envs.connect_four import ConnectFour
from rl_toolkit.envs.errors import (
    AdaptationError,
    GameError,
    GameFailedError,
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    UnknownGameError,
)
from rl_toolkit.envs.failures import game_failure, naming_failures
from rl_toolkit.envs.from_file import load_game
from rl_toolkit.envs.gomoku import Gomoku
from rl_toolkit.envs.plain import adapt_game, as_game, own_move, play_move
from rl_toolkit.envs.registry import GameFamily, game_families, make_game, register_game
from rl_toolkit.envs.reversi import Reversi
from rl_toolkit.envs.symmetry import Symmetry
from rl_toolkit.envs.tictactoe import TicTacToe
from rl_toolkit.envs.traits import FormField, GameTraits, for_game

__all__ = [
    "DRAWN",
    "RUNNING",
    "AdaptationError",
    "BaseGameEnv",
    "BoardGame",
    "ConnectFour",
    "FormField",
    "GameError",
    "GameFailedError",
    "GameFamily",
    "GameOverError",
    "GameTraits",
    "Gomoku",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPositionError",
    "Reversi",
    "Symmetry",
    "TicTacToe",
    "UnknownGameError",
    "Verdict",
    "adapt_game",
    "as_game",
    "for_game",
    "game_failure",
    "game_families",
    "load_game",
    "make_game",
    "naming_failures",
    "own_move",
    "play_move",
    "register_game",
]
