from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.detect.neural import NeuralDetector, decode_mentions
from maskwise.errors import BundleError
from maskwise.lm import Prediction
from maskwise.lm.folder import LABELS, Point
from maskwise.lm.pieces import PieceTokenizer
from maskwise.text import Detector, Document, EntityType

HALF = Point(detect=0.5, mask=0.5)


def annotated(
    tokenizer: PieceTokenizer, text: str, *spans: tuple[str, str], mask: str = ""
) -> Prediction:
    """An annotation that is sure of these phrases and their types; `mask` is to be masked without being tagged."""
    pieces = tokenizer.encode(text)
    tags = np.full((len(pieces), 17), 0.01, dtype=np.float32)
    tags[:, 0] = 0.84
    masks = np.full(len(pieces), 0.1, dtype=np.float32)
    for phrase, kind in spans:
        start = text.index(phrase)
        first, last = pieces.find_covering(start, start + len(phrase))
        tags[first:last, 0] = 0.01
        tags[first, LABELS.index(f"B-{kind}")] = 0.84
        tags[first + 1 : last, LABELS.index(f"I-{kind}")] = 0.84
    if mask:
        masks[slice(*pieces.find_covering(text.index(mask), text.index(mask) + len(mask)))] = 0.9
    return Prediction(pieces, tags, masks, masks)


def found(
    tokenizer: PieceTokenizer, text: str, *spans: tuple[str, str], mask: str = ""
) -> list[tuple[str, str]]:
    document = Document(text)
    return [
        (m.text, m.type.value)
        for m in decode_mentions(document, annotated(tokenizer, text, *spans, mask=mask), HALF)
    ]


@pytest.mark.parametrize(
    ("text", "phrase", "mention"),
    [
        ("Ana Larsson lives in Oslo.", "Ana Larsson", "Ana Larsson"),
        ("she works at the court of Porto, now", "the court of Porto,", "court of Porto"),
        ("she lives in The Hague now", "The Hague", "The Hague"),
        ("She left. The court of Porto sat.", "The court of Porto", "court of Porto"),
        ("no. 12 of\n\nDear Ana Larsson, she", "Dear Ana Larsson", "Ana Larsson"),
        ("the court and the mayor", "court and", "court"),
        ("born on 3 May 1971.", "on 3 May 1971.", "3 May 1971"),
        ("Ana J. was born", "Ana J.", "Ana J."),
        ("works at Larsson Ltd. in Oslo", "Larsson Ltd.", "Larsson Ltd."),
        ("works at the court (Porto) now", "Porto)", "Porto"),
        ("works at the court (Porto) now", "(Porto", "Porto"),
        ("she moved to Porto instead.", "Porto instead", "Porto"),
        ("works at Oslo Court (OC) now", "Oslo Court (OC)", "Oslo Court (OC)"),
        ("she was Jose\u0301 in Oslo", "Jose", "Jose\u0301"),
        ("she was \U0001d400na 👩 in Oslo", "\U0001d400na", "\U0001d400na"),
    ],
)
def test_mentions_are_whole_words_without_the_small_ones(
    tokenizer: PieceTokenizer, text: str, phrase: str, mention: str
) -> None:
    assert found(tokenizer, text, (phrase, "ORG")) == [(mention, "ORG")]


@pytest.mark.parametrize(
    "phrase", ["the", "of", "between", "More than", "eastern", "Dear", "(", "”", ", and"]
)
def test_a_small_word_or_punctuation_alone_is_no_mention(
    tokenizer: PieceTokenizer, phrase: str
) -> None:
    assert found(tokenizer, f"she lives {phrase} now", (phrase, "ORG")) == []


def test_neighbours_are_two_mentions(tokenizer: PieceTokenizer) -> None:
    assert found(tokenizer, "Ana Porto was born", ("Ana", "PERSON"), ("Porto", "LOC")) == [
        ("Ana", "PERSON"),
        ("Porto", "LOC"),
    ]


def test_no_mention_crosses_an_empty_line(tokenizer: PieceTokenizer) -> None:
    text = "she lives in Oslo\n \nPorto was born"
    assert found(tokenizer, text, ("Oslo\n \nPorto", "LOC")) == [("Oslo", "LOC"), ("Porto", "LOC")]
    assert found(tokenizer, "in Oslo\nPorto was", ("Oslo\nPorto", "LOC")) == [
        ("Oslo\nPorto", "LOC")
    ]


@pytest.mark.parametrize(
    ("text", "phrase", "mentions"),
    [
        (
            "To: Ana Larsson\nHi Ana, she works in Oslo",
            "Ana Larsson\nHi Ana",
            ["Ana Larsson", "Ana"],
        ),  # room for more
        (
            "she works in Oslo with Ana\nLarsson of Porto",
            "Ana\nLarsson",
            ["Ana\nLarsson"],
        ),  # wrapped
    ],
)
def test_a_mention_crosses_the_end_of_a_line_only_where_it_was_wrapped(
    tokenizer: PieceTokenizer, text: str, phrase: str, mentions: list[str]
) -> None:
    assert [m for m, _ in found(tokenizer, text, (phrase, "PERSON"))] == mentions


