"""The model of the pages, the tree of a game and its texts, run in Node without a browser."""

import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

CHECKS = Path(__file__).parent / "model_checks.mjs"
GOLDEN = Path(__file__).parent / "links.json"
_, _TABLE = CHECKS.read_text("utf-8").split("const checks = {")
NAMES = re.findall(r"^  (?:async )?(\w+)\(\) {$", _TABLE, re.MULTILINE)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """What Node says about each check: ``None``, or what was wrong."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not on this machine: the scripts of the model are not checked")
    folder = tmp_path_factory.mktemp("scripts")
    shutil.copytree(Path(str(files("rl_toolkit.web"))) / "static" / "js", folder / "js")
    (folder / "package.json").write_text('{"type": "module"}')  # as browsers load them
    ran = subprocess.run(
        [node, str(CHECKS), str(folder / "js"), str(GOLDEN)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_the_model(verdicts, name):
    assert len(NAMES) == len(verdicts)
    assert verdicts[name] is None, verdicts[name]
