"""The readable form of an engine: what a trace shows."""

from __future__ import annotations

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players.levels import make_player
from rl_toolkit.players.options import SpecError, Value
from rl_toolkit.players.player import Player
from rl_toolkit.players.spec import Spec, kind_named

#: The engines whose searches can be traced, and their options if a spec does not set them: the
#: textbook's, without what makes them strong.
READABLE: dict[str, dict[str, Value]] = {
    "minimax": dict.fromkeys(
        (
            "ordering",
            "symmetry",
            "distance",
            "pvs",
            "threats",
            "dead_lines",
            "iterative_deepening",
        ),
        False,
    ),
    "mcts": {"tactics": False},
    "alphazero": {"batch": 1},
}


def readable_player(game: str | BaseGameEnv, text: str | Spec, *, seed: int = 0) -> Player:
    """The player that ``text`` names, as the textbook has it unless the spec says otherwise.

    Raises `SpecError` as `make_player`, and for a game with ``free_results`` unless it is minimax.
    A level is taken as it is.

    >>> print(readable_player("tictactoe", "mcts:c=1").spec)
    mcts:c=1,tactics=off,seed=0
    """
    kind = kind_named(text)
    name = "" if kind is None else kind.name
    if isinstance(game, BaseGameEnv) and game.traits.free_results and name != "minimax":
        raise SpecError("only minimax searches a tree whose leaves are any numbers")
    if name in READABLE:
        spec = Spec.read(text)
        textbook = READABLE[name].items()
        text = spec.with_(
            **{option: value for option, value in textbook if option not in spec.given}
        )
    return make_player(game, text, seed=seed)
