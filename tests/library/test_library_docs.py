"""Every example in the guide of the library runs."""

import doctest
import re

from paths import ROOT

GUIDE = ROOT / "docs" / "guides" / "library.md"


def test_examples_in_the_guide() -> None:
    blocks = re.findall(
        r"^```python\n(.*?)^```", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, GUIDE.name, str(GUIDE), 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner().run(test).failed == 0
