"""No text of a request reaches a log, an error, a metric, standard error or the disk, wherever a client puts it."""

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


@pytest.fixture
def watched(tmp_path, capfd, caplog):
    """A server, and a function that gives everything it left behind so far."""
    logging.getLogger("maskwise.server").propagate = True
    caplog.set_level(logging.DEBUG)
    state = tmp_path / "state"
    with make_client(ServerSettings(state=str(state))) as client:

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
