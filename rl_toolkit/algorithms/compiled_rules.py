"""Which games may run as machine code: those whose Python rules are the ones that were compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.envs import BaseGameEnv

if TYPE_CHECKING:
    from rl_toolkit.kernels.rules.compiled import CompiledRules

#: The rules. A subclass that changes one of these is another game.
_RULES = (
    "step",
    "get_legal_moves",
    "is_terminal",
    "check_win",
    "get_result",
    "open_moves",
    "landing",
    "verdict",
    "_wins",
)


def rules_are_known(env: BaseGameEnv) -> bool:
    """Whether the rules of ``env`` are those of the class that describes them for a kernel.

    A subclass that changes rules inherits that description, and shortcuts such as ``forced_moves``,
    without their being true any more. A game with no description knows best itself.
    """
    return _unchanged(env, _RULES)


def compiled_rules_for(env: BaseGameEnv) -> CompiledRules | None:
    """The compiled rules of ``env``'s game, or ``None`` where there are none that mean the same.

    A class that changes the rules, or the heuristic, has no twin: its Python code is what counts.
    """
    spec = env.kernel_spec()
    if spec is None or not _unchanged(env, (*_RULES, "evaluate_heuristic")):
        return None
    from rl_toolkit.kernels.rules.compiled import compiled_rules

    return compiled_rules(spec)


def _unchanged(env: BaseGameEnv, methods: tuple[str, ...]) -> bool:
    kind = type(env)
    described = next(cls for cls in kind.__mro__ if "kernel_spec" in vars(cls))
    if described is BaseGameEnv:
        return True
    return all(getattr(kind, n, None) is getattr(described, n, None) for n in methods)
