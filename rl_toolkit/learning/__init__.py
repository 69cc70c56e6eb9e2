"""Learning from self-play: the Reversi evaluation, and networks for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.learning.doctor import Doctor, examine
    from rl_toolkit.learning.evaluations import Step, Wanted, trained_games, training_for

__all__ = [
    "Doctor",  # Watches a training run
    "Step",  # How far a training of an evaluation is
    "Wanted",  # What is to be learned, and where it is written
    "examine",  # A finding for every failure that the log of a run shows
    "trained_games",  # The games whose evaluation can be trained, as they are written
    "training_for",  # How the evaluation of a game is trained; ``None`` if it has none
]
__getattr__, __dir__ = front_door(__name__)
