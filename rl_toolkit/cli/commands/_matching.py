"""A match where one can watch: a bar with the score so far, then the result."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

from rl_toolkit.arena.matches import Match, MatchResult, play_match
from rl_toolkit.cli.ui.progress import WorkBar
from rl_toolkit.cli.ui.screen import Screen, table_of
from rl_toolkit.cli.workers import make_executor, report_errors
from rl_toolkit.utils.statistics import elo, percent


def run(
    game: str,
    engines: tuple[str, str],
    games: int,
    openings: str,
    seed: int,
    save: Path | None,
    who: tuple[int | None, bool],
    *,
    as_json: bool,
) -> None:
    """Play the match and show its result; ``who`` does the work: ``--workers``, ``--ray``."""
    screen = Screen()

    def play() -> MatchResult:
        if games % 2:
            raise ValueError(f"every opening is played twice, so games are even, not {games}")
        match = Match(game, engines, games // 2, plies_of(openings), seed)
        with WorkBar(screen) as bar:

            def hear(result: MatchResult) -> None:
                score = f"{percent(result.share)} for {engines[0]}"
                bar.hear("games", len(result.games), games, score)

            return play_match(
                match, executor=make_executor(*who), on_pair=hear, on_news=screen.tell, save=save
            )

    try:
        with report_errors():
            result = play()
    except KeyboardInterrupt:
        if save is not None:
            screen.tell(f"Stopped. The games played are kept in {save}; the same command goes on.")
        raise
    if as_json:
        screen.line(json.dumps(result.to_dict()))
    else:
        _show(result, screen)


def plies_of(openings: str) -> int:
    """The number of random moves that ``random:K`` or ``start`` asks for."""
    found = re.fullmatch(r"random:([0-9]{1,3})|start", openings.strip().lower())
    if found is None:
        raise ValueError(f"openings are random:K or start, not {openings!r}")
    return int(found[1] or 0)


def _show(result: MatchResult, screen: Screen) -> None:
    match, (name, other) = result.match, result.match.engines
    screen.say(f"{name} against {other} on {match.game}, {len(result.games)} games", "bold")
    table = table_of(f"{name} moves", "won", "drawn", "lost")
    for order, first in (("first", 0), ("second", 1), ("both", None)):
        table.add_row(order, *(str(result.count(end, first)) for end in (1, 0, -1)))
    screen.say(table)
    low, high = result.interval
    screen.say(
        f"{name} scores {percent(result.share)} (95 % interval by pairs: {percent(low)} to "
        f"{percent(high)}), {_elo_words(result.share)}."
    )
    mine, theirs = (f"{1000 * seconds:.1f} ms" for seconds in result.seconds_per_move())
    screen.say(f"Time for a move: {mine} against {theirs}. Seed {match.seed}.", "dim")
    if result.distinct < len(result.games):
        screen.say(
            f"Only {result.distinct} of the {len(result.games)} games differ, so the interval is "
            "too narrow; longer openings make games differ.",
            "yellow",
        )


def _elo_words(share: float) -> str:
    points = elo(share)
    if math.isinf(points):
        return "beyond what Elo points can say"
    return f"{points:+.0f} Elo points"
