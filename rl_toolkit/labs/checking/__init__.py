"""The checks of labs, in our process; what the check.py of a lab uses."""

from rl_toolkit.labs.checking.check import Check, Thing, same
from rl_toolkit.labs.checking.report import Picture
from rl_toolkit.labs.checking.session import Answer, Call, call, probe
from rl_toolkit.labs.model.positions import Position, after, from_env, position
from rl_toolkit.labs.model.values import Other, as_env, signed

__all__ = [
    "Answer",
    "Call",
    "Check",
    "Other",
    "Picture",
    "Position",
    "Thing",
    "after",
    "as_env",
    "call",
    "from_env",
    "position",
    "probe",
    "same",
    "signed",
]
