"""Which games may run as machine code: those whose Python rules match the compiled ones."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import numpy as np

from rl_toolkit.envs import BaseGameEnv

if TYPE_CHECKING:
    from rl_toolkit.kernels.rules.compiled import CompiledRules

#: The methods that define the rules. A subclass that overrides one of them is a different game.
_RULES = (
    "step",
    "get_legal_moves",
    "get_legal_actions",
    "is_terminal",
    "check_win",
    "get_result",
    "open_moves",
    "landing",
    "verdict",
    "_wins",
    "_find_lowest_row",
)


def rules_are_known(env: BaseGameEnv) -> bool:
    """Whether ``env`` still plays by the rules that its ``kernel_spec`` describes.

    A subclass that overrides rules inherits that description, and shortcuts such as
    ``forced_moves``, although they no longer hold. A game without a description is trusted.
    """
    return _unchanged(env, _RULES)


def compiled_rules_for(env: BaseGameEnv) -> CompiledRules | None:
    """The compiled rules of ``env``'s game; ``None`` if there are none that match its Python rules.

    A class that overrides the rules or the heuristic has none: its Python code decides. Neither has
    a game whose weights are not whole numbers, which machine code would truncate.
    """
    spec = env.kernel_spec()
    if spec is None or not _unchanged(env, (*_RULES, "evaluate_heuristic")):
        return None
    if not _whole(getattr(env, "heuristic_weights", None)):
        return None
    from rl_toolkit.kernels.rules.compiled import compiled_rules

    return compiled_rules(spec)


def _whole(weights: object) -> bool:
    """Whether all weights are whole numbers."""
    if not is_dataclass(weights) or isinstance(weights, type):
        return True
    values = (getattr(weights, field.name) for field in fields(weights))
    each = (
        value for found in values for value in (found if isinstance(found, tuple) else (found,))
    )
    return all(value is None or isinstance(value, (int, np.integer)) for value in each)


def _unchanged(env: BaseGameEnv, methods: tuple[str, ...]) -> bool:
    kind = type(env)
    described = next(cls for cls in kind.__mro__ if "kernel_spec" in vars(cls))
    if described is BaseGameEnv:
        return True
    return all(getattr(kind, n, None) is getattr(described, n, None) for n in methods)
