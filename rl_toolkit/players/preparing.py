"""Engines whose machine code is not there yet: who answers for them, and how they are prepared.

The first search of an engine on a computer compiles for 5 to 20 seconds. Where a person waits, a
`stand_in` answers first, and a `preparation` compiles in a process of its own.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress
from urllib.parse import quote

from rl_toolkit.analysis import Limit, use_machine_code
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.position import Position
from rl_toolkit.kernels.compiling.code_cache import was_noted
from rl_toolkit.kernels.compiling.compile_news import Needed
from rl_toolkit.kernels.compiling.warm_up import WarmUp, can_be_kept, helpers, tell
from rl_toolkit.players.kinds.mixed_engine import MixedEngine
from rl_toolkit.players.player import Player, make_engine

#: Seconds after which a stand-in answers.
STAND_IN_SECONDS = 1.0
#: Fewer missing kernels than this are compiled before a helper has begun.
_FEW = 8
#: Seconds that an engine searches while it is prepared; it compiles what it needs, however long.
_SECONDS = 0.1


def stand_in(player: Player) -> Player:
    """A player that answers for ``player`` within a second, without machine code.

    It is the same engine in Python, if it has such a form, else minimax in Python.
    """
    other = make_engine(player.spec)
    has_python = use_machine_code(other.engine, use=False)
    if isinstance(other.engine, MixedEngine) or not has_python:
        other = make_engine("minimax")
        use_machine_code(other.engine, use=False)
    return other.within(Limit(time=STAND_IN_SECONDS))


def preparation(player: Player, env: BaseGameEnv) -> WarmUp:
    """A process that compiles what ``player`` needs to search the position of ``env``.

    `UnknownGameError` for a game that another process cannot make.
    """
    words = (env.name, str(player.spec), Position.of(env).text)
    return WarmUp((sys.executable, "-m", "rl_toolkit.players.preparing", *words))


def was_prepared(player: Player, game: str) -> bool:
    """Whether a preparation of this player for this game has ended, of this version or another.

    It is only a guess, which needs no compiler; `compiled_only` finds out what is true.
    """
    return was_noted(_note(game, str(player.spec)))


def _note(game: str, spec: str) -> str:
    return quote(f"ready {game} {spec}", safe=" ")[:200]


def main(game: str, spec: str, position: str) -> None:
    """Search for a moment and print the progress of the compiler."""
    if not can_be_kept():
        return
    from rl_toolkit.kernels import jit

    player = make_engine(spec).on_all_cores().within(Limit(time=_SECONDS))
    env = Position.read(game, position).env()
    with ExitStack() as stack:
        stack.enter_context(jit.awaited())
        progress = _Progress(stack)
        stack.callback(jit.on_compile(progress.compiling))
        with suppress(ValueError):  # the search asked for will say why
            before = -1
            while before < progress.made:  # the time of a search may be over once it is compiled
                before = progress.made
                player.analyse(env)
            jit.note(_note(game, spec))


class _Progress:
    """Follows kernels as they are compiled, and prints how much of the work is done.

    The first one shows what else is needed; from then on helpers compile, too, until ``stack``
    ends.
    """

    def __init__(self, stack: ExitStack) -> None:
        self.made = 0
        self._stack = stack
        self._needed = Needed()
        self._is_helped = False

    def compiling(self, name: str) -> None:
        """Print the progress before the kernel ``name`` is compiled."""
        self.made += 1
        progress = self._needed.before(name)
        names = self._needed.names
        if not self._is_helped and len(names) >= _FEW:
            self._is_helped = True
            self._stack.enter_context(helpers(names))
        tell(*progress)


if __name__ == "__main__":
    main(*sys.argv[1:])
