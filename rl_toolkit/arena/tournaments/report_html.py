"""The report of a tournament as one HTML file, with charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rl_toolkit.arena.html.charts import (
    PART_COLOURS,
    Column,
    Point,
    Scale,
    bar,
    columns,
    scatter,
)
from rl_toolkit.arena.html.page import (
    Content,
    Html,
    document,
    folded,
    heat_cell,
    paragraph,
    section,
    table,
)
from rl_toolkit.arena.tournaments.report import TournamentReport
from rl_toolkit.arena.tournaments.results import LostByForfeit, Standing
from rl_toolkit.utils import percent
from rl_toolkit.utils.svg import round_ticks

#: The most columns of the chart of lengths.
_COLUMNS = 24


def report_html(report: TournamentReport) -> str:
    """The report as a page that needs nothing else; it may be mailed or printed."""
    plan = report.result.plan
    lead = report.title + "." if report.result.complete else report.title + " so far."
    return document(f"Tournament: {plan.game}", lead, _sections(report))


def _sections(report: TournamentReport) -> Iterator[str]:
    yield section(
        "Standings",
        _standings(report),
        *(paragraph(note, "fine") for note in report.notes()),
        *(paragraph(warning) for warning in report.warnings()),
    )
    yield section("Ratings", _ratings(report))
    yield section(
        "Crosstable", _crosstable(report), folded("Who is stronger?", _superiority(report))
    )
    if accuracy := _accuracy(report):
        yield section("Accuracy and rating", accuracy)
    yield section("Length of games", *_lengths(report))
    if report.result.forfeits():
        lost = report.result.forfeits()
        yield section("Forfeits", _failures("Games lost by a failure", lost))
    if missing := report.result.unplayed():
        what = "Games that count for no player, each tried twice"
        yield section("Not played", _failures(what, missing))


def _standings(report: TournamentReport) -> str:
    heads = ["player", "rank", "Elo", "95 % interval", "score", "games", "won", "drawn", "lost"]
    heads += ["better than next"]
    if report.accuracy:
        heads.append("accuracy")
    heads += ["ms per move", "forfeits"]
    rows: list[list[Content]] = []
    for rank, row in enumerate(report.rows, 1):
        cells: list[Content] = [
            row.name,
            str(rank),
            f"{row.rating:+.0f}",
            _interval(row),
            percent(row.score),
            str(row.games),
            str(row.won),
            str(row.drawn),
            str(row.lost),
            "" if row.superiority is None else percent(row.superiority),
        ]
        if report.accuracy:
            marks = report.accuracy.get(row.name)
            cells.append(percent(marks.matters.share) if marks and marks.matters.of else "–")
        cells += [f"{1000 * row.seconds_per_move:.1f}", str(row.forfeits or "")]
        rows.append(cells)
    return table("Players, best first", heads, rows)


def _interval(row: Standing) -> str:
    return "?" if row.interval is None else f"{row.interval[0]:+.0f} to {row.interval[1]:+.0f}"


def _ratings(report: TournamentReport) -> str:
    ends = [end for row in report.rows for end in row.interval or (row.rating,)]
    scale = Scale.covering([*ends, *(row.rating for row in report.rows)])
    rows: list[list[Content]] = [
        [
            row.name,
            f"{row.rating:+.0f}",
            bar(scale, row.rating, row.interval, f"{row.rating:+.0f}, {_interval(row)}"),
        ]
        for row in report.rows
    ]
    rows.append(["", "", Html(scale.axis())])
    return table("Elo, with 95 % intervals", ["player", "Elo", ""], rows, kind="bars")


def _crosstable(report: TournamentReport) -> str:
    rows: list[list[Content]] = []
    for rank, row in enumerate(report.rows, 1):
        cells: list[Content] = [f"{rank} {row.name}"]
        for other in report.rows:
            points, games = report.result.points(row.name, other.name)
            cells.append(heat_cell(f"{points:g}/{games}", points / games) if games else "·")
        rows.append(cells)
    heads = ["points against", *(str(rank) for rank in range(1, len(rows) + 1))]
    return table("Points out of games, each row against each column", heads, rows, kind="heat")


def _superiority(report: TournamentReport) -> str:
    rows: list[list[Content]] = []
    for rank, row in enumerate(report.rows, 1):
        cells: list[Content] = [f"{rank} {row.name}"]
        for other in report.rows:
            likely = report.ratings.superiority(row.name, other.name)
            known = other is not row and report.ratings.connected
            cells.append(heat_cell(percent(likely), likely) if known else "·")
        rows.append(cells)
    heads = ["stronger than", *(str(rank) for rank in range(1, len(rows) + 1))]
    return table("Likelihood that the row is stronger than the column", heads, rows, kind="heat")


def _accuracy(report: TournamentReport) -> str:
    points = []
    for rank, row in enumerate(report.rows, 1):
        marks = report.accuracy.get(row.name)
        if marks is not None and marks.matters.of:
            low, high = marks.matters.interval
            points.append(
                Point(
                    str(rank),
                    row.rating,
                    100 * marks.matters.share,
                    row.interval,
                    (100 * low, 100 * high),
                )
            )
    if not points:
        return ""
    said = "; ".join(f"{report.rows[int(p.name) - 1].name} {p.y:.0f} %" for p in points)
    chart = scatter(points, "Elo", "accuracy in %", f"Accuracy against rating: {said}")
    rows: list[list[Content]] = []
    for row in report.rows:
        marks = report.accuracy.get(row.name)
        if marks is not None:
            rows.append(
                [
                    row.name,
                    f"{row.rating:+.0f}",
                    f"{marks.matters.right} of {marks.matters.of}",
                    percent(marks.matters.share) if marks.matters.of else "–",
                    percent(marks.keeps.share),
                    percent(marks.best.share),
                    percent(marks.by_chance),
                ]
            )
    heads = ["player", "Elo", "right where it matters", "", "kept the result", "exactly best"]
    heads.append("kept by chance")
    return (
        chart
        + paragraph("The numbers are the ranks in the table; lines are 95 % intervals.", "fine")
        + table("Moves compared with the exact solver", heads, rows)
    )


def _lengths(report: TournamentReport) -> Iterator[str]:
    lengths = report.result.lengths()
    if not lengths:
        yield paragraph("No game has been played.")
        return
    plies = [length for length, _ in lengths]
    shortest, longest = min(plies), max(plies)
    step = 1
    if longest - shortest >= _COLUMNS:
        ticks = round_ticks(0, 4 * (longest - shortest) / _COLUMNS)
        step = max(1, round(ticks[1]))
    first = shortest - shortest % step
    counts = Counter(((length - first) // step, result) for length, result in lengths)
    found = []
    for number in range((longest - first) // step + 1):
        start = first + number * step
        label = str(start) if step == 1 else f"{start}–{start + step - 1}"
        found.append(Column(label, [counts[number, result] for result in (1, 0, -1)]))
    mean = sum(plies) / len(plies)
    said = f"Games of {shortest} to {longest} moves, {mean:.1f} on average"
    names = ("the first player won", "drawn", "the second player won")
    keys = "".join(
        f'<span class="key" style="background: {colour}"></span>{name}'
        for colour, name in zip(PART_COLOURS, names, strict=True)
    )
    yield columns(found, "moves", "games", said)
    yield paragraph(Html(keys), "fine")
    yield paragraph(f"{said}, with the moves of the openings.", "fine")
    yield folded(
        "As a table",
        table(
            "Games by length and result",
            ["moves", *names],
            [[each.label, *map(str, each.parts)] for each in found],
        ),
    )


def _failures(title: str, games: Sequence[LostByForfeit]) -> str:
    return table(
        title,
        ["player", "against", "opening", "reason", "position"],
        [
            [
                each.player,
                each.opponent,
                str(each.pair + 1),
                each.forfeit.reason,
                each.forfeit.position,
            ]
            for each in games
        ],
        names=(0, 1, 3, 4),
    )
