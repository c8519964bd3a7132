"""Eight semantic types, the role of a span in re-identification (TAB, section 4.2), and where a mention comes from."""

from __future__ import annotations

from enum import StrEnum


class EntityType(StrEnum):
    """Semantic type of a span of personal information.

    >>> ", ".join(EntityType)
    'PERSON, CODE, LOC, ORG, DEM, DATETIME, QUANTITY, MISC'
    """

    PERSON = "PERSON"
    CODE = "CODE"
    LOC = "LOC"
    ORG = "ORG"
    DEM = "DEM"
    DATETIME = "DATETIME"
    QUANTITY = "QUANTITY"
    MISC = "MISC"


class IdentifierType(StrEnum):
    """The effect of a span on the person to protect: it names them, helps to find them, or neither."""

    DIRECT = "DIRECT"
    QUASI = "QUASI"
    NONE = "NONE"


class Provenance(StrEnum):
    """Where a mention comes from, as far as the line itself asks for it.

    A third party's detector signs its mentions with its own name, so `Mention.source` is a string.
    """

    PATTERNS = "patterns"
    GAZETTEER = "gazetteer"
    NEURAL = "neural"
    PHRASES = "phrases"  # a candidate, which stays unless the risk asks for its mask
    GIVEN = "given"  # the maker of the document vouches for it
    PROTECT = "protect"  # the name of a protected person
    LISTED = "listed"  # the user lists it to be masked
    KEPT = "kept"  # the user lists it to be kept
    LINK = "link"  # another place where the text names something found
    ANNOTATOR = "annotator"  # a person marked it

    def __repr__(self) -> str:
        return repr(self.value)  # results print it beside the names of third parties


Span = tuple[int, int]  # [start, end) in code points
