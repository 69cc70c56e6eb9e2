"""Plays a game in a fresh interpreter: ``python files_run.py GAME ENGINE [ADJUDICATE]``.

Prints, as JSON, the files of the package whose functions ran and the modules of kernels that were
loaded while the game was played, and the files that the stamp of the engine covers.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import rl_toolkit
from rl_toolkit.arena.arbiter.rules import Rules
from rl_toolkit.arena.runs import Match, Openings, play_paired_game, stamps
from rl_toolkit.players import make_player

PACKAGE = Path(rl_toolkit.__file__).parent
#: What these run answers who may play a game, and who judges it, which changes no move.
CHOOSING = {str(PACKAGE / "players" / name) for name in ("knowledge.py", "advisers.py")}


def main(game: str, engine: str, adjudicate: str = "0") -> None:
    rules = Rules(adjudicate=int(adjudicate))
    match = Match(game, (engine, engine), 1, random_plies=2, seed=1, rules=rules)
    ran: set[str] = set()
    elsewhere = 0

    def look(frame, event, argument):
        nonlocal elsewhere
        file = frame.f_code.co_filename
        if file in CHOOSING or frame.f_code.co_name == "<module>":  # choosing, or loading a module
            elsewhere += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not elsewhere:
            ran.add(file)

    threading.setprofile(look)
    sys.setprofile(look)
    opening = Openings(match)[0]
    before = set(sys.modules)
    play_paired_game((match, 0, opening, 0))
    sys.setprofile(None)
    threading.setprofile(None)
    loaded = {name for name in set(sys.modules) - before if name.startswith("rl_toolkit.kernels.")}
    kernels = {str(Path(sys.modules[name].__file__)) for name in loaded}
    covered: list[Path] = []
    stamps._hash_of = lambda package, files, *_: covered.extend(files) or ""
    stamps.code_of(game, make_player(game, engine), judged=bool(rules.adjudicate))
    print(json.dumps({"ran": _own(ran), "kernels": _own(kernels), "covered": _own(covered)}))


def _own(files) -> list[str]:
    inside = (Path(file) for file in files if Path(file).is_relative_to(PACKAGE))
    return sorted(file.relative_to(PACKAGE).as_posix() for file in inside)


if __name__ == "__main__":
    main(*sys.argv[1:])
