"""Who is measured, and in which games."""

from __future__ import annotations

from pathlib import Path

from rl_toolkit.analysis import EngineError
from rl_toolkit.analysis import games_of as games_named_by
from rl_toolkit.arena.arbiter.worker_engines import prepare
from rl_toolkit.envs import game_families, make_game, size_text
from rl_toolkit.envs.registry import full_names
from rl_toolkit.players import Spec, SpecError, make_player
from rl_toolkit.utils import shown

#: The file of weights in the folder of a training run.
_NETWORK = "network.npz"


def spec_of(text: str) -> str:
    """The spec that ``text`` stands for: a folder of a training run is its network.

    Raises `SpecError` for another folder.

    >>> spec_of("minimax:depth=4")
    'minimax:depth=4'
    """
    path = Path(text)
    if path.suffix == ".npz":
        return Spec("alphazero").with_(weights=text).text
    if path.is_dir():
        if not (path / _NETWORK).is_file():
            raise SpecError(f"{text} has no {_NETWORK}; it is not the folder of a training run")
        return Spec("alphazero").with_(weights=str(path / _NETWORK)).text
    return text


def games_of(spec: str) -> list[str]:
    """The games that an engine plays, each on its usual board, else on the first that it plays.

    Raises ``ValueError`` with the reason if it plays none of them.
    """
    played, reasons = [], []
    for family in game_families():
        sizes = (f"{family.name}-{size_text(size)}" for size in family.traits.sizes)
        for name in (family.name, *sizes):
            game = make_game(name).name
            try:
                check_plays(game, spec)
            except ValueError as error:
                reasons.append(str(error))
            else:
                played.append(game)
                break
    if not played:
        raise SpecError(reasons[0])
    return played


def check_plays(game: str, spec: str) -> None:
    """Raise ``ValueError`` if the engine does not play a game."""
    env = make_game(game)
    player = make_player(game, spec)
    own = games_named_by(player.engine)
    if own and not {env.name, env.traits.name} & full_names(own):
        raise SpecError(f"{shown(spec)} does not play {game}")
    try:
        prepare(game, player)
    except EngineError as error:
        raise SpecError(str(error)) from error
