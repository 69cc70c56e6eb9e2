"""``solve``: positions solved exactly, one line each."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import click

from rl_toolkit.algorithms import final_margin, solver_of
from rl_toolkit.analysis import Analysis, Candidate, Limit, outcome_of, words_for
from rl_toolkit.cli.arguments import report_errors
from rl_toolkit.cli.options import csv_option, examples, json_option
from rl_toolkit.cli.param_types import ENGINE, GAME, SECONDS, PositionCommand
from rl_toolkit.cli.saved_games import STREAM, in_file_options, position_of
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import think
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.explain import explain_move
from rl_toolkit.players import Player, make_engine, make_player
from rl_toolkit.players.advisers import exact_player, prover
from rl_toolkit.records import read_position

HEAD = ("position", "score", "best moves", "nodes", "seconds")

#: Seconds for each position where no engine is known to solve the game.
_SECONDS = 10.0
#: The most moves that a message names.
_MOST_NAMED = 8

#: A score in the unit of the game, or win, draw, loss where it has none.
Score = int | str


@dataclass(frozen=True, slots=True)
class Solved:
    """The score for the side to move, the best moves, and the score of every move.

    ``text`` says in words what the score means, ``side`` is the side to move, ``units`` names what
    the score counts, and ``line`` is the best line as far as the engine keeps it. A game of Reversi
    that is over has a score and no moves.
    """

    position: str
    score: Score
    best: list[str]
    scores: dict[str, Score]
    nodes: int
    seconds: float
    text: str
    side: str
    units: dict[str, str]
    line: list[str]

    def row(self) -> list[str]:
        """The answer in the columns of `HEAD`."""
        moves = ",".join(self.best)
        return [self.position, str(self.score), moves, str(self.nodes), f"{self.seconds:.4f}"]


@click.command(cls=PositionCommand)
@click.argument("game", type=GAME)
@click.argument("positions", metavar="[POSITION]...", nargs=-1)
@click.option(
    "--engine", type=ENGINE, help="Engine or level. Default: the exact engine of the game."
)
@click.option("--time", type=SECONDS, help="Seconds for each position.")
@in_file_options
@json_option("one line of JSON for each position")
@csv_option("one row of CSV for each position, after a row of names")
@examples(
    "rl-toolkit solve connect-four 4455",
    "rl-toolkit solve connect-four-5x5x4",
    "cat positions.txt | rl-toolkit solve connect-four - > scores.tsv",
    'rl-toolkit solve reversi-4 "-----OX--XO----- X;" --json',
    "rl-toolkit solve reversi - --time 10 --json < endgames.obf",
    "rl-toolkit solve gomoku-9 e5e6d5d6f5f6",
)
def solve(
    game: str,
    positions: tuple[str, ...],
    engine: str | None,
    time: float | None,
    number: int | None,
    ply: int | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Solve each POSITION of GAME exactly: its score with best play, and the best moves.

    A position is a row of moves, the rows of the board and the side to move, in Reversi an OBF
    line, or a file with a game; the default is the start. With - every line of stdin is a position,
    and an empty line is the start.

    The answer is one line with five columns, separated by tabs: position, score (for the side to
    move), best moves, nodes, seconds. --csv writes them as CSV; --json adds the score of every
    move, the result in words (text), the side to move, the units and the best line.

    In Connect Four a win with the n-th stone scores 22 - n, a loss the same with a minus, a draw 0.
    In Reversi the score is the difference in discs; empty squares count for the winner. In other
    games it is win, draw or loss.

    For a position that cannot be read, or not be solved in time, the line has an error message, and
    the exit code is 1. Reversi on 8x8 is solved when 26 squares or fewer are empty. In games
    without an exact engine the search takes up to 10 seconds, or --time; in Gomoku it looks for
    wins by threats. A sentence then says how the best move wins.
    """
    screen, player = Screen(), _solver(game, engine).on_all_cores()
    texts = [text.strip() for text in positions] or [""]
    # Positions on the command line are read first, so that a mistake is reported at once.
    known = {text: position_of(game, text, number, ply) for text in texts if text != STREAM}
    if as_json and as_csv:
        raise click.UsageError("choose --json or --csv")
    written = csv.writer(sys.stdout, lineterminator="\n")
    if as_csv:
        written.writerow(HEAD)
    elif screen.out.is_terminal and not as_json:
        screen.tell("\t".join(HEAD), "dim")

    def tell(row: list[str]) -> None:
        if as_csv:
            written.writerow(row)
            sys.stdout.flush()
        else:
            screen.line("\t".join(row))

    failed, shown_notes = False, set[str]()
    for text in _with_stdin(texts):
        try:
            env = known[text] if text in known else read_position(game, text)
            limit = Limit(time=time).or_else(_usual_limit(player, engine))
            analysis = _analysis(player, env, limit, screen)
            solved = solved_of(
                text, env, analysis, weak=player.spec.takes("weak") and player.spec["weak"] is True
            )
        except ValueError as error:
            failed = True
            if as_json:
                screen.line(json.dumps({"error": str(error), "input": text}))
            else:
                tell([text, "error", str(error)])
            continue
        screen.notes(note for note in analysis.notes if note not in shown_notes)
        shown_notes.update(analysis.notes)
        if as_json:
            screen.line(json.dumps(asdict(solved)))
        else:
            tell(solved.row())
        if text in known and not (as_json or as_csv) and analysis.engine != "exact":
            screen.tell(explain_move(env, analysis.candidates[0]), "dim")
    if failed:
        raise click.exceptions.Exit(1)


