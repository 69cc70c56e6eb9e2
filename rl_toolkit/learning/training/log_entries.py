"""The log entry of an iteration; `learning.doctor` reads it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_toolkit.learning.training.log import Entry
from rl_toolkit.learning.training.loop.learner import Losses
from rl_toolkit.learning.training.loop.selfplay import Facts
from rl_toolkit.learning.training.run_state import RunState
from rl_toolkit.learning.training.settings import Settings, Stage


class TrainingError(RuntimeError):
    """Training cannot continue."""


def iteration_entry(
    settings: Settings, state: RunState, stage: Stage, facts: Facts, losses: Losses, window: int
) -> Entry:
    """The log entry of the iteration just finished, without its timing.

    ``positions``, ``games`` and ``total_simulations`` count from the beginning of the run; shares
    and means are of this iteration. Samples came from the newest ``window`` chunks.
    `TrainingError` if the losses are not finite.
    """
    if not np.isfinite([losses.policy, losses.value]).all():
        raise TrainingError(
            f"in iteration {state.iteration} the losses are not finite any more; the last "
            "checkpoint is from before that, but the run needs a lower learning rate"
        )
    trails = facts.trails[facts.ended]
    return {
        "kind": "iteration",
        "iteration": state.iteration,
        "positions": state.positions,
        "games": state.games,
        "simulations": stage.simulations,
        "total_simulations": state.simulations,
        "policy_loss": _rounded(losses.policy),
        "value_loss": _rounded(losses.value),
        "target_entropy": _rounded(facts.target_entropy),
        "prior_entropy": _rounded(facts.prior_entropy),
        "top_share": _rounded(facts.top_share),
        "value_spread": _rounded(facts.value_spread),
        "value_mean": _rounded(facts.value_mean),
        "draw_rate": _rounded(facts.draws),
        "first_wins": _rounded(facts.first_wins),
        "mean_plies": _rounded(facts.plies),
        "distinct_share": _rounded(len(np.unique(trails)) / max(1, len(trails))),
        "exploration": settings.gumbel_scale,
        "gradient_norm": _rounded(losses.gradient_norm),
        "buffer_positions": min(state.stored, settings.buffer_chunks) * settings.chunk,
        "buffer_age": (window - 1) / 2,
        "reuse": stage.reuse,
    }


def _rounded(value: Any) -> float:
    return round(float(value), 5)
