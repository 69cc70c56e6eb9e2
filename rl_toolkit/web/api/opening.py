"""Games in files: the content of a file comes as data, in any format that `records` reads.

Nothing that a file says is loaded or run, and no name in it is looked up on the server's disk. A
file of many games is read as far as the server's limits allow.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from itertools import islice

from rl_toolkit.analysis import words_for
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.records import (
    FORMATS,
    GameRecord,
    RecordError,
    iter_games,
    position_to_text,
    read_position,
    recognised,
)
from rl_toolkit.utils import counted, listed
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.responses import Json, position_answer
from rl_toolkit.web.serving.limits import ServerLimits

#: What a page lets people choose.
FILE_TYPES = ",".join((*(suffix for form in FORMATS.values() for suffix in form.suffixes), ".txt"))

#: Bytes of a file that is read in some hundredths of a second.
SMALL_FILE = 50_000


def most_file_bytes(limits: ServerLimits) -> int:
    """The largest file that fits into a request, in base 64 and beside the other fields."""
    return max(0, (limits.body_bytes - 1000) * 3 // 4)


def content_in(fields: Fields, limits: ServerLimits) -> bytes:
    """The content of a file: ``text``, or its bytes in base 64 as ``data``."""
    if fields.has("text") and fields.has("data"):
        raise BadRequestError("give text or data, not both")
    text = fields.text("text", longest=limits.body_bytes)
    coded = fields.text("data", longest=limits.body_bytes)
    if not coded:
        return text.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRequestError("data is not base 64") from error


def opened(
    data: bytes,
    asked: BaseGameEnv,
    number: int | None,
    limits: ServerLimits,
    answer: Callable[[GameRecord], Json],
) -> Json:
    """The ``answer`` to game ``number`` of a file; without a number the only one, or a list of all.

    ``asked`` is the game of files that do not say which one they hold, such as a row of moves.
    """
    if number is not None and number > limits.games:
        raise BadRequestError(f"this server reads the first {limits.games} games of a file")
    records = _records(data, asked, limits.games + 1 if number is None else number)
    if number is not None and number > len(records):
        raise BadRequestError(f"there is no game {number} in this file: it has {len(records)}")
    if number is None and len(records) > 1:
        shown = records[: limits.games]
        listed = [_listed(place, record) for place, record in enumerate(shown, 1)]
        return {"games": listed, "more": len(records) > limits.games}
    requests.game_in(Fields({"game": records[-1].game}), limits)
    if len(records[-1].moves) > limits.moves:
        raise BadRequestError(f"games of up to {limits.moves} moves are read")
    if sum(variation.size for variation in records[-1].variations) > limits.tree_moves:
        raise BadRequestError(f"games with up to {limits.tree_moves} moves in variations are read")
    return answer(records[-1])


def _records(data: bytes, asked: BaseGameEnv, most: int) -> list[GameRecord]:
    """The first games of a file, at most so many."""
    if recognised(data) is None:
        return [_from_text(data, asked)]
    try:
        return list(islice(iter_games(data), most))
    except RecordError as error:
        try:  # it may leave open which game it is
            return list(islice(iter_games(data, asked.name), most))
        except RecordError:
            raise BadRequestError(f"This record cannot be opened: {error}.") from error


def _from_text(data: bytes, asked: BaseGameEnv) -> GameRecord:
    """A position, or a row of moves."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRequestError("This is not a file of games.") from error
    try:
        return GameRecord.from_env(read_position(asked, text))
    except RecordError as error:
        raise BadRequestError(requests.unreadable(asked, text)) from error


def _listed(number: int, record: GameRecord) -> Json:
    """A game in a list of many; ``text`` says all of it."""
    x, o = (name or "?" for name in record.players)
    ended = {None: "unfinished", 0: "draw"}.get(record.result)
    if record.result:
        ended = f"{words_for(make_game(record.game)).side(record.result)} won"
    moves = counted(len(record.moves), "move")
    return {
        "number": number,
        "game": record.game,
        "players": list(record.players),
        "result": record.result,
        "moves": len(record.moves),
        "text": f"{number}. {x} – {o}, {ended}, {moves}",
    }


def game_in_record(record: GameRecord) -> Json:
    """The game of a record without its variations."""
    return {
        **position_answer(record.replay()),
        "players": list(record.players),
        "result": record.result,
        "ended_by": record.ended_by,
        "opening": record.opening,
        "starts_as_usual": not record.start,
        "begun": record.start or position_to_text(record.starting_position()),
        "headers": dict(record.headers),
        "comments": {str(ply): text for ply, text in sorted(record.comments.items())},
        "left_out": _left_out(record),
    }


def _left_out(record: GameRecord) -> str:
    """A sentence about what the record has and the page neither shows nor saves, "" if nothing."""
    others = counted(len(record.variations), "variation") if record.variations else ""
    return _leaves_out(others, _analysed(record))


def analyses_left_out(record: GameRecord) -> str:
    """A sentence about the analyses of a record whose tree is shown, "" if it has none."""
    return _leaves_out(_analysed(record))


def _analysed(record: GameRecord) -> str:
    analysed = sum(analysis is not None for analysis in record.analyses)
    return f"the analyses of {counted(analysed, 'move')}" if analysed else ""


def _leaves_out(*parts: str) -> str:
    left = [part for part in parts if part]
    return f"This page leaves out {listed(left, 'and')} in the file." if left else ""
