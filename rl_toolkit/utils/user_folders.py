"""The user's own folders: what can be made again goes to the cache, unfinished games to the state.

``RL_TOOLKIT_CACHE_DIR`` and ``RL_TOOLKIT_STATE_DIR`` put other folders in their place.
"""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "RL_TOOLKIT_CACHE_DIR"
STATE_VARIABLE = "RL_TOOLKIT_STATE_DIR"


def cache_folder() -> Path:
    """Where compiled code and solved samples are kept, whether it exists or not."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return platformdirs.user_cache_path("rl_toolkit", appauthor=False)


def games_folder() -> Path:
    """Where games are saved while they are played, whether it exists or not."""
    chosen = os.environ.get(STATE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser() / "games"
    import platformdirs

    return platformdirs.user_state_path("rl_toolkit", appauthor=False) / "games"
