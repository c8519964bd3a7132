"""No text of a request reaches a log, an error, a metric, standard error or the disk, wherever a client puts it."""

import gzip
import json
import logging
import traceback

import pytest
from tests.server.conftest import make_client

from maskwise.errors import MaskingError, PolicyError
from maskwise.sanitizer import Sanitizer
from maskwise.server.settings import ServerSettings

CANARY = "Quillfeather"
NAME = f"Orla {CANARY}"
TEXT = f"Ms {NAME} left."
FORM = {"Content-Type": "multipart/form-data; boundary=abc"}
JSON = {"Content-Type": "application/json"}

# Method, path, and what the request holds. Each puts the canary where it does not belong.
REQUESTS = [
    ("POST", "/v1/sanitize", {"json": {"text": TEXT, "protect": [NAME]}}),
    ("POST", "/v1/sanitize", {"json": {"text": TEXT, CANARY: 1}}),
    ("POST", "/v1/sanitize", {"json": {"text": {CANARY: TEXT}}}),
    ("POST", "/v1/sanitize", {"json": {"text": [TEXT, 5]}}),
    ("POST", "/v1/sanitize", {"json": {"text": TEXT, "policy": CANARY}}),
    ("POST", "/v1/sanitize", {"json": {"text": TEXT, "k": CANARY}}),
    ("POST", "/v1/sanitize", {"content": f'{{"text": "{TEXT}'.encode(), "headers": JSON}),
    ("POST", "/v1/sanitize", {"content": TEXT.encode("utf-16"), "headers": JSON}),
    ("POST", f"/v1/sanitize?text={CANARY}", {"json": {"text": TEXT}}),
    ("POST", f"/v1/{CANARY}", {"json": {"text": TEXT}}),
    ("GET", f"/v1/jobs/{CANARY}", {}),
    (CANARY.upper(), "/v1/sanitize", {}),
    ("POST", "/v1/sanitize", {"json": {"text": TEXT}, "headers": {"X-Request-Id": CANARY}}),
    ("POST", "/v1/sanitize", {"json": {"text": TEXT}, "headers": {"Host": CANARY}}),
    ("POST", "/v1/sanitize", {"json": {"text": TEXT}, "headers": {"Origin": f"http://{CANARY}"}}),
    ("POST", "/v1/sanitize/file", {"files": {"file": (f"{NAME}.txt", TEXT.encode())}}),
    ("POST", "/v1/sanitize/file", {"files": {"file": (f"a.{CANARY}", TEXT.encode())}}),
    ("POST", "/v1/sanitize/file", {"files": {"file": (f"{NAME}.docx", TEXT.encode())}}),
    ("POST", "/v1/sanitize/file", {"content": f"--abc\r\n{TEXT}".encode(), "headers": FORM}),
    ("POST", "/v1/sanitize/file", {"content": f"--{TEXT}--".encode(), "headers": FORM}),
    ("POST", "/v1/jobs", {"json": {"text": [TEXT], "protect": [NAME]}}),
    ("POST", "/v1/jobs/file", {"files": {"file": (f"{NAME}.json", TEXT.encode())}}),
    ("POST", "/v1/risk", {"json": {"text": TEXT, "protect": [NAME]}}),
    ("POST", "/analyze", {"json": {"text": TEXT, "language": "en", "correlation_id": CANARY}}),
    ("POST", "/analyze", {"json": {"text": TEXT, "language": CANARY}}),
    ("POST", "/analyze", {"json": {"text": {CANARY: 1}, "language": "en"}}),
    ("POST", "/analyze", {"json": {"text": TEXT, "language": "en", "ad_hoc_recognizers": [CANARY]}}),
    ("POST", "/anonymize", {"json": {"text": TEXT, "analyzer_results": [{CANARY: 1}]}}),
    ("POST", "/anonymize", {"json": {"text": TEXT, "analyzer_results": CANARY}}),
    ("GET", f"/supportedentities?language={CANARY}", {}),
    ("POST", "/v1/restore", {"json": {"text": TEXT}}),
    ("POST", "/openai/v1/chat/completions", {"json": {"model": CANARY, "messages": [TEXT], CANARY: 1}}),
    ("POST", "/beta/litellm_basic_guardrail_api", {"json": {"texts": [TEXT], "litellm_call_id": CANARY}}),
    ("POST", "/beta/litellm_basic_guardrail_api", {"json": {"texts": [TEXT], "images": [CANARY]}}),
    ("POST", "/beta/litellm_basic_guardrail_api", {"json": {"texts": [], "tools": [{"name": f"Orla {CANARY}"}]}}),
    ("POST", "/v1/sanitize", {"content": f'{{"text": "\\ud800 {TEXT} \\u0000"}}'.encode(), "headers": JSON}),
    ("POST", "/v1/sanitize", {"content": f'{{"text": "a", "text": "{TEXT}"}}'.encode(), "headers": JSON}),
    ("POST", "/v1/sanitize", {"content": b'{"text": ' + b"[" * 9000 + CANARY.encode(), "headers": JSON}),
    ("POST", "/v1/sanitize/file", {"files": {"file": (f"../\x00{NAME}\r\nX: {CANARY}.txt", TEXT.encode("utf-16"))}}),
    ("POST", "/v1/sanitize/file", {"files": {"file": ("a.txt", b"\xff\xfe\x00" + TEXT.encode())}}),
    ("POST", "/v1/sanitize/file", {"files": {CANARY: (f"{NAME}.txt", TEXT.encode())}, "data": {CANARY: TEXT}}),
    ("POST", "/v1/sanitize", {"content": iter([b'{"text": "', TEXT.encode(), b'"}']), "headers": JSON}),
]  # fmt: skip


