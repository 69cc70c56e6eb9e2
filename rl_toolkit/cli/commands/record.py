"""``record show | review | convert | check``."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import GAME, PLAYER, examples

_FORMS = ("json", "transcript", "position", "svg")


@click.group()
@examples(
    "rl-toolkit record show game.json",
    "rl-toolkit record review game.json",
    "rl-toolkit record convert game.json --to transcript",
    "rl-toolkit record check *.json",
)
def record() -> None:
    """Show, review, convert or check saved games."""


@record.command(short_help="Players, moves, result and board of a game.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--ply", type=click.IntRange(min=0), help="Show the board after so many moves.")
@examples("rl-toolkit record show game.json", "rl-toolkit record show game.json --ply 7")
def show(file: Path, ply: int | None) -> None:
    """Show the players, the moves, the result and the board of a saved game."""
    from rl_toolkit.cli.commands import _saved_games

    _saved_games.show(_saved_games.load(file), ply)


@record.command(short_help="Say what every move lost, and what was better.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--game", type=GAME, help="FILE holds the moves of this game instead of a record.")
@click.option("--engine", type=PLAYER, help="Who judges. Default: the best for the game.")
@click.option("--time", type=click.FloatRange(min=0.001), help="Seconds for each move.")
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON, for programs.")
@examples(
    "rl-toolkit record review game.json",
    "rl-toolkit record review game.json --time 2",
    "echo f5f6e6f4 | rl-toolkit record review - --game reversi --json",
)
def review(
    file: Path, game: str | None, engine: str | None, time: float | None, as_json: bool
) -> None:
    """Look back on a game: what every move lost, and which would have been better.

    Where the game can be solved this is the truth; elsewhere it is an estimate, and says so.
    Reversi is counted in discs.
    """
    from rl_toolkit.analysis import Limit
    from rl_toolkit.cli.commands import _reviewing, _saved_games

    source = _saved_games.load(file) if game is None else _saved_games.from_moves(file, game)
    _reviewing.run(source, engine, Limit(time=time), as_json=as_json)


@record.command(short_help="Write a game in another form.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--to", "form", type=click.Choice(_FORMS), default="json", show_default=True)
@click.option("--game", type=GAME, help="FILE holds the moves of this game instead of a record.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write here, not to stdout.")
@examples(
    "rl-toolkit record convert game.json --to transcript",
    "rl-toolkit record convert game.json --to svg -o end.svg",
    "echo 4453 | rl-toolkit record convert - --game connect-four > game.json",
)
def convert(file: Path, form: str, game: str | None, output: Path | None) -> None:
    """Write a game in another form.

    The forms: json, a record; transcript, the moves; position, the last board as text; svg, the
    same as a picture.
    """
    from rl_toolkit.cli.commands import _saved_games

    source = _saved_games.load(file) if game is None else _saved_games.from_moves(file, game)
    _saved_games.write(source, form, output)


@record.command(short_help="Say which games can be read and replayed.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@examples("rl-toolkit record check games/*.json")
def check(files: tuple[Path, ...]) -> None:
    """Check that saved games can be read and replayed; says what is wrong with those that cannot.

    The exit code is 1 if any cannot.
    """
    from rl_toolkit.cli.commands import _saved_games

    _saved_games.check(files)
