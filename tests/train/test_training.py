from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from maskwise.errors import BundleError
from maskwise.lm.pieces import PieceTokenizer
from maskwise.text import EntityType
from maskwise.train.checkpoint import load_checkpoint, save_checkpoint
from maskwise.train.data import Example
from maskwise.train.distill import (
    blend_labels,
    label_streams,
    match_masks,
    overlay_silver,
    require_same_vocabulary,
    shift_masks,
    train_student,
)
from maskwise.train.encode import encode_texts
from maskwise.train.loop import TrainingPlan, train_network
from maskwise.train.mlm import hide_words, score_mlm, split_rows, train_mlm
from maskwise.train.model import LABELS, Network, NetworkConfig, NetworkOutput
from maskwise.train.predict import predict_targets
from maskwise.train.score import align_truth, score_detection, sweep_thresholds
from maskwise.train.stream import Sampler, Stream, Targets, build_gold_stream, build_raw_stream
from maskwise.train.tagger import (
    Losses,
    TrainingSource,
    compute_tagging_loss,
    count_steps,
    train_tagger,
    weigh_labels,
)


@pytest.fixture
def raw(texts: tuple[str, ...], tokenizer: Path) -> Stream:
    return build_raw_stream(encode_texts(texts, tokenizer, workers=1), tokenizer, "lives")


@pytest.fixture
def gold(examples: list[Example], tokenizer: Path) -> Stream:
    return build_gold_stream(examples, tokenizer)


def overfit(model: Network, gold: Stream, steps: int = 120, **plan: object) -> None:
    train_tagger(
        model,
        [TrainingSource(gold)],
        plan=TrainingPlan(lr=5e-3, steps=steps, **plan),
        size=30,
        rows=6,
    )  # type: ignore[arg-type]


def collect_changes(model: Network, before: dict[str, torch.Tensor]) -> set[str]:
    """The first part of the name of each parameter that is no longer what it was."""
    state = model.state_dict()
    return {
        name.split(".")[0] for name, value in before.items() if not torch.equal(value, state[name])
    }


def copy_state(model: Network) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in model.state_dict().items()}


def test_masked_language_modelling_trains_the_encoder_and_its_head_alone(
    model: Network, raw: Stream
) -> None:
    before = copy_state(model)
    plan = TrainingPlan(lr=5e-3, steps=4, evaluate_every=2)
    progress = train_mlm(model, [raw], [raw], plan=plan, size=30, rows=8)
    assert collect_changes(model, before) == {"encoder", "lm_dense", "lm_norm", "lm_bias"}
    assert [row["step"] for row in progress.history] == [2, 4]


