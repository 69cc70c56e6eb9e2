"""``warmup``: compile every kernel now, with a bar, so that no game waits for it."""

from __future__ import annotations

import time

import click

from rl_toolkit.cli.arguments import examples


@click.command()
@examples("rl-toolkit warmup", "RL_TOOLKIT_CACHE_DIR=/tmp/code rl-toolkit warmup")
def warmup() -> None:
    """Compile everything for this machine, so that no game waits for it.

    Compiled code is kept on disk; a second call has nothing left to do.
    """
    from rl_toolkit.cli.ui.screen import Screen

    screen = Screen()
    screen.tell("Looking for what is not compiled yet …")  # which alone takes seconds

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from rl_toolkit.kernels import jit

    total = len(jit.pending())
    if not total:
        screen.tell("Everything is compiled already.")
        return
    started = time.perf_counter()
    columns = (TextColumn("Compiling"), BarColumn(), MofNCompleteColumn())
    name_column = TextColumn("{task.description}")
    bar = Progress(*columns, name_column, console=screen.err, transient=True)
    if not screen.err.is_terminal or screen.err.is_dumb_terminal:
        screen.tell(f"Compiling {total} kernels …")
        bar.disable = True
    with bar:
        task = bar.add_task("", total=total)
        jit.compile_all(
            lambda done, count, name: bar.update(task, completed=done, description=name)
        )
    screen.tell(f"Compiled {total} kernels in {time.perf_counter() - started:.1f} s.")
