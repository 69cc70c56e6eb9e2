"""Runs a test of the student on a Connect Four that the check sends, in the student's process."""

import sys


def run(module, source, test):
    """How a test ends on this class, and the games that it has played."""
    space = {"__name__": "connect_four"}
    exec(compile(source, "connect_four.py", "exec"), space)
    made = space["ConnectFour"]
    games, begin = [], made.__init__

    def remember(self, *args, **kwargs):
        begin(self, *args, **kwargs)
        games.append(self)

    made.__init__ = remember
    if not hasattr(module, test):
        return {"passes": False, "error": "Missing", "message": "", "line": 0, "games": []}
    originals = [(home, home.ConnectFour) for home in _homes(module)]
    for home, _ in originals:
        home.ConnectFour = made
    error, message, line = "", "", 0
    try:
        getattr(module, test)()
    except BaseException as raised:  # what pytest.raises raises is not an Exception
        if type(raised).__name__ in ("OutOfTimeError", "IdleError"):
            raise
        error, message, line = type(raised).__name__, str(raised)[:200], _line(raised)
    finally:
        for home, original in originals:
            home.ConnectFour = original
    played = [
        {"board": list(g.board), "player": g.player, "winner": g.winner, "line": list(g.line)}
        for g in games
    ]
    return {"passes": not error, "error": error, "message": message, "line": line, "games": played}


def passes(module, source, test):
    """Whether the test passes on this class."""
    return run(module, source, test)["passes"]


def _homes(module):
    """Where tests find the class: in their own file, and in the module that it comes from."""
    homes = [module, sys.modules.get("connect_four")]
    return [home for home in homes if hasattr(home, "ConnectFour")]


def _line(raised):
    """The last line of the student's file on the way to the exception."""
    line, frame = 0, raised.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename.endswith("test_four.py"):
            line = frame.tb_lineno
        frame = frame.tb_next
    return line
