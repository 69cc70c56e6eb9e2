"""Engines graded where one can watch: bars while truth and answers come, then tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from rich.table import Table

from rl_toolkit.arena.grading import Grade, Marks, Rate, grade
from rl_toolkit.arena.labelled_samples import Labelled, label, save_arrays
from rl_toolkit.arena.samples import SEED, Part, Sample
from rl_toolkit.cli.ui.progress import WorkBar
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.workers import make_executor, report_errors
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.utils.executors import Executor
from rl_toolkit.utils.messages import duration
from rl_toolkit.utils.statistics import percent


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for on the command line."""

    game: str
    positions: int | None
    seed: int | None
    part: str
    by_stones: bool
    mistakes: int
    save: Path | None
    export: Path | None
    as_json: bool


def run(engines: Sequence[str], wishes: Wishes, workers: int | None, ray: bool) -> None:
    """Grade each engine and show the result."""
    screen = Screen()
    try:
        with report_errors():
            _run(engines, wishes, make_executor(workers, ray), screen)
    except KeyboardInterrupt:
        kept = "The truth found so far is kept"
        if wishes.save is not None:
            kept += f", and the answers in {wishes.save}"
        screen.tell(f"Stopped. {kept}; the same command goes on.")
        raise


def _run(engines: Sequence[str], wishes: Wishes, executor: Executor, screen: Screen) -> None:
    if wishes.save is not None and len(engines) > 1:
        raise ValueError("--save keeps the answers of one engine; grade them one by one")
    for engine in engines:  # before any work is done
        make_player(wishes.game, engine)
    seed = SEED if wishes.seed is None else wishes.seed
    sample = Sample(wishes.game, wishes.positions, cast("Part", wishes.part), seed)
    with WorkBar(screen) as bar:
        labelled = label(sample, executor, bar.hear)
    if wishes.export is not None:
        save_arrays(wishes.export, wishes.game, labelled)
        screen.tell(f"{wishes.export}: {len(labelled):,} positions with their scores")
    for engine in engines:
        _show(_graded(engine, wishes, labelled, executor, screen), wishes, screen)


def _graded(
    engine: str, wishes: Wishes, labelled: list[Labelled], executor: Executor, screen: Screen
) -> Grade:
    with WorkBar(screen) as bar:
        return grade(
            wishes.game,
            engine,
            labelled,
            executor=executor,
            on_progress=bar.hear,
            on_news=screen.tell,
            save=wishes.save,
        )


def _show(result: Grade, wishes: Wishes, screen: Screen) -> None:
    if wishes.as_json:
        sample = {"part": wishes.part, "seed": SEED if wishes.seed is None else wishes.seed}
        screen.line(json.dumps({**result.to_dict(), **sample}))
        return
    screen.say(f"{result.engine} on {len(result.sample):,} positions of {result.game}", "bold")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for head in ("positions", "keeps the result", "where it matters", "exactly best"):
        table.add_column(head, justify="right")
    for stage, marks in result.by_stage.items():
        table.add_row(*_row(stage, marks, screen))
    table.add_row(*_row("all", result.overall, screen))
    if wishes.by_stones:
        for stones, marks in result.by_stones.items():
            table.add_row(*_row(f"{stones} stones", marks, screen))
    screen.say(table)
    screen.say(
        "In brackets the 95 % interval. It matters where some move throws the result away. "
        f"A random move keeps it in {percent(result.overall.by_chance)}.",
        "dim",
    )
    screen.say(f"{_pace(result.seconds_per_position)} for a position.", "dim")
    _show_mistakes(result, wishes.mistakes, screen)


def _row(name: str, marks: Marks, screen: Screen) -> list[str]:
    rates = (marks.keeps, marks.matters, marks.best)
    return [name, f"{marks.keeps.of:,}", *(screen.fit(_rate(rate)) for rate in rates)]


def _rate(rate: Rate) -> str:
    """``98.7 % (98.2–99.0)``."""
    if not rate.of:
        return "-"
    low, high = rate.interval
    return f"{100 * rate.share:.2f} % ({100 * low:.1f}–{100 * high:.1f})"


def _pace(seconds: float) -> str:
    return duration(seconds) if seconds >= 10 else f"{1000 * seconds:.1f} ms"


def _show_mistakes(result: Grade, most: int, screen: Screen) -> None:
    mistakes = result.mistakes()
    if not most or not mistakes:
        return
    screen.say(f"{len(mistakes):,} mistakes, the first {min(most, len(mistakes))}:")
    name = make_game(result.game).move_name
    for each, move in mistakes[:most]:
        scores = " ".join(f"{name(m)}:{score:+d}" for m, score in each.scores.items())
        screen.row(f"  {each.position}   played {name(move)}   {scores}")
