"""The experiments: each described once, and run by the terminal and by the web alike.

An `Experiment` names its settings, measures step by step, and draws its conclusion (table, chart,
data) from whatever has been measured by then; so every one can be watched, and stopped without
loss::

    description.py   Experiment, Question             counting/   nodes, positions, sweeps
    settings.py      settings: reading, bounds        playing/    matches and leagues
    results.py       the table, the chart, CSV        sampling/   MCTS and bandits
    running.py       progress, stop, what is kept     catalogue.py   all of them, by id
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.experiments.catalogue import EXPERIMENTS
    from rl_toolkit.experiments.description import Experiment, Progress
    from rl_toolkit.experiments.results import Column, Result
    from rl_toolkit.experiments.running import NothingMeasuredError, SoFar, run_experiment
    from rl_toolkit.experiments.sampling.regret import REGRET
    from rl_toolkit.experiments.settings import Setting, Settings, read_settings

__all__ = [
    "EXPERIMENTS",  # Every experiment, by name
    "REGRET",  # The experiment on the regret of bandits
    "Column",  # A column of the table of a result
    "Experiment",  # The description of an experiment
    "NothingMeasuredError",  # The experiment was stopped before its first measurement
    "Progress",  # How far an experiment is
    "Result",  # The outcome of an experiment, ready to be shown
    "Setting",  # One setting of an experiment
    "Settings",  # The settings of one experiment, read
    "SoFar",  # Gives the result of what has been measured so far
    "read_settings",  # Every setting of an experiment, given or by default
    "run_experiment",  # The result of an experiment with its settings
]
__getattr__, __dir__ = front_door(__name__)
