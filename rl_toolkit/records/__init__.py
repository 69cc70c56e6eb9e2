"""Reading and writing games: records, files of games in several formats, positions as text."""

from rl_toolkit.records.errors import (
    OtherGameError,
    PositionError,
    RecordError,
    RecordFieldError,
    RecordMoveError,
    RecordResultError,
    RecordSyntaxError,
    RecordVersionError,
    TranscriptError,
)
from rl_toolkit.records.formats.game_files import (
    FORMATS,
    GameFormat,
    format_of,
    games_from_bytes,
    iter_games,
    read_games,
    write_games,
)
from rl_toolkit.records.formats.obf import ObfPosition, parse_obf, to_obf
from rl_toolkit.records.formats.transcripts import from_transcript, to_transcript
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.positions import position_from_text, position_to_text
from rl_toolkit.records.read_position import read_position
from rl_toolkit.records.variations import Variation

__all__ = [
    "FORMATS",
    "GameFormat",
    "GameRecord",
    "ObfPosition",
    "OtherGameError",
    "PositionError",
    "RecordError",
    "RecordFieldError",
    "RecordMoveError",
    "RecordResultError",
    "RecordSyntaxError",
    "RecordVersionError",
    "TranscriptError",
    "Variation",
    "format_of",
    "from_transcript",
    "games_from_bytes",
    "iter_games",
    "parse_obf",
    "position_from_text",
    "position_to_text",
    "read_games",
    "read_position",
    "to_obf",
    "to_transcript",
    "write_games",
]
