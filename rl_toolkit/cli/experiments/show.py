"""The result of an experiment, and how it is shown: a progress bar, the table, the plot, JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from rl_toolkit.cli.arguments import report_errors
from rl_toolkit.cli.long_runs import ENGINE_FAILURES
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import Column, fitting, needed_width, plain_table
from rl_toolkit.utils.svg.chart import Chart, check_can_draw, save_chart

#: ``report(done, total, what)``: how far an experiment is.
Report: TypeAlias = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of an experiment, ready to be shown.

    The first column names the row, the others hold numbers, the most important first: where there
    is no room the last columns are left out. ``stopped`` says how far an interrupted one came.
    """

    title: str
    head: list[str]
    rows: list[list[str]]
    chart: Chart
    remarks: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    stopped: str = ""


def show_experiment(run: Callable[[Report], Result], plot: str | None, as_json: bool) -> None:
    """Run an experiment with a progress bar on stderr, then show the table and draw the plot.

    After Ctrl-C what has been measured by then is shown, and the interrupt raised again.
    """
    screen = Screen()
    with report_errors(*ENGINE_FAILURES):  # else a level or a board that is not for this
        if plot is not None:
            check_can_draw(plot)
        with ProgressReporter(screen) as progress:
            result = run(lambda done, total, what: progress.update("", done, total, what))
    if as_json:
        screen.json({**result.data, "complete": not result.stopped})
    else:
        _show(result, screen)
    if plot is not None:
        with report_errors():
            save_chart(result.chart, plot)
        screen.tell(f"Drawn: {plot}", "dim")
    if result.stopped:
        screen.tell(result.stopped)
        raise KeyboardInterrupt


def _show(result: Result, screen: Screen) -> None:
    screen.say(result.title, "bold")
    columns = [
        # The last columns are left out first; the name and the first number always stay.
        Column(
            screen.fit(head), [screen.fit(row[number]) for row in result.rows], max(0, number - 1)
        )
        for number, head in enumerate(result.head)
    ]
    if needed_width(columns) > screen.width:
        columns = [replace(column, head=column.head.replace(" ", "\n")) for column in columns]
    shown = fitting(columns, screen.width)
    heads = [column.head for column in shown]
    table = plain_table(*heads, numbers=heads[1:])
    for column in table.columns[1:]:
        column.no_wrap = True  # half a number is a wrong number; a name may be folded
    for row in zip(*(column.cells for column in shown), strict=True):
        table.add_row(*row)
    screen.say(table)
    if len(shown) < len(columns):
        hidden = ", ".join(result.head[len(shown) :])
        screen.tell(f"Left out for lack of room: {hidden}.", "dim")
    for remark in result.remarks:
        screen.say(remark, "dim")
