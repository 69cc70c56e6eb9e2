"""Handout B, labs 2.1 to 2.3: the search, on your own game."""

import math

from companion import Wrong, equal, left_alone, method, plain, require, take


def game(moves=()):
    made = take("my_connect_four.py", "ConnectFour", 1)()
    for move in moves:
        made.step(move)
    return made


def node(*args):
    return take("my_mcts.py", "MCTSNode", 2)(*args)


def solver(**options):
    return take("my_mcts.py", "MCTSSolver", 2)(**options)


def test_new_node():
    """a new node: no visits, seven untried moves, an infinite score"""
    made = node(game(), None, None)
    equal(made.visit_count, 0, "visit_count")
    equal(len(made.untried_moves), 7, "untried moves at the start")
    child = node(game([3]), made, 3)
    equal(child.uct_score(), math.inf, "uct_score of a node without visits")


def test_expand():
    """expand adds one child and takes one move away"""
    made = node(game(), None, None)
    made.expand()
    equal((len(made.children), len(made.untried_moves)), (1, 6), "children and untried moves")
    left = set()
    for _ in range(20):
        made = node(game(), None, None)
        made.expand()
        left.add(tuple(sorted(int(move) for move in made.untried_moves)))
    require(len(left) > 1, "expand tries the same move first in 20 new nodes: choose at random")


def test_expand_leaves_the_game():
    """expand does not play on the node's own game"""
    made = node(game(), None, None)
    made.expand()
    equal(made.env.board, [0] * 42, "board of the node after expand")


def test_uct_scores():
    """10 visits at the parent, (3, 5), (1, 2), (2, 3): 1.557, 2.013, 1.902"""
    root = node(game(), None, None)
    root.visit_count = 10
    for total, visits, right in ((3, 5, 1.557), (1, 2, 2.013), (2, 3, 1.902)):
        child = node(game([3]), root, 3)
        child.total_value, child.visit_count = total, visits
        score = child.uct_score(1.41)
        require(
            abs(score - right) < 0.002,
            f"total {total} in {visits} visits, 10 at the parent: uct_score(1.41) is {right}, "
            f"yours is {score:.3f}",
        )


def test_a_legal_move():
    """100 simulations give a legal move and some statistics"""
    thinker = solver(num_simulations=100)
    start = game()
    move = left_alone(
        lambda: thinker.search(start),
        lambda: start.board,
        [0] * 42,
        "search leaves its moves on the game that it is given: copy the game for the root, and "
        "for each playout",
    )
    require(move in range(7), f"search returned {move!r}")
    stats = method(thinker, "get_stats", 2)()
    require(stats, "get_stats is empty")
    for word in ("nodes", "depth"):
        counts = [value for name, value in stats.items() if word in name and value is not None]
        require(
            any(count > 0 for count in counts),
            f"get_stats says the {word} of the tree: your answer is {plain(stats)!r}",
        )


def entries_of(moves, simulations=400):
    """What a search says of each move."""
    found = method(solver(num_simulations=simulations), "get_candidate_evaluations", 2)
    return {int(move): entry for move, entry in found(game(moves)).items()}


def share(moves, simulations=400):
    """The visits of each move."""
    found = entries_of(moves, simulations)
    return {move: int(entry["visits"]) for move, entry in found.items()}


def test_x_wins():
    """X takes a win: most visits go to it"""
    visits = share([3, 4, 3, 4, 3, 4])
    require(
        visits.get(3, 0) > 200, f"X wins at d; it should have most of 400 visits, yours: {visits}"
    )


def test_o_wins():
    """O takes a win: the result is turned for O (erratum R27)"""
    visits = share([3, 4, 3, 4, 3, 4, 0])
    require(
        visits.get(4, 0) > 200,
        f"O wins at e; it should have most of 400 visits, yours: {visits}. The result of a playout "
        "is X's: on the way up add it times the player who moved into the node. A sign that only "
        "flips from the leaf upwards is right for one side only",
    )


def test_values_are_the_movers():
    """the value of a winning move is near +1, X's and O's: the mover's view"""
    for moves, move, who in (([3, 4] * 3, 3, "X wins at d"), ([3, 4] * 3 + [0], 4, "O wins at e")):
        value = float(entries_of(moves)[move]["value"])
        require(value > 0.9, f"{who}, who moves: its value should be near +1, yours is {value:.2f}")


def test_words():
    """heavily over 200 visits, moderately over 50, else lightly; strong, balanced, weak"""
    for moves in ([3, 4] * 3, [3, 0, 3, 0, 3], []):
        for move, entry in entries_of(moves).items():
            visits, value = int(entry["visits"]), float(entry["value"])
            often = "heavily" if visits > 200 else "moderately" if visits > 50 else "lightly"
            how = "strong" if value > 0.3 else "balanced" if value > -0.3 else "weak"
            for word in (often, how):
                require(
                    word in str(entry["reasoning"]).lower(),
                    f"column {move} with {visits} visits and the value {value:.2f} is '{word}', "
                    f"your reasoning is {entry['reasoning']!r}",
                )


def test_o_blocks():
    """O blocks X's three in a column"""
    move = solver(num_simulations=600).search(game([3, 0, 3, 0, 3]))
    equal(int(move), 3, "search with X threatening d4")


def test_visits_add_up():
    """the visits of the moves add up to the simulations"""
    total = sum(share([3], 300).values())
    require(abs(total - 300) <= 1, f"300 simulations, but the visits add up to {total}")


def test_evaluations():
    """each entry: value, visits, uct_score, reasoning; exactly one is_best, the most visited"""
    entries = solver(num_simulations=200).get_candidate_evaluations(game())
    for entry in entries.values():
        for name in ("value", "visits", "uct_score", "reasoning", "is_best"):
            require(name in entry, f"an entry has no {name!r}")
        if not -1 <= float(entry["value"]) <= 1:
            raise Wrong(f"values are from -1 to 1, yours is {entry['value']}")
    marked = [move for move, entry in entries.items() if entry["is_best"]]
    equal(len(marked), 1, "moves with is_best")
    most = max(int(entry["visits"]) for entry in entries.values())
    equal(int(entries[marked[0]]["visits"]), most, "visits of the best move")
