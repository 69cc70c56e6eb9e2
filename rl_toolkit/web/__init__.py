"""The web front door: pages to play and analyse on, and the JSON behind them.

`create_app`, `serve` and `ServerLimits` are loaded on first use, so that help on the command line
needs neither games nor Flask.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_toolkit.web.app import create_app
    from rl_toolkit.web.limits import ServerLimits
    from rl_toolkit.web.server import serve

__all__ = ["HOST", "PORT", "ServerLimits", "create_app", "serve"]

#: Where the server listens by default: on this machine only.
HOST = "127.0.0.1"
PORT = 5001

_HOMES = {"create_app": "app", "ServerLimits": "limits", "serve": "server"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
