"""Rows as CSV, without cells that a spreadsheet would run as a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

#: Beginnings that a spreadsheet takes for a formula.
_FORMULA = ("=", "+", "-", "@")


def csv_rows(rows: Iterable[Iterable[object]]) -> str:
    """The rows as CSV, each cell a `safe_cell`; ``None`` is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(safe_cell, row) for row in rows)
    return text.getvalue()


def safe_cell(value: object) -> object:
    """The cell, with a quote before text that a spreadsheet would take for a formula.

    >>> safe_cell("=1+1"), safe_cell("Ada"), safe_cell(-1), safe_cell("-1")
    ("'=1+1", 'Ada', -1, "'-1")
    """
    if not isinstance(value, str):
        return value
    is_formula = value.lstrip().startswith(_FORMULA) or value.startswith(("\t", "\r", "\n"))
    return f"'{value}" if is_formula else value
