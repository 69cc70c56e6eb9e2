"""`Work`: what a student has written, as text; from a folder, an archive or a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rl_toolkit.labs.model.lab import Lab, LabError
from rl_toolkit.labs.model.names import Names, NamesError, read_names
from rl_toolkit.utils import as_typed

#: The most bytes of one file, and the most files that go to the student's process.
LONGEST_FILE, MOST_FILES = 1 << 20, 60
#: What students hand in besides the files of the lab.
NAMES, ANSWERS = "names.toml", "answers.md"
#: The kinds of files that are read from a folder.
SENT = (".py", ".toml", ".html", ".css", ".js", ".json", ".txt", ".md", ".csv")


@dataclass(frozen=True, slots=True)
class Work:
    """The files of a student.

    Attributes:
        files: path with ``/`` → text; code, and whatever belongs to it.
        names: what they call things; `read_work` says what is wrong with names.toml.
    """

    files: Mapping[str, str]
    names: Names


def read_work(lab: Lab, folder: Path) -> Work:
    """The work in a folder; raises `LabError` if it cannot be read or misses a file."""
    files: dict[str, str] = {}
    paths = [folder / name for name in lab.files]
    own = sorted(path for path in folder.rglob("*") if is_sent(path, folder))
    for path in dict.fromkeys([*paths, *own]):
        name = path.relative_to(folder).as_posix()
        if len(files) >= MOST_FILES:
            raise LabError(f"{folder} holds more than {MOST_FILES} files; a lab needs few")
        try:
            if path.stat().st_size > LONGEST_FILE:
                if path in paths:
                    raise LabError(f"{name} is larger than a megabyte")
                continue
            files[name] = path.read_text("utf-8")
        except FileNotFoundError:
            raise LabError(
                f"{name} is missing in {folder}; `rl-toolkit lab start {lab.id} "
                f"{as_typed(str(folder))}` writes the files that are missing"
            ) from None
        except UnicodeDecodeError:
            raise LabError(f"{name} is not text in UTF-8") from None
    return work_from(lab, files)


def is_sent(path: Path, folder: Path) -> bool:
    """Whether a file of the folder belongs to the work: text that a lab can need, not hidden."""
    parts = path.relative_to(folder).parts
    return path.suffix in SENT and not any(
        part.startswith(".") or part == "__pycache__" for part in parts
    )


def work_from(lab: Lab, files: Mapping[str, str]) -> Work:
    """The work in these files; raises `LabError` if names.toml is wrong or a file is missing."""
    missing = [name for name in lab.files if name not in files]
    if missing:
        raise LabError(f"{missing[0]} is missing")
    try:
        names = read_names(files.get(NAMES, ""), lab.functions, lab.board)
    except NamesError as error:
        raise LabError(str(error)) from error
    return Work(dict(files), names)


def untouched(lab: Lab, work: Work, functions: tuple[str, ...]) -> list[str]:
    """Those of the functions that are still as in the start files; a name may be a whole file."""
    start, now = _parts(lab.start_files()), _parts(work.files)
    return [
        name for name in functions if name in start and now.get(work.names.own(name)) == start[name]
    ]


def _parts(files: Mapping[str, str]) -> dict[str, str]:
    """The files by name, and the definitions in them."""
    parts = {file: "".join(text.split()) for file, text in files.items()}
    for file, text in files.items():
        if file.endswith(".py"):
            parts |= _definitions(text)
        elif file.endswith(".js"):
            parts |= {
                match["name"]: "".join(match[0].split()) for match in _JS_FUNCTION.finditer(text)
            }
    return parts


#: A function of a script that begins and ends at the left margin.
_JS_FUNCTION = re.compile(r"^(?:async )?function (?P<name>\w+)\(.*?^}", re.MULTILINE | re.DOTALL)


@lru_cache(maxsize=64)
def _definitions(source: str) -> Mapping[str, str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    definitions: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            definitions[node.name] = ast.dump(node)
        elif isinstance(node, ast.Assign):
            definitions |= {
                t.id: ast.dump(node.value) for t in node.targets if isinstance(t, ast.Name)
            }
        if isinstance(node, ast.ClassDef):
            definitions |= {
                f"{node.name}.{part.name}": ast.dump(part)
                for part in node.body
                if isinstance(part, ast.FunctionDef)
            }
    return definitions
