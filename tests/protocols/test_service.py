"""The analysis service: queries in, analyses out, many at once."""

import io
import json
import random
import threading
import time

import pytest
from protocol_fuzz import fuzz_lines

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.simple import FirstMoveEngine
from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.protocols.service import server as servers
from rl_toolkit.protocols.service.server import AnalysisService


class Gated:
    """Answers once the gate is open."""

    name = "gated"

    def __init__(self, gate):
        self.gate = gate

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        assert self.gate.wait(60)
        return FirstMoveEngine().analyse(env)


def first(game, spec):
    return FirstMoveEngine()


def ask(*queries, make=first, workers=1):
    """The answers to queries, in the order in which they come."""
    lines = [query if isinstance(query, str) else json.dumps(query) for query in queries]
    writer = io.StringIO()
    AnalysisService(make, workers, "1.0").serve(io.StringIO("\n".join(lines)), writer)
    return [json.loads(line) for line in writer.getvalue().splitlines()]


def test_a_query_is_answered_with_an_analysis():
    (answer,) = ask(
        {"id": "a", "game": "tictactoe", "position": "xx1/oo1/3 x"},
        make=lambda game, spec: MinimaxSolver.strong(),
    )
    assert (answer["id"], answer["turnNumber"], answer["isDuringSearch"]) == ("a", 0, False)
    analysis = Analysis.from_dict(answer)
    assert (analysis.best.name, analysis.proven) == ("c1", True)
    assert answer["text"] == "X wins in 1 move"


def test_moves_and_turns():
    answers = ask(
        {
            "id": "a",
            "game": "connect-four",
            "moves": ["d", "d", "e"],
            "analyzeTurns": [0, 3],
            "top": 2,
        },
        {"id": "b", "game": "tictactoe", "position": "b2", "moves": ["a1"]},
    )
    assert [(each["id"], each["turnNumber"], each["player"]) for each in answers] == [
        ("a", 0, 1),
        ("a", 3, -1),
        ("b", 1, 1),
    ]
    assert [len(each["candidates"]) for each in answers] == [2, 2, 7]
    assert answers[2]["position"] == "o2/1x1/3 x"


def test_a_finished_game_has_no_candidates():
    (answer,) = ask({"id": "a", "game": "tictactoe", "position": "xxx/oo1/3 x"})
    assert (answer["best"], answer["candidates"], answer["proven"]) == (None, [], True)


def test_engines_and_limits_are_those_of_the_query():
    asked, limits = [], []

    class Listening:
        name = "listening"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            limits.append(limit)
            return FirstMoveEngine().analyse(env)

    def make(game, spec):
        asked.append((game, spec))
        return Listening()

    query = {"id": "a", "game": "reversi"}
    ask(
        query | {"engine": "hard", "limit": {"nodes": 10, "time": 1}},
        query | {"id": "b", "limit": {}},
        query | {"id": "c"},
        make=make,
    )
    assert asked == [("reversi-8", "hard"), ("reversi-8", None)]  # the second engine is used twice
    assert limits == [Limit(nodes=10, time=1), None, None]


class Reporting:
    """Reports until it is stopped, at most fifty times."""

    name = "reporting"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        found = FirstMoveEngine().analyse(env)
        for _ in range(50):
            if on_progress is not None:
                on_progress(found)
            if stop.wait(0.001):
                break
        return found


def test_partial_reports_come_before_the_last():
    answers = ask(
        {"id": "a", "game": "tictactoe", "reportDuringSearchEvery": 0.001},
        {"id": "b", "game": "tictactoe"},
        make=lambda game, spec: Reporting(),
    )
    for_a = [each["isDuringSearch"] for each in answers if each["id"] == "a"]
    assert len(for_a) > 1
    assert for_a == [True] * (len(for_a) - 1) + [False]
    assert [each["isDuringSearch"] for each in answers if each["id"] == "b"] == [False]


class Slow:
    """A stream that gives its next line when it is allowed to."""

    def __init__(self, lines):
        self.lines = [(json.dumps(line), wait) for line, wait in lines]

    def readline(self, limit=-1):
        if not self.lines:
            return ""
        line, wait = self.lines.pop(0)
        wait()
        return line + "\n"


def test_queries_can_be_terminated():
    writer = io.StringIO()
    endless = threading.Event()

    class Endless:
        name = "endless"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            endless.set()
            assert stop.wait(60)
            return FirstMoveEngine().analyse(env)

    query = {"game": "tictactoe"}
    reader = Slow(
        [
            (query | {"id": "a"}, lambda: None),
            (query | {"id": "b"}, lambda: None),
            ({"id": "x", "action": "terminate", "terminateId": "b"}, lambda: endless.wait(60)),
            ({"id": "y", "action": "terminate", "terminateId": "nobody"}, lambda: None),
            ({"id": "z", "action": "terminate_all"}, lambda: None),
        ]
    )
    AnalysisService(lambda game, spec: Endless()).serve(reader, writer)
    answers = [json.loads(line) for line in writer.getvalue().splitlines()]
    actions = [each for each in answers if "action" in each]
    assert [each["id"] for each in actions] == ["x", "y", "z"]
    by_id = {each["id"]: each for each in answers}
    assert by_id["a"]["best"] == 0
    assert by_id["b"] == {"id": "b", "turnNumber": 0, "isDuringSearch": False, "noResults": True}


