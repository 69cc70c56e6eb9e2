"""What individual games add to explanations, found by the class of the game.

A game may add facts seen on its board (`GameExplainer.view`), the phrase for them, and remarks on a
whole analysis. They are in the game's own file or folder in this package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rl_toolkit.analysis import Analysis
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, for_game
from rl_toolkit.explain.reversi.facts import GivesCorner, ReversiFact, ReversiView
from rl_toolkit.explain.reversi.phrases import reversi_phrase

#: A fact that only one game has.
GameFact: TypeAlias = ReversiFact


@dataclass(frozen=True, slots=True)
class GameExplainer:
    """What a game adds; nothing by default.

    Attributes:
        view: looks at a position once, as `ReversiView` does, for the facts about all its moves.
        phrase: the game's own facts as words that continue "this move …"; may be empty.
        unwelcome: the kinds of fact that never count in favour of a move.
        remark: the analysis with more sentences in its notes.
    """

    view: Callable[[Any], Any] | None = None
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
    Reversi: GameExplainer(ReversiView, reversi_phrase, (GivesCorner,)),
}


def explainer_of(env: BaseGameEnv) -> GameExplainer:
    """What the game of ``env`` adds to explanations."""
    return for_game(_EXPLAINERS, env) or GameExplainer()
