"""Game trees by hand, then by program. Red wants +1, Blue wants -1, 0 is a draw."""

# The tree in the picture: node -> its two children, left one first. A number is the end of a game.
TREE = {
    "Root": ["M", "N"],
    "M": ["I", "J"], "N": ["K", "L"],
    "I": ["A", "B"], "J": ["C", "D"], "K": ["E", "F"], "L": ["G", "H"],
    "A": [1, 0], "B": [-1, 0], "C": [-1, 1], "D": [-1, 0],
    "E": [1, 0], "F": [-1, 0], "G": [1, 1], "H": [1, 1],
}  # fmt: skip

# TODO 1: replace each None by the value of the node: 1, 0 or -1.
VALUES = {
    "A": None, "B": None, "C": None, "D": None,   # Blue is to move
    "E": None, "F": None, "G": None, "H": None,   # Blue
    "I": None, "J": None, "K": None, "L": None,   # Red
    "M": None, "N": None,                         # Blue
    "Root": None,                                 # Red
}  # fmt: skip

# TODO 2: replace each None by the best move, "left" or "right". Left if both are equally good.
MOVES = {
    "A": None, "B": None, "C": None, "D": None,   # Blue is to move
    "E": None, "F": None, "G": None, "H": None,   # Blue
    "I": None, "J": None, "K": None, "L": None,   # Red
    "M": None, "N": None,                         # Blue
    "Root": None,                                 # Red
}  # fmt: skip

# Trees for tasks 3 and 4. A number is a leaf, a list is a node with its children. Red moves first.
PRACTICE = [
    [[3, 5], [2, 9]],
    [[6, 9, 7], [4, 8, 8], [5, 2, 9]],
    [[[4, 6], [7, 9]], [[1, 2], [0, 8]], [[5, 3], [6, 6]]],
    [0, [1, -1], [[1, 1], [0, -1]]],
]


def other(mover):
    """The opponent."""
    return "Blue" if mover == "Red" else "Red"


def destiny(node, mover):
    """The value of a node if both sides play their best and mover ("Red" or "Blue") is to move."""
    return None  # TODO 3: a leaf, or the best of the children's destinies


def best_child(node, mover):
    """The number of the best child for mover, counted from 0; the first of equally good ones."""
    return None  # TODO 4


if __name__ == "__main__":
    for name, table in (("values", VALUES), ("moves", MOVES)):
        written = sum(entry is not None for entry in table.values())
        print(f"{name} by hand: {written} of 15 written")
    for tree in PRACTICE:
        print(tree, "->", destiny(tree, "Red"), "by child", best_child(tree, "Red"))
