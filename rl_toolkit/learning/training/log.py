"""``log.jsonl``: the log of a run, one JSON object per line, for people and for the doctor.

Lines are appended as things happen. A run that resumes from a checkpoint first drops the lines
written after it, because those iterations will be played again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rl_toolkit.utils import write_text_atomically

LOG = "log.jsonl"

Entry = dict[str, Any]


def append_entry(folder: Path, entry: Entry) -> None:
    """Append one entry to the log."""
    with open(folder / LOG, "a", encoding="utf-8") as file:
        file.write(json.dumps(entry, allow_nan=False) + "\n")


def read_log(folder: Path) -> list[Entry]:
    """The entries of a run's log, oldest first; an incomplete line is skipped."""
    return list(_entries(folder))


def drop_after(folder: Path, iteration: int) -> None:
    """Remove the entries after an iteration."""
    kept = [entry for entry in _entries(folder) if entry.get("iteration", 0) <= iteration]
    text = "".join(json.dumps(entry) + "\n" for entry in kept)
    write_text_atomically(folder / LOG, text)


def described(entry: Entry) -> str:
    """Describe a log entry in one line."""
    match entry["kind"]:
        case "start":
            where = f"jax {entry['jax']} on {', '.join(entry['devices'])}"
            return f"{entry['game']}, preset {entry['preset']}, seed {entry['seed']}: {where}"
        case "iteration":
            sims, speed = entry["simulations"], entry["simulations_per_second"]
            return (
                f"{entry['seconds']:7.1f} s  iteration {entry['iteration']}  "
                + (f"sims {sims}  " if sims else "")
                + f"policy {entry['policy_loss']:.3f} value {entry['value_loss']:.3f}  "
                f"draws {entry['draw_rate']:.0%}  "
                + (f"{entry['positions_per_second']:,.0f} positions/s  " if sims else "")
                + (f"{speed:,.0f} simulations/s" if sims else "from files")
            )
        case "evaluation":
            return (
                f"{entry['seconds']:7.1f} s  {entry['what']}: {entry['score']:.2%} "
                f"({entry['low']:.2%} to {entry['high']:.2%} of {entry['n']})"
            )
        case "stop":
            return f"{entry['seconds']:7.1f} s  stopped: {entry['reason']}"
        case _:
            return f"{entry['seconds']:7.1f} s  {entry['text']}"


def _entries(folder: Path) -> Iterator[Entry]:
    path = folder / LOG
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield entry
