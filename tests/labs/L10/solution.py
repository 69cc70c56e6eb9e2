"""Tic-Tac-Toe as a decision process: states, actions, rewards, values.

A state is a text: nine cells row by row, a blank, and the side to move, like "XO....... X".
Values and rewards are those of X.
"""

X, O, EMPTY = "X", "O", "."
START = "......... X"
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

# Two players show a coin at the same time. The row player wins 1 if both sides are the same.
PENNIES = [[1, -1], [-1, 1]]


# The rules are ready. Use them.


def mover(state):
    """The side to move: X or O."""
    return state[-1]


def stones(state):
    """How many marks are on the board."""
    return 9 - state.count(EMPTY)


def winner(state):
    """X or O if that side has three in a line, else None."""
    for a, b, c in LINES:
        if state[a] != EMPTY and state[a] == state[b] == state[c]:
            return state[a]
    return None


def is_over(state):
    """Whether the game has ended."""
    return winner(state) is not None or EMPTY not in state


def play(state, cell):
    """The next state: the side to move has taken the cell, and the other side is to move."""
    player = mover(state)
    return state[:cell] + player + state[cell + 1 : 9] + " " + (O if player == X else X)


# These are yours.


def actions(state):
    if is_over(state):
        return []
    return [cell for cell in range(9) if state[cell] == EMPTY]


def reward(state):
    return {X: 1, O: -1, None: 0}[winner(state)]


def states(start):
    found = {start: True}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for cell in actions(state):
            after = play(state, cell)
            if after not in found:
                found[after] = True
                waiting.append(after)
    return list(found)


def backup(state, values):
    if is_over(state):
        return reward(state)
    following = [values[play(state, cell)] for cell in actions(state)]
    return max(following) if mover(state) == X else min(following)


def sweep(values):
    new = {}
    changed = 0
    for state in values:
        new[state] = backup(state, values)
        if new[state] != values[state]:
            changed += 1
    return new, changed


def backward_pass(all_states):
    result = {}
    for state in sorted(all_states, key=stones, reverse=True):
        result[state] = backup(state, result)
    return result


def pure_values(table):
    lowest = [min(row) for row in table]
    highest = [max(column) for column in zip(*table, strict=True)]
    return max(lowest), min(highest)


# This uses what you have written.


def value_iteration(all_states):
    """Sweep until nothing changes: the values, and the number of changes in each sweep."""
    values = {state: reward(state) for state in all_states}
    changes = []
    while len(changes) < 20:
        values, changed = sweep(values)
        changes.append(changed)
        if changed == 0:
            break
    return values, changes


if __name__ == "__main__":
    found = states(START)
    final = sum(is_over(state) for state in found)
    print(f"{len(found):,} states, {final} of them final")
    values, changes = value_iteration(found)
    print("changes in each sweep:", changes)
    print("value of the empty board:", values.get(START))
    print("one backward pass finds the same:", backward_pass(found) == values != {})
    print("matching pennies:", pure_values(PENNIES))
