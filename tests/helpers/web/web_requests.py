"""Talking to the application in tests: JSON in, JSON out, and streams of events taken apart."""

import json


def post(client, address, body=None, **fields):
    return client.post(address, json=body if body is not None else fields)


def answer(client, address, **fields):
    response = post(client, address, **fields)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


def refusal(response):
    """The sentence of a 4xx."""
    assert 400 <= response.status_code < 500, response.get_data(as_text=True)
    body = response.get_json()
    assert set(body) == {"error"}
    assert len(body["error"]) > 10
    return body["error"]


def said(text):
    """The events of a stream without those of waiting, which tell how busy the machine is."""
    return [(name, data) for name, data in events(text) if name not in ("queued", "compiling")]


def events(text):
    """``(name, data)`` of every event in the text of a stream."""
    found = []
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            name, data = lines
            assert name.startswith("event: ")
            assert data.startswith("data: ")
            found.append((name[len("event: ") :], json.loads(data[len("data: ") :])))
    return found
