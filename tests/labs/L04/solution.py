"""Game trees by hand, then by program. Red wants +1, Blue wants -1, 0 is a draw."""

# The tree in the picture: node -> its two children, left one first. A number is the end of a game.
TREE = {
    "Root": ["M", "N"],
    "M": ["I", "J"], "N": ["K", "L"],
    "I": ["A", "B"], "J": ["C", "D"], "K": ["E", "F"], "L": ["G", "H"],
    "A": [1, 0], "B": [-1, 0], "C": [-1, 1], "D": [-1, 0],
    "E": [1, 0], "F": [-1, 0], "G": [1, 1], "H": [1, 1],
}  # fmt: skip

VALUES = {
    "A": 0, "B": -1, "C": -1, "D": -1,
    "E": 0, "F": -1, "G": 1, "H": 1,
    "I": 0, "J": -1, "K": 0, "L": 1,
    "M": -1, "N": 0,
    "Root": 0,
}  # fmt: skip

MOVES = {
    "A": "right", "B": "left", "C": "left", "D": "left",
    "E": "right", "F": "left", "G": "left", "H": "left",
    "I": "left", "J": "left", "K": "left", "L": "left",
    "M": "right", "N": "left",
    "Root": "right",
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
    if not isinstance(node, list):
        return node
    values = [destiny(child, other(mover)) for child in node]
    return max(values) if mover == "Red" else min(values)


def best_child(node, mover):
    reached = [destiny(child, other(mover)) for child in node]
    wish = max(reached) if mover == "Red" else min(reached)
    return reached.index(wish)


if __name__ == "__main__":
    for name, table in (("values", VALUES), ("moves", MOVES)):
        written = sum(entry is not None for entry in table.values())
        print(f"{name} by hand: {written} of 15 written")
    for tree in PRACTICE:
        print(tree, "->", destiny(tree, "Red"), "by child", best_child(tree, "Red"))
