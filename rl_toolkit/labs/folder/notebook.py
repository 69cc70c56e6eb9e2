"""A lab as a notebook: the sheet, cells that write the files, and a cell that checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rl_toolkit.labs.folder.sheets import full_sheet
from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.utils import write_text_atomically


def write_notebook(lab: Lab, folder: Path) -> list[str]:
    """Write the notebook of a lab unless it is there; returns the names of new files."""
    path = folder / f"{lab.id}.ipynb"
    if path.exists():
        return []
    write_text_atomically(path, json.dumps(notebook(lab), indent=1, ensure_ascii=False) + "\n")
    return [path.name]


def notebook(lab: Lab) -> dict[str, Any]:
    """The notebook as data, in Jupyter's format 4.5.

    Each file of the student is a cell that begins with ``%%writefile``; running it saves the file,
    so the checks of terminal, page and notebook read the same one.
    """
    start = lab.start_files()
    cells = [_text(full_sheet(lab))]
    for name in lab.files:
        cells.append(_text(f"## `{name}`\n\nChange this cell and run it: it saves the file."))
        cells.append(_code(f"%%writefile {name}\n{start[name]}"))
    cells.append(_text("## Check\n\nRun this cell after each change."))
    cells.append(_code("from rl_toolkit.labs import check_folder\n\ncheck_folder('.')"))
    for number, cell in enumerate(cells):
        cell["id"] = f"{lab.id.lower()}-{number}"
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _text(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines(text),
    }


def _lines(text: str) -> list[str]:
    return text.rstrip("\n").splitlines(keepends=True)