DEEP = b"[" * 20_000
PART = 'form-data; name="file"; filename="{}"'
# Bodies that some part of a server may choke on, and say so with what it read.
BODIES = {
    "no JSON": (TEXT.encode(), JSON),
    "half of JSON": (f'{{"text": "{TEXT}'.encode(), JSON),
    "another encoding": (TEXT.encode("utf-16"), JSON),
    "broken UTF-8": (b'{"text": "\xff\xfe ' + TEXT.encode() + b'"}', JSON),
    "half of a character": (f'{{"text": "\\ud800 {TEXT}", "messages": ["\\udfff {TEXT}"]}}'.encode(), JSON),
    "NUL": (f'{{"text": "{TEXT}\\u0000", "language": "{CANARY}\\u0000"}}'.encode(), JSON),
    "a raw NUL": (f'{{"text": "{TEXT}\x00"}}'.encode(), JSON),
    "deep": (b'{"text": ' + DEEP, JSON),
    "deep and closed": (b'{"text": ' + DEEP[:500] + json.dumps(TEXT).encode() + b"]" * 500 + b"}", JSON),
    "doubled keys": (f'{{"text": 1, "text": "{TEXT}", "{CANARY}": 1, "{CANARY}": 2}}'.encode(), JSON),
    "a huge number": (f'{{"text": "{TEXT}", "k": {"9" * 6000}}}'.encode(), JSON),
    "no number": (f'{{"text": "{TEXT}", "k": NaN, "score_threshold": -Infinity}}'.encode(), JSON),
    "a list": (json.dumps([TEXT]).encode(), JSON),
    "a string": (json.dumps(TEXT).encode(), JSON),
    "wrong types": (json.dumps({"text": {TEXT: [TEXT]}, "language": [TEXT], "messages": TEXT,
                                "policy": {"a": TEXT}, "protect": TEXT, "texts": {TEXT: 1}}).encode(), JSON),
    "an unknown policy": (json.dumps({"text": TEXT, "policy": f"../{CANARY}"}).encode(), JSON),
    "an expression that explodes": (
        json.dumps({"text": "a" * 3000 + TEXT, "language": "en", "ad_hoc_recognizers": [
            {"supported_entity": CANARY, "patterns": [{"name": CANARY, "regex": f"(a+)+{CANARY}$", "score": 1}]}
        ]}).encode(), JSON),
    "a broken expression": (
        json.dumps({"text": TEXT, "language": "en", "ad_hoc_recognizers": [
            {"supported_entity": CANARY, "patterns": [{"name": CANARY, "regex": f"({CANARY}", "score": 1}]}
        ]}).encode(), JSON),
    "no type": (TEXT.encode(), {"Content-Type": ""}),
    "a type that is text": (TEXT.encode(), {"Content-Type": TEXT}),
    "JSON as text": (json.dumps({"text": TEXT}).encode(), {"Content-Type": "text/plain"}),
    "a packed body": (gzip.compress(TEXT.encode()), {**JSON, "Content-Encoding": "gzip"}),
    "an odd charset": (TEXT.encode(), {"Content-Type": f"application/json; charset={CANARY}"}),
    "a form": (f"text={TEXT}".encode(), {"Content-Type": "application/x-www-form-urlencoded"}),
    "a form without bounds": (TEXT.encode(), {"Content-Type": "multipart/form-data"}),
    "a form that ends": (f"--abc\r\nContent-Disposition: {PART.format(TEXT)}\r\n\r\n{TEXT}".encode(), FORM),
    "a part without a name": (f"--abc\r\nContent-Disposition: {TEXT}\r\n\r\n{TEXT}\r\n--abc--".encode(), FORM),
    "a header in a part": (f"--abc\r\n{TEXT}\r\n\r\n{TEXT}\r\n--abc--\r\n".encode(), FORM),
    "a path as a name": (
        f"--abc\r\nContent-Disposition: {PART.format(f'../{CANARY}.txt')}\r\n\r\n{TEXT}\r\n--abc--\r\n".encode(),
        FORM),
    "an odd charset of a form": (
        f"--abc\r\nContent-Disposition: {PART.format('a.txt')}\r\n\r\n{TEXT}\r\n--abc--\r\n".encode(),
        {"Content-Type": f"multipart/form-data; charset={CANARY}; boundary=abc"}),
    "too many parts": (
        f"--abc\r\nContent-Disposition: form-data; name=\"{CANARY}\"\r\n\r\n{TEXT}\r\n".encode() * 200 + b"--abc--",
        FORM),
    "a broken package": (
        f"--abc\r\nContent-Disposition: {PART.format('a.docx')}\r\n\r\nPK\x03\x04{TEXT}\r\n--abc--\r\n".encode(), FORM),
    "a broken PDF": (
        f"--abc\r\nContent-Disposition: {PART.format('a.pdf')}\r\n\r\n%PDF-1.7 {TEXT}\r\n--abc--\r\n".encode(), FORM),
}  # fmt: skip
HEADERS = (
    {"X-Request-Id": CANARY, "X-Correlation-Id": f"{CANARY}\t{CANARY}", "Traceparent": CANARY},
    {"Authorization": f"Bearer {CANARY}", "Cookie": f"a={CANARY}", "Accept": CANARY},
    {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Protocol": CANARY},
    {"Expect": "100-continue", "Range": CANARY, "If-Match": CANARY, "Accept-Language": CANARY},
    {"Transfer-Encoding": "chunked", "Content-Length": "5"},
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY")


def list_paths(app):
    """A path for each route of a server, and one of none. What a client puts into a path is the canary."""
    described = app.openapi()["paths"]
    return [*(path.replace("{job}", CANARY) for path in described), "/livez", f"/v1/{CANARY}"]


@pytest.fixture
def watched(tmp_path, capfd, caplog):
    """A server, and a function that gives everything it left behind so far."""
    logging.getLogger("maskwise.server").propagate = True
    caplog.set_level(logging.DEBUG)
    state = tmp_path / "state"
    nowhere = {"url": "http://127.0.0.1:9/v1"}
    settings = ServerSettings(state=str(state), openai=nowhere, anthropic=nowhere)
    with make_client(settings) as client:

        def collect():
            printed = capfd.readouterr()
            metrics = client.get("/metrics").text
            # The client of these tests logs the addresses that it asks for; a server has no part in that.
            records = [r for r in caplog.records if not r.name.startswith("http")]
            logged = "\n".join(f"{r.getMessage()} {r.__dict__}" for r in records)
            stored = b"".join(path.read_bytes() for path in state.iterdir())
            return [printed.out, printed.err, metrics, logged, stored.decode("latin-1")]

        yield client, collect


def test_what_clients_send_stays_between_them_and_the_line(watched):
    client, collect = watched
    for method, path, request in REQUESTS:
        answer = client.request(method, path, **request)
        assert CANARY not in answer.text, (method, path)
        assert CANARY not in str(answer.headers), (method, path)
    left = collect()
    assert "maskwise_requests_total" in left[2]
    assert '"event":"request"' in left[3]
    assert [CANARY.casefold() in text.casefold() for text in left] == [False] * len(left)


def is_unforeseen(answer):
    """Whether no part of the server expected what went wrong. Then the answer has the number of the request alone."""
    return answer.status_code == 500 and '"request":' in answer.text


def test_no_route_says_what_it_could_not_read(watched):
    """Each body to each route: most of them fail, and none says with what."""
    client, collect = watched
    for path in list_paths(client.app):
        for name, (body, headers) in BODIES.items():
            answer = client.post(path, content=body, headers=headers)
            assert not is_unforeseen(answer), (path, name)
            # Presidio's API gives back what it did with a text; nobody else hears of it.
            is_own = path in ("/analyze", "/anonymize", "/deanonymize")
            assert is_own or CANARY.casefold() not in answer.text.casefold(), (path, name)
    left = collect()
    assert [CANARY.casefold() in text.casefold() for text in left] == [False] * len(left)


def test_no_method_and_no_header_is_repeated(watched):
    client, collect = watched
    for path in list_paths(client.app):
        for headers in HEADERS:
            for method in METHODS:
                answer = client.request(method, path, params={"text": TEXT}, headers=headers)
                said = (answer.text + str(answer.headers)).casefold()
                assert CANARY.casefold() not in said, (method, path)
                assert not is_unforeseen(answer), (method, path)
    left = collect()
    assert [CANARY.casefold() in text.casefold() for text in left] == [False] * len(left)


@pytest.mark.parametrize(
    "error", [ValueError(TEXT), KeyError(TEXT), MaskingError("masking failed"), RecursionError()]
)
def test_a_failure_inside_the_line_says_nothing(watched, monkeypatch, error):
    client, collect = watched

    def fail(*_):
        raise error

    monkeypatch.setattr(Sanitizer, "run", fail)
    answer = client.post("/v1/sanitize", json={"text": TEXT})
    assert answer.status_code == 500
    assert set(answer.json()) <= {"error", "request"}
    left = [answer.text, *collect()]
    assert not any(CANARY in text for text in left)


def test_frames_of_the_server_hold_no_text_in_their_errors(client):
    """A traceback, printed by whoever runs the server in a debugger, quotes code and not values."""
    with pytest.raises(PolicyError) as caught:
        client.app.state.service.shelf.find(CANARY * 10)
    assert CANARY not in "".join(traceback.format_exception(caught.value))
