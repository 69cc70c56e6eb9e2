"""Evaluate a network during training: how often its moves keep the result of solved positions."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import DTypeLike

from rl_toolkit.learning.training.games.base import BatchGame
from rl_toolkit.learning.training.games.starts import IMPOSSIBLE
from rl_toolkit.learning.training.log import Entry
from rl_toolkit.learning.training.loop.network import Layers, apply_folded
from rl_toolkit.learning.training.loop.search import search
from rl_toolkit.learning.training.loop.selfplay import network_evaluator, search_settings
from rl_toolkit.learning.training.loop.solved_positions import Judge
from rl_toolkit.learning.training.settings import Settings

SIMULATIONS = 64
_FEWER = 256  # positions evaluated with search where search is slow

#: Chooses a move for each position, given a folded network and the planes.
Chooser = Callable[[Layers, Array], Array]


class NetworkEvaluation:
    """Evaluates a network in two ways: by its policy alone, and with search.

    Attributes:
        choosers: name of the program → its function and its positions.
        by_policy, by_search: the names of the two programs.
    """

    def __init__(
        self, judge: Judge, game: BatchGame, settings: Settings, dtype: DTypeLike, *, slow: bool
    ) -> None:
        """With ``slow``, fewer positions are searched."""
        self._game, self._settings, self._dtype = game, settings, dtype
        some = judge.first(_FEWER) if slow else judge
        self.choosers: dict[str, tuple[Chooser, Judge]] = {
            "policy keeps result": (self._policy_moves, judge),
            f"{SIMULATIONS} simulations keep result": (self._search_moves, some),
        }
        self.by_policy, self.by_search = self.choosers

    def entry(self, what: str, choose: Chooser, playing: Layers) -> Entry:
        """The log entry of one evaluation; ``choose`` is the compiled program."""
        judge = self.choosers[what][1]
        share = judge.share(np.asarray(choose(playing, jnp.asarray(judge.planes))))
        return {
            "what": what,
            "score": share.score,
            "low": share.low,
            "high": share.high,
            "n": share.n,
        }

    def _policy_moves(self, playing: Layers, planes: Array) -> Array:
        """The move with the highest prior in every position."""
        logits = apply_folded(playing, self._game.inputs(planes, self._dtype)).policy
        return jnp.where(self._game.legal(planes), logits, IMPOSSIBLE).argmax(-1)

    def _search_moves(self, playing: Layers, planes: Array) -> Array:
        """The move that the search chooses in every position."""
        how = search_settings(self._settings, self._game, SIMULATIONS)
        evaluate = network_evaluator(self._game, playing)
        return search(self._game, evaluate, planes, jax.random.key(0), how, gumbel_scale=0.0).move
