"""Benchmarks: `python -m benchmarks [name …]` runs them, prints tables and saves the results.

A benchmark is a module in this folder with a function ``run() -> list[Row]``. A row is a dictionary
from column names to values; all rows of one benchmark have the same columns, ``None`` where nothing
was measured.
"""

from __future__ import annotations

Row = dict[str, str | int | float | None]
