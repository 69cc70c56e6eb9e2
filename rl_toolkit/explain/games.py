"""What single games add to explanations, found by the class of the game.

A game adds facts that can be seen on its board (`GameExplainer.view`), the phrase for them, and
remarks on a whole analysis. Its own file or folder in this package holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from rl_toolkit.analysis import Analysis
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, for_game
from rl_toolkit.explain.reversi.facts import GivesCorner, ReversiFact, ReversiView
from rl_toolkit.explain.reversi.phrases import seen_on_the_board

#: A fact that only some game has.
GameFact: TypeAlias = ReversiFact


class GameView(Protocol):
    """A position looked at once, for the facts of all its moves."""

    def facts_of(self, after: Any, move: int) -> Sequence[GameFact]:
        """What is true of ``move``, which leads to the running game ``after``."""


@dataclass(frozen=True, slots=True)
class GameExplainer:
    """What a game adds; the default adds nothing.

    Attributes:
        view: looks at a position, for facts of the game's own.
        phrase: those facts as words that continue "this move …"; empty if there are none.
        unwelcome: the kinds of fact that never speak for a move.
        remark: an analysis with further sentences in its notes.
    """

    view: Callable[[Any], GameView] | None = None
    phrase: Callable[[BaseGameEnv, Sequence[Any]], str] = lambda env, facts: ""
    unwelcome: tuple[type, ...] = ()
    remark: Callable[[BaseGameEnv, Analysis], Analysis] = lambda env, analysis: analysis


def _zugzwang(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    if analysis.engine != "exact":
        return analysis
    # Loads compiled code, which the engine that solved the position has loaded already.
    from rl_toolkit.explain.connect_four import add_zugzwang

    return add_zugzwang(env, analysis)


_EXPLAINERS: dict[type, GameExplainer] = {
    ConnectFour: GameExplainer(remark=_zugzwang),
    Reversi: GameExplainer(ReversiView, seen_on_the_board, (GivesCorner,)),
}
_PLAIN = GameExplainer()


def explainer_of(env: BaseGameEnv) -> GameExplainer:
    """What the game of ``env`` adds to explanations."""
    return for_game(_EXPLAINERS, env) or _PLAIN
