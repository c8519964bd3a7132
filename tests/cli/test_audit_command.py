"""`--audit` and `audit verify`: what is recorded, what is found broken, and the exit codes."""

import hashlib
import hmac
import json
import re

import pytest

TEXT = "Mr John Smith was born on 3 May 1971. Smith paid EUR 5,000.\n"
SURROGATE = "name: p\nextends: balanced\noperators: {PERSON: {kind: surrogate, seed: 7}}\n"


@pytest.fixture
def log(maskwise, tmp_path):
    """The log of a run over two files, one of which cannot be read."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(TEXT, "utf-8")
    (tmp_path / "in" / "b.txt").write_bytes("Mr René Smith".encode("latin-1"))
    done = maskwise("sanitize", "in", "--out", "out", "--audit", "audit.jsonl")
    assert done.returncode == 2
    return tmp_path / "audit.jsonl"


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_run_is_recorded_line_by_line(maskwise, log, tmp_path):
    start, document, *decisions, failed, end = records(log)
    assert (start["kind"], start["policy"]["name"], document["kind"]) == (
        "start",
        "balanced",
        "document",
    )
    assert (failed["kind"], end["kind"]) == ("failed", "end")
    assert {"documents": 1, "decisions": 3, "failed": 1}.items() <= end.items()
    person = decisions[0]
    assert (person["type"], person["mentions"]) == ("PERSON", [[0, 13], [38, 43]])
    assert (person["action"], person["operator"], person["surrogate"]) == (
        "suppress",
        "pseudonym",
        False,
    )
    masked = (tmp_path / "out" / "a.txt").read_bytes()
    assert document["masked_sha256"] == hashlib.sha256(masked).hexdigest()
    clear = re.sub(
        r'"[0-9a-f]{64}"', "", log.read_text()
    )  # a hash holds any four digits now and then
    for word in ("Smith", "1971", "5,000", "a.txt", "PERSON 1"):
        assert word not in clear


def test_a_whole_log_is_exit_0_and_grows_by_runs(maskwise, log):
    first = records(log)[-1]["hash"]
    done = maskwise("audit", "verify", log)
    assert done.returncode == 0
    assert done.stdout.decode() == f"{log}: whole; 7 lines, 1 run; last hash {first}\n"
    maskwise("sanitize", "in/a.txt", "--audit", log)
    done = maskwise("audit", "verify", log, "--expect", first, "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert (found["whole"], found["runs"], found["lines"]) == (True, 2, 13)


def test_a_tampered_line_is_named_and_is_exit_1(maskwise, log):
    lines = log.read_text().splitlines(keepends=True)
    log.write_text(
        "".join(
            line.replace('"suppress"', '"keep"', 1) if n == 2 else line
            for n, line in enumerate(lines)
        )
    )
    done = maskwise("audit", "verify", log)
    assert done.returncode == 1
    assert done.stdout.decode().startswith(f"{log}: line 3: changed, or cut off")
    found = json.loads(maskwise("audit", "verify", log, "--json").stdout)
    assert (found["whole"], found["lines"], found["line"]) == (False, 2, 3)


def test_a_removed_line_a_removed_end_and_another_hash_are_exit_1(maskwise, log):
    lines = log.read_text().splitlines(keepends=True)
    for text, problem in (
        ([*lines[:3], *lines[4:]], "line 4: does not follow the line before it"),
        (lines[:-1], "line 7: the last run has no end"),
    ):
        log.write_text("".join(text))
        done = maskwise("audit", "verify", log)
        assert done.returncode == 1
        assert problem in done.stdout.decode()
    log.write_text("".join(lines))
    done = maskwise("audit", "verify", log, "--expect", "0" * 64)
    assert done.returncode == 1
    assert "no line has the expected hash" in done.stdout.decode()


def test_with_a_key_a_string_can_be_looked_up(maskwise, log, tmp_path):
    (tmp_path / "key").write_bytes(b"secret\n")
    maskwise("sanitize", "in/a.txt", "--audit", "keyed.jsonl", "--audit-key", "key")
    [person] = [r for r in records(tmp_path / "keyed.jsonl") if r.get("type") == "PERSON"]
    wanted = [
        hmac.new(b"secret", text, "sha256").hexdigest() for text in (b"Mr John Smith", b"Smith")
    ]
    assert person["hmac"] == wanted
    assert "hmac" not in log.read_text()


def test_invented_replacements_are_marked(maskwise, tmp_path):
    (tmp_path / "p.yaml").write_text(SURROGATE)
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    done = maskwise(
        "sanitize", "a.txt", "--policy", "p.yaml", "--audit", "audit.jsonl", "--format", "json"
    )
    replaced = {
        e["type"]: e["replacement"] for e in json.loads(done.stdout)["documents"][0]["entities"]
    }
    log = (tmp_path / "audit.jsonl").read_text()
    marks = {
        r["type"]: (r["operator"], r["surrogate"])
        for r in map(json.loads, log.splitlines())
        if "type" in r
    }
    assert marks["PERSON"] == ("surrogate", True)
    assert marks["DATETIME"] == ("pseudonym", False)
    assert "[" not in replaced["PERSON"]
    assert replaced["PERSON"] not in log


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit", "verify", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
        (
            ["sanitize", "a.txt", "--audit", "a.txt"],
            "a.txt: the audit log would overwrite an input",
        ),
        (["sanitize", "a.txt", "--audit", "b.txt"], "b.txt: is no audit log"),
        (
            ["sanitize", "a.txt", "--audit", "x.jsonl", "--audit-key", "nowhere"],
            "nowhere: no such file",
        ),
        (["sanitize", "a.txt", "--audit", "x.jsonl", "--dry-run"], "leave one out"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_2(maskwise, tmp_path, arguments, message):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(TEXT, "utf-8")
    done = maskwise(*arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == b""
    assert (tmp_path / "a.txt").read_text("utf-8") == TEXT
