"""`Check`: what the checks of a lab are written with.

A check of a task is a function ``task_1(check)`` in the check.py of a lab. It calls the student's
code, compares, and ends at the first case that is wrong.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from rl_toolkit.labs.checking.errors import error_sentence
from rl_toolkit.labs.checking.games import Game, every_reply
from rl_toolkit.labs.checking.report import Failure, Picture
from rl_toolkit.labs.checking.session import ENDING, Answer, Call, Session, call, probe
from rl_toolkit.labs.model.lab import Lab, LabError, Task
from rl_toolkit.labs.model.names import DERIVED_KINDS
from rl_toolkit.labs.model.positions import LabBoard, after, start_of
from rl_toolkit.labs.model.values import Other, ThingNumber, side
from rl_toolkit.labs.model.work import Work
from rl_toolkit.utils import listed

#: A sentence, with the id of a mistake if the sentence is about one.
Told = str | tuple[str, str]
#: The difference of two numbers that are the same.
_SAME = 1e-9
#: How much of what was printed is shown.
_PRINTED_LINES, _LONGEST_LINE = 12, 200


class TaskFailedError(Exception):
    """The task is wrong; ``failure`` is the first failing case."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.sentence)
        self.failure = failure


class TaskOpenError(Exception):
    """The task cannot be checked here; the message says why."""


