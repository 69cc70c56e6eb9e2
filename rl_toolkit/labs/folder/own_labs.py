"""Labs from outside the package whose checks may run here: those that this user has started.

The checks of a lab run in our process. So a folder that came from somebody else, a student's for
example, must not decide which code that is: a lab outside the package has to be started by name
once, ``rl-toolkit lab start FOLDER``, before folders that belong to it are checked.
"""

from __future__ import annotations

import json
from pathlib import Path

from rl_toolkit.utils import JsonError, games_folder, read_object, write_text_atomically

#: The most folders that are remembered.
_MOST = 200


def remember_lab(folder: Path) -> None:
    """Remember that the user has started the lab in a folder."""
    known = [path for path in _known() if path != str(folder.resolve())]
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = [*known, str(folder.resolve())][-_MOST:]
    write_text_atomically(path, json.dumps({"labs": kept}) + "\n")


def is_known(folder: Path) -> bool:
    """Whether the user has started the lab in a folder."""
    return str(folder.resolve()) in _known()


def _file() -> Path:
    return games_folder().parent / "labs.json"


def _known() -> list[str]:
    try:
        paths = read_object(_file().read_text("utf-8")).get("labs", [])
    except (OSError, UnicodeDecodeError, JsonError):
        return []
    return [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []
