from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from invented import people
from typer.testing import CliRunner

from maskwise.cli import app
from maskwise.crowd.biencoder import BiEncoder
from maskwise.crowd.dense import DenseRanker
from maskwise.crowd.neighbours import ApproximateNeighbours, ExactNeighbours
from maskwise.crowd.population import Population, linearise
from maskwise.crowd.redact import read_words
from maskwise.crowd.words import Words
from maskwise.errors import BundleError
from maskwise.lm.pieces import PieceTokenizer
from maskwise.train import tower
from maskwise.train.model import Network, NetworkConfig
from maskwise.train.pair import Pair, Tower
from maskwise.train.rows import Rows


@pytest.fixture(scope="module")
def population() -> Population:
    return people(40)


@pytest.fixture(scope="module")
def checkpoint(reid_tokenizer: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(5)
    vocab = PieceTokenizer.load(reid_tokenizer).vocab_size
    model = Network(NetworkConfig(vocab, hidden=32, layers=2, heads=4, inner=64, positions=80))
    pair = Pair(
        Tower.start_from(model, (0, 1), 32, unit=False),
        Tower.start_from(model, (0, 1), 32, unit=True),
    )
    pair.document.scale.data.fill_(2.0)
    return tower.save_pair(pair, tmp_path_factory.mktemp("pair"), reid_tokenizer)


@pytest.fixture(scope="module")
def folder(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("model")
    tower.export_pair(checkpoint, target, name="tiny", window=20, int8=False)
    return target


@pytest.fixture(scope="module")
def ranker(folder: Path, population: Population) -> DenseRanker:
    return BiEncoder.load(folder).fit(population)


def test_a_checkpoint_survives_its_folder(
    checkpoint: Path, reid_tokenizer: Path, tmp_path: Path
) -> None:
    pair = tower.load_pair(checkpoint)
    tower.save_pair(pair, tmp_path, reid_tokenizer)
    again = tower.load_pair(tmp_path)
    assert all(
        torch.equal(value, again.collect_state()[name])
        for name, value in pair.collect_state().items()
    )
    assert again.document.encoder.word.weight is again.profile.encoder.word.weight
    with pytest.raises(BundleError, match="not the checkpoint of a bi-encoder"):
        tower.load_pair(reid_tokenizer)


@pytest.mark.parametrize(("int8", "least"), [(False, 0.99999), (True, 0.95)])
def test_the_graphs_embed_as_the_network_does(
    checkpoint: Path, population: Population, tmp_path: Path, int8: bool, least: float
) -> None:
    tower.export_pair(checkpoint, tmp_path, name="tiny", int8=int8)
    model = BiEncoder.load(tmp_path)
    pair = tower.load_pair(checkpoint)
    documents = [read_words(model.tokenizer, Words(p.text).texts) for p in population][:8]
    lines = [linearise(p) for p in population][:8]
    profiles = [model.tokenizer.encode(line) for line in lines]
    found = [one.embedding for one in model.embed_documents(documents)]
    assert min(compare(pair.document, documents, found, model)) > least
    assert min(compare(pair.profile, profiles, model.embed_lines(lines), model)) > least


@torch.no_grad()
def compare(
    tower: Tower, rows: Sequence[Any], found: Sequence[Any], model: BiEncoder
) -> list[float]:
    """Cosine of each row's embedding by the network with the one found by its export."""
    tower.eval()
    cosines = []
    for row, theirs in zip(rows, found, strict=True):
        ids = torch.tensor([[model.tokenizer.cls_id, *row.ids.tolist(), model.tokenizer.sep_id]])
        shapes = torch.tensor([[0, *row.shapes.tolist(), 0]])
        none = torch.zeros_like(ids)
        ours = tower(Rows(ids, shapes, none, none, torch.ones_like(ids, dtype=torch.bool)))[
            0
        ].numpy()
        cosines.append(float(ours @ theirs / (np.linalg.norm(ours) * np.linalg.norm(theirs))))
    return cosines


def test_rows_are_probabilities_and_do_not_depend_on_each_other(
    ranker: DenseRanker, population: Population
) -> None:
    words = Words(population[3].text)
    masks = np.random.default_rng(0).random((6, len(words))) < 0.4
    reading = ranker.read(words.texts)
    rows = reading.score(masks)
    assert rows.shape == (6, len(population))
    assert np.allclose(np.exp(rows.astype(np.float64)).sum(axis=1), 1, atol=1e-5)
    assert np.allclose(rows[[4]], reading.score(masks[[4]]), atol=1e-5)


def test_a_run_of_masked_words_reads_as_one_mask(ranker: DenseRanker) -> None:
    short = ranker.read(["Ada", "Kemp", "sings"]).score(np.array([[True, True, False]]))
    long = ranker.read(["Ada", "Kemp", "-", "Vale", "sings"]).score(
        np.array([[True, True, False, True, False]])
    )
    assert np.allclose(short, long)


def test_the_estimate_of_a_word_knows_what_it_adds(
    ranker: DenseRanker, population: Population
) -> None:
    """Without layers that mix words the estimate would be exact; here it must rank words much as the truth does."""
    agreement = []
    for at in range(8):
        words = Words(population[at].text)
        reading = ranker.read(words.texts)
        mask = np.zeros(len(words), dtype=bool)
        mask[-1] = True
        screened = reading.screen(mask, at)
        rows = reading.score(np.concatenate([mask[None], mask | np.eye(len(words), dtype=bool)]))
        exact = rows[0, at] - rows[1:, at]
        assert screened[-1] == 0
        agreement.append(np.corrcoef(screened[:-1], exact[:-1])[0, 1])
    assert np.mean(agreement) > 0.6


def test_long_documents_are_read_in_windows_to_the_end(ranker: DenseRanker) -> None:
    words = ["work"] * 70
    reading = ranker.read([*words, "Larkby"])
    masks = np.zeros((2, 71), dtype=bool)
    masks[1, 70] = True
    plain, hidden = reading.score(masks)
    assert not np.allclose(plain, hidden, atol=1e-4)
    assert reading.screen(masks[0], 0)[70] != 0


def test_a_document_without_words_is_as_likely_anybody(ranker: DenseRanker) -> None:
    assert ranker.read([]).score(np.zeros((1, 0), dtype=bool)).shape == (1, len(ranker))


def test_embeddings_of_profiles_are_kept(
    folder: Path, population: Population, tmp_path: Path
) -> None:
    model = BiEncoder.load(folder)
    calls: list[tuple[int, int]] = []
    first = model.fit(
        population, cache=tmp_path, progress=lambda done, total: calls.append((done, total))
    )
    again = model.fit(
        population, cache=tmp_path, progress=lambda done, total: calls.append((done, total))
    )
    assert calls == [(40, 40)]
    every = np.arange(40)
    assert (first.neighbours.take(every) == again.neighbours.take(every)).all()
    model.fit(people(39), cache=tmp_path)
    assert len(list(tmp_path.glob("tiny-*.npy"))) == 2


def test_half_precision_and_chunks_change_little() -> None:
    random = np.random.default_rng(1)
    profiles = random.standard_normal((300, 16)).astype(np.float32)
    asked = random.standard_normal((4, 16)).astype(np.float32)
    assert np.allclose(
        ExactNeighbours(profiles).compute_logits(asked),
        ExactNeighbours(profiles.astype(np.float16)).compute_logits(asked),
        atol=0.05,
    )


def test_an_approximate_index_finds_the_nearest_profiles() -> None:
    random = np.random.default_rng(2)
    profiles = random.standard_normal((500, 16)).astype(np.float32)
    profiles /= np.linalg.norm(profiles, axis=1, keepdims=True)
    asked = profiles[:20] * 9
    found = ApproximateNeighbours(profiles, nearest=50).compute_logits(asked)
    exact = ExactNeighbours(profiles).compute_logits(asked)
    assert (found.argmax(axis=1) == np.arange(20)).mean() >= 0.95
    kept = found > found.min(axis=1, keepdims=True)
    assert np.allclose(found[kept], exact[kept], atol=1e-4)


def test_a_changed_file_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    tower.export_pair(checkpoint, tmp_path, name="tiny")
    with (tmp_path / "document.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(BundleError, match=r"document\.onnx: missing, or differs"):
        BiEncoder.load(tmp_path)
    (tmp_path / "config.json").unlink()
    with pytest.raises(BundleError, match="no readable configuration"):
        BiEncoder.load(tmp_path)


def test_the_command_hides_from_several_models_and_judges_by_another(
    folder: Path, tmp_path: Path
) -> None:
    profiles = [
        {"id": p.id, "profile": {key: list(found) for key, found in p.attributes}}
        for p in people(40)
    ]
    documents = [{"id": p.id, "text": p.text} for p in people(2)]
    for name, rows in (("people", profiles), ("docs", documents)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [
        "deidentify",
        str(tmp_path / "docs.jsonl"),
        "--population",
        str(tmp_path / "people.jsonl"),
        "-k",
        "2",
    ]
    command += [
        "-o",
        str(tmp_path / "out.jsonl"),
        "--units",
        "words",
        "--json",
        "--model",
        str(folder),
    ]
    done = CliRunner().invoke(app, [*command, "--model", f"late={folder}", "--model", str(folder)])
    assert done.exit_code == 0, done.output
    assert list(json.loads(done.stdout)["attackers"]) == ["bm25", "dense", "late", "dense-3"]
    done = CliRunner().invoke(app, [*command, "--model", f"judge={folder}", "--against", "dense"])
    assert list(json.loads(done.stdout)["attackers"]) == ["bm25", "dense", "judge"]
    for row in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines()):
        assert (
            row["attackers"]["judge"] == row["attackers"]["dense"]
        )  # the same model by another name
        assert row["attackers"]["dense"]["rank"]["after"] > 2 or not row["reached"]
    alone = CliRunner().invoke(app, command)
    assert list(json.loads(alone.stdout)["attackers"]) == ["bm25", "dense"]