class Check:
    """The check of one task.

    Attributes:
        rng: draws positions anew for each check; the report names its seed.
        task: the task that is checked.
        names: what the student calls things.
    """

    def __init__(self, lab: Lab, task: Task, work: Work, session: Session, seed: int) -> None:
        self.lab, self.task, self.rng = lab, task, random.Random(f"{seed}/{task.number}")
        self.names = work.names
        self._work, self._session = work, session
        self.notes: list[str] = []

    # ------------------------------------------------------------------ asking

    def call(self, name: str, *arguments: Any, may_raise: bool = False, **options: Any) -> Answer:
        """The answer to one call; an exception fails the task unless it ``may_raise``.

        The options are fields of `Call`: ``count``, ``memo``, ``inputs``, ``seconds``, ``seed``.
        """
        return self._one(call(name, *arguments, **options), may_raise)

    def probe(self, name: str, *arguments: Any, may_raise: bool = False, **options: Any) -> Answer:
        """The answer of a function in the lab's probe.py, which gets the student's module first."""
        return self._one(probe(name, *arguments, **options), may_raise)

    def calls(self, calls: Sequence[Call], *, may_raise: bool = False) -> list[Answer]:
        """The answers to many calls, in one round trip where their options are the same."""
        answers = self._session.ask(list(calls), stop=not may_raise)
        if not may_raise:
            for answer in answers:
                self.refuse_error(answer)
        return answers

    def new(self, name: str, *arguments: Any, **named: Any) -> Thing:
        """An object of the student's class; an exception fails the task."""
        made = Call(name, arguments, named, what="new")
        answer = self._one(made, may_raise=False)
        assert isinstance(answer.value, ThingNumber)
        return Thing(self, answer.value.number)

    def file(self, name: str) -> str:
        """A file of the student as text; "" if there is none."""
        return self._work.files.get(name, "")

    def every_reply(self, name: str, *, seat: int, **options: Any) -> list[Game]:
        """All games of the student's player in that seat against every reply of the other side.

        An illegal or missing move fails the task.
        """
        return every_reply(self, name, seat, options)

    def _one(self, made: Call, may_raise: bool) -> Answer:
        (answer,) = self._session.ask([made], stop=True)
        if not may_raise or (answer.error and answer.error.kind in (*ENDING, "Ended")):
            self.refuse_error(answer)
        return answer

    # ------------------------------------------------------------------ judging

    def compare(
        self,
        name: str,
        cases: Iterable[Any],
        right: Callable[..., Any] | Sequence[Any],
        sentence: Told | Callable[..., Told],
        *,
        ask: Callable[..., Call] | None = None,
        fits: Callable[[Any, Any], bool] | None = None,
        changed: Told = "",
        raised: Callable[..., Told | None] | None = None,
        shown: Callable[..., Mapping[str, Any]] | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> list[Answer]:
        """Call a function in many cases; the first answer that is not right fails the task.

        Args:
            name: the function on the sheet.
            ask: `probe` for a function of probe.py.
            cases: the arguments of each call: a tuple, or the only argument.
            right: the right answer, a function of the arguments; or a list of right answers.
                `OneOf` several right answers the first is shown.
            sentence: what is wrong; a text, or a function of answer, right answer, arguments.
            fits: whether an answer is right, if not by `same`; of the answer and the right one.
            changed: what is wrong if a call changes its arguments; asked first.
            raised: what is wrong if a call raises; a function of the exception and the
                arguments, ``None`` for the usual words.
            shown: more of what `fail` shows; or a function like ``sentence``.
            options: fields of `Call`: ``count``, ``memo``, ``inputs``, ``seconds``, ``seed``.
        """
        given = [case if isinstance(case, tuple) else (case,) for case in cases]
        rights = [right(*case) for case in given] if callable(right) else list(right)
        made = [(ask or call)(name, *case, **options) for case in given]
        answers = self._session.ask(made, stop=raised is None)
        for answer, expected in zip(answers, rights, strict=True):
            case, value = answer.call.arguments, answer.value
            best = expected[0] if isinstance(expected, OneOf) else expected
            told: Told | None = None
            if answer.error is not None:
                told = raised(answer.error, *case) if raised else None
                if told is None:
                    self.refuse_error(answer, best)
            elif changed and answer.changed:
                told = changed
            elif not (fits or same)(value, expected):
                told = sentence(value, expected, *case) if callable(sentence) else sentence
            if told is not None:
                more = shown(value, expected, *case) if callable(shown) else shown or {}
                text, mistake = (told, "") if isinstance(told, str) else told
                said = {"said": answer.error.kind} if answer.error else {}
                self.fail(answer, text, mistake=mistake, **{"right": best, **more, **said})
        return answers

    def case(self, answer: Answer | None = None, **shown: Any) -> Case:
        """A case that is judged in several ways; ``shown`` is as for `fail`."""
        return Case(self, answer, shown)

    def never_loses(self, name: str, sentence: str, **options: Any) -> list[int]:
        """Fail unless the student's player loses no game in either seat against any reply.

        ``{side}`` in the sentence becomes the side of the player. The numbers of games in both
        seats come back.
        """
        numbers = []
        for seat in (1, -1):
            games = self.every_reply(name, seat=seat, **options)
            numbers.append(len(games))
            for game in games:
                if game.winner == -seat:
                    text = sentence.format(side=side(seat))
                    self.fail(None, text, moves=game.moves, board=after(game.moves, self.lab.game))
        return numbers

    def each(
        self,
        name: str,
        cases: Iterable[LabBoard | Sequence[Any]],
        right: Callable[..., Any] | Sequence[Any],
        sentence: str | Callable[[Answer, Any], Told],
        **options: Any,
    ) -> None:
        """`compare` as older checks call it: ``sentence`` may be made from an `Answer`."""
        given = [(case,) if isinstance(case, LabBoard) else tuple(case) for case in cases]
        rights = [right(*case) for case in given] if callable(right) else list(right)
        made = [call(name, *case, **options) for case in given]
        for answer, expected in zip(self._session.ask(made, stop=True), rights, strict=True):
            self.refuse_error(answer, expected)
            self.equal(answer, expected, sentence)

    def equal(
        self,
        answer: Answer,
        right: Any,
        sentence: str | Callable[[Answer, Any], Told],
        *,
        mistake: str = "",
        **shown: Any,
    ) -> None:
        """Fail unless the answer is ``right``; numbers may differ by rounding."""
        if same(answer.value, right):
            return
        text = sentence if isinstance(sentence, str) else sentence(answer, right)
        if isinstance(text, tuple):
            text, mistake = text
        self.fail(answer, text, mistake=mistake, right=right, **shown)

    def require(self, condition: bool, answer: Answer | None, sentence: str, **shown: Any) -> None:
        """Fail unless the condition holds; the rest is as for `fail`."""
        if not condition:
            self.fail(answer, sentence, **shown)

    def fail(
        self,
        answer: Answer | None,
        sentence: str,
        *,
        mistake: str = "",
        board: LabBoard | None = None,
        right: Any = "",
        shown: str = "",
        said: str | None = None,
        moves: Sequence[int] = (),
        picture: Picture | Callable[[], Picture] | None = None,
        costs: int = 0,
    ) -> NoReturn:
        """End the task as wrong, with this case.

        Args:
            answer: the call that was wrong: gives board, call and answer unless they are given.
            sentence: what is wrong, in one sentence.
            mistake: the id of the typical mistake, if the check has recognised it.
            board: the position to draw.
            right: the right answer, in the form of the checks; in words if ``said`` is given.
            shown: the call in words.
            said: the student's answer in words.
            picture: something else to draw, or a function that draws it.
            moves: a game from the start, as moves.
            costs: the points that this costs, if not all of the task.
        """
        if answer is not None and not mistake and (found := self._in_general(answer, right)):
            sentence, mistake = f"{found[0]} {sentence}", found[1]
        returns = self._session.returns(answer.call) if answer else "plain"
        words = self._session.forms.in_words
        is_in_words = isinstance(right, str) and (right == "" or said is not None or answer is None)
        if said is None:
            said = words(returns, answer.value) if answer and not answer.error else ""
            if answer and isinstance(answer.value, Other) and returns in ("board", "boards"):
                own = self._session.forms.own_board
                is_in_words = True
                right = own(right) if returns == "board" else f"[{', '.join(map(own, right))}]"
        board = board or (answer.call.board if answer else None)
        raise TaskFailedError(
            Failure(
                sentence,
                mistake,
                call=shown or (self._session.in_words(answer.call) if answer else ""),
                answer=said,
                right=right if is_in_words else words(returns, right),
                board=board,
                shows_mover=self._mover_matters(answer),
                picture=picture() if callable(picture) else picture,
                moves=self._move_names(moves),
                traceback=answer.error.lines if answer and answer.error else (),
                printed=_end_of(answer.printed) if answer and picture is None else "",
                costs=costs,
            )
        )

    def note(self, text: str) -> None:
        """A line under the task when it is right."""
        self.notes.append(text)

    def open(self, reason: str) -> NoReturn:
        """Leave the task open: it cannot be checked here."""
        raise TaskOpenError(reason)

    def refuse_error(self, answer: Answer, right: Any = "") -> None:
        """Fail if the call ended with an exception."""
        error = answer.error
        if error is None:
            return
        own = self._own(answer.call)
        sentence = error_sentence(error, own, self.lab.code_file, answer.call.seconds)
        mistake = ""
        if error.kind == "WrongArguments":
            sentence, mistake = self._other_arguments(answer.call, error.message), "other-arguments"
        elif error.kind == "EndOfInputError" and answer.call.inputs is None:
            sentence = f"{own} asks for input. It should get all that it needs as arguments."
            mistake = "asks-for-input"
        self.fail(answer, sentence, mistake=mistake, right=right)

    def _own(self, made: Call) -> str:
        """What a call is called to the student: a helper in probe.py is not on their sheet."""
        known = {*self.lab.functions, *(name for task in self.lab.tasks for name in task.functions)}
        if made.what == "probe" and made.name not in known:
            return "Your program"
        return self._work.names.own(made.name)

    def _in_general(self, answer: Answer, right: Any) -> tuple[str, str] | None:
        """A sentence and the id of a mistake that is the same in every lab."""
        own, made = self._own(answer.call), answer.call
        is_silent = answer.value is None or (
            isinstance(answer.value, list) and set(map(type, answer.value)) == {type(None)}
        )
        is_dialogue = made.inputs is not None or right is None
        # A print for oneself is no mistake: what is printed must be the answer.
        is_printed = bool(answer.printed.strip()) and str(right) in answer.printed
        if is_silent and not is_dialogue and not answer.error and is_printed:
            return (
                f"{own} prints its answer and returns None: print only shows a value, return hands "
                "it to the caller.",
                "prints",
            )
        returns = self._session.returns(made)
        is_missing = answer.value is None and not is_dialogue and not answer.error
        if is_missing and returns not in ("plain", "player"):
            return f"{own} returned None. Does one way through it end without a return?", ""
        signature, takes = self.lab.functions.get(made.name), self._work.names.takes.get(made.name)
        if signature is None or takes is None:
            return None
        is_blind = set(DERIVED_KINDS) & set(signature.takes) and not set(DERIVED_KINDS) & set(takes)
        if is_blind and made.board is not None and made.board.mover < 0:
            return (
                f"{own} has no argument for the player (names.toml, takes), so it must see on the "
                "board that O is to move here.",
                "other-arguments",
            )
        given = [kind for kind in signature.takes if kind not in DERIVED_KINDS]
        last = dict(zip(given, made.arguments, strict=False)).get("plain")
        if "plain" in given and "plain" not in takes and last:
            names = _parameters(self.lab, made.name)
            return (
                f"{own} has no argument {names[-1]} (names.toml, takes), and here it is {last!r}.",
                "other-arguments",
            )
        return None

    def _other_arguments(self, made: Call, signature: str) -> str:
        """What a function lacks that cannot be called like the one on the sheet."""
        own, names = self._own(made), _parameters(self.lab, made.name)
        sheet = f"{made.name}({', '.join(names)})"
        count = len(signature.strip("()").split(",")) if signature.strip("()") else 0
        missing = names[count:]
        lacks = f" {own} has no argument for {listed(missing)}." if missing else ""
        return (
            f"{own}{signature} cannot be called like {sheet} on the sheet.{lacks} If it takes the "
            "same in another order, or sees it on the board, say so in names.toml (takes)."
        )

    def _mover_matters(self, answer: Answer | None) -> bool:
        """Whether the call depends on who is to move."""
        signature = self.lab.functions.get(answer.call.name) if answer else None
        return signature is None or bool({"env", *DERIVED_KINDS} & set(signature.takes))

    def _move_names(self, moves: Sequence[int]) -> tuple[str, ...]:
        return tuple(start_of(self.lab.game).copy().line_names(moves)) if moves else ()


class Thing:
    """An object in the student's process."""

    def __init__(self, check: Check, number: int) -> None:
        self._check, self.number = check, number

    def call(self, name: str, *arguments: Any, may_raise: bool = False, **options: Any) -> Answer:
        """Call a method; the options are those of `Check.call`, and ``named`` arguments."""
        given = tuple(ThingNumber(a.number) if isinstance(a, Thing) else a for a in arguments)
        for field in ("count", "memo", "inputs"):
            if options.get(field) is not None:
                options[field] = tuple(options[field])
        made = Call(name, given, what="method", thing=self.number, **options)
        return self._check._one(made, may_raise)

    def get(self, name: str, **options: Any) -> Answer:
        """The value of an attribute."""
        return self._check._one(Call(name, what="get", thing=self.number, **options), False)

    def keep(self, name: str, *arguments: Any, **options: Any) -> Thing:
        """Call a method and keep the object that it returns."""
        answer = self.call(name, *arguments, keep=True, **options)
        if not isinstance(answer.value, ThingNumber):
            raise LabError(f"{name} did not return an object")
        return Thing(self._check, answer.value.number)


class Case:
    """One case of a task with what its failure shows, judged in several ways."""

    def __init__(self, check: Check, answer: Answer | None, shown: Mapping[str, Any]) -> None:
        self._check, self._answer, self._shown = check, answer, shown

    def require(
        self,
        condition: object,
        sentence: str,
        mistake: str = "",
        said: object = None,
        right: object = "",
        **shown: Any,
    ) -> None:
        """Fail unless the condition holds."""
        if not condition:
            self.fail(sentence, mistake, said, right, **shown)

    def fail(
        self,
        sentence: str,
        mistake: str = "",
        said: object = None,
        right: object = "",
        **shown: Any,
    ) -> NoReturn:
        """End the task as wrong; ``said`` and ``right`` are shown as text."""
        more = dict(self._shown)
        if said is not None:
            more["said"] = str(said)
        if right != "":
            more["right"] = str(right)
        self._check.fail(self._answer, sentence, mistake=mistake, **{**more, **shown})


class OneOf(tuple[Any, ...]):
    """Several right answers; the first is the one to show."""


def same(value: Any, right: Any) -> bool:
    """Whether an answer is right; numbers to 1e-9, tuples as lists, True is not 1."""
    if isinstance(right, OneOf):
        return any(same(value, option) for option in right)
    if isinstance(value, bool) != isinstance(right, bool):
        return False
    if isinstance(value, (int, float)) and isinstance(right, (int, float)):
        return value == right or abs(value - right) <= _SAME
    if isinstance(value, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(value) == len(right) and all(map(same, value, right))
    if isinstance(value, dict) and isinstance(right, dict):
        return value.keys() == right.keys() and all(same(value[k], right[k]) for k in right)
    return bool(value == right)


def _parameters(lab: Lab, name: str) -> list[str]:
    """The names of a function's arguments in the start files."""
    for file, text in lab.start_files().items():
        for node in ast.walk(ast.parse(text)) if file.endswith(".py") else ():
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return [arg.arg for arg in node.args.args]
    return []


def _end_of(printed: str) -> str:
    """The last lines of what was printed: they belong to the case that is wrong."""
    lines = printed.rstrip().splitlines()
    return "\n".join(line[:_LONGEST_LINE] for line in lines[-_PRINTED_LINES:])
