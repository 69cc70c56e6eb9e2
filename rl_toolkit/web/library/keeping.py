"""Games that a page saves in the library: the record, who played, and what a review said."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from typing import Any

from rl_toolkit.library import Library
from rl_toolkit.records import GameRecord
from rl_toolkit.records.tree import GameTree
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.responses import Json
from rl_toolkit.web.serving.limits import ServerLimits

ORIGIN, EVENT = "page", "played"
_KEY = re.compile(r"[0-9a-z]{4,40}", re.ASCII)
#: Milliseconds since 1970 up to the year 9999.
_LAST = 253_370_764_800_000
_MARKS = ("inaccuracy", "mistake", "blunder")


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game on its way into the library; ``key`` is the page's own name for it."""

    record: GameRecord
    key: str
    engines: tuple[bool, bool]
    accuracy: tuple[float | None, float | None]

    def save(self, library: Library) -> int | None:
        """Save it, instead of what was saved of it before; ``None`` if somebody removed it."""
        return library.keep(
            self.record,
            self.key,
            event=EVENT,
            origin=ORIGIN,
            engines=self.engines,
            accuracy=self.accuracy,
        )


def kept_game(fields: Fields, limits: ServerLimits) -> KeptGame:
    """The game that a request describes.

    ``text`` is its record, ``key`` what its page calls it, ``begun`` when it began in milliseconds,
    ``engines`` has true for the sides that engines played; ``accuracy`` in per cent and ``reviews``
    are there once it was reviewed.
    """
    text = fields.text("text", longest=limits.body_bytes)
    key, begun = fields.text("key", longest=40), fields.whole("begun", 0, _LAST)
    if not _KEY.fullmatch(key) or begun is None:
        raise BadRequestError("key is 4 to 40 letters and digits, and begun a time")
    try:
        record = GameRecord.from_json(text)
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    requests.game_in(Fields({"game": record.game}), limits)
    if not 0 < len(record.moves) <= limits.moves:
        raise BadRequestError(f"games of up to {limits.moves} moves are kept, and of one at least")
    dated = {"date": time.strftime("%Y-%m-%d", time.localtime(begun / 1000)), **record.headers}
    record = _reviewed(replace(record, headers=dated), fields.raw("reviews"))
    return KeptGame(record, key, _engines(fields), _accuracy(fields))


def _engines(fields: Fields) -> tuple[bool, bool]:
    given = fields.raw("engines")
    if not isinstance(given, list) or [type(each) for each in given] != [bool, bool]:
        raise BadRequestError("engines says for each side whether it is an engine")
    return given[0], given[1]


def _accuracy(fields: Fields) -> tuple[float | None, float | None]:
    given = fields.raw("accuracy")
    if given is None:
        return None, None
    if not isinstance(given, dict):
        raise BadRequestError('accuracy is an object such as {"x": 97.5, "o": null}')
    return _percent(given.get("x")), _percent(given.get("o"))


def _percent(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 100:
        raise BadRequestError("an accuracy is a number from 0 to 100")
    return value / 100


def _reviewed(record: GameRecord, reviews: Any) -> GameRecord:
    """The record with what a review said of its moves, which have no other review yet."""
    if reviews is None:
        return record
    if not isinstance(reviews, list) or len(reviews) > len(record.moves):
        raise BadRequestError("reviews is a list with an entry for each move that was judged")
    tree = GameTree(record)
    for entry in reviews:
        if not isinstance(entry, dict):
            raise BadRequestError('a review is an object such as {"ply": 3, "mark": "mistake"}')
        ply, review = _review(Fields(entry), len(record.moves))
        node = tree.game[ply]
        if node.note.review is None:
            node.note = replace(node.note, review=review)
    return tree.record()


def _review(fields: Fields, moves: int) -> tuple[int, Json]:
    ply, mark = fields.whole("ply", 0, moves - 1), fields.text("mark", longest=20)
    lesson = fields.text("lesson", longest=200)
    fields.finish()
    if ply is None or mark not in ("", *_MARKS):
        raise BadRequestError("a review has the ply of its move, and a mark that it knows")
    return ply, {"judgement": mark or "good", **({"lesson": lesson} if lesson else {})}
