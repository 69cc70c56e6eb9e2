"""Compile times: the processor time to compile each kernel once, and to load it afterwards.

Measured in new processes with a temporary cache folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from benchmarks import Row

_MEASURE = """
import json, time
begin = time.process_time()
from rl_toolkit.kernels import jit
kernels = jit.kernels()
seconds = {"(import)": time.process_time() - begin}
for item in kernels:
    begin = time.process_time()
    item.make()
    seconds[item.name] = time.process_time() - begin
print(json.dumps(seconds))
"""


def _seconds(folder: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE],
        env={**os.environ, "RL_TOOLKIT_CACHE_DIR": folder},
        capture_output=True,
        check=True,
    )
    return dict(json.loads(done.stdout))


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = _seconds(folder), _seconds(folder)
    rows: list[Row] = [
        {"kernel": name, "cold, ms": 1000 * cold[name], "from disk, ms": 1000 * warm[name]}
        for name in cold
    ]
    total = {"cold, ms": 1000 * sum(cold.values()), "from disk, ms": 1000 * sum(warm.values())}
    return [*rows, {"kernel": "all", **total}]
