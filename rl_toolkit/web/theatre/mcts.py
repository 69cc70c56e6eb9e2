"""Tree search on stage: one simulation at a time."""

from __future__ import annotations

from flask import Blueprint, render_template

routes = Blueprint("mcts", __name__)


@routes.get("/theatre/mcts")
def page() -> str:
    """The page."""
    return render_template("theatre/mcts.html")
