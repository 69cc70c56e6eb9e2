"""`ReversiTraining`: the evaluation of Reversi for `learning.evaluations`."""

from __future__ import annotations

from collections.abc import Callable

from rl_toolkit.algorithms.reversi import SHIPPED
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.learning.evaluations import Step, Wanted
from rl_toolkit.learning.reversi.fitting import Progress
from rl_toolkit.learning.reversi.pipeline import Plan, learn


class ReversiTraining:
    """See `learning.reversi.pipeline`."""

    options = frozenset({"passes", "look_ahead", "workers"})

    def problem(self, env: BaseGameEnv) -> str | None:
        """Only the boards that ship with weights have patterns."""
        if env.rows in SHIPPED:
            return None
        return f"an evaluation is trained for Reversi on 8×8 or 6×6, not for {env.name}"

    def train(self, wanted: Wanted, on_step: Callable[[Step], None]) -> list[str]:
        """The size of the file, and how far off each part is."""
        errors: dict[str, str] = {}

        def listen(made: Progress) -> None:
            detail, error = "", made.held_back_error
            if error is not None:
                detail = errors[made.part] = f"held back positions are off by {error:.2f} discs"
            on_step(Step(f"{made.part}: {made.step}", made.done, made.total, detail))

        own = {name: wanted.options[name] for name in ("passes", "look_ahead")}
        plan = Plan(**wanted.plan, **own, size=wanted.env.rows)
        learn(wanted.folder, plan, listen, executor=wanted.executor)
        path = wanted.folder / SHIPPED[wanted.env.rows]
        return [
            f"{path}: {path.stat().st_size:,} bytes",
            *(f"{part}: {error}" for part, error in errors.items()),
        ]
