"""A class of 120: how long taking in and grading take, and how long a second run takes.

The hand-ins are a download of Moodle with 120 different versions of L05, right, wrong and endless
ones among them, in two processes. Seconds are those of the machine as busy as it is; processor
seconds are those of all processes in the control group of this one, so start it in a group of its
own: ``systemd-run --user --scope python -m benchmarks class_load``.
"""

from __future__ import annotations

import io
import os
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks import Row
from rl_toolkit.classroom import ClassFolder, grade, new_class, write_class_reports, write_export
from rl_toolkit.classroom.intake import hand_ins
from rl_toolkit.labs import lab_by_id
from rl_toolkit.utils.executors import LocalProcesses
from rl_toolkit.utils.installation import STATE_VARIABLE
from rl_toolkit.utils.isolation import end_all

STUDENTS = 120
WORKERS = 2
_LAB = Path(__file__).parents[1] / "tests" / "labs" / "L05"


def versions() -> list[str]:
    """Code of L05: the solution, the skeleton, every catalogued mistake, and an endless loop."""
    solution = (_LAB / "solution.py").read_text("utf-8")
    codes = [solution] * 6 + [lab_by_id("L05").start_files()["minimax.py"]]
    for path in sorted((_LAB / "mistakes").glob("*.toml")):
        code = solution
        for change in tomllib.loads(path.read_text("utf-8"))["change"]:
            code = code.replace(change["old"], change["new"])
        codes.append(code)
    return [*codes, solution + "\n\ndef utility(board):\n    while True:\n        pass\n"]


def download(students: int = STUDENTS) -> bytes:
    """The zip: no two hand-ins are equal, so that each is checked."""
    codes = versions()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(students):
            folder = f"Student {number:03}_{1000 + number}_assignsubmission_file_"
            code = f"{codes[number % len(codes)]}\n# {number}\n"
            archive.writestr(f"{folder}/minimax.py", code)
    return buffer.getvalue()


def run(students: int = STUDENTS) -> list[Row]:
    """Seconds and hand-ins for each step."""
    with tempfile.TemporaryDirectory(prefix="class-load-") as temporary:
        os.environ[STATE_VARIABLE] = str(Path(temporary) / "state")
        folder = Path(temporary) / "class"
        new_class(folder, "Load", [lab_by_id("L05")])
        (folder / "submissions" / "L05.zip").write_bytes(download(students))
        lines = "".join(f"{5000 + n},Student {n:03}\n" for n in range(students))
        (folder / "roster.csv").write_text(f"id,name\n{lines}")
        the_class = ClassFolder(folder)
        clock = _Clock(students)
        inbox = [folder / "submissions"]
        with clock.step("read the download"):
            hand_ins(inbox, the_class.settings, the_class.roster)
        with clock.step("grade"):
            grade(the_class, seed=7, executor=LocalProcesses(WORKERS))
        with clock.step("grade again"):
            book = grade(the_class, executor=LocalProcesses(WORKERS))
        with clock.step("write the reports"):
            write_class_reports(the_class, book)
        with clock.step("export to Moodle"):
            write_export(the_class, book, "moodle")
    return clock.rows


class _Clock:
    """Rows of steps, each with its seconds."""

    def __init__(self, students: int) -> None:
        self.rows: list[Row] = []
        self._students = students

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure the block."""
        begin, before = time.perf_counter(), _processor_seconds()
        yield
        end_all()
        seconds, after = time.perf_counter() - begin, _processor_seconds()
        processor = after - before if before is not None and after is not None else None
        row: Row = {
            "step": name,
            "hand-ins": self._students,
            "seconds": seconds,
            "ms each": 1000 * seconds / self._students,
            "processor seconds": processor,
            "load": os.getloadavg()[0],
        }
        self.rows.append(row)


def _processor_seconds() -> float | None:
    """Of the control group of this process, with those that were killed; ``None`` in no group."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text("ascii").splitlines():
            number, kinds, group = line.split(":", 2)
            if group != "/" and "cpuacct" in kinds.split(","):
                return int(_group_file(f"cpuacct{group}/cpuacct.usage")) / 1e9
            if group != "/" and number == "0":
                return int(_group_file(f"{group}/cpu.stat").split()[1]) / 1e6
    return None


def _group_file(name: str) -> str:
    return Path(f"/sys/fs/cgroup/{name}").read_text("ascii")
