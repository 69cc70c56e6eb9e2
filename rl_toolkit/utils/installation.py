"""How the toolkit and its extras are installed, and the folders of this user.

The command for an extra names its packages themselves, as the metadata of the installed toolkit
lists them: it is right on every machine, however the toolkit was installed.

The environment variables ``RL_TOOLKIT_CACHE_DIR`` and ``RL_TOOLKIT_STATE_DIR`` override them.
"""

from __future__ import annotations

import os
import re
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

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


def pinned(version: str) -> str:
    """The toolkit of one version, as an installer takes it: ``rl-toolkit-games==1.0``."""
    return f"{DISTRIBUTION}=={version}"


def pinned_install_command(version: str) -> str:
    """The command that installs the toolkit of one version on another machine."""
    return f"pip install {pinned(version)}"


def _packages(extra: str) -> list[str]:
    """The requirements of an extra, none if the toolkit is not installed."""
    try:
        lines = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return []
    parts = (line.partition(";") for line in lines)
    return [name.strip() for name, _, marker in parts if extra in _EXTRA.findall(marker)]


CACHE_VARIABLE = "RL_TOOLKIT_CACHE_DIR"
STATE_VARIABLE = "RL_TOOLKIT_STATE_DIR"
#: If this is 1, nothing is said about compiling.
QUIET_VARIABLE = "RL_TOOLKIT_QUIET"


def cache_folder() -> Path:
    """The folder for compiled code and solved samples; it may not exist yet."""
    return _folder(CACHE_VARIABLE, "user_cache_path")


def data_folder() -> Path:
    """The folder of what this user has and nobody else made; it may not exist yet."""
    return _folder(STATE_VARIABLE, "user_data_path")


def games_folder() -> Path:
    """The folder where games are saved while they are played; it may not exist yet."""
    return _folder(STATE_VARIABLE, "user_state_path") / "games"


def _folder(variable: str, kind: str) -> Path:
    if chosen := os.environ.get(variable):
        return Path(os.path.expanduser(chosen))  # stays as it is where there is no home
    import platformdirs

    folder: Path = getattr(platformdirs, kind)("rl_toolkit", appauthor=False)
    return folder