def test_the_score_of_guesses_counts_what_was_hidden(model: Network, raw: Stream) -> None:
    """A network that always guesses one piece is right as often as that piece stands."""
    piece = int(raw.ids[0])
    with torch.no_grad():
        model.lm_bias[piece] = 50.0
    score = score_mlm(model, raw, size=200 // 4, rates=(1.0, 1.0))
    assert score["top1"] == pytest.approx(float((raw.ids == piece).float().mean()))
    assert score["loss"] == pytest.approx(50 * (1 - score["top1"]), rel=0.2)


def test_hidden_words_are_whole_and_never_special(raw: Stream) -> None:
    batch = raw.build_batch(raw.cut_windows(30, 0), 30)
    masked = hide_words(
        batch, raw.special[3], 160, (0.3, 0.3), torch.Generator().manual_seed(1), blank=1.0
    )
    assert not masked.hidden[~batch.real].any()
    assert (masked.ids[masked.hidden] == raw.special[3]).all()
    assert (masked.ids[~masked.hidden] == batch.ids[~masked.hidden]).all()
    inside = batch.real[:, 1:] & batch.real[:, :-1] & ~batch.begins[:, 1:]
    assert inside.any()
    assert (masked.hidden[:, 1:] == masked.hidden[:, :-1])[inside].all()


def test_the_tagger_trains_every_head_but_that_of_the_language_model(
    model: Network, gold: Stream
) -> None:
    before = copy_state(model)
    overfit(model, gold, steps=3)
    assert collect_changes(model, before) == {"encoder", "tags", "mask", "direct"}


def test_no_output_has_a_lower_loss_than_the_targets_themselves(gold: Stream) -> None:
    """Cross-entropy is least where the probabilities are the targets (Gibbs' inequality)."""
    random = torch.Generator().manual_seed(0)
    tags = torch.rand(40, len(LABELS), generator=random).softmax(-1)
    mask, direct = torch.rand(2, 40, generator=random).clamp(0.01, 0.99)
    best = NetworkOutput(tags.log(), mask.logit(), direct.logit(), torch.zeros(40, 1))
    source = TrainingSource(gold)

    def measure(output: NetworkOutput) -> dict[str, float]:
        terms = compute_tagging_loss(
            output, Targets(tags, mask, direct), torch.ones(40), source, Losses()
        )
        return {name: float(term) for name, term in terms.items()}

    least = measure(best)
    for _ in range(20):
        moved = NetworkOutput(*(part + torch.randn(part.shape, generator=random) for part in best))
        assert all(value > least[name] for name, value in measure(moved).items())


def test_the_targets_themselves_score_best(
    gold: Stream, examples: list[Example], tokenizer: Path
) -> None:
    wanted = align_truth(examples, tokenizer)
    assert gold.targets is not None
    row = sweep_thresholds(wanted, gold.targets.mask.float().numpy(), [0.5])[0]
    assert (row["f1"], row["er_direct"]) == (1.0, 1.0)
    assert score_detection(wanted, gold.targets.tags.float().numpy())["f1_label"] == 1.0


def test_a_resumed_run_ends_as_the_whole_one(
    config: NetworkConfig, gold: Stream, tmp_path: Path
) -> None:
    def fresh() -> Network:
        torch.manual_seed(5)
        return Network(config, dropout=0.1)

    whole, parted = fresh(), fresh()
    overfit(whole, gold, 12)

    class StoppedError(Exception):
        pass

    calls = []

    def stop(_: Network) -> dict[str, float]:
        if len(calls) == 1:
            raise StoppedError
        calls.append(1)
        return {}

    plan = TrainingPlan(lr=5e-3, steps=12, evaluate_every=5, folder=tmp_path / "run")
    with pytest.raises(StoppedError):
        train_tagger(parted, [TrainingSource(gold)], plan=plan, size=30, rows=6, select=stop)
    again = Network(config, dropout=0.1)
    progress = train_tagger(
        again, [TrainingSource(gold)], plan=replace(plan, evaluate_every=0), size=30, rows=6
    )
    assert progress.step == 12
    for name, value in whole.state_dict().items():
        assert torch.equal(value, again.state_dict()[name]), name


def test_a_budget_of_time_ends_the_run_and_the_rate(
    model: Network, gold: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count()
    monkeypatch.setattr(
        "maskwise.train.loop.time", SimpleNamespace(monotonic=lambda: float(next(seconds)))
    )
    plan = TrainingPlan(lr=1e-3, steps=1_000_000, max_seconds=5)
    progress = train_tagger(model, [TrainingSource(gold)], plan=plan, size=30, rows=2)
    assert progress.step == 5
    assert plan.compute_rate(10, 5) == 0
    assert plan.compute_rate(10, 0.3) == pytest.approx(1, abs=0.01)


def test_the_best_state_is_kept(model: Network, gold: Stream) -> None:
    states: list[torch.Tensor] = []

    def select(_: Network) -> dict[str, float]:
        states.append(model.mask.weight.detach().clone())
        return {"select": [0.1, 0.9, 0.5, 0.4][len(states) - 1]}

    plan = TrainingPlan(lr=1e-3, steps=40, evaluate_every=2, patience=2)
    progress = train_tagger(
        model, [TrainingSource(gold)], plan=plan, size=30, rows=4, select=select
    )
    assert (progress.best_step, progress.step) == (4, 8)
    assert torch.equal(model.mask.weight, states[1])


def test_a_silver_source_leaves_the_other_heads_alone(model: Network, gold: Stream) -> None:
    before = model.mask.weight.detach().clone()
    source = TrainingSource(gold, mask=0, direct=0)
    train_tagger(
        model, [source], plan=TrainingPlan(lr=1e-2, steps=3, weight_decay=0), size=30, rows=4
    )
    assert torch.equal(model.mask.weight, before)


@pytest.mark.parametrize("weight", [0.1, 1.0, 5.0])
def test_weight_on_masked_pieces_moves_the_best_probability(weight: float, gold: Stream) -> None:
    """Where a share s of the annotators masks, the loss is least at p = w s / (w s + 1 - s): a larger w masks more."""
    share = torch.tensor([0.1, 0.25, 0.5, 0.9])
    best = weight * share / (weight * share + 1 - share)
    logits = best.logit().requires_grad_()
    zeros = torch.zeros(4)
    output = NetworkOutput(torch.zeros(4, len(LABELS)), logits, zeros, torch.zeros(4, 1))
    targets = Targets(torch.full((4, len(LABELS)), 1 / len(LABELS)), share, zeros)
    source = TrainingSource(gold, tags=0, direct=0)
    loss = compute_tagging_loss(output, targets, torch.ones(4), source, Losses(mask_weight=weight))[
        "mask"
    ]
    [slope] = torch.autograd.grad(loss, logits)
    assert slope.abs().max() < 1e-6


def test_a_student_learns_with_all_heads_and_its_teacher_stays(
    config: NetworkConfig, gold: Stream, raw: Stream
) -> None:
    torch.manual_seed(1)
    teacher = Network(config, dropout=0.0)
    labelled = label_streams({"": [teacher]}, [raw], size=30, overlap=8)[0]
    small = Network(replace(config, layers=1, hidden=16, heads=2), dropout=0.0)
    before, known = copy_state(small), copy_state(teacher)
    train_student(
        small,
        [TrainingSource(labelled, mlm=0.5)],
        [TrainingSource(gold)],
        plan=TrainingPlan(lr=1e-2, steps=3),
        gold_share=0.25,
        size=30,
        rows=8,
    )
    assert collect_changes(small, before) == {name.split(".")[0] for name in before}
    assert collect_changes(teacher, known) == set()


def test_each_domain_asks_its_own_teachers(config: NetworkConfig, raw: Stream) -> None:
    torch.manual_seed(1)
    one, two = Network(config).eval(), Network(config).eval()
    both = label_streams(
        {"lives": [one, two], "": [one]}, [raw, replace(raw, domain="mail")], size=30, overlap=8
    )
    apart = [
        predict_targets(m, raw, size=30, overlap=8, dtype=torch.float32).mask for m in (one, two)
    ]
    assert both[0].targets is not None
    assert both[1].targets is not None
    assert torch.allclose(both[0].targets.mask.float(), (apart[0] + apart[1]) / 2, atol=1e-3)
    assert torch.allclose(both[1].targets.mask.float(), apart[0], atol=1e-3)
    with pytest.raises(BundleError, match="no teacher"):
        label_streams({"court": [one]}, [raw])
    mixed = blend_labels(both[0], both[1], 1.0)
    assert mixed.targets is not None
    assert torch.equal(mixed.targets.mask, both[1].targets.mask)


def test_silver_knowledge_is_laid_over_a_teacher(
    config: NetworkConfig, raw: Stream, texts: tuple[str, ...], tokenizer: Path
) -> None:
    torch.manual_seed(1)
    labelled = label_streams({"": [Network(config)]}, [raw], size=30, overlap=8)[0]
    before = labelled.targets
    assert before is not None
    rows = [{"text": text} for text in texts]
    rows[1] |= {"names": [[0, 18]], "spans": [[0, 5, "LOC", "x"], [31, 39, "LOC", "x"]]}
    after = overlay_silver(labelled, rows, tokenizer, share=0.8, certainty=0.97).targets
    assert after is not None
    pieces = PieceTokenizer.load(tokenizer).encode(texts[1])
    start = int(raw.bounds[1])
    name = [start + piece for piece in range(*pieces.find_covering(0, 18))]
    place = [start + piece for piece in range(*pieces.find_covering(31, 39))]
    labels = [LABELS[at] for at in after.tags[name + place].argmax(-1)]
    inside = ["I-PERSON"] * (len(name) - 1), ["I-LOC"] * (len(place) - 1)
    assert labels == ["B-PERSON", *inside[0], "B-LOC", *inside[1]]
    assert torch.allclose(after.tags.float().sum(-1), torch.ones(len(raw)), atol=5e-3)
    hot = 0.8 + 0.2 * before.tags[name[0], LABELS.index("B-PERSON")].float()
    assert after.tags[name[0], LABELS.index("B-PERSON")].float() == pytest.approx(
        float(hot), abs=2e-3
    )
    for old, new in ((before.mask, after.mask), (before.direct, after.direct)):
        assert torch.allclose(new[name].float(), torch.tensor(0.97), atol=1e-3)
        rest = [at for at in range(len(raw)) if at not in name]
        assert torch.equal(new[rest], old[rest])
    others = [at for at in range(len(raw)) if at not in name + place]
    assert torch.equal(after.tags[others], before.tags[others])
    with pytest.raises(BundleError, match="not of the same texts"):
        overlay_silver(labelled, [*rows[1:], rows[0]], tokenizer)


def test_mask_labels_move_by_their_logit(gold: Stream) -> None:
    assert gold.targets is not None
    half = replace(gold, targets=replace(gold.targets, mask=torch.full((len(gold),), 0.42)))
    moved = shift_masks(half, 0.3228).targets
    assert moved is not None
    assert torch.allclose(moved.mask, torch.tensor(0.5), atol=1e-3)
    assert torch.equal(moved.tags, gold.targets.tags)


def test_mask_labels_of_a_type_move_to_its_share(gold: Stream) -> None:
    assert gold.targets is not None
    person = gold.targets.tags.float().argmax(-1) == 1  # B-PERSON
    some = torch.where(torch.arange(len(gold)) % 2 == 0, 0.1, 0.3)
    moved = match_masks(
        replace(gold, targets=replace(gold.targets, mask=some)), {EntityType.PERSON: 0.9}
    ).targets
    assert moved is not None
    inside = gold.targets.tags.float()[:, 1:3].sum(-1) >= 0.99
    assert int(person.sum()) > 0
    assert abs(float(moved.mask[inside].mean()) - 0.9) < 0.02
    outside = gold.targets.tags[:, 0] >= 0.99
    assert torch.allclose(moved.mask[outside], some[outside], atol=1e-3)
    assert torch.equal(moved.tags, gold.targets.tags)


def test_a_part_of_a_stream_is_its_documents(gold: Stream) -> None:
    part = gold.select_documents(1, 3)
    start = int(gold.bounds[1])
    assert torch.equal(part.ids, gold.ids[start:])
    assert part.bounds.tolist() == (gold.bounds[1:] - start).tolist()
    assert part.targets is not None
    assert gold.targets is not None
    assert torch.equal(part.targets.tags, gold.targets.tags[start:])


def test_checkpoints_of_two_vocabularies_do_not_mix(
    checkpoint: Path, tmp_path: Path, tokenizer: Path
) -> None:
    other = save_checkpoint(load_checkpoint(checkpoint), tmp_path / "other", tokenizer)
    require_same_vocabulary(checkpoint, other)
    (other / "tokenizer.json").write_text("{}")
    with pytest.raises(BundleError, match="tokenizer"):
        require_same_vocabulary(checkpoint, other)


def test_windows_of_any_batch_size_blend_to_the_same(model: Network, raw: Stream) -> None:
    results = [
        predict_targets(model, raw, size=12, overlap=4, rows=rows, dtype=torch.float32).tags
        for rows in (1, 3, 64)
    ]
    for result in results[1:]:
        assert torch.allclose(results[0], result, atol=1e-5)
    assert torch.allclose(results[0].sum(-1), torch.ones(len(raw)), atol=1e-4)


def test_a_sampler_covers_every_window_each_round(raw: Stream, texts: tuple[str, ...]) -> None:
    sampler = Sampler(raw, 10, seed=4)
    rows = sampler.take(0, len(sampler))
    assert np.array_equal(rows, sampler.take(0, len(sampler)))
    assert np.array_equal(
        np.concatenate([rows, sampler.take(len(sampler), 3)])[2:5], sampler.take(2, 3)
    )
    assert np.all(rows[:, 1] <= 10)
    document = np.searchsorted(raw.bounds, rows[:, 0], side="right")
    assert np.all(rows.sum(1) <= raw.bounds[document])
    assert len(np.unique(document)) == len(texts)


def test_rare_labels_weigh_more(gold: Stream) -> None:
    weights = weigh_labels([gold], 0.5)
    assert weights is not None
    assert weights[0] == weights.min()
    assert weigh_labels([gold], 0.0) is None


def test_epochs_and_shares() -> None:
    assert split_rows([1, 1, 1], 8) == [3, 3, 2]
    assert split_rows([100, 1], 4) == [3, 1]
    assert sum(split_rows([0.5, 0.0, 0.5], 7)) == 7


def test_steps_of_an_epoch(gold: Stream) -> None:
    sources = [TrainingSource(gold, weight=3), TrainingSource(gold, weight=1)]
    assert count_steps(sources, 2, size=10, rows=4) == round(2 * len(Sampler(gold, 10, 0)) / 3)


def test_encoded_texts_are_the_same_from_any_number_of_workers(
    texts: tuple[str, ...], tokenizer: Path
) -> None:
    alone = encode_texts(texts, tokenizer, workers=1)
    together = encode_texts(iter(texts), tokenizer, workers=2)
    assert all(
        np.array_equal(getattr(alone, n), getattr(together, n)) for n in ("ids", "marks", "bounds")
    )


def test_frozen_parameters_stay(model: Network, gold: Stream) -> None:
    model.encoder.word.weight.requires_grad_(False)
    before = model.encoder.word.weight.clone()
    train_network(
        model, lambda step: (model.mask.weight.sum() ** 2, {}), TrainingPlan(lr=1e-2, steps=2)
    )
    assert torch.equal(before, model.encoder.word.weight)
