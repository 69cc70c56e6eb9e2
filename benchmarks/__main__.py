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
    """The names of all benchmarks."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in found if not name.startswith("_"))


def show(name: str, rows: list[Row]) -> None:
    """Print rows as a table, numbers right-aligned and with separators."""
    table = Table(title=name)
    for column, value in rows[0].items():
        table.add_column(column, justify="left" if isinstance(value, str) else "right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    console = Console()
    if not console.is_terminal:  # output to a file: do not fold the columns
        console = Console(width=120)
    console.print(table)


def _cell(value: str | int | float | None) -> str:
    """A value as text, with three digits, or a dash if it was not measured."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,.3g}" if isinstance(value, float) and value < 1000 else f"{value:,.0f}"


def keep(name: str, rows: list[Row]) -> None:
    """Write rows, and the machine they were measured on, to ``results/<name>.json``."""
    RESULTS.mkdir(exist_ok=True)
    machine = {"processor": platform.processor() or platform.machine(), "system": platform.system()}
    kept = {"benchmark": name, "python": platform.python_version(), **machine, "rows": rows}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, indent=2) + "\n")


def main(arguments: list[str]) -> int:
    """Run the named benchmarks and return the exit code: 2 for an unknown name."""
    known = names()
    if "--help" in arguments or "-h" in arguments:
        print(f"usage: python -m benchmarks [name …]\n\nbenchmarks: {', '.join(known)}")
        return 0
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(
            f"There is no benchmark called {', '.join(unknown)}. "
            f"The benchmarks are {', '.join(known)}.",
            file=sys.stderr,
        )
        return 2
    for name in arguments or known:
        rows = importlib.import_module(f"benchmarks.{name}").run()
        show(name, rows)
        keep(name, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
