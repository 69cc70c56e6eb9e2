"""Games of self-play made where one can watch."""

from __future__ import annotations

from pathlib import Path

from rl_toolkit.arena.self_play import SelfPlay, self_play
from rl_toolkit.cli.ui.progress import WorkBar
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.workers import make_executor, report_errors


def run(
    engine: str,
    game: str,
    games: int,
    varied: int,
    seed: int,
    save: Path,
    who: tuple[int | None, bool],
) -> None:
    """Play the games; ``who`` does the work: ``--workers``, ``--ray``."""
    screen = Screen()
    results = {1: 0, 0: 0, -1: 0}
    try:
        with report_errors():
            plan = SelfPlay(game, engine, games, varied, seed)
            with WorkBar(screen) as bar:
                for number, record in enumerate(self_play(plan, make_executor(*who), save), 1):
                    assert record.result is not None  # games are played to their end
                    results[record.result] += 1
                    bar.hear("games", number, games)
    except KeyboardInterrupt:
        screen.tell(f"Stopped. The games played are kept in {save}; the same command goes on.")
        raise
    first, drawn, second = results[1], results[0], results[-1]
    screen.say(f"{save}: {games:,} games, {first:,} won by X, {drawn:,} drawn, {second:,} by O")
