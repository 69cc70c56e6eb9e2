"""Walks the student's rules in their process: counts move sequences, looks at shared rows."""


def count_moves(module, board, sample, moves):
    """How many sequences of 1, 2, … ``moves`` moves there are from a board, X first.

    ``sample`` is a board with X on a1 and O on b1: it shows the marks. Boards that are reached in
    several ways are counted together, and of two mirror images one is walked.
    """
    marks = _flat(sample)
    x, o = (mark for mark in marks if mark != marks[20])  # d3 is empty
    counts, level = [], {repr(board): (board, 1)}
    for ply in range(moves):
        player = o if ply % 2 else x
        going = [(each, ways) for each, ways in level.values() if not module.is_won(each)]
        counts.append(sum(ways * len(module.legal(each)) for each, ways in going))
        if ply + 1 == moves:
            return counts
        level = {}
        for each, ways in going:
            for column in module.legal(each):
                after = module.step(each, column, player)
                key = min(repr(after), _mirrored(after))
                old = level.get(key)
                level[key] = (after, ways + (old[1] if old else 0))
    return counts


def shared(module, board, column, player):
    """Whether the board after a move is the old board, or shares rows with it."""
    after = module.step(board, column, player)
    if after is board:
        return "board"
    old = {id(row) for row in board}
    return "rows" if any(id(row) in old for row in after) else ""


def _mirrored(board):
    nested = isinstance(board[0], list)
    return repr([row[::-1] for row in board] if nested else board)


def _flat(board):
    return [mark for row in board for mark in (row if hasattr(row, "__len__") else [row])]
