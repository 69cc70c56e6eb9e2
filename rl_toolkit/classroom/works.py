"""What an upload holds: labs and projects, whatever they were packed in.

::

    submission.json               a zip of `rl-toolkit lab submit`
    .lab/, names.toml             the folder of a lab, also in a repository or a zip made by hand
    .course/                      the folder of a companion
    minimax.py, minimax-1.py      files of a lab of the class, by their names
    L05.ipynb                     a notebook of a lab, whose cells write its files
    minimax.ipynb                 a notebook in the place of a file of a lab: the code of its cells
    *.py, *.ipynb                 else: a project, if the class has one
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from rl_toolkit.classroom.settings import Assignment, ClassSettings
from rl_toolkit.classroom.trees import Room, Tree, read_zip
from rl_toolkit.course import CourseError, code_cells
from rl_toolkit.labs import NamesError, SubmissionError, names_table, read_submission
from rl_toolkit.utils import JsonError, JsonObject, listed, read_object

#: The kinds of files that belong to work, the most of them, and the most bytes of one.
_TEXT = (".py", ".toml", ".html", ".css", ".js", ".json", ".txt", ".md", ".csv", ".ipynb")
_MOST_FILES, _LONGEST = 60, 1 << 20
_MOST_NESTED = 3
#: The first line of a cell that writes a file.
_WRITES = "%%writefile "
#: What systems and people add to the name of another version; one at a time, since repeated groups
#: of digits can be read in so many ways that a long name would never come to an end.
_AGAIN = re.compile(
    r"[ _-]*(\(\d{1,3}\)|(?<!\d)\d{1,3}|v\d{1,3}|copy|final|new|old)$", re.IGNORECASE
)
_WHICH = "name the download after the lab, or say --lab"


@dataclass(frozen=True, slots=True)
class Work:
    """One piece of work in an upload.

    Attributes:
        id: the lab or handout; "" with a ``problem``.
        where: its place in the upload. typed: the name that the sender typed, "" if none.
        note: what was guessed, as a sentence.
    """

    id: str
    where: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    progress: JsonObject = field(default_factory=dict)
    typed: str = ""
    note: str = ""
    problem: str = ""


def works_in(
    tree: Tree, settings: ClassSettings, room: Room, only: Assignment | None = None
) -> list[Work]:
    """The work in an upload, each piece once; a single one with a problem if there is none.

    ``room`` is that for zips inside, and ``only`` the assignment to which the upload belongs, where
    the teacher says so.
    """
    return list(_found(tree, settings, room, only, "", 0)) or [_nothing(tree, settings, only)]


def _nothing(tree: Tree, settings: ClassSettings, only: Assignment | None) -> Work:
    """What to say of an upload without work."""
    names = sorted(path for path in tree.files)
    if not names:
        return Work("", problem="it is empty")
    ids = listed([each.id for each in settings.assignments], "or")
    hint = "" if only else _which_lab(names, settings)
    return Work("", problem=f"it holds no file of {ids}, only {listed(names[:3])}{hint}")


def _which_lab(names: Sequence[str], settings: ClassSettings) -> str:
    """What helps if a single file with a name of its own may be work for a lab; see `_guessed`."""
    labs = [each.id for each in settings.assignments if each.lab and len(each.lab.files) == 1]
    code = [name for name in names if name.endswith(".py")]
    code = code or [name for name in names if name.endswith(".ipynb")]
    if not labs or len(code) != 1:
        return ""
    return f"; {_WHICH} {listed(labs[:3], 'or')}"


def zip_works(
    data: bytes, settings: ClassSettings, room: Room, only: Assignment | None = None
) -> list[Work]:
    """The work in a zip."""
    tree = read_zip(data, room)
    if "submission.json" in tree.files:
        return [_sent(data, settings, "")]
    return works_in(tree, settings, room, only)


def _sent(data: bytes, settings: ClassSettings, where: str) -> Work:
    """A zip of `rl-toolkit lab submit`."""
    sent = read_submission(data)
    progress = sent.progress.to_dict()
    return Work(_id(sent.lab, settings), where, dict(sent.files), progress, sent.student)


def _in_zip(
    data: bytes,
    settings: ClassSettings,
    room: Room,
    only: Assignment | None,
    where: str,
    depth: int,
) -> Iterator[Work]:
    tree = read_zip(data, room)
    if "submission.json" in tree.files:
        yield _sent(data, settings, where)
        return
    yield from _found(tree, settings, room, only, where, depth)


def _found(
    tree: Tree, settings: ClassSettings, room: Room, only: Assignment | None, where: str, depth: int
) -> Iterator[Work]:
    left = dict(tree.files)
    for root, work_id in _roots(tree):
        inside = tree.below(root)
        if any(path in left for path in _paths(tree, root)):
            hidden = inside.text(".lab/progress.json")
            progress: JsonObject = {}
            with suppress(JsonError):
                progress = read_object(hidden)
            known = settings.find(work_id)
            keep_marks = known is not None and known.lab is None
            yield Work(
                _id(work_id, settings),
                posixpath.join(where, root),
                _texts(inside.files, keep_marks),
                progress,
            )
        for path in _paths(tree, root):
            left.pop(path, None)
    for path in [path for path in left if path.lower().endswith(".zip")]:
        data = left.pop(path)
        place = posixpath.join(where, path)
        if depth >= _MOST_NESTED or data is None:
            yield Work("", place, problem="it is a zip inside many others")
            continue
        try:
            inner = list(_in_zip(data, settings, room, only, place, depth + 1))
        except SubmissionError as error:
            if room.left < 0:
                raise
            inner = [Work("", place, problem=str(error))]
        yield from inner or [Work("", place, problem="it holds no file of a lab of this class")]
    yield from _by_names(left, settings, only, where)


def _id(name: str, settings: ClassSettings) -> str:
    known = settings.find(name)
    return known.id if known else name[:60]


def _roots(tree: Tree) -> Iterator[tuple[str, str]]:
    """Folders that say what they are, with the id of the lab or companion; the deepest first."""
    said: dict[str, str] = {}
    for path in tree.files:
        folder, name = posixpath.split(path)
        if path.endswith(".course/manifest.json"):
            with suppress(JsonError):
                said[posixpath.dirname(folder)] = str(read_object(tree.text(path)).get("course"))
        elif path.endswith(".lab/lab.json"):
            with suppress(JsonError):
                said[posixpath.dirname(folder)] = str(read_object(tree.text(path)).get("id"))
        elif name == "names.toml" and folder not in said:
            with suppress(NamesError):
                lab = names_table(tree.text(path)).get("lab")
                if isinstance(lab, str):
                    said[folder] = lab
    yield from sorted(said.items(), key=lambda each: -each[0].count("/") - bool(each[0]))


def _paths(tree: Tree, root: str) -> list[str]:
    head = f"{root}/" if root else ""
    return [
        path for path in tree.files if path.startswith(head) and not path.lower().endswith(".zip")
    ]


def _texts(files: Mapping[str, bytes | None], keep_marks: bool = False) -> dict[str, str]:
    """The files that belong to work, as text; raises `SubmissionError`."""
    texts: dict[str, str] = {}
    for path, data in sorted(files.items()):
        is_mark = path.startswith((".lab/", ".course/")) or "/." in path
        if data is None or not path.endswith(_TEXT) or (is_mark and not keep_marks):
            continue
        if path == "sheet.md":
            continue
        if len(texts) >= _MOST_FILES:
            raise SubmissionError(f"it holds more than {_MOST_FILES} files")
        if len(data) > _LONGEST and not path.endswith(".ipynb"):
            raise SubmissionError(f"{path[:80]!r} is larger than a megabyte")
        try:
            texts[path] = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise SubmissionError(f"{path[:80]!r} is not text in UTF-8") from None
    return texts


# ---------------------------------------------------------------------------- files by their names


def _by_names(
    files: Mapping[str, bytes | None],
    settings: ClassSettings,
    only: Assignment | None,
    where: str,
) -> Iterator[Work]:
    """Labs by the names of their files; else a project; nothing if there is no code."""
    texts = _texts(files)
    known = {name for each in settings.assignments if each.lab for name in each.lab.files}
    for path in [path for path in texts if path.endswith(".ipynb")]:
        written = _written_by(texts[path])
        name = f"{posixpath.basename(path).removesuffix('.ipynb')}.py"
        if not written and name in known:
            written = {name: _code_of(path, texts[path])}
        for name, text in written.items():
            texts.setdefault(posixpath.join(posixpath.dirname(path), name), text)
    if not any(path.endswith((".py", ".ipynb", ".js", ".html")) for path in texts):
        return
    labs = [only] if only else list(settings.assignments)
    fits = sorted(
        (
            (count, folder, each)
            for each in labs
            if each.lab is not None
            for folder, count in _folders_with(each.lab.files, texts).items()
        ),
        key=lambda fit: (-fit[0], fit[1]),
    )
    taken: set[str] = set()
    for _, folder, each in fits:
        assert each.lab is not None
        here = _below(texts, folder)
        mine = {name for name in each.lab.files if name in here}
        if {posixpath.join(folder, name) for name in mine} & taken or not mine:
            continue
        others = [a.id for n, f, a in fits if f == folder and n == len(mine) and a != each]
        if others:
            ids = listed([each.id, *others], "or")
            yield Work(
                "",
                where,
                problem=f"its files may be {ids}; {_WHICH}",
            )
            return
        taken |= {posixpath.join(folder, name) for name in here}
        copies = sorted(path for path in here if _is_copy(path, mine))
        note = f"Not looked at beside {listed(sorted(mine))}: {listed(copies)}." if copies else ""
        yield Work(each.id, posixpath.join(where, folder), here, note=note)
    if taken:
        return
    yield from _guessed(texts, settings, only, where)


def _guessed(
    texts: Mapping[str, str], settings: ClassSettings, only: Assignment | None, where: str
) -> Iterator[Work]:
    """A single file or notebook for a lab with a single file; else a project."""
    alone = only or (settings.assignments[0] if len(settings.assignments) == 1 else None)
    code = [path for path in texts if path.endswith(".py")]
    code = code or [path for path in texts if path.endswith(".ipynb")]
    if alone and alone.lab and len(code) == 1 and len(alone.lab.files) == 1:
        (path,), (name,) = code, alone.lab.files
        note = f"{posixpath.basename(path)} was taken for {name}."
        text = texts[path] if path.endswith(".py") else _code_of(path, texts[path])
        rest = {other: texts[other] for other in texts if other != path}
        yield Work(alone.id, where, {**rest, name: text}, note=note)
        return
    projects = [a for a in settings.assignments if a.lab is None and a.id in ("C", "D")]
    if alone is not None:
        projects = [alone] if alone.lab is None else []
    if len(projects) > 1:
        ids = listed([each.id for each in projects], "or")
        yield Work("", where, problem=f"it may be the project of handout {ids}; {_WHICH}")
    elif projects and any(path.endswith((".py", ".ipynb")) for path in texts):
        yield Work(projects[0].id, where, dict(texts))


def _folders_with(names: Sequence[str], texts: Mapping[str, str]) -> dict[str, int]:
    """Folder → how many of these files it has."""
    there: dict[str, int] = {}
    for path in texts:
        for name in names:
            if path == name or path.endswith(f"/{name}"):
                folder = path.removesuffix(name).rstrip("/")
                there[folder] = there.get(folder, 0) + 1
    return there


def _is_copy(path: str, names: Collection[str]) -> bool:
    """Whether a file is called like another version of one of these: ``minimax (1).py``."""
    stem, kind = posixpath.splitext(path)
    while (shorter := _AGAIN.sub("", stem)) != stem:
        stem = shorter
    return path not in names and any(stem + kind == name for name in names)


def _below(texts: Mapping[str, str], folder: str) -> dict[str, str]:
    head = f"{folder}/" if folder else ""
    return {path.removeprefix(head): text for path, text in texts.items() if path.startswith(head)}


def _code_of(path: str, notebook: str) -> str:
    """The code of a notebook; raises `SubmissionError`."""
    try:
        return "\n\n".join(code_cells(posixpath.basename(path), notebook))
    except CourseError as error:
        raise SubmissionError(str(error)) from None


def _written_by(notebook: str) -> dict[str, str]:
    """The files that the cells of a notebook write."""
    written: dict[str, str] = {}
    try:
        for cell in read_object(notebook)["cells"]:
            text = "".join(cell["source"])
            head, _, body = text.partition("\n")
            if cell["cell_type"] == "code" and head.startswith(_WRITES):
                name = head.removeprefix(_WRITES).strip()
                if posixpath.basename(name) == name:
                    written[name] = body
    except (ValueError, KeyError, TypeError):
        return {}
    return written
