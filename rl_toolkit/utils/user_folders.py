"""The user's cache folder, and the folder for saved games.

The environment variables ``RL_TOOLKIT_CACHE_DIR`` and ``RL_TOOLKIT_STATE_DIR`` override them.
"""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "RL_TOOLKIT_CACHE_DIR"
STATE_VARIABLE = "RL_TOOLKIT_STATE_DIR"
#: If this is 1, nothing is said about compiling.
QUIET_VARIABLE = "RL_TOOLKIT_QUIET"


def cache_folder() -> Path:
    """The folder for compiled code and solved samples; it may not exist yet."""
    return _folder(CACHE_VARIABLE, "user_cache_path")


def games_folder() -> Path:
    """The folder where games are saved while they are played; it may not exist yet."""
    return _folder(STATE_VARIABLE, "user_state_path") / "games"


def _folder(variable: str, kind: str) -> Path:
    if chosen := os.environ.get(variable):
        return Path(os.path.expanduser(chosen))  # stays as it is where there is no home
    import platformdirs

    folder: Path = getattr(platformdirs, kind)("rl_toolkit", appauthor=False)
    return folder
