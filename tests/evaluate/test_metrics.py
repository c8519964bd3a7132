"""The metrics of the Text Anonymization Benchmark: an example worked by hand, and what must hold for any masks."""

import random

import numpy as np
import pytest
from corpora import corpus, document, mention, spans
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from maskwise.errors import CorpusError, PluginError
from maskwise.evaluate import tab as metrics
from maskwise.evaluate import weights
from maskwise.evaluate.compare import compare_systems
from maskwise.evaluate.mistakes import count_by_type, find_mistakes
from maskwise.text import tab

# Two annotators, two systems, as in the paper's example: 2 + 2 direct entities, 2 + 3 quasi; 7 and 13 masked tokens.
TEXT = (
    "Case K88123 was lodged against the Duchy of Arvonia by Runa Holt, a left handed glass engraver from a harbour "
    "town, on 9 March 2017. Holt works as a tram conductor."
)
FIRST = [
    mention(TEXT, "K88123", "DIRECT", "case"),
    mention(TEXT, "Runa Holt", "DIRECT", "holt"),
    mention(TEXT, "Holt@2", "DIRECT", "holt"),
    mention(TEXT, "left handed glass engraver"),
    mention(TEXT, "9 March 2017", kind="DATETIME"),
    mention(TEXT, "harbour town", "NO_MASK"),
]
SECOND = [
    *FIRST[:3],
    mention(TEXT, "Duchy of Arvonia", kind="ORG"),
    mention(TEXT, "9 March 2017", kind="DATETIME"),
    mention(TEXT, "tram conductor", kind="DEM"),
]
EXAMPLE = corpus(document(TEXT, first=FIRST, second=SECOND))
CAREFUL = spans(TEXT, "K88123", "Runa Holt", "Holt@2", "9 March 2017")
LOOSE = spans(
    TEXT,
    "Runa Holt",
    "Holt@2",
    "9 March 2017",
    "Duchy of Arvonia",
    "left handed glass",
    "conductor",
)


@pytest.mark.parametrize(
    ("masks", "direct", "quasi", "precision"),
    [(CAREFUL, 1.0, 0.4, 1.0), (LOOSE, 0.5, 0.6, 19 / 26)],
)
def test_worked_example(masks, direct, quasi, precision):
    found = metrics.evaluate_masks(EXAMPLE, {"d": masks})
    assert found["entity_recall_direct"].value == pytest.approx(direct)
    assert found["entity_recall_quasi"].value == pytest.approx(quasi)
    assert found["weighted_precision"].value == pytest.approx(precision)
    assert found["precision"].value == pytest.approx(precision)


def test_tokens_and_mentions_by_hand():
    found = metrics.evaluate_masks(EXAMPLE, {"d": LOOSE})
    assert found["recall"].value == pytest.approx((9 + 10) / (11 + 12))
    assert found["mention_recall"].value == pytest.approx((3 + 4) / (5 + 6))
    assert found["mention_precision"].value == pytest.approx((4 + 5) / (6 + 6))
    assert found["recall_datetime"].value == 1
    assert np.isnan(found["recall_person"].value)


def test_weights_count_in_weighted_precision_alone():
    def by_length(item, tokens):
        return np.array([float(end - start) for start, end in tokens])

    found = metrics.evaluate_masks(
        EXAMPLE, {"d": spans(TEXT, "Runa Holt", "town")}, weights=by_length
    )
    assert found["precision"].value == pytest.approx(2 / 3)
    assert found["weighted_precision"].value == pytest.approx(8 / 12)


def test_weights_of_a_language_model(tiny):
    weigh = weights.build_weights(tiny.masked)
    words = spans(TEXT, "Runa", "Holt")
    both = weigh(EXAMPLE[0], words)
    assert both == pytest.approx(tiny.masked.measure_information(TEXT, words, [[0, 1]], pool="max"))
    assert (both > 0).all()
    assert weigh(EXAMPLE[0], []).size == 0
    assert weights.parse_weights("uniform") is None
    with pytest.raises(PluginError, match="expected uniform, lm"):
        weights.parse_weights("bert")


