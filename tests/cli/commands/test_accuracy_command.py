"""`rl-toolkit accuracy` where nothing can be kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rl_toolkit.arena import grading, labelled_samples

ASKED = ("accuracy", "tictactoe", "random", "--positions", "20")


def test_a_cache_that_cannot_be_written_is_told_and_not_needed(run, monkeypatch):
    monkeypatch.setattr(labelled_samples, "cache_folder", lambda: Path("/proc/nowhere"))
    ran = run(*ASKED, "--json")
    assert (ran.code, json.loads(ran.out)["positions"]) == (0, 20)
    assert "Exact scores are not saved: /proc/nowhere/labels: No such file" in ran.err


@pytest.mark.parametrize("writable", [True, False])
def test_an_interrupt_promises_only_what_was_kept(run, monkeypatch, tmp_path, writable):
    folder = tmp_path if writable else Path("/proc/nowhere")
    monkeypatch.setattr(labelled_samples, "cache_folder", lambda: folder)

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(grading, "grade", interrupted)
    ran = run(*ASKED)
    assert ran.code == 130
    assert ("The exact scores found so far are saved; run the same" in ran.err) == writable
