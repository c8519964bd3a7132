"""The benchmarks say what they measured and never make anything up: layout of figures, absent data, absent peers."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from maskwise.attack.scenario import Scenario, Target

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "tests" / "data" / "domains" / "letter.json"


@pytest.fixture
def bench(monkeypatch):
    """Imports a script as it is when it runs: with its neighbours on the path."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    monkeypatch.delenv("MASKWISE_DATA", raising=False)
    return importlib.import_module


def test_every_benchmark_has_a_script_and_stands_on_the_page(bench):
    run = bench("run")
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    for name, benchmark in run.ALL.items():
        assert (ROOT / "benchmarks" / benchmark.script).is_file()
        assert f"`{name}`" in page


@pytest.mark.parametrize("keep", [False, True])
def test_without_data_a_benchmark_is_unavailable_and_leaves_no_old_figure(
    bench, monkeypatch, tmp_path, keep
):
    run = bench("run")
    monkeypatch.setattr(run, "FIGURES", tmp_path)
    (tmp_path / "agreement.json").write_text("{}", "utf-8")
    assert run.run("agreement", tmp_path, keep).startswith("unavailable (no tab/dev.json.gz")
    assert (tmp_path / "agreement.json").exists() is keep


def test_a_script_without_data_says_unavailable(bench, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["agreement.py"])
    with pytest.raises(SystemExit) as left:
        bench("agreement").main()
    assert left.value.code == bench("figures").UNAVAILABLE
    assert capsys.readouterr().out.startswith("unavailable: ")


def test_figures_tell_how_they_were_made(bench, monkeypatch, tmp_path):
    target = tmp_path / "figures" / "evaluate.json"
    monkeypatch.setattr(
        sys, "argv", ["evaluate.py", "--corpus", str(CORPUS), "--json", str(target)]
    )
    bench("evaluate").main()
    found = json.loads(target.read_text("utf-8"))
    assert {len(row) for row in found["rows"]} == {len(found["columns"])}
    everything = found["rows"][-1]
    assert everything[0] == "everything anybody marked"
    assert everything[2] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert found["data"] == {"letter.json": bench("figures").hash_file(CORPUS)}
    assert found["seeds"] == [0]
    assert {"python", "maskwise", "model small"} <= found["versions"].keys()


def test_a_peer_that_is_not_installed_is_none(bench, monkeypatch, tmp_path):
    peers = bench("peers")
    monkeypatch.setattr(peers, "PEERS_PYTHON", tmp_path / "python")
    assert peers.run_peer("spacy", ["Ann came."]) is None


def test_what_gave_people_away_is_masked_wherever_it_is_visible(bench):
    text = "Ann played Rosalind; Rosalind was hers in York."
    masks = [(0, 3, "[PERSON 1]"), (21, 29, "***")]
    found = bench("actors").add_masks(text, masks, ["Rosalind", "York"])
    assert [text[s:e] for s, e, _ in found] == ["Ann", "Rosalind", "Rosalind", "York"]


def test_hits_from_elsewhere_count_only_for_the_same_texts(bench, tmp_path):
    attack = bench("attack")
    column = (Target(0, "Ann", "one"), Target(1, "Bo", "two"))
    scenario = Scenario(("Ann", "Bo"), ("a", "b"), {"same": column, "changed": column[:1]})
    hits = {"neural": [[1, 0], [0, 0]]}
    given = {
        "columns": {
            name: {"texts": attack.hash_column(column), "hits": hits} for name in scenario.columns
        }
    }
    path = tmp_path / "hits.json"
    path.write_text(json.dumps(given), "utf-8")
    found = attack.read_hits(path, scenario)
    assert list(found) == ["same"]
    assert found["same"]["neural"].sum() == 1
    assert attack.read_hits(tmp_path / "none.json", scenario) == {}


def test_together_attackers_find_whoever_one_of_them_finds(bench):
    a, b = np.array([[1, 0, 0]], dtype=bool), np.array([[0, 1, 0], [1, 1, 1]], dtype=bool)
    assert bench("attack").unite_hits([a, b]) == 2


def test_the_version_at_equal_risk_is_the_nearest_and_of_those_the_one_that_keeps_most(bench):
    script = bench("generalise_actors")
    utility, score = importlib.import_module("maskwise.evaluate.utility"), script.Score

    def version(label, risk, *kept):
        found = [utility.Utility(1.0, tpi, tpi, 1.0, 0.0, 0.0) for tpi in kept]
        return script.Version(label, score(risk, risk, risk), found, found)

    ours = version("ours", 0.5, 0.4, 0.6)
    others = [
        version("far", 0.8, 0.9, 0.9),
        version("less", 0.46, 0.2, 0.3),
        version("more", 0.54, 0.3, 0.4),
    ]
    equal = script.find_nearest(ours, others)
    assert equal.label == "more"
    assert script.measure_gain(ours, equal, credit=False).value == pytest.approx(0.15)