def test_weights_of_a_hugging_face_model(tiny_folder, tmp_path):
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    fast = PreTrainedTokenizerFast(
        tokenizer_file=str(tiny_folder / "tokenizer.json"), model_max_length=34, **names
    )
    fast.save_pretrained(tmp_path)
    sizes = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
    config = BertConfig(vocab_size=len(fast), max_position_embeddings=34, **sizes)
    BertForMaskedLM(config).save_pretrained(tmp_path, safe_serialization=True)
    scores = metrics.evaluate_masks(
        EXAMPLE, {"d": LOOSE}, weights=weights.parse_weights(f"hf:{tmp_path}")
    )
    assert scores["precision"].value == pytest.approx(19 / 26)
    assert 0 < scores["weighted_precision"].value < 1
    with pytest.raises(PluginError, match="no masked language model"):
        weights.parse_weights("hf:nowhere/at-all")


@pytest.mark.parametrize("left", ["Mr", "the", ", ", "of "])
def test_what_needs_no_mask_may_stay(left):
    text = f"Then {left} Olsen Bay {left} Ltd came."
    phrase = f"{left} Olsen Bay {left} Ltd"
    item = corpus(document(text, a=[mention(text, phrase)]))
    found = metrics.evaluate_masks(item, {"d": spans(text, "Olsen Bay", "Ltd")})
    assert found["mention_recall"].value == 1
    assert found["recall"].value == 1


@pytest.mark.parametrize("mask", [(0, 0), (-1, 4), (5, 9999)])
def test_masks_outside_the_text_are_refused(mask):
    with pytest.raises(CorpusError, match="empty or outside"):
        metrics.evaluate_masks(EXAMPLE, {"d": [mask]})


def test_an_empty_corpus_is_refused():
    with pytest.raises(CorpusError, match="no documents"):
        metrics.evaluate_masks([], {})


# --- what must hold for any masks ------------------------------------------------------------------------------------

WORDS = "Ana the of Berg 1971 lawyer Oslo , . K88 north sea Mr a flat".split()
RECALLS = [name for name in metrics.METRICS if "recall" in name]


@st.composite
def corpora(draw):
    seed = draw(st.integers(0, 2**32))
    rng = random.Random(seed)  # one number shrinks better than a tree of choices
    documents = []
    for number in range(rng.randint(1, 4)):
        text = " ".join(rng.choices(WORDS, k=rng.randint(4, 30)))
        layers = {
            f"a{n}": [_mention(rng, text) for _ in range(rng.randint(1, 6))]
            for n in range(rng.randint(1, 4))
        }
        documents.append(document(text, f"d{number}", **layers))
    found = tab.parse_corpus(documents)
    masks = {
        item.document.id: [_span(rng, item.document.text) for _ in range(rng.randint(0, 5))]
        for item in found
    }
    return found, masks, rng


def _span(rng, text):
    start = rng.randrange(len(text) - 1)
    return start, rng.randint(start + 1, min(len(text), start + 12))


def _mention(rng, text):
    start, end = _span(rng, text)
    return {
        "entity_type": rng.choice(["PERSON", "LOC", "MISC"]),
        "start_offset": start,
        "end_offset": end,
        "span_text": text[start:end],
        "identifier_type": rng.choice(["DIRECT", "QUASI", "NO_MASK"]),
        "entity_id": f"e{rng.randint(0, 3)}",
    }


def values(found, masks, metric_names=None):
    scores = metrics.evaluate_masks(found, masks, resamples=2)
    return {name: scores[name].value for name in metric_names or scores}


@settings(max_examples=60, deadline=None)
@given(corpora())
def test_masking_more_never_lowers_recall(drawn):
    found, masks, rng = drawn
    more = {
        name: [*spans, _span(rng, item.document.text)]
        for (name, spans), item in zip(masks.items(), found, strict=True)
    }
    before, after = values(found, masks, RECALLS), values(found, more, RECALLS)
    assert all(not after[name] < before[name] for name in RECALLS)


