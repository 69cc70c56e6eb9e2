"""Handout B, labs 3.1 to 3.3: the heuristic."""

from companion import method, require, take


def estimate(moves, player=1):
    game = take("my_connect_four.py", "ConnectFour", 1)()
    for move in moves:
        game.step(move)
    return float(method(game, "evaluate_heuristic", 3)(player))


def test_sums():
    """worked sums: d 3, d a d 16, d a d a 6, d a d a d 109, c a d a e 203, all by 4200"""
    for moves, right in (
        ((3,), 3),
        ((3, 0, 3), 16),
        ((3, 0, 3, 0), 6),
        ((3, 0, 3, 0, 3), 109),
        ((2, 0, 3, 0, 4), 203),
    ):
        names = " ".join("abcdefg"[move] for move in moves)
        answer = estimate(moves) * 4200
        require(
            abs(answer - right) < 1e-6,
            f"after {names} the sum is {right} for X, yours is {answer:.6g} (before dividing by "
            "4200). Windows: three and a gap 100, two and two gaps 10, each piece in the centre 3",
        )


def test_antisymmetric():
    """O's estimate is minus X's"""
    for moves in ((3,), (3, 0, 3), (2, 0, 3, 0, 4)):
        require(
            abs(estimate(moves, 1) + estimate(moves, -1)) < 1e-9,
            f"after {' '.join('abcdefg'[m] for m in moves)} X's and O's estimates do not add up "
            "to 0",
        )


def test_a_won_game():
    """a won game is worth 1, not an estimate"""
    answer = estimate((0, 1, 0, 1, 0, 1, 0))
    require(answer == 1, f"X has won: the estimate is 1, yours is {answer:g}")
    answer = estimate((6, 0, 6, 1, 5, 2, 5, 3))
    require(answer == -1, f"O has won: the estimate for X is -1, yours is {answer:g}")


def test_depth_limit():
    """playouts cut after 10 plies still give legal moves, and take a win"""
    made = take("my_mcts.py", "MCTSSolver", 2)(num_simulations=200, max_depth=10)
    game = take("my_connect_four.py", "ConnectFour", 1)()
    for move in (3, 4, 3, 4, 3, 4):
        game.step(move)
    move = made.search(game)
    require(move == 3, f"X wins at d (column 3), your search with max_depth=10 plays {move!r}")


def test_cut_playouts_ask_for_an_estimate():
    """max_depth=5 at the start: playouts stop and ask evaluate_heuristic"""
    game = take("my_connect_four.py", "ConnectFour", 1)
    asked = []
    own = method(game, "evaluate_heuristic", 3)

    def counted(self, *arguments, **named):
        asked.append(arguments)
        return own(self, *arguments, **named)

    game.evaluate_heuristic = counted
    try:
        take("my_mcts.py", "MCTSSolver", 2)(num_simulations=40, max_depth=5).search(game())
    finally:
        game.evaluate_heuristic = own
    require(
        asked,
        "MCTSSolver(num_simulations=40, max_depth=5) never asks evaluate_heuristic: a playout "
        "stops after max_depth plies and takes the estimate",
    )


def test_whose_estimate():
    """the estimate of a cut playout is X's, as the result of a whole one"""
    game = take("my_connect_four.py", "ConnectFour", 1)
    own = method(game, "evaluate_heuristic", 3)
    game.evaluate_heuristic = lambda self, player: 0.9 * player
    try:
        for depth in (2, 3):
            made = take("my_mcts.py", "MCTSSolver", 2)(num_simulations=60, max_depth=depth)
            found = method(made, "get_candidate_evaluations", 2)(game())
            worst = min(float(entry["value"]) for entry in found.values())
            require(
                worst > 0.5,
                f"if each estimate is 0.9 for X and -0.9 for O, every first move of X is worth 0.9 "
                f"with max_depth={depth}; yours gives {worst:.2f}. Ask for one player's estimate "
                "in each playout, and turn it as you turn a result",
            )
    finally:
        game.evaluate_heuristic = own
