"""The card of an engine as one HTML file, with boards."""

from __future__ import annotations

from html import escape

from rl_toolkit.arena.grading import Marks, Rate
from rl_toolkit.arena.scorecard.card import Scorecard
from rl_toolkit.arena.scorecard.positions import ShownPosition
from rl_toolkit.arena.scorecard.words import interval_text, length_text, rating_text, scale_text
from rl_toolkit.records import position_from_text
from rl_toolkit.utils import counted
from rl_toolkit.utils.board_viz import render_board_svg
from rl_toolkit.utils.reports import Scale, render_report
from rl_toolkit.utils.svg import ThemeName

_THEMES: tuple[ThemeName, ...] = ("light", "dark")


def card_html(card: Scorecard) -> str:
    """The card as a page that needs nothing else."""
    return render_report(
        "scorecard.html",
        card=card,
        board=board_pictures,
        by_length=_by_length,
        matters_of=_matters_of,
        counted=counted,
        interval_text=interval_text,
        rating_text=rating_text,
        scale_text=scale_text,
        shares=Scale((0.0, 1.0)),
    )


def _matters_of(stages: dict[str, Marks]) -> dict[str, Rate]:
    """How often it was right where it mattered, by stage; stages without such positions are out."""
    return {name: marks.matters for name, marks in stages.items() if marks.matters.of}


def _by_length(tactics: dict[int, Rate]) -> dict[str, Rate]:
    return {length_text(length): rate for length, rate in tactics.items()}


def board_pictures(shown: ShownPosition) -> str:
    """The position in light and dark, as HTML.

    Moves that keep the result have a tick, a wrong one a cross; of many good moves none is marked.
    """
    env = position_from_text(shown.game, shown.position)
    if not env.traits.has_grid:
        return f"<pre>{escape(str(env.render(mode='ansi')))}</pre>"
    marks = {}
    if len(shown.good) <= 3 or shown.move in shown.good:
        good = shown.good if len(shown.good) <= 3 else (shown.move,)
        marks = {env.landing_cell(move): "✓" for move in good}
    if shown.move not in shown.good:
        marks[env.landing_cell(shown.move)] = "✗"
    labels = {cell: mark for cell, mark in marks.items() if cell is not None}
    heat = {cell: 0.9 if mark == "✓" else -0.9 for cell, mark in labels.items()}
    words = {cell: "good" if mark == "✓" else "played" for cell, mark in labels.items()}
    pictures = [
        render_board_svg(
            env.board_2d,
            style=env.traits.style,
            colours=env.traits.piece_colours,
            theme=theme,
            row_one_at=env.traits.row_one_at,
            labels=labels,
            heat=heat,
            value_texts=words,
            title=shown.sentence,
            size=260,
        ).replace("<svg ", f'<svg class="{theme}" ', 1)
        for theme in _THEMES
    ]
    return "".join(pictures)
