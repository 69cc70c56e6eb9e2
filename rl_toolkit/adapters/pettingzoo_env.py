"""PettingZoo's AEC interface for every game: ``env("connect-four")``.

The agents are ``player_0``, who is +1 and opens, and ``player_1``. An observation is a dict with
``observation`` (see `adapters.observations`) and ``action_mask``; rewards are +1, −1 or 0 at the
end of the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_toolkit.adapters.observations import action_mask, limits_of, observe
from rl_toolkit.adapting import as_game
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.utils import install_command, shown

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(f"this needs PettingZoo: {install_command('pettingzoo')}") from error

_AGENTS = ("player_0", "player_1")
_PLAYERS = dict(zip(_AGENTS, (1, -1), strict=True))
_MODES = ("ansi", "human")


def env(game: str | BaseGameEnv = "tictactoe", render_mode: str | None = None) -> Any:
    """The game with PettingZoo's usual wrappers: an illegal move loses, wrong order is refused."""
    raw = raw_env(game, render_mode)
    checked = wrappers.AssertOutOfBoundsWrapper(
        wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    )
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - the name that PettingZoo's games use
    """A game without wrappers: an illegal move raises ``ValueError`` and changes nothing.

    Args:
        game: the name of a game, or a game, whose starting position is used.
        render_mode: ``ansi`` (`render` returns text), ``human`` (it prints) or ``None``.
    """

    def __init__(
        self, game: str | BaseGameEnv = "tictactoe", render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, *_MODES):
            raise ValueError(f"render_mode is ansi, human or None, not {shown(render_mode)}")
        self._game = make_game(game) if isinstance(game, str) else as_game(game).copy()
        self._game.reset()
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{self._game.name}_v0",
            "render_modes": list(_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = list(_AGENTS)
        seen = observe(self._game, 1)
        low, high = limits_of(self._game)
        space = spaces.Dict(
            {
                "observation": spaces.Box(low, high, seen.shape, seen.dtype.type),
                "action_mask": spaces.Box(0, 1, (self._game.num_moves,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(_AGENTS, space)
        self.action_spaces = {agent: spaces.Discrete(self._game.num_moves) for agent in _AGENTS}

    @property
    def game(self) -> BaseGameEnv:
        """A copy of the game in progress."""
        return self._game.copy()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of `observe`, the same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The moves, whether legal now or not."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as ``agent`` sees it, and its legal moves."""
        return {
            "observation": observe(self._game, _PLAYERS[agent]),
            "action_mask": action_mask(self._game, to_move=agent == self._to_move()),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. The seed changes nothing: there is no chance in the game."""
        self._game.reset()
        self.agents = list(_AGENTS)
        self.rewards = dict.fromkeys(_AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(_AGENTS, 0.0)
        self.terminations = dict.fromkeys(_AGENTS, False)
        self.truncations = dict.fromkeys(_AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in _AGENTS}
        self.agent_selection = self._to_move()

    def step(self, action: int | None) -> None:
        """Play ``action`` for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._game.step(_number(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._game.is_terminal():
            self.rewards = {name: self._game.get_result(_PLAYERS[name]) for name in _AGENTS}
            self.terminations = dict.fromkeys(_AGENTS, True)
            self.agent_selection = next(name for name in _AGENTS if name != agent)
        else:
            self.agent_selection = self._to_move()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text: returned in mode ``ansi``, printed in mode ``human``."""
        if self.render_mode is None:
            raise ValueError("make the environment with render_mode='ansi' or 'human' to render it")
        return self._game.render(mode=self.render_mode)

    def close(self) -> None:
        """Nothing to close."""

    def _to_move(self) -> str:
        return _AGENTS[self._game.current_player < 0]


def _number(action: object) -> Any:
    """A NumPy number, such as a space samples, as an int."""
    return action.item() if isinstance(action, np.generic) else action
