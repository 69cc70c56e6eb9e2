"""Asks the student's functions in their process, with stand-ins for what takes long."""


def my_evaluate(module, sample, boards):
    """The values of boards, given as texts of 42 characters: x, o and dots, a1 first.

    ``sample`` is a board in the student's form with X on a1 and O on b1; it shows the marks.
    """
    nested = hasattr(sample[0], "__len__")
    flat = [mark for row in sample for mark in row] if nested else list(sample)
    empty, is_top_first = flat[20], flat[0] == flat[20]  # d3; a1 has a disc
    x, o = (mark for mark in flat if mark != empty)
    marks = {"x": x, "o": o, ".": empty}
    values = []
    for text in boards:
        cells = [marks[letter] for letter in text]
        rows = [cells[i : i + 7] for i in range(0, 42, 7)][:: -1 if is_top_first else 1]
        values.append(
            module.my_evaluate(rows if nested else [mark for row in rows for mark in row])
        )
    return values


def league(module, results):
    """The answer of league, and the games that it plays, with games that end as ``results`` say.

    Result number n is that of the n-th opening; the second half is for exchanged seats.
    """
    games = []

    def play_game(evaluate_x, evaluate_o, opening):
        names = [evaluate_x("name"), evaluate_o("name")]
        opening = [int(column) for column in opening]
        games.append([*names, *opening])
        return results[opening[0] * 7 + opening[1] + (49 if names[0] == "second" else 0)]

    old = module.play_game
    module.play_game = play_game
    try:
        answer = module.league(lambda cells: "first", lambda cells: "second")
    finally:
        module.play_game = old
    return [answer, games]


def report(module, names, results):
    """The answer of report about these players, with leagues that end as ``results`` say."""
    players = {name: (lambda cells, name=name: name) for name in names}
    asked = []

    def league(first, second):
        pair = [first("name"), second("name")]
        asked.append(pair)
        found = results.get("-".join(pair))
        return list(found) if found else list(results["-".join(pair[::-1])])[::-1]

    old = module.league
    module.league = league
    try:
        return [module.report(players), asked]
    finally:
        module.league = old