def test_several_at_once():
    """Each of three searches waits for the other two."""
    together = threading.Barrier(3, timeout=60)

    class Waiting:
        name = "waiting"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            together.wait()
            return FirstMoveEngine().analyse(env)

    answers = ask(
        *({"id": name, "game": "tictactoe"} for name in "abc"),
        make=lambda game, spec: Waiting(),
        workers=3,
    )
    assert sorted(each["id"] for each in answers) == ["a", "b", "c"]
    assert all("error" not in each for each in answers)


def test_higher_priorities_come_first():
    gate = threading.Event()
    writer = io.StringIO()
    query = {"game": "tictactoe"}
    service = AnalysisService(lambda game, spec: Gated(gate))

    def until_taken():
        deadline = time.monotonic() + 60
        while not service._queue.empty() and time.monotonic() < deadline:
            time.sleep(0.001)

    reader = Slow(
        [
            (query | {"id": "now"}, lambda: None),
            (query | {"id": "low", "priority": -1}, until_taken),
            (query | {"id": "high", "priority": 5}, lambda: None),
            (query | {"id": "normal"}, lambda: None),
            ({"id": "v", "action": "query_version"}, lambda: None),
            ({"id": "w", "action": "query_version"}, gate.set),
        ]
    )
    service.serve(reader, writer)
    answers = [json.loads(line) for line in writer.getvalue().splitlines()]
    assert [each["id"] for each in answers if "action" not in each] == [
        "now",
        "high",
        "normal",
        "low",
    ]


class Gone(io.StringIO):
    """A stream whose reader leaves after the first line."""

    def write(self, text):
        if self.getvalue():
            raise BrokenPipeError
        return super().write(text)


def test_when_nobody_reads_the_answers_all_searches_are_stopped():
    """The query that runs at the time, and the one that waits, end without a word."""
    begun, stopped = threading.Event(), []

    class Endless:
        name = "endless"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            begun.set()
            stopped.append(stop.wait(60))
            return FirstMoveEngine().analyse(env)

    writer, version = Gone(), {"action": "query_version"}
    reader = Slow(
        [
            ({"id": "v", **version}, lambda: None),
            ({"id": "a", "game": "tictactoe"}, lambda: None),
            ({"id": "b", "game": "tictactoe"}, begun.wait),
            ({"id": "w", **version}, lambda: None),  # the first answer that is lost
            ({"id": "c", "game": "tictactoe"}, lambda: pytest.fail("it went on")),
        ]
    )
    with pytest.raises(BrokenPipeError):
        AnalysisService(lambda game, spec: Endless()).serve(reader, writer)
    assert stopped == [True]
    assert [json.loads(line)["id"] for line in writer.getvalue().splitlines()] == ["v"]


def test_an_answer_that_is_lost_stops_the_other_searches_at_once():
    """The service itself waits for its next line meanwhile."""
    begun, stopped = threading.Event(), threading.Event()

    class Engine:
        name = "engine"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            if env.move_count:  # the endless one
                begun.set()
                if stop.wait(60):
                    stopped.set()
            assert begun.wait(60)
            return FirstMoveEngine().analyse(env)

    def until_stopped():
        assert stopped.wait(60)

    writer = Gone()
    reader = Slow(
        [
            ({"id": "v", "action": "query_version"}, lambda: None),
            ({"id": "a", "game": "tictactoe", "moves": ["b2"]}, lambda: None),
            ({"id": "b", "game": "tictactoe"}, lambda: None),
            ({"id": "w", "action": "query_version"}, until_stopped),
        ]
    )
    with pytest.raises(BrokenPipeError):
        AnalysisService(lambda game, spec: Engine(), 2).serve(reader, writer)
    assert [json.loads(line)["id"] for line in writer.getvalue().splitlines()] == ["v"]


