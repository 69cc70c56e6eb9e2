"""The command that installs an optional part of the toolkit.

The command names the packages of the extra themselves, as the metadata of the installed toolkit
lists them: it is right on every machine, however the toolkit was installed.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires

#: The name under which the toolkit is distributed; ``rl_toolkit`` is another project's.
DISTRIBUTION = "rl-toolkit-games"

_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")


def install_command(extra: str) -> str:
    """The command that installs what ``extra`` needs: ``pip install 'onnxruntime>=1.17'``.

    In a folder of sources that was never installed, it installs the toolkit with that extra.
    """
    packages = _packages(extra)
    if not packages:
        return f"pip install '.[{extra}]' in the folder of the toolkit"
    return "pip install " + " ".join(f"'{package}'" for package in packages)


def _packages(extra: str) -> list[str]:
    """The requirements of an extra, none if the toolkit is not installed."""
    try:
        lines = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return []
    parts = (line.partition(";") for line in lines)
    return [name.strip() for name, _, marker in parts if extra in _EXTRA.findall(marker)]
