"""Walks the student's game and tells what it sees; it knows no right answers."""


def seen(game):
    """The visible state of a game, as plain data."""
    return {
        "board": [int(cell) for cell in game.board],
        "mover": game.current_player,
        "winner": game.winner,
        "done": game.done,
        "line": game.winning_line,
        "count": game.move_count,
        "last": game.last_move,
    }


def begun(module, size, length, first=1):
    """A new game after reset, and what reset returned."""
    side = tuple(size) if isinstance(size, list) else size
    game = module.MyTicTacToe(side, length)
    board = game.reset(first) if first != 1 else game.reset()
    return game, board


def start(module, size, length, first):
    """The state after reset, the board that it returned, and the legal moves."""
    game, board = begun(module, size, length, first)
    returned = None if board is None else [int(cell) for cell in board]
    state = {**seen(game), "returned": returned, "legal": game.get_legal_moves()}
    if board is not None:
        board[0] = 1
        state["kept"] = [int(cell) for cell in game.board]
    return state


def again(module, cells):
    """The state after reset of a game whose attributes were all set."""
    game, _ = begun(module, 3, None)
    game.board[:] = cells
    game.winner, game.done, game.winning_line = 1, True, [0, 1, 2]
    game.move_count, game.last_move, game.current_player = 5, 2, -1
    game.reset()
    return seen(game)


def legal(module, size, length, cells, mover):
    """The legal moves on a board that is set up."""
    game, _ = begun(module, size, length)
    game.board, game.current_player = cells, mover
    return game.get_legal_moves()


def legal_at_the_end(module, moves):
    """The legal moves of a game that these moves have ended, if step can end one."""
    game, _ = begun(module, 3, None)
    for move in moves:
        game.step(move)
    return game.get_legal_moves()


def twins(module, cells, mover):
    """A game and its copy: the copy as it comes, then what writing into it does to the game."""
    game, _ = begun(module, 3, None)
    game.board[:] = cells
    game.current_player, game.move_count = mover, sum(map(abs, cells))
    twin = game.copy()
    first = [int(cell) for cell in twin.board], twin.current_player, twin.move_count
    is_same = twin is game
    free = cells.index(0)
    twin.board[free] = 1
    return {"copied": first, "same": is_same, "after": [int(cell) for cell in game.board]}


def keys(module, boards):
    """For each pair of board and mover the number of its key, equal keys having equal numbers."""
    found = []
    for cells, mover in boards:
        game, _ = begun(module, 3, None)
        game.board, game.current_player = cells, mover
        found.append(game.get_state_hash())
    return [found.index(key) for key in found]


def judged(module, size, length, boards):
    """Lines, wins and ends on boards that are set up."""
    found = []
    for cells in boards:
        game, _ = begun(module, size, length)
        game.board = cells
        found.append(
            {
                "lines": [game.find_line(player) for player in (1, -1)],
                "wins": [game.check_win(player) for player in (1, -1)],
                "over": game.is_terminal(),
            }
        )
    return found


def walk(module, size, length, moves, first=1):
    """The state after each move, with what step returned."""
    game, _ = begun(module, size, length, first)
    trail = []
    for move in moves:
        answer = game.step(move)
        told = answer if isinstance(answer, tuple) and len(answer) == 4 else None
        trail.append(
            {
                **seen(game),
                "told": None
                if told is None
                else {
                    "board": [int(cell) for cell in told[0]],
                    "reward": float(told[1]),
                    "done": told[2],
                    "info": {
                        name: told[3].get(name, "missing")
                        for name in ("winner", "winning_line", "move_count", "last_move")
                    },
                },
                "legal": game.get_legal_moves(),
            }
        )
        if told is not None:
            told[0][:] = 9
            trail[-1]["kept"] = [int(cell) for cell in game.board]
            game.board[:] = trail[-1]["board"]
    return trail


def refused(module, moves, move):
    """Try a move after others: the exception, and whether anything changed."""
    game, _ = begun(module, 3, None)
    for step in moves:
        game.step(step)
    before = seen(game)
    try:
        game.step(move)
        raised = None
    except Exception as error:
        raised = "ValueError" if isinstance(error, ValueError) else type(error).__name__
    return {"raised": raised, "changed": seen(game) != before, "board": seen(game)["board"]}


def results(module, size, length, moves):
    """get_result of both sides after moves; the name of the exception if there is one."""
    game, _ = begun(module, size, length)
    for move in moves:
        game.step(move)
    found = []
    for player in (1, -1):
        try:
            found.append(game.get_result(player))
        except Exception as error:
            found.append("ValueError" if isinstance(error, ValueError) else type(error).__name__)
    return found


def laws(module, games, seed):
    """The first law of all games that is broken: its name, the moves, the sentences."""
    from rl_toolkit.testing import ConformanceError, check_game

    try:
        check_game(module.MyTicTacToe, games=games, seed=seed)
    except ConformanceError as error:
        return [error.law, list(error.moves), str(error)]
    return None
