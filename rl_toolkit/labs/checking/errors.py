"""What is said of an exception, a process that ended, and a file that cannot be loaded."""

from __future__ import annotations

from rl_toolkit.labs.checking.report import Failure
from rl_toolkit.labs.checking.session import ENDING, LoadError, Raised


def error_sentence(raised: Raised, name: str, file: str, seconds: float) -> str:
    """What happened, in one sentence for the student."""
    match raised.kind:
        case "OutOfTime":
            return f"{name} was still running after {seconds:g} s. Is there a loop that never ends?"
        case "Idle":
            return f"{name} does nothing for seconds. Does it sleep, or wait for something?"
        case "RecursionError":
            return f"{name} calls itself again and again. Which call should be the last one?"
        case "Missing":
            return (
                f"There is no {raised.message} in {file}. If yours has another name, "
                "write it into names.toml."
            )
        case "NotImplementedError":
            return f"{name} is not written yet."
        case "EndOfInputError":
            return f"{name} asked for more input after the game should have been over."
        case "TooMuchPrintedError":
            return f"{name} prints more than two million characters. Does a loop print without end?"
        case "CheckTime":
            return f"The check was ended: {name} had not answered when its time was over."
        case "Ended":
            if name == "Your program":
                return f"{name} {raised.message}."
            return f"Your program {raised.message} while {name} was running."
        case "MemoryError":
            return f"{name} used too much memory."
        case "NotReached":
            return f"{name} was not reached: an earlier call ended the program."
    text = f": {raised.message}" if raised.message else ""
    more = ""
    if "NoneType" in raised.message and "attribute" not in raised.message:
        more = ". Something is None there: did a function end without a return?"
    elif raised.kind == "ValueError" and "empty" in raised.message:
        more = ". There was nothing to choose from: which case should have ended before that line?"
    return f"{name} stopped with {raised.kind}{text}{more}"


def load_failure(error: LoadError, file: str) -> Failure:
    """Why the student's files could not be loaded."""
    raised = error.raised
    if raised.kind in ENDING:
        sentence = f"{file} runs without end when it is loaded."
    elif raised.kind in ("EOFError", "EndOfInputError"):
        sentence = (
            f"{file} asks for input as soon as it is loaded. Move that below "
            'if __name__ == "__main__":'
        )
    elif raised.kind == "CheckTime":
        sentence = "The check was ended: its time was over before this task."
    elif raised.kind == "Ended":
        sentence = f"{file} cannot be loaded: the program {raised.message}."
    else:
        sentence = f"{file} cannot be loaded: {raised.kind}: {raised.message}"
    return Failure(sentence, traceback=raised.lines)
