"""Where unfinished games wait: the user's state folder, one file per game.

``RL_TOOLKIT_STATE_DIR`` puts another folder in its place. A game is written whole after every
move, so what ``play --resume`` finds after a crash is the game as it was after the last one.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from rl_toolkit.records import GameRecord, RecordError

ENVIRONMENT_VARIABLE = "RL_TOOLKIT_STATE_DIR"
#: Games kept, finished ones included; older files are removed.
KEEP = 20


def games_folder() -> Path:
    """The folder of autosaved games, whether it exists or not."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    if chosen:
        return Path(chosen) / "games"
    import platformdirs

    return platformdirs.user_state_path("rl_toolkit", appauthor=False) / "games"


class Autosave:
    """The file of one game; `save` after every change."""

    def __init__(self, path: Path | None = None) -> None:
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{time.time_ns() % 10**6:06}.json"
        self._path = path or games_folder() / name
        self.problem: OSError | None = None

    def save(self, record: GameRecord) -> None:
        """Write the game; where that is impossible, `problem` says why and play goes on."""
        if self.problem is not None:
            return
        try:
            fresh = not self._path.exists()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            record.save(self._path)
            if fresh:
                _prune(self._path.parent)
        except OSError as error:
            self.problem = error


def latest_unfinished(game: str | None = None) -> tuple[GameRecord, Autosave] | None:
    """The unfinished game played last, of that name if one is given, and its file."""
    for path in reversed(_files(games_folder())):
        try:
            record = GameRecord.load(path)
        except (RecordError, OSError):
            continue  # somebody else's file, or one that was never finished
        unfinished = record.result is None and record.moves
        if unfinished and (game is None or record.game == game):
            return record, Autosave(path)
    return None


def _files(folder: Path) -> list[Path]:
    """Autosaved games, the one written last at the end."""
    with suppress(OSError):
        return sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    return []


def _prune(folder: Path) -> None:
    for old in _files(folder)[:-KEEP]:
        with suppress(OSError):
            old.unlink()
