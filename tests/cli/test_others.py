"""`policies`, `doctor`, help."""

import json

import pytest
import yaml


def test_policies_lists_and_prints_one_to_start_from(maskwise, tmp_path):
    assert b"hipaa-safe-harbor" in maskwise("policies").stdout
    printed = maskwise("policies", "court").stdout
    assert yaml.safe_load(printed)["name"] == "court"
    (tmp_path / "mine.yaml").write_bytes(printed)
    (tmp_path / "x.txt").write_text("Mr John Smith", "utf-8")
    assert maskwise("sanitize", "x.txt", "--policy", "mine.yaml").stdout == b"[PERSON 1]"


def test_doctor_is_content(maskwise):
    done = maskwise("doctor", "--json")
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


def test_unknown_options_exit_2(maskwise):
    assert maskwise("sanitize", "--nowhere").returncode == 2
    assert maskwise("nowhere").returncode == 2
