"""Who plays in the tournament of a class: bots in files, and the players that labs ask for.

The code of each bot lies in a folder of its own, under a mark that only the key can make. A student
who is forgotten leaves a stub and the games.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import rl_toolkit.labs.engine  # noqa: F401 - registers the engine `lab`
from rl_toolkit.analysis import games_of
from rl_toolkit.classroom.class_folder import BOTS, ClassFolder
from rl_toolkit.classroom.gradebook import Gradebook
from rl_toolkit.classroom.reports import display_names
from rl_toolkit.classroom.roster import plain
from rl_toolkit.envs import make_game
from rl_toolkit.labs import find_lab
from rl_toolkit.labs.folder import mark_folder
from rl_toolkit.labs.grading import MOVE_SECONDS, Results
from rl_toolkit.players import BOT, Spec, make_engine
from rl_toolkit.utils import listed, write_text_atomically

#: Where code and games are, below what the class keeps.
KEPT = "tournament"
#: Stands for a student who was forgotten.
FORMER = "former player"
#: The most bytes of a file of a bot.
_LARGEST = 1 << 20
#: What a retired bot is; it is never asked.
_STUB = "def choose(env):\n    raise RuntimeError('this player has left')\n"

Files = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Bot:
    """The bot of a student in a tournament.

    Attributes:
        mark: what it is called in the file of games. student: the id; "" for a former player.
        name: what readers call it. spec: the text that names it.
        file: its file, as it was handed in.
    """

    mark: str
    student: str
    name: str
    spec: str
    file: str = "bot.py"


@dataclass(slots=True)
class Entrant:
    """What somebody enters with: the files of a lab, or of a bot."""

    student: str
    name: str
    lab: str
    files: Files
    main: str = ""


def entrants(
    folder: ClassFolder, book: Gradebook | None, game: str, results: Results
) -> tuple[list[Entrant], dict[str, str]]:
    """One bot for each student: the file in ``bots/``, else that of the last lab with a player."""
    entries: dict[str, Entrant] = {}
    absent: dict[str, str] = {}
    for entry in _of_labs(book, game):
        entries[entry.student] = entry
    own: dict[str, str] = {}
    forgotten = {*results.rows("forgotten")}
    for path in bot_files(folder):
        word = named_after(path)
        found = folder.roster.find(word)
        if folder.roster.people and len(found) != 1:
            why = f"may be {listed([p.id for p in found], 'or')}" if found else "is nobody's name"
            absent[f"{BOTS}/{path.name}"] = f"{word} {why} on the roster; call it ID.py"
            continue
        if not found and forgotten & {results.mark_of(w) for w in (plain(word), word.casefold())}:
            absent[f"{BOTS}/{path.name}"] = "its student was removed by `class forget`"
            continue
        student, name = (found[0].id, found[0].name) if found else (word, word)
        if student in own:
            absent[f"{BOTS}/{path.name}"] = f"{name} has {BOTS}/{own[student]} already"
            continue
        try:
            files, main = _read_bot(path)
        except (OSError, UnicodeDecodeError) as error:
            absent[f"{BOTS}/{path.name}"] = f"it cannot be read: {error}"
            continue
        own[student] = path.name
        entries[student] = Entrant(student, name, "", files, main)
    return list(entries.values()), absent


def _of_labs(book: Gradebook | None, game: str) -> Iterator[Entrant]:
    """The players that labs ask for; a group has one, and a later lab takes the place of others."""
    if book is None:
        return
    names = display_names(book)
    found: dict[str, Entrant] = {}  # by student
    for assignment in book.settings.assignments:
        lab = assignment.lab
        if lab is None or not lab.bot or lab.game != game:
            continue
        teams: dict[str, list[str]] = {}
        for row in book.rows:
            counted = row.entries[assignment.id].counted
            if counted is not None:
                teams.setdefault(counted.checked.hand_in.key, []).append(row.person.id)
                files = counted.checked.hand_in.files
                first, *more = teams[counted.checked.hand_in.key]
                name = listed([names[each] for each in (first, *more)])
                found.pop(row.person.id, None)
                found[first] = Entrant(first, name, assignment.id, files)
    yield from found.values()


def bot_files(folder: ClassFolder) -> list[Path]:
    """What lies in ``bots/``: files, and folders with a ``bot.py``."""
    inside = folder.path / BOTS
    if not inside.is_dir():
        return []
    return [
        path
        for path in sorted(inside.iterdir())
        if path.name[0] not in "._" and (path.suffix == ".py" or path.is_dir())
    ]


def named_after(path: Path) -> str:
    """The word by which a bot in ``bots/`` is named; that of a folder may have dots."""
    return path.name if path.is_dir() else path.stem


def _read_bot(path: Path) -> tuple[Files, str]:
    """The files of a bot, and which one it is: a file, or ``bot.py`` with what lies beside it."""
    if not path.is_dir():
        return {path.name: _text(path)}, path.name
    if path.is_symlink():
        raise OSError(f"{path.name} is a link")
    texts = {each.name: _text(each) for each in sorted(path.glob("*.py"))}
    if "bot.py" not in texts and len(texts) != 1:
        raise OSError("there is no bot.py in it")
    return texts, "bot.py" if "bot.py" in texts else next(iter(texts))


def _text(path: Path) -> str:
    """The text of a file of a student; raises ``OSError`` for a link, which may lead anywhere."""
    if path.is_symlink():
        raise OSError(f"{path.name} is a link")
    if path.stat().st_size > _LARGEST:
        raise OSError(f"{path.name} is larger than a megabyte")
    return path.read_text("utf-8-sig")


# ------------------------------------------------------------------------------ code and marks


def _place(folder: ClassFolder) -> Path:
    return (folder.kept / KEPT / BOTS).resolve()


def enter(folder: ClassFolder, results: Results, entry: Entrant) -> Bot:
    """Write the code of a bot, and note whose it is.

    The mark changes with the code, so that games of other code do not count.
    """
    text = "\0".join(f"{name}\0{entry.files[name]}" for name in sorted(entry.files))
    mark = results.mark_of(f"{entry.student}\0{entry.lab}\0{text}")[:16]
    place = _place(folder) / mark
    for name, content in entry.files.items():
        if any(part.startswith(".") for part in name.split("/")):
            continue
        path = place / (f"{mark}.py" if name == entry.main else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != content:
            write_text_atomically(path, content)
    if entry.lab:
        mark_folder(find_lab(_lab_name(folder, entry.lab)), place)
    if results.rows("player").get(mark) is None:
        results.put("player", mark, {"student": entry.student, "lab": entry.lab})
    spec = _spec(place, mark, entry.lab)
    return Bot(mark, entry.student, entry.name, spec, entry.main or "bot.py")


def _lab_name(folder: ClassFolder, lab: str) -> str:
    known = folder.settings.find(lab)
    if known is not None and known.lab is not None and known.lab.is_own:
        return str(known.lab.folder)
    return lab


def _spec(place: Path, mark: str, lab: str) -> str:
    if lab:
        return Spec("lab").with_(folder=str(place), time=MOVE_SECONDS).text
    return Spec(BOT).with_(file=str(place / f"{mark}.py"), time=MOVE_SECONDS).text


def why_not(spec: str, game: str) -> str:
    """Why a bot cannot play; "" if it can. Its code is not run."""
    env = make_game(game)
    try:
        player = make_engine(spec)
    except ValueError as error:
        return str(error)
    own = games_of(player.engine)
    if own and not {env.name, env.traits.name} & {*own}:
        return f"it plays {listed(own, 'or')}"
    return ""


def former_players(folder: ClassFolder, results: Results) -> list[Bot]:
    """Those who were forgotten, with a stub in the place of their code; each has a number."""
    gone = [(mark, row) for mark, row in results.rows("player").items() if not row["student"]]
    bots = []
    for number, (mark, row) in enumerate(sorted(gone), 1):
        place = _place(folder) / mark
        name = f"{FORMER} {number}" if len(gone) > 1 else FORMER
        bots.append(Bot(mark, "", name, _spec(place, mark, row["lab"])))
    return bots


# ------------------------------------------------------------------------------------ forgetting


def retire(folder: ClassFolder, results: Results, student: str) -> int:
    """Remove the code of a student's bots and their name; the games stay. How many bots."""
    mine = [mark for mark, row in results.rows("player").items() if row["student"] == student]
    for mark in mine:
        row = results.rows("player")[mark]
        place = _place(folder) / mark
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True, exist_ok=True)
        if row["lab"]:
            lab = find_lab(_lab_name(folder, row["lab"]))
            for name in lab.files:
                write_text_atomically(place / name, _STUB)
            mark_folder(lab, place)
        else:
            write_text_atomically(place / f"{mark}.py", _STUB)
        results.put("player", mark, {"student": "", "lab": row["lab"]})
    return len(mine)
