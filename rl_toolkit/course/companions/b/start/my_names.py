"""Session 1: names of cells. Row 1 is the bottom row."""


def get_position_name_rect(index, rows, cols):
    raise NotImplementedError


def get_index_from_name_rect(name, rows, cols):
    raise NotImplementedError
