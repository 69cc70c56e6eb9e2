"""A lab of one's own: a small complete one is copied for a teacher to change."""

from __future__ import annotations

from pathlib import Path

from rl_toolkit.labs.model.lab import LabError
from rl_toolkit.utils import write_bytes_atomically

TEMPLATE = Path(__file__).resolve().parent.parent / "template"


def write_template(folder: Path) -> list[str]:
    """Write the template into a new or empty folder; returns the names of the files.

    Raises `LabError` if the folder is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LabError(f"{folder} is not empty; name a new folder")
    written: list[str] = []
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            name = path.relative_to(TEMPLATE)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_bytes_atomically(folder / name, path.read_bytes())
            written.append(name.as_posix())
    return written
