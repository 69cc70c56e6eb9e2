"""`Session`: a student's program in its own process, asked call by call."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby, islice
from typing import Any

from rl_toolkit.labs.host.forms import Forms
from rl_toolkit.labs.host.limits import TOO_SLOW
from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.labs.model.names import DERIVED_KINDS
from rl_toolkit.labs.model.positions import LabBoard
from rl_toolkit.labs.model.values import AsEnv, ThingNumber, from_json, to_json
from rl_toolkit.labs.model.work import Work
from rl_toolkit.utils import JsonObject
from rl_toolkit.utils.isolation import (
    STOPPED,
    Cause,
    IsolationError,
    Limits,
    Sandbox,
    StoppedError,
    TooSlowError,
    WorkerProcess,
    is_stopped,
)

WORKER = "rl_toolkit.labs.host.worker"
#: Exceptions of the student's process → how checks call them.
_KINDS = {"NameMissingError": "Missing", "WrongArgumentsError": "WrongArguments"}
#: Errors after which the process is ended.
ENDING = ("OutOfTime", "Idle")
#: Processor seconds of a call, unless it says otherwise.
CALL_SECONDS = 2.0
#: The most processor seconds of a call after another one ran out of time.
AFTER_SLOW = 1.0
#: Processor seconds in which a student's files must have been run.
LOAD_SECONDS = 3.0
#: The depth of recursion that students have; the deepest right solution needs about 60.
RECURSION = 600
#: The limits of a student's process.
LIMITS = Limits(memory_mb=2048, cpu_seconds=120)
#: Seconds of a clock in which all calls of a check must be answered. Processor time is limited
#: call by call, so only a process that neither works nor ends, or a machine that has no time, gets
#: near this.
CHECK_SECONDS = 600.0
#: Seconds between two looks at a process, and how many looks find one that is stopped.
_LOOK, _STOPPED_LOOKS = 0.5, 3
#: What every lab may import besides the standard library.
GIVEN_PACKAGES = ("numpy",)
_PACKAGE = "rl_toolkit"
#: The most calls in one message.
_MOST = 500


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the student's code.

    Attributes:
        what: ``function``, ``probe``, ``new``, ``method`` or ``get``.
        name: the name on the sheet.
        arguments: positions, numbers, plain data.
        count: functions whose calls are counted. memo: functions whose inner calls are remembered.
        inputs: what ``input()`` returns, line by line.
        seconds: the processor time that it may use. seed: seeds ``random`` and NumPy first.
    """

    name: str
    arguments: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    what: str = "function"
    thing: int = 0
    count: tuple[str, ...] = ()
    memo: tuple[str, ...] = ()
    inputs: tuple[str, ...] | None = None
    seconds: float = CALL_SECONDS
    seed: int | None = None
    returns: str = ""
    keep: bool = False

    @property
    def board(self) -> LabBoard | None:
        """The first position among the arguments."""
        for argument in self.arguments:
            if isinstance(argument, LabBoard):
                return argument
            if isinstance(argument, AsEnv):
                return argument.position
        return None


def call(name: str, *arguments: Any, **options: Any) -> Call:
    """A call of a function on the sheet; the options are the fields of `Call`."""
    return _made(name, arguments, options, "function")


def probe(name: str, *arguments: Any, **options: Any) -> Call:
    """A call of a function in the lab's probe.py."""
    return _made(name, arguments, options, "probe")


def _made(name: str, arguments: tuple[Any, ...], options: dict[str, Any], what: str) -> Call:
    for field_name in ("count", "memo", "inputs"):
        if options.get(field_name) is not None:
            options[field_name] = tuple(options[field_name])
    return Call(name, arguments, what=what, **options)


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception of the student's code, or how their process ended.

    Attributes:
        kind: the class of the exception, ``OutOfTime``, ``Idle``, ``Missing`` (no such function),
            ``WrongArguments`` (it cannot be called like that), ``Ended`` (the process ended),
            ``CheckTime`` (the whole check took too long) or ``NotReached`` (an earlier call ended
            everything).
        message: its text.
        lines: the traceback, cut to the student's files.
        cause: what ended the process, if not the student's code: a signal, or the machine.
    """

    kind: str
    message: str = ""
    lines: tuple[str, ...] = ()
    cause: Cause = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from a call.

    Attributes:
        value: the returned value in the form of the checks.
        calls: how often each counted function was called.
        printed: what was printed, with prompts and scripted inputs.
        changed: whether a board or list among the arguments was changed in place.
        error: the exception, ``None`` if there was none.
    """

    call: Call
    value: Any = None
    calls: Mapping[str, int] = field(default_factory=dict)
    printed: str = ""
    changed: bool = False
    error: Raised | None = None


class LoadError(Exception):
    """The student's files cannot be loaded; ``raised`` says why."""

    def __init__(self, raised: Raised) -> None:
        super().__init__(raised.message)
        self.raised = raised


