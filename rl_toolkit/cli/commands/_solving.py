"""Positions solved exactly, a line for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from rl_toolkit.analysis import Analysis, Candidate, Limit
from rl_toolkit.cli._positions import STREAM, complaint, position_of
from rl_toolkit.cli.arguments import refuse
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import think
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, make_game
from rl_toolkit.players import Player, engine_kind, levels_for, make_engine, make_player
from rl_toolkit.players._advice import exact_engine
from rl_toolkit.records import read_position
from rl_toolkit.records.transcripts import MOST_DIGIT_COLUMNS

HEAD = ("position", "score", "best moves", "nodes", "seconds")

#: A score in the game's own measure, or win, draw, loss where it has none.
Score = int | str


@dataclass(frozen=True, slots=True)
class Solved:
    """One answer: the score for the side to move, the moves that get it, and every move's score.

    A game of Reversi that is over has a score and no moves.
    """

    position: str
    score: Score
    best: list[str]
    scores: dict[str, Score]
    nodes: int
    seconds: float

    def line(self) -> str:
        """The answer as a row with tabs."""
        moves = ",".join(self.best)
        return f"{self.position}\t{self.score}\t{moves}\t{self.nodes}\t{self.seconds:.4f}"


def run(
    game: str, positions: Sequence[str], engine: str | None, limit: Limit, *, as_json: bool
) -> int:
    """Solve positions, ``-`` being every line of stdin; gives the exit code."""
    screen, player = Screen(), _solver(game, engine)
    positions = [text.strip() for text in positions] or [""]
    # What was written on the command line is read first: a mistake there is told at once.
    asked = {text: position_of(game, text) for text in positions if text != STREAM}
    if screen.out.is_terminal and not as_json:
        screen.tell("\t".join(HEAD), "dim")
    code, told = 0, set[str]()
    for text in _with_lines(positions):
        try:
            env = asked[text] if text in asked else read_position(game, text)
            analysis = _analysis(player, env, limit, screen)
            solved = solved_of(text, env, analysis, weak="weak=on" in player.spec)
            _tell_notes(analysis, told, screen)
        except ValueError as error:
            code = 1
            wrong = complaint(text, error)
            screen.line(json.dumps(wrong) if as_json else f"{text}\terror\t{error}")
            continue
        screen.line(json.dumps(asdict(solved)) if as_json else solved.line())
    return code


def _with_lines(positions: Sequence[str]) -> Iterator[str]:
    """The positions, with the lines of stdin in the place of ``-``."""
    for text in positions:
        if text == STREAM:
            yield from (line.strip() for line in sys.stdin)
        else:
            yield text


def _solver(game: str, engine: str | None) -> Player:
    env = make_game(game)
    try:
        if engine is not None:
            return make_player(game, engine)
    except ValueError as error:
        raise refuse(error) from error
    # Boards of every size are solved near the end, though not every size from its start.
    solvable = engine_kind("exact").can_play(env)
    player = make_engine("exact:lines=off") if solvable else exact_engine(env)
    if player is None:
        raise refuse(f"no engine solves {game} exactly; `analyse` asks one that estimates")
    return player


def _analysis(player: Player, env: BaseGameEnv, limit: Limit, screen: Screen) -> Analysis:
    """What the player says; ``ValueError`` for a position that could take hours."""
    if limit.or_else(player.limit) == Limit() and player.name == "exact" and not env.is_terminal():
        empty, most = int((env.board == 0).sum()), _most_empty(env)
        if empty > most:
            raise ValueError(
                f"{empty} squares are empty: with more than {most} a proof could take hours; "
                f"--time tries for so long, and `analyse` estimates"
            )
    return think(player, env, screen, limit=limit)


def _most_empty(env: BaseGameEnv) -> int:
    """How many squares may be empty for `exact` to come to an end soon, whatever the position."""
    from rl_toolkit.algorithms.connect_four.solver import MOST_EMPTY as MOST_CELLS
    from rl_toolkit.algorithms.reversi.solver import MOST_EMPTY as MOST_SQUARES

    everything = env.rows * env.cols
    if isinstance(env, Reversi):
        return MOST_SQUARES if env.rows == 8 else everything
    return everything if "perfect" in levels_for(env.name) else MOST_CELLS


def _tell_notes(analysis: Analysis, told: set[str], screen: Screen) -> None:
    """Say what the engine has to say of its search; what it repeats, once."""
    for note in analysis.notes:
        if note not in told:
            told.add(note)
            screen.tell(f"({note})", "dim")


def solved_of(position: str, env: BaseGameEnv, analysis: Analysis, *, weak: bool = False) -> Solved:
    """The answer that an analysis holds; ``ValueError`` where it proved too little.

    ``weak`` is an engine asked for no more than who wins.
    """
    if not analysis.candidates:
        return _finished(position, env)
    best = analysis.candidates[0]
    counts = analysis.engine == "exact" and not weak  # then no answer is complete without scores
    settled = [c for c in analysis.candidates if c.proven and (c.score is not None or not counts)]
    if len(settled) < len(analysis.candidates) if counts else not analysis.proven:
        raise ValueError(_unsolved(analysis, settled))
    equals = [
        candidate.move
        for candidate in settled
        if _score(candidate) == _score(best)
        and (best.score is not None or candidate.distance == best.distance)
    ]
    return Solved(
        position,
        _score(best),
        [_short(env, move) for move in sorted(equals)],
        {_short(env, c.move): _score(c) for c in sorted(settled, key=lambda c: c.move)},
        analysis.nodes or 0,
        analysis.elapsed,
    )


def _finished(position: str, env: BaseGameEnv) -> Solved:
    if not isinstance(env, Reversi):
        raise ValueError("the game is over: there is nothing left to solve")
    from rl_toolkit.algorithms.reversi.reference import final_margin

    return Solved(position, final_margin(env), [], {}, 0, 0.0)


def _unsolved(analysis: Analysis, settled: Sequence[Candidate]) -> str:
    """What a search that did not get to the end has to say."""
    why = "".join(f"; {note}" for note in analysis.notes)
    if not settled:
        return f"{analysis.engine} could not prove who wins in {analysis.elapsed:.1f} s{why}"
    known = ", ".join(f"{c.name} scores {_score(c)}" for c in settled)
    left, moves = len(analysis.candidates) - len(settled), len(analysis.candidates)
    return (
        f"{analysis.engine} could not settle {left} of {moves} moves in {analysis.elapsed:.1f} s; "
        f"{known}{why}"
    )


def _score(candidate: Candidate) -> Score:
    """The score of a proven candidate."""
    assert candidate.outcome is not None
    return candidate.outcome if candidate.score is None else round(candidate.score)


def _short(env: BaseGameEnv, move: int) -> str:
    """The move as positions are written: a column counted from 1, else its name."""
    if isinstance(env, ConnectFour) and env.cols <= MOST_DIGIT_COLUMNS:
        return str(move + 1)
    return env.move_name(move)
