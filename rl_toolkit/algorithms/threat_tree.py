"""The tree of continuous fours: can the side to move win if every move threatens to win at once?

In a game that is won by lines a *four* threatens to complete a line with the next move. The other
side has to answer it, so a tree of nothing but fours is narrow and can be searched to a great depth
(Gomoku calls such a win VCF, *victory by continuous fours*)::

    attacker (OR)     a move that wins at once, or every move that makes a four;
                      if the defender threatens to win too, only on the cell that stops it
    defender (AND)    every cell that stops the threat; no, if the defender can win instead

A yes is a win in the game itself. A no is not a loss: quiet moves were never tried.
"""

from __future__ import annotations

from rl_toolkit.envs import BaseGameEnv


class ThreatNode:
    """A position in the tree of continuous fours of ``attacker``, by default the side to move.

    It has the interface of `game_tree.Node`; a leaf scores 1 if the attack has won, else 0.

    >>> from rl_toolkit.algorithms.proof_numbers import prove
    >>> from rl_toolkit.envs import make_game
    >>> env = make_game("gomoku-9").after([38, 0, 39, 1, 40, 2])  # an open three for black
    >>> prove(ThreatNode(env), maximizing=True)
    True
    """

    def __init__(
        self, env: BaseGameEnv, move: int | None = None, attacker: int | None = None
    ) -> None:
        self.env, self.move = env, move
        self.attacker = env.current_player if attacker is None else attacker
        self._moves = None if self._is_won() else self._to_try()

    def is_leaf(self) -> bool:
        """Whether the attack has won here, or has ended."""
        return not self._moves

    def get_score(self) -> float | None:
        """1 if the attack has won, 0 if it has ended without a win, else ``None``."""
        return None if self._moves else float(self._is_won())

    def get_children(self) -> list[ThreatNode]:
        """The moves to try, in their order."""
        return [
            ThreatNode(self.env.after([move]), move, self.attacker) for move in self._moves or ()
        ]

    def get_move(self) -> int | None:
        """The move that leads here; ``None`` at the root."""
        return self.move

    def _is_won(self) -> bool:
        return self.env.is_terminal() and self.env.get_result(self.attacker) > 0

    def _to_try(self) -> list[int]:
        if self.env.is_terminal():
            return []
        threats = self.env.winning_moves(self.attacker)
        answers = self.env.winning_moves(-self.attacker)
        if self.env.current_player != self.attacker:
            return [] if answers else threats
        if threats:
            return threats[:1]
        return [move for move in answers or self.env.get_legal_moves() if self._is_four(move)]

    def _is_four(self, move: int) -> bool:
        after = self.env.after([move])
        return not after.is_terminal() and bool(after.winning_moves(self.attacker))
