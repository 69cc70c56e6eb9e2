"""Where things are that tests read: the project's root, and data for measuring beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"
