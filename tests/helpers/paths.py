"""Where things are that tests read: the project's root, data for measuring beside it, axe."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"
#: The accessibility checker that browser tests load into a page.
AXE = ROOT / "tests" / "web" / "vendor" / "axe-core" / "axe.min.js"
