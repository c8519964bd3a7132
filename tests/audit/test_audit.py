"""The audit log: any line that is changed, removed, swapped or inserted is found, and no text is in it."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise import Sanitizer
from maskwise.audit import Log, verify_log
from maskwise.errors import InputError, OutputError
from maskwise.policy import Policy

RULES = Policy.parse(
    {"name": "rules", "detectors": [{"kind": "patterns"}], "decide": {"kind": "thresholds"}}
)
TEXT = "Mr John Smith was born on 3 May 1971. Smith paid EUR 5,000 to Dr Ana Souza."
RESULT = Sanitizer(RULES).sanitize(TEXT)


def write(path, runs=1, key=b""):
    for _ in range(runs):
        with Log.open(path, RULES, key) as log:
            log.write([RESULT])
            log.fail()
    return path


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    return (
        write(tmp_path_factory.mktemp("audit") / "a.jsonl", runs=2)
        .read_bytes()
        .splitlines(keepends=True)
    )


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return tmp_path_factory.mktemp("audit") / "b.jsonl"


def check(path, lines):
    path.write_bytes(b"".join(lines))
    return verify_log(path)


def test_a_log_is_whole_and_has_a_line_a_decision(tmp_path):
    path = write(tmp_path / "a.jsonl", runs=3)
    found = verify_log(path)
    assert (found.is_whole, found.runs, found.interrupted) == (True, 3, 0)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    decisions = [r for r in records if r["kind"] == "decision"]
    assert len(decisions) == 3 * len(RESULT.entities)
    assert decisions[0]["mentions"] == [[0, 13], [38, 43]]
    assert (decisions[0]["action"], decisions[0]["operator"]) == ("suppress", "pseudonym")
    assert {"maskwise", "time", "policy", "model"} <= set(records[0])
    assert found.hash == records[-1]["hash"]
    assert verify_log(path, records[3]["hash"]).is_whole
    assert not verify_log(path, "f" * 64).is_whole


def test_no_text_is_in_it_and_with_a_key_only_its_hmac(tmp_path):
    plain = write(tmp_path / "a.jsonl").read_text()
    keyed = write(tmp_path / "b.jsonl", key=b"secret").read_text()
    for mention in (m.text for e in RESULT.entities for m in e.mentions):
        assert mention not in plain + keyed
    assert "hmac" not in plain
    assert keyed.count('"hmac"') == len(RESULT.entities)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_changed_byte_is_found(lines, other, data):
    at = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[at]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != lines[at][place]))
    changed = lines[at][:place] + bytes([byte]) + lines[at][place + 1 :]
    found = check(other, [*lines[:at], changed, *lines[at + 1 :]])
    assert not found.is_whole
    assert found.line in (at + 1, at + 2)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_removed_swapped_or_inserted_line_is_found(lines, other, data):
    one, two = sorted(
        data.draw(st.lists(st.integers(0, len(lines) - 1), min_size=2, max_size=2, unique=True))
    )
    swapped = list(lines)
    swapped[one], swapped[two] = lines[two], lines[one]
    assert not check(other, swapped).is_whole
    assert not check(other, lines[:one] + lines[one + 1 :]).is_whole
    assert not check(other, [*lines[:one], lines[two], *lines[one:]]).is_whole
    assert not check(other, [*lines, lines[one]]).is_whole


def test_the_first_broken_line_is_named(lines, other):
    changed = lines[2].replace(b"decision", b"decisiom")
    found = check(other, [*lines[:2], changed, *lines[3:]])
    assert found.line == 3
    assert check(other, lines[:-1]).problem.startswith("the last run has no end")
    assert check(other, []).problem == "the file is empty"


def test_an_interrupted_run_is_reported_and_the_next_goes_on(tmp_path):
    path = write(tmp_path / "a.jsonl")
    with suppress(RuntimeError), Log.open(path, RULES) as log:
        log.write([RESULT])
        raise RuntimeError
    assert "no end" in verify_log(path).problem
    path.write_bytes(path.read_bytes()[:-20])
    assert "cut off" in verify_log(path).problem
    write(path)
    found = verify_log(path)
    assert (found.is_whole, found.runs, found.interrupted) == (True, 3, 1)
    broken = path.read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(broken) if not line.endswith(b'"}\n'))
    broken[at] = b"x" + broken[at]
    path.write_bytes(b"".join(broken))
    assert not verify_log(path).is_whole


def test_what_cannot_be_a_log(tmp_path):
    (tmp_path / "x").write_text("Dear diary\n")
    with pytest.raises(OutputError, match="is no audit log"):
        write(tmp_path / "x")
    assert (tmp_path / "x").read_text() == "Dear diary\n"
    with pytest.raises(InputError, match="cannot be read"):
        verify_log(tmp_path / "nowhere")


def test_two_runs_at_once_are_refused(tmp_path):
    with Log.open(tmp_path / "a.jsonl", RULES), pytest.raises(OutputError, match="another run"):
        write(tmp_path / "a.jsonl")
