"""The user's cache folder, and the folder for saved games.

The environment variables ``RL_TOOLKIT_CACHE_DIR`` and ``RL_TOOLKIT_STATE_DIR`` override them.
"""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "RL_TOOLKIT_CACHE_DIR"
STATE_VARIABLE = "RL_TOOLKIT_STATE_DIR"


def cache_folder() -> Path:
    """The folder for compiled code and solved samples; it may not exist yet."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return platformdirs.user_cache_path("rl_toolkit", appauthor=False)


def games_folder() -> Path:
    """The folder where games are saved while they are played; it may not exist yet."""
    chosen = os.environ.get(STATE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser() / "games"
    import platformdirs

    return platformdirs.user_state_path("rl_toolkit", appauthor=False) / "games"