class Session:
    """The program of a student; its process is started when it is first asked.

    After the process has been ended, by a crash or a loop without end, the next call starts a new
    one. Use it in a ``with`` block. ``shares`` loads one program after the other in one process:
    quicker, for programs that may know of each other, such as the wrong solutions of a lab.
    """

    def __init__(self, lab: Lab, work: Work, *, shares: bool = False) -> None:
        self._lab, self._shares = lab, shares
        self._held: list[WorkerProcess] = []
        weakref.finalize(self, _end_all, self._held).atexit = False
        self.take(work)

    def take(self, work: Work) -> None:
        """Go on with another program, which must be loaded."""
        self._work = work
        #: Whether a call has run out of time; further ones then have less.
        self.was_slow = False
        self.begin()
        self.forms = Forms(work.names.board, self._lab.game)

    def begin(self) -> None:
        """Give the program `CHECK_SECONDS` from now on."""
        self._deadline = time.monotonic() + CHECK_SECONDS

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the process; the next call starts a new one."""
        _end_all(self._held)

    def load(self) -> None:
        """Load the files, in a new process unless it is shared; raises `LoadError`."""
        if not self._shares:
            self.end()
        if time.monotonic() >= self._deadline:
            raise LoadError(Raised("CheckTime"))
        if not self._held:
            self._held.append(_worker(self._lab))
        probe_file = self._lab.folder / "probe.py"
        names = self._work.names
        loading = {
            "files": dict(self._work.files),
            "main": list(self._lab.files),
            "names": {
                "functions": dict(names.functions),
                "takes": {name: list(kinds) for name, kinds in names.takes.items()},
                "board": asdict(names.board),
            },
            "functions": {
                name: {"takes": list(signature.takes)}
                for name, signature in self._lab.functions.items()
            },
            "game": self._lab.game,
            "probe": probe_file.read_text("utf-8") if probe_file.is_file() else None,
            "recursion": RECURSION,
            "seconds": LOAD_SECONDS,
            "may_import": [*GIVEN_PACKAGES, *self._lab.may_import],
        }
        try:
            answer = self._message({"load": loading})
        except IsolationError as error:
            self.end()
            raise LoadError(_how_it_ended(error)) from error
        if "ready" not in answer:
            self.end()
            raise LoadError(_raised(answer.get("raised")))

    def ask(self, calls: Sequence[Call], *, stop: bool = True) -> list[Answer]:
        """The answers to calls, in order; all calls with the same options go in one message.

        With ``stop`` nothing is called after the first exception. What was not called has an error
        of the kind ``NotReached``.
        """
        answers: list[Answer] = []
        waiting = iter(calls)
        while part := list(islice(waiting, _MOST)):
            if answers and answers[-1].error is not None and (stop or not self._held):
                answers += [Answer(call, error=Raised("NotReached")) for call in part]
            else:
                answers += self._ask(part, stop)
        return answers

    def _ask(self, calls: list[Call], stop: bool) -> list[Answer]:
        if not self._held:
            self.load()
        groups = [
            {"do": do, "many": [to_json(list(each.arguments)) for each in same]}
            for do, same in _grouped(calls, lambda each: self._how(each, stop))
        ]
        try:
            data = self._message({"ask": groups})
        except IsolationError as error:
            self.end()
            raised = _how_it_ended(error)
            self.was_slow |= raised.kind in ENDING
            return self._filled(calls, [Answer(calls[0], error=raised)])
        read: list[Answer] = []
        for call, answer in zip(calls, _objects(data.get("answers")), strict=False):
            read.append(self._read(call, answer))
        if read and read[-1].error is not None and read[-1].error.kind in ENDING:
            self.was_slow = True
            self.end()
        return self._filled(calls, read)

    def _message(self, message: JsonObject) -> JsonObject:
        """What the process answers; it is ended if it is stopped, or at the end of the check."""
        process = self._held[0]
        left = max(0.0, self._deadline - time.monotonic())
        return process.ask(message, left, stop=_Asleep(process.pid))

    def _filled(self, calls: list[Call], read: list[Answer]) -> list[Answer]:
        return read + [Answer(call, error=Raised("NotReached")) for call in calls[len(read) :]]

    def _how(self, each: Call, stop: bool) -> JsonObject:
        """The part of a message that calls with the same options share."""
        return {
            "what": each.what,
            "name": each.name,
            "named": {name: to_json(value) for name, value in each.named.items()},
            "thing": each.thing,
            "count": list(each.count),
            "memo": list(each.memo),
            "inputs": None if each.inputs is None else list(each.inputs),
            "seconds": min(each.seconds, AFTER_SLOW) if self.was_slow else each.seconds,
            "seed": each.seed,
            "returns": self.returns(each),
            "keep": each.keep,
            "stop": stop,
        }

    def returns(self, each: Call) -> str:
        """The kind of a call's answer."""
        if each.returns or each.what != "function":
            return each.returns or "plain"
        signature = self._lab.functions.get(each.name)
        return signature.returns if signature else "plain"

    def _read(self, each: Call, data: JsonObject) -> Answer:
        try:
            value = from_json(data.get("value"), _thing)
        except (ValueError, TypeError, KeyError, IndexError):
            return Answer(each, error=Raised("Ended", "sent something that is not an answer"))
        raised, counts = data.get("raised"), _counts(data.get("calls"))
        if raised is None and not counts.keys() >= set(each.count):
            return Answer(each, error=Raised("Ended", "sent something that is not an answer"))
        return Answer(
            each,
            value,
            counts,
            str(data.get("printed", "")),
            data.get("changed") is True,
            None if raised is None else _raised(raised),
        )

    def in_words(self, each: Call) -> str:
        """A call as the student would type it, with ``board`` for a position."""
        names, arguments = self._work.names, list[str]()
        if each.what == "get":
            return f".{each.name}"
        if each.what == "probe":  # its arguments mean nothing to the student
            known = [name for task in self._lab.tasks for name in task.functions]
            is_known = each.name in (*known, *self._lab.functions)
            return f"{names.own(each.name)}(…)" if is_known else ""
        signature = self._lab.functions.get(each.name) if each.what == "function" else None
        kinds = list(names.takes.get(each.name) or (signature.takes if signature else ()))
        given = iter(each.arguments)
        for kind in kinds:
            if kind in DERIVED_KINDS:
                board = each.board
                made = self.forms.arguments([board], ["board", kind]) if board else [None, "?"]
                arguments.append(repr(made[1]))
            else:
                arguments += [self._shown(kind, value) for value in islice(given, 1)]
        arguments += [self._shown("plain", value) for value in given]
        arguments += [f"{name}={value!r}" for name, value in each.named.items()]
        dot = "." if each.what == "method" else ""
        return f"{dot}{names.own(each.name)}({', '.join(arguments)})"

    def _shown(self, kind: str, value: Any) -> str:
        if isinstance(value, (LabBoard, AsEnv)):
            return "game" if kind == "env" or isinstance(value, AsEnv) else "board"
        if isinstance(value, ThingNumber):
            return "…"
        text = repr(self.forms.argument(kind, value))
        return text if len(text) <= 60 else text[:59] + "…"


