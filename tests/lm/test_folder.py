from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from maskwise import lm
from maskwise.errors import BundleError
from maskwise.lm import folder
from maskwise.lm.calibration import Calibration, Match
from maskwise.text import EntityType


@pytest.fixture
def copy(tiny_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_folder, tmp_path / "copy"))


def edit(path: Path, **changes: object) -> None:
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps(config | changes))


@pytest.mark.parametrize("name", ["model.onnx", "mlm.onnx", "embedding.bin", "tokenizer.json"])
def test_one_changed_byte_is_noticed(copy: Path, name: str) -> None:
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(data)
    with pytest.raises(BundleError, match=name):
        folder.read_config(copy)


def test_a_missing_file_is_noticed(copy: Path) -> None:
    (copy / "embedding.bin").unlink()
    with pytest.raises(BundleError, match=r"embedding\.bin"):
        folder.read_config(copy)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 2}, "format 2"),
        ({"labels": ["O"]}, "labels"),
        ({"files": {}}, "no hash"),
        ({"files": {"../../secret": "0"}}, "in the model's folder"),
        ({"points": {"balanced": {"detect": 0.5, "mask": 0.5}}}, "precision, recall"),
        ({"window": None}, "configuration"),
        ({"calibration": {"mask": {"temperature": 0}}}, "temperature"),
        ({"calibration": {"mask": {"knots": [[0, 1], [1, 0]]}}}, "rise"),
    ],
)
def test_a_broken_configuration_says_what_is_wrong(
    copy: Path, changes: dict[str, object], message: str
) -> None:
    edit(copy, **changes)
    with pytest.raises(BundleError, match=message):
        folder.read_config(copy)


def test_points_lie_on_one_curve(tiny_folder: Path) -> None:
    config = folder.read_config(tiny_folder)
    assert config.find_point(0.0) == config.find_point("precision")
    assert config.find_point(0.5) == config.find_point("balanced")
    assert config.find_point(1.0) == config.find_point("recall")
    assert config.find_point(0.25).mask == pytest.approx(0.7)
    with pytest.raises(BundleError, match="no point 'loud'"):
        config.find_point("loud")
    with pytest.raises(BundleError, match="outside"):
        config.find_point(1.5)


def test_an_imported_model_is_found_by_name(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MASKWISE_HOME", str(tmp_path / "home"))
    with pytest.raises(BundleError, match="no model 'tiny'"):
        lm.load_model("tiny")
    folder.install_model(tiny_folder)
    folder.install_model(tiny_folder)
    assert lm.load_model("tiny").config.name == "tiny"
    assert lm.load_model("tiny") is lm.load_model("tiny")
    assert folder.list_models()["tiny"] == tmp_path / "home" / "models" / "tiny"
    assert [p.name for p in (tmp_path / "home" / "models").iterdir()] == ["tiny"]


def test_a_name_that_is_a_path_is_not_installed(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MASKWISE_HOME", str(tmp_path / "home"))
    edit(copy, name="../evil")
    with pytest.raises(BundleError, match="name"):
        folder.install_model(copy)


def test_calibration_keeps_order_and_ends() -> None:
    p = np.linspace(0, 1, 11, dtype=np.float32)
    assert np.array_equal(Calibration()(p), p)
    flat = Calibration(temperature=2.0)(p)
    assert flat[5] == pytest.approx(0.5)
    assert p[8] > flat[8] > 0.5
    assert (np.diff(flat) > 0).all()
    bent = Calibration(knots=((0.0, 0.0), (0.4, 0.5), (1.0, 1.0)))(p)
    assert bent[4] == pytest.approx(0.5)
    assert bent[2] == pytest.approx(0.25)


def test_types_and_lengths_have_shifts_of_their_own() -> None:
    match = Match({EntityType.DATETIME: 1.0, EntityType.MISC: -2.0}, words=0.5)
    pooled, types = (
        np.full(4, 0.5, np.float32),
        [EntityType.DATETIME, EntityType.PERSON, EntityType.MISC, EntityType.LOC],
    )
    found = match(pooled, types, np.array([1, 1, 1, 4], np.float32))
    assert found == pytest.approx(
        1 / (1 + np.exp(-np.array([1.0, 0.0, -2.0, -0.5 * np.log(4)]))), abs=1e-6
    )
    assert match(pooled[:0], [], pooled[:0]).size == 0


def test_what_is_not_shifted_stays_as_it_was() -> None:
    pooled = np.array([0, 1e-12, 0.3, 1], np.float32)
    assert np.array_equal(
        Match()(pooled, [EntityType.LOC] * 4, np.arange(1, 5, dtype=np.float32)), pooled
    )


def test_a_partial_match_may_have_its_own_shifts(copy: Path) -> None:
    edit(copy, calibration={"types": {"ORG": 0.2}})
    assert (
        folder.read_config(copy).matches["partial"]
        == folder.read_config(copy).matches["mean"]
        == Match({EntityType.ORG: 0.2})
    )
    edit(
        copy, calibration={"types": {"ORG": 0.2}, "partial": {"words": 0.4, "types": {"LOC": -0.1}}}
    )
    matches = folder.read_config(copy).matches
    assert matches["partial"] == Match({EntityType.LOC: -0.1}, 0.4)
    assert matches["full"] == matches["mean"] == Match({EntityType.ORG: 0.2})
    edit(copy, calibration={"partial": {"types": {"PLACE": 1.0}}})
    with pytest.raises(BundleError, match="configuration"):
        folder.read_config(copy)
