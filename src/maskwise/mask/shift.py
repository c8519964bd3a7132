"""`Shift`: moves all dates of a document by the same number of days, so that intervals stay. The dates are not true.

For tables of events where only the time between them matters. The days come from a key and the id of the document
(HMAC-SHA256), so a run can be repeated and nobody without the key can undo it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from maskwise.errors import PolicyError
from maskwise.mask.generalise.grammar import fit_level
from maskwise.mask.generalise.periods import Unit, read_period
from maskwise.mask.identity import Identity
from maskwise.mask.operators import Pseudonym, Replacement
from maskwise.text import Decision, Document, Entity, Level, Mention
from maskwise.text.english import MONTHS


@dataclass(frozen=True)
class Shift:
    """Writes dates that name a day or days as other days. A date that names no day becomes a pseudonym.

    `key` names an environment variable that holds a secret; `days` is how far a date may move, either way.
    """

    key: str = "MASKWISE_SHIFT_KEY"
    days: Annotated[int, Field(ge=1, le=36500)] = 365

    def __post_init__(self) -> None:
        if not os.environ.get(self.key):
            raise PolicyError(
                f"the operator 'shift' needs a secret in the environment variable {self.key}"
            )

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        pseudonyms = Pseudonym().replace(entity, decision, identity).texts
        texts = []
        for mention, pseudonym in zip(entity.mentions, pseudonyms, strict=True):
            texts.append(self._move_mention(mention) or pseudonym)
        return Replacement(tuple(texts))

    def choose_offset(self, document: Document) -> timedelta:
        """How far the dates of a document move: at least one day, either way."""
        secret = os.environ[self.key].encode()
        name = document.id or document.text
        digest = hmac.new(secret, name.encode(), hashlib.sha256).digest()
        days = int.from_bytes(digest[:8], "big") % (2 * self.days) - self.days
        return timedelta(days=days if days < 0 else days + 1)

    def _move_mention(self, mention: Mention) -> str:
        period = read_period(mention.text)
        if period is None or period.unit is not Unit.DAY or not period.dated or not period.whole:
            return ""
        offset = self.choose_offset(mention.document)
        try:
            first, last = period.first + offset, period.last + offset
        except OverflowError:
            return ""
        text = write_day(first) if first == last else f"{write_day(first)} to {write_day(last)}"
        return fit_level(Level(text, 1.0), mention)


def write_day(day: date) -> str:
    """ "3 May 2010"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
