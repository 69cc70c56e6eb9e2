"""How an experiment is shown: a progress bar, then the table, the plot, CSV and JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from rl_toolkit.cli.arguments import report_errors
from rl_toolkit.cli.long_runs import ENGINE_FAILURES
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import Column, fitting, left_out, needed_width, plain_table
from rl_toolkit.experiments import Experiment, Progress, Result, Settings, run_experiment
from rl_toolkit.utils import write_text_atomically
from rl_toolkit.utils.svg import check_can_draw, save_chart

#: ``report(done, total, what)``: how far an experiment is.
Report: TypeAlias = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for beside the table: files for the plot and for CSV, or JSON."""

    plot: str | None = None
    csv: str | None = None
    as_json: bool = False

    def check(self) -> None:
        """Raise ``ValueError`` for a file that cannot be written, before a long experiment."""
        if self.plot is not None:
            check_can_draw(self.plot)
        if self.csv is not None and not self.csv.lower().endswith(".csv"):
            raise ValueError(f"the name of a table must end in .csv, not {self.csv}")


def run_described(experiment: Experiment, settings: Settings, report: Report) -> Result:
    """Run an experiment of the catalogue, with its progress as a bar wants it."""

    def on_progress(progress: Progress) -> None:
        done, total, what = progress
        if total is None:
            report(0, 1, f"{done:,} {experiment.unit}, {what}")
        else:
            report(min(done, total), total, what)

    return run_experiment(experiment, settings, on_progress=on_progress)


def show_experiment(run: Callable[[Report], Result], wanted: Wanted) -> None:
    """Run an experiment with a progress bar on stderr, then show the table and write the files.

    After Ctrl-C what has been measured by then is shown, and the interrupt raised again.
    """
    screen = Screen()
    plot, as_json = wanted.plot, wanted.as_json
    with report_errors(*ENGINE_FAILURES):  # else a level or a board that is not for this
        wanted.check()
        with ProgressReporter(screen) as progress:
            result = run(lambda done, total, what: progress.update("", done, total, what))
    with report_errors():  # files first: `| head` may not read the table to its end
        if plot is not None:
            save_chart(result.chart, plot)
        if wanted.csv is not None:
            write_text_atomically(wanted.csv, result.to_csv())
    if as_json:
        screen.json({**result.data, "complete": not result.stopped})
    else:
        _show(result, screen)
    if plot is not None:
        screen.tell(f"Drawn: {plot}", "dim")
    if wanted.csv is not None:
        screen.tell(f"Written: {wanted.csv}", "dim")
    if result.stopped:
        screen.tell(result.stopped)
        raise KeyboardInterrupt


def _show(result: Result, screen: Screen) -> None:
    screen.say(result.title, "bold")
    rows = result.rows
    columns = [
        # The last columns are left out first; the name and the first number always stay.
        Column(screen.fit(head), [screen.fit(row[number]) for row in rows], max(0, number - 1))
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
    if missing := left_out(columns, shown):
        screen.tell(missing, "dim")
    for remark in result.remarks:
        screen.say(remark, "dim")
