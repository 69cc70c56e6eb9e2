"""Reading and writing games: records, files of games in several formats, positions as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.envs import RecordError
    from rl_toolkit.envs.position import position_from_text, position_to_text
    from rl_toolkit.records.errors import OtherGameError, RecordSyntaxError, TranscriptError
    from rl_toolkit.records.formats.game_files import (
        FORMATS,
        format_of,
        games_from_bytes,
        iter_games,
        read_games,
        recognised,
        write_games,
    )
    from rl_toolkit.records.formats.ggf import read_ggf, write_ggf
    from rl_toolkit.records.formats.obf import ObfPosition, parse_obf, to_obf
    from rl_toolkit.records.formats.transcripts import from_transcript, to_transcript
    from rl_toolkit.records.game_record import GameRecord
    from rl_toolkit.records.game_stats import (
        PLAYER_COLUMNS,
        GameStats,
        Score,
        player_rows,
        stats_of,
    )
    from rl_toolkit.records.position_reader import read_position
    from rl_toolkit.records.record_json import errors_named
    from rl_toolkit.records.showing import replay_svg
    from rl_toolkit.records.tables import csv_of_games, csv_of_moves, csv_text
    from rl_toolkit.records.tree.variations import Variation, branches, names_along

if TYPE_CHECKING:  # older names: they still work, the door no longer offers them
    from rl_toolkit.records.errors import PositionError as PositionError
    from rl_toolkit.records.errors import RecordFieldError as RecordFieldError
    from rl_toolkit.records.errors import RecordMoveError as RecordMoveError
    from rl_toolkit.records.errors import RecordResultError as RecordResultError
    from rl_toolkit.records.errors import RecordVersionError as RecordVersionError
    from rl_toolkit.records.formats.game_files import GameFormat as GameFormat

__all__ = [
    "FORMATS",  # Every file format of games, by name
    "PLAYER_COLUMNS",  # The columns of the table of players
    "GameRecord",  # One game, finished or not
    "GameStats",  # What is counted of all games of one kind
    "ObfPosition",  # A line of OBF: board, side to move, scores
    "OtherGameError",  # The record is of another game than the one that the caller asked for
    "RecordError",  # The base of all errors in text that is read
    "RecordSyntaxError",  # The text is not a JSON object, or is too large
    "Score",  # How many games were won, drawn, lost, and left undecided
    "TranscriptError",  # A move of a transcript cannot be read or played; ``where`` has its number
    "Variation",  # Another continuation of a line
    "branches",  # Each variation of a line, with the game where it leaves the line
    "csv_of_games",  # CSV with a row for each game
    "csv_of_moves",  # CSV with a row for each move
    "csv_text",  # The rows as CSV with a heading; ``None`` is an empty cell
    "errors_named",  # Put the name of a file in front of errors about it
    "format_of",  # The format of files with that suffix, in any case
    "from_transcript",  # A game after the moves of a text
    "games_from_bytes",  # All games in the content of a file; see `read_games`
    "iter_games",  # The games of `games_from_bytes`, each read when its turn comes
    "names_along",  # Play ``moves`` on ``env``; the name of each move in its position
    "parse_obf",  # The position in a line of OBF
    "player_rows",  # A row for each player, with the columns `PLAYER_COLUMNS`
    "position_from_text",  # A game in the position that a text describes
    "position_to_text",  # The position of a game as text
    "read_games",  # All games in a file, at least one
    "read_ggf",  # The games of a file; if ``game`` is given, all must be games of it
    "read_position",  # A game in the position that a text describes, in any notation
    "recognised",  # The format of a file by its first bytes
    "replay_svg",  # The moves of a game one after the other, as one SVG picture
    "stats_of",  # The statistics of each kind of game, the kind with most games first
    "to_obf",  # The line for a position, without a line break
    "to_transcript",  # The moves of a game or a record, from its starting position
    "write_games",  # Write games to a file; its suffix decides the format
    "write_ggf",  # The games, one a line; raises `RecordError` for a game that GGF cannot hold
]
__getattr__, __dir__ = front_door(__name__)
