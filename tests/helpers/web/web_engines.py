"""Engines for tests of pages, and time for trees."""

import pytest
from web_page import FOREVER
from web_running import let_offer

from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.players import EngineKind
from rl_toolkit.records import position_to_text
from rl_toolkit.web.api import tree_view


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
def ponderer(web_app, monkeypatch):
    """An engine of that name."""
    let_offer(web_app, EngineKind("ponderer", "thinks on", Ponderer), monkeypatch)


@pytest.fixture
def patient_trees(monkeypatch):
    """The minimax trees of small positions are solved, however busy the machine is."""
    monkeypatch.setattr(tree_view, "SECONDS", FOREVER)