@settings(max_examples=60, deadline=None)
@given(corpora())
def test_the_order_of_documents_and_annotators_changes_nothing(drawn):
    found, masks, rng = drawn
    shuffled = [
        tab.AnnotatedDocument(i.document, tuple(rng.sample(i.layers, len(i.layers)))) for i in found
    ]
    rng.shuffle(shuffled)
    assert values(shuffled, masks) == pytest.approx(values(found, masks), nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(corpora())
def test_an_annotator_agrees_with_themself(drawn):
    found, _, _ = drawn
    alone = [tab.AnnotatedDocument(item.document, item.layers[:1]) for item in found]
    masks = {item.document.id: metrics.list_masked_spans(item.layers[0]) for item in alone}
    scores = values(alone, masks)
    # A mention may end inside a word; the word is then masked but lies inside no mention.
    whole = {
        name: v
        for name, v in scores.items()
        if "precision" not in name and name not in ("f1", "f2")
    }
    assert all(np.isnan(v) or v == 1 for v in whole.values())
    assert scores["mention_precision"] == 1 or np.isnan(scores["mention_precision"])


def test_gold_masks_of_whole_words_score_1():
    alone = [tab.AnnotatedDocument(EXAMPLE[0].document, EXAMPLE[0].layers[:1])]
    scores = values(alone, {"d": metrics.list_masked_spans(alone[0].layers[0])})
    assert all(np.isnan(v) or v == 1 for v in scores.values())
    assert scores["precision"] == scores["recall"] == scores["f1"] == 1


def test_intervals_hold_the_value_and_repeat():
    texts = [f"Ana Berg and Leo Dahl met {n} times." for n in range(12)]
    found = corpus(
        *(
            document(t, f"d{n}", a=[mention(t, "Ana Berg"), mention(t, "Leo Dahl")])
            for n, t in enumerate(texts)
        )
    )
    masks = {f"d{n}": spans(t, "Ana Berg")[: n % 2] for n, t in enumerate(texts)}
    score = metrics.evaluate_masks(found, masks)["recall"]
    assert score.value == 0.25
    assert 0.05 < score.low < 0.25 < score.high < 0.45
    assert metrics.evaluate_masks(found, masks)["recall"] == score


# --- two systems, and their mistakes ---------------------------------------------------------------------------------


def test_a_paired_test_sees_what_intervals_cannot():
    rng = random.Random(3)
    texts = [" ".join(["Ana"] * 20) for _ in range(30)]
    found = corpus(
        *(document(t, f"d{n}", a=[_at(t, k) for k in range(20)]) for n, t in enumerate(texts))
    )
    hits = [
        rng.randint(2, 17) for _ in texts
    ]  # documents differ a lot; the second system finds one more in each
    first, second = (
        {f"d{n}": [(4 * k, 4 * k + 3) for k in range(h + more)] for n, h in enumerate(hits)}
        for more in (0, 1)
    )
    a, b = metrics.tally_documents(found, first), metrics.tally_documents(found, second)
    scores = [metrics.summarise_counts(table)["recall"] for table in (a, b)]
    assert scores[0].high > scores[1].value
    difference = compare_systems(a, b)["recall"]
    assert difference.value == pytest.approx(0.05)
    assert difference.p < 0.01
    assert compare_systems(a, a)["recall"].p == 1
    with pytest.raises(ValueError, match="different documents"):
        compare_systems(a, b[1:])


def _at(text, k):
    start = 4 * k
    return mention(text, "Ana") | {
        "start_offset": start,
        "end_offset": start + 3,
        "entity_id": f"e{k}",
    }


def test_mistakes_in_context():
    found = find_mistakes(EXAMPLE, {"d": LOOSE + spans(TEXT, "harbour town")})
    told = {(m.kind, m.text, m.annotators) for m in found}
    assert told == {
        ("missed", "K88123", 2),
        ("missed", "left handed glass engraver", 1),
        ("missed", "tram conductor", 1),
        ("needless", "harbour town", 0),
    }
    assert count_by_type(found) == {"missed": {"DEM": 1, "MISC": 2}, "needless": {"MISC": 1}}
    case = next(m for m in found if m.text == "K88123")
    assert (case.before, case.identifier, case.of) == ("Case ", "DIRECT", 2)
    assert "K88123" not in repr(case)
    assert count_by_type(find_mistakes(EXAMPLE, {"d": spans(TEXT, "works")}))["needless"] == {
        "none": 1
    }
