from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from invented import people
from typer.testing import CliRunner

from maskwise.cli import app
from maskwise.crowd.biencoder import BiEncoder
from maskwise.crowd.folds import Fold, assign_folds
from maskwise.crowd.redact import read_words, redact
from maskwise.errors import InputError
from maskwise.lm.pieces import PieceTokenizer
from maskwise.train.checkpoint import save_checkpoint
from maskwise.train.model import Network, NetworkConfig
from maskwise.train.pair import Pair, Tower, evaluate_pair
from maskwise.train.people import SHARED, PeopleArrays, prepare_people
from maskwise.train.reid import Recipe, train_pair
from maskwise.train.rows import RATES, Rows, draw_hidden, find_capitals, hide_pieces

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def reader(reid_tokenizer: Path) -> PieceTokenizer:
    return PieceTokenizer.load(reid_tokenizer)


@pytest.fixture(scope="module")
def prepared(reader: PieceTokenizer) -> PeopleArrays:
    return prepare_people(people(60), reader, train=44, held_out=8)


def rows(prepared: PeopleArrays, reader: PieceTokenizer) -> tuple[Rows, Rows]:
    documents = Rows.build(prepared.ids, prepared.marks, prepared.bounds, reader, 64, CPU)
    return documents, Rows.build(
        prepared.profile_ids, prepared.profile_marks, prepared.profile_bounds, reader, 64, CPU
    )


def pair(reader: PieceTokenizer) -> Pair:
    torch.manual_seed(0)
    model = Network(
        NetworkConfig(reader.vocab_size, hidden=32, layers=2, heads=4, inner=64, positions=80)
    )
    return Pair(
        Tower.start_from(model, (0, 1), 24, unit=False),
        Tower.start_from(model, (0,), 24, unit=True),
    )


def test_folds_follow_the_id_alone() -> None:
    ids = [f"p{n}" for n in range(50)]
    found = assign_folds(ids, train=30, held_out=12)
    assert [int((found == fold).sum()) for fold in Fold] == [30, 12, 8]
    backwards = assign_folds(ids[::-1], train=30, held_out=12)
    assert (found == backwards[::-1]).all()


@given(st.lists(st.booleans(), min_size=15, max_size=15))
@settings(max_examples=30, deadline=None)
def test_training_hides_words_as_the_reader_does(reader: PieceTokenizer, flags: list[bool]) -> None:
    population = people(1)
    words = population[0].text.replace("(", "").replace(")", "").split()[:15]
    document = read_words(reader, words)
    single = prepare_people(population, reader, train=1, held_out=0, words=15)
    documents, _ = rows(single, reader)
    mask = np.array(flags)
    wanted = redact(document, mask, reader.mask_id)
    table = torch.as_tensor(np.concatenate([[False], mask]))
    taken = documents.take(torch.tensor([0]))
    found = hide_pieces(taken, table[taken.words], reader.mask_id)
    assert found.ids[0, 1:-1].tolist() == wanted.ids.tolist()
    assert found.shapes[0, 1:-1].tolist() == wanted.shapes.tolist()


def test_pieces_know_which_words_the_profile_has(
    prepared: PeopleArrays, reader: PieceTokenizer
) -> None:
    larkby, hard = (int(reader.encode(word).ids[0]) for word in ("larkby", "hard"))
    shared = set(prepared.ids[(prepared.marks & SHARED) > 0].tolist())
    others = set(prepared.ids[(prepared.marks & SHARED) == 0].tolist())
    assert larkby in shared
    assert hard in others
    assert larkby not in others


def test_masks_are_drawn_by_the_word_and_at_every_rate(
    prepared: PeopleArrays, reader: PieceTokenizer
) -> None:
    documents, _ = rows(prepared, reader)
    taken = documents.take(torch.arange(60).repeat(8))
    random = torch.Generator().manual_seed(0)
    hidden = draw_hidden(taken, random, targeted=0.0)
    inside = taken.words > 0
    assert not (hidden & ~inside).any()
    share = (hidden.sum(1) / inside.sum(1)).tolist()
    assert min(share) < 0.1
    assert max(share) > 0.9
    assert 0.4 < sum(share) / len(share) < 0.6
    aimed = draw_hidden(taken, random, targeted=1.0)
    telling = find_capitals(taken) | ((taken.marks & SHARED) > 0)
    assert aimed[telling].float().mean() > aimed[inside & ~telling].float().mean() + 0.2


