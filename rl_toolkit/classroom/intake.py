"""Downloads in, hand-ins out: whatever lies in the folder of submissions has a row.

A download is a zip or a folder of a platform, a folder for each student, or single files; `_many`
says how a folder of one student is told from a folder of many.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from rl_toolkit.classroom.platforms import Claim, canvas_claim, moodle_claim, packed_by
from rl_toolkit.classroom.roster import Roster
from rl_toolkit.classroom.settings import Assignment, ClassSettings
from rl_toolkit.classroom.trees import (
    Room,
    Tree,
    is_dropping,
    read_file,
    read_folder,
    read_zip,
)
from rl_toolkit.classroom.works import Work, works_in, zip_works
from rl_toolkit.labs import SubmissionError
from rl_toolkit.utils import JsonObject, one_line

#: The most bytes of a download with the uploads of a whole class, with all zips inside these, and
#: of one entry of it with all zips inside: no sender takes the room of the others.
_MOST_BYTES, _MOST_IN_ALL, _MOST_OF_ONE = 1 << 30, 4 << 30, 1 << 29
_LONGEST_NAME = 120
_LAB_MARKS = (".lab", ".course", "names.toml")


@dataclass(frozen=True, slots=True)
class HandIn:
    """Work that somebody handed in, or something that could not be understood.

    Attributes:
        source: where it was, below the folder of submissions.
        entry: the name of the file or folder with which it came, without the download around it.
        work: the lab or handout; with a ``problem`` only if the download says it.
        time: when it was handed in; ``None`` if nothing reliable says so.
        number: in which order it was taken in; 0 until then. With a ``problem``, that of the last
            hand-in that was taken in by then.
        again: how often the same had been handed in before, with other work in between.
        seen: marks of the sources where it was found.
        note: what was guessed.
    """

    claim: Claim
    source: str
    entry: str
    work: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    progress: JsonObject = field(default_factory=dict)
    time: datetime | None = None
    note: str = ""
    problem: str = ""
    number: int = 0
    again: int = 0
    seen: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A hash of the files."""
        packed = json.dumps(sorted(self.files.items())).encode()
        return hashlib.sha256(packed).hexdigest()[:24]

    @property
    def key(self) -> str:
        """The same for the same files from the same sender, whatever the download is called."""
        who = [self.claim.platform, self.claim.name, self.claim.number]
        if self.claim.platform == "file":
            who.append(self.entry)
        who += [str(self.again)] if self.again else []
        packed = json.dumps([*who, self.work, self.digest]).encode()
        return hashlib.sha256(packed).hexdigest()[:32]

    def to_dict(self) -> JsonObject:
        """Plain data for the results of the class."""
        claim = self.claim
        return {
            "claim": [claim.platform, claim.name, claim.number, claim.late],
            "source": self.source,
            "entry": self.entry,
            "work": self.work,
            "files": dict(self.files),
            "progress": self.progress,
            "time": self.time.isoformat() if self.time else None,
            "note": self.note,
            "problem": self.problem,
            "number": self.number,
            "again": self.again,
            "seen": list(self.seen),
        }


def hand_in_from(data: JsonObject) -> HandIn:
    """The inverse of `HandIn.to_dict`."""
    time = data["time"]
    fields = {**data, "claim": Claim(*data["claim"]), "seen": tuple(data.get("seen", ()))}
    return HandIn(**{**fields, "time": datetime.fromisoformat(time) if time else None})


@dataclass(frozen=True, slots=True)
class Upload:
    """What one sender handed in: the nodes that belong together, or a problem."""

    claim: Claim
    source: str
    entry: str
    nodes: tuple[_Node, ...] = ()
    #: The names of the nodes as they were handed in.
    names: tuple[str, ...] = ()
    problem: str = ""


def hand_ins(
    paths: Sequence[Path],
    settings: ClassSettings,
    roster: Roster,
    belongs: Mapping[str, Assignment] | None = None,
) -> list[HandIn]:
    """Everything in these folders and files, each with what it holds or why it cannot be used.

    A download whose name has the id of a lab belongs to that lab; ``belongs`` says it of others.
    """
    found: list[HandIn] = []
    for path in paths:
        for upload in _uploads(_disk_node(path), roster, is_top=path.is_dir()):
            download = upload.source.partition("/")[0]
            only = (belongs or {}).get(download) or settings.named_in(download)
            found += _read(upload, settings, only)
    return found


