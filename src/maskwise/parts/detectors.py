"""Detectors and linkers that a policy may name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from maskwise.parts.part import Part, Plugin, Tuned
from maskwise.text import EntityType


class Patterns(Part):
    kind: Literal["patterns"] = "patterns"
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class WordList(BaseModel):
    """A list of the user's: one term a line, `#` begins a comment."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    path: str
    type: EntityType
    subtype: str = ""
    case: Literal["exact", "insensitive"] = "exact"
    score: Annotated[float, Field(gt=0, le=1)] = 0.9


class Gazetteer(Part):
    kind: Literal["gazetteer"] = "gazetteer"
    lists: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    extra: tuple[WordList, ...] = ()


class Neural(Tuned):
    kind: Literal["neural"] = "neural"


class Rules(Part):
    kind: Literal["rules"] = "rules"
    propagate: bool = True


Detector = Annotated[Patterns | Gazetteer | Neural | Plugin, Field(discriminator="kind")]
Linker = Annotated[Rules | Plugin, Field(discriminator="kind")]