def test_training_keeps_the_state_that_chose_best(
    prepared: PeopleArrays, reader: PieceTokenizer
) -> None:
    documents, profiles = rows(prepared, reader)
    of = torch.as_tensor(prepared.folds)
    towers = pair(reader)
    before = {name: value.clone() for name, value in towers.collect_state().items()}
    recipe = Recipe(epochs=12, rows=22, together=44, lr=3e-3, profile_lr=3e-3, looks=3)
    lines: list[str] = []
    history = train_pair(towers, documents, profiles, of, reader.mask_id, recipe, lines.append)
    assert len(lines) == len(history) >= 5
    changed = {
        name
        for name, value in towers.collect_state().items()
        if not torch.equal(before[name], value)
    }
    assert {name.split(".")[0] for name in changed} == {name.split(".")[0] for name in before}
    kept = evaluate_pair(
        towers, documents, profiles, (of == Fold.CHOOSE).nonzero().squeeze(1), reader.mask_id, RATES
    )
    assert kept["select"] == pytest.approx(max(row["select"] for row in history))


class StoppedError(Exception):
    pass


def test_a_run_that_was_stopped_ends_as_the_whole_one(
    prepared: PeopleArrays, reader: PieceTokenizer, tmp_path: Path
) -> None:
    documents, profiles = rows(prepared, reader)
    of = torch.as_tensor(prepared.folds)
    recipe = Recipe(epochs=8, rows=22, together=22, lr=3e-3, profile_lr=3e-3, looks=3)

    def run(towers: Pair, folder: Path | None, looks: int = 99) -> list[dict[str, float]]:
        lines: list[str] = []

        def say(line: str) -> None:
            lines.append(line)
            if len(lines) > looks:  # before this look is written
                raise StoppedError

        return train_pair(towers, documents, profiles, of, reader.mask_id, recipe, say, folder)

    whole, stopped = pair(reader), pair(reader)
    history = run(whole, None)
    with pytest.raises(StoppedError):
        run(stopped, tmp_path, looks=2)
    again = run(fresh := pair(reader), tmp_path)
    known = [{k: v for k, v in row.items() if k != "seconds"} for row in history]
    assert [{k: v for k, v in row.items() if k != "seconds"} for row in again] == known
    assert len(known) > 3
    for name, value in whole.collect_state().items():
        assert torch.equal(fresh.collect_state()[name], value), name


@pytest.fixture
def register(tmp_path: Path) -> Path:
    rows = [{"id": p.id, "profile": dict(p.attributes), "text": p.text} for p in people(24)]
    (tmp_path / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "people.jsonl"


def test_the_command_leaves_a_model_that_ranks_a_population(
    register: Path, reid_tokenizer: Path, tmp_path: Path
) -> None:
    vocab = PieceTokenizer.load(reid_tokenizer).vocab_size
    start = save_checkpoint(
        Network(NetworkConfig(vocab, 32, 2, 4, 64, positions=80)),
        tmp_path / "start",
        reid_tokenizer,
    )
    out = tmp_path / "attacker"
    options = [
        "--train",
        "16",
        "--held-out",
        "4",
        "--layers",
        "0,1",
        "--profile-layers",
        "1",
        "--embedding",
        "24",
    ]
    options += ["--epochs", "6", "--rows", "8", "--device", "cpu", "--json", "-o", str(out)]
    done = CliRunner().invoke(app, ["train", "reid", str(start), str(register), *options])
    assert done.exit_code == 0, done.output
    scores = json.loads(done.stdout)
    assert {"clear_1", "half_8", "named_mrr", "lexical_1"} <= scores.keys()
    assert json.loads((out / "run.json").read_text())["metrics"]["scores"] == scores
    ranker = BiEncoder.load(out / "model").fit(people(24))
    assert (ranker.name, len(ranker)) == ("dense", 24)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--layers", "0,2"], "the checkpoint has 2"),
        (["--train", "30"], "24 people; lower --train"),
        (["--layers", "a"], "numbers"),
    ],
)
def test_the_command_says_what_is_wrong(
    register: Path, reid_tokenizer: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    vocab = PieceTokenizer.load(reid_tokenizer).vocab_size
    start = save_checkpoint(
        Network(NetworkConfig(vocab, 32, 2, 4, 64, positions=80)),
        tmp_path / "start",
        reid_tokenizer,
    )
    layers = [] if "--layers" in options else ["--layers", "0"]
    arguments = [
        str(start),
        str(register),
        "-o",
        str(tmp_path / "out"),
        "--profile-layers",
        "0",
        *layers,
        *options,
    ]
    done = CliRunner().invoke(app, ["train", "reid", *arguments, "--device", "cpu"])
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)