def _read(upload: Upload, settings: ClassSettings, only: Assignment | None) -> Iterator[HandIn]:
    try:
        works = [Work("", problem=upload.problem)] if upload.problem else []
        works = works or _works(upload, settings, only)
    except SubmissionError as error:
        works = [Work("", problem=str(error))]
    except OSError as error:
        works = [Work("", problem=f"it cannot be read: {error.strerror}")]
    except Exception as error:  # one hand-in must not end the grading of a class
        works = [Work("", problem=f"it cannot be read: {type(error).__name__}")]
    time = None
    if upload.claim.platform in ("file", "folder"):  # else it is the time of the download
        time = max((node.time for node in upload.nodes if node.time), default=None)
    for work in works:
        claim = upload.claim
        if work.typed and claim.platform == "file":
            claim = Claim("file", _clean(work.typed))
        source = "/".join(filter(None, (upload.source, work.where)))
        yield HandIn(
            claim=claim,
            source=_clean(source, 300),
            entry=upload.entry,
            work=work.id or (only.id if only else ""),
            files=work.files,
            progress=work.progress,
            time=time,
            note=work.note,
            problem=work.problem,
        )


def _works(upload: Upload, settings: ClassSettings, only: Assignment | None) -> list[Work]:
    room = Room(around=upload.nodes[0].room)
    if len(upload.nodes) == 1 and upload.nodes[0].is_zip:
        return zip_works(upload.nodes[0].data(), settings, room, only)
    if len(upload.nodes) == 1 and upload.nodes[0].is_folder:
        return works_in(upload.nodes[0].tree(), settings, room, only)
    files: dict[str, bytes | None] = {}
    for node, name in zip(upload.nodes, upload.names, strict=True):
        if node.is_folder:
            files |= {f"{name}/{path}": data for path, data in node.tree().files.items()}
        else:
            files[name] = node.data()
    return works_in(Tree(files), settings, room, only)


# -------------------------------------------------------------------------- folders and zips alike


class _Node:
    """A file or folder, on the disk or in a zip."""

    name: str
    source: str
    is_folder: bool = False
    is_link: bool = False
    is_repository: bool = False
    time: datetime | None = None
    #: That of the download, or of one entry of it.
    room: Room

    @property
    def is_zip(self) -> bool:
        return not self.is_folder and self.name.lower().endswith(".zip")

    @property
    def stem(self) -> str:
        return self.name if self.is_folder else self.name.rpartition(".")[0] or self.name

    def children(self) -> list[_Node]:
        raise NotImplementedError

    def tree(self) -> Tree:
        raise NotImplementedError

    def data(self) -> bytes:
        raise NotImplementedError

    def opened(self) -> _Node:
        """A zip as a folder; raises `SubmissionError`."""
        return self


class _DiskNode(_Node):
    def __init__(self, path: Path, source: str) -> None:
        self.path, self.name, self.source = path, _clean(path.name, 255), source
        self.room = Room(_MOST_IN_ALL)
        self.is_link = path.is_symlink()
        self.is_folder = path.is_dir() and not self.is_link
        with suppress(OSError):
            self.is_repository = self.is_folder and (path / ".git").exists()
            self.time = _moment(path.lstat().st_mtime)

    def children(self) -> list[_Node]:
        names = sorted(path.name for path in self.path.iterdir())
        return [
            _DiskNode(self.path / name, f"{self.source}/{name}" if self.source else name)
            for name in names
            if not is_dropping(name) or name in _LAB_MARKS
        ]

    def tree(self) -> Tree:
        tree = read_folder(self.path)
        # A clone of a repository has the time of cloning.
        self.time = None if self.is_repository else _moment(tree.modified)
        return tree

    def data(self) -> bytes:
        if not self.path.is_file():
            raise SubmissionError("it is neither a file nor a folder")
        return read_file(self.path)

    def opened(self) -> _Node:
        tree = read_zip(self.path, Room(_MOST_BYTES, self.room), is_download=True)
        return _ZipNode(self.name, self.source, self.room, tree, download=self.room)


class _ZipNode(_Node):
    """A folder or file inside a zip that was read.

    ``download`` is the room of the zip on the disk; ``None`` in a zip inside, which has one room.
    """

    def __init__(
        self,
        name: str,
        source: str,
        room: Room,
        tree: Tree,
        file: bytes | None = None,
        is_folder: bool = True,
        download: Room | None = None,
    ) -> None:
        self.name, self.source, self.room, self._tree, self._file = name, source, room, tree, file
        self.is_folder, self._download = is_folder, download

    def children(self) -> list[_Node]:
        made: list[_Node] = []
        for name in self._tree.top():
            inside = self._tree.below(name)
            source = f"{self.source}/{name}"
            file, is_folder = self._tree.files.get(name), self._tree.is_folder(name)
            room = Room(_MOST_OF_ONE, self._download) if self._download else self.room
            made.append(_ZipNode(name, source, room, inside, file, is_folder, self._download))
        return made

    def tree(self) -> Tree:
        for path, why in self._tree.unread.items():
            raise SubmissionError(f"{(path or self.name)[:80]!r} {why}")
        return self._tree

    def data(self) -> bytes:
        self.tree()
        return self._file or b""

    def opened(self) -> _Node:
        tree = read_zip(self.data(), Room(around=self.room))
        return _ZipNode(self.name, self.source, self.room, tree)


