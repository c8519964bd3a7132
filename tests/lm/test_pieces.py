from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import BundleError
from maskwise.lm import pieces as module
from maskwise.lm.pieces import PieceTokenizer, Shape, classify_shapes

# Every plane, lone surrogates, NUL, combining marks, Hangul (decomposed by the normaliser) and the odd İ.
ODD = "ab Z9.\n\0\ud800\udfff\u0301\u0130\u1e9e\ufb01가한👩\u200d🦰漢\u00a0"
TEXT = st.text(st.one_of(st.characters(), st.sampled_from(ODD)), max_size=60)


@given(text=TEXT)
def test_offsets_are_ordered_code_points_of_the_text(tokenizer: PieceTokenizer, text: str) -> None:
    pieces = tokenizer.encode(text)
    assert (pieces.starts < pieces.ends).all()
    assert (np.diff(pieces.starts) >= 0).all()
    assert (np.diff(pieces.ends) >= 0).all()
    assert ((pieces.starts >= 0) & (pieces.ends <= len(text))).all()
    assert np.isin(np.diff(pieces.words), (0, 1)).all()
    assert ((pieces.shapes >= 1) & (pieces.shapes <= 7)).all()


@given(text=TEXT)
def test_every_ascii_word_character_lies_in_a_piece(tokenizer: PieceTokenizer, text: str) -> None:
    pieces = tokenizer.encode(text)
    covered = np.zeros(len(text) + 1, dtype=int)
    np.add.at(covered, pieces.starts, 1)
    np.add.at(covered, pieces.ends, -1)
    inside = np.cumsum(covered) > 0
    assert all(
        inside[at]
        for at, character in enumerate(text)
        if character.isascii() and character.isalnum()
    )


@given(text=TEXT, size=st.integers(1, 20))
def test_chunks_change_nothing(tokenizer: PieceTokenizer, text: str, size: int) -> None:
    whole = tokenizer.encode(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", size)
        parts = tokenizer.encode(text)
    for field in ("ids", "starts", "ends", "words", "shapes"):
        assert np.array_equal(getattr(whole, field), getattr(parts, field)), field


def test_pieces_read_the_original_text(tokenizer: PieceTokenizer) -> None:
    text = "Ana was\0 born in 1998 in Porto."
    pieces = tokenizer.encode(text)
    assert [text[a:b] for a, b in zip(pieces.starts, pieces.ends, strict=True)][:2] == [
        "Ana",
        "was",
    ]
    assert text[pieces.starts[-2] : pieces.ends[-2]] == "Porto"
    assert pieces.words[-1] == 7  # 1998 is four pieces of one word
    assert pieces.ids.dtype == np.int32
    assert pieces.shapes.dtype == np.uint8


def test_long_texts_are_read_to_the_end(tokenizer: PieceTokenizer) -> None:
    text = "Ana lives in Oslo. " * 20_000
    pieces = tokenizer.encode(text)
    assert len(pieces) == 20_000 * 5
    assert pieces.ends[-1] == len(text) - 1
    assert pieces.words[-1] == len(pieces) - 1


def test_a_run_without_spaces_is_cut(
    tokenizer: PieceTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK", 10)
    monkeypatch.setattr(module, "_LONGEST", 50)
    pieces = tokenizer.encode("." * 1003)
    assert len(pieces) == 1003
    assert pieces.ends[-1] == 1003


def test_special_names_in_a_text_are_plain_text(tokenizer: PieceTokenizer) -> None:
    special = {tokenizer.cls_id, tokenizer.sep_id, tokenizer.pad_id, tokenizer.mask_id}
    assert not special & set(tokenizer.encode("[MASK] and [CLS] and [PAD]").ids.tolist())


def test_a_surrogate_reads_as_the_replacement_character(tokenizer: PieceTokenizer) -> None:
    lone, replaced = tokenizer.encode("Ana \ud83d Oslo"), tokenizer.encode("Ana \ufffd Oslo")
    assert np.array_equal(lone.ids, replaced.ids)
    assert np.array_equal(lone.starts, replaced.starts)


@pytest.mark.parametrize("text", ["", " \n\t ", "\0"])
def test_nothing_to_read(tokenizer: PieceTokenizer, text: str) -> None:
    pieces = tokenizer.encode(text)
    assert len(pieces) == len(pieces.words) == len(pieces.shapes) == 0


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("1998", Shape.DIGITS),
        ("٣٤", Shape.DIGITS),
        ("a1", Shape.MIXED),
        ("oslo", Shape.LOWER),
        ("straße", Shape.LOWER),
        ("e\u0301", Shape.LOWER),
        ("A", Shape.UPPER),
        ("NATO", Shape.UPPER),
        ("Ana", Shape.TITLE),
        ("Élan", Shape.TITLE),
        ("McIntyre", Shape.LETTERS),
        ("iPad", Shape.LETTERS),
        ("漢", Shape.LETTERS),
        ("-", Shape.OTHER),
        ("😀", Shape.OTHER),
    ],
)
def test_shapes(word: str, shape: Shape) -> None:
    text = f"x {word} 7"
    assert classify_shapes(text, np.array([2]), np.array([2 + len(word)])).tolist() == [shape]


def test_covering_finds_the_pieces_of_a_span(tokenizer: PieceTokenizer) -> None:
    pieces = tokenizer.encode("Ana lives in Oslo.")
    assert pieces.find_covering(0, 3) == (0, 1)
    assert pieces.find_covering(4, 12) == (1, 3)
    assert pieces.find_covering(3, 4) == (1, 1)
    assert pieces.find_covering(5, 6) == (1, 2)


def test_a_missing_or_broken_tokenizer_says_where(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"tokenizer\.json"):
        PieceTokenizer.load(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BundleError, match=r"tokenizer\.json"):
        PieceTokenizer.load(tmp_path)
