"""What people are told to install, and the name of the distribution."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, entry_points
from pathlib import Path

import pytest

from rl_toolkit.utils import installation
from rl_toolkit.utils.installation import DISTRIBUTION, install_command, pinned_install_command

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tools.site.addresses import About  # noqa: E402
from tools.site.package_page import package_page  # noqa: E402

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_distribution_has_a_name_of_its_own_and_the_command_stays():
    assert PROJECT["name"] == DISTRIBUTION
    assert re.sub(r"[-_.]+", "-", DISTRIBUTION) != "rl-toolkit"  # another project on the index
    assert PROJECT["scripts"] == {"rl-toolkit": "rl_toolkit.cli.main:main"}
    (script,) = (e for e in entry_points(group="console_scripts") if e.name == "rl-toolkit")
    assert script.load().__module__ == "rl_toolkit.cli.main"


@pytest.mark.parametrize("extra", ["train", "onnx", "ray"])
def test_the_command_installs_exactly_the_packages_of_the_extra(extra):
    command = install_command(extra)
    assert command.startswith("pip install '")
    assert re.findall("'([^']+)'", command) == PROJECT["optional-dependencies"][extra]


def test_markers_of_several_conditions_are_read(monkeypatch):
    lines = ["numpy>=1", "jax>=1; (python_version > '3.10') and extra == 'train'"]
    monkeypatch.setattr(installation, "requires", lambda name: lines)
    assert install_command("train") == "pip install 'jax>=1'"


def test_a_folder_of_sources_installs_itself(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(installation, "requires", missing)
    assert install_command("ray") == "pip install '.[ray]' in the folder of the toolkit"


def test_one_version_of_the_toolkit_is_installed_by_its_name():
    assert pinned_install_command("1.2") == f"pip install {PROJECT['name']}==1.2"


def test_no_other_file_of_the_package_writes_such_a_command():
    own = ROOT / "rl_toolkit/utils/installation.py"
    for path in (ROOT / "rl_toolkit").rglob("*.py"):
        assert path == own or "pip install" not in path.read_text(encoding="utf-8"), path


@pytest.mark.parametrize("place", ["README.md", "docs", "projects", "notebooks"])
def test_no_document_installs_the_other_project(place):
    files = [ROOT / place, *(ROOT / place).rglob("*")]
    for path in files:
        if path.suffix in (".md", ".ipynb", ".py"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"pip install[^\n`]*\brl[-_]toolkit\b(?!-games)", text), path


def test_the_page_of_the_package_index_has_no_links_into_the_repository():
    text = package_page((ROOT / "README.md").read_text(encoding="utf-8"), About())
    assert f"pip install {DISTRIBUTION}\n" in text
    assert not re.search(r"\]\((?!https?:)", text)
