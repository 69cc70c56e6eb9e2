"""The metadata that the build fills in: the package page and the addresses of about.toml."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class AboutHook(MetadataHookInterface):
    """Fills in what about.toml and README.md say."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the readme, the links and the authors to the metadata of the package."""
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from tools.site.addresses import read_about
            from tools.site.package_page import package_page
        finally:
            sys.path.remove(str(root))
        about = read_about(root / "about.toml")
        page = package_page((root / "README.md").read_text("utf-8"), about)
        metadata["readme"] = {"content-type": "text/markdown", "text": page}
        if about.urls():
            metadata["urls"] = about.urls()
        if about.authors:
            metadata["authors"] = [{"name": name} for name in about.authors]
