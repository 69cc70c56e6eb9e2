"""Engines: given a position, they return the value of each move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.algorithms.by_game.books import (
        BookPage,
        BookPlan,
        BuildProgress,
        book_page,
        build_book,
        load_book,
        whole_book,
    )
    from rl_toolkit.algorithms.by_game.compiled_rules import compiled_rules_for
    from rl_toolkit.algorithms.by_game.exact import exact_engine
    from rl_toolkit.algorithms.by_game.solvers import SOLVERS, final_margin, solver_of
    from rl_toolkit.algorithms.game_tree import TreeNode, alpha_beta
    from rl_toolkit.algorithms.review import (
        PIECES_FOR_NOTHING,
        MoveReview,
        Review,
        in_hindsight,
        may_learn,
        review_move,
        review_moves,
    )
    from rl_toolkit.algorithms.search_control import Stopwatch
    from rl_toolkit.algorithms.simple.seeds import rng_of
    from rl_toolkit.algorithms.simple.tactics import Win, immediate_wins, line_of, wins_if_to_move

__all__ = [
    "PIECES_FOR_NOTHING",  # Pieces that a move of accuracy 0 loses
    "SOLVERS",  # The solvers by the class of their game
    "BookPage",  # What a book says of the moves of one position
    "BookPlan",  # A book with openings of up to ``plies`` plies, built by ``workers`` threads
    "BuildProgress",  # Progress of a build
    "MoveReview",  # The verdict on one move of a game, from the view of the player who made it
    "Review",  # The verdicts on all moves of a game, and who won it
    "Stopwatch",  # Measures work without the time for compiling and loading kernels
    "TreeNode",  # A node of a tree with values at its leaves
    "Win",  # A move that wins immediately
    "alpha_beta",  # The value of a tree by alpha-beta, as the courses write it
    "book_page",  # What the shipped book says of the moves of a position; nothing is searched
    "build_book",  # Build the book of a game, or resume an interrupted build
    "compiled_rules_for",  # The compiled rules of a game; `None` if none match its Python rules
    "exact_engine",  # The exact solver of a game
    "final_margin",  # The final difference in pieces for the side to move
    "immediate_wins",  # The moves that win immediately for the side to move
    "in_hindsight",  # An analysis that knows what the analysis after the move knows
    "line_of",  # The cells of the winning line in what `step` returns
    "load_book",  # Load a book of any game
    "may_learn",  # Whether the analysis of the position after ``move`` could say more about it
    "review_move",  # The verdict on one move, given an analysis of its position
    "review_moves",  # Yield the verdict on each move in order, as soon as it is certain
    "rng_of",  # A generator that depends on the seed and the position only
    "solver_of",  # The solver that supports the board of ``env``; ``None`` if there is none
    "whole_book",  # The plies of a book that holds a whole game; ``None`` if it is too large
    "wins_if_to_move",  # The wins by a line that a player would have if it were their turn
]
__getattr__, __dir__ = front_door(__name__)
