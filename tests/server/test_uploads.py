"""A file that is sent comes back as `maskwise sanitize` writes it, in every format; what is broken is refused alike."""

import json

import pytest
from tests.io.office import with_one
from tests.io.samples import NAME, SAMPLES
from tests.server.conftest import make_client
from typer.testing import CliRunner

from maskwise import io, streaming
from maskwise.cli import app
from maskwise.server.settings import ServerSettings

RTF = rb"{\rtf1\ansi Seen by {\b Zbig}niew Kowalczyk \'e0 la carte.\par End.}"
FILES = {**SAMPLES, **with_one(NAME), "seen.rtf": RTF, "page.htm": SAMPLES["page.html"]}
LATIN = "Señor Zbigniew Kowalczyk left Málaga.".encode("latin-1")
BROKEN = (
    lambda raw: b"",  # nothing
    lambda raw: b"\0",  # one NUL
    lambda raw: raw[: len(raw) // 2] + b"\0" + raw[len(raw) // 2 :],  # a NUL within
    lambda raw: raw[: len(raw) // 2],  # half
    lambda raw: LATIN,  # another encoding
    lambda raw: raw.decode("utf-8", "replace").encode("utf-16"),  # UTF-16
    lambda raw: b"\xff\xfe\xfa" + raw,  # no encoding
    lambda raw: bytes(range(256)) * 4,  # other bytes
    lambda raw: b"%PDF-1.7 {\\rtf PK\x03\x04 Zbigniew Kowalczyk",  # another format
    lambda raw: b"[" * 3_000,  # deep
)


def run_command(folder, files):
    """What the command writes for files; those that it refuses are left out."""
    source, out = folder / "in", folder / "out"
    source.mkdir()
    for name, raw in files.items():
        (source / name).write_bytes(raw)
    done = CliRunner().invoke(app, ["sanitize", str(source), "--out", str(out)])
    assert done.exit_code in (0, 2)
    return {name: found[0].read_bytes() for name in files if (found := list(out.glob(f"{name}*")))}


def send(client, name, raw, path="/v1/sanitize/file"):
    return client.post(path, files={"file": (name, raw)})


def test_all_formats_are_here():
    assert {name.rpartition(".")[2] for name in FILES} == set(io.list_suffixes())


def test_a_file_comes_back_as_the_command_writes_it(client, tmp_path):
    expected = run_command(tmp_path, FILES)
    assert set(expected) == set(FILES)
    for name, raw in FILES.items():
        answer = send(client, name, raw)
        assert (name, answer.status_code) == (name, 200)
        assert answer.content == expected[name], name
        assert b"Kowalczyk" not in answer.content


def test_the_ending_may_be_in_capitals(client):
    plain, loud = (send(client, name, SAMPLES["letter.txt"]) for name in ("a.txt", "A.TXT"))
    assert plain.content == loud.content


@pytest.mark.parametrize("name", FILES)
def test_a_broken_file_is_masked_or_refused_as_by_the_command(client, tmp_path, name):
    files = {f"{at}-{name}": damage(FILES[name]) for at, damage in enumerate(BROKEN)}
    expected = run_command(tmp_path, files)
    for sent, raw in files.items():
        answer = send(client, sent, raw)
        if sent in expected:
            assert (sent, answer.status_code) == (sent, 200)
            assert answer.content == expected[sent], sent
            continue
        assert (sent, answer.status_code) == (sent, 422)
        [error] = answer.json().values()
        assert "\n" not in error
        assert not any(part in error.casefold() for part in ("zbigniew", "kowalczyk", "señor"))


@pytest.mark.parametrize("name", ["rows.jsonl", "table.csv"])
def test_a_large_table_is_masked_in_blocks_as_by_the_command(client, tmp_path, monkeypatch, name):
    """In blocks, memory is bounded."""
    monkeypatch.setattr(streaming, "LARGE", 1)
    monkeypatch.setattr(streaming, "BLOCK", 64)
    real, split = streaming.split_blocks, []
    monkeypatch.setattr(
        streaming, "split_blocks", lambda *args, **more: split.append(1) or real(*args, **more)
    )
    rows = [{"id": at, "who": f"{NAME[:8]} Marl{at}", "n": at} for at in range(20)]
    rows[-1]["n"] = f"seen by {NAME}"
    raw = "".join(f"{json.dumps(row)}\n" for row in rows)
    if name.endswith("csv"):
        raw = "id,who,n\n" + "".join(",".join(map(str, row.values())) + "\n" for row in rows)
    answer = send(client, name, raw.encode())
    assert answer.status_code == 200, answer.text
    assert split == [1]
    assert answer.content == run_command(tmp_path, {name: raw.encode()})[name]
    assert b"Kowalczyk" not in answer.content


def test_a_file_that_is_too_large_is_refused():
    with make_client(ServerSettings(load={"upload": 2000})) as client:
        assert send(client, "a.txt", b"Mr Lee left. " * 10).status_code == 200
        for path in ("/v1/sanitize/file", "/v1/restore/file", "/v1/jobs/file"):
            answer = send(client, "a.txt", f"{NAME} left. ".encode() * 400, path)
            assert answer.status_code == 413 or path == "/v1/restore/file"
            assert set(answer.json()) == {"error"}
            assert "Kowalczyk" not in answer.text
