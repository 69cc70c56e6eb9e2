"""Solutions and wrong solutions of labs are not tests, whatever their names."""

from __future__ import annotations

import pytest

from rl_toolkit.utils.installation import STATE_VARIABLE

collect_ignore_glob = ["L*"]


@pytest.fixture(autouse=True)
def _state_of_a_test(tmp_path, monkeypatch):
    """Labs that a test starts are not remembered for the user."""
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
