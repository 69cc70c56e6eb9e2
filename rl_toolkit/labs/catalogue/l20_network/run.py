"""The training run of the lab: trains in a process of its own, and grades the network.

`trained` is what the check uses; ``python -m`` this module is that process. The outcome follows
from the settings and the code, so it is kept, and a second check of the same settings is quick.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rl_toolkit.labs.truth import tictactoe as truth
from rl_toolkit.learning import examine
from rl_toolkit.learning.alphazero import Planes, evaluate, load_weights, make_network, planes_of
from rl_toolkit.learning.training import Settings
from rl_toolkit.utils import cache_folder, write_text_atomically

#: Iterations after which the network is graded, besides the first and the last.
GRADE_EVERY = 5
#: Wall seconds after which a run is given up; a quiet machine needs half a minute.
_MOST_SECONDS = 1800


class RunError(RuntimeError):
    """The training did not run; the message says why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run: grades as (iteration, share of 4,520 positions), and what the doctor has found."""

    grades: tuple[tuple[int, float], ...]
    findings: tuple[str, ...]


# ------------------------------------------------------------------------------ grading


@lru_cache(maxsize=1)
def _exam() -> tuple[Planes, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """All open positions: planes, legal moves, moves that keep the result."""
    positions = truth.open_positions()
    legal = np.zeros((len(positions), 9), dtype=bool)
    keeps = np.zeros_like(legal)
    for row, position in enumerate(positions):
        legal[row, truth.moves(position)] = True
        keeps[row, truth.best_moves(position)] = True
    return planes_of([position.env() for position in positions]), legal, keeps


def random_grade() -> float:
    """The share of open positions in which a random move keeps the result."""
    _, legal, keeps = _exam()
    return float((keeps.sum(axis=1) / legal.sum(axis=1)).mean())


def grade(path: Path) -> float:
    """The share of open positions in which a network's own first choice keeps the result."""
    planes, legal, keeps = _exam()
    priors = evaluate(make_network(load_weights(path), "numpy"), planes, legal).priors
    return float(keeps[np.arange(len(keeps)), priors.argmax(axis=1)].mean())


# ------------------------------------------------------------------------------ training


def train(
    settings: Settings, folder: Path, on_grade: Callable[[int, float], object] | None = None
) -> Outcome:
    """Train in a folder, here and now; needs JAX."""
    from rl_toolkit.learning.training import Trainer, export_network

    entries: list[dict[str, object]] = []
    grades: list[tuple[int, float]] = []

    def hear(entry: dict[str, object], share: float) -> None:
        if entry["kind"] != "note":
            entries.append(entry)
        number = entry.get("iteration")
        if entry["kind"] != "iteration" or not isinstance(number, int):
            return
        if number % GRADE_EVERY == 0 or number in (1, settings.iterations):
            path = export_network(folder, settings, trainer.state, trainer.game, [])
            grades.append((number, grade(path)))
            if on_grade is not None:
                on_grade(*grades[-1])

    trainer = Trainer(settings, folder, on_event=hear)
    trainer.run()
    return Outcome(tuple(grades), tuple(str(finding) for finding in examine(entries)))


def trained(settings: Settings) -> Outcome:
    """The outcome of a run in a process of its own; raises `RunError`."""
    kept = cache_folder() / "lab_l20" / f"{_key(settings)}.json"
    try:
        return _outcome(kept.read_text("utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        pass  # not there, or not whole
    command = [sys.executable, "-m", __spec__.name if __spec__ else __name__]
    environment = os.environ | {
        "JAX_PLATFORMS": "cpu",
        "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",  # optimising takes longer than this run
        "JAX_COMPILATION_CACHE_DIR": str(cache_folder() / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0.5",
    }
    try:
        ran = subprocess.run(
            command,
            input=json.dumps(settings.as_json()),
            capture_output=True,
            text=True,
            timeout=_MOST_SECONDS,
            env=environment,
            check=False,
        )
        outcome = _outcome(ran.stdout.splitlines()[-1] if ran.stdout else "")
    except subprocess.TimeoutExpired as error:
        raise RunError(f"it was still running after {_MOST_SECONDS // 60} minutes") from error
    except (ValueError, KeyError, TypeError) as error:
        last = ran.stderr.strip().splitlines()[-1:] or [f"exit code {ran.returncode}"]
        raise RunError(last[0][:200]) from error
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(kept, json.dumps(asdict(outcome)))
    except OSError:
        pass  # it is only slower next time
    return outcome


def _outcome(text: str) -> Outcome:
    data = json.loads(text)
    grades = tuple((int(number), float(share)) for number, share in data["grades"])
    return Outcome(grades, tuple(map(str, data["findings"])))


def _key(settings: Settings) -> str:
    """A name for what the outcome depends on."""
    import rl_toolkit.learning as learning

    digest = hashlib.sha256(json.dumps(settings.as_json(), sort_keys=True).encode())
    digest.update(version("jax").encode())
    sources = Path(learning.__file__).parent
    for path in sorted([*sources.rglob("*.py"), Path(__file__)]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def main() -> None:
    """Read settings from stdin, train, write the outcome to stdout."""
    settings = Settings.from_json(json.load(sys.stdin))
    with tempfile.TemporaryDirectory() as folder:
        outcome = train(settings, Path(folder))
    sys.stdout.write("\n" + json.dumps(asdict(outcome)) + "\n")


if __name__ == "__main__":
    main()
