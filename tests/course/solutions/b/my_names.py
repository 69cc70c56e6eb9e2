def get_position_name_rect(index, rows, cols):
    row, col = divmod(index, cols)
    return "abcdefghijklmnopqrstuvwxyz"[col] + str(row + 1)


def get_index_from_name_rect(name, rows, cols):
    col, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(name)
    return row * cols + col