def _worker(lab: Lab) -> WorkerProcess:
    """A process in which nothing of this package is there but what is in memory already."""
    own = [name for name in lab.may_import if name.partition(".")[0] == _PACKAGE]
    others = [name.partition(".")[0] for name in lab.may_import if name not in own]
    sandbox = Sandbox(only=(*GIVEN_PACKAGES, *others))
    return WorkerProcess(WORKER, LIMITS, sandbox, imports=own)


class _Asleep:
    """Whether a process has been stopped, as by SIGSTOP, for more than a second."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._next, self._looks = time.monotonic() + _LOOK, 0

    def is_set(self) -> bool:
        """As a stop signal is asked."""
        if time.monotonic() < self._next:
            return self._looks >= _STOPPED_LOOKS
        self._next += _LOOK
        self._looks = self._looks + 1 if is_stopped(self._pid) else 0
        return self._looks >= _STOPPED_LOOKS


def _end_all(held: list[WorkerProcess]) -> None:
    while held:
        held.pop().end()


def _how_it_ended(error: IsolationError) -> Raised:
    if isinstance(error, TooSlowError):
        return Raised("CheckTime")
    if isinstance(error, StoppedError):
        return Raised("Ended", STOPPED, cause="signal")
    if getattr(error, "code", 0) in TOO_SLOW:
        return Raised("OutOfTime")
    return Raised("Ended", str(error), cause=error.cause)


def _grouped(calls: list[Call], how: Any) -> Iterable[tuple[JsonObject, list[Call]]]:
    for _, same in groupby(calls, key=lambda each: repr(how(each))):
        together = list(same)
        yield how(together[0]), together


def _objects(data: Any) -> list[JsonObject]:
    return (
        [entry if isinstance(entry, dict) else {} for entry in data]
        if isinstance(data, list)
        else []
    )


def _counts(data: Any) -> dict[str, int]:
    counts = data.items() if isinstance(data, dict) else ()
    return {name: count for name, count in counts if type(count) is int}


def _thing(tag: str, inside: Any) -> Any:
    if tag == "thing" and isinstance(inside, int):
        return ThingNumber(inside)
    raise ValueError(tag)


def _raised(data: Any) -> Raised:
    if not isinstance(data, dict):
        return Raised("Ended", "sent something that is not an answer")
    kind = str(data.get("kind", ""))
    lines = data.get("lines")
    return Raised(
        _KINDS.get(kind, kind),
        str(data.get("message", ""))[:1000],
        tuple(str(line)[:200] for line in lines[:40]) if isinstance(lines, list) else (),
    )
