"""Training from a plain command line, for machines with JAX and little else.

::

    python -m rl_toolkit.learning.training --game connect-four --preset gpu --out DIR

``rl-toolkit train`` does the same with a progress bar, but needs Click and Rich, which a rented
machine may not have. The log goes to standard output, errors to standard error; the exit code is 0,
1 if training failed, or 2 if the arguments are invalid.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rl_toolkit.learning.training.checkpoint import CheckpointError
from rl_toolkit.learning.training.log import Entry, described
from rl_toolkit.learning.training.presets import PRESETS, preset_settings
from rl_toolkit.learning.training.settings import SettingsError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = _parser().parse_args(arguments)
    from rl_toolkit.learning.training.trainer import Trainer

    try:
        settings = preset_settings(
            options.game,
            options.preset,
            minutes=options.minutes,
            iterations=options.iterations,
            seed=options.seed,
        )
        trainer = Trainer(
            settings,
            options.out,
            resume=options.resume,
            judge=options.judge,
            teacher=options.teacher,
            stop_after=options.stop_after,
            on_event=_print_event,
        )
    except (SettingsError, CheckpointError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    try:
        trainer.run()
    except RuntimeError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Train a network by self-play.")
    parser.add_argument("--game", required=True, help="a game's name, such as connect-four")
    parser.add_argument("--preset", default="laptop", choices=list(PRESETS))
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, help="length of the whole run by the clock")
    length.add_argument("--iterations", type=int, help="length in iterations (repeatable)")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the run")
    parser.add_argument("--resume", action="store_true", help="resume from the checkpoint in it")
    parser.add_argument("--stop-after", type=float, help="minutes until this session stops")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--teacher", type=Path, help="a network that plays the games to learn from")
    parser.add_argument("--judge", type=Path, help="solved positions to evaluate the network on")
    return parser


def _print_event(entry: Entry, share: float) -> None:
    sys.stdout.write(f"{share:4.0%} {described(entry)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
