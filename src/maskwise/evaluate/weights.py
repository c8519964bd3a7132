"""Weighs masked words by their information content (TAB, section 6.3, equation 3), for weighted precision.

IC(t, d) = -log p(t | d with every masked word hidden). For a word of several pieces the least likely piece counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from maskwise.errors import PluginError
from maskwise.evaluate.tab import Floats, Weights
from maskwise.text.tab import AnnotatedDocument
from maskwise.text.types import Span

if TYPE_CHECKING:
    from maskwise.lm.masked import MaskedLM


def parse_weights(source: str) -> Weights | None:
    """Reads `uniform` (no weights), `lm` (the embedded model) or `hf:NAME` (a Hugging Face model on this machine)."""
    if source == "uniform":
        return None
    return build_weights(load_language_model(source))


def load_language_model(source: str) -> MaskedLM:
    """Loads the masked language model that `lm`, `lm:MODEL` or `hf:NAME` names."""
    kind, _, name = source.partition(":")
    if kind == "lm":
        from maskwise.lm import load_model

        return load_model(name or "small").masked
    if kind == "hf" and name:
        from maskwise.lm.hf import HuggingFaceEncoder
        from maskwise.lm.masked import MaskedLM

        return MaskedLM(HuggingFaceEncoder(name))
    raise PluginError(f"no language model {source!r}; expected uniform, lm, lm:MODEL or hf:NAME")


def build_weights(model: MaskedLM) -> Weights:
    """Returns weights by a language model that sees a document with all its masks in place."""

    def weigh_tokens(item: AnnotatedDocument, tokens: Sequence[Span]) -> Floats:
        together = [range(len(tokens))]
        found = model.measure_information(item.document.text, tokens, together, pool="max")
        return found.astype(np.float64)

    return weigh_tokens
