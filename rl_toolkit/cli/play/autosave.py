"""Autosaved games in the user's state folder, one file per game.

``RL_TOOLKIT_STATE_DIR`` names another folder. The whole game is written after every move, so
``play --resume`` finds it after a crash as it was after the last move.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from rl_toolkit.envs import UnknownGameError
from rl_toolkit.records import GameRecord, RecordError
from rl_toolkit.utils import games_folder

#: The number of games kept, finished ones included; older files are removed.
KEEP = 20


class Autosave:
    """The file of one game; call `save` after every change."""

    def __init__(self, path: Path | None = None) -> None:
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{time.time_ns() % 10**6:06}.json"
        self._path = path or games_folder() / name
        self.problem: OSError | None = None

    def save(self, record: GameRecord) -> None:
        """Write the game; where that is impossible, `problem` says why until it succeeds."""
        self.problem = None
        try:
            fresh = not self._path.exists()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            record.save(self._path)
            if fresh:
                for old in _files(self._path.parent)[:-KEEP]:
                    with suppress(OSError):
                        old.unlink()
        except OSError as error:
            self.problem = error


def latest_unfinished(game: str | None = None) -> tuple[GameRecord, Autosave] | None:
    """The last unfinished game, of that name if one is given, and its file."""
    for path in reversed(_files(games_folder())):
        try:
            record = GameRecord.load(path)
        except (RecordError, OSError):
            continue  # not one of our files, or cut off, or of a game in a file that was not named
        unfinished = record.result is None and record.moves
        if unfinished and (game is None or record.game == game):
            return record, Autosave(path)
    return None


def has_unknown_games() -> bool:
    """Whether an autosaved game is of a game that is not known here."""
    for path in _files(games_folder()):
        try:
            GameRecord.load(path)
        except (RecordError, OSError) as error:
            cause: BaseException | None = error
            while cause is not None and not isinstance(cause, UnknownGameError):
                cause = cause.__cause__
            if cause is not None:
                return True
    return False


def _files(folder: Path) -> list[Path]:
    """Autosaved games, the latest last."""
    with suppress(OSError):
        return sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    return []
