"""The native API: the same answers as the line gives, for texts, lists and files."""

import asyncio
import io
import json
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from docx import Document as Word
from tests.server.conftest import KEEPER, TOKEN, bearer, make_client

from maskwise import Sanitizer
from maskwise.audit import verify_log
from maskwise.mask.keys import Cost
from maskwise.mask.vault import Vault
from maskwise.result import Result
from maskwise.server import native
from maskwise.server.engine import LONG, LineThreads, QueuedDocument, run_documents
from maskwise.server.settings import ServerSettings
from maskwise.text import Document

LETTER = "Ms Orla Vexley phoned +44 20 7946 0000 on 3 May 1971. Vexley lives in Porto."


def test_a_text_is_masked_as_the_line_masks_it(client):
    answer = client.post("/v1/sanitize", json={"text": LETTER, "protect": ["Orla Vexley"]})
    assert answer.status_code == 200
    [result] = answer.json()["results"]
    assert result["masked"] == Sanitizer().sanitize(LETTER).text
    assert "Vexley" not in answer.text


def test_a_list_keeps_its_order(client):
    texts = [f"Mr Ansel Brook{at} left." for at in range(40)]
    answer = client.post("/v1/sanitize", json={"text": texts}).json()
    expected = [result.text for result in Sanitizer().run(texts)]
    assert [result["masked"] for result in answer["results"]] == expected


def test_callers_at_the_same_time_get_their_own_answers(client):
    texts = [f"Mrs Ivy Marl paid EUR {at}.50 to Tom Reed." * (1 + at % 3) for at in range(24)]

    def ask(text):
        answer = client.post("/v1/sanitize", json={"text": text, "policy": "strict"})
        return answer.json()["results"][0]["masked"]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, texts))
    assert found == [result.text for result in Sanitizer("strict").run(texts)]


def test_analysis_has_evidence_and_no_masked_text(client):
    answer = client.post("/v1/analyze", json={"text": LETTER, "policy": "thorough"}).json()
    [result] = answer["results"]
    assert "masked" not in result
    kinds = {entity["type"] for entity in result["entities"]}
    assert {"PERSON", "CODE"} <= kinds
    assert any(entity["evidence"] for entity in result["entities"])


def test_the_risk_is_measured(client):
    body = {"text": LETTER, "protect": ["Orla Vexley"]}
    [result] = client.post("/v1/risk", json=body).json()["results"]
    assert result["risk"]["measured"] is True


def test_a_word_file_comes_back_masked(client):
    document = Word()
    document.add_paragraph(LETTER)
    raw = io.BytesIO()
    document.save(raw)
    answer = client.post(
        "/v1/sanitize/file",
        files={"file": ("Orla Vexley.docx", raw.getvalue())},
        data={"protect": ["Orla Vexley"], "policy": "strict"},
    )
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="masked.docx"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as package:
        assert not any(b"Vexley" in package.read(name) for name in package.namelist())
    masked = "\n".join(p.text for p in Word(io.BytesIO(answer.content)).paragraphs)
    assert masked == Sanitizer("strict").sanitize(LETTER).text


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"files": {"file": ("a.xyz", b"Mr Lee left.")}}, 422),
        ({"files": {"other": ("a.txt", b"Mr Lee left.")}}, 422),
        ({"data": {"file": "no file"}}, 415),
        ({"files": {"file": ("a.docx", b"no package")}}, 422),
    ],
)
def test_a_wrong_upload_is_refused(client, form, status):
    answer = client.post("/v1/sanitize/file", **form)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}


def test_a_broken_form_is_refused(client):
    kind = {"Content-Type": "multipart/form-data; boundary=abc"}
    for body in (b"--abc\r\nContent-Disposition: form-data; name=", b"nonsense", b"--abc--"):
        assert client.post("/v1/sanitize/file", content=body, headers=kind).status_code in (
            400,
            422,
        )


def test_bad_requests_say_what_is_wrong_in_one_line(client):
    unknown = client.post("/v1/sanitize", json={"text": "a", "polcy": "x"})
    assert (unknown.status_code, unknown.json()) == (422, {"error": "body: unknown key"})
    policy = client.post("/v1/sanitize", json={"text": "a", "policy": "blanced"})
    assert policy.status_code == 422
    assert "did you mean 'balanced'" in policy.json()["error"]
    path = client.post("/v1/sanitize", json={"text": "a", "policy": "/etc/passwd"})
    assert path.status_code == 422
    broken = client.post(
        "/v1/sanitize", content=b'{"text": ', headers={"content-type": "application/json"}
    )
    assert broken.json()["error"].endswith("not valid JSON")
    many = client.post("/v1/sanitize", json={"text": ["a"] * 1001})
    assert many.status_code == 413


def test_the_server_says_how_it_is(client):
    assert client.get("/v1/health").json()["ready"] is True
    assert client.get("/livez").json() == client.get("/v1/livez").json() == {"status": "ok"}
    assert client.get("/readyz").status_code == 200
    names = [policy["name"] for policy in client.get("/v1/policies").json()["policies"]]
    assert names[0] == "balanced"
    assert "strict" in names
    assert "small" in [model["name"] for model in client.get("/v1/models").json()["models"]]
    assert b"maskwise_documents_total" in client.get("/metrics").content


