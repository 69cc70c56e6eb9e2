"""The file that says by which plan the other files of a folder were made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rl_toolkit.utils import write_text_atomically

NAME = "plan.json"


def agree_on_plan(home: Path, plan: dict[str, Any]) -> None:
    """Save the plan of a folder; `ValueError` if the folder belongs to another plan."""
    path = home / NAME
    try:
        begun = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        write_text_atomically(path, json.dumps(plan))
        return
    except ValueError:
        begun = None
    if begun != plan:
        made = f"{path} says {begun}" if begun else f"{path} cannot be read"
        raise ValueError(f"{home} was started with another plan ({made}); choose another folder")
