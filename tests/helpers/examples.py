"""How many examples Hypothesis looks at, where a test wants more or fewer than the others."""

from hypothesis import settings

#: The examples of a test that does not say, in a run that looks for new ones.
_USUAL = 100


def examples(count: int) -> settings:
    """``count`` examples in a run that looks for new ones, a part of them in a quick one."""
    return settings(deadline=None, max_examples=max(5, count * settings().max_examples // _USUAL))