def test_restoring_needs_its_scope_and_is_recorded(tmp_path, monkeypatch, tokens):
    monkeypatch.setenv("MASKWISE_VAULT_KEY", "a key that is long enough")
    policy = tmp_path / "sealed.yaml"
    path = tmp_path / "cases.vault"
    policy.write_text(
        f"name: sealed\nextends: balanced\noperator: {{kind: encrypt}}\nvault: {{path: {path}}}\n"
    )
    Vault(path, b"a key that is long enough", cost=Cost(n=1024)).count_entities()
    audit = tmp_path / "restored.jsonl"
    settings = ServerSettings(
        policy=str(policy), vault={"path": str(path)}, audit=str(audit), tokens=tokens
    )
    with make_client(settings) as client:
        body = {"text": LETTER}
        answer = client.post("/v1/sanitize", json=body, headers=bearer(TOKEN)).json()
        masked = answer["results"][0]["masked"]
        assert "Vexley" not in masked
        refused = client.post("/v1/restore", json={"text": masked}, headers=bearer(TOKEN))
        assert refused.status_code == 403
        assert not audit.exists()
        restored = client.post("/v1/restore", json={"text": masked}, headers=bearer(KEEPER)).json()
        assert restored["texts"] == [LETTER]
        file = {"file": ("a.txt", masked.encode())}
        whole = client.post("/v1/restore/file", files=file, headers=bearer(KEEPER))
        assert whole.content.decode() == LETTER
    assert verify_log(audit).is_whole
    lines = [json.loads(line) for line in audit.read_text().splitlines()]
    told = [(line["caller"], line["what"]) for line in lines if line["kind"] == "restored"]
    assert told == [("keeper", "text"), ("keeper", "file")]
    assert "Vexley" not in audit.read_text()
    with audit.open("ab") as file:  # a worker that died in the middle of a line
        file.write(b'{"kind":"start","maskw')
    with make_client(settings) as client:
        assert (
            client.post("/v1/restore", json={"text": masked}, headers=bearer(KEEPER)).status_code
            == 200
        )
    assert verify_log(audit).is_whole


def test_a_document_that_breaks_the_line_harms_nobody_else(monkeypatch):
    """Documents of several clients go down the line as one batch."""
    real = Sanitizer.run

    def run(self, documents):
        documents = list(documents)
        if any("poison" in document.text for document in documents):
            raise ValueError("broken")
        return real(self, documents)

    def sanitize(self, document):
        return next(iter(run(self, [document])))

    monkeypatch.setattr(Sanitizer, "run", run)
    monkeypatch.setattr(Sanitizer, "sanitize", sanitize)
    texts = [LETTER, "poison", LETTER]
    loop = asyncio.new_event_loop()
    line = Sanitizer()
    batch = [QueuedDocument(line, Document(text), loop.create_future()) for text in texts]
    first, second, third = run_documents(batch)
    assert first.value.text == third.value.text
    assert isinstance(second.error, ValueError)
    loop.close()


def test_a_request_that_takes_too_long_is_given_up(monkeypatch):
    with make_client(ServerSettings(load={"seconds": 0.2})) as client:
        go_on = threading.Event()
        real = Sanitizer.run
        monkeypatch.setattr(Sanitizer, "run", lambda *args: go_on.wait(30) and real(*args))
        answer = client.post("/v1/sanitize", json={"text": LETTER})
        go_on.set()
        assert answer.status_code == 504
        assert "Vexley" not in answer.text
        load = client.app.state.service.load
        assert (load.buffered, load.requests) == (0, 0)


@pytest.mark.parametrize("path", ["/v1/sanitize", "/v1/analyze"])
def test_a_long_answer_is_written_beside_the_loop(client, monkeypatch, path):
    """Writing it takes seconds, and nobody else would be answered."""
    threads = []
    real = Result.to_json
    monkeypatch.setattr(
        Result, "to_json", lambda result: threads.append(threading.get_ident()) or real(result)
    )
    loop = client.portal.call(threading.get_ident)
    for least, is_beside in ((1 << 20, False), (10, True)):
        monkeypatch.setattr(native, "LONG", least)
        threads.clear()
        assert client.post(path, json={"text": LETTER}).status_code == 200
        assert threads
        assert all((each != loop) == is_beside for each in threads)


def test_nothing_is_restored_without_a_record(tmp_path, monkeypatch, tokens):
    """An audit log that cannot be written, or that is none."""
    monkeypatch.setenv("MASKWISE_VAULT_KEY", "a key that is long enough")
    vault = Vault(tmp_path / "v", b"a key that is long enough", cost=Cost(n=1024))
    vault.count_entities()
    (tmp_path / "other.jsonl").write_text("a list\nof things\n")
    for audit in (tmp_path, tmp_path / "v" / "a.jsonl", tmp_path / "other.jsonl"):
        settings = ServerSettings(
            vault={"path": str(tmp_path / "v")}, audit=str(audit), tokens=tokens
        )
        with make_client(settings) as client:
            file = {"file": ("a.txt", b"x")}
            for answer in (
                client.post("/v1/restore", json={"text": "x"}, headers=bearer(KEEPER)),
                client.post("/v1/restore/file", files=file, headers=bearer(KEEPER)),
            ):
                assert answer.status_code == 507
                assert set(answer.json()) == {"error"}


def run_beside(first_length):
    """Whether a short text is masked while the first one runs, with one thread."""
    go_on, began = threading.Event(), threading.Event()

    class Line:
        def run(self, documents):
            for document in documents:
                if len(document) == first_length:
                    began.set()
                    go_on.wait(30)
                yield document.text

    async def ask():
        line, engine = Line(), LineThreads(1)
        first = asyncio.create_task(engine.sanitize(line, [Document("a" * first_length)]))
        await asyncio.to_thread(began.wait, 30)
        short = asyncio.create_task(engine.sanitize(line, [Document("b")]))
        done, _ = await asyncio.wait([short], timeout=0.3)
        go_on.set()
        assert await asyncio.gather(first, short) == [["a" * first_length], ["b"]]
        engine.close()
        return bool(done)

    return asyncio.run(ask())


def test_a_short_text_does_not_wait_for_a_long_one():
    assert run_beside(LONG)
    assert not run_beside(2)
