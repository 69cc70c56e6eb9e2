"""Which games may run as machine code: those whose Python rules are the ones that were compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.envs import BaseGameEnv

if TYPE_CHECKING:
    from rl_toolkit.kernels.rules import CompiledRules

#: What a compiled twin stands for. A subclass that changes one of these is another game.
_MEANING = (
    "step",
    "get_legal_moves",
    "is_terminal",
    "check_win",
    "get_result",
    "evaluate_heuristic",
    "_legal",
    "_landing",
    "_verdict",
    "_wins",
)


def compiled_twin(env: BaseGameEnv) -> CompiledRules | None:
    """The compiled rules of ``env``'s game, or ``None`` where there are none that mean the same.

    A class that inherits ``kernel_spec`` but changes the rules, or the heuristic, has no twin:
    its Python code is what counts.
    """
    spec = env.kernel_spec()
    if spec is None:
        return None
    kind = type(env)
    described = next(cls for cls in kind.__mro__ if "kernel_spec" in vars(cls))
    if any(getattr(kind, n, None) is not getattr(described, n, None) for n in _MEANING):
        return None
    from rl_toolkit.kernels.rules import compiled_rules

    return compiled_rules(spec)
