"""`small_set`: all puzzles of a game that is small enough to look at every position.

Tic-Tac-Toe on nine cells has 25 puzzles up to symmetry, too few for the rule of temptation.
Warm-ups join them: positions in which one move wins at once, or one move stops a win.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.puzzles.difficulty import Meter
from rl_toolkit.puzzles.provers import Find, prover_of
from rl_toolkit.puzzles.provers.by_scores import ByScores
from rl_toolkit.puzzles.puzzle import WARM_UPS, Puzzle, PuzzleError, number_of
from rl_toolkit.puzzles.sets import PuzzleSet

#: Boards of which every position is looked at.
_MOST_CELLS = 9


def small_set(game: str, warm_ups: int) -> PuzzleSet:
    """Every puzzle of a game, and some warm-ups of both kinds, spread over the game.

    Raises `PuzzleError` for a board that is too large.
    """
    start = make_game(game)
    prover = prover_of(start.name)
    if start.rows * start.cols > _MOST_CELLS or not isinstance(prover, ByScores):
        raise PuzzleError(f"{start.name} has too many positions to look at each")
    meter, puzzles = Meter(start, prover), list[Puzzle]()
    easy: dict[str, list[Puzzle]] = {kind: [] for kind in sorted(WARM_UPS)}
    for env in _positions(start):
        find = _find(prover, env)
        if find is None:
            continue
        difficulty = meter.measure(env, find.kind, find.line)
        easy.get(find.kind, puzzles).append(difficulty.puzzle(env, find))
    for group in easy.values():
        share = warm_ups // len(easy)
        step = max(1.0, len(group) / share) if share else len(group) + 1.0
        puzzles += [group[int(k * step)] for k in range(min(share, len(group)))]
    return PuzzleSet(start.name, puzzles)


def _find(prover: ByScores, env: BaseGameEnv) -> Find | None:
    """The puzzle in a position: as usual, or a warm-up."""
    player, legal = env.current_player, env.get_legal_moves()
    if len(legal) < 2 or not env.history:
        return None
    mine, theirs = prover.wins_at_once(env, player), prover.wins_at_once(env, -player)
    scores = prover.scores(env)
    only = prover.only_move(scores)
    if only is None:
        return None
    if mine:
        return Find("take", (mine[0],)) if len(mine) == 1 else None
    if theirs:
        return Find("block", (only[1],))
    usual = prover.find(env)
    return Find(only[0], (only[1],)) if isinstance(usual, str) else usual


def _positions(start: BaseGameEnv) -> Iterator[BaseGameEnv]:
    """Every position that is not over, once in all its images, with few moves first."""
    seen, queue = {number_of(start)}, deque([start.copy()])
    while queue:
        env = queue.popleft()
        yield env
        for move in env.get_legal_moves():
            after = env.after([move])
            if not after.is_terminal() and (number := number_of(after)) not in seen:
                seen.add(number)
                queue.append(after)
