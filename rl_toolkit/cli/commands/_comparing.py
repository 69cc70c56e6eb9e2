"""One position through several engines, beside the truth where it is known."""

from __future__ import annotations

import json

from rich.table import Table
from rich.text import Text

from rl_toolkit.analysis import Analysis, Candidate, Limit, in_words
from rl_toolkit.cli._positions import position_of
from rl_toolkit.cli.arguments import refuse
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import signed, thinking_picture, value_style, work_text
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.players import Player, make_player
from rl_toolkit.players._advice import exact_engine, usual_limit
from rl_toolkit.players.advisers import for_analysis

TRUTH = "exact"


def run(
    game: str,
    position: str,
    engines: str,
    limit: Limit,
    seed: int | None,
    *,
    top: int,
    as_json: bool,
) -> None:
    """Ask all engines and show their answers, the ``top`` moves, or write them all as JSON."""
    screen = Screen()
    env = position_of(game, position)
    players = _players(game, engines, seed)
    truth = exact_engine(env)
    if truth is not None:
        players.append((TRUTH, truth))
    answers: list[tuple[str, Analysis]] = []
    for name, player in players:
        screen.tell(f"Asking {name} …", "dim")
        answers.append((name, _ask(name, player, env, limit, screen)))
    if as_json:
        screen.line(json.dumps({name: answer.to_dict() for name, answer in answers}))
        return
    screen.say(draw_board(env, screen.width))
    table = _table(answers, screen, top, in_discs=isinstance(env, Reversi))
    screen.say(table)
    hidden = len(answers[-1][1].candidates) - table.row_count
    if hidden > 0:
        screen.say(f"… and {hidden} more (--top shows them)", "dim")
    for name, answer in answers:
        screen.say(f"{name}: {_choice(answer)} · {work_text(answer)}", "dim")
        for note in answer.notes:
            screen.tell(f"({note})", "dim")


def split_engines(text: str) -> list[str]:
    """Engines with commas between them, where options have commas between them as well.

    >>> split_engines("easy, mcts:simulations=200,c=1.2,greedy")
    ['easy', 'mcts:simulations=200,c=1.2', 'greedy']
    """
    specs: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        continues = "=" in part and ":" not in part.partition("=")[0]
        if continues and specs:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs


def _players(game: str, engines: str, seed: int | None) -> list[tuple[str, Player]]:
    specs = split_engines(engines)
    if not specs:
        raise refuse("--engines names no engine")
    try:
        return [(spec, make_player(game, for_analysis(spec), seed=seed)) for spec in specs]
    except ValueError as error:
        raise refuse(error) from error


def _ask(name: str, player: Player, env: BaseGameEnv, limit: Limit, screen: Screen) -> Analysis:
    # Half a truth is none.
    limit = Limit() if name == TRUTH else limit.or_else(usual_limit(player))
    return think(
        player,
        env,
        screen,
        limit=limit,
        picture=lambda found: thinking_picture(env, screen, found),
        interrupts=Interrupts(),
    )


def _table(
    answers: list[tuple[str, Analysis]], screen: Screen, top: int, *, in_discs: bool
) -> Table:
    """A row for each move, in the order of the last engine, which knows best if any does.

    Moves that another engine would play are shown even if they are not among the ``top``.
    """
    chosen = {answer.best for _, answer in answers}
    ranked = answers[-1][1].candidates
    shown = [c for number, c in enumerate(ranked) if number < top or c.move in chosen]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("move")
    for name, _ in answers:
        table.add_column(screen.fit(name), overflow="fold")
    for reference in shown:
        cells = [Text(reference.name)]
        for _, answer in answers:
            candidate = answer.candidate(reference.move)
            best = " ★" if candidate.move == answer.best else ""
            text = screen.fit(_cell(candidate, in_discs) + best)
            cells.append(Text(text, value_style(candidate)))
        table.add_row(*cells)
    return table


def _cell(candidate: Candidate, in_discs: bool) -> str:
    if in_discs and candidate.score is not None:
        discs = f"{candidate.score:+.0f}".replace("-0", "+0")
        return f"{discs} discs" if candidate.proven else f"{discs} discs?"
    if candidate.proven:
        return in_words(candidate).removesuffix(" (proven)")
    return signed(candidate.value)


def _choice(answer: Analysis) -> str:
    return answer.candidates[0].name if answer.candidates else "nothing: the game is over"
