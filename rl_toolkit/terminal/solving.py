"""Positions solved exactly, a line for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from rl_toolkit.analysis import Analysis
from rl_toolkit.envs import BaseGameEnv, ConnectFour, make_game
from rl_toolkit.players import Player, make_player
from rl_toolkit.records import read_position
from rl_toolkit.records.transcripts import MOST_DIGIT_COLUMNS
from rl_toolkit.terminal.advice import exact_engine
from rl_toolkit.terminal.arguments import refuse
from rl_toolkit.terminal.positions import STREAM, complaint, position_of
from rl_toolkit.terminal.screen import Screen
from rl_toolkit.terminal.thinking import think

HEAD = ("position", "score", "best moves", "nodes", "seconds")


@dataclass(frozen=True, slots=True)
class Solved:
    """One answer: the score for the side to move (or win, draw, loss) and the moves that get it."""

    position: str
    score: int | str
    best: list[str]
    nodes: int
    seconds: float

    def line(self) -> str:
        """The answer as a row with tabs."""
        moves = ",".join(self.best)
        return f"{self.position}\t{self.score}\t{moves}\t{self.nodes}\t{self.seconds:.4f}"


def run(game: str, position: str, engine: str | None, *, as_json: bool) -> int:
    """Solve one position or every line of stdin; gives the exit code."""
    screen, player = Screen(), _solver(game, engine)
    if screen.out.is_terminal and not as_json:
        screen.tell("\t".join(HEAD), "dim")
    if position != STREAM:
        env = position_of(game, position)
        return _answer([(position, env)], player, screen, as_json)
    return _answer(((line.strip(), None) for line in sys.stdin), player, screen, as_json, game)


def _solver(game: str, engine: str | None) -> Player:
    try:
        player = make_player(game, engine) if engine else exact_engine(make_game(game))
    except ValueError as error:
        raise refuse(error) from error
    if player is None:
        raise refuse(f"no engine solves {game} exactly; `analyse` asks one that estimates")
    return player


def _answer(
    asked: Iterable[tuple[str, BaseGameEnv | None]],
    player: Player,
    screen: Screen,
    as_json: bool,
    game: str = "",
) -> int:
    code = 0
    for text, env in asked:
        try:
            env = env if env is not None else read_position(game, text)
            solved = solved_of(text, env, think(player, env, screen))
        except ValueError as error:
            code = 1
            wrong = complaint(text, error)
            screen.line(json.dumps(wrong) if as_json else f"{text}\terror\t{error}")
            continue
        screen.line(json.dumps(asdict(solved)) if as_json else solved.line())
    return code


def solved_of(position: str, env: BaseGameEnv, analysis: Analysis) -> Solved:
    """The answer that an analysis holds; ``ValueError`` where it proved nothing."""
    if not analysis.candidates:
        raise ValueError("the game is over: there is nothing left to solve")
    best = analysis.candidates[0]
    if not best.proven or best.outcome is None:
        raise ValueError(f"{analysis.engine} could not prove who wins")
    score: int | str = best.outcome if best.score is None else round(best.score)
    equals = [
        candidate.move
        for candidate in analysis.candidates
        if candidate.proven
        and (candidate.outcome, candidate.score) == (best.outcome, best.score)
        and (best.score is not None or candidate.distance == best.distance)
    ]
    return Solved(
        position,
        score,
        [_short(env, move) for move in sorted(equals)],
        analysis.nodes or 0,
        analysis.elapsed,
    )


def _short(env: BaseGameEnv, move: int) -> str:
    """The move as positions are written: a column counted from 1, else its name."""
    if isinstance(env, ConnectFour) and env.cols <= MOST_DIGIT_COLUMNS:
        return str(move + 1)
    return env.move_name(move)
