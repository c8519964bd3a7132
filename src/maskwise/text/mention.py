"""`Mention`: one span of personal information, checked against its document when it is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from maskwise.errors import OffsetError
from maskwise.text.document import Document
from maskwise.text.types import EntityType


@dataclass(frozen=True, slots=True)
class Mention:
    """A span `[start, end)` of `document.text` with a semantic type and where it came from.

    `subtype` is the family's finer name ("iban", "year", "city"). `certain` says that a checksum or the user vouches
    for it. `value` is a normalised form used for linking ("1998-04-25"), empty where the surface text is the value.
    The text stays out of `repr`, which reaches logs.

    >>> from maskwise import Document, EntityType
    >>> Document("Ana Souza lives in Porto.").mention(19, 24, EntityType.LOC, subtype="city").text
    'Porto'
    """

    document: Document = field(repr=False, compare=False)
    start: int
    end: int
    text: str = field(repr=False)
    type: EntityType
    subtype: str = ""
    source: str = ""
    score: float = 1.0
    certain: bool = False
    value: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        start, end, text = self.start, self.end, self.document.text
        if not 0 <= start < end <= len(text):
            raise OffsetError(
                f"span [{start}, {end}) is empty or outside a text of {len(text)} characters"
            )
        if text[start:end] != self.text:
            raise OffsetError(
                f"span [{start}, {end}): the text there differs from the text of the mention"
            )

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def span(self) -> tuple[int, int]:
        return (self.start, self.end)
