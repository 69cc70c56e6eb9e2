"""Every test has a key of its own, never that of the user."""

from __future__ import annotations

import pytest

from rl_toolkit.utils.installation import STATE_VARIABLE


@pytest.fixture(autouse=True)
def _state_of_a_test(tmp_path_factory, monkeypatch):
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path_factory.mktemp("state")))
