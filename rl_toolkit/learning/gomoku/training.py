"""`GomokuTraining`: the evaluation of Gomoku for `learning.evaluations`."""

from __future__ import annotations

from collections.abc import Callable

from rl_toolkit.envs import BaseGameEnv, Gomoku
from rl_toolkit.learning.evaluations import Step, Wanted
from rl_toolkit.learning.gomoku.fitting import Progress
from rl_toolkit.learning.gomoku.pipeline import Plan, learn


class GomokuTraining:
    """See `learning.gomoku.pipeline`."""

    options = frozenset({"nodes", "hours", "workers", "from_nothing"})

    def problem(self, env: BaseGameEnv) -> str | None:
        """The kinds of cell are those of five in a row."""
        if isinstance(env, Gomoku) and env.is_five:
            return None
        return f"an evaluation is trained for five in a row, not for {env.name}"

    def train(self, wanted: Wanted, on_step: Callable[[Step], None]) -> list[str]:
        """The size of the file, and what it predicts of positions that were held back."""

        def listen(made: Progress) -> None:
            on_step(Step(f"{made.part}: {made.step}", made.done, made.total))

        env, options = wanted.env, wanted.options
        assert isinstance(env, Gomoku)
        plan = Plan(
            **wanted.plan,
            size=env.rows,
            rule=env.win_rule,
            nodes=options["nodes"],
            from_nothing=options["from_nothing"],
        )
        seconds = None if options["hours"] is None else 3600 * options["hours"]
        learned = learn(wanted.folder, plan, listen, executor=wanted.executor, seconds=seconds)
        assert learned is not None  # nothing stops it but Ctrl-C, which raises
        values, ranks = learned.values, learned.ranks
        return [
            f"{learned.path}: {learned.path.stat().st_size:,} bytes",
            f"fitted to {learned.positions:,} quiet positions; of those that were held back",
            f"  {values.right:.1%} of the results are predicted (log-loss {values.loss:.3f})",
            f"  {ranks.first:.1%} of the moves are ranked first, {ranks.five:.1%} in the first 5",
        ]
