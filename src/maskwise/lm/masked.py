"""`MaskedLM` measures how surprising spans are to a language model that sees everything but them.

It computes log-probabilities with all pieces of a span masked (Papadopoulou et al. 2023, section 5.1) and the
information content -log p that follows. Spans that do not touch share a pass, so a page costs a few passes, not one per
span.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from maskwise.lm.encoder import Array, Encoder, Gap
from maskwise.lm.pieces import Pieces
from maskwise.lm.windows import cut_windows, fit_windows

Span = tuple[int, int]
Positions = NDArray[np.intp]
POOLS: Mapping[str, Callable[[Array], float]] = {
    "sum": np.sum,
    "max": np.max,
    "min": np.min,
    "mean": np.mean,
}


@dataclass(frozen=True, slots=True, eq=False)
class SpanLogProbs:
    """Log-probabilities of the pieces of each span, and how many times the model ran to find them."""

    log_probs: list[Array]
    passes: int


class MaskedLM:
    """Masked-LM questions about whole texts.

    Groups of spans share a pass if at least `distance` unmasked pieces stand between them and at most `share` of the
    window is masked. The model then sees as much as in training. Windows are the encoder's. With `overlap` they are
    shorter and share at most so many pieces, which is faster but gives less context at their ends. With `context` a
    pass sees at most so many pieces on either side of what is masked in it.
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        distance: int = 8,
        share: float = 0.2,
        overlap: int | None = None,
        context: int | None = None,
    ) -> None:
        self._encoder = encoder
        self._distance = distance
        self._share = share
        self._overlap = overlap
        self._context = context

    @property
    def encoder(self) -> Encoder:
        return self._encoder

    def compute_log_probs(
        self, text: str, spans: Sequence[Span], together: Sequence[Sequence[int]] | None = None
    ) -> list[Array]:
        """Returns for each span the natural log-probability of each of its pieces, all of them masked.

        `together` groups indices of spans that are masked at once (all mentions of an entity). A span in no group is
        masked alone. A span without pieces (white space) has no log-probabilities.
        """
        return self.ask(text, spans, together).log_probs

    def ask(
        self,
        text: str | Pieces,
        spans: Sequence[Span],
        together: Sequence[Sequence[int]] | None = None,
    ) -> SpanLogProbs:
        """Does the same as `compute_log_probs`, and counts the passes. Takes the pieces of a text too."""
        pieces = self._encoder.tokenizer.encode(text) if isinstance(text, str) else text
        ranges = [np.arange(*pieces.find_covering(*span)) for span in spans]
        groups = _complete_groups(len(spans), together)
        masked = [_unite_ranges(ranges, group) for group in groups]
        passes = list(self._plan_passes(pieces, masked))
        values = self._run_passes(pieces, masked, passes)
        result = [np.zeros(0, dtype=np.float32)] * len(spans)
        for group, positions, value in zip(groups, masked, values, strict=True):
            for at in group:
                result[at] = value[np.searchsorted(positions, ranges[at])]
        return SpanLogProbs(result, len(passes))

    def measure_information(
        self,
        text: str,
        spans: Sequence[Span],
        together: Sequence[Sequence[int]] | None = None,
        pool: Literal["sum", "max", "min", "mean"] = "sum",
    ) -> Array:
        """Returns the information content -log p of each span in nats, pooled over its pieces.

        A span without pieces has none, so it gets 0.
        """
        pieces = self.compute_log_probs(text, spans, together)
        pooled = [POOLS[pool](-value) if len(value) else 0.0 for value in pieces]
        return np.array(pooled, dtype=np.float32)

    def _run_passes(
        self, pieces: Pieces, masked: Sequence[Positions], passes: Sequence[_Pass]
    ) -> list[Array]:
        """Returns the log-probabilities of the masked positions of each group."""
        values = [np.zeros(len(positions), dtype=np.float32) for positions in masked]
        gaps = [p.build_gap(pieces, self._encoder.tokenizer.mask_id, self._context) for p in passes]
        for one, answer in zip(passes, self._encoder.fill(gaps), strict=True):
            done = 0
            for group, positions in one.reads:
                places = np.searchsorted(masked[group], positions)
                values[group][places] = answer[done : done + len(positions)]
                done += len(positions)
        return values

    def _plan_passes(self, pieces: Pieces, masked: Sequence[Positions]) -> Iterator[_Pass]:
        """Yields the passes. A piece is read in the window whose middle is nearest; its whole group is masked there."""
        spans = self._cut_windows(len(pieces))
        middles = np.array([(start + end) / 2 for start, end in spans])
        bounds = (middles[1:] + middles[:-1]) / 2
        owners = [np.searchsorted(bounds, positions + 0.5) for positions in masked]
        parts: dict[int, list[int]] = {}
        for group, owner in enumerate(owners):
            for window in np.unique(owner).tolist():
                parts.setdefault(window, []).append(group)
        for window, members in sorted(parts.items()):
            passes: list[_Pass] = []
            for group in sorted(members, key=lambda g: int(masked[g][0])):
                positions = masked[group]
                start, end = spans[window]
                inside = positions[(positions >= start) & (positions < end)]
                read = positions[owners[group] == window]
                fitting = (p for p in passes if p.can_take(inside, self._share, self._context))
                target = next(fitting, None)
                if target is None:
                    target = _Pass.open(start, end)
                    passes.append(target)
                target.add(group, inside, read, self._distance)
            yield from passes

    def _cut_windows(self, n: int) -> list[Span]:
        if self._overlap is None:
            return cut_windows(n, self._encoder.window, self._encoder.overlap)
        return fit_windows(n, self._encoder.window, min(self._overlap, self._encoder.overlap))


