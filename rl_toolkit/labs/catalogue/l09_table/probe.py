"""Calls store and probe with small tables, and counts classes, in the student's process."""


def stored(module, value, depth, alpha, beta, older=None):
    """The entry that store writes; ``older`` is an exact value and a depth that stand there."""
    table = {}
    if older is not None:
        table["here"] = (older[0], module.EXACT, older[1])
    module.store(table, "here", value, depth, alpha, beta)
    if "here" not in table:
        return {"entry": None, "keys": len(table)}
    entry = table["here"]
    if not isinstance(entry, (tuple, list)) or len(entry) != 3:
        return {"entry": repr(entry), "keys": len(table)}
    kinds = {module.EXACT: "EXACT", module.LOWER: "LOWER", module.UPPER: "UPPER"}
    return {"entry": [_kind(kinds, part) for part in entry], "keys": len(table)}


def _kind(kinds, part):
    return kinds.get(part, part) if isinstance(part, str) else part


def probed(module, entry, depth, alpha, beta):
    """What probe answers about a table with this entry: value, name of the kind, depth."""
    table = {"another": (1, module.EXACT, 9)}
    if entry:
        value, kind, searched = entry
        table["here"] = (value, getattr(module, kind), searched)
    return module.probe(table, "here", depth, alpha, beta)


def both_movers(module, *boards):
    """The minimax values of boards with X to move and with O to move, all with one table."""
    table = {}
    return [
        [module.minimax(board, module.X, table), module.minimax(board, module.O, table)]
        for board in boards
    ]


def one_table(module, players, *boards):
    """The alpha-beta values of boards, all with one table."""
    infinity, table, values = float("inf"), {}, []
    for player, board in zip(players, boards, strict=True):
        mover = module.X if player > 0 else module.O
        values.append(module.alpha_beta(board, mover, 9, -infinity, infinity, table))
    return values


def classes(module):
    """How many different boards canonical makes of all positions of the game."""
    found, seen, waiting = set(), set(), [(module.create_board(), module.X)]
    while waiting:
        board, player = waiting.pop()
        if repr(board) in seen:
            continue
        seen.add(repr(board))
        found.add(repr(module.canonical(board)))
        if not module.is_over(board):
            for cell in module.available_moves(board):
                waiting.append((module.apply_move(board, cell, player), module.other(player)))
    return len(found)
