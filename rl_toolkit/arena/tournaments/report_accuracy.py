"""How often the players of a tournament were right, where the exact values are known.

The moves that were played are judged, not the engines: no further game is needed. Every player has
about the same number of moves judged, spread over its games, so that the cost is bounded however
long the tournament was. In a game that is solved only near its end, only late moves are judged.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest

from rl_toolkit.arena.exact_scores import NotSolvedError, Scores, scores_of
from rl_toolkit.arena.grading import Answer, Grade, Marks
from rl_toolkit.arena.labelled_samples import Labelled
from rl_toolkit.arena.runs.match_results import PlayedGame
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.arena.samples import OnProgress
from rl_toolkit.arena.tournaments.results import TournamentResult
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import Knowledge, engine_kinds
from rl_toolkit.players.advisers import solves_from
from rl_toolkit.records import position_from_text, position_to_text
from rl_toolkit.utils.executors import Executor, InProcess

#: Moves of each player that are judged unless the caller says otherwise.
MOVES = 200
#: Positions per task of a worker.
_CHUNK = 16


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a player, in a position whose exact values can be found quickly."""

    player: str
    position: str
    move: int


def judge_moves(
    result: TournamentResult,
    most: int = MOVES,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
) -> dict[str, Marks]:
    """The marks of each player for at most ``most`` of its moves; empty without an exact solver."""
    grades = grade_moves(result, most, executor, on_progress)
    return {player: grade.overall for player, grade in grades.items()}


def grade_moves(
    result: TournamentResult,
    most: int = MOVES,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    *,
    known: Mapping[str, Scores] | None = None,
    on_scores: Callable[[Labelled], object] = lambda labelled: None,
) -> dict[str, Grade]:
    """The grade of each player, as in `judge_moves`.

    ``known`` are exact scores of positions that need not be found again; ``on_scores`` is called
    with each new one.
    """
    game = result.plan.game
    moves = list(moves_to_judge(result, most))
    positions = sorted({move.position for move in moves})
    by_position = {each: Labelled(each, scores) for each, scores in (known or {}).items()}
    missing = [position for position in positions if position not in by_position]
    chunks = [missing[start : start + _CHUNK] for start in range(0, len(missing), _CHUNK)]
    done = len(positions) - len(missing)
    for _, labelled in (executor or InProcess()).map(
        _label_some, [(game, chunk) for chunk in chunks]
    ):
        for entry in labelled:
            by_position[entry.position] = entry
            on_scores(entry)
        done += len(labelled)
        if on_progress is not None:
            on_progress("judging moves", done, len(positions))
    grades = {}
    for player in result.plan.players:
        mine = [move for move in moves if move.player == player and move.position in by_position]
        if mine:
            sample = [by_position[each.position] for each in mine]
            answers = [Answer(each.move, 0.0) for each in mine]
            grades[player] = Grade(game, player, sample, answers)
    return grades


def _label_some(task: tuple[str, list[str]]) -> list[Labelled]:
    """The positions with their scores, without those that could not be proven."""
    game, positions = task
    labelled = []
    for position in positions:
        with suppress(NotSolvedError):
            labelled.append(Labelled(position, scores_of(position_from_text(game, position))))
    return labelled


def moves_to_judge(result: TournamentResult, most: int) -> Iterator[JudgedMove]:
    """The moves that are judged; always the same for the same games."""
    stage = solves_from(make_game(result.plan.game))
    if stage is None:
        return
    for player in result.plan.players:
        left = most
        for game, ply in _plies_of(result, player, most):
            if left == 0:
                break
            line = (*game.opening, *game.moves)
            env = Opening(line[:ply], game.start).position(result.plan.game)
            if len(env.get_legal_moves()) > 1 and (stage == "start" or is_solved(env)):
                left -= 1
                yield JudgedMove(player, position_to_text(env), line[ply])


def _plies_of(result: TournamentResult, player: str, most: int) -> Iterator[tuple[PlayedGame, int]]:
    """The plies at which a player moved: one of each game, then a second one of each, and so on.

    At most ``most`` games, drawn at random, are looked at.
    """
    rng = random.Random(f"{result.plan.seed} {player}")
    games = [
        (game, match.match.engines.index(player))
        for match in result.in_order().matches
        if player in match.match.engines
        for game in match.games
    ]
    rng.shuffle(games)
    del games[most:]
    plies = [own_plies(result.plan.game, game, mine) for game, mine in games]
    for number in plies:
        rng.shuffle(number)
    for turn in zip_longest(*plies):
        for (game, _), ply in zip(games, turn, strict=True):
            if ply is not None:
                yield game, ply


def own_plies(name: str, game: PlayedGame, mine: int) -> list[int]:
    """The plies at which engine ``mine`` moved; a side may have to pass or move twice."""
    env, plies = Opening((), game.start).position(name), []
    mover = 1 if game.first == mine else -1
    for ply, move in enumerate((*game.opening, *game.moves)):
        if ply >= len(game.opening) and env.current_player == mover:
            plies.append(ply)
        env.step(move)
    return plies


def is_solved(env: BaseGameEnv) -> bool:
    """Whether the exact values of a position can be found quickly."""
    return any(kind.knows(env) is Knowledge.EXACT for kind in engine_kinds(env))
