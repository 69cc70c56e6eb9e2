"""``accuracy``: how often an engine is right, measured against exact scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from rl_toolkit.cli.arguments import make_executor, refuse
from rl_toolkit.cli.long_runs import measuring, tell_work
from rl_toolkit.cli.options import csv_option, examples, json_option, worker_options
from rl_toolkit.cli.param_types import COUNT, ENGINE, FILE, GAME, NATURAL, GameFirst
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.records import csv_text
from rl_toolkit.utils import duration, percent

if TYPE_CHECKING:
    from rl_toolkit.arena import Grade, Marks, Rate

_RATES = ("keeps the result", "where it matters", "exactly best")
#: Shares are from 0 to 1, with the ends of their 95 % intervals.
CSV_COLUMNS = (
    "game",
    "engine",
    "stage",
    "positions",
    "matter",
    *(f"{rate}{end}" for rate in ("keeps", "matters", "best") for end in ("", "_low", "_high")),
    "by_chance",
    "seconds_per_position",
)


@click.command(cls=GameFirst)
@click.argument("game", type=GAME)
@click.argument("engines", metavar="ENGINE...", type=ENGINE, nargs=-1)
@click.option(
    "--positions", type=COUNT, help="Number of positions. Default: all of a small game, else 3000."
)
@click.option("--seed", type=NATURAL, help="Seed for a sample other than the usual.")
@click.option(
    "--part",
    type=click.Choice(["grade", "judge"]),
    default="grade",
    help="The half of all positions to sample from; judge is for training runs.",
)
@click.option("--by-stones", is_flag=True, help="Add a row for every number of stones.")
@click.option(
    "--mistakes",
    type=NATURAL,
    metavar="N",
    default=0,
    show_default=False,
    help="Show the first N mistakes.",
)
@click.option("--save", type=FILE, help="Save the answers here; an interrupted run resumes.")
@click.option(
    "--export",
    type=FILE,
    help="Write the sample and its exact scores as arrays, for `train --judge`.",
)
@worker_options
@json_option("one line of JSON for each engine")
@csv_option("one row of CSV for each engine and stage")
@examples(
    "rl-toolkit accuracy connect-four hard",
    "rl-toolkit accuracy connect-four mcts:simulations=200 minimax:depth=4 --positions 500",
    "rl-toolkit accuracy tictactoe perfect --json",
    "rl-toolkit accuracy connect-four easy medium hard --csv > accuracy.csv",
    "rl-toolkit accuracy connect-four --part judge --export judge.npz",
)
def accuracy(
    game: str,
    engines: tuple[str, ...],
    positions: int | None,
    seed: int | None,
    part: Literal["grade", "judge"],
    by_stones: bool,
    mistakes: int,
    save: Path | None,
    export: Path | None,
    as_json: bool,
    as_csv: bool,
    **workers: Any,
) -> None:
    """Measure how often ENGINE is right in GAME, against the exact solver.

    The sample of positions is the same every time; the command saves its exact scores.
    The tables show how often the engine's move keeps the result (a won position stays won), and
    how often it is exactly best, by stage of the game, with 95 % confidence intervals. Tic-Tac-Toe
    is tested on every position, Reversi on late positions.
    """
    from rl_toolkit.arena import SEED, Sample, grade, label, save_arrays

    if not engines and export is None:
        raise refuse("name an engine to measure, or a file to --export the sample to")
    if save is not None and len(engines) > 1:
        raise refuse("--save holds the answers of one engine; measure them one by one")
    screen, seed = Screen(), SEED if seed is None else seed
    saved = ["the exact scores found so far are saved"]
    if save is not None:
        saved.append(f"the answers are in {save}")

    def not_saved(news: str) -> None:
        screen.tell(news, "yellow")
        del saved[0]

    with measuring(screen, saved):
        for engine in engines:  # before any work is done
            make_player(game, engine)
        executor = make_executor(**workers)
        with ProgressReporter(screen) as progress:
            wanted = Sample(game, positions, part, seed)
            sample = label(wanted, executor, progress.update, on_news=not_saved)
        if export is not None:
            save_arrays(export, game, sample)
            screen.tell(f"{export}: {len(sample):,} positions with their scores")
        for number, engine in enumerate(engines):
            with ProgressReporter(screen) as progress:
                result = grade(
                    game,
                    engine,
                    sample,
                    executor=executor,
                    on_progress=progress.update,
                    on_news=screen.tell,
                    save=save,
                )
            if as_json:
                work = executor.account.to_dict()
                screen.json({**result.to_dict(), "part": part, "seed": seed, "work": work})
                executor.account.clear()  # the next line has the work of the next engine
            elif as_csv:
                text = csv_text(CSV_COLUMNS, _csv_rows(result, by_stones=by_stones))
                if number:  # the heading is there already
                    text = text.partition("\n")[2]
                screen.line(text.rstrip("\n"))
            else:
                _show(result, screen, by_stones=by_stones)
                _show_mistakes(result, mistakes, screen)
        tell_work(screen, executor.account)


def _parts(result: Grade, *, by_stones: bool) -> dict[str, Marks]:
    """The marks by stage, of all positions, and if asked for by the number of stones."""
    parts: dict[str, Marks] = {**result.by_stage, "all": result.overall}
    if by_stones:
        parts |= {f"{stones} stones": marks for stones, marks in result.by_stones.items()}
    return parts


def _csv_rows(result: Grade, *, by_stones: bool) -> Iterator[dict[str, Any]]:
    """A row for each part, with the columns `CSV_COLUMNS`; a rate of nothing is empty."""
    for name, marks in _parts(result, by_stones=by_stones).items():
        row: dict[str, Any] = {"game": result.game, "engine": result.engine, "stage": name}
        row |= {"positions": marks.keeps.of, "matter": marks.matters.of}
        for rate in ("keeps", "matters", "best"):
            counted: Rate = getattr(marks, rate)
            shares = (counted.share, *counted.interval) if counted.of else (None, None, None)
            row |= dict(zip((rate, f"{rate}_low", f"{rate}_high"), shares, strict=True))
        yield row | {
            "by_chance": marks.by_chance,
            "seconds_per_position": result.seconds_per_position,
        }


def _show(result: Grade, screen: Screen, *, by_stones: bool) -> None:
    screen.say(f"{result.engine} on {len(result.sample):,} positions of {result.game}", "bold")
    rows = _parts(result, by_stones=by_stones)
    table = plain_table("", "positions", *_RATES, numbers=("positions", *_RATES))
    for name, marks in rows.items():
        rates = (_rate(rate) for rate in (marks.keeps, marks.matters, marks.best))
        table.add_row(name, f"{marks.keeps.of:,}", *map(screen.fit, rates))
    screen.say(table)
    screen.say(
        "The 95 % interval is in brackets. A position matters if some move throws the result away. "
        f"A random move keeps it in {percent(result.overall.by_chance)}.",
        "dim",
    )
    seconds = result.seconds_per_position
    pace = duration(seconds) if seconds >= 10 else f"{1000 * seconds:.1f} ms"
    screen.say(f"{pace} for each position.", "dim")


def _rate(rate: Rate) -> str:
    """``98.7 % (98.2–99.0)``."""
    if not rate.of:
        return "-"
    low, high = rate.interval
    return f"{100 * rate.share:.2f} % ({100 * low:.1f}–{100 * high:.1f})"


def _show_mistakes(result: Grade, most: int, screen: Screen) -> None:
    mistakes = result.mistakes()
    if not most or not mistakes:
        return
    screen.say(f"{len(mistakes):,} mistakes, the first {min(most, len(mistakes))}:")
    name = make_game(result.game).move_name
    for each, move in mistakes[:most]:
        outcomes = ", ".join(f"{name(m)} {_outcome(score)}" for m, score in each.scores.items())
        screen.row(f"  {each.position}   played {name(move)}   {outcomes}")


def _outcome(score: int) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "draw"
