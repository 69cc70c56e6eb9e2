"""Makes players from lists and hands them to the student's functions, in the student's process.

A player is the name of a function in the student's file, or a list of groups of cells: it plays any
free cell of the first group that has one.
"""

_PLAYERS = {}


def _player(module, spec):
    if isinstance(spec, str):
        return getattr(module, spec)
    if repr(spec) not in _PLAYERS:

        def play(board, mark):
            for group in spec:
                free = [cell for cell in group if board[cell] == " "]
                if free:
                    return free
            return []

        _PLAYERS[repr(spec)] = play  # kept, so that two players never have the same address
    return _PLAYERS[repr(spec)]


def match(module, a, b, games):
    """What match answers, and in how many games a and b were X."""
    seats = {"a": 0, "b": 0}

    def watched(name, player):
        def play(board, mark):
            if all(cell == " " for cell in board):
                seats[name] += 1
            return player(board, mark)

        return play

    first, second = watched("a", _player(module, a)), watched("b", _player(module, b))
    result = module.match(first, second, games)
    return {"result": result, "a": seats["a"], "b": seats["b"]}


def exact(module, player, seat, board, mark):
    """What exact_vs_random answers."""
    return module.exact_vs_random(_player(module, player), seat, list(board), mark)


def grade(module, player, positions):
    """What grade answers; without positions, for all of them."""
    pairs = [(list(board), mark) for board, mark in positions] or module.all_positions()
    return module.grade(_player(module, player), pairs)
