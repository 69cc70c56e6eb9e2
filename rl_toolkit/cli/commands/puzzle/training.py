"""``puzzle next | daily | storm | mine``: puzzles to solve now."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import failure, refuse, report_errors
from rl_toolkit.cli.commands.puzzle.solving import CLOCK, QuitError, Solving
from rl_toolkit.cli.library_options import library_option
from rl_toolkit.cli.long_runs import check_writable
from rl_toolkit.cli.options import examples
from rl_toolkit.cli.param_types import COUNT, EXISTING, GAME
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils import counted, csv_rows, listed

if TYPE_CHECKING:
    from rl_toolkit.puzzles import Attempt, Puzzle, PuzzleStore, Standing

#: Games of the library that are looked at for mistakes in one go.
_GAMES = 30

theme_option = click.option(
    "--theme",
    metavar="KIND",
    default="",
    show_default=False,
    help="Only puzzles of this kind; `puzzle list` names the kinds.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    default=None,
    show_default=False,
    help="Draw the same puzzles again.",
)


@contextmanager
def stored(library: Path | None) -> Iterator[PuzzleStore]:
    """One's attempts and puzzles; errors end the command with a sentence."""
    from rl_toolkit.library import LibraryError
    from rl_toolkit.puzzles import PuzzleStore

    with report_errors(LibraryError), PuzzleStore(library) as found:
        if found.remark:
            unsaved = ", and attempts are not saved" if found.read_only else ""
            Screen().tell(f"Note: {found.remark}{unsaved}.", "yellow")
        yield found


def full_name(game: str) -> str:
    """The name of a game with its board."""
    from rl_toolkit.envs import make_game

    return make_game(game).name


def standing_in(store: PuzzleStore, game: str) -> Standing:
    """The standing in a game."""
    from rl_toolkit.puzzles import Standing, standings

    return standings(store.attempts(), store.reviews()).get(game, Standing())


def checked_theme(theme: str) -> str:
    """A kind of puzzle; a usage error for other words."""
    from rl_toolkit.puzzles import KINDS

    if theme and theme not in KINDS:
        raise refuse(f"{theme!r} is not a kind of puzzle; kinds are {listed(KINDS)}")
    return theme


def puzzles_for(game: str, store: PuzzleStore | None = None) -> list[Puzzle]:
    """The puzzles of a game: shipped ones, and one's own."""
    from rl_toolkit.puzzles import shipped

    found = list(shipped(game))
    names = {each.name for each in found}
    if store is not None:
        own = [puzzle for puzzle, _ in store.puzzles().values()]
        found += [each for each in own if each.game == game and each.name not in names]
    if not found:
        raise failure(f"there are no puzzles of {game}; `rl-toolkit puzzle make {game}` makes some")
    return found


@click.command("next", short_help="Solve puzzles at your rating, one after the other.")
@click.argument("game", type=GAME, required=False)
@theme_option
@click.option(
    "--set",
    "file",
    type=EXISTING,
    metavar="FILE",
    help="Solve the puzzles of a file, in its order.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --set: write how it went as CSV, for a teacher, also after Ctrl-C.",
)
@click.option("--count", type=COUNT, help="End after this many puzzles.")
@seed_option
@library_option
@examples(
    "rl-toolkit puzzle next",
    "rl-toolkit puzzle next gomoku --theme defend",
    "rl-toolkit puzzle next --set homework.txt --results ada.csv",
)
def next_(
    game: str | None,
    theme: str,
    file: Path | None,
    results: Path | None,
    count: int | None,
    seed: int | None,
    library: Path | None,
) -> None:
    """Solve puzzles of GAME: those that are due come first, then new ones at your rating.

    Without GAME it is the game that you tried last. A first wrong move counts as missed; you may
    try on, and `why` shows what is wrong with it.
    """
    from rl_toolkit.puzzles import next_puzzle, read_set

    theme = checked_theme(theme)
    if results is not None and file is None:
        raise refuse("--results goes with --set FILE")
    check_writable("--results", results)
    screen, rng = Screen(), random.Random(seed)
    with stored(library) as store:
        if file is not None:
            with report_errors():
                wanted = read_set(file)
                chosen = [each for each in wanted.puzzles if theme in ("", each.kind)]
                queue = iter([each.checked() for each in chosen])
            if game is not None and full_name(game) != wanted.game:
                raise refuse(f"{file} has puzzles of {wanted.game}, not of {full_name(game)}")
            if not chosen:
                raise refuse(f"{file} has no puzzle" + (f" of the kind {theme}" if theme else ""))
            number = counted(len(chosen), "puzzle")
            screen.say(f"{wanted.title or file.name}: {number} of {wanted.game}", "bold")
            _session(store, screen, "set", lambda: next(queue, None), count, results)
            return
        name = full_name(game or _last_game(store))
        fitting = puzzles_for(name, store)

        def choose() -> Puzzle | None:
            with report_errors():
                standing = standing_in(store, name)
                return next_puzzle(fitting, standing, CLOCK.now(), rng, theme=theme)

        _session(store, screen, "next", choose, count)
        _say_rating(store, name, screen)


