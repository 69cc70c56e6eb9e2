"""What surrounds the pages: the sections of the site, and the home page that leads into them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for

from rl_toolkit import __version__
from rl_toolkit.envs import FamousPosition, GameFamily
from rl_toolkit.puzzles import PuzzleError, daily, task
from rl_toolkit.records import position_to_text
from rl_toolkit.web.api import families
from rl_toolkit.web.arena.hall import Hall
from rl_toolkit.web.arena.pages import HALL
from rl_toolkit.web.exchange.looks import title_of
from rl_toolkit.web.learn.course import all_labs
from rl_toolkit.web.learn.live import workspace
from rl_toolkit.web.learn.theory import theory

shell = Blueprint("shell", __name__)


@dataclass(frozen=True, slots=True)
class Section:
    """A word in the head of every page; the names of its pages begin with one of ``parts``."""

    title: str
    endpoint: str
    parts: tuple[str, ...]

    def has(self, endpoint: str) -> bool:
        """Whether the page belongs to the section."""
        return endpoint.startswith(self.parts)


#: The first that has a page is its section: the workbench is for learning, the other stages are
#: for watching.
SECTIONS = (
    Section("Play", "shell.play", ("shell.play", "game_page")),
    Section("Analyse", "shell.analyse", ("shell.analyse", "library.")),
    Section("Puzzles", "puzzles.page", ("puzzles.",)),
    Section("Learn", "learn.course", ("learn.", "theatre.workbench.")),
    Section("Watch", "theatre.lobby", ("theatre.",)),
    Section("Compete", "arena.page", ("arena.",)),
)


def section_of(endpoint: str | None) -> Section | None:
    """The section of a page, ``None`` for the home page and for errors."""
    return next((section for section in SECTIONS if section.has(endpoint or "")), None)


# ------------------------------------------------------------------------------- positions


@dataclass(frozen=True, slots=True)
class Shown:
    """A famous position as a card shows it.

    Attributes:
        variant: the name of the game with its board; moves: the moves to the position.
        picture: the address of its picture, without a theme.
        address: the address at which it is analysed.
        task: who is to move; answer: what is true of it, which may be hidden at first.
    """

    title: str
    game: str
    variant: str
    moves: str
    picture: str
    address: str
    task: str
    answer: str


_RESULTS = {1: "wins", 0: "holds a draw", -1: "loses"}


def shown(family: GameFamily, famous: FamousPosition) -> Shown:
    """The card of a famous position."""
    env = family.make(famous.variant)
    assert env is not None  # it was checked when the game was registered
    named: dict[str, Any] = {"game": env.name}
    if famous.moves:
        named["moves"] = famous.moves
    for name in famous.moves.split():
        env.step(env.parse_move(name))
    side = family.traits.pieces[env.current_player < 0]
    best = f" with {' or '.join(famous.best)}" if famous.best else ""
    return Shown(
        title=famous.title,
        game=family.title,
        variant=env.name,
        moves=famous.moves,
        picture=url_for("sharing.picture", **named),
        address=url_for("game_page", name=family.name, **named, mode="analyse"),
        task=f"{side} to move.",
        answer=f"{side} {_RESULTS[famous.result]}{best}. {famous.sentence}",
    )


def _famous() -> Iterable[tuple[GameFamily, FamousPosition]]:
    """All famous positions; games take turns, so that one day is not like the next."""
    lists = [[(family, each) for each in family.traits.famous] for family in families()]
    longest = max(map(len, lists), default=0)
    return (some[k] for k in range(longest) for some in lists if k < len(some))


def today() -> int:
    """The number of this day, by which things of the day are chosen."""
    return datetime.date.today().toordinal()


# ----------------------------------------------------------------------------------- pages


#: The picture of what this is: a position, and what the exact engine says of each of its columns.
IDEA_GAME, IDEA_MOVES = "connect-four", "d d e e"
IDEA_MARKS = ("L16", "L17", "W2", "W18", "W18", "W2", "L17")


@shell.get("/")
def home() -> str:
    """What this is, what was begun, and what there is today."""
    positions = list(_famous())
    return render_template(
        "index.html",
        version=__version__,
        idea=url_for("sharing.picture", game=IDEA_GAME, moves=IDEA_MOVES),
        marks=IDEA_MARKS,
        position=shown(*positions[today() % len(positions)]) if positions else None,
        puzzle=_puzzle(),
        lesson=_lesson(),
        tournament=_tournament(),
    )


@shell.get("/play")
def play() -> str:
    """The games."""
    return render_template("play.html")


@shell.get("/analyse")
def analyse() -> str:
    """The games, each with an empty board and with positions worth looking at."""
    cards = [
        (family, [shown(family, each) for each in family.traits.famous]) for family in families()
    ]
    return render_template("analyse.html", cards=cards)


@shell.get("/api/famous")
def famous() -> Response:
    """The positions worth looking at of the ``game``, a family."""
    asked = request.args.get("game", "")
    listed = [family for family in families() if family.name == asked]
    return jsonify(
        positions=[
            asdict(shown(family, each)) for family in listed for each in family.traits.famous
        ]
    )


def _puzzle() -> dict[str, Any] | None:
    """The puzzle of the day; ``None`` where there are none."""
    try:
        puzzle = daily(datetime.date.today())
    except PuzzleError:
        return None
    env = puzzle.env()
    return {
        "game": title_of(puzzle.game),
        "task": task(puzzle),
        "picture": url_for("sharing.picture", game=puzzle.game, start=position_to_text(env)),
        "address": url_for("puzzles.page", mode="daily"),
    }


def _lesson() -> dict[str, Any]:
    """The lab that is worked on here, else a page of the course, another one each day."""
    own = workspace()
    if own is not None:
        lab = own.lab
        address = url_for("learn.lab_page", lab_id=lab.id)
        return {"title": f"{lab.id} {lab.title}", "sentence": lab.goal, "address": address}
    pages = [page for page in theory().pages if page.in_order]
    if pages:
        page = pages[today() % len(pages)]
        address = url_for("learn.theory_page", name=page.name)
        return {"title": page.title, "sentence": page.sentence, "address": address}
    catalogue = all_labs(None)
    lab = catalogue[today() % len(catalogue)]
    address = url_for("learn.lab_page", lab_id=lab.id)
    return {"title": f"{lab.id} {lab.title}", "sentence": lab.goal, "address": address}


def _tournament() -> dict[str, Any] | None:
    """The tournament of this server that is played now or was played last."""
    hall = current_app.extensions[HALL]
    assert isinstance(hall, Hall)
    latest = hall.latest()
    return None if latest is None else {**latest, "title": title_of(latest["plan"]["game"])}
