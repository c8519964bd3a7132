"""`Entity`: all mentions of one thing. Decisions are taken for entities and hold for every mention."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from maskwise.errors import OffsetError, OverlapError
from maskwise.text.confidential import Disclosure
from maskwise.text.mention import Mention
from maskwise.text.types import EntityType, IdentifierType, Provenance


@dataclass(frozen=True, slots=True)
class Entity:
    """One person, place, date... and every place in the text that mentions it, in order of appearance.

    >>> from maskwise import sanitize
    >>> [entity] = sanitize("Mr Lee came. Then Lee left.").entities
    >>> [mention.span for mention in entity.mentions]
    [(0, 6), (18, 21)]
    """

    id: str
    type: EntityType
    mentions: tuple[Mention, ...]
    identifier: IdentifierType = IdentifierType.QUASI
    protected: bool = False  # it names a person to protect
    disclosure: Disclosure | None = None  # the confidential attribute that it tells of somebody

    def __post_init__(self) -> None:
        if not self.mentions:
            raise OffsetError(f"entity {self.id}: no mentions")
        document = self.mentions[0].document
        for left, right in pairwise(self.mentions):
            if right.document is not document:
                raise OffsetError(f"entity {self.id}: mentions from two documents")
            if right.start < left.end:
                raise OverlapError(
                    f"entity {self.id}: mentions at {left.start} and {right.start} overlap"
                )

    @property
    def is_direct(self) -> bool:
        """Whether it must be suppressed: no level of a ladder is safe for what names one person."""
        return self.protected or self.identifier is IdentifierType.DIRECT

    @property
    def is_candidate(self) -> bool:
        """Whether it is a phrase that only the risk of the document can ask to mask."""
        return all(mention.source == Provenance.PHRASES for mention in self.mentions)

    @property
    def is_listed(self) -> bool:
        """Whether the user lists it to be masked."""
        return any(mention.source == Provenance.LISTED for mention in self.mentions)

    @property
    def is_given(self) -> bool:
        """Whether the maker of the document says what all its mentions are, so that no model has to."""
        return all(mention.source == Provenance.GIVEN for mention in self.mentions)

    @property
    def is_kept(self) -> bool:
        """Whether the user lists it to be kept."""
        return all(mention.source == Provenance.KEPT for mention in self.mentions)

    @property
    def first(self) -> Mention:
        return self.mentions[0]

    @property
    def longest(self) -> Mention:
        """The fullest way the text writes it; the first of equals."""
        return max(self.mentions, key=lambda m: (len(m), -m.start))

    @property
    def score(self) -> float:
        """Confidence of the surest mention."""
        return max(m.score for m in self.mentions)

    @property
    def subtypes(self) -> frozenset[str]:
        return frozenset(m.subtype for m in self.mentions if m.subtype)
