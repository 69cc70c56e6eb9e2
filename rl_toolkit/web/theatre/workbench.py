"""The workbench: trees to work on."""

from __future__ import annotations

from flask import Blueprint, render_template

routes = Blueprint("workbench", __name__)


@routes.get("/theatre/workbench")
def page() -> str:
    """The page."""
    return render_template("theatre/workbench.html")
