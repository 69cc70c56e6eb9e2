"""The web front door: pages to play and analyse on, and the JSON behind them.

All names but two are loaded on first use, so that help on the command line needs neither games nor
Flask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.web.app import create_app
    from rl_toolkit.web.learn.figure_fields import FigureError, figure_choices, figure_fields
    from rl_toolkit.web.learn.figures import FIGURE_KINDS, Figure
    from rl_toolkit.web.own_page.site import serve_own_page
    from rl_toolkit.web.server import serve
    from rl_toolkit.web.serving.limits import ServerLimits

__all__ = [
    "FIGURE_KINDS",  # The kinds of figures, and what each shows
    "HOST",  # The address on which the server listens by default
    "PORT",  # The port on which the server listens by default
    "Figure",  # A live figure of the chapters: HTML, SVG, PNG
    "FigureError",  # A figure that cannot be made
    "ServerLimits",  # What one server may spend on its visitors
    "create_app",  # The web application
    "figure_choices",  # The fields of a kind that are one of a few words, and these words
    "figure_fields",  # The fields of a kind and their values at the start
    "serve",  # Serve the pages until interrupted
    "serve_own_page",  # Serve the page of a student beside the toolkit
]
__getattr__, __dir__ = front_door(__name__)

HOST = "127.0.0.1"
PORT = 5001
