"""All games of a student's player against every reply, level by level in few round trips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.labs.checking.session import call
from rl_toolkit.labs.model.positions import LabBoard, from_env, start_of

if TYPE_CHECKING:
    from rl_toolkit.labs.checking.check import Check


@dataclass(frozen=True, slots=True)
class Game:
    """A game to its end: the moves, and +1, −1 or 0 for the winner."""

    moves: tuple[int, ...]
    winner: int


def every_reply(check: Check, name: str, seat: int, options: Mapping[str, Any]) -> list[Game]:
    """All games of the student's function in that seat; a wrong move fails the check.

    Equal positions are asked once, though games that reach them by different moves count.
    """
    waiting: list[tuple[tuple[int, ...], BaseGameEnv]] = [((), start_of(check.lab.game).copy())]
    chosen: dict[LabBoard, int] = {}
    games: list[Game] = []
    while waiting:
        own = {_plain(env): env for _, env in waiting if env.current_player == seat}
        asked = [board for board in own if board not in chosen]
        answers = check.calls([call(name, board, **options) for board in asked])
        for board, answer in zip(asked, answers, strict=True):
            if isinstance(answer.value, bool) or answer.value not in own[board].get_legal_moves():
                what = "returned None" if answer.value is None else "chose a move that is not legal"
                check.fail(answer, f"{name} {what} while there are free cells.")
            chosen[board] = answer.value
        following: list[tuple[tuple[int, ...], BaseGameEnv]] = []
        for moves, env in waiting:
            is_own = env.current_player == seat
            for move in [chosen[_plain(env)]] if is_own else env.get_legal_moves():
                there = env.copy()
                there.step(move)
                if there.is_terminal():
                    games.append(Game((*moves, move), there.winner or 0))
                else:
                    following.append(((*moves, move), there))
        waiting = following
    return games


def _plain(env: BaseGameEnv) -> LabBoard:
    return replace(from_env(env), last=None)
