"""`Stream`: encoded documents with their soft targets on the device, cut into windows and batches there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from maskwise.lm.pieces import Pieces, PieceTokenizer
from maskwise.lm.windows import fit_windows
from maskwise.train.data import Example
from maskwise.train.encode import START, EncodedTexts, join_texts, mark_pieces
from maskwise.train.model import LABELS

_AT = {label: at for at, label in enumerate(LABELS)}
Windows = NDArray[np.int64]  # one row per window: first piece in the stream, number of pieces


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """Probabilities for each piece: `tags` over the labels, `mask`, `direct`."""

    tags: Tensor
    mask: Tensor
    direct: Tensor

    def to(self, device: str | torch.device, dtype: torch.dtype = torch.float16) -> Targets:
        return Targets(*(part.to(device, dtype) for part in (self.tags, self.mask, self.direct)))

    def take(self, at: Tensor) -> Targets:
        return Targets(*(part[at].float() for part in (self.tags, self.mask, self.direct)))


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Rows `[CLS] pieces [SEP] padding`. `real` marks the pieces; `at` is where each lies in the stream."""

    ids: Tensor
    shapes: Tensor
    begins: Tensor
    attention: Tensor
    real: Tensor
    at: Tensor
    targets: Targets | None


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Documents of one domain as flat tensors on one device."""

    ids: Tensor
    marks: Tensor
    bounds: NDArray[np.int64]
    special: tuple[int, int, int, int]  # ids of [CLS], [SEP], [PAD], [MASK]
    domain: str = ""
    targets: Targets | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def to(self, device: str | torch.device) -> Stream:
        targets = self.targets.to(device) if self.targets else None
        ids = self.ids.to(device)
        marks = self.marks.to(device)
        return replace(self, ids=ids, marks=marks, targets=targets)

    def select_documents(self, first: int, last: int) -> Stream:
        """Returns a stream of the documents `first` to `last` alone."""
        bounds = self.bounds[first : last + 1]
        start = int(bounds[0])
        inside = slice(start, int(bounds[-1]))
        targets = self.targets
        if targets:
            targets = Targets(targets.tags[inside], targets.mask[inside], targets.direct[inside])
        return replace(
            self,
            ids=self.ids[inside],
            marks=self.marks[inside],
            bounds=bounds - start,
            targets=targets,
        )

    def cut_windows(self, size: int, overlap: int) -> Windows:
        """Returns windows that cover every document, as in use."""
        rows = []
        for start, end in pairwise(self.bounds.tolist()):
            for first, last in fit_windows(end - start, size, overlap):
                rows.append((start + first, last - first))
        return np.array(rows, dtype=np.int64).reshape(-1, 2)

    def build_batch(self, rows: Windows, size: int) -> Batch:
        """Returns these windows as rows of `size` pieces and two special ones."""
        device = self.ids.device
        cls, sep, pad, _ = self.special
        table = torch.as_tensor(rows, device=device)
        start, length = table[:, :1], table[:, 1:]
        column = torch.arange(size + 2, device=device)[None] - 1
        real = (column >= 0) & (column < length)
        at = torch.where(real, start + column, 0)
        fill = torch.where(column < 0, cls, torch.where(column == length, sep, pad))
        ids = torch.where(real, self.ids[at].long(), fill)
        marks = torch.where(real, self.marks[at].long(), 0)
        targets = self.targets.take(at) if self.targets else None
        return Batch(
            ids=ids,
            shapes=marks & 7,
            begins=(marks & START) > 0,
            attention=column <= length,
            real=real,
            at=at,
            targets=targets,
        )


def build_raw_stream(flat: EncodedTexts, tokenizer: str | Path, domain: str = "") -> Stream:
    """Builds a stream of unlabelled texts."""
    return _build_stream(flat, PieceTokenizer.load(tokenizer), domain, None)


def build_gold_stream(examples: Sequence[Example], tokenizer: str | Path) -> Stream:
    """Builds a stream of annotated texts. The domain is that of the first."""
    reader = PieceTokenizer.load(tokenizer)
    pieces = [reader.encode(example.text) for example in examples]
    flat = join_texts([(p.ids.astype(np.int32), mark_pieces(p)) for p in pieces])
    soft = [compute_soft_targets(example, p) for example, p in zip(examples, pieces, strict=True)]
    columns = [torch.from_numpy(np.concatenate(parts)) for parts in zip(*soft, strict=True)]
    targets = Targets(*columns).to("cpu") if columns else None
    domain = examples[0].domain if examples else ""
    return _build_stream(flat, reader, domain, targets)


def compute_soft_targets(example: Example, pieces: Pieces) -> tuple[NDArray[np.float32], ...]:
    """Returns the shares of annotators that gave each piece each label, masked it, and called it direct."""
    n = len(pieces)
    layers = max(len(example.layers), 1)
    tags = np.zeros((n, len(LABELS)), dtype=np.float32)
    mask = np.zeros(n, dtype=np.float32)
    direct = np.zeros(n, dtype=np.float32)
    for layer in example.layers:
        labels = np.zeros(n, dtype=np.int64)
        hidden = np.zeros(n, dtype=bool)
        named = np.zeros(n, dtype=bool)
        # The longest of nested spans comes last and gives the type.
        for span in sorted(layer, key=lambda s: s.end - s.start):
            first, last = pieces.find_covering(span.start, span.end)
            labels[first:last] = _AT[f"I-{span.type}"]
            labels[first : min(first + 1, last)] = _AT[f"B-{span.type}"]
            hidden[first:last] |= span.mask
            named[first:last] |= span.direct
        tags[np.arange(n), labels] += 1
        mask += hidden
        direct += named
    if not example.layers:
        tags[:, 0] = 1
    return tuple((part / layers).astype(np.float32) for part in (tags, mask, direct))


def _build_stream(
    flat: EncodedTexts, reader: PieceTokenizer, domain: str, targets: Targets | None
) -> Stream:
    special = (reader.cls_id, reader.sep_id, reader.pad_id, reader.mask_id)
    ids = torch.from_numpy(flat.ids.astype(np.int32))
    return Stream(ids, torch.from_numpy(flat.marks), flat.bounds, special, domain, targets)


class Sampler:
    """An endless shuffled sequence of a stream's windows, moved a little in each round. The seed decides all.

    Row `n` of the sequence never depends on what was taken before, so a run can resume anywhere.
    """

    def __init__(self, stream: Stream, size: int, seed: int, shortest: int = 8) -> None:
        self.stream, self.size, self.seed = stream, size, seed
        lengths = np.diff(stream.bounds)
        use = lengths >= min(shortest, int(lengths.max(initial=0)))
        lengths, starts = lengths[use], stream.bounds[:-1][use]
        counts = np.maximum(1, -(-lengths // size))
        document = np.repeat(np.arange(len(lengths)), counts)
        order = np.arange(len(document)) - np.repeat(np.cumsum(counts) - counts, counts)
        self._slack = np.maximum(lengths - size, 0)[document]
        self._first = starts[document]
        self._even = order * self._slack // np.maximum(counts[document] - 1, 1)
        self._length = np.minimum(lengths, size)[document]
        self._round: tuple[int, Windows] = (-1, np.zeros((0, 2), dtype=np.int64))

    def __len__(self) -> int:
        return len(self._first)

    def take(self, first: int, count: int) -> Windows:
        """Returns rows `first` to `first + count` of the sequence."""
        taken = []
        while count:
            around, at = divmod(first, len(self))
            rows = self._shuffle_round(around)[at : at + count]
            taken.append(rows)
            first, count = first + len(rows), count - len(rows)
        return np.concatenate(taken)

    def _shuffle_round(self, around: int) -> Windows:
        if self._round[0] != around:
            random = np.random.default_rng([self.seed, around])
            jitter = random.integers(-self.size // 3, self.size // 3 + 1, len(self))
            inside = np.clip(self._even + jitter, 0, self._slack)
            rows = np.stack([self._first + inside, self._length], axis=1)
            self._round = (around, rows[random.permutation(len(rows))])
        return self._round[1]
