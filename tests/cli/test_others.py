"""`policies`, `doctor`, help."""

import json
import re

import pytest
import yaml


def test_policies_lists_and_prints_one_to_start_from(maskwise, tmp_path):
    assert b"hipaa-safe-harbor" in maskwise("policies").stdout
    printed = maskwise("policies", "court").stdout
    assert "\n" not in yaml.safe_load(printed)["description"]
    assert yaml.safe_load(printed)["name"] == "court"
    (tmp_path / "mine.yaml").write_bytes(printed)
    (tmp_path / "x.txt").write_text("Mr John Smith", "utf-8")
    assert maskwise("sanitize", "x.txt", "--policy", "mine.yaml").stdout == b"[PERSON 1]"


def test_doctor_is_content(process):
    done = process("doctor", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0, report
    assert report["healthy"]
    assert report["offline"] == {"ok": True, "connections": 0, "sample_masked": True}
    assert "patterns" in report["parts"]["detectors"]


@pytest.mark.parametrize("command", ["sanitize", "corpus", "evaluate", "policies", "doctor"])
def test_help_has_examples(maskwise, command):
    done = maskwise(command, "--help")
    assert done.returncode == 0
    assert b"Examples" in done.stdout


def test_unknown_options_exit_2(process, maskwise):
    assert maskwise("sanitize", "--nowhere").returncode == 2
    assert process("nowhere").returncode == maskwise("nowhere").returncode == 2


WEAK = "name: weak\nextends: balanced\ndetectors: {replace: [{kind: gazetteer}, {kind: neural}]}\nweakens: [patterns]\n"


def test_policies_check_says_what_a_policy_stops_masking(maskwise, tmp_path):
    (tmp_path / "weak.yaml").write_text(WEAK, "utf-8")
    (tmp_path / "same.yaml").write_text(
        "name: same\nextends: balanced\noperator: {kind: encrypt}\n", "utf-8"
    )
    done = maskwise("policies", "check", "weak.yaml", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["policy"], found["against"], found["documents"], found["weaker"]) == (
        "weak",
        "balanced",
        12,
        True,
    )
    assert {"name": "patterns", "what": "drops the detector 'patterns'", "allowed": True} in found[
        "weakens"
    ]
    assert any(loss["direct"] and loss["count"] for loss in found["stops_masking"])
    shown = maskwise("policies", "check", "weak.yaml")
    assert shown.returncode == 1
    assert b"weak drops the detector 'patterns'" in shown.stdout
    same = maskwise("policies", "check", "same.yaml")
    assert (same.returncode, same.stderr) == (0, b"")
    assert re.fullmatch(
        r"same masks all \d+ mentions that balanced masks in 12 invented documents\n",
        same.stdout.decode(),
    )
    assert maskwise("policies", "check", "same.yaml", "--against", "strict").returncode == 1


def test_policies_check_looks_at_a_policy_that_is_refused(maskwise, tmp_path):
    (tmp_path / "weak.yaml").write_text(WEAK.replace("weakens: [patterns]\n", ""), "utf-8")
    refused = maskwise("policies", "weak.yaml")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert b"weakens: [patterns]" in refused.stderr
    assert maskwise("policies", "check", "weak.yaml").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "strict"], "extends no policy; name one to compare with by --against"),
        (["check", "nowhere.yaml"], "no policy 'nowhere.yaml'"),
        (["check", "court", "--against", "nowhere"], "no policy 'nowhere'"),
        (["twice.yaml"], "key 'name' stands twice, at lines 1 and 2"),
        (["check", "twice.yaml"], "key 'name' stands twice, at lines 1 and 2"),
    ],
)
def test_policies_that_cannot_be_read_are_one_line_and_exit_2(
    maskwise, tmp_path, arguments, message
):
    (tmp_path / "twice.yaml").write_text("name: a\nname: b\n", "utf-8")
    done = maskwise("policies", *arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)
    assert message in done.stderr.decode()


def test_policies_lists_as_json(maskwise):
    listed = json.loads(maskwise("policies", "--json").stdout)
    assert listed == json.loads(maskwise("policies", "list", "--json").stdout)
    assert json.loads(maskwise("policies", "court", "--json").stdout)["name"] == "court"
    assert (
        maskwise("policies", "--json", "court").stdout
        == maskwise("policies", "show", "court", "--json").stdout
    )
