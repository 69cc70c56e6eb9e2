"""Experiments as pages: a table, a chart and two questions each."""

from __future__ import annotations

from flask import Blueprint, render_template

routes = Blueprint("experiments", __name__)


@routes.get("/theatre/experiments")
def page() -> str:
    """The page."""
    return render_template("theatre/experiments.html")
