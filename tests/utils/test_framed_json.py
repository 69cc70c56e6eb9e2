"""Messages over a socket: whole ones arrive whole, everything else is refused."""

import socket

import numpy as np
import pytest

from rl_toolkit.utils.strict_json import FramedJson, JsonError


@pytest.fixture
def ends():
    first, second = socket.socketpair()
    pair = FramedJson(first, longest=1000), FramedJson(second, longest=1000)
    yield pair
    for end in pair:
        end.close()


def test_messages_arrive_in_order_and_numpy_numbers_as_plain_ones(ends):
    ours, theirs = ends
    ours.send({"move": np.int8(4)})
    ours.send({"text": "h8 – ✓ 😀"})
    ours.send({"text": "half \ud83d of a pair"})
    assert theirs.receive() == {"move": 4}
    assert theirs.receive() == {"text": "h8 – ✓ 😀"}
    assert theirs.receive() == {"text": "half ? of a pair"}
    assert theirs.message() is None
    assert theirs.fileno() == theirs.connection.fileno()


def test_a_message_in_pieces_is_read_when_it_is_complete(ends):
    ours, theirs = ends
    ours.send({"a": 1})
    data = theirs.connection.recv(100)
    for end in range(1, len(data)):
        reader = FramedJson(theirs.connection)
        reader.feed(data[:end])
        assert reader.message() is None
        reader.feed(data[end:])
        assert reader.message() == {"a": 1}


def test_what_is_no_message_is_refused(ends):
    ours, _ = ends
    half = b'\x00\x00\x00\x0c{"a":"\\ud83d"}'
    for data in (b"\x00\x00\x00\x02[]", b"\x00\x00\x00\x01\xff", b"\xff\xff\xff\xff", half):
        reader = FramedJson(ours.connection, longest=1000)
        reader.feed(data)
        with pytest.raises(JsonError):
            reader.message()


def test_what_is_no_data_is_not_sent(ends):
    ours, theirs = ends
    with pytest.raises(TypeError, match="object cannot be sent"):
        ours.send({"a": object()})
    with pytest.raises(ValueError, match="JSON"):
        ours.send({"a": float("nan")})
    ours.send({})
    assert theirs.receive() == {}


def test_the_end_of_the_stream_is_no_message(ends):
    ours, theirs = ends
    ours.close()
    assert theirs.receive() is None


def test_open_files_go_with_a_message(ends, tmp_path):
    ours, theirs = ends
    path = tmp_path / "a.txt"
    path.write_text("inside")
    with path.open() as file:
        ours.send_with_files({"files": 1}, [file.fileno()])
        data, (received,), _, _ = socket.recv_fds(theirs.connection, 100, 1)
    theirs.feed(data)
    assert theirs.message() == {"files": 1}
    with open(received) as file:
        assert file.read() == "inside"
