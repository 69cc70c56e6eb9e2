"""What individual games add to explanations, found by the class of the game.

A game may add facts seen on its board (`GameExplainer.view`), the phrase for them, and remarks on a
whole analysis. They are in the game's own file or folder in this package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Gomoku, Reversi, for_game
from rl_toolkit.explain.gomoku.facts import GomokuFact, GomokuView
from rl_toolkit.explain.gomoku.phrases import gomoku_phrase
from rl_toolkit.explain.gomoku.verdicts import gomoku_proof, name_threat
from rl_toolkit.explain.reversi.facts import (
    GivesCorner,
    LeavesCorner,
    ReversiFact,
    ReversiView,
)
from rl_toolkit.explain.reversi.phrases import reversi_phrase

#: A fact that only one game has.
GameFact: TypeAlias = ReversiFact | GomokuFact


@dataclass(frozen=True, slots=True)
class GameExplainer:
    """What a game adds; nothing by default.

    Attributes:
        view: looks at a position once, as `ReversiView` does, for the facts about all its moves.
        phrase: the game's own facts as words that continue "this move …"; may be empty.
        says_threats: whether ``phrase`` says which lines are threatened, so that nothing else does.
        unwelcome: the kinds of fact that never count in favour of a move.
        proof: how a proven win or loss comes about, instead of its line; may be empty.
        remark: the analysis with more sentences in its notes.
        lessons: what to learn from a mistake, by the kind of fact about it.
    """

    view: Callable[[Any], Any] | None = None
    phrase: Callable[[BaseGameEnv, Sequence[Any]], str] = lambda env, facts: ""
    says_threats: bool = False
    unwelcome: tuple[type, ...] = ()
    proof: Callable[[BaseGameEnv, Candidate], str] = lambda env, candidate: ""
    remark: Callable[[BaseGameEnv, Analysis], Analysis] = lambda env, analysis: analysis
    lessons: Mapping[type, str] = field(default_factory=dict)


def _zugzwang(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    if analysis.engine != "exact":
        return analysis
    # Loads compiled code, which the engine that solved the position has loaded already.
    from rl_toolkit.explain.connect_four import add_zugzwang

    return add_zugzwang(env, analysis)


_EXPLAINERS: dict[type, GameExplainer] = {
    ConnectFour: GameExplainer(remark=_zugzwang),
    Gomoku: GameExplainer(
        GomokuView, gomoku_phrase, says_threats=True, proof=gomoku_proof, remark=name_threat
    ),
    Reversi: GameExplainer(
        ReversiView,
        reversi_phrase,
        unwelcome=(GivesCorner,),
        lessons={GivesCorner: "Gave a corner", LeavesCorner: "Left a corner to the other side"},
    ),
}


def explainer_of(env: BaseGameEnv) -> GameExplainer:
    """What the game of ``env`` adds to explanations."""
    return for_game(_EXPLAINERS, env) or GameExplainer()