def test_a_mention_stays_in_its_cell(tokenizer: PieceTokenizer) -> None:
    text = "Ana;Porto;Oslo\nLarsson;Oslo;Porto\n"
    assert found(tokenizer, text, ("Oslo\nLarsson;Oslo", "ORG")) == [
        ("Oslo", "ORG"),
        ("Larsson", "ORG"),
        ("Oslo", "ORG"),
    ]


def test_a_word_half_of_whose_pieces_are_sure_is_never_split(tokenizer: PieceTokenizer) -> None:
    text = "she met Larsson in Oslo"
    assert found(tokenizer, text, ("Lars", "PERSON")) == [("Larsson", "PERSON")]


def test_what_would_be_masked_is_found_without_a_tag(tokenizer: PieceTokenizer) -> None:
    assert [
        text
        for text, _ in found(tokenizer, "she was the best swimmer of Oslo", mask="best swimmer")
    ] == ["best swimmer"]


def test_the_score_is_the_probability_of_a_mention(tokenizer: PieceTokenizer) -> None:
    document = Document("Ana lives in Oslo")
    (mention,) = decode_mentions(
        document, annotated(tokenizer, document.text, ("Ana", "PERSON")), HALF
    )
    assert mention.score == pytest.approx(0.99, abs=1e-3)
    assert mention.source == "neural"
    assert not mention.certain


@pytest.mark.parametrize("domain", ["general", "chat", "clinical", "mail"])
def test_a_rare_word_that_the_model_faintly_takes_for_a_person_is_one(tokenizer, domain):
    text = "So does I. Quispola, with Monday."
    prediction = annotated(tokenizer, text)
    for word in ("Quispola", "Monday"):
        first, last = prediction.pieces.find_covering(
            text.index(word), text.index(word) + len(word)
        )
        prediction.tags[first:last, LABELS.index("B-PERSON")] = 0.2
        prediction.tags[first:last, 0] = 0.65
    for kind, name in ((domain, "I. Quispola"), ("court", ""), ("biography", "")):
        document = Document(text, metadata={"domain": kind})
        parts = [m.text for m in decode_mentions(document, prediction, HALF)]
        assert " ".join(parts) == name


def test_a_bracket_that_nothing_closes_leaves_no_space(tokenizer):
    text = "seen ( 0151 555"
    prediction = annotated(tokenizer, text, ("( 0151 555", "CODE"))
    assert [m.text for m in decode_mentions(Document(text), prediction, HALF)] == ["0151 555"]


@pytest.mark.parametrize("text", ["", " ", "\0", "...", "the "])
def test_nothing_to_find(tiny_folder: Path, tokenizer: PieceTokenizer, text: str) -> None:
    assert found(tokenizer, text) == []
    detection = NeuralDetector(str(tiny_folder)).detect([Document(text)])[0]
    assert detection.read == len(text)


@given(
    text=st.text(
        st.one_of(st.characters(), st.sampled_from("ab The 19.,()\n\ud800\u0301")), max_size=200
    )
)
@settings(max_examples=60, deadline=None)
def test_mentions_are_in_order_and_on_the_text(tiny_folder: Path, text: str) -> None:
    detection = NeuralDetector(str(tiny_folder), recall=1.0).detect([Document(text)])[0]
    assert detection.read == len(text)
    assert all(left.end <= right.start for left, right in pairwise(detection.mentions))
    for mention in detection.mentions:
        assert mention.text == mention.text.strip()
        assert 0 <= mention.score <= 1
        after = text[mention.end : mention.end + 1]
        assert not (
            mention.text[-1].isascii()
            and mention.text[-1].isalnum()
            and after.isascii()
            and after.isalnum()
        )


def test_documents_do_not_change_each_other(tiny_folder: Path) -> None:
    detector = NeuralDetector(str(tiny_folder), recall="recall", threads=2)
    assert isinstance(detector, Detector)
    texts = ["Ana lives in Oslo. " * 20, "Porto", "", "She was born in Porto on 3 May."]
    together = detector.detect([Document(text, id="all") for text in texts])
    assert together == [detector.detect([Document(text, id="one")])[0] for text in texts]
    assert sum(len(d.mentions) for d in together) > 0
    assert {m.type for d in together for m in d.mentions} <= set(EntityType)


def test_more_recall_finds_no_less(tiny_folder: Path) -> None:
    text = "Ana was born in Porto. She lives in Oslo and works at the court. "
    documents = [Document(text * count) for count in range(1, 9)]

    def characters(recall: str) -> int:
        found = NeuralDetector(str(tiny_folder), recall).detect(documents)
        return sum(len(mention) for each in found for mention in each.mentions)

    assert characters("precision") < characters("balanced") < characters("recall")


def test_an_unknown_model_or_point_is_named(tiny_folder: Path) -> None:
    with pytest.raises(BundleError, match="no model 'none-such'"):
        NeuralDetector("none-such").detect([Document("a")])
    with pytest.raises(BundleError, match="no point 'high'"):
        NeuralDetector(str(tiny_folder), "high").detect([Document("a")])
