"""Start a student's folder, and find the lab of one.

::

    L05-minimax/
        sheet.md      what to do                 answers.md   written answers
        minimax.py    where to write             names.toml   what is called what
        pictures/     the pictures of the sheet  .lab/        which lab, and the progress
"""

from __future__ import annotations

import importlib.util
import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rl_toolkit.labs.folder.answers import answers_text
from rl_toolkit.labs.folder.own_labs import is_known, remember_lab
from rl_toolkit.labs.folder.progress import HIDDEN, now, read_progress, write_progress
from rl_toolkit.labs.folder.sheets import full_sheet
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.lab import Lab, LabError, read_lab
from rl_toolkit.labs.model.names import NamesError, names_table, names_text
from rl_toolkit.labs.model.work import ANSWERS, NAMES
from rl_toolkit.utils import JsonError, as_typed, read_object, write_text_atomically

#: The file in the hidden folder that names the lab.
MARK = "lab.json"


def folder_name(lab: Lab) -> str:
    """The folder that ``lab start`` makes unless another is named: ``L05-minimax``."""
    words = re.sub(r"[^a-z0-9]+", "-", lab.title.lower()).strip("-")
    return f"{lab.id}-{words}"


def start_folder(lab: Lab, folder: Path) -> list[str]:
    """Write the files of a lab into a folder and return those written.

    Files that are there already stay as they are, so that what a student has deleted by accident
    can be written again. Raises `ForeignFolderError` if the folder belongs to another lab.
    """
    with suppress(LabError):
        there = lab_of(folder)
        if there.id != lab.id:
            raise ForeignFolderError(f"{folder} is the folder of {there.id}; name another one")
    files = {
        "sheet.md": full_sheet(lab),
        **lab.start_files(),
        ANSWERS: answers_text(lab),
        NAMES: names_text(lab.id, lab.functions, lab.board),
        **{f"pictures/{name}": svg for name, svg in pictures_of(lab).items()},
    }
    if not lab.questions:
        del files[ANSWERS]
    written: list[str] = []
    for name, text in files.items():
        path = folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text_atomically(path, text)
            written.append(name)
    mark_folder(lab, folder)
    progress = read_progress(folder)
    if not progress.started:
        write_progress(folder, replace(progress, started=now()))
    return written


def mark_folder(lab: Lab, folder: Path) -> None:
    """Write into a folder which lab it belongs to."""
    hidden = folder / HIDDEN
    hidden.mkdir(parents=True, exist_ok=True)
    if lab.is_own:
        remember_lab(lab.folder)
    mark = {"id": lab.id, "folder": str(lab.folder) if lab.is_own else ""}
    write_text_atomically(hidden / MARK, json.dumps(mark) + "\n")


class ForeignFolderError(ValueError):
    """A folder already belongs to another lab."""


def lab_of(folder: Path) -> Lab:
    """The lab of a student's folder; raises `LabError` if it is not one."""
    if not folder.is_dir():
        raise LabError(
            f"there is no folder {folder}; `rl-toolkit lab start{_id(folder)}` makes one"
        )
    with suppress(OSError, JsonError):
        mark = read_object((folder / HIDDEN / MARK).read_text("utf-8"))
        own, name = mark.get("folder"), mark.get("id")
        if isinstance(own, str) and own:
            return _own_lab(Path(own), folder)
        if isinstance(name, str):
            return lab_by_id(name)
    with suppress(OSError, NamesError, UnicodeDecodeError):  # .lab/ was removed
        name = names_table((folder / NAMES).read_text("utf-8")).get("lab")
        if isinstance(name, str):
            return lab_by_id(name)
    raise LabError(
        f"{folder} is not the folder of a lab; go into one, or name its folder after the command"
    )


def _id(folder: Path) -> str:
    """The lab that a missing folder is called after, after a blank; "" if it is another name."""
    with suppress(LabError):
        return f" {lab_by_id(folder.name).id}"
    return ""


def _own_lab(path: Path, folder: Path) -> Lab:
    """A lab outside the package, if the user has started it: its checks run in our process."""
    if not is_known(path):
        raise LabError(
            f"{folder} belongs to the lab in {path}, which was not started on this machine; "
            f"if you trust it: rl-toolkit lab start {as_typed(str(path))} "
            f"{as_typed(str(folder))}"
        )
    return read_lab(path)


def pictures_of(lab: Lab) -> dict[str, str]:
    """The pictures of a lab's sheet: file name → SVG."""
    path = lab.folder / "pictures.py"
    if not path.is_file():
        return {}
    name = f"rl_toolkit_lab_pictures_{lab.folder.name}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.pictures())
