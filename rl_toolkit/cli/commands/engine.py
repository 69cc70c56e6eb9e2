"""``engine``: write a bot of your own, and check it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import failure, report_errors
from rl_toolkit.cli.options import examples, seed_option
from rl_toolkit.cli.param_types import COUNT, ENGINE, FILE, GAME, SECONDS
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils import counted, listed

if TYPE_CHECKING:
    from rl_toolkit.testing import EngineRuleError

#: Positions of each game, and seconds after which it is asked about no more of them.
_POSITIONS, _GAME_SECONDS = 200, 20.0
#: How much more time a bot is advised to take that is too slow; seconds for one without its own.
_MORE_TIME, _USUAL_TIME = 3, 1.0


@click.group()
@examples("rl-toolkit engine new my_bot.py", "rl-toolkit engine check my_bot.py")
def engine() -> None:
    """Write a bot of your own in a Python file, and check it.

    You can name the file wherever a command takes an engine, as in `rl-toolkit play tictactoe --o
    my_bot.py`.
    """


@engine.command()
@click.argument("file", type=FILE)
@examples("rl-toolkit engine new my_bot.py")
def new(file: Path) -> None:
    """Write a bot to FILE that already plays every game."""
    from importlib import resources

    if file.suffix != ".py":
        raise click.UsageError(f"a bot is a Python file: {file.name}.py")
    text = resources.files("rl_toolkit.players.bots").joinpath("starter.txt").read_text("utf-8")
    with report_errors():
        try:
            with file.open("x", encoding="utf-8") as written:
                written.write(text.replace("my_bot.py", str(file)))
        except FileExistsError as error:
            raise failure(f"{file} already exists; choose another name") from error
    screen = Screen()
    screen.say(f"{file} is a bot. Change choose(env), then check it and play against it:")
    screen.say(f"  rl-toolkit engine check {file}")
    screen.say(f"  rl-toolkit play tictactoe --o {file}")


@engine.command()
@click.argument("bot", metavar="FILE|ENGINE", type=ENGINE)
@click.argument("games", metavar="[GAME]...", type=GAME, nargs=-1)
@click.option(
    "--positions",
    type=COUNT,
    help="Positions of each game. Default: 200, or as many as it answers in 20 seconds.",
)
@click.option(
    "--time", type=SECONDS, help="Seconds for each move. Default: its own time=, or else 1."
)
@seed_option
@examples(
    "rl-toolkit engine check my_bot.py",
    "rl-toolkit engine check my_bot.py:choose tictactoe --time 0.2",
)
def check(
    bot: str, games: tuple[str, ...], positions: int | None, time: float | None, seed: int
) -> None:
    """Check a bot in random positions: legal moves, its time, a stop, the same seed.

    Without GAME the command checks all games that the engine plays; a file may list them as GAMES.
    The bot has the options that are written after its name, as in `my_bot.py:time=5,memory=4096`.
    The command reports the first mistake in one sentence, with the position. A bot in a file need
    not hear a stop, because its process can be ended: the command only says so.
    """
    from rl_toolkit.players import Player, SpecError, make_player
    from rl_toolkit.testing import CheckedGame, EngineRuleError, check_engine

    screen = Screen()

    def tell(done: CheckedGame) -> None:
        counted_positions = counted(done.positions, "position")
        screen.say(f"{done.game}: {counted_positions}, longest move {1000 * done.longest:.0f} ms")

    with report_errors():
        claimed = games or _claimed_games(bot)
        played = claimed or _games_of(bot)
    slow: list[str] = []
    unstopped: EngineRuleError | None = None
    with report_errors(SpecError):
        for game in played:

            def make(seed: int, game: str = game) -> Player:
                return make_player(game, bot, seed=seed)

            try:
                check_engine(
                    make,
                    [game],
                    positions=positions or _POSITIONS,
                    limit=time,
                    seed=seed,
                    most_seconds=_GAME_SECONDS if positions is None else None,
                    on_game=tell,
                )
            except EngineRuleError as broken:
                if broken.rule == "limit" and not claimed:
                    slow.append(game)
                    screen.say(f"{game}: not checked to the end: {broken}")
                elif broken.rule == "stop":  # what comes after it is worth knowing
                    unstopped = unstopped or broken
                    screen.say(f"{game}: all is well, but it cannot be stopped")
                else:
                    raise _refused(screen, broken) from broken
    if slow:
        own = make_player(slow[0], bot).limit.time
        more = f"{_MORE_TIME * (time or own or _USUAL_TIME):g}"
        longer = f"--time {more} gives it {more} seconds"
        screen.say(
            f"Too slow for {listed(slow)}: {longer}, fewer simulations or "
            'less depth help, and GAMES = ["connect-four"] in the file names the games it is for.'
        )
    if unstopped is not None and not _runs_outside(bot):
        raise _refused(screen, unstopped) from unstopped
    if len(slow) == len(played):
        raise failure(f"{bot} is too slow for every game")
    screen.say(f"{bot} is fine.", "green")
    if unstopped is not None:
        screen.say(f"When you stop a search, its process is ended: {unstopped.sentence}.")


def _refused(screen: Screen, broken: EngineRuleError) -> click.ClickException:
    """The error for a broken rule, after its board."""
    if broken.env is not None:
        screen.say(draw_board(broken.env, screen.width))
    return failure(str(broken))


def _runs_outside(bot: str) -> bool:
    """Whether a bot is a file or a program, with a process of its own that can be ended."""
    from rl_toolkit.players import engine_kind, is_level, make_engine

    return not is_level(bot) and engine_kind(make_engine(bot).spec.kind).outside


def _claimed_games(bot: str) -> Sequence[str]:
    """The games that a file lists as its own; none if it lists none."""
    from rl_toolkit.analysis import games_of
    from rl_toolkit.players import is_level, make_engine

    return () if is_level(bot) else games_of(make_engine(bot).engine) or ()


def _games_of(bot: str) -> Sequence[str]:
    """The games that a bot plays: those of its file, else of its kind; a level is in all games."""
    from rl_toolkit.analysis import games_of
    from rl_toolkit.envs import game_families
    from rl_toolkit.players import engine_kind, is_level, make_engine

    if is_level(bot):
        return [family.name for family in game_families()]
    player = make_engine(bot)
    return games_of(player.engine) or engine_kind(player.spec.kind).games
