"""Value iteration on small games: sweep over all positions until no value changes.

A game is a set of states. A state is a position with its side to move; the legal moves lead from
one to the next. The value of a state is the result for player +1 with best play by both sides. It
obeys the Bellman equation::

    V(s) = the result                      if the game is over in s
    V(s) = max of V over the next states   if player +1 is to move
    V(s) = min of V over the next states   if player −1 is to move

`value_iteration` starts with V = 0 in all open states and applies the equation to every state,
sweep after sweep, until a sweep changes nothing. `backward_pass` visits every state once, each
after the states it leads to, and has the same values at the end. Both are iterators, so every step
can be shown.

    >>> from rl_toolkit.envs import TicTacToe
    >>> space = state_space(TicTacToe())
    >>> len(space), space.final
    (5478, 958)
    >>> [sweep.changed for sweep in value_iteration(space)]
    [2358, 508, 356, 124, 122, 0]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rl_toolkit.adapting import as_game
from rl_toolkit.envs import BaseGameEnv

Key: TypeAlias = Hashable
"""What tells states apart: ``env.get_state_hash()``."""

Values: TypeAlias = Mapping[Key, float]
"""The value of each state for player +1."""


@dataclass(frozen=True, slots=True)
class State:
    """A position, and where its moves lead.

    Attributes:
        player: the side to move.
        result: the result for player +1 if the game is over, else ``None``.
        moves: the key of the next state by move, in the order of the legal moves.
    """

    key: Key
    player: int
    result: float | None
    moves: Mapping[int, Key]


@dataclass(frozen=True, slots=True)
class StateSpace:
    """Every state that can be reached from ``start``, in the order in which they were found."""

    start: Key
    states: Mapping[Key, State]

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, key: Key | BaseGameEnv) -> State:
        """The state with this key, or of this position; ``KeyError`` if it was not reached."""
        return self.states[key.get_state_hash() if isinstance(key, BaseGameEnv) else key]

    @property
    def final(self) -> int:
        """The number of states in which the game is over."""
        return sum(state.result is not None for state in self.states.values())


@dataclass(frozen=True, slots=True)
class Backup:
    """One application of the Bellman equation: the value of ``state`` before and after."""

    state: State
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Sweep:
    """One pass over all open states.

    ``changed`` is the number of states whose value changed, ``values`` the values after the sweep.
    """

    number: int
    changed: int
    values: dict[Key, float]


def state_space(env: BaseGameEnv, *, most: int = 200_000) -> StateSpace:
    """Find every state that can be reached from ``env``, which stays as it is.

    `ValueError` if there are more than ``most``.
    """
    env = as_game(env).copy()
    start = env.get_state_hash()
    states: dict[Key, State] = {}
    waiting = [env]
    known = {start}
    for position in waiting:
        key = position.get_state_hash()
        over = position.is_terminal()
        result = position.get_result(1) if over else None
        moves: dict[int, Key] = {}
        states[key] = State(key, position.current_player, result, moves)
        for move in [] if over else position.get_legal_moves():
            position.step(move)
            after = moves[move] = position.get_state_hash()
            if after not in known:
                if len(known) == most:
                    raise ValueError(
                        f"{env.name} has more than {most:,} positions from here; "
                        "use a smaller board, or begin later in the game"
                    )
                known.add(after)
                waiting.append(position.copy())
            position.undo()
    return StateSpace(start, states)


def first_values(space: StateSpace) -> dict[Key, float]:
    """The values before the first sweep: results of finished games, and 0 elsewhere."""
    return {key: state.result or 0.0 for key, state in space.states.items()}


def backed_up(state: State, values: Values, discount: float = 1.0) -> float:
    """The right-hand side of the Bellman equation at ``state``.

    With a ``discount`` below 1 a result counts less the further away it is.
    """
    if state.result is not None:
        return state.result
    best = max if state.player == 1 else min
    return discount * best(values[key] for key in state.moves.values())


def sweep_states(space: StateSpace, values: Values, discount: float = 1.0) -> Iterator[Backup]:
    """Apply the Bellman equation to every open state, each with the same old ``values``."""
    for key, state in space.states.items():
        if state.result is None:
            yield Backup(state, values[key], backed_up(state, values, discount))


def value_iteration(space: StateSpace, discount: float = 1.0) -> Iterator[Sweep]:
    """Sweep until nothing changes; yields every sweep, the last one with ``changed == 0``.

    A game of at most n moves needs at most n + 1 sweeps, whatever the discount: after k sweeps all
    states are right from which the game ends within k moves. `ValueError` if a value still changes
    after that, which means that positions repeat.
    """
    values = first_values(space)
    for number in range(1, len(space) + 2):
        backups = list(sweep_states(space, values, discount))
        changed = sum(backup.after != backup.before for backup in backups)
        values = values | {backup.state.key: backup.after for backup in backups}
        yield Sweep(number, changed, values)
        if not changed:
            return
    raise ValueError("the values do not settle: positions of this game repeat")


def backward_pass(space: StateSpace, discount: float = 1.0) -> Iterator[Backup]:
    """Yield the final value of every state, each after the states it leads to.

    `ValueError` if a position can be reached from itself.
    """
    values: dict[Key, float] = {}
    for state in _ends_first(space):
        values[state.key] = backed_up(state, values, discount)
        yield Backup(state, 0.0, values[state.key])


def solve(space: StateSpace, discount: float = 1.0) -> dict[Key, float]:
    """The value of every state for player +1, by one backward pass.

    >>> from rl_toolkit.envs import TicTacToe
    >>> space = state_space(TicTacToe())
    >>> solve(space)[space.start]
    0.0
    """
    return {backup.state.key: backup.after for backup in backward_pass(space, discount)}


def best_moves(state: State, values: Values) -> list[int]:
    """The moves to the best of the next states for the side to move; empty at the end."""
    scores = {move: state.player * values[key] for move, key in state.moves.items()}
    return [move for move, score in scores.items() if score == max(scores.values())]


def _ends_first(space: StateSpace) -> Iterator[State]:
    """Every state after all states it leads to: depth first, without recursion."""
    done: set[Key] = set()
    on_path: set[Key] = set()
    stack = [space.start]
    while stack:
        key = stack[-1]
        if key in done:
            stack.pop()
            continue
        state = space.states[key]
        missing = [after for after in state.moves.values() if after not in done]
        if not missing:
            done.add(key)
            on_path.discard(key)
            stack.pop()
            yield state
        elif key in on_path:
            raise ValueError("a position of this game can be reached from itself")
        else:
            on_path.add(key)
            stack += missing
