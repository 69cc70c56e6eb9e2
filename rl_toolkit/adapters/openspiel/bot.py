"""Our engines as bots of OpenSpiel: ``EngineBot("hard")``.

In Tic-Tac-Toe, Connect Four and Othello a bot thinks on our own game, with all engines and levels.
In every other game that `load_game` accepts it thinks on OpenSpiel's rules, with the engines that
play any game. Moves have the same numbers everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rl_toolkit.adapters.openspiel.game import OpenSpielGame
from rl_toolkit.adapters.openspiel.library import pyspiel
from rl_toolkit.analysis import Analysis
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import Player, make_player

#: Our game for a game of OpenSpiel with these parameters; moves have the same numbers in both.
_OURS: dict[str, Callable[[dict[str, Any]], str]] = {
    "tic_tac_toe": lambda _: "tictactoe",
    "connect_four": lambda size: "connect-four-{rows}x{columns}x{x_in_row}".format(**size),
    "othello": lambda _: "reversi",
}

_Bot: Any = pyspiel().Bot


def game_for(game: Any) -> BaseGameEnv:
    """A new game of ours by the rules of an OpenSpiel game."""
    name = _OURS.get(game.get_type().short_name)
    if name is None:
        return OpenSpielGame(str(game))
    # Versions of the library differ in which parameters a game has.
    usual = {"rows": 6, "columns": 7, "x_in_row": 4}
    return make_game(name({**usual, **game.get_parameters()}))


class EngineBot(_Bot):  # type: ignore[misc]
    """A bot that asks one of our engines for its move, in any seat.

    Args:
        engine: a level (``hard``) or an engine (``mcts:simulations=500``).
        seed: makes engines with random choices repeatable: two bots with the same seed play the
            same moves.
    """

    def __init__(self, engine: str = "hard", seed: int | None = None) -> None:
        super().__init__()
        self.engine = engine
        self.seed = seed
        self.last_analysis: Analysis | None = None
        self._rules = ""
        self._env: BaseGameEnv | None = None
        self._player: Player | None = None

    def step(self, state: Any) -> int:
        """The engine's move in ``state``."""
        env = self._follow(state)
        assert self._player is not None
        self.last_analysis = self._player.analyse(env)
        move = self.last_analysis.best_move
        if move is None:
            raise ValueError("the game is over: there is no move to choose")
        return move

    def restart(self) -> None:
        """Begin another game."""
        self._env = None

    def restart_at(self, state: Any) -> None:
        """Begin another game in ``state``."""
        self._env = None

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Nothing to do: `step` reads the moves that were played from its state."""

    def _follow(self, state: Any) -> BaseGameEnv:
        """Our game in the position of ``state``."""
        game, moves = state.get_game(), state.history()
        if self._rules != str(game):
            self._rules, self._env = str(game), None
            self._player = make_player(game_for(game), self.engine, seed=self.seed)
        played = [] if self._env is None else self._env.history
        if self._env is None or moves[: len(played)] != played:
            self._env, played = game_for(game), []
        self._env = self._env.after(moves[len(played) :])
        return self._env
