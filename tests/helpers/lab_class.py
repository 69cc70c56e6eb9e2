"""A class that hands in the minimax lab: right, wrong, empty, crashing, endless, cheating."""

from __future__ import annotations

import io
import os
import stat
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

from paths import ROOT

from rl_toolkit.labs.folder.answers import answers_text
from rl_toolkit.labs.folder.progress import Progress
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.submission import Submission, submission_bytes

LAB = lab_by_id("L05")
START = LAB.start_files()["minimax.py"]
SOLUTION = (ROOT / "tests" / "labs" / "L05" / "solution.py").read_text("utf-8")
#: Where the student's part of the file begins.
_YOURS = "# ---------------------------------------------------------------- yours\n"
GIVEN = START.partition(_YOURS)[0]

#: Another right solution, in another style.
OTHER = (
    GIVEN
    + """
def utility(board):
    return {"X": 1, "O": -1}.get(winner(board), 0)


def children(board, player):
    return [apply_move(board, cell, player) for cell in available_moves(board)]


def minimax(board, player):
    if is_over(board):
        return utility(board)
    pick = max if player == "X" else min
    return pick(minimax(after, other(player)) for after in children(board, player))


def best_move(board, player):
    pick = max if player == "X" else min
    after = {cell: apply_move(board, cell, player) for cell in available_moves(board)}
    return pick(after, key=lambda cell: minimax(after[cell], other(player)))


def sure_move(board, player):
    for cell in available_moves(board):
        if winner(apply_move(board, cell, player)) == player:
            return cell
    return best_move(board, player)
"""
)
#: The same with other names, comments and layout.
RENAMED = (
    OTHER.replace("pick", "chooser")
    .replace("after", "next_board")
    .replace("cell", "square")
    .replace("def minimax", "# my own idea\n\n\ndef minimax")
)
assert RENAMED != OTHER

#: Stolen answers, and what else is not an answer; each is put in front of the start file.
TRICKS = {
    "crashing": "raise RuntimeError('not today')\n",
    "syntax": "def minimax(board:\n",
    "endless-import": "while True:\n    pass\n",
    "exits": "import sys\nsys.exit(0)\n",
    "parents": """
from pathlib import Path
found = [each for up in Path.cwd().parents for each in up.glob("*.zip")]
found += [each for each in Path.cwd().rglob("*") if each.name == "check.py"]
if found:
    exec(found[0].read_text(errors="replace"))
""",
    "patches": """
import builtins, json, sys
json.dumps = lambda *a, **k: '{"answers": []}'
for module in list(sys.modules.values()):
    if hasattr(module, "same"):
        module.same = lambda *a: True
builtins.sum = lambda *a: 100
""",
    "outside": """
import os
try:
    open("../intruder.txt", "w").write("I was here")
    os.remove("../intruder.txt")
    os.chdir("/")
except OSError:
    pass
""",
    "forks": """
import os, time
for _ in range(5):
    if os.fork() == 0:
        time.sleep(3600)
""",
    "kills": "import os\nos.kill(os.getppid(), 9)\n",
}


def with_body(name: str, body: str) -> str:
    """The solution with one function's body replaced."""
    head, _, rest = SOLUTION.partition(f"def {name}(board, player):\n")
    _, _, rest = rest.partition("\n\n\n")
    return f"{head}def {name}(board, player):\n{body}\n\n\n{rest}"


ENDLESS = with_body("minimax", "    while True:\n        pass\n")
LOUD = with_body("best_move", "    print('x' * 5_000_000)\n    return None\n")
SOLVER = with_body(
    "best_move",
    """    from rl_toolkit.algorithms.minimax import MinimaxSolver
    from rl_toolkit.envs.tictactoe import TicTacToe
    import numpy as np
    env = TicTacToe()
    env.board = np.array([{"X": 1, "O": -1, " ": 0}[mark] for mark in board], dtype=np.int8)
    env.current_player = 1 if player == "X" else -1
    values = MinimaxSolver().get_candidate_evaluations(env)
    return min(cell for cell in values if values[cell]["is_best"])
""",
)


def mistake(name: str) -> str:
    """A catalogued wrong solution."""
    path = ROOT / "tests" / "labs" / "L05" / "mistakes" / f"{name}.toml"
    code = SOLUTION
    for change in tomllib.loads(path.read_text("utf-8"))["change"]:
        assert code.count(change["old"]) == 1
        code = code.replace(change["old"], change["new"])
    return code


MISTAKES = [each.id for each in LAB.mistakes]


def answers(*written: str) -> str:
    """An answers.md with the first answers written."""
    text = answers_text(LAB)
    for each in written:
        text = text.replace("(Your answer.)", each, 1)
    return text


def packed(student: str, code: str, written: Iterable[str] = (), hints: int = 0) -> bytes:
    """The zip that `rl-toolkit lab submit` makes."""
    progress = Progress(hints={3: hints} if hints else {}, checks=7)
    files = {"minimax.py": code, "answers.md": answers(*written)}
    return submission_bytes(Submission(LAB.id, files, student, progress))


def bad_zips() -> dict[str, bytes]:
    """Zips that must be refused."""
    return {
        "up.zip": _zip({"submission.json": '{"lab": "L05", "format": 1}', "../evil.py": "x = 1"}),
        "bomb.zip": _zip({f"files/{n}.txt": "0" * 900_000 for n in range(12)}),
        "link.zip": _zip({"files/minimax.py": "/etc/passwd"}, link=True),
        "text.zip": b"this is not a zip",
    }


def _zip(entries: dict[str, str], link: bool = False) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = ((stat.S_IFLNK if link else stat.S_IFREG) | 0o644) << 16
            archive.writestr(info, text)
    return buffer.getvalue()


def write_class(folder: Path, codes: dict[str, str]) -> None:
    """One zip for each student: name → code."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, code) in enumerate(codes.items()):
        (folder / f"{number:02}.zip").write_bytes(packed(name, code))


def older(path: Path, seconds: float = 3600) -> None:
    """Make a file older."""
    time = path.stat().st_mtime - seconds
    os.utime(path, (time, time))


def whole_class(folder: Path) -> dict[str, str]:
    """More than thirty submissions of all kinds; returns name → code of those that are zips."""
    codes = {
        "Ada": SOLUTION,
        "Bob": OTHER,
        "Cai": RENAMED,
        "Dan": SOLUTION + "\n# my own work\n",
        "Empty": START,
        "Endless": ENDLESS,
        "Loud": LOUD,
        "Solver": SOLVER,
        '=HYPERLINK("http://x")': OTHER.replace("pick", "p"),
        "<script>alert(1)</script>": mistake("same-player"),
        **{f"mistake {name}": mistake(name) for name in MISTAKES},
        **{f"trick {name}": code + START for name, code in TRICKS.items()},
    }
    write_class(folder, codes)
    for name, data in bad_zips().items():
        (folder / name).write_bytes(data)
    return codes
