"""An experiment run and shown: a bar while it runs, then the table, the plot, or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable

from rich.cells import cell_len
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from rl_toolkit.cli.arguments import describe_os_error, failure, refuse
from rl_toolkit.cli.experiments.result import Report, Result
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils.svg.chart import check_can_draw, save_chart


def show_experiment(run: Callable[[Report], Result], plot: str | None, as_json: bool) -> None:
    """Run with a bar on stderr, then show the table and draw the plot."""
    screen = Screen()
    try:
        if plot is not None:
            check_can_draw(plot)
        result = _with_a_bar(run, screen)
    except ImportError as error:
        raise failure(error) from error
    except ValueError as error:  # a level, an engine or a board that is not for this
        raise refuse(error) from error
    if as_json:
        screen.line(json.dumps(result.data))
    else:
        _show(result, screen)
    if plot is not None:
        _draw(result, plot, screen)


def _with_a_bar(run: Callable[[Report], Result], screen: Screen) -> Result:
    from rl_toolkit.kernels import jit

    columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    bar = Progress(*columns, console=screen.err, transient=True)
    bar.disable = not screen.err.is_terminal or screen.err.is_dumb_terminal
    task = bar.add_task("", total=None)

    def report(done: int, total: int, what: str) -> None:
        bar.update(task, completed=done, total=total, description=screen.fit(what))

    leave = jit.on_compile(lambda name: bar.update(task, description=f"compiling {name}"))
    try:
        with bar:
            return run(report)
    finally:
        leave()


def _show(result: Result, screen: Screen) -> None:
    screen.say(result.title, "bold")
    heads, rows = [screen.fit(head) for head in result.head], result.rows
    cells = [[screen.fit(row[number]) for row in rows] for number in range(len(heads))]
    if not _fits(heads, cells, screen.width):
        heads = [head.replace(" ", "\n") for head in heads]
    shown = len(heads)
    while shown > 2 and not _fits(heads[:shown], cells, screen.width):
        shown -= 1
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, head in enumerate(heads[:shown]):
        # Half a number is a wrong number; a name may be folded.
        table.add_column(
            head, justify="right" if number else "left", no_wrap=number > 0, overflow="fold"
        )
    for row in zip(*cells[:shown], strict=True):
        table.add_row(*row)
    screen.say(table)
    if shown < len(heads):
        screen.tell(f"Left out, for there is no room: {', '.join(result.head[shown:])}.", "dim")
    for remark in result.remarks:
        screen.say(remark, "dim")


def _fits(heads: list[str], cells: list[list[str]], width: int) -> bool:
    """Whether columns under these heads can stand side by side, two blanks between them."""
    widest = (
        max(map(cell_len, (*head.split("\n"), *column)))
        for head, column in zip(heads, cells, strict=False)
    )
    return sum(widest) + 2 * (len(heads) - 1) <= width


def _draw(result: Result, plot: str, screen: Screen) -> None:
    try:
        save_chart(result.chart, plot)
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    screen.tell(f"Drawn: {plot}", "dim")
