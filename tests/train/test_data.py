from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from maskwise.errors import CorpusError, InputError
from maskwise.lm.pieces import PieceTokenizer
from maskwise.text import EntityType
from maskwise.train.data import Example, Span, read_examples, read_rows, split_examples
from maskwise.train.model import LABELS
from maskwise.train.stream import build_gold_stream, compute_soft_targets

TEXT = "Ada Brandvold lives in Larkby."


def mention(start: int, end: int, type: str, role: str) -> dict[str, object]:
    return {
        "start_offset": start,
        "end_offset": end,
        "entity_type": type,
        "identifier_type": role,
        "span_text": TEXT[start:end],
        "entity_id": "e1",
    }


def corpus(*mentions: dict[str, object]) -> list[dict[str, object]]:
    return [
        {"doc_id": "d1", "text": TEXT, "annotations": {"one": {"entity_mentions": list(mentions)}}}
    ]


def test_tab_documents(tmp_path: Path) -> None:
    rows = corpus(mention(0, 13, "PERSON", "DIRECT"), mention(23, 29, "LOC", "NO_MASK"))
    with gzip.open(tmp_path / "c.json.gz", "wt") as out:
        json.dump(rows, out)
    (example,) = read_examples(tmp_path / "c.json.gz", "court")
    assert example.domain == "court"
    assert example.layers[0][0] == Span(0, 13, EntityType.PERSON, True, True, "e1")
    assert example.layers[0][1] == Span(23, 29, EntityType.LOC, False, False, "e1")


def test_paragraphs_become_documents(tmp_path: Path) -> None:
    def row(id: str, para: int, offset: int, text: str, **layers: list[tuple[int, int]]) -> str:
        spans = {
            name: [
                {
                    "start": s,
                    "end": e,
                    "text": text[s:e],
                    "entity_type": "LOC",
                    "identifier_type": "QUASI",
                }
                for s, e in found
            ]
            for name, found in layers.items()
        }
        return json.dumps(
            {"doc_id": id, "para": para, "offset": offset, "text": text, "annotations": spans}
        )

    rows = [
        row("d1", 1, 90, "In Osthaven.", r1=[(3, 11)], r2=[]),
        row("d2", 0, 0, "Nothing.", r1=[]),
        row("d1", 0, 10, "To Larkby.", r1=[], r2=[(3, 9)]),
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(rows))
    first, second = read_examples(tmp_path / "p.jsonl")
    assert first.text == "To Larkby.\n\nIn Osthaven."
    assert [first.text[s.start : s.end] for layer in first.layers for s in layer] == [
        "Osthaven",
        "Larkby",
    ]
    assert (second.id, second.layers) == ("d2", ((),))


def test_soft_targets_are_shares_of_annotators(tokenizer: Path) -> None:
    one = (Span(0, 13, EntityType.PERSON, True, True), Span(23, 29, EntityType.LOC, True))
    two = (Span(0, 13, EntityType.PERSON, True, True), Span(23, 29, EntityType.ORG, False))
    pieces = PieceTokenizer.load(tokenizer).encode(TEXT)
    tags, mask, direct = compute_soft_targets(Example("d", TEXT, (one, two)), pieces)
    assert np.allclose(tags.sum(1), 1)
    name, _ = pieces.find_covering(0, 13)
    place, end = pieces.find_covering(23, 29)
    assert tags[name, LABELS.index("B-PERSON")] == 1
    assert tags[name + 1, LABELS.index("I-PERSON")] == 1
    assert (direct[name], mask[name]) == (1, 1)
    assert tags[place, LABELS.index("B-LOC")] == tags[place, LABELS.index("B-ORG")] == 0.5
    assert np.all(mask[place:end] == 0.5)
    assert tags[end, 0] == 1


def test_a_stream_joins_documents(examples: list[Example], tokenizer: Path) -> None:
    stream = build_gold_stream(examples, tokenizer)
    assert stream.domain == "lives"
    assert len(stream.bounds) == len(examples) + 1
    assert stream.targets is not None
    assert len(stream) == stream.bounds[-1] == len(stream.targets.mask)


def test_a_document_stays_on_its_side() -> None:
    examples = [Example(f"doc{n}", "x") for n in range(400)]
    train, held = split_examples(examples, 0.25)
    assert len(train) + len(held) == 400
    assert 60 < len(held) < 140
    assert {e.id for e in held} == {e.id for e in split_examples(examples[::-1], 0.25)[1]}


def test_rows_of_a_packed_file(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "t.jsonl.xz", "wt") as out:
        out.write(
            "".join(json.dumps({"text": f"text {n}", "split": n % 2}) + "\n" for n in range(6))
        )
    found = [(row["text"], row["split"]) for row in read_rows(tmp_path / "t.jsonl.xz")]
    assert found == [(f"text {n}", n % 2) for n in range(6)]


def test_a_span_outside_the_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps(corpus(mention(20, 99, "LOC", "QUASI"))))
    with pytest.raises(CorpusError, match="d1"):
        read_examples(tmp_path / "c.json")


def test_errors_name_the_place_and_not_the_text(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps(corpus(mention(0, 3, "PLANET", "QUASI"))))
    with pytest.raises(CorpusError, match="d1") as caught:
        read_examples(tmp_path / "c.json")
    assert "Ada" not in str(caught.value)
    (tmp_path / "t.jsonl").write_text('{"text": "Ada"}\n{"text": "Ad')
    with pytest.raises(CorpusError, match="line 2"):
        list(read_rows(tmp_path / "t.jsonl"))
    with pytest.raises(InputError, match="cannot be read"):
        read_examples(tmp_path / "none.json")
