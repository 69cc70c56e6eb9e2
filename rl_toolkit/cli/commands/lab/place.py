"""The folder of a lab as people name it: by its path, or by the lab, ``L05``."""

from __future__ import annotations

from pathlib import Path

import click


def lab_folder(folder: Path) -> Path:
    """The folder itself, or the one beside it in which the lab of this name was started."""
    if folder.exists():
        return folder
    from rl_toolkit.labs import LabError, lab_by_id
    from rl_toolkit.labs.folder import started_labs

    try:
        started = started_labs(folder.parent).get(lab_by_id(folder.name).id)
    except LabError:
        return folder
    return started[0] if started else folder


def to_lab_folder(
    context: click.Context, parameter: click.Parameter, value: Path | None
) -> Path | None:
    """`lab_folder` as a callback of an argument or option."""
    del context, parameter
    return None if value is None else lab_folder(value)
