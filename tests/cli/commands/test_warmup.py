"""`rl-toolkit warmup`."""

from rl_toolkit.kernels import jit


def test_warmup_speaks_before_it_looks(run, capsys, monkeypatch):
    said = []
    monkeypatch.setattr(jit, "pending", lambda: said.append(capsys.readouterr().err) or [])
    ran = run("warmup")
    assert said[0].startswith("Looking for what is not compiled yet")
    assert (ran.code, ran.err) == (0, "Everything is compiled already.\n")