def _disk_node(path: Path) -> _DiskNode:
    """What the teacher named: a folder stands for what is in it."""
    return _DiskNode(path, "" if path.is_dir() else path.name)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


# ---------------------------------------------------------------------------------- who sent what


def _uploads(node: _Node, roster: Roster, is_top: bool = False) -> Iterator[Upload]:
    """The uploads in a node; ``is_top`` is the folder of submissions, which is never one itself."""
    said = moodle_claim(node.name)
    if said is not None and not is_top:
        yield Upload(_named(said[0]), node.source, node.name, (node,), (said[1] or node.name,))
        return
    claim = Claim("folder" if node.is_folder else "file", _clean(node.stem) or "nameless")
    alone = Upload(claim, node.source, node.name, (node,), (node.name,))
    if node.is_link:
        yield Upload(claim, node.source, node.name, problem="it is a link")
        return
    if not node.is_folder and not node.is_zip:
        yield alone
        return
    try:
        inside = node.opened() if node.is_zip else node
        children = inside.children()
    except SubmissionError as error:
        yield Upload(claim, node.source, node.name, problem=str(error))
        return
    except OSError as error:
        why = f"it cannot be read: {error.strerror}"
        yield Upload(claim, node.source, node.name, problem=why)
        return
    if not children and not is_top:
        yield Upload(claim, node.source, node.name, problem="it is empty")
    elif is_top or _many(node, children, roster):
        yield from _container(children, roster)
    else:
        yield alone


def _many(node: _Node, children: Sequence[_Node], roster: Roster) -> bool:
    """Whether a folder or zip holds the uploads of several senders."""
    names = [child.name for child in children]
    if packed_by(names) is not None:
        return True
    if "submission.json" in names or any(name in _LAB_MARKS for name in names):
        return False
    if node.is_repository or len(roster.find(node.stem)) == 1:
        return False
    if any(not child.is_folder and not child.is_zip for child in children):
        return False
    if any(roster.find(child.stem) for child in children):
        return True
    if len(children) == 1 and children[0].is_folder:
        # A folder around the work of one, unless the roster or a platform says otherwise.
        return _wraps_many(children[0], roster)
    return not node.is_zip and not any(_is_work(child) for child in children)


def _wraps_many(child: _Node, roster: Roster) -> bool:
    inner = child.children()
    return packed_by([each.name for each in inner]) is not None or any(
        each.is_folder and roster.find(each.stem) for each in inner
    )


def _is_work(child: _Node) -> bool:
    if not child.is_folder:
        return True
    with suppress(OSError, SubmissionError):
        return any(each.name in _LAB_MARKS for each in child.children())
    return False


def _container(children: Sequence[_Node], roster: Roster) -> Iterator[Upload]:
    """The uploads among these; files of one user of Canvas or Moodle belong together."""
    together: dict[tuple[str, str, str], list[tuple[_Node, Claim, str]]] = {}
    for child in children:
        said = moodle_claim(child.name) or (None if child.is_folder else canvas_claim(child.name))
        if said is None or child.is_link:
            yield from _uploads(child, roster)
            continue
        claim, file = _named(said[0]), said[1]
        key = (claim.platform, claim.number, claim.name)
        together.setdefault(key, []).append((child, claim, file or child.name))
    for group in together.values():
        nodes = tuple(node for node, _, _ in group)
        claim = group[0][1]
        if claim.platform == "canvas":
            late = any(each.late for _, each, _ in group)
            claim = Claim(claim.platform, claim.name, claim.number, late)
        source = group[0][0].source
        if len(group) > 1:
            source = f"{source} and {len(group) - 1} more"
        files = [name for _, _, name in group]
        yield Upload(claim, source, group[0][0].name, nodes, tuple(_unlike(files)))


def _unlike(names: Sequence[str]) -> list[str]:
    """The names; of equal ones, which one upload may have, all but the last lie in folders."""
    made: list[str] = []
    for at, name in enumerate(names):
        made.append(f"earlier-{at + 1}/{name}" if name in names[at + 1 :] else name)
    return made


def _named(claim: Claim) -> Claim:
    return Claim(claim.platform, _clean(claim.name), claim.number, claim.late)


def _clean(text: str, most: int = _LONGEST_NAME) -> str:
    return one_line(text)[:most]
