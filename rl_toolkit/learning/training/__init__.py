"""Training by self-play: search, a network and the loop around them, in JAX.

Lowest first; modules marked * need the extra ``train`` (JAX)::

    settings            the settings of a run
    presets             measured settings for every game
    policy_targets      which moves an analysis recommends
    recorded_games      games in files as samples
    games/            * batched games, and the positions in which self-play begins
    loop/             * one iteration: network, search, self-play, replay, learner, evaluation
    log                 reading and writing ``log.jsonl``
    log_entries       * the log entry of an iteration
    checkpoint          saving and loading states of a run
    run_state         * the state of a run as pieces of a checkpoint
    export            * writing the averaged network to a file
    compiled_programs   compiling programs in the background
    trainer           * the training loop
    generations       * training that keeps what the network says of every position
    curves              charts of a log
    __main__            `rl-toolkit train` without the installed script
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.learning.training.checkpoint import (
        CheckpointError,
        load_checkpoint,
        settings_of,
    )
    from rl_toolkit.learning.training.curves import curves_svg
    from rl_toolkit.learning.training.export import export_network
    from rl_toolkit.learning.training.generations import record_generations
    from rl_toolkit.learning.training.log import Entry, described, read_log
    from rl_toolkit.learning.training.presets import preset_settings
    from rl_toolkit.learning.training.recorded_games import recommended
    from rl_toolkit.learning.training.settings import Settings, Stage
    from rl_toolkit.learning.training.trainer import Trainer

__all__ = [
    "CheckpointError",  # A checkpoint is missing, damaged or of another run
    "Entry",  # One line of the log of a run
    "Settings",  # The settings of a training run
    "Stage",  # The number of simulations per move from a given share of the run on
    "Trainer",  # One training run in one folder; call `run`
    "curves_svg",  # Draw the curves of a log
    "described",  # Describe a log entry in one line
    "export_network",  # Write ``network.npz`` with a card that says how it was trained
    # Load the checkpoint of a folder; `CheckpointError` says why it cannot be used
    "load_checkpoint",
    # The settings of a preset for a game; ``minutes`` or ``iterations`` override its length
    "preset_settings",
    "read_log",  # The entries of a run's log, oldest first; an incomplete line is skipped
    "recommended",  # The moves worth playing with their weights
    "record_generations",  # Train, and keep what the network says after some iterations
    "settings_of",  # The settings of the saved run
]
__getattr__, __dir__ = front_door(__name__)
