"""`read_position`: a position in any of the known forms."""

from __future__ import annotations

import re
from collections.abc import Callable

from rl_toolkit.envs import BaseGameEnv, Reversi, for_game
from rl_toolkit.envs.position import Game, fresh_game, position_from_text
from rl_toolkit.records.errors import PositionError, RecordError, TranscriptError
from rl_toolkit.records.formats.obf import parse_obf
from rl_toolkit.records.formats.transcripts import from_transcript
from rl_toolkit.utils import shown

Reader = Callable[[BaseGameEnv, str], BaseGameEnv]


def read_position(game: Game, text: str) -> BaseGameEnv:
    """The position that ``text`` describes as rows, as moves or, for Reversi, as an OBF line.

    Empty text is the starting position. The forms cannot be confused: rows end with a space and the
    side to move, and a whole OBF board is one word. Raises `PositionError`, with the problem in the
    form that the text looks like, or `UnknownGameError`.

    >>> read_position("tictactoe", "b2 a1").move_count
    2
    >>> read_position("tictactoe", "o2/1x1/3 x").move_count
    2
    """
    start = fresh_game(game)
    if isinstance(text, str) and not text.strip():
        return start
    forms = {**_EVERY_GAME, **(for_game(_GAMES, start) or {})}
    refusals: dict[str, RecordError] = {}
    for form, read in forms.items():
        try:
            return read(start, text)
        except RecordError as error:
            refusals[form] = error
    problem = refusals.get(_form_of(text)) or refusals["moves"]
    if isinstance(problem, TranscriptError) and isinstance(text, str):
        if problem.reached is not None and problem.reached.history:
            raise PositionError(str(problem)) from problem
        example = f"; example: {start.traits.example}" if start.traits.example else ""
        raise PositionError(
            f"{shown(text)} cannot be read as moves of {start.name}{example}"
        ) from problem
    why = str(problem).removeprefix(f"{shown(text)} is not a position: ")
    raise PositionError(f"{shown(text)} is not a position of {start.name}: {why}")


def _form_of(text: object) -> str:
    """The form that a text is most like; moves are like anything else."""
    if not isinstance(text, str):
        return "moves"
    if "/" in text or re.fullmatch(r"[xo0-9]+\s+[xo]", text.strip().lower()):
        return "rows"
    return "OBF" if re.match(r"\s*[-*.xobwXOBW]{9}", text) else "moves"


def _from_obf(start: BaseGameEnv, text: str) -> BaseGameEnv:
    env = parse_obf(text).env
    if env.name != start.name:
        raise PositionError(f"this is a board of {env.name}")
    return env


_EVERY_GAME: dict[str, Reader] = {"rows": position_from_text, "moves": from_transcript}
_GAMES: dict[type, dict[str, Reader]] = {Reversi: {"OBF": _from_obf}}
