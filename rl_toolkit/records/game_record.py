"""`GameRecord`: a game as data, and as a file.

Every record can be replayed: its constructor plays the moves, and rejects an illegal move or a
result that contradicts them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.envs.position import position_from_text, position_to_text
from rl_toolkit.envs.validation import as_move
from rl_toolkit.records import record_json
from rl_toolkit.records.checked_json import checked, checked_text
from rl_toolkit.records.errors import (
    PositionError,
    RecordFieldError,
    RecordResultError,
)
from rl_toolkit.records.showing import record_html
from rl_toolkit.records.tree.game_line import settled
from rl_toolkit.records.tree.notes import Note, checked_notes
from rl_toolkit.records.tree.variations import (
    Variation,
    as_list,
    checked_comments,
    checked_variations,
    play_along,
)
from rl_toolkit.utils import JsonObject, PathLike, shown, write_text_atomically

_OUTCOMES = {1: "X has won", -1: "O has won", 0: "it is a draw", None: "the game is not over"}


@dataclass(frozen=True)
class GameRecord:
    """One game, finished or not.

    The constructor checks and copies everything; it raises `RecordFieldError` or one of its
    subclasses, naming the field. Two records are equal if all their fields are.

    Attributes:
        game: the game's full name in the registry (``reversi`` becomes ``reversi-8``).
        moves: the moves, oldest first.
        players: the names of X and O; empty if unknown.
        result: the winner, as in ``env.winner``: +1, −1, 0 for a draw, ``None`` if undecided.
        ended_by: what decided a game that the moves leave open ("resignation", "time"), else "".
        start: the starting position as text, "" for the usual one.
        headers: anything else: event, date, remarks.
        analyses: for each move the analysis made before it, a JSON object or ``None``; empty if
            there are none.
        comments: texts by ply; ply 0 is the start, ply 3 the position after the third move.
        variations: other moves, as a tree; see `Variation`.
        opening: the number of first moves that no player chose, such as those of a match's opening.
        notes: what else is attached to the moves, by ply: glyphs, marks, clocks; see `Note`. The
            seconds that the moves took are the header ``move times``, their analyses ``analyses``.

    ``moves`` is the game as it was played, also where a variation stands ahead of it; `GameTree` is
    the form in which a game is edited.

    >>> GameRecord("tictactoe", (4, 0), players=("Ada", "")).replay().history
    [4, 0]
    """

    game: str
    moves: Sequence[int] = ()
    players: Sequence[str] = ("", "")
    result: int | None = None
    ended_by: str = ""
    start: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    analyses: Sequence[JsonObject | None] = field(default=(), hash=False)
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    variations: Sequence[Variation] = ()
    opening: int = 0
    notes: Mapping[int, Note] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        def keep(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        env = record_json.game_named(self.game)
        keep("game", env.name)
        keep("start", _checked_start(env, self.start))
        begun = self.starting_position()
        keep("moves", play_along(begun, self.moves, "moves"))
        keep("opening", _checked_opening(self.opening, len(self.moves)))
        keep("ended_by", checked_text(self.ended_by, "ended_by"))
        keep("result", _checked_result(begun, self.result, self.ended_by))
        keep("players", _checked_players(self.players))
        keep("headers", _checked_headers(self.headers))
        keep("analyses", _checked_analyses(self.analyses, len(self.moves)))
        if self.notes:
            notes = checked_notes(self.notes, begun, len(self.moves), 0, "notes")
            notes, headers, analyses = settled(notes, self.headers, self.analyses, len(self.moves))
            keep("notes", notes)
            keep("headers", headers)
            keep("analyses", analyses)
        else:
            keep("notes", {})
        keep("comments", checked_comments(self.comments, len(self.moves), 0, "comments"))
        if self.variations or not isinstance(self.variations, tuple):
            first = self.starting_position()
            keep("variations", checked_variations(first, self.moves, self.variations))

    # ------------------------------------------------------------------- games

    @classmethod
    def from_env(
        cls,
        env: BaseGameEnv,
        *,
        players: Sequence[str] = ("", ""),
        headers: Mapping[str, str] | None = None,
        analyses: Sequence[JsonObject | None] = (),
        result: int | None = None,
        ended_by: str = "",
        comments: Mapping[int, str] | None = None,
        variations: Sequence[Variation] = (),
        opening: int = 0,
        notes: Mapping[int, Note] | None = None,
    ) -> Self:
        """The record of the game in ``env``, from its start or from the position that was set up.

        The result of a finished game is read from the board; pass ``result`` and ``ended_by`` only
        for a game that was decided in another way.
        """
        begun, usual = BaseGameEnv.start(env), record_json.game_named(env.name)
        if not isinstance(env, type(usual)) or (usual.rows, usual.cols) != (env.rows, env.cols):
            raise RecordFieldError(
                f"{shown(env.name)} is another game in the registry; "
                "the name of a game must include its variant",
                "game",
            )
        as_usual = begun.get_state_hash() == usual.get_state_hash()
        return cls(
            game=env.name,
            moves=env.history,
            players=players,
            result=env.winner if env.is_terminal() else result,
            ended_by=ended_by,
            start="" if as_usual else position_to_text(begun),
            headers=headers or {},
            analyses=analyses,
            comments=comments or {},
            variations=variations,
            opening=opening,
            notes=notes or {},
        )

    def starting_position(self) -> BaseGameEnv:
        """A new game in the starting position of this record."""
        return position_from_text(self.game, self.start) if self.start else make_game(self.game)

    def replay(self) -> BaseGameEnv:
        """A new game with all moves played."""
        return BaseGameEnv.after(self.starting_position(), self.moves)

    def positions(self) -> Iterator[BaseGameEnv]:
        """Yield a new game for every position, from the start to the end."""
        env = self.starting_position()
        yield env.copy()
        for move in self.moves:
            env.step(move)
            yield env.copy()

    def _repr_html_(self) -> str:
        return record_html(self)

    # ------------------------------------------------------------------- files

    def to_json(self) -> str:
        """The record as JSON text; see ``docs/reference/records.md`` for the fields."""
        return record_json.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The record in JSON text; raises `RecordError`, naming the place of the mistake."""
        return cls(**record_json.fields_from_json(text))

    def save(self, path: PathLike) -> None:
        """Write the record to a file, atomically."""
        write_text_atomically(path, self.to_json())

    @classmethod
    def load(cls, path: PathLike) -> Self:
        """The record in a file; raises `RecordError` with the name of the file."""
        with record_json.errors_named(os.path.basename(os.fspath(path))):
            return cls.from_json(record_json.read_text(path))


