"""Run an experiment: report how far it is, stop where asked, and keep what has been measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rl_toolkit.analysis import StopSignal
from rl_toolkit.experiments.description import Experiment, Progress
from rl_toolkit.experiments.results import Result
from rl_toolkit.experiments.settings import Settings, read_settings

OnProgress = Callable[[Progress], object]
#: Gives the result of what has been measured so far.
SoFar = Callable[[], Result]


class NothingMeasuredError(Exception):
    """The experiment was stopped before its first measurement."""


def run_experiment(
    experiment: Experiment,
    settings: Settings | None = None,
    *,
    on_progress: OnProgress | None = None,
    on_found: Callable[[SoFar], object] | None = None,
    stop: StopSignal | None = None,
) -> Result:
    """The result of the experiment with these settings, which `read_settings` made; or as usual.

    ``on_found`` is called after each measurement. When ``stop`` is set or Ctrl-C is pressed, the
    result is that of the measurements so far and its ``stopped`` says so; without any measurement
    `NothingMeasuredError`, or the interrupt, is raised.
    """
    asked = read_settings(experiment.settings, {}) if settings is None else settings
    measured: list[Any] = []
    total: int | None = None
    stopped = False

    def so_far(complete: bool = False) -> Result:
        return experiment.conclude(measured, complete, **asked)

    try:
        for step in experiment.measure(**asked):
            if isinstance(step, Progress):
                total = step.total
                if on_progress is not None:
                    on_progress(step)
            else:
                measured.append(step)
                if on_found is not None:
                    on_found(so_far)
            if stop is not None and stop.is_set():
                stopped = True
                break
    except KeyboardInterrupt:
        if not measured:
            raise
        stopped = True
    if not measured:
        raise NothingMeasuredError("stopped before anything was measured")
    if not stopped or len(measured) == total:
        return so_far(complete=True)
    how_many = f"{len(measured):,}" if total is None else f"{len(measured):,} of {total:,}"
    if how_many == "1":
        how_many = "one of the"
    sentence = f"Stopped after {how_many} {experiment.unit}."
    return replace(so_far(), stopped=sentence)
