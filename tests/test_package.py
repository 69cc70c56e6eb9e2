"""`import rl_toolkit as rlt`: a dozen names, loaded when they are first used."""

import importlib
import pkgutil
import subprocess
import sys

import pytest
from extras import missing_extra

import rl_toolkit

CALLS = """
env = rlt.make_game("tictactoe")
analysis = rlt.make_engine("minimax:depth=2").analyse(env, rlt.Limit(depth=1))
assert isinstance(analysis, rlt.Analysis)
assert isinstance(analysis.best, rlt.Candidate)
assert isinstance(rlt.make_player("tictactoe", "easy"), rlt.Engine)
assert rlt.explain_move(env, analysis.best)
assert rlt.GameRecord.from_env(rlt.read_position("tictactoe", "b2")).moves == (4,)
for register in (rlt.register_game, rlt.register_engine):
    try:
        register(None)
    except (TypeError, AttributeError, ValueError):
        pass
assert issubclass(type(env), rlt.BoardGame)
"""
FIRST = {
    "at once": "",
    "after every sub-package": "\n".join(
        f"import rl_toolkit.{module.name}"
        for module in pkgutil.iter_modules(rl_toolkit.__path__)
        if module.name not in ("learning", "web")
    ),
}


@pytest.mark.parametrize("first", FIRST.values(), ids=FIRST)
def test_every_name_works(first):
    """A sub-package of the same name as a function would hide it once it is imported."""
    script = f"{first}\nimport rl_toolkit as rlt\nassert len(rlt.__all__) >= 12\n{CALLS}"
    script += "assert not [n for n in rlt.__all__ if type(getattr(rlt, n)).__name__ == 'module']\n"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_importing_the_package_imports_nothing_else():
    script = (
        "import sys; import rl_toolkit as rlt\n"
        "assert 'make_game' in dir(rlt)\n"
        "assert not {'numpy', 'numba', 'rl_toolkit.envs'} & set(sys.modules)\n"
        "rlt.make_game; assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="has no attribute 'make_tea'"):
        rl_toolkit.make_tea  # noqa: B018


def test_every_module_can_be_imported_by_itself():
    modules = pkgutil.walk_packages(rl_toolkit.__path__, "rl_toolkit.")
    names = [module.name for module in modules if not module.name.endswith("__main__")]
    assert len(names) > 250
    missing = set()
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            missing.add(missing_extra(error) or pytest.fail(f"{name} cannot be imported: {error}"))
    if missing:
        pytest.skip(f"the others were imported; not installed: {', '.join(sorted(missing))}")
