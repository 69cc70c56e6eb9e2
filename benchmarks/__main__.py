"""Run the benchmarks named on the command line, or all of them."""

from __future__ import annotations

import importlib
import json
import pkgutil
import platform
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

import benchmarks
from benchmarks import Row

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"


def names() -> list[str]:
    """All benchmarks there are."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in found if not name.startswith("_"))


def show(name: str, rows: list[Row]) -> None:
    """Print rows as a table, numbers to the right and with separators."""
    table = Table(title=name)
    for column, value in rows[0].items():
        table.add_column(column, justify="left" if isinstance(value, str) else "right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    console = Console()
    if not console.is_terminal:  # into a file: no reason to fold the columns
        console = Console(width=120)
    console.print(table)


def _cell(value: str | int | float | None) -> str:
    """A value as text; three digits are enough, and a dash stands for what was not measured."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,.3g}" if isinstance(value, float) and value < 1000 else f"{value:,.0f}"


def keep(name: str, rows: list[Row]) -> None:
    """Write rows, and where they were measured, to ``results/<name>.json``."""
    RESULTS.mkdir(exist_ok=True)
    machine = {"processor": platform.processor() or platform.machine(), "system": platform.system()}
    kept = {"benchmark": name, "python": platform.python_version(), **machine, "rows": rows}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, indent=2) + "\n")


def main(asked: list[str]) -> int:
    """Run what is asked for; 2 if something asked for does not exist."""
    known = names()
    unknown = [name for name in asked if name not in known]
    if unknown:
        print(
            f"No benchmark called {', '.join(unknown)}. There are: {', '.join(known)}.",
            file=sys.stderr,
        )
        return 2
    for name in asked or known:
        rows = importlib.import_module(f"benchmarks.{name}").run()
        show(name, rows)
        keep(name, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
