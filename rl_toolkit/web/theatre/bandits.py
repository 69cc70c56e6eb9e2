"""Bandits: arms, policies and regret."""

from __future__ import annotations

from flask import Blueprint, render_template

routes = Blueprint("bandits", __name__)


@routes.get("/theatre/bandits")
def page() -> str:
    """The page."""
    return render_template("theatre/bandits.html")
