"""Every example in the docstrings and in the guide of the records runs."""

import doctest
import importlib
import pkgutil
import re

import pytest
from paths import ROOT

import rl_toolkit.records

GUIDE = ROOT / "docs" / "reference" / "records.md"
MODULES = [module.name for module in pkgutil.iter_modules(rl_toolkit.records.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(f"rl_toolkit.records.{name}")
    assert doctest.testmod(module).failed == 0


def test_examples_in_the_guide():
    blocks = re.findall(
        r"^```python\n(.*?)^```", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, GUIDE.name, str(GUIDE), 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner().run(test).failed == 0
