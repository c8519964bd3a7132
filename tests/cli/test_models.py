"""`models` and `models import`."""

import json
import shutil


def test_an_imported_model_is_listed_and_a_damaged_one_noticed(
    maskwise, tiny_folder, tmp_path, monkeypatch
):
    monkeypatch.setenv("MASKWISE_HOME", str(tmp_path / "home"))
    done = maskwise("models", "import", tiny_folder)
    assert done.returncode == 0, done.stderr
    assert b"model tiny 1 is ready" in done.stderr
    listed = {row["name"]: row for row in json.loads(maskwise("models", "--json").stdout)["models"]}
    assert listed["tiny"]["state"] == "ok"
    assert listed["tiny"]["version"] == "1"
    assert b"tiny" in maskwise("models").stdout

    (tmp_path / "home" / "models" / "tiny" / "model.onnx").write_bytes(b"")
    done = maskwise("models", "--json")
    assert done.returncode == 2
    assert (
        "SHA-256"
        in {row["name"]: row for row in json.loads(done.stdout)["models"]}["tiny"]["state"]
    )


def test_a_damaged_model_is_not_imported(maskwise, tiny_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("MASKWISE_HOME", str(tmp_path / "home"))
    broken = shutil.copytree(tiny_folder, tmp_path / "broken")
    (broken / "tokenizer.json").write_text("{}")
    done = maskwise("models", "import", broken)
    assert done.returncode == 2
    assert done.stderr.startswith(b"maskwise: error: ")
    assert done.stderr.count(b"\n") == 1
    assert not (tmp_path / "home").exists()
