"""`answer`: whether a move solves a puzzle, and the line that refutes it if it does not.

The stored line is only one way: a move that leaves it is judged by the prover of the game, and a
puzzle is solved by every move that does what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rl_toolkit.envs import BaseGameEnv, GameError
from rl_toolkit.explain import area_of
from rl_toolkit.puzzles.provers import ASKING, Judged, prover_of
from rl_toolkit.puzzles.puzzle import KINDS, WINNING, Puzzle, PuzzleError
from rl_toolkit.utils import counted, listed, winner_moves

#: Plies that are shown of a refutation: of a loss, and where nothing is lost at once.
_SHOWN_LOSS, _SHOWN_REST = 13, 3
#: Moves that the second hint names.
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on a move.

    Attributes:
        right: whether the move does what is asked.
        solved: whether nothing is left to find.
        reply: the move of the opponent that follows in the line, ``None`` at its end.
        refutation: how the opponent answers a wrong move, and what follows.
        sentence: the verdict in words.
    """

    right: bool
    solved: bool
    reply: int | None
    refutation: tuple[int, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A step towards the answer: a sentence, and the cells to mark, which may be none."""

    sentence: str
    cells: tuple[int, ...] = ()


def answer(puzzle: Puzzle, before: Sequence[int], move: int) -> Answer:
    """The verdict on ``move`` after the moves ``before``, which follow the line of the puzzle.

    Raises `PuzzleError` if ``before`` leaves the line or the move is not legal.
    """
    done = tuple(before)
    if done != puzzle.line[: len(done)] or len(done) % 2 or len(done) >= len(puzzle.line):
        raise PuzzleError("these moves are not the beginning of the solution")
    env = puzzle.env().after(done)
    try:
        env.after([move])
    except GameError as error:
        raise PuzzleError(str(error)) from error
    if move == puzzle.line[len(done)]:
        return _on_the_line(puzzle, env, len(done))
    judged = judge(puzzle, env, move)
    if judged.right:
        return Answer(True, True, None, (), _also_right(puzzle, env, move))
    most = _SHOWN_LOSS if judged.result == -1 else _SHOWN_REST
    return Answer(False, False, None, judged.line[:most], refuted(puzzle, env, move, judged))


def judge(puzzle: Puzzle, env: BaseGameEnv, move: int) -> Judged:
    """What the prover of the game says of a move in a position of the puzzle.

    Raises `PuzzleError` for a position that cannot be judged soon.
    """
    with ASKING:
        prover = prover_of(env.name)
        if not prover.solves(env):
            raise PuzzleError("there is too much left to play: this position cannot be proven soon")
        return prover.judge(env, puzzle.kind, move)


# ------------------------------------------------------------------------------- in words


def task(puzzle: Puzzle, *, letters: bool = False) -> str:
    """What is asked, such as "Red to play and win"; with ``letters`` it is "Red (X)"."""
    env = puzzle.env()
    player = env.current_player
    side = env.traits.side(player) if letters else _piece(env, player)
    return f"{KINDS[puzzle.kind][1].format(side=side)}."


def story(puzzle: Puzzle) -> str:
    """A sentence with the move that was played in the game and the question what was better.

    Empty if the right move was played, or if it is not known what was played.
    """
    if not puzzle.missed or puzzle.played is None:
        return ""
    env = puzzle.env()
    side = _piece(env, env.current_player)
    return f"In the game {side} played {env.move_name(puzzle.played)}. What was better?"


def hints(puzzle: Puzzle, ply: int = 0) -> tuple[Hint, ...]:
    """Steps towards the next move of the line: what to look for, where, and the move."""
    env = puzzle.env().after(puzzle.line[:ply])
    move = puzzle.line[ply]
    steps = [Hint(_idea(puzzle, env, ply))]
    area = area_of(env, move)
    some = _candidates(puzzle, env, move) if ply == 0 else []
    if area is not None and len(area.cells) < env.rows * env.cols:
        steps.append(Hint(f"Look at {area.text}.", area.cells))
    if len(some) > 1:
        names = listed([env.move_name(each) for each in some], "or")
        steps.append(Hint(f"It is {names}.", _landing(env, some)))
    return (*steps, Hint(f"Play {env.move_name(move)}.", _landing(env, [move])))


def _idea(puzzle: Puzzle, env: BaseGameEnv, ply: int) -> str:
    own, other = _piece(env, env.current_player), _piece(env, -env.current_player)
    left = (len(puzzle.line) - ply + 1) // 2
    ideas = {
        "win": f"{own} can force the win; the line here has {counted(left, 'own move')}.",
        "fork": "One move makes two threats at once.",
        "hold": f"Every other move loses: what would {other} play next?",
        "discs": "Count discs, and count who moves last in each part of the board.",
        "fours": f"Every move is a four, so {other} never has a choice.",
        "threats": f"{other} threatens to win, too: a quiet move is too slow.",
        "defend": f"{other} threatens to win: find the cell that both sides need.",
        "take": "One more piece completes the row.",
        "block": f"{other} would complete a row with the next move.",
    }
    return ideas[puzzle.kind]


def _candidates(puzzle: Puzzle, env: BaseGameEnv, move: int) -> list[int]:
    """The right move among wrong ones that look good."""
    wrong = [] if not puzzle.missed or puzzle.played is None else [puzzle.played]
    wrong += [each for each in puzzle.tempting if each not in wrong]
    return sorted([move, *wrong[: _NAMED - 1]])


def _landing(env: BaseGameEnv, moves: Sequence[int]) -> tuple[int, ...]:
    cells = (env.landing_cell(move) for move in moves)
    return tuple(cell for cell in cells if cell is not None)


def _on_the_line(puzzle: Puzzle, env: BaseGameEnv, ply: int) -> Answer:
    left = puzzle.line[ply + 1 :]
    if left:
        return Answer(True, False, left[0], (), "Right.")
    name = env.move_name(puzzle.line[ply])
    if puzzle.kind in WINNING:
        sentence = f"Solved: {name} wins."
    elif puzzle.kind == "discs":
        sentence = f"Solved: {name} ends with the most discs."
    else:
        sentence = f"Solved: {name} holds."
    return Answer(True, True, None, (), sentence)


def _also_right(puzzle: Puzzle, env: BaseGameEnv, move: int) -> str:
    verb = "wins" if puzzle.kind in WINNING else "is as good" if puzzle.kind == "discs" else "holds"
    return f"Solved: {env.move_name(move)} {verb}, too."


def refuted(puzzle: Puzzle, env: BaseGameEnv, move: int, judged: Judged) -> str:
    """Why a move is wrong."""
    name, other = env.move_name(move), _piece(env, -env.current_player)
    unit = f"{env.traits.score_unit}s" if env.traits.score_unit else ""
    if judged.discs is not None and judged.best is not None:
        return f"{name} {_count(judged.discs, unit)}; {_possible(judged.best, unit)}."
    if judged.result == -1:
        moves = None if judged.distance is None else winner_moves(judged.distance, mover_wins=True)
        when = "" if moves is None else " at once" if moves == 1 else f" in {counted(moves)}"
        return f"After {name}, {other} wins{when}."
    if judged.result == 0:
        return f"After {name}, the game is drawn with best play."
    return f"{name} is not enough: no win follows from it."


def _count(discs: int, unit: str) -> str:
    if discs == 0:
        return "draws"
    return f"{'wins' if discs > 0 else 'loses'} by {abs(discs)} {unit}"


def _possible(discs: int, unit: str) -> str:
    if discs == 0:
        return "a draw is possible"
    return f"{'a win' if discs > 0 else 'a loss'} by {abs(discs)} {unit} is possible"


def _piece(env: BaseGameEnv, player: int) -> str:
    """What people call a side: Red, X."""
    return env.traits.pieces[player < 0]
