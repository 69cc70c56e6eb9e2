"""``warmup``: compile every kernel now, so that no game has to wait for it."""

from __future__ import annotations

import time

import click

from rl_toolkit.cli.options import examples
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen


@click.command()
@examples("rl-toolkit warmup", "RL_TOOLKIT_CACHE_DIR=/tmp/code rl-toolkit warmup")
def warmup() -> None:
    """Compile all machine code for this computer now, so that no game has to wait.

    It takes a few minutes. The command saves the code on disk; a second call has nothing to do.
    """
    screen = Screen()
    screen.tell("Looking for what is not compiled yet …")  # this alone takes seconds

    from rl_toolkit.kernels import jit
    from rl_toolkit.kernels.compiling.warm_up import helpers

    total = len(jit.pending())
    if not total:
        screen.tell("Everything is compiled already.")
        return
    started = time.perf_counter()
    with ProgressReporter(screen) as progress, helpers():
        jit.compile_all(lambda done, count, name: progress.update("compiled", done, count))
    screen.tell(f"Compiled {total} kernels in {time.perf_counter() - started:.1f} s.")
