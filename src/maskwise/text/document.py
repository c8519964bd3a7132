"""`Document`: a text that never changes, and whom to protect in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from maskwise.errors import OffsetError
from maskwise.text.person import Person

if TYPE_CHECKING:
    from maskwise.text.mention import Mention
    from maskwise.text.types import EntityType


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Document:
    """A text with its identity. Offsets everywhere are Unicode code points of `text`.

    >>> doc = Document("Ana Souza lives in Porto.", id="d1", protected=(Person("Ana Souza"),))
    >>> len(doc)
    25
    """

    text: str = field(repr=False)
    id: str = ""
    protected: tuple[Person, ...] = field(default=(), repr=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False, hash=False)
    # What models said about the batch of the document.
    reading: Any = field(default=None, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise OffsetError(
                f"document {self.id!r}: text must be str, not {type(self.text).__name__}"
            )

    def __len__(self) -> int:
        return len(self.text)

    def mention(self, start: int, end: int, type: EntityType, **attributes: Any) -> Mention:
        """The mention on `[start, end)`; raises `OffsetError` where no such span exists."""
        from maskwise.text.mention import Mention

        text = self.text[start:end] if 0 <= start < end else ""
        return Mention(self, start, end, text, type, **attributes)
