"""A network judged while it learns: programs that choose moves for the positions of a `judge`."""

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
_FEWER = 256  # positions judged with search where search is slow

#: The moves that a folded network chooses for planes of positions.
Chooser = Callable[[Layers, Array], Array]


class Judging:
    """Two ways to judge a network: by what it likes at first sight, and with search.

    Attributes:
        choosers: program → what it computes and for which positions.
    """

    def __init__(
        self, judge: Judge, game: BatchGame, settings: Settings, dtype: DTypeLike, *, slow: bool
    ) -> None:
        """``slow`` where search takes long: then fewer positions are searched."""
        self._game, self._settings, self._dtype = game, settings, dtype
        some = judge.first(_FEWER) if slow else judge
        self.choosers: dict[str, tuple[Chooser, Judge]] = {
            "policy keeps result": (self._at_sight, judge),
            f"{SIMULATIONS} simulations keep result": (self._searched, some),
        }
        self.at_sight, self.with_search = self.choosers

    def entry(self, what: str, choose: Chooser, playing: Layers) -> Entry:
        """How often a network keeps the result, for the log; ``choose`` is the compiled chooser."""
        judge = self.choosers[what][1]
        share = judge.share(np.asarray(choose(playing, jnp.asarray(judge.planes))))
        return {
            "what": what,
            "score": share.score,
            "low": share.low,
            "high": share.high,
            "n": share.n,
        }

    def _at_sight(self, playing: Layers, planes: Array) -> Array:
        """The move that the network likes best in every position."""
        logits = apply_folded(playing, self._game.inputs(planes, self._dtype)).policy
        return jnp.where(self._game.legal(planes), logits, IMPOSSIBLE).argmax(-1)

    def _searched(self, playing: Layers, planes: Array) -> Array:
        """The move that search prefers in every position."""
        how = search_settings(self._settings, self._game, SIMULATIONS)
        evaluate = network_evaluator(self._game, playing)
        return search(self._game, evaluate, planes, jax.random.key(0), how, gumbel_scale=0.0).move
