"""Gymnasium's interface: a game against an engine, ``GameEnv("connect-four", opponent="easy")``.

The opponent's answer is part of a step, so the agent is always to move. Importing this module also
registers the id ``rl_toolkit/Game-v0``. Gymnasium imports the module itself, in every process, for
``gymnasium.make("rl_toolkit.adapters.gymnasium_env:rl_toolkit/Game-v0", game="connect-four")``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.adapters.observations import action_mask, limits_of, observe
from rl_toolkit.adapting import as_game
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import make_player
from rl_toolkit.utils import install_command, shown

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError(f"this needs Gymnasium: {install_command('gymnasium')}") from error

#: A level, an engine, or a function from a game to a move.
Opponent: TypeAlias = str | Callable[[BaseGameEnv], int]
Opens: TypeAlias = Literal["agent", "opponent", "random"]

ID = "rl_toolkit/Game-v0"

_OPENS = ("agent", "opponent", "random")
_MODES = ("ansi", "human")
_MOST_SEED = 2**31


class GameEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """A game against an opponent.

    Observations are those of `adapters.observations`, seen by the agent. ``info`` holds
    ``action_mask`` (1 for each legal move), ``player`` (+1 or −1: which side the agent plays) and,
    after the agent's move, ``answer`` (the opponent's moves). The reward is +1, −1 or 0 when the
    game ends, else 0. An illegal action ends the episode with reward −1 and the reason in
    ``info["illegal"]``; the position stays as it was.

    Args:
        game: the name of a game, or a game, whose starting position is used.
        opponent: a level, an engine, or a function from a game to a move.
        opens: who makes the first move; ``random`` draws anew in each episode.
        render_mode: ``ansi`` (`render` returns text), ``human`` (it prints) or ``None``.
    """

    metadata = {"render_modes": list(_MODES), "render_fps": 1}  # noqa: RUF012 - as the base has it

    def __init__(
        self,
        game: str | BaseGameEnv = "tictactoe",
        opponent: Opponent = "easy",
        opens: Opens = "agent",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *_MODES):
            raise ValueError(f"render_mode is ansi, human or None, not {shown(render_mode)}")
        self._game = make_game(game) if isinstance(game, str) else as_game(game).copy()
        self._game.reset()
        self._opponent = opponent
        self._opens = _checked_opens(opens)
        self.render_mode = render_mode
        self._agent = 1
        self._is_over = True
        self._answer = self._new_opponent(seed=0)  # a wrong spec is refused here
        seen = observe(self._game, 1)
        low, high = limits_of(self._game)
        self.observation_space = spaces.Box(low, high, seen.shape, seen.dtype.type)
        self.action_space = spaces.Discrete(self._game.num_moves)

    @property
    def game(self) -> BaseGameEnv:
        """A copy of the game in progress."""
        return self._game.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a new game; the opponent moves first if it opens.

        The seed makes the opponent and the draw of who opens repeatable, in this episode and the
        following ones. ``options={"opens": …}`` overrides who opens, for this episode.
        """
        super().reset(seed=seed)
        opens = _checked_opens((options or {}).get("opens", self._opens))
        drawn = int(self.np_random.integers(2))
        self._answer = self._new_opponent(int(self.np_random.integers(_MOST_SEED)))
        self._game.reset()
        self._agent = {"agent": 1, "opponent": -1, "random": 1 - 2 * drawn}[opens]
        self._is_over = False
        self._play_opponent()
        self._show()
        return self._seen(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play ``action`` and the opponent's answer."""
        if self._is_over:
            raise ValueError("the episode is over: call reset() to begin another game")
        try:
            self._game.step(action.item() if isinstance(action, np.generic) else action)
        except ValueError as error:
            self._is_over = True
            return self._seen(), -1.0, True, False, {**self._info(), "illegal": str(error)}
        answer = self._play_opponent()
        self._is_over = self._game.is_terminal()
        reward = self._game.get_result(self._agent) if self._is_over else 0.0
        self._show()
        return self._seen(), reward, self._is_over, False, {**self._info(), "answer": answer}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which moves are legal, as learners with masks ask for it."""
        return action_mask(self._game, to_move=not self._is_over).astype(np.bool_)

    def render(self) -> Any:
        """The board as text: returned in mode ``ansi``, printed in mode ``human``."""
        if self.render_mode is None:
            raise ValueError("make the environment with render_mode='ansi' or 'human' to render it")
        return self._game.render(mode=self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _seen(self) -> NDArray[Any]:
        return observe(self._game, self._agent)

    def _info(self) -> dict[str, Any]:
        mask = action_mask(self._game, to_move=not self._is_over)
        return {"action_mask": mask, "player": self._agent}

    def _new_opponent(self, seed: int) -> Callable[[BaseGameEnv], int]:
        """The opponent of an episode."""
        if not isinstance(self._opponent, str):
            return self._opponent
        player = make_player(self._game, self._opponent, seed=seed)

        def choose(env: BaseGameEnv) -> int:
            move = player.analyse(env).best_move
            assert move is not None  # the game is not over
            return move

        return choose

    def _play_opponent(self) -> list[int]:
        """Let the opponent move until the agent is to move; returns its moves."""
        moves = []
        while not self._game.is_terminal() and self._game.current_player != self._agent:
            moves.append(self._answer(self._game.copy()))
            self._game.step(moves[-1])
        return moves


def _checked_opens(opens: object) -> Opens:
    if opens not in _OPENS:
        raise ValueError(f"opens is agent, opponent or random, not {shown(opens)}")
    return opens  # type: ignore[return-value]


if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point=f"{__name__}:{GameEnv.__name__}")
