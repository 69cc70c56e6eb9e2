"""The card of an engine as one HTML file, with boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rl_toolkit.arena.grading import Rate
from rl_toolkit.arena.html.charts import Scale, bar
from rl_toolkit.arena.html.page import (
    Content,
    Html,
    document,
    html_of,
    paragraph,
    section,
    table,
)
from rl_toolkit.arena.scorecard.card import GameCard, Scorecard
from rl_toolkit.arena.scorecard.positions import ShownPosition
from rl_toolkit.arena.scorecard.words import interval_text, length_text, rating_text, scale_text
from rl_toolkit.records import position_from_text
from rl_toolkit.utils import percent
from rl_toolkit.utils.board_viz import render_board_svg
from rl_toolkit.utils.svg import ThemeName

_SHARE = Scale((0.0, 100.0))
_THEMES: tuple[ThemeName, ...] = ("light", "dark")


def card_html(card: Scorecard) -> str:
    """The card as a page that needs nothing else."""
    how = " Measured quickly: the intervals are wide." if card.quick else ""
    games = "1 game" if len(card.games) == 1 else f"{len(card.games)} games"
    sections = [section(each.game, *_parts(each)) for each in card.games]
    if len(card.games) > 1:
        sections.insert(0, section("Overview", _overview(card)))
    return document(f"Scorecard: {card.engine}", f"{games}.{how}", sections)


def _overview(card: Scorecard) -> str:
    rows: list[list[Content]] = []
    for each in card.games:
        matters = None if each.grade is None else each.grade.overall.matters
        found = Rate(
            sum(rate.right for rate in each.tactics.values()),
            sum(rate.of for rate in each.tactics.values()),
        )
        rows.append(
            [
                each.game,
                percent(matters.share) if matters and matters.of else "–",
                f"{found.right} of {found.of}" if found.of else "–",
                "–" if each.rating is None else rating_text(each.rating),
                "–" if each.speed is None else f"{1000 * each.speed.mean:.1f}",
            ]
        )
    heads = [
        "game",
        "right where it matters",
        "forced wins found",
        "Elo above random",
        "ms per move",
    ]
    return table("All games", heads, rows)


def _parts(card: GameCard) -> Iterator[str]:
    if card.problem:
        yield paragraph(f"Measuring ended early: {card.problem}")
    if card.grade is not None:
        yield "<h3>Accuracy</h3>"
        yield _accuracy(card)
    if card.tactics:
        yield "<h3>Forced wins</h3>"
        yield _shares(
            "Forced wins that it found, by their length",
            [(length_text(length), rate) for length, rate in card.tactics.items()],
        )
    if card.rating is not None:
        yield "<h3>Rating</h3>"
        yield paragraph(
            f"{rating_text(card.rating)} Elo above random, "
            f"95 % interval {interval_text(card.rating.interval)}. "
            f"{scale_text(card.rating)}"
        )
        yield table(
            "Games against levels",
            ["opponent", "Elo above random", "points", "games"],
            [
                [
                    each.name,
                    "?" if each.rating is None else f"{each.rating:.0f}",
                    f"{each.points:g}",
                    str(each.games),
                ]
                for each in card.rating.opponents
            ],
        )
    if card.speed is not None:
        yield "<h3>Speed</h3>"
        yield paragraph(
            f"{1000 * card.speed.mean:.1f} ms for a move on average, half of them within "
            f"{1000 * card.speed.median:.1f} ms, the slowest {1000 * card.speed.slowest:.0f} ms."
        )
    for title, shown in (
        ("Strongest positions", card.strongest),
        ("Weakest positions", card.weakest),
    ):
        if shown:
            yield f"<h3>{title}</h3>"
            yield _boards(shown)
    yield from (paragraph(f"{note[0].upper()}{note[1:]}.", "fine") for note in card.notes)


def _accuracy(card: GameCard) -> str:
    assert card.grade is not None
    parts = {**card.grade.by_stage, "all": card.grade.overall}
    matters = [(name, marks.matters) for name, marks in parts.items() if marks.matters.of]
    rows: list[list[Content]] = [
        [
            name,
            str(marks.keeps.of),
            percent(marks.keeps.share),
            percent(marks.best.share),
            percent(marks.by_chance),
        ]
        for name, marks in parts.items()
    ]
    heads = ["stage", "positions", "keeps the result", "exactly best", "kept by chance"]
    return _shares("Right where it matters, by stage", matters) + table(
        "Compared with the exact solver", heads, rows
    )


def _shares(caption: str, rates: Sequence[tuple[str, Rate]]) -> str:
    rows: list[list[Content]] = []
    for name, rate in rates:
        low, high = rate.interval
        said = f"{percent(rate.share)}, 95 % interval {percent(low)} to {percent(high)}"
        picture = bar(_SHARE, 100 * rate.share, (100 * low, 100 * high), said)
        rows.append([name, f"{rate.right} of {rate.of}", percent(rate.share), picture])
    return table(caption, ["", "right", "", ""], rows, kind="bars")


def _boards(shown: Sequence[ShownPosition]) -> str:
    figures = []
    for each in shown:
        caption = f"<figcaption>{html_of(each.sentence)}</figcaption>"
        figures.append(f"<figure>{_board(each).text}{caption}</figure>")
    return f'<div class="boards">{"".join(figures)}</div>'


def _board(shown: ShownPosition) -> Html:
    """The position in light and dark; moves that keep the result have a tick, a wrong one a cross.

    Of many good moves none is marked.
    """
    env = position_from_text(shown.game, shown.position)
    if not env.traits.has_grid:
        return Html(f"<pre>{html_of(str(env.render(mode='ansi')))}</pre>")
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
    return Html("".join(pictures))
