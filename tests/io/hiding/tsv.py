"""Places of tables in text with tabs."""

from __future__ import annotations

from .csv import places

PLACES = places("tsv", "\t")
