"""`HandTreeGame`: a tree typed by hand as a game, so that every readable search takes it."""

from __future__ import annotations

from collections.abc import Hashable

from rl_toolkit.envs.base_game import StepResult
from rl_toolkit.envs.bases.text_game import TextGame
from rl_toolkit.envs.errors import InvalidMoveError
from rl_toolkit.envs.hand_trees.notation import HandNode, HandTree, described, read_tree
from rl_toolkit.envs.traits import GameTraits
from rl_toolkit.envs.validation import as_move, as_player


class HandTreeGame(TextGame[HandNode]):
    """MAX and MIN move down a tree in turns; the leaf that they reach is the result for MAX.

    A move is the number of the node that it leads to, so every move has a name of its own. The text
    of a position is the notation of the tree that is left.

    >>> env = HandTreeGame("(3 12 8) (2 4 6) (14 5 2)")
    >>> _ = env.step("C"), env.step("C1")
    >>> env.get_result(1)
    14.0
    """

    traits = GameTraits(
        name="tree",
        title="Game tree",
        pieces=("MAX", "MIN"),
        alternates=True,
        free_results=True,
    )

    def __init__(self, tree: str | HandTree) -> None:
        self.tree = tree if isinstance(tree, HandTree) else read_tree(tree)
        super().__init__(len(self.tree.nodes), self.tree.depth)

    def start_state(self) -> HandNode:
        """The root."""
        return self.tree.root

    def next_state(self, state: HandNode, move: int) -> HandNode:
        """The child with the number ``move``."""
        return self.tree.nodes[move]

    def moves_in(self, state: HandNode) -> list[int]:
        """The numbers of the children."""
        return [child.number for child in state.children]

    def mover_in(self, state: HandNode) -> int:
        """+1 where MAX moves."""
        return 1 if self.tree.is_max(state) else -1

    def result_in(self, state: HandNode) -> int:
        """Whom the leaf favours."""
        value = state.value or 0.0
        return (value > 0) - (value < 0)

    def get_result(self, player: int) -> float:
        """The leaf's value for ``player``; ``ValueError`` above the leaves."""
        player, value = as_player(player), self.state.value
        if value is None:
            raise ValueError("the game is not over, so it has no result yet")
        return value * player + 0.0

    def step(self, move: int | str) -> StepResult:
        """Play ``move``; the reward is the leaf's value for MAX."""
        board, _, done, info = super().step(move)
        return board, self.get_result(1) if done else 0.0, done, info

    def text_of(self, state: HandNode) -> str:
        """The tree as indented lines, or the leaf."""
        return described(self.tree.below(state)) if state.children else f"a leaf: {state.value:g}"

    def key_of(self, state: HandNode) -> Hashable:
        """The number of the node, and the tree."""
        return state.number, self.tree.text

    def name_in(self, state: HandNode, move: int) -> str:
        """The name of the node that the move leads to."""
        return self.tree.nodes[move].name

    def move_name(self, move: int) -> str:
        """The name of the node that the move leads to, whether it is legal now or not."""
        number = as_move(move)
        if not 0 < number < len(self.tree.nodes):
            return super().move_name(move)
        return self.tree.nodes[number].name

    def parse_move(self, text: str) -> int:
        """The move to the node of that name, whether it is legal now or not."""
        try:
            return super().parse_move(text)
        except InvalidMoveError:
            nodes = [node for node in self.tree.nodes[1:] if node.name == text]
            if not nodes:
                raise
            return nodes[0].number

    def moves_text(self) -> str:
        """The notation of the tree below this position."""
        if not self._moves:
            return self.tree.text
        state = self.state
        return self.tree.below(state).text if state.children else f"{state.value:g}"
