"""Engines for tests of pages."""

import pytest
from web_page import FOREVER

from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.players import EngineKind, register_engine, registry
from rl_toolkit.records import position_to_text


class Ponderer:
    """Says at once what it thinks, and then thinks on until it is stopped; likes later moves."""

    name = "ponderer"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        found = [Candidate(m, env.move_name(m), 0.1, visits=1) for m in env.get_legal_moves()]
        analysis = analysis_of(env, position_to_text(env), "ponderer", found[::-1], simulations=9)
        on_progress(analysis)
        assert stop.wait(FOREVER)
        return analysis


@pytest.fixture
def ponderer(monkeypatch):
    """An engine of that name."""
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    register_engine(EngineKind("ponderer", "thinks on", Ponderer))
