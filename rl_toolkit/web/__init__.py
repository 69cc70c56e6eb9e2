"""The web front door: pages to play and analyse on, and the JSON behind them."""

from rl_toolkit.web.app import create_app
from rl_toolkit.web.limits import ServerLimits
from rl_toolkit.web.server import serve

__all__ = ["ServerLimits", "create_app", "serve"]
