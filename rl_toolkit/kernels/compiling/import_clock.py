"""The time at which `kernels.jit`, which imports this module first, began to be imported."""

from __future__ import annotations

import time

BEGUN = time.perf_counter()
