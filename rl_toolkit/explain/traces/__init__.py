"""Traces in sentences: what a search did, step by step, and why it cut."""

from rl_toolkit.explain.traces.line import Line
from rl_toolkit.explain.traces.telling import tell

__all__ = ["Line", "tell"]
