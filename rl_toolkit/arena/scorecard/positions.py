"""Positions that show what an engine can and cannot do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rl_toolkit.arena.exact_scores import keeping, sign
from rl_toolkit.arena.grading import Grade
from rl_toolkit.arena.labelled_samples import Labelled
from rl_toolkit.arena.samples import canonical
from rl_toolkit.arena.scorecard.tactics import Solved
from rl_toolkit.envs import make_game
from rl_toolkit.records import position_from_text
from rl_toolkit.utils import listed

#: The most moves that a sentence names.
_NAMED = 3
_WORDS = {1: "wins", 0: "draws", -1: "loses"}


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A position with the move that the engine played.

    Attributes:
        good: the moves that keep the result.
        sentence: what happened.
    """

    game: str
    position: str
    move: int
    good: tuple[int, ...]
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """The position as plain data, with the names of moves."""
        name = make_game(self.game).move_name
        return {
            "position": self.position,
            "move": name(self.move),
            "good": [name(move) for move in self.good],
            "sentence": self.sentence,
        }


def weakest(grade: Grade, count: int) -> list[ShownPosition]:
    """The worst mistakes: the largest loss first, and where most moves would have been right."""

    def badness(mistake: tuple[Labelled, int]) -> tuple[float, float]:
        each, move = mistake
        lost = sign(max(each.scores.values())) - sign(each.scores[move])
        return -lost, -len(keeping(each.scores)) / len(each.scores)

    legal = [pair for pair in grade.mistakes() if pair[1] in pair[0].scores]
    return _different(grade.game, sorted(legal, key=badness), count)


def strongest(grade: Grade, count: int) -> list[ShownPosition]:
    """The hardest positions that it played right: few moves kept the result, and not for long."""
    right = [
        (labelled, answer.move)
        for labelled, answer in zip(grade.sample, grade.answers, strict=True)
        if answer.move in (good := keeping(labelled.scores)) and len(good) < len(labelled.scores)
    ]

    def hardness(pair: tuple[Labelled, int]) -> tuple[float, float]:
        scores = pair[0].scores
        return len(keeping(scores)) / len(scores), abs(max(scores.values()))

    return _different(grade.game, sorted(right, key=hardness), count)


def _different(game: str, pairs: Sequence[tuple[Labelled, int]], count: int) -> list[ShownPosition]:
    """The first ``count`` positions, without mirror images and the same with colours swapped."""
    kept: dict[str, tuple[Labelled, int]] = {}
    for pair in pairs:
        if len(kept) == count:
            break
        env = position_from_text(game, pair[0].position)
        if env.traits.has_grid:
            env.set_position(env.board * env.current_player, 1)
        kept.setdefault(canonical(env), pair)
    return [shown_position(game, *pair) for pair in kept.values()]


def of_tactics(
    game: str, solved: Sequence[Solved], count: int
) -> tuple[list[ShownPosition], list[ShownPosition]]:
    """The longest wins that were found, and the shortest that were missed."""
    longest = sorted((s for s in solved if s.found), key=lambda s: -s.win.moves)
    shortest = sorted((s for s in solved if not s.found), key=lambda s: s.win.moves)
    return (
        [_shown_win(game, win) for win in longest[:count]],
        [_shown_win(game, win) for win in shortest[:count]],
    )


def _shown_win(game: str, solved: Solved) -> ShownPosition:
    name = make_game(game).move_name
    win = solved.win
    wins = "now" if win.moves == 1 else f"in {win.moves} moves"
    best = _names(game, win.winning)
    answer = f"It played {name(solved.move)}"
    if solved.found and solved.move not in win.winning:
        answer += ", which also wins"
    sentence = f"{_to_move(game, win.position)} {best} wins {wins}. {answer}."
    return ShownPosition(game, win.position, solved.move, win.winning, sentence)


def shown_position(game: str, each: Labelled, move: int) -> ShownPosition:
    """A position with the move that was played, and what exact play says about it."""
    name, good = make_game(game).move_name, tuple(sorted(keeping(each.scores)))
    result = _WORDS[sign(max(each.scores.values()))]
    if move in good:
        only = "the only move that" if len(good) == 1 else f"one of {len(good)} moves that"
        keeps = result if len(good) == 1 else result.removesuffix("s")
        sentence = f"It played {name(move)}, {only} {keeps}, of {len(each.scores)}."
    else:
        bad = _WORDS[sign(each.scores[move])]
        best = f"{_names(game, good)} {result}"
        if len(good) > _NAMED:
            best = f"{len(good)} other moves {result.removesuffix('s')}"
        sentence = f"It played {name(move)}, which {bad}; {best}."
    sentence = f"{_to_move(game, each.position)} {sentence}"
    return ShownPosition(game, each.position, move, good, sentence)


def _to_move(game: str, position: str) -> str:
    env = position_from_text(game, position)
    return f"{env.traits.side(env.current_player)} to move."


def _names(game: str, moves: Sequence[int]) -> str:
    """The first few moves by name."""
    name = make_game(game).move_name
    return listed((name(move) for move in moves[:_NAMED]), "or")
