"""`maskwise train`: every command from its arguments to its files, on invented texts and a network of two layers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import save_file
from typer.testing import CliRunner

from maskwise.cli import app
from maskwise.errors import BundleError, InputError, MaskwiseError
from maskwise.lm import folder as model_folder
from maskwise.train.checkpoint import load_checkpoint
from maskwise.train.data import Example
from maskwise.train.model import Network, NetworkConfig
from maskwise.train.run import hash_path

SMALL = ("--size", "30", "--rows", "4", "--device", "cpu")
Run = Callable[..., str]


@pytest.fixture
def train(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder; returns what it said on standard error, or raises what it raised."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> str:
        done = CliRunner().invoke(app, ["train", *map(str, arguments)])
        if isinstance(done.exception, MaskwiseError):
            raise done.exception
        assert done.exit_code == 0, done.output
        assert done.stdout == ""
        return done.stderr

    return run


@pytest.fixture
def corpus(examples: list[Example], tmp_path: Path) -> Path:
    path = tmp_path / "corpus.json"
    path.write_text(json.dumps([_standoff(example) for example in examples]))
    return path


@pytest.fixture
def raw(texts: tuple[str, ...], tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    titles = ("Ada Brandvold (miller)", "Tomas Quillfeather", "Mira Solanki", "Nobody Here")
    rows = [
        {"id": n, "title": title, "text": text}
        for n, (title, text) in enumerate(zip(titles, texts, strict=True))
    ]
    path.write_text(
        "".join(
            json.dumps(row) + "\n"
            for row in [*rows, {"text": "Kept back.", "title": "", "held": 1}]
        )
    )
    return path


def _standoff(example: Example) -> dict[str, Any]:
    mentions = [
        {
            "start_offset": span.start,
            "end_offset": span.end,
            "span_text": example.text[span.start : span.end],
            "entity_type": span.type.value,
            "entity_id": span.entity,
            "identifier_type": "DIRECT" if span.direct else "QUASI" if span.mask else "NO_MASK",
        }
        for span in example.layers[0]
    ]
    return {
        "doc_id": example.id,
        "text": example.text,
        "annotations": {"a": {"entity_mentions": mentions}},
    }


def record(path: Path, stage: str, *data: Path) -> dict[str, Any]:
    """The record of a run, after the checks that every record must pass."""
    found: dict[str, Any] = json.loads(path.read_text())
    assert (found["stage"], found["state"]) == (stage, "done")
    assert found["data"] == {path.name: hash_path(path) for path in data}
    return found


def test_a_published_encoder_is_imported(
    train: Run, config: NetworkConfig, tokenizer: Path, tmp_path: Path
) -> None:
    source = tmp_path / "published"
    source.mkdir()
    model = Network(config)
    state = {"embeddings.word_embeddings.weight": model.encoder.word.weight.detach().clone()}
    state["embeddings.position_embeddings.weight"] = model.encoder.position.weight.detach().clone()
    state["embeddings.token_type_embeddings.weight"] = (
        state["embeddings.position_embeddings.weight"][:2] * 0
    )
    names = {
        "attention.output.dense": "out",
        "attention.output.LayerNorm": "attention_norm",
        "output.LayerNorm": "norm",
    }
    names |= {"intermediate.dense": "inner", "output.dense": "outer"}
    for part in ("weight", "bias"):
        state[f"embeddings.LayerNorm.{part}"] = getattr(model.encoder.norm, part).detach().clone()
        for at, layer in enumerate(model.encoder.layers):
            for theirs, ours in names.items():
                state[f"encoder.layer.{at}.{theirs}.{part}"] = (
                    getattr(getattr(layer, ours), part).detach().clone()
                )
            for name, value in zip(
                ("query", "key", "value"), getattr(layer.qkv, part).detach().chunk(3), strict=True
            ):
                state[f"encoder.layer.{at}.attention.self.{name}.{part}"] = value.clone()
    save_file(state, source / "model.safetensors")
    sizes = {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
    }
    published = {
        "model_type": "bert",
        "max_position_embeddings": 64,
        "layer_norm_eps": 1e-12,
        **sizes,
    }
    (source / "config.json").write_text(json.dumps(published))
    (source / "tokenizer.json").write_bytes((tokenizer / "tokenizer.json").read_bytes())

    assert "M parameters" in train("import", source, "-o", "start")
    assert load_checkpoint("start").encoder.word.weight.equal(model.encoder.word.weight)
    found = record(tmp_path / "start" / "run.json", "import", *(source / name for name in sorted(
        ("model.safetensors", "config.json", "tokenizer.json"))))  # fmt: skip
    assert found["metrics"]["layers"] == 2


def test_silver_marks_the_subject_in_every_writing(train: Run, raw: Path, tmp_path: Path) -> None:
    train(
        "silver",
        raw,
        "-o",
        "out/silver.jsonl",
        "--subject",
        "title",
        "--typed",
        "1",
        "--drop",
        "held",
    )
    rows = [
        json.loads(line) for line in (tmp_path / "out" / "silver.jsonl").read_text().splitlines()
    ]
    assert len(rows) == 4
    written = [[row["text"][a:b] for a, b in row["names"]] for row in rows]
    assert written == [["Ada Brandvold"] * 2, ["Tomas Quillfeather"], ["Mira Solanki"] * 2, []]
    assert ["spans" in row for row in rows] == [True, False, False, False]
    assert {"PERSON", "DATETIME"} <= {type for _, _, type, _ in rows[0]["spans"]}
    found = record(tmp_path / "out" / "silver.jsonl.run.json", "silver", raw)
    assert found["metrics"] == {"rows": 4, "sha256": hash_path(tmp_path / "out" / "silver.jsonl")}
    with pytest.raises(InputError, match="'author'"):
        train("silver", raw, "-o", "other.jsonl", "--subject", "author")


def test_masked_language_modelling_writes_a_checkpoint(
    train: Run, checkpoint: Path, raw: Path, tmp_path: Path
) -> None:
    options = (
        "--steps",
        "6",
        "--every",
        "3",
        "--held-out",
        "0.25",
        "--workers",
        "1",
        "--seed",
        "4",
        "--lr",
        "1e-3",
    )
    said = train(
        "mlm", checkpoint, f"lives={raw}", "-o", "read", *SMALL, *options, "--resume", "state"
    )
    assert "6 steps" in said
    found = record(tmp_path / "read" / "run.json", "mlm", checkpoint, raw)
    assert (found["seed"], found["parameters"]["lr"], found["parameters"]["steps"]) == (4, 1e-3, 6)
    assert [row["step"] for row in found["metrics"]["history"]] == [3, 6]
    assert "top1_lives" in found["metrics"]["history"][0]
    assert not load_checkpoint("read").lm_dense.weight.equal(
        load_checkpoint(checkpoint).lm_dense.weight
    )
    # Asked again with the same state, it has nothing left to do.
    train("mlm", checkpoint, f"lives={raw}", "-o", "again", *SMALL, *options, "--resume", "state")
    assert (tmp_path / "again" / "weights.safetensors").read_bytes() == (
        tmp_path / "read" / "weights.safetensors"
    ).read_bytes()


def test_from_tagger_to_a_calibrated_model(
    train: Run, checkpoint: Path, corpus: Path, raw: Path, tmp_path: Path
) -> None:
    """The whole way: teacher, silver, general teacher, student, model folder, points."""
    fast = ("--lr", "5e-3", "--heads", "1")
    train(
        "tagger",
        checkpoint,
        corpus,
        "--dev",
        corpus,
        "--epochs",
        40,
        "--every",
        30,
        "-o",
        "judge",
        *SMALL,
        *fast,
    )
    found = record(tmp_path / "judge" / "run.json", "tagger", checkpoint, corpus)
    assert 0 <= found["metrics"]["history"][-1]["dev_f1"] <= 1

    train("silver", raw, "-o", "silver.jsonl", "--subject", "title", "--typed", 3, "--drop", "held")
    silver = tmp_path / "silver.jsonl"
    options = ("--silver", silver, "--epochs", 2, "--seed", 1, "--workers", 1, *SMALL)
    train(
        "tagger",
        "judge",
        corpus,
        *options,
        "--teacher",
        "judge",
        "--hold-out",
        ".4",
        "-o",
        "general",
    )
    train("tagger", "judge", corpus, *options, "-o", "types")
    left_out = json.loads((tmp_path / "general" / "run.json").read_text())["metrics"]
    assert left_out["documents"] < 3
    assert "dev_f1" in left_out["history"][-1]

    train(
        *(
            "distill",
            f"court={raw}",
            f"lives={silver}",
            "--teacher",
            "court=judge",
            "--teacher",
            "lives=general",
        ),
        *(
            "--student",
            checkpoint,
            "--gold",
            f"court={corpus}",
            "--dev",
            corpus,
            "--share",
            "court=.3",
        ),
        *(
            "--shift",
            "lives=.3",
            "--masked",
            "lives=PERSON:.9",
            "--int8",
            "--drop",
            "held",
            "--steps",
            150,
            "--workers",
            1,
            "-o",
            "student",
            *SMALL,
            *fast,
        ),
    )
    inputs = (checkpoint, tmp_path / "judge", tmp_path / "general", raw, silver, corpus)
    assert (
        json.loads((tmp_path / "student" / "run.json").read_text())["data"].items()
        >= {path.name: hash_path(path) for path in inputs if path != corpus}.items()
    )
    assert (
        "dev_f1"
        in json.loads((tmp_path / "student" / "run.json").read_text())["metrics"]["history"][-1]
    )

    window = ("--window", 30, "--overlap", 8)
    said = train("export", "student", "-o", "model", "--name", "tiny", "--corpus", corpus, *window)
    assert "change of F1" in said
    exported = record(tmp_path / "model.export.run.json", "export", tmp_path / "student", corpus)
    assert "f1_change" in exported["metrics"]
    before = model_folder.read_config(tmp_path / "model")

    assert "balanced: detect" in train(
        "calibrate", "model", corpus, "--method", "isotonic", "--recall", ".95"
    )
    after = model_folder.read_config(tmp_path / "model")
    assert after.files == before.files
    assert after.mask.knots
    points = [after.points[name] for name in ("precision", "balanced", "recall")]
    assert [p.mask for p in points] == sorted((p.mask for p in points), reverse=True)
    metrics = json.loads((tmp_path / "model.calibrate.run.json").read_text())["metrics"]
    assert {"log_loss_mask_before", "log_loss_mask_after"} <= metrics.keys()
    lowest = (
        1 / 200
    )  # the point masks all it can where even this does not reach the recall asked for
    assert metrics["recall_r"] >= 0.95 or points[2].mask == lowest


def test_a_gazetteer_is_collected(train: Run, tmp_path: Path) -> None:
    human = {"mainsnak": {"datavalue": {"value": {"id": "Q5"}}}}
    job = {"mainsnak": {"datavalue": {"value": {"id": "Q900"}}}}
    items = [
        {"id": "Q1", "labels": {}, "claims": {"P31": [human], "P106": [job]}},
        {"id": "Q900", "labels": {"en": {"value": "lamplighter"}}, "claims": {}},
    ]
    dump = tmp_path / "dump.json"
    dump.write_text("[\n" + ",\n".join(map(json.dumps, items)) + "\n]\n")
    assert "1 phrases" in train("gazetteer", dump, "-o", "lists")
    assert (
        sum(
            record(tmp_path / "lists" / "run.json", "gazetteer", dump)["metrics"][
                "phrases"
            ].values()
        )
        == 1
    )


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("mlm", "{c}", "nowhere.jsonl", "-o", "x"), InputError, "nowhere.jsonl: no such file"),
        (("mlm", "{c}", "{r}", "-o", "x", "--share", "court=.5"), InputError, "no file has the domain 'court'"),
        (("mlm", "{c}", "{r}", "-o", "x", "--share", "half"), InputError, "DOMAIN=NUMBER"),
        (("mlm", "{r}", "{r}", "-o", "x"), BundleError, "not a checkpoint"),
        (("mlm", "{c}", "{r}", "-o", "x", "--device", "abacus"), InputError, "--device abacus"),
        (("tagger", "{c}", "{s}", "-o", "x"), InputError, "--silver"),
        (("distill", "a={r}", "--teacher", "b={c}", "--student", "{c}", "-o", "x", "--workers", "1", "--size", "30"),
         BundleError, "no teacher for the domain 'a'"),
        (("distill", "a={r}", "--teacher", "a={c}", "--student", "{c}", "-o", "x", "--masked", "a=PEOPLE:.5"),
         InputError, "DOMAIN=TYPE:SHARE"),
    ],
)  # fmt: skip
def test_mistakes_are_named(
    train: Run,
    checkpoint: Path,
    raw: Path,
    tmp_path: Path,
    arguments: tuple[str, ...],
    error: type,
    words: str,
) -> None:
    silver = tmp_path / "rows.jsonl"
    silver.write_text(
        json.dumps({"id": "1", "text": "Ada left.", "spans": [[0, 3, "PERSON"]]}) + "\n"
    )
    with pytest.raises(error, match=words):
        train(*(part.format(c=checkpoint, r=raw, s=silver) for part in arguments))


def _in_a_process(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = f"import sys\n{code}\nsys.argv = ['maskwise', *sys.argv[1:]]\nfrom maskwise.cli import main\nmain()"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )


def test_without_torch_one_line_says_what_to_install(tmp_path: Path) -> None:
    texts = tmp_path / "x.jsonl"
    texts.write_text('{"text": "x"}\n')
    done = _in_a_process(
        "sys.modules['torch'] = None", "train", "mlm", "checkpoint", str(texts), "-o", "out"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert 'pip install "maskwise[train]"' in done.stderr


def test_help_needs_no_torch_and_has_examples() -> None:
    watch = "import atexit; atexit.register(lambda: print('torch' in sys.modules))"
    done = _in_a_process(watch, "train", "distill", "--help")
    assert done.returncode == 0
    assert "Examples" in done.stdout
    assert done.stdout.endswith("False\n")
    for command in (
        "import",
        "silver",
        "mlm",
        "tagger",
        "distill",
        "export",
        "calibrate",
        "gazetteer",
    ):
        assert "Examples" in CliRunner().invoke(app, ["train", command, "--help"]).stdout
