"""What each shipped policy promises, read off its description: what it masks and what stays readable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .kinds import CODES

HIPAA = ("name", "street", "city", "county", "zip", "date", "age over 89", *CODES)


@dataclass(frozen=True)
class Promise:
    """Kinds that are masked in every layout and case, those that stay, and those that a model finds as far as it can.

    `told` are kinds that no rule can find wherever they stand: names, towns and what people say of themselves. Their
    share is reported. `kept` holds in the layouts that have sentences or labels, as written.
    """

    masked: tuple[str, ...]
    kept: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


_MODELLED = ("name", "city")

PROMISES: Mapping[str, Promise] = {
    "balanced": Promise(
        masked=(*CODES, "application number"),
        kept=("law", "relative date"),
        told=(*_MODELLED, "street", "date"),
    ),
    "court": Promise(
        masked=(*CODES, "application number", "date", "street"),
        kept=("court", "government", "country", "law"),
        told=_MODELLED,
    ),
    "gdpr": Promise(
        masked=(*CODES, "application number"),
        told=(*_MODELLED, "street", "date", "health", "belief", "ethnic origin", "orientation", "politics", "offence"),
    ),
    "hipaa-safe-harbor": Promise(
        masked=tuple(name for name in HIPAA if name not in _MODELLED),
        kept=("diagnosis", "drug", "test", "amount", "age under 90", "state", "year"),
        told=_MODELLED,
    ),
    "research": Promise(
        masked=(*CODES, "application number", "date", "street"),
        kept=("organisation", "place", "amount", "demographic", "year"),
        told=("name",),
    ),
    "strict": Promise(
        masked=(*CODES, "application number", "date", "street"),
        told=_MODELLED,
    ),
    "thorough": Promise(
        masked=(*CODES, "application number"),
        kept=("law", "relative date"),
        told=(*_MODELLED, "street", "date"),
    ),
}
