"""Tactics: does an engine find a forced win, by how long it is?

A `ForcedWin` is a position with a proven win in N moves of the side to move, in which at most half
of the moves win: guessing finds few. An engine finds it if the move played still wins, even if more
slowly. What wins is decided by exact scores where a game is solved, else by a search that proves.

They come from games of mixed quality, by a fixed seed, and are kept in the user's cache folder. A
game that is decided by counting pieces has none: its wins have no length.
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
#: Increased whenever the same description gives others.
RECIPE = 3
#: Positions of the search that proves where no depth is enough.
_NODES = 20_000
_DEPTH = 2 * LENGTHS[-1] - 1
#: Of the moves of a forced win, at most one in this many wins.
_RARE = 2


@dataclass(frozen=True, slots=True)
class ForcedWin:
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
    """A forced win, the move that the engine played, whether it wins, and the seconds it took."""

    win: ForcedWin
    move: int
    found: bool
    seconds: float


def length_of(win: ForcedWin) -> int:
    """The entry of `LENGTHS` under which a forced win counts."""
    return min(win.moves, LENGTHS[-1])


def rates(solved: Sequence[Solved]) -> dict[int, Rate]:
    """How many of each length were found."""
    groups: dict[int, list[bool]] = {}
    for puzzle in solved:
        groups.setdefault(length_of(puzzle.win), []).append(puzzle.found)
    return {length: Rate(sum(groups[length]), len(groups[length])) for length in sorted(groups)}


# ------------------------------------------------------------------------------ finding


def forced_wins_of(
    game: str, each: int, tries: int, on_progress: OnProgress | None = None
) -> list[ForcedWin]:
    """Up to ``each`` forced wins of every length, from at most ``tries`` positions."""
    env = make_game(game)
    if env.traits.score_unit or not env.traits.has_grid:
        return []
    path = cache_folder() / "puzzles" / f"{env.name}-{each}-{tries}-recipe{RECIPE}.json"
    with suppress(OSError, ValueError, TypeError, KeyError):
        stored = json.loads(path.read_text("utf-8"))
        return [ForcedWin(**entry | {"winning": tuple(entry["winning"])}) for entry in stored]
    wins = _searched(env, each, tries, on_progress)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(path, json.dumps([asdict(win) for win in wins]))
    return wins


def _searched(
    game: BaseGameEnv, each: int, tries: int, on_progress: OnProgress | None
) -> list[ForcedWin]:
    cells = game.rows * game.cols
    rng = random.Random(f"puzzles {game.name}")
    groups: dict[int, list[ForcedWin]] = {length: [] for length in LENGTHS}
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
        win = forced_win_in(env)
        if win is not None and len(groups[length_of(win)]) < each:
            groups[length_of(win)].append(win)
        if all(len(group) == each for group in groups.values()):
            break
    return [win for group in groups.values() for win in group]


def forced_win_in(env: BaseGameEnv) -> ForcedWin | None:
    """The forced win in a position, ``None`` if it has none."""
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
            candidate.move
            for candidate in analysis.candidates
            if candidate.proven and candidate.outcome == "win"
        }
    if _RARE * len(winning) > len(env.get_legal_moves()):
        return None
    return ForcedWin(position_to_text(env), (best.distance + 1) // 2, tuple(sorted(winning)), exact)


def _searcher(game: str) -> tuple[Player, Limit]:
    """Who proves wins, and how far: a search made for it, else a full search of a few plies."""
    env = make_game(game)
    spec = prover_spec(env)
    if spec.kind == "minimax" or solves_from(env) == "start":
        return cached_engine(game, Spec("minimax").with_(depth=_DEPTH)), Limit(depth=_DEPTH)
    return cached_engine(game, spec), Limit(nodes=_NODES)


# ------------------------------------------------------------------------------ solving


def solve(
    game: str, engine: str, wins: Sequence[ForcedWin], on_progress: OnProgress | None = None
) -> list[Solved]:
    """The answers of an engine to some forced wins; raises `EngineFailedError` if it fails."""
    answers = []
    for number, win in enumerate(wins, 1):
        env = position_from_text(game, win.position)
        began = time.perf_counter()
        move = checked_answer(cached_engine(game, engine), env).candidates[0].move
        seconds = time.perf_counter() - began
        answers.append(Solved(win, move, _wins(env, win, move), seconds))
        if on_progress is not None:
            on_progress("solving forced wins", number, len(wins))
    return answers


def _wins(env: BaseGameEnv, win: ForcedWin, move: int) -> bool:
    """Whether a move wins, as far as it can be proven."""
    if move in win.winning or win.exact or move not in env.get_legal_moves():
        return move in win.winning
    env.step(move)
    if env.is_terminal():
        return env.winner not in (None, 0)
    searcher, limit = _searcher(env.name)
    best = searcher.analyse(env, limit).candidates[0]
    return best.proven and best.outcome == "loss"
