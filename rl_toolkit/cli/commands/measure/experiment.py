"""``experiment``: the experiments of the catalogue, repeatable, with a table, a plot and CSV."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from rl_toolkit.cli.experiments.show import Report, Wanted, run_described, show_experiment
from rl_toolkit.cli.options import examples, game_argument, json_option, options
from rl_toolkit.cli.param_types import ENGINE, GameFirst
from rl_toolkit.experiments import EXPERIMENTS, Experiment, Result, Setting, read_settings

_shown = options(
    click.option("--plot", "--svg", "plot", metavar="FILE.svg", help="Also draw a picture."),
    click.option("--csv", metavar="FILE.csv", help="Also write the table for other programs."),
    json_option(),
)


@click.group()
@examples(
    "rl-toolkit experiment node-counts --svg counts.svg",
    "rl-toolkit experiment positions --csv positions.csv",
    "rl-toolkit experiment never-loses",
    "rl-toolkit experiment vs-random connect-four --engine hard --games 50",
)
def experiment() -> None:
    """Reproduce a figure of the courses, with a table, a plot and CSV.

    Ctrl-C ends an experiment early and shows what it has measured so far.
    """


def _added(setting: Setting) -> Callable[[Any], Any]:
    """The argument or option for a setting; what it reads is checked by the setting itself."""
    if setting.kind == "game":
        return game_argument(setting.default)
    default = setting.default if setting.default is None else setting.written(setting.default)
    return click.option(
        f"--{setting.name.replace('_', '-')}",
        setting.name,
        type=ENGINE if setting.kind == "player" else str,
        metavar=None if setting.kind == "player" else _metavar(setting),
        default=default,
        help=f"{setting.about[0].upper()}{setting.about[1:]}.",
    )


def _metavar(setting: Setting) -> str:
    if setting.kind == "choice":
        return "|".join(setting.page_choices)
    return {"whole": "N", "number": "NUMBER", "wholes": "N,N,…", "numbers": "NUMBER,…"}.get(
        setting.kind, "TEXT"
    )


def _add(described: Experiment) -> None:
    """The command of an experiment of the catalogue."""

    def run(plot: str | None, csv: str | None, as_json: bool, **given: Any) -> None:
        def measured(report: Report) -> Result:
            return run_described(described, read_settings(described.settings, given), report)

        show_experiment(measured, Wanted(plot, csv, as_json))

    asked = " ".join(f"{q.asks}" for q in described.questions)
    run.__doc__ = f"{described.about}\n\nTo think about: {asked}"
    lines = ("", *described.examples)
    with_examples = examples(*(f"rl-toolkit experiment {described.id} {e}".strip() for e in lines))
    with_game = any(setting.kind == "game" for setting in described.settings)
    command = with_examples(_shown(run))
    for setting in reversed(described.settings):
        command = _added(setting)(command)
    experiment.command(
        described.id,
        cls=GameFirst if with_game else click.Command,
        short_help=described.about,
    )(command)


for _described in EXPERIMENTS.values():
    _add(_described)


@experiment.command(
    "gomoku-proof",
    cls=GameFirst,
    short_help="Prove that an opening of Gomoku is won, or check a proof.",
)
@game_argument("gomoku")
@click.option("--moves", default="h8 a1 i9", help="The opening; the side that moved last wins.")
@click.option("--save", metavar="FILE", default="gomoku-proof.jsonl", help="The file of the proof.")
@click.option("--check", metavar="FILE", help="Replay the proof in this file instead.")
@_shown
@examples(
    "rl-toolkit experiment gomoku-proof",
    "rl-toolkit experiment gomoku-proof --check gomoku-proof.jsonl",
)
def gomoku_proof(
    game: str,
    moves: str,
    save: str,
    check: str | None,
    plot: str | None,
    csv: str | None,
    as_json: bool,
) -> None:
    """Prove that an opening of GAME is won against every reply; two minutes for h8 a1 i9.

    After each reply the command looks for a quiet move that wins by threats against every further
    reply. It saves the proof reply by reply: after Ctrl-C, run the same command to resume. --check
    replays a saved proof against every reply, with rules of its own.
    """
    from rl_toolkit.cli.experiments import gomoku_proof as proving  # loads compiled code

    work = partial(proving.check, check) if check else partial(proving.prove, game, moves, save)
    show_experiment(lambda report: work(report=report), Wanted(plot, csv, as_json))
