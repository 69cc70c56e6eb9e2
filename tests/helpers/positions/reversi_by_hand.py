"""Reversi with nothing but loops over lists, to check what is said about it."""


def placements(board, side, player):
    """Where ``player`` can place, and the board afterwards, by walking in all eight directions."""
    found = {}
    for row in range(side):
        for col in range(side):
            if board[row * side + col]:
                continue
            flips = []
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    r, c, run = row + dr, col + dc, []
                    while 0 <= r < side and 0 <= c < side and board[r * side + c] == -player:
                        run.append(r * side + c)
                        r, c = r + dr, c + dc
                    if 0 <= r < side and 0 <= c < side and board[r * side + c] == player:
                        flips += run
            if flips:
                after = list(board)
                for cell in [row * side + col, *flips]:
                    after[cell] = player
                found[row * side + col] = after
    return found


def won_at_once(board, side, player):
    """The moves after which nobody can place and ``player`` has more discs."""
    return frozenset(
        move
        for move, after in placements(board, side, player).items()
        if not placements(after, side, player)
        and not placements(after, side, -player)
        and after.count(player) > after.count(-player)
    )


def regions(board, side):
    """The empty squares, each first alone, then joined with whatever it touches."""
    groups = [{cell} for cell, piece in enumerate(board) if not piece]
    for one in range(side * side):
        for other in range(one):
            down, right = abs(one // side - other // side), abs(one % side - other % side)
            if max(down, right) == 1 and not board[one] and not board[other]:
                joined = [group for group in groups if one in group or other in group]
                groups = [group for group in groups if group not in joined]
                groups.append(set().union(*joined))
    return groups


def ever_turned(board, side, player, seen):
    """Squares of which a disc is turned over in some way in which the game may go on."""
    key = (tuple(board), player)
    if key in seen:
        return seen[key]
    seen[key] = frozenset()
    turned = set()
    moves = placements(board, side, player)
    if not moves and placements(board, side, -player):
        turned |= ever_turned(board, side, -player, seen)
    for after in moves.values():
        turned |= {cell for cell, piece in enumerate(board) if piece and piece != after[cell]}
        turned |= ever_turned(after, side, -player, seen)
    seen[key] = frozenset(turned)
    return seen[key]
