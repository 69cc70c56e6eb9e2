"""What a player does, in a few words: for lists of levels."""

from __future__ import annotations

from collections.abc import Callable

from rl_toolkit.players.options import split_spec
from rl_toolkit.players.registry import engine_kind

#: What tells an engine from others that look as far.
_BY = {
    "gomoku": " with a learned evaluation",
    "reversi": " with a learned evaluation",
    "alphazero": " with a trained network",
    "mcts": " with random games",
}

_PHRASES: dict[str, Callable[[str], str]] = {
    "depth": lambda plies: f"looks {plies} {'ply' if plies == '1' else 'plies'} ahead",
    "simulations": lambda count: f"{int(count):,} simulations per move",
    "nodes": lambda count: f"{int(count):,} positions per move",
    "slips": lambda share: f"overlooks threats in {round(100 * float(share))} % of its moves",
    "time": lambda seconds: f"at most {seconds} s per move",
}


def describe_spec(spec: str) -> str:
    """What the player of a valid spec does.

    >>> describe_spec("minimax:depth=4"), describe_spec("mcts:simulations=50000")
    ('looks 4 plies ahead', '50,000 simulations per move with random games')
    >>> describe_spec("random")
    'plays a random legal move'
    """
    name, options = split_spec(spec)
    said = [phrase(options[option]) for option, phrase in _PHRASES.items() if option in options]
    return ", ".join(said) + _BY.get(name, "") if said else engine_kind(name).help


def describe_level(level: str, spec: str) -> str:
    """What a level does: ``perfect`` whatever its engine is."""
    if level == "perfect":
        return "never gives away a win or a draw"
    return describe_spec(spec)