@dataclass(slots=True, eq=False)
class _Pass:
    """One window with the groups masked in it, and where no other group may be masked."""

    start: int
    end: int
    reads: list[tuple[int, Positions]]
    masked: NDArray[np.bool_]
    closed: NDArray[np.bool_]

    @classmethod
    def open(cls, start: int, end: int) -> _Pass:
        """Returns a pass over a window in which nothing is masked yet."""
        size = end - start
        return cls(start, end, [], np.zeros(size, dtype=bool), np.zeros(size, dtype=bool))

    def can_take(self, inside: Positions, share: float, context: int | None) -> bool:
        """Whether one more group may be masked in this pass."""
        if int(self.masked.sum()) + len(inside) > share * len(self.masked):
            return False
        places = inside - self.start
        if context is not None:
            # Two short passes cost less than one that reads a long stretch for nothing.
            first, last = self._find_ends()
            gap = max(places[0] - last, first - places[-1])
            if gap > 2 * context:
                return False
        return not self.closed[places].any()

    def add(self, group: int, inside: Positions, read: Positions, distance: int) -> None:
        """Masks the positions `inside` the window, of which `read` are asked for, and closes their neighbourhood."""
        self.reads.append((group, read))
        self.masked[inside - self.start] = True
        near = (inside - self.start)[:, None] + np.arange(-distance, distance + 1)
        self.closed[np.clip(near, 0, len(self.closed) - 1)] = True

    def _find_ends(self) -> tuple[int, int]:
        """Returns the first and the last masked place."""
        first, last = np.flatnonzero(self.masked)[[0, -1]].tolist()
        return first, last

    def build_gap(self, pieces: Pieces, mask_id: int, context: int | None) -> Gap:
        """Builds what the encoder reads in this pass."""
        start, end = 0, len(self.masked)
        if context is not None:
            first, last = self._find_ends()
            start = max(first - context, 0)
            end = min(last + 1 + context, end)
        seen = slice(self.start + start, self.start + end)
        ids = pieces.ids[seen].copy()
        shapes = pieces.shapes[seen].copy()
        masked = self.masked[start:end]
        at = np.concatenate([read for _, read in self.reads]) - seen.start
        truth = ids[at]
        ids[masked], shapes[masked] = mask_id, 0
        return Gap(ids, shapes, at, truth)


def _unite_ranges(ranges: Sequence[Positions], group: Sequence[int]) -> Positions:
    """Returns the positions of all ranges of a group, sorted."""
    return np.unique(np.concatenate([ranges[at] for at in group]))


def _complete_groups(count: int, together: Sequence[Sequence[int]] | None) -> list[list[int]]:
    """Returns the groups, and one group for each span that is in none."""
    groups = [list(group) for group in together or () if group]
    grouped = [at for group in groups for at in group]
    if len(set(grouped)) != len(grouped) or not set(grouped) <= set(range(count)):
        raise ValueError(f"groups must name each of the {count} spans once at most")
    return groups + [[at] for at in range(count) if at not in set(grouped)]
