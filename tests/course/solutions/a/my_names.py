def index_to_algebraic(index, board_size):
    row, col = divmod(index, board_size)
    return tuple_to_algebraic((row, col), board_size)


def algebraic_to_index(position, board_size):
    row, col = algebraic_to_tuple(position, board_size)
    return row * board_size + col


def tuple_to_algebraic(position, board_size):
    row, col = position
    return chr(ord("a") + col) + str(row + 1)


def algebraic_to_tuple(position, board_size):
    if not validate_position(position, board_size):
        raise ValueError(f"{position!r} is not a square")
    return int(position[1:]) - 1, ord(position[0]) - ord("a")


def validate_position(position, board_size):
    if len(position) < 2 or not position[1:].isdigit():
        return False
    return 0 <= ord(position[0]) - ord("a") < board_size and 1 <= int(position[1:]) <= board_size


def render_board_ascii(board, board_size):
    lines = ["   " + " ".join(chr(97 + col) for col in range(board_size))]
    for row in range(board_size):
        cells = board[row * board_size : (row + 1) * board_size]
        lines.append(f"{row + 1}  " + " ".join(".XO"[cell] for cell in cells))
    return "\n".join(lines)
