from my_minimax import MinimaxSolver
from my_tictactoe import TicTacToe


class History:
    def __init__(self, game):
        self.game = game
        self.moves = []

    def play(self, action):
        self.game.step(action)
        self.moves.append(action)

    def undo(self):
        if not self.moves:
            raise ValueError("there is no move to take back")
        self.moves.pop()
        self.game.reset()
        for move in self.moves:
            self.game.step(move)


def deepen(env, seconds, clock):
    start, depth = clock(), 0
    while True:
        depth += 1
        move = MinimaxSolver(max_depth=depth).get_best_action(env, env.current_player == 1)
        if depth == len(env.get_legal_actions()) or clock() - start >= seconds:
            return move, depth


def move_at_level(env, level):
    depths = {"easy": 1, "medium": 3, "perfect": None}
    if level not in depths:
        raise ValueError(f"{level} is not a level")
    return MinimaxSolver(max_depth=depths[level]).get_best_action(env, env.current_player == 1)


def build_book(plies):
    solver, book, waiting = MinimaxSolver(), {}, [TicTacToe()]
    while waiting:
        game = waiting.pop()
        key = tuple(int(cell) for cell in game.board)
        if game.done or key in book or sum(map(abs, key)) >= plies:
            continue
        found = solver.get_candidate_evaluations(game, game.current_player == 1)
        book[key] = [move for move, entry in found.items() if entry["is_best"]]
        for move in found:
            child = game.copy()
            child.step(move)
            waiting.append(child)
    return book
