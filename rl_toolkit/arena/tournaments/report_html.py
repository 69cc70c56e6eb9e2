"""The report of a tournament as one HTML file, with charts."""

from __future__ import annotations

from collections import Counter

from rl_toolkit.arena.tournaments.report import TournamentReport
from rl_toolkit.utils.reports import Scale, render_report
from rl_toolkit.utils.svg import Axis, Plot, Series, round_ticks

#: The most columns of the chart of lengths.
_COLUMNS = 24
#: The result for the first player, and what it is called.
_RESULTS = {1: "the first player won", 0: "drawn", -1: "the second player won"}


def report_html(report: TournamentReport) -> str:
    """The report as a page that needs nothing else; it may be mailed or printed."""
    ends = [end for row in report.rows for end in (row.rating, *(row.interval or ()))]
    accuracy = _accuracy(report)
    plies = [length for length, _ in report.result.lengths()]
    length_words = ""
    if plies:
        mean = sum(plies) / len(plies)
        length_words = f"Games of {min(plies)} to {max(plies)} moves, {mean:.1f} on average"
    return render_report(
        "tournament.html",
        report=report,
        elo=Scale(round_ticks(min(ends), max(ends))),
        accuracy=accuracy,
        accuracy_words=_accuracy_words(report),
        lengths=_lengths(report) if plies else None,
        length_words=length_words,
        result_names=list(_RESULTS.values()),
    )


def _judged(report: TournamentReport) -> list[tuple[int, float]]:
    """The ranks of the players whose moves could be judged, with their accuracy in per cent."""
    marks = [report.accuracy.get(row.name) for row in report.rows]
    return [
        (rank, 100 * each.matters.share)
        for rank, each in enumerate(marks, 1)
        if each is not None and each.matters.of
    ]


def _accuracy_words(report: TournamentReport) -> str:
    return "; ".join(
        f"{report.rows[rank - 1].name} {share:.0f} %" for rank, share in _judged(report)
    )


def _accuracy(report: TournamentReport) -> Plot | None:
    """Accuracy over rating, a point for each player; ``None`` if nothing was judged."""
    judged = _judged(report)
    if not judged:
        return None
    rows = [report.rows[rank - 1] for rank, _ in judged]
    bands = [report.accuracy[row.name].matters.interval for row in rows]
    players = Series(
        "",
        [(row.rating, share) for row, (_, share) in zip(rows, judged, strict=True)],
        "points",
        band=[(100 * low, 100 * high) for low, high in bands],
        across=[row.interval for row in rows],
        texts=[str(rank) for rank, _ in judged],
    )
    return Plot("", [players], Axis("Elo", low=None), Axis("accuracy in %", low=None))


def _lengths(report: TournamentReport) -> Plot:
    """How many games had how many moves, by result; of many lengths some share a column."""
    lengths = report.result.lengths()
    plies = [length for length, _ in lengths]
    shortest, longest = min(plies), max(plies)
    step = 1
    if longest - shortest >= _COLUMNS:
        ticks = round_ticks(0, 4 * (longest - shortest) / _COLUMNS)
        step = max(1, round(ticks[1]))
    first = shortest - shortest % step
    counts = Counter(((length - first) // step, result) for length, result in lengths)
    places = range((longest - first) // step + 1)
    starts = [first + place * step for place in places]
    names = [str(at) if step == 1 else f"{at}–{at + step - 1}" for at in starts]
    series = [
        Series(name, [(place, counts[place, result]) for place in places], "bars")
        for result, name in _RESULTS.items()
    ]
    return Plot("", series, Axis("moves", names=names), Axis("games"))
