"""A tournament as HTML: the report with charts, a table for a projector, a page for a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from rl_toolkit.arena.scorecard.card_html import board_pictures
from rl_toolkit.arena.tournaments.losses import Loss
from rl_toolkit.arena.tournaments.report import TournamentReport
from rl_toolkit.envs import make_game
from rl_toolkit.utils import counted, listed
from rl_toolkit.utils.reports import Scale, render_report
from rl_toolkit.utils.svg import Axis, Plot, Series, round_ticks

#: The most columns of the chart of lengths.
_COLUMNS = 24
#: The result for the first player, and what it is called.
_RESULTS = {1: "the first player won", 0: "drawn", -1: "the second player won"}


def report_html(report: TournamentReport, links: Mapping[str, str] | None = None) -> str:
    """The report as a page that needs nothing else; it may be mailed or printed.

    ``links`` are the addresses of the pages of players, if they have some.
    """
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
        links=links or {},
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
        (rank, 100 * mark.matters.share)
        for rank, mark in enumerate(marks, 1)
        if mark is not None and mark.matters.of
    ]


def _accuracy_words(report: TournamentReport) -> str:
    return "; ".join(
        f"{report.called(report.rows[rank - 1].name)} {share:.0f} %"
        for rank, share in _judged(report)
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


# ----------------------------------------------------------------- for a player, for a room


def player_html(report: TournamentReport, player: str, lost: Sequence[Loss], back: str = "") -> str:
    """The page of one player: its place, whom it met, and how each lost game was lost.

    ``back`` is the address of the page with all players.
    """
    (mine,) = (row for row in report.rows if row.name == player)
    by = Counter(loss.opponent for loss in lost).most_common()
    met = [
        (row.name, points, games)
        for row in report.rows
        if (found := report.result.points(player, row.name)) and found[1]
        for points, games in [found]
    ]
    failed: dict[str, list[str]] = {}
    for loss in lost:
        if loss.game.forfeit is not None:
            opponents = failed.setdefault(loss.game.forfeit.reason, [])
            opponents.append(report.called(loss.opponent))
    return render_report(
        "tournament_player.html",
        report=report,
        row=mine,
        sharing=sum(row.place == mine.place for row in report.rows) > 1,
        met=met,
        beaten_by=by,
        lost=[loss for loss in lost if loss.game.forfeit is None],
        failed=failed,
        listed=listed,
        board=board_pictures,
        counted=counted,
        title=make_game(report.result.plan.game).traits.title,
        back=back,
    )


def board_html(
    report: TournamentReport, *, title: str, aside: Collection[str] = (), refresh: int = 0
) -> str:
    """The table for a projector, in large type; it loads itself again every ``refresh`` seconds.

    Those ``aside`` play along and are set apart.
    """
    return render_report(
        "tournament_board.html",
        report=report,
        title=title,
        aside=aside,
        refresh=refresh,
        latest=_latest(report),
        counted=counted,
    )


#: The games that the table for a projector names.
_LATEST = 6


def _latest(report: TournamentReport) -> list[str]:
    """The last games as sentences, the latest first; of a pairing the last one only."""
    said = []
    for match in report.result.matches:
        if match.games:
            one, other = map(report.called, match.match.engines)
            points = match.count(1) + match.count(0) / 2
            said.append(f"{one} {points:g} : {len(match.games) - points:g} {other}")
    return said[::-1][:_LATEST]
