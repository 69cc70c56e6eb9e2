"""`Experiment`: what is asked, what is measured, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from rl_toolkit.experiments.results import Result
from rl_toolkit.experiments.settings import Setting, Settings


class Question(NamedTuple):
    """A question to think about, and its answer."""

    asks: str
    answer: str


class Progress(NamedTuple):
    """How far an experiment is; ``total`` is ``None`` where nobody knows it beforehand."""

    done: int
    total: int | None
    what: str


@dataclass(frozen=True, slots=True)
class Experiment:
    """The description of an experiment.

    ``measure(**settings)`` yields `Progress` and, in between, measurements of any kind. It may be
    abandoned after every step. ``conclude(found, complete, **settings)`` makes the result from the
    measurements so far, of which there is at least one.

    Attributes:
        id: its name in the terminal and in addresses.
        title: its name on pages.
        about: one sentence: what is measured.
        unit: what a measurement is, in the plural: ``searches``.
        questions: two questions to think about.
        examples: further command lines, without ``rl-toolkit experiment ID``.
        minutes: whether it takes longer than a few seconds.
    """

    id: str
    title: str
    about: str
    unit: str
    settings: tuple[Setting, ...]
    measure: Callable[..., Iterator[Any]]
    conclude: Callable[..., Result]
    questions: tuple[Question, Question]
    examples: tuple[str, ...] = ()
    minutes: bool = False

    def command(self, settings: Settings) -> str:
        """The command line that runs it with these settings."""
        words = ["rl-toolkit", "experiment", self.id]
        for setting in self.settings:
            value = settings.get(setting.name, setting.default)
            if value is None or setting.written(value) == setting.written(setting.default):
                continue
            text = setting.written(value)
            text = f"'{text}'" if " " in text else text
            flag = f"--{setting.name.replace('_', '-')}"
            words += [text] if setting.kind == "game" else [flag, text]
        return " ".join(words)
