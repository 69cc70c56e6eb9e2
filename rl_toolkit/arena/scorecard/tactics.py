"""Tactics: does an engine find a forced win, by how long it is?

A *puzzle* is a position with a proven win in N moves of the side to move, in which at most half
of the moves win: guessing finds few. It is found if the move played still wins, even if more
slowly. What wins is decided by exact scores where a game is solved, else by a search that proves.

Puzzles come from games of mixed quality, by a fixed seed, and are kept in the user's cache folder.
A game that is decided by counting pieces has no puzzles: its wins have no length.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from rl_toolkit.analysis import Limit
from rl_toolkit.arena.arbiter.play_game import checked_answer
from rl_toolkit.arena.arbiter.worker_engines import cached_engine
from rl_toolkit.arena.exact_scores import keeping, scores_of
from rl_toolkit.arena.grading import Rate
from rl_toolkit.arena.sample_games import play_out
from rl_toolkit.arena.samples import OnProgress, canonical
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import Player, Spec
from rl_toolkit.players.advisers import prover_spec, solves_from
from rl_toolkit.records import position_from_text, position_to_text
from rl_toolkit.utils import cache_folder, write_text_atomically

#: The lengths of wins, in moves of the winner; the last one stands for all longer ones.
LENGTHS = (1, 2, 3, 4)
#: Increased whenever the same description gives other puzzles.
RECIPE = 3
#: Positions of the search that proves where no depth is enough.
_NODES = 20_000
_DEPTH = 2 * LENGTHS[-1] - 1
#: Of the moves of a puzzle, at most one in this many wins.
_RARE = 2


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a forced win.

    Attributes:
        moves: the moves of the winner, the last one included.
        winning: the moves that are known to win.
        exact: whether all other moves are known not to win.
    """

    position: str
    moves: int
    winning: tuple[int, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class Solved:
    """A puzzle, the move that the engine played, whether it wins, and the seconds it took."""

    puzzle: Puzzle
    move: int
    found: bool
    seconds: float


def length_of(puzzle: Puzzle) -> int:
    """The entry of `LENGTHS` under which a puzzle counts."""
    return min(puzzle.moves, LENGTHS[-1])


def rates(solved: Sequence[Solved]) -> dict[int, Rate]:
    """How many puzzles of each length were found."""
    groups: dict[int, list[bool]] = {}
    for each in solved:
        groups.setdefault(length_of(each.puzzle), []).append(each.found)
    return {length: Rate(sum(groups[length]), len(groups[length])) for length in sorted(groups)}


# ------------------------------------------------------------------------------ finding


def puzzles_of(
    game: str, each: int, tries: int, on_progress: OnProgress | None = None
) -> list[Puzzle]:
    """Up to ``each`` puzzles of every length, from at most ``tries`` positions."""
    env = make_game(game)
    if env.traits.score_unit or not env.traits.has_grid:
        return []
    path = cache_folder() / "puzzles" / f"{env.name}-{each}-{tries}-recipe{RECIPE}.json"
    with suppress(OSError, ValueError, TypeError, KeyError):
        stored = json.loads(path.read_text("utf-8"))
        return [Puzzle(**entry | {"winning": tuple(entry["winning"])}) for entry in stored]
    puzzles = _searched(env, each, tries, on_progress)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(path, json.dumps([asdict(puzzle) for puzzle in puzzles]))
    return puzzles


def _searched(
    game: BaseGameEnv, each: int, tries: int, on_progress: OnProgress | None
) -> list[Puzzle]:
    cells = game.rows * game.cols
    rng = random.Random(f"puzzles {game.name}")
    groups: dict[int, list[Puzzle]] = {length: [] for length in LENGTHS}
    seen: set[str] = set()
    for number in range(tries):
        if on_progress is not None:
            on_progress("looking for forced wins", number + 1, tries)
        env = game.copy()
        # A board that is large for its lines is decided long before it is full.
        stones = rng.randint(3, max(4, min(cells * 3 // 4, 30)))
        if not play_out(env, stones, rng) or (key := canonical(env)) in seen:
            continue
        seen.add(key)
        puzzle = puzzle_in(env)
        if puzzle is not None and len(groups[length_of(puzzle)]) < each:
            groups[length_of(puzzle)].append(puzzle)
        if all(len(group) == each for group in groups.values()):
            break
    return [puzzle for group in groups.values() for puzzle in group]


def puzzle_in(env: BaseGameEnv) -> Puzzle | None:
    """The puzzle in a position, ``None`` if it has none."""
    searcher, limit = _searcher(env.name)
    analysis = searcher.analyse(env, limit)
    best = analysis.candidates[0]
    if not best.proven or best.outcome != "win" or best.distance is None:
        return None
    exact = solves_from(env) == "start"
    if exact:
        winning = keeping(scores_of(env))
    else:
        winning = {
            each.move for each in analysis.candidates if each.proven and each.outcome == "win"
        }
    if _RARE * len(winning) > len(env.get_legal_moves()):
        return None
    return Puzzle(position_to_text(env), (best.distance + 1) // 2, tuple(sorted(winning)), exact)


def _searcher(game: str) -> tuple[Player, Limit]:
    """Who proves wins, and how far: a search made for it, else a full search of a few plies."""
    env = make_game(game)
    spec = prover_spec(env)
    if spec.kind == "minimax" or solves_from(env) == "start":
        return cached_engine(game, Spec("minimax").with_(depth=_DEPTH)), Limit(depth=_DEPTH)
    return cached_engine(game, spec), Limit(nodes=_NODES)


# ------------------------------------------------------------------------------ solving


def solve(
    game: str, engine: str, puzzles: Sequence[Puzzle], on_progress: OnProgress | None = None
) -> list[Solved]:
    """The answers of an engine to some puzzles; raises `EngineFailedError` if it fails."""
    answers = []
    for number, puzzle in enumerate(puzzles, 1):
        env = position_from_text(game, puzzle.position)
        began = time.perf_counter()
        move = checked_answer(cached_engine(game, engine), env).candidates[0].move
        seconds = time.perf_counter() - began
        answers.append(Solved(puzzle, move, _wins(env, puzzle, move), seconds))
        if on_progress is not None:
            on_progress("solving forced wins", number, len(puzzles))
    return answers


def _wins(env: BaseGameEnv, puzzle: Puzzle, move: int) -> bool:
    """Whether a move wins, as far as it can be proven."""
    if move in puzzle.winning or puzzle.exact or move not in env.get_legal_moves():
        return move in puzzle.winning
    env.step(move)
    if env.is_terminal():
        return env.winner not in (None, 0)
    searcher, limit = _searcher(env.name)
    best = searcher.analyse(env, limit).candidates[0]
    return best.proven and best.outcome == "loss"
