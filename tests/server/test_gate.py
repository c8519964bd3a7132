"""What the gate lets in, what it refuses, and that it refuses before it reads."""

import asyncio

import pytest
from starlette.exceptions import HTTPException
from tests.server.conftest import KEEPER, TOKEN, bearer, make_client

from maskwise.errors import InputError
from maskwise.server.access import AccessScope, RateLimit, TokenTable
from maskwise.server.gate import Gate, Load
from maskwise.server.settings import LoadSettings, ServerSettings, load_settings

BODY = {"text": "Mr Lee left."}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example.org",
        "",
        "localhost.evil.example.org",
        "127.0.0.1.nip.example.org",
        "localhost:80@evil.example.org",
        "[::1]evil.example.org",
        "localhost/evil.example.org",
    ],
)
def test_another_host_is_refused(client, host):
    assert client.post("/v1/sanitize", json=BODY, headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("name", ["host", "origin"])
def test_a_request_with_two_origins_is_refused(client, name):
    own = {"host": "localhost", "origin": "http://localhost"}
    for values in ((own[name], "evil.example.org"), ("evil.example.org", own[name])):
        headers = [*((key, own[key]) for key in own if key != name), *((name, v) for v in values)]
        answer = client.post("/v1/sanitize", json=BODY, headers=headers)
        assert answer.status_code == 400
        assert "evil" not in answer.text


def test_other_sites_are_refused(client):
    assert (
        client.get("/v1/policies", headers={"Origin": "http://evil.example.org"}).status_code == 403
    )
    assert client.get("/v1/policies", headers={"Origin": "null"}).status_code == 403
    assert client.get("/v1/policies", headers={"Origin": "http://localhost"}).status_code == 200
    asked = {"Origin": "http://evil.example.org", "Access-Control-Request-Method": "POST"}
    answer = client.options("/v1/sanitize", headers=asked)
    assert "access-control-allow-origin" not in answer.headers


def test_every_answer_has_the_headers_of_security(client):
    for answer in (client.get("/v1/policies"), client.get("/nowhere"), client.get("/v1/health")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers


def test_without_tokens_nobody_restores_or_administers(client):
    assert client.post("/v1/restore", json={"text": "a"}).status_code == 403
    assert client.post("/v1/restore/file").status_code == 403
    assert client.post("/v1/policies/reload").status_code == 403


def test_tokens_are_asked_everywhere_but_at_probes(tokens):
    settings = ServerSettings(tokens=tokens)
    with make_client(settings) as client:
        assert client.get("/readyz").status_code == 200
        assert client.get("/health").status_code != 401
        for path in ("/v1/policies", "/metrics", "/v1/openapi.json", "/nowhere"):
            assert client.get(path).status_code == 401
            assert client.get(path, headers=bearer(TOKEN[:-1])).status_code == 401
        assert client.post("/v1/sanitize", json=BODY, headers=bearer(TOKEN)).status_code == 200
        assert client.get("/v1/policies", headers={"X-Api-Key": TOKEN}).status_code == 200
        assert client.get("/v1/policies", headers={"X-Maskwise-Token": TOKEN}).status_code == 200
        assert client.post("/v1/policies/reload", headers=bearer(TOKEN)).status_code == 403
        assert client.post("/v1/policies/reload", headers=bearer(KEEPER)).json() == {"reloaded": 0}


def test_a_table_knows_no_empty_token():
    table = TokenTable.build([("desk", TOKEN, [AccessScope.SANITISE])])
    assert table.identify({}) is None
    assert table.identify({"authorization": f"Basic {TOKEN}"}) is None
    assert TOKEN not in repr(table)


def test_a_large_body_is_refused_before_it_is_parsed():
    settings = ServerSettings(load={"body": 1000, "upload": 2000})
    with make_client(settings) as client:
        large = client.post("/v1/sanitize", json={"text": "a" * 1000})
        assert large.status_code == 413
        assert large.headers["connection"] == "close"
        streamed = client.post(
            "/v1/sanitize",
            content=(b" " * 100 for _ in range(100)),
            headers={"content-type": "application/json"},
        )
        assert streamed.status_code == 413
        file = {"file": ("a.txt", b"a" * 3000)}
        assert client.post("/v1/sanitize/file", files=file).status_code == 413
        assert client.app.state.service.load.buffered == 0
        assert client.app.state.service.load.requests == 0


def test_a_caller_that_asks_too_often_waits():
    with make_client(ServerSettings(load={"rate": 0.01, "burst": 2})) as client:
        answers = [client.post("/v1/sanitize", json=BODY) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert int(answers[-1].headers["retry-after"]) > 1


def test_the_rate_fills_up_again():
    now = [0.0]
    limit = RateLimit(rate=2, burst=2, clock=lambda: now[0])
    assert [limit.take("a") > 0 for _ in range(3)] == [False, False, True]
    assert limit.take("b") == 0
    now[0] = 0.5
    assert [limit.take("a") > 0 for _ in range(2)] == [False, True]


def run_gate(load, messages, headers=(), clock=lambda: 0.0):
    """The statuses that a gate sends for one request whose body comes in these messages."""
    sent = []

    async def read_all(scope, receive, send):
        try:
            while (await receive()).get("more_body"):
                pass
            status = 200
        except HTTPException as refused:
            status = refused.status_code
        await send({"type": "http.response.start", "status": status, "headers": []})

    async def receive():
        if messages:
            return messages.pop(0)
        return await asyncio.Event().wait()

    async def send(message):
        sent.append(message["status"])

    scope = {"type": "http", "path": "/v1/sanitize", "headers": [(b"host", b"localhost"), *headers]}
    gate = Gate(read_all, load, frozenset(("localhost",)), clock=clock)
    asyncio.run(gate(scope, receive, send))
    return sent


def part(size, more=True):
    return {"type": "http.request", "body": b"a" * size, "more_body": more}


def test_a_slow_client_is_cut_off():
    load = Load(LoadSettings(body_seconds=0.01))
    assert run_gate(load, [part(10)]) == [408]
    assert (load.buffered, load.requests) == (0, 0)


def test_all_requests_together_fit_into_memory():
    load = Load(LoadSettings(buffered=100), buffered=95)
    assert run_gate(load, [part(10, more=False)]) == [503]
    assert load.buffered == 95


def test_a_full_queue_refuses():
    load = Load(LoadSettings(waiting=3), requests=3)
    assert run_gate(load, [part(10, more=False)]) == [503]
    load.requests = 2
    assert run_gate(load, [part(10, more=False)]) == [200]
    assert load.requests == 2


def test_a_full_queue_says_when_to_come_again(client):
    load = client.app.state.service.load
    load.requests += load.settings.waiting
    try:
        answer = client.post("/v1/sanitize", json=BODY)
    finally:
        load.requests -= load.settings.waiting
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("host: 0.0.0.0", "can be reached from outside"),
        ("tokens: [{name: desk}]", "give `file` or `env`"),
        ("prot: 80", "did you mean 'port'"),
        ("load: {bdy: 3}", "did you mean 'body'"),
        ("vault: {path: a.vault}", "name an `audit` log"),
        ("[]", "a mapping of keys"),
    ],
)
def test_wrong_settings_are_one_line(tmp_path, text, says):
    path = tmp_path / "serve.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        load_settings(path)


def test_outside_needs_a_token_or_client_certificates(tokens):
    assert ServerSettings(host="0.0.0.0", tokens=tokens).host == "0.0.0.0"
    tls = {"certificate": "a", "key": "b", "client_ca": "c"}
    assert ServerSettings(host="0.0.0.0", tls=tls).tls.client_ca == "c"
    with pytest.raises(ValueError, match="from outside"):
        ServerSettings(host="0.0.0.0", tls={"certificate": "a", "key": "b"})


def test_a_short_token_is_refused(monkeypatch, tokens):
    monkeypatch.setenv("DESK_TOKEN", "short")
    with pytest.raises(InputError, match="at least 16 characters"):
        make_client(ServerSettings(tokens=tokens))
