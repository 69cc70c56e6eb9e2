"""Facts about a Gomoku move in words that continue "this move …"."""

from __future__ import annotations

from collections.abc import Sequence

from rl_toolkit.analysis import words_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.gomoku.facts import BlocksThrees, GomokuFact, Makes, MustReply, Shape
from rl_toolkit.explain.places import squares
from rl_toolkit.utils import listed


def gomoku_phrase(env: BaseGameEnv, facts: Sequence[GomokuFact]) -> str:
    """What the move blocks, what it makes, and how it must be answered."""
    opponent = words_for(env).side(-env.current_player)
    clauses = []
    for fact in facts:
        match fact:
            case BlocksThrees(threes):
                kinds = [f"{three.kind} {squares(env, three.stones)}" for three in threes]
                clauses.append(f"blocks {opponent}'s {listed(kinds)}")
            case Makes(shapes):
                clauses.append(_made(env, shapes))
    reply = next((fact for fact in facts if isinstance(fact, MustReply)), None)
    sentence = listed(clauses) if clauses else ""
    return sentence if reply is None else sentence + _reply(env, reply, opponent)


def _made(env: BaseGameEnv, shapes: Sequence[Shape]) -> str:
    if len(shapes) == 1:
        return f"makes {_named(shapes[0])}"
    parts = [f"{_named(shape)} ({squares(env, shape.cells, 'or')})" for shape in shapes]
    return f"makes a double threat: {listed(parts)}"


def _named(shape: Shape) -> str:
    return f"{'an' if shape.kind.startswith('o') else 'a'} {shape.kind}"


def _reply(env: BaseGameEnv, reply: MustReply, opponent: str) -> str:
    if not reply.cells:
        but = " except by a four" if reply.or_four else ""
        return f", which {opponent} cannot stop{but}"
    four = " or make a four" if reply.or_four else ""
    return f", so {opponent} must reply at {squares(env, reply.cells, 'or')}{four}"
