"""Measures the information kept in masked text: TIC, TPI, IC multiplier, words masked, compression loss.

The first three are those of Manzanares-Salor et al. (2022, chapter 4), the last is that of Morris et al. (2022,
section 6).

- IC(t) = -log p(t), p from a masked language model; of a term of several pieces the least likely one counts.
- TIC(D) = sum of IC over the terms of D; a mask carries none.
- TPI(P, O) = TIC(P) / TIC(O). P's terms are those of O that no mask touches, with the IC they have in O.
- IC multiplier = mean IC of the masked terms / mean IC of the others.
- S-TA masks one term of a sentence at a time and shows the sentence; N-TA masks every Nth term and shows all the model
  can read.
- Compression loss = 1 - size(P) / size(O), both deflated, every mask written as one mark.

The information content is computed once for the original (`compute_information`) and serves all its masked versions.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from maskwise.evaluate.closed_class import IGNORED_WORDS
from maskwise.evaluate.tab import Floats, Score, cover_characters, make_interval
from maskwise.evaluate.terms import find_terms, group_by_sentence
from maskwise.lm.encoder import Encoder
from maskwise.lm.masked import MaskedLM
from maskwise.text.masks import Mask
from maskwise.text.tokens import find_words
from maskwise.text.types import Span

MARK = "***"
Credit = Callable[[str, str], float]
Flags = npt.NDArray[np.bool_]
REFERENCE = (
    "a city in the north",
    "John Smith",
    "12 March 1987",
    "a large company",
    "the village school",
    "an engineer",
    "two thousand euros",
    "the European Union",
    "a broken leg",
    "her younger brother",
    "the football club",
    "a Spanish novel",
    "in the spring",
    "case 441",
    "the ministry",
    "a car accident",
)


@dataclass(frozen=True, slots=True)
class Information:
    """The terms of an original text with their information content in nats."""

    spans: tuple[Span, ...]
    content: Floats

    @property
    def total(self) -> float:
        """TIC of the text."""
        return float(self.content.sum())


@dataclass(frozen=True, slots=True)
class Utility:
    """The figures of one masked document."""

    tic_original: float
    tic: float
    tpi: float
    ic_multiplier: float
    words_masked: float
    compression_loss: float


def compute_information(text: str, model: MaskedLM, every: int | None = None) -> Information:
    """Computes the IC of the terms of `text`: by S-TA, or by N-TA if `every` is N."""
    spans = find_terms(text)
    if every is None:
        return Information(tuple(spans), _compute_by_sentence(text, spans, model))
    return Information(tuple(spans), _compute_every(text, spans, model, every))


def _compute_by_sentence(text: str, spans: Sequence[Span], model: MaskedLM) -> Floats:
    # With this distance no two terms of a sentence share a pass.
    alone = MaskedLM(model.encoder, distance=model.encoder.window)
    content = np.zeros(len(spans))
    for (start, end), members in group_by_sentence(text, spans):
        inside = [(spans[n][0] - start, spans[n][1] - start) for n in members]
        content[members] = alone.measure_information(text[start:end], inside, pool="max")
    return content


def _compute_every(text: str, spans: Sequence[Span], model: MaskedLM, every: int) -> Floats:
    groups = [range(first, len(spans), every) for first in range(min(every, len(spans)))]
    return model.measure_information(text, spans, groups, pool="max").astype(np.float64)


def measure_utility(
    text: str, masks: Sequence[Mask], known: Information, credit: Credit | None = None
) -> Utility:
    """Measures one masked document. With `credit`, a replacement keeps that share of the terms it replaces."""
    masked = cover_characters(len(text), ((start, end) for start, end, _ in masks))
    lost = np.array([_is_lost(text, masked, span) for span in known.spans], dtype=bool)
    kept = np.where(lost, 0.0, known.content)
    if credit is not None:
        kept += known.content * _credit_terms(text, masks, known.spans, lost, credit)
    spans = list(find_words(text))
    masked_words = sum(bool(masked[start:end].any()) for start, end in spans)
    return Utility(
        tic_original=known.total,
        tic=float(kept.sum()),
        tpi=float(kept.sum()) / known.total if known.total else 1.0,
        ic_multiplier=_compute_multiplier(known.content, lost),
        words_masked=masked_words / len(spans) if spans else 0.0,
        compression_loss=measure_compression_loss(text, masks),
    )


def measure_compression_loss(text: str, masks: Iterable[Mask]) -> float:
    """Returns the share of the compressed size that the masks take away."""
    parts: list[str] = []
    cursor = 0
    for start, end, _ in sorted(masks, key=lambda mask: mask[:2]):
        if start >= cursor:
            parts += [text[cursor:start], MARK]
        cursor = max(cursor, end)
    masked = "".join((*parts, text[cursor:]))
    return 1 - _measure_deflated(masked) / _measure_deflated(text)


def average_utility(
    found: Sequence[Utility], *, resamples: int = 1000, seed: int = 0
) -> dict[str, Score]:
    """Returns means over documents with 95 % bootstrap intervals. A document without a figure is not in its mean."""
    result = {}
    for name in Utility.__dataclass_fields__:
        values = np.array([asdict(one)[name] for one in found], dtype=np.float64)
        values = values[np.isfinite(values)]
        if values.size:
            draws = np.random.default_rng(seed).integers(values.size, size=(resamples, values.size))
            result[name] = make_interval(float(values.mean()), values[draws].mean(axis=1))
    return result


def _is_lost(text: str, masked: Flags, span: Span) -> bool:
    """Whether a mask touches a word of the term that matters: closed-class words inside a chunk do not."""
    inside = [
        (start, end)
        for start, end in find_words(text, *span)
        if text[start:end].casefold() not in IGNORED_WORDS
    ]
    return any(bool(masked[start:end].any()) for start, end in inside or [span])


def _credit_terms(
    text: str, masks: Sequence[Mask], spans: Sequence[Span], lost: Flags, credit: Credit
) -> Floats:
    """Returns the credit of each masked term, by the replacement of the first mask on it; 0 for a bare mark."""
    result = np.zeros(len(spans))
    for start, end, replacement in masks:
        if replacement and any(c.islower() for c in replacement):
            value = min(1.0, max(0.0, credit(text[start:end], replacement)))
            for at, (s, e) in enumerate(spans):
                if lost[at] and s < end and start < e and not result[at]:
                    result[at] = value
    return result


def _compute_multiplier(content: Floats, lost: Flags) -> float:
    if not lost.any() or lost.all() or not content[~lost].mean():
        return float("nan")
    return float(content[lost].mean() / content[~lost].mean())


def _measure_deflated(text: str) -> int:
    return len(zlib.compress(text.encode("utf-8", "surrogatepass"), 9))


class Similarity:
    """Similarity of two phrases from 0 (unrelated) to 1 (the same), by an encoder's states: the opt-in credit of TPI.

    The vector of a phrase is the mean of the states of its pieces. Such vectors share a large common direction, so the
    mean over a list of unrelated phrases is subtracted before the cosine. The measure is rough: with the embedded model
    a sister term ("Oslo", "Bergen") comes nearer than a broader one ("Oslo", "a city in Norway").
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, Floats] = {}
        self._centre = np.mean([self._embed_phrase(phrase) for phrase in REFERENCE], axis=0)

    def __call__(self, original: str, replacement: str) -> float:
        if original.casefold() == replacement.casefold():
            return 1.0
        one = self._embed_phrase(original) - self._centre
        other = self._embed_phrase(replacement) - self._centre
        norm = float(np.linalg.norm(one) * np.linalg.norm(other))
        return max(0.0, float(one @ other) / norm) if norm else 0.0

    def _embed_phrase(self, phrase: str) -> Floats:
        if phrase not in self._vectors:
            states = self._encoder.encode([phrase])[0].values["states"]
            mean = states.mean(axis=0) if len(states) else np.zeros(states.shape[1])
            self._vectors[phrase] = mean.astype(float)
        return self._vectors[phrase]
