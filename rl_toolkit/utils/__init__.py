"""Names of squares, pictures of boards, files and processes: helpers that know no game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.utils.atomic_file import (
        BookError,
        PathLike,
        Seal,
        atomic_writer,
        write_bytes_atomically,
        write_text_atomically,
    )
    from rl_toolkit.utils.board_viz import RowOneAt, rows_top_down
    from rl_toolkit.utils.course_phrases import (
        assessment,
        exploration,
        format_outcome,
        winner_moves,
    )
    from rl_toolkit.utils.installation import (
        QUIET_VARIABLE,
        cache_folder,
        games_folder,
        install_command,
    )
    from rl_toolkit.utils.messages import (
        as_typed,
        counted,
        csv_rows,
        did_you_mean,
        duration,
        listed,
        one_line,
        shown,
    )
    from rl_toolkit.utils.overrides import is_own, refuse_unused
    from rl_toolkit.utils.statistics import Z95, elo, mean_interval, percent, wilson_interval
    from rl_toolkit.utils.strict_json import FramedJson, JsonError, JsonObject, read_object

__all__ = [
    "QUIET_VARIABLE",  # The environment variable that silences news about compiling
    "Z95",  # 95 % of a normal distribution lie within this many standard errors
    "BookError",  # A file that is not a book, is damaged, or is for another board
    "FramedJson",  # Messages on a socket
    "JsonError",  # Text that is not a JSON object; ``where`` is the place of the mistake, if known
    "JsonObject",  # A JSON object as a dictionary
    "PathLike",  # Text or a path
    "RowOneAt",  # Whether row 1 is drawn at the top or at the bottom
    "Seal",  # The header of one kind of file: name, version, checksum
    "as_typed",  # A word as one types it in a command
    "assessment",  # The courses' assessment of a move
    "atomic_writer",  # Open a file that replaces another when its block ends
    "cache_folder",  # The folder for compiled code and solved samples; it may not exist yet
    "counted",  # A number with its noun
    "csv_rows",  # Rows as CSV, without cells that a spreadsheet would run as a formula
    "did_you_mean",  # The word of a list that a mistyped word probably means
    "duration",  # A duration for people
    "elo",  # The Elo difference for a share of the points
    "exploration",  # The courses' words for a move in tree search
    "format_outcome",  # The courses' outcome words for a value
    "games_folder",  # The folder where games are saved while they are played; it may not exist yet
    "install_command",  # The command that installs an extra
    "is_own",  # Whether a subclass or an object replaced a method
    "listed",  # Words as a list in a sentence
    "mean_interval",  # The 95 % confidence interval of the mean of points between 0 and 1
    "one_line",  # Text of other people's code on one line, without what would change a terminal
    "percent",  # A share in percent
    "read_object",  # Read a JSON object strictly
    "refuse_unused",  # Refuse a class that overrides a method which is never called
    "rows_top_down",  # The row numbers, from 0, in the order in which they are drawn, top first
    "shown",  # A value shortened for a message, safe for broken `__repr__`
    "wilson_interval",  # The 95 % confidence interval of a share
    "winner_moves",  # The number of moves that the winner makes
    "write_bytes_atomically",  # Write bytes to a file, all or nothing
    "write_text_atomically",  # Write text to a file, all or nothing
]
__getattr__, __dir__ = front_door(__name__)
