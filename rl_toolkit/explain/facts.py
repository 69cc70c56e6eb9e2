"""Typed facts about a move, each checked on the board.

`facts_of` plays the move on a copy and looks at the replies. It never guesses and never looks
further than the opponent's next move.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from rl_toolkit.algorithms import Win, immediate_wins, line_of, wins_if_to_move
from rl_toolkit.analysis import Outcome, outcome_of
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.games import GameFact, explainer_of


@dataclass(frozen=True, slots=True)
class EndsGame:
    """The move ends the game, with this outcome for the player who makes it.

    ``line`` holds the cells of the winning line; ``discs`` the numbers of own and enemy pieces, in
    games where they are counted.
    """

    outcome: Outcome
    line: tuple[int, ...] | None = None
    discs: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class MissesWin:
    """Another move, one of ``wins``, would have won immediately."""

    wins: tuple[Win, ...]


@dataclass(frozen=True, slots=True)
class Blocks:
    """The opponent threatened to complete each of ``wins``, and no longer can after the move."""

    wins: tuple[Win, ...]


@dataclass(frozen=True, slots=True)
class Threatens:
    """With another move the player would complete any of ``wins``, at least one of them new.

    Two or more are a double threat.
    """

    wins: tuple[Win, ...]


@dataclass(frozen=True, slots=True)
class AllowsWin:
    """The opponent can reply with one of ``wins`` and win immediately."""

    wins: tuple[Win, ...]


LineFact: TypeAlias = EndsGame | MissesWin | Blocks | Threatens | AllowsWin
Fact: TypeAlias = LineFact | GameFact


def facts_of(env: BaseGameEnv, move: int) -> tuple[Fact, ...]:
    """The facts about ``move`` in the position of ``env``, which is not changed.

    Raises ``ValueError`` if the move is illegal.

    >>> from rl_toolkit.records import position_from_text
    >>> facts_of(position_from_text("tictactoe", "xx1/oo1/3 x"), 2)
    (EndsGame(outcome='win', line=(0, 1, 2), discs=None),)
    """
    return BoardView(env).facts_of(move)


class BoardView:
    """A position, with what is shared by the facts about all its moves."""

    def __init__(self, env: BaseGameEnv) -> None:
        self._env = env.copy()
        self._player: int = env.current_player
        view = explainer_of(env).view
        self._own_view = None if view is None else view(self._env)

    @cached_property
    def _own_wins(self) -> tuple[Win, ...]:
        return immediate_wins(self._env)

    @cached_property
    def _own_threats(self) -> tuple[Win, ...]:
        return tuple(win for win in self._own_wins if win.line is not None)

    @cached_property
    def _enemy_threats(self) -> tuple[Win, ...]:
        return wins_if_to_move(self._env, -self._player)

    def facts_of(self, move: int) -> tuple[Fact, ...]:
        """The facts about ``move``; see the function `facts_of`."""
        after = self._env.copy()
        _, _, done, info = after.step(move)
        if done:
            return (self._end(after, line_of(info)),)
        facts: list[Fact] = []
        if self._own_wins:
            facts.append(MissesWin(self._own_wins))
        enemy_moves = after.current_player == -self._player
        replies = immediate_wins(after) if enemy_moves else ()
        still_there = replies if enemy_moves else wins_if_to_move(after, -self._player)
        if blocked := _without(self._enemy_threats, still_there):
            facts.append(Blocks(blocked))
        threats = wins_if_to_move(after, self._player)
        if _without(threats, self._own_threats):
            facts.append(Threatens(threats))
        if self._own_view is not None:
            facts += self._own_view.facts_of(after, move)
        if replies:
            facts.append(AllowsWin(replies))
        return tuple(facts)

    def _end(self, after: BaseGameEnv, line: tuple[int, ...] | None) -> EndsGame:
        discs = None
        if after.traits.score_unit:
            discs = (after.piece_count(self._player), after.piece_count(-self._player))
        return EndsGame(outcome_of(after.get_result(self._player)), line, discs)


def _without(wins: tuple[Win, ...], others: tuple[Win, ...]) -> tuple[Win, ...]:
    """The wins at places where ``others`` has none."""
    taken = {win.place for win in others}
    return tuple(win for win in wins if win.place not in taken)
