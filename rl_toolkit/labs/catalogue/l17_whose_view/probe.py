"""Asks the student's functions about positions that the check names, in the student's process."""

import importlib
import random


def swap_test(modules, table, positions):
    """What swap_test finds for a value function given as a table: [board, player, value]."""
    values = {("".join(board), player): value for board, player, value in table}
    pairs = [(list(board), player) for board, player in positions]
    return modules["views.py"].swap_test(lambda b, p: values["".join(b), p], pairs)


def _game(moves, first):
    game = importlib.import_module("connect_four").ConnectFour(first)
    for move in moves:
        game = game.play(move)
    return game


def backup(modules, moves, first, path, result):
    """[visits, total] of every node on a path below the position, after one result."""
    module = modules["mcts.py"]
    nodes = [module.Node(_game(moves, first))]
    for move in path:
        parent = nodes[-1]
        nodes.append(module.Node(parent.game.play(move), parent, move))
        parent.children.append(nodes[-1])
    module.backup(nodes[-1], result)
    return [[node.visits, node.total] for node in nodes]


def visits(modules, moves, first, simulations):
    """Column → [visits, total] after a search."""
    root = modules["mcts.py"].search(_game(moves, first), simulations)
    return {child.move: [child.visits, child.total] for child in root.children}


def games(modules, seat, number, simulations):
    """The games of the search in that seat against random moves: [moves, winner]."""
    module, played = modules["mcts.py"], []
    for _ in range(number):
        game, moves = _game([], 1), []
        while game.winner is None:
            if game.player == seat:
                children = module.search(game, simulations).children
                move = max(children, key=lambda child: child.visits).move
            else:
                move = random.choice(game.moves())
            moves.append(move)
            game = game.play(move)
        played.append([moves, game.winner])
    return played