@click.command(short_help="Solve the puzzle of the day, the same for everybody.")
@click.option("--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="Another day than today.")
@library_option
@examples("rl-toolkit puzzle daily", "rl-toolkit puzzle daily --date 2026-05-31")
def daily(day: datetime | None, library: Path | None) -> None:
    """Solve the puzzle of the day."""
    from rl_toolkit.puzzles import daily as of_day

    screen = Screen()
    when = (day or datetime.fromtimestamp(CLOCK.now())).date()
    with report_errors():
        queue = iter([of_day(when)])
    screen.say(f"The puzzle of {when.isoformat()}", "bold")
    with stored(library) as store:
        _session(store, screen, "daily", lambda: next(queue, None), 1)


@click.command(short_help="As many puzzles as you can in three minutes.")
@click.argument("game", type=GAME, required=False)
@seed_option
@library_option
@examples("rl-toolkit puzzle storm", "rl-toolkit puzzle storm reversi")
def storm(game: str | None, seed: int | None, library: Path | None) -> None:
    """Solve as many puzzles as you can in three minutes; they get harder with each.

    One try for each. A storm does not change your rating.
    """
    from rl_toolkit.puzzles import STORM_SECONDS, climbing

    screen, rng, solved = Screen(), random.Random(seed), 0
    with stored(library) as store:
        chosen = full_name(game or _last_game(store))
        fitting, end = puzzles_for(chosen, store), CLOCK.now() + STORM_SECONDS
        tried: list[Attempt] = []
        minutes = counted(STORM_SECONDS // 60, "minute")
        screen.say(f"You have {minutes}, and one try for each puzzle; `quit` ends the storm.")
        while CLOCK.now() < end:
            standing = standing_in(store, chosen)
            standing.seen |= {each.puzzle for each in tried}
            puzzle = climbing(fitting, standing, solved, rng)
            try:
                solving = Solving(puzzle, screen, "storm", tries=1)
                attempt = solving.run(end)
            except QuitError:
                break
            end += solving.judged
            tried.append(attempt)
            store.note([attempt])
            solved += attempt.solved
            screen.say(f"{solved} solved, {max(0, round(end - CLOCK.now()))} s left", "dim")
        earlier = _best_storm(store, before=len(tried))
    if tried:
        screen.say(f"{counted(solved, 'puzzle')} solved of {len(tried)}.", "bold")
    else:
        screen.say("The storm ended before the first puzzle was answered.")
    if earlier:
        screen.say(f"Your best storm before this one: {earlier}.")


@click.command(short_help="Solve what you got wrong in your own games.")
@click.option(
    "--look/--no-look",
    default=True,
    help="First look for mistakes in games of yours that are new in the library.",
)
@click.option("--list", "listing", is_flag=True, help="List the puzzles, and solve none.")
@library_option
@examples("rl-toolkit puzzle mine", "rl-toolkit puzzle mine --list")
def mine(look: bool, listing: bool, library: Path | None) -> None:
    """Solve puzzles from your own mistakes, those that are due first.

    They come from games that you played and kept (`rl-toolkit play --keep`). Each comes back until
    you have solved it twice in a row.
    """
    from rl_toolkit.puzzles import standings

    screen = Screen()
    with stored(library) as store:
        if look:
            _look(store, screen)
        own = store.puzzles()
        if not own:
            screen.say("There are no puzzles of yours: `rl-toolkit play --keep` saves games.")
            return
        now = CLOCK.now()
        ready = [
            review
            for standing in standings(store.attempts(), store.reviews()).values()
            for review in standing.due(now)
            if review.puzzle in own
        ]
        if listing:
            waiting = {review.puzzle for review in ready}
            for name, (puzzle, _) in own.items():
                due = "due" if name in waiting else "later"
                screen.say(f"{name}  {puzzle.kind:<8} {puzzle.rating:>4}  {due}")
            return
        if not ready:
            screen.say(f"Nothing is due today; you have {counted(len(own), 'puzzle')}.")
            return
        queue = iter([own[review.puzzle][0] for review in sorted(ready, key=lambda r: r.due)])
        _session(store, screen, "mine", lambda: next(queue, None), None)


def _look(store: PuzzleStore, screen: Screen) -> None:
    """Look for mistakes in own games that were not looked at before."""
    from rl_toolkit.library import Filter, Library
    from rl_toolkit.puzzles import LOOKED_AT, MistakesOf

    if not store.path.exists() or store.read_only:
        return  # asking makes no file
    with Library(store.path) as library:
        done = set(library.ids(Filter(tag=LOOKED_AT)))
        new = [each for each in library.ids(Filter(mine=True)) if each not in done][:_GAMES]
        look = MistakesOf(library, store)
        for number in new:
            look.at(number, CLOCK.now())
    if new:
        screen.tell(
            f"Looked at {counted(len(new), 'game')}: {counted(look.added, 'new puzzle')}.", "dim"
        )
        for sentence in look.found.sentences:
            screen.tell(sentence, "dim")


# ------------------------------------------------------------------------------------- sessions


def _session(
    store: PuzzleStore,
    screen: Screen,
    mode: str,
    choose: Callable[[], Puzzle | None],
    count: int | None,
    results: Path | None = None,
) -> None:
    """Puzzle after puzzle, until ``choose`` has none, ``count`` are done, or the player leaves.

    However it ends, ``results`` gets what was tried; if nothing was, the file stays as it is.
    """
    tried: list[Attempt] = []
    solving: Solving | None = None
    try:
        while (count is None or len(tried) < count) and (puzzle := choose()) is not None:
            solving = Solving(puzzle, screen, mode)
            tried.append(solving.run())
            solving = None
            store.note(tried[-1:])
            screen.say()
    except (QuitError, KeyboardInterrupt) as left:
        missed = [] if solving is None else solving.so_far()
        tried += missed
        store.note(missed)
        if isinstance(left, KeyboardInterrupt):
            raise
    finally:
        if results is not None and tried:
            _write_results(results, tried, screen)
    if tried:
        solved = sum(each.solved for each in tried)
        screen.say(f"{solved} of {counted(len(tried), 'puzzle')} solved at the first try.")


def _say_rating(store: PuzzleStore, game: str, screen: Screen) -> None:
    standing = standing_in(store, game)
    if standing.rated:
        glicko = standing.glicko
        screen.say(
            f"Your rating in puzzles of {game}: {glicko.rating:.0f} ± {glicko.deviation:.0f}."
        )


def _last_game(store: PuzzleStore) -> str:
    attempts = store.attempts()
    return attempts[-1].game if attempts else "connect-four"


def _best_storm(store: PuzzleStore, before: int) -> int:
    """The most puzzles solved in an earlier storm: attempts without a pause of three minutes."""
    from rl_toolkit.puzzles import STORM_SECONDS

    best = count = 0
    last = -1.0
    storms = [each for each in store.attempts() if each.mode == "storm"]
    for attempt in storms[: len(storms) - before]:
        count = count if attempt.time - last < STORM_SECONDS else 0
        count += attempt.solved
        last, best = attempt.time, max(best, count)
    return best


def _write_results(path: Path, tried: list[Attempt], screen: Screen) -> None:
    from rl_toolkit.utils import write_text_atomically

    with report_errors():
        write_text_atomically(path, results_csv(tried))
    screen.tell(f"Written: {path}", "dim")


def results_csv(tried: list[Attempt]) -> str:
    """How a set went, as the page writes it, too."""
    rows: list[tuple[object, ...]] = [
        ("puzzle", "kind", "rating", "solved", "seconds", "hints", "time")
    ]
    for each in tried:
        when = datetime.fromtimestamp(each.time).isoformat(timespec="seconds")
        rows.append(
            (each.puzzle, each.kind, each.rating, int(each.solved), each.seconds, each.hints, when)
        )
    return csv_rows(rows)
