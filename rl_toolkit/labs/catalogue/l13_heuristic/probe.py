"""Asks the student's window_score in their process."""

from itertools import product


def window_score(module, board, windows=None):
    """The scores of windows in the student's marks.

    ``board`` shows the marks: X on a1, O on b1, nothing on c1. ``windows`` are lists of 1, −1
    and 0, by default all of four cells but those that are full of one colour.
    """
    marks = [mark for row in board for mark in (row if hasattr(row, "__len__") else [row])]
    empty = marks[20]  # d3
    x, o = (mark for mark in marks if mark != empty)
    by_number = {1: x, -1: o, 0: empty}
    if windows is None:
        windows = [window for window in product((1, -1, 0), repeat=4) if abs(sum(window)) < 4]
    return [module.window_score([by_number[cell] for cell in window]) for window in windows]
