"""Labs: sheets, skeletons and checks, from an empty board to a trained network.

::

    catalogue/   the labs, one folder each       model/     a lab, a position, names: data only
    checking/    the checks, in our process      host/      what runs in the student's process
    folder/      the student's folder            truth/     right answers that several labs need

A check keeps positions and right answers here. The student's code runs in a process of its own,
which only answers calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_toolkit.labs.checking.report import LabReport
    from rl_toolkit.labs.checking.run import check_folder, check_work
    from rl_toolkit.labs.model.finding import find_lab, lab_by_id, labs
    from rl_toolkit.labs.model.lab import Lab, LabError

__all__ = [
    "Lab",
    "LabError",
    "LabReport",
    "check_folder",
    "check_work",
    "find_lab",
    "lab_by_id",
    "labs",
]

_HOMES = {
    "Lab": "model.lab",
    "LabError": "model.lab",
    "LabReport": "checking.report",
    "check_folder": "checking.run",
    "check_work": "checking.run",
    "find_lab": "model.finding",
    "lab_by_id": "model.finding",
    "labs": "model.finding",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: the student's process needs little of it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