QUERY = {"id": "a", "game": "tictactoe"}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"game": "tictactoe"}, "id"),
        ({"id": 3, "game": "tictactoe"}, "id"),
        ({"id": "a"}, "game"),
        (QUERY | {"game": "chess"}, "game"),
        (QUERY | {"game": ["x"]}, "game"),
        (QUERY | {"position": "hello"}, "position"),
        (QUERY | {"position": 3}, "position"),
        (QUERY | {"moves": "b2"}, "moves"),
        (QUERY | {"moves": [4]}, "moves"),
        (QUERY | {"moves": ["b2", "b2"]}, "moves"),
        (QUERY | {"moves": ["b2"] * 5000}, "moves"),
        (QUERY | {"analyzeTurns": []}, "analyzeTurns"),
        (QUERY | {"analyzeTurns": [1]}, "analyzeTurns"),
        (QUERY | {"analyzeTurns": [True]}, "analyzeTurns"),
        (QUERY | {"analyzeTurns": 0}, "analyzeTurns"),
        (QUERY | {"limit": 3}, "limit"),
        (QUERY | {"limit": {"time": -1}}, "limit"),
        (QUERY | {"limit": {"visits": 3}}, "limit"),
        (QUERY | {"top": 0}, "top"),
        (QUERY | {"top": True}, "top"),
        (QUERY | {"priority": 1.5}, "priority"),
        (QUERY | {"engine": 3}, "engine"),
        (QUERY | {"reportDuringSearchEvery": 0}, "reportDuringSearchEvery"),
        (QUERY | {"reportDuringSearchEvery": "x"}, "reportDuringSearchEvery"),
        (QUERY | {"gmae": "x"}, "gmae"),
        ({"id": "a", "action": "explode"}, "action"),
        ({"id": "a", "action": "terminate"}, "terminateId"),
        ({"action": "query_version"}, "id"),
        ({"id": "a", "action": "query_version", "game": "x"}, "game"),
    ],
)
def test_what_is_wrong_is_said_with_its_field(query, field):
    answer, version = ask(query, {"id": "v", "action": "query_version"})
    assert answer["field"] == field
    assert answer["error"]
    assert answer.get("id") == (query["id"] if isinstance(query.get("id"), str) else None)
    assert version == {"id": "v", "action": "query_version", "version": "rl-toolkit 1.0"}


@pytest.mark.parametrize(
    "line", ["hello", "[]", "3", '{"id": "a"', '{"id": NaN}', '{"a": 1, "a": 2}', "\x00"]
)
def test_what_is_not_json_is_an_error(line):
    (answer,) = ask(line)
    assert list(answer) == ["error"]


def test_engines_that_fail_are_errors_of_their_query():
    def make(game, spec):
        if spec == "none":
            raise ValueError("there is no engine 'none'")

        class Failing:
            name = "failing"

            def analyse(self, env, limit=None, on_progress=None, stop=None):
                raise ZeroDivisionError

        return Failing()

    answers = ask(QUERY, QUERY | {"id": "b", "engine": "none"}, make=make)
    assert answers == [
        {"id": "a", "turnNumber": 0, "error": "ZeroDivisionError"},
        {"id": "b", "turnNumber": 0, "error": "there is no engine 'none'"},
    ]


def test_an_id_is_free_again_when_its_query_is_answered(monkeypatch):
    gate = threading.Event()
    writer = io.StringIO()
    service = AnalysisService(lambda game, spec: Gated(gate))

    def until_answered():
        gate.set()
        deadline = time.monotonic() + 60
        while service._open and time.monotonic() < deadline:
            time.sleep(0.001)

    reader = Slow([(QUERY, lambda: None), (QUERY, lambda: None), (QUERY, until_answered)])
    service.serve(reader, writer)
    refused, *answered = [json.loads(line) for line in writer.getvalue().splitlines()]
    assert refused["error"] == "a query with this id is still open"
    assert [each["best"] for each in answered] == [0, 0]


def test_too_many_queries_are_refused(monkeypatch):
    monkeypatch.setattr(servers, "MOST_WAITING", 2)
    (answer,) = ask(QUERY | {"moves": ["b2", "a1"], "analyzeTurns": [0, 1, 2]})
    assert answer["error"] == "more than 2 positions are waiting"


KEYS = [
    "id",
    "game",
    "position",
    "moves",
    "engine",
    "limit",
    "top",
    "analyzeTurns",
    "reportDuringSearchEvery",
    "priority",
    "action",
    "terminateId",
    "x",
]
VALUES = [
    "a",
    "b",
    "tictactoe",
    "connect-four",
    "xx1/oo1/3 x",
    "",
    ["b2"],
    ["d", "d"],
    [0],
    [1, 2],
    {},
    {"time": 1},
    {"depth": 2},
    1,
    -1,
    0.5,
    True,
    None,
    "terminate",
    "query_version",
    "first",
]


def random_lines(chance, count):
    words = [json.dumps(value) for value in (*KEYS, *VALUES)] + ["{", "}", "[", "]", ":", ","]
    nonsense = fuzz_lines(chance, count, words)
    for line in nonsense:
        if chance.random() < 0.5:
            query = {"id": f"q{chance.randrange(10**9)}", "game": "tictactoe"}
            for _ in range(chance.randrange(4)):
                query[chance.choice(KEYS)] = chance.choice(VALUES)
            line = json.dumps(query)
        yield line


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.full)])
def test_random_lines_get_an_answer(count):
    lines = [line for line in random_lines(random.Random(4), count) if line.strip()]
    answers = ask(*lines, workers=2)
    assert len(answers) >= len(lines)  # a query about several turns has several answers
    assert sum("error" in each for each in answers) > count // 4
    assert sum("best" in each for each in answers) > count // 20
    ids = {each.get("id") for each in answers}
    for line in lines:
        try:
            asked = json.loads(line)
        except ValueError:
            continue
        if isinstance(asked, dict) and isinstance(asked.get("id"), str):
            assert asked["id"] in ids
