"""The OpenAPI document says what the server takes: its routes, their fields and their examples."""

from __future__ import annotations

import re

import pytest

from rl_toolkit.web import create_app
from rl_toolkit.web.api.openapi import FIELDS, TAKES, Takes, document

#: Addresses that need a token or the folder of a lab, which an example cannot have.
CLOSED = {"arena/start", "arena/stop", "lab/check", "lab/events", "lab/hint"}
#: Examples that take seconds, need a saved game, or wait for events.
NOT_ASKED = {"arena/events", "bandits/regret", "library/file", "library/keep", "tree/record"}
LISTED = re.compile(r"the fields here are (.*)$")


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return create_app(library=tmp_path_factory.mktemp("library") / "games.sqlite")


@pytest.fixture(scope="module")
def client(app):
    return app.test_client()


def posted(app):
    return {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).removeprefix("/api/")
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") and "POST" in rule.methods
    }


def test_every_address_of_the_server_is_described_and_no_other(app):
    assert set(TAKES) == posted(app)
    paths = document(app)["paths"]
    assert {path.removeprefix("/api/") for path, each in paths.items() if "post" in each} == set(
        TAKES
    )
    assert "get" in paths["/api/health"]


def test_every_field_is_explained_and_used():
    used = {name for takes in TAKES.values() for name in takes.fields.split()}
    assert used == set(FIELDS)
    assert all(about for _, about in FIELDS.values())
    for name, takes in TAKES.items():
        fields = set(takes.fields.split())
        assert set(takes.needed.split()) <= fields, name
        assert set(takes.example) <= fields, name


def address(name):
    return f"/api/{name}".replace("{experiment_id}", "positions")


def fields_of(client, name, takes: Takes):
    """The fields that the server itself lists when it refuses one that it does not know."""
    answer = client.post(address(name), json={**takes.example, "no_such_field": 1})
    assert answer.status_code == 400, answer.get_json()
    found = LISTED.search(answer.get_json()["error"])
    assert found, answer.get_json()
    return set(filter(None, found[1].split(", ")))


@pytest.mark.parametrize("name", sorted(set(TAKES) - CLOSED - {"tree/record"}))
def test_the_fields_of_an_address_are_those_that_the_server_reads(client, name):
    listed = fields_of(client, name, TAKES[name])
    declared = set(TAKES[name].fields.split())
    assert listed == declared


@pytest.mark.parametrize("name", sorted(set(TAKES) - CLOSED - NOT_ASKED))
def test_an_example_is_answered(client, name):
    takes = TAKES[name]
    answer = client.post(address(name), json=takes.example)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    assert answer.mimetype == ("text/event-stream" if takes.streams else "application/json")
    answer.close()


def test_the_document_is_served(client):
    answer = client.get("/api/openapi.json")
    assert answer.get_json()["openapi"] == "3.1.0"
    body = answer.get_json()["paths"]["/api/why-not"]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert schema["required"] == ["cell"]
    assert schema["properties"]["cell"]["type"] == "integer"
