"""The labs that there are: those of the package by id, a teacher's own by their folder."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from rl_toolkit.labs.model.lab import CATALOGUE, Lab, LabError, read_lab
from rl_toolkit.utils import shown


@lru_cache(maxsize=1)
def labs() -> tuple[Lab, ...]:
    """All labs of the package in the order of their ids; each file is read only once."""
    folders = [path.parent for path in CATALOGUE.glob("*/lab.toml")]
    return tuple(sorted((read_lab(folder) for folder in folders), key=lambda lab: lab.id))


def find_lab(name: str) -> Lab:
    """The lab that a user names: as in `lab_by_id`, or a folder; raises `LabError`."""
    path = Path(name)
    if path.is_dir() and (path / "lab.toml").is_file():
        return read_lab(path)
    return lab_by_id(name)


def lab_by_id(name: str) -> Lab:
    """The lab of the package with an id (``L05``, ``5``) or a title; raises `LabError`.

    For names that come from a file: they cannot lead to code outside the package.
    """
    word = name.strip().lower()
    if re.fullmatch(r"[0-9]{1,3}", word):
        word = f"l{int(word):02}"
    if re.fullmatch(r"l[0-9]{2,3}", word):  # the usual case: one file is read, not all
        for file in CATALOGUE.glob(f"{word}_*/lab.toml"):
            return read_lab(file.parent)
    for lab in labs():
        if word in (lab.title.lower(), lab.folder.name):
            return lab
    raise LabError(f"there is no lab {shown(name)}; `rl-toolkit lab list` shows them")