def _checked_start(env: BaseGameEnv, start: object) -> str:
    """``start`` in the form of `position_to_text`, empty for the usual start of ``env``."""
    text = checked_text(start, "start")
    if not text:
        return ""
    try:
        begun = position_from_text(env, text)
    except PositionError as error:
        raise RecordFieldError(str(error), "start") from error
    return "" if begun.get_state_hash() == env.get_state_hash() else position_to_text(begun)


def _checked_opening(opening: object, moves: int) -> int:
    try:
        plies = as_move(opening)
    except ValueError as error:
        raise RecordFieldError(f"this is a number of moves, not {shown(opening)}", "opening") from (
            error
        )
    if not 0 <= plies <= moves:
        raise RecordFieldError(f"this is 0 to {moves}, as the game has {moves} moves", "opening")
    return plies


def _checked_result(env: BaseGameEnv, result: object, ended_by: str) -> int | None:
    """``result`` as a plain int or ``None``; it must agree with ``env``, the last position."""
    try:
        winner = None if result is None else as_move(result)
        outcome = _OUTCOMES[winner]
    except (ValueError, KeyError) as error:
        raise RecordFieldError(
            f"this is 1, -1, 0 or None, not {shown(result)}", "result"
        ) from error
    if env.is_terminal():
        if winner != env.winner:
            raise RecordResultError(
                f"this says that {outcome}, but after the moves {_OUTCOMES[env.winner]}", "result"
            )
        if ended_by:
            raise RecordResultError("the moves already end this game", "ended_by")
    elif winner is not None and not ended_by:
        raise RecordResultError(
            f"this says that {outcome}, but the moves do not end the game; ended_by must say why",
            "result",
        )
    elif winner is None and ended_by:
        raise RecordResultError("a game that was ended must have a result", "ended_by")
    return winner


def _checked_players(players: object) -> tuple[str, str]:
    names = as_list(players, "players")
    if len(names) != 2:
        raise RecordFieldError(f"there must be two players, not {len(names)}", "players")
    return checked_text(names[0], "players.x"), checked_text(names[1], "players.o")


def _checked_headers(headers: object) -> dict[str, str]:
    if not isinstance(headers, Mapping):
        raise RecordFieldError(f"this must map names to text, not {shown(headers)}", "headers")
    return {
        checked_text(name, "headers"): checked_text(value, f"headers.{name:.40}")
        for name, value in headers.items()
    }


def _checked_analyses(analyses: object, moves: int) -> tuple[JsonObject | None, ...]:
    entries = as_list(analyses, "analyses")
    if len(entries) not in (0, moves):
        raise RecordFieldError(
            f"there must be one for each of the {moves} moves, not {len(entries)}", "analyses"
        )
    for k, entry in enumerate(entries):
        if entry is not None and not isinstance(entry, dict):
            raise RecordFieldError(
                f"an analysis is an object or null, not {shown(entry)}", f"analyses[{k}]"
            )
    kept = tuple(checked(entry, f"analyses[{k}]") for k, entry in enumerate(entries))
    return kept if any(entry is not None for entry in kept) else ()
