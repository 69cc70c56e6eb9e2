"""``mix``: two engines, and a lot for every move that decides which of them plays it.

A strong engine that leaves a share of its moves to a weak one is as strong as anything between the
two. Ladders use it for the steps between engines, and for ratings between two steps::

    mix:strong=minimax:depth=4,weak=minimax:depth=2,slips=0.3     3 of 10 moves by depth 2
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rl_toolkit.players.spec import Spec

MIX = "mix"


class Mix(NamedTuple):
    """A mix of two engines: it plays as ``strong``, with the probability ``slips`` as ``weak``."""

    strong: Spec
    weak: Spec
    slips: float

    @property
    def spec(self) -> Spec:
        """The spec of the mix.

        >>> Mix(Spec.read("minimax:depth=4"), Spec.read("greedy"), 0.3).spec
        Spec('mix:strong=minimax:depth=4,weak=greedy,slips=0.3')
        """
        return Spec(MIX).with_(**self._asdict())

    @classmethod
    def of(cls, spec: Spec) -> Mix | None:
        """The parts of a spec, ``None`` if it is not a mix.

        >>> Mix.of(Spec.read("mix:strong=exact")), Mix.of(Spec.read("exact"))
        (Mix(strong=Spec('exact'), weak=Spec('first'), slips=0.25), None)
        """
        if spec.kind != MIX:
            return None
        parts: dict[str, Any] = spec.settings
        return cls(parts["strong"], parts["weak"], parts["slips"])
