"""Nim: a game without a grid, whose players may take turns unevenly."""

from rl_toolkit.envs.bases.text_game import TextGame
from rl_toolkit.envs.traits import GameTraits

_MOST = 3


class Nim(TextGame[tuple[int, int]]):
    """Take one to three stones; who takes the last one wins. Taking three gives another turn."""

    traits = GameTraits(
        pieces=("First", "Second"), alternates=False, sizes=(4, 7), preview="take-1 take-2"
    )

    def __init__(self, stones=4):
        self.stones = stones
        super().__init__(moves=_MOST, longest=stones)

    @property
    def name(self):
        return f"nim-{self.stones}"

    def start_state(self):
        return self.stones, 1

    def next_state(self, state, move):
        left, mover = state
        return left - move - 1, mover if move == 2 and left > 3 else -mover

    def moves_in(self, state):
        return list(range(min(_MOST, state[0])))

    def mover_in(self, state):
        return state[1]

    def result_in(self, state):
        return -state[1]

    def text_of(self, state):
        return "o " * state[0] or "empty"

    def name_in(self, state, move):
        return f"Take {move + 1}"