def _with_stdin(positions: Sequence[str]) -> Iterator[str]:
    """The positions, with the lines of stdin in the place of ``-``."""
    for text in positions:
        if text == STREAM:
            yield from (line.strip() for line in sys.stdin)
        else:
            yield text


def _solver(game: str, engine: str | None) -> Player:
    if engine is not None:
        with report_errors():
            return make_player(game, engine)
    env = make_game(game)
    # Every size is solved near the end of a game, though not every size from its start.
    solvable = solver_of(env) is not None
    player = make_engine("exact:lines=off") if solvable else exact_player(env)
    return player or prover(env)


def _usual_limit(player: Player, engine: str | None) -> Limit:
    """The limit for an engine that was not asked for and may search for ever."""
    proves = engine is not None or player.name == "exact" or player.limit != Limit()
    return Limit() if proves else Limit(time=_SECONDS)


def _analysis(player: Player, env: BaseGameEnv, limit: Limit, screen: Screen) -> Analysis:
    """The player's analysis; ``ValueError`` for a position that could take hours."""
    if limit.or_else(player.limit) == Limit() and player.name == "exact" and not env.is_terminal():
        solver, empty = solver_of(env), int((env.board == 0).sum())
        if solver is not None and empty > (most := solver.most_empty(env)):
            raise ValueError(
                f"{empty} empty squares are too many: beyond {most} a proof may take hours; "
                "set a --time to try, or use `rl-toolkit analyse` for an estimate"
            )
    return think(player, env, screen, limit=limit)


def solved_of(position: str, env: BaseGameEnv, analysis: Analysis, *, weak: bool = False) -> Solved:
    """The answer in an analysis; ``ValueError`` where it proved too little.

    ``weak`` says that the engine was asked only who wins.
    """
    if not analysis.candidates:
        if not env.traits.score_unit:
            raise ValueError("the game is over: there is nothing to solve")
        margin = final_margin(env)
        value = float((margin > 0) - (margin < 0))
        end = Candidate(0, "", value, outcome_of(value), True, score=float(margin))
        return Solved(position, margin, [], {}, 0, 0.0, *_meaning(env, end), line=[])
    best = analysis.candidates[0]
    counts = analysis.engine == "exact" and not weak  # then every move needs a score
    settled = [
        c for c in analysis.candidates if c.proven and (c.exact_score is not None or not counts)
    ]
    if len(settled) < len(analysis.candidates) if counts else not analysis.proven:
        raise ValueError(_unsolved(analysis, settled))
    equals = [
        candidate.move
        for candidate in settled
        if _score(candidate) == _score(best)
        and (best.exact_score is not None or candidate.distance == best.distance)
    ]
    return Solved(
        position,
        _score(best),
        [env.move_name(move) for move in sorted(equals)],
        {c.name: _score(c) for c in sorted(settled, key=lambda c: c.move)},
        analysis.nodes or 0,
        analysis.elapsed,
        *_meaning(env, best),
        line=env.line_names(best.line),
    )


def _meaning(env: BaseGameEnv, best: Candidate) -> tuple[str, str, dict[str, str]]:
    """The result in words, the side to move, and the unit of the score."""
    words, unit = words_for(env), "win, draw or loss"
    if best.exact_score is not None:
        pieces = env.traits.score_unit
        unit = f"{pieces}s" if pieces else f"{env.traits.title} score"
    units = {"score": unit, "seconds": "seconds"}
    return words.full(best, env.current_player), words.side(env.current_player), units


def _unsolved(analysis: Analysis, settled: Sequence[Candidate]) -> str:
    """The message for a search that did not finish."""
    why = "".join(f"; {note}" for note in analysis.notes)
    if not settled:
        return (
            f"{analysis.engine} could not prove who wins in {analysis.elapsed:.1f} s{why}; "
            "a longer --time searches deeper"
        )
    known = ", ".join(f"{c.name} scores {_score(c)}" for c in settled[:_MOST_NAMED])
    if (more := len(settled) - _MOST_NAMED) > 0:
        known += f", and {more} more are settled"
    left, moves = len(analysis.candidates) - len(settled), len(analysis.candidates)
    return (
        f"{analysis.engine} could not settle {left} of {moves} moves in {analysis.elapsed:.1f} s; "
        f"{known}{why}"
    )


def _score(candidate: Candidate) -> Score:
    """The score of a proven candidate."""
    assert candidate.outcome is not None
    return candidate.outcome if candidate.exact_score is None else round(candidate.exact_score)
