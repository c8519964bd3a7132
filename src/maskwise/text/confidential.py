"""Confidential attributes: the special categories of GDPR articles 9 and 10, and whose they are.

TAB (Pilán et al. 2022, section 4.2) marks five of them as `confidential_status`; the others are extensions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from maskwise.text.types import Span


class Confidential(StrEnum):
    """A special category of personal data."""

    HEALTH = "HEALTH"
    BELIEF = "BELIEF"
    POLITICS = "POLITICS"
    ETHNIC = "ETHNIC"
    SEX = "SEX"
    UNION = "UNION"
    GENETIC = "GENETIC"
    BIOMETRIC = "BIOMETRIC"
    CRIME = "CRIME"


TAB_STATUSES = frozenset(list(Confidential)[:5])  # those that TAB knows
NOT_CONFIDENTIAL = "NOT_CONFIDENTIAL"


class Holder(StrEnum):
    """The person whose attribute it is, where no entity of the document says it."""

    AUTHOR = "author"  # "I have asthma"
    RELATIVE = "relative"  # "her brother has asthma"
    PERSON = "person"  # somebody whom the sentence does not name
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A stretch of text that tells a confidential attribute of somebody. Denied attributes are not disclosed.

    `holder` says whose it is: the start of the mention that names the person, or a `Holder`.
    """

    start: int
    end: int
    category: Confidential
    holder: int | Holder = Holder.UNKNOWN

    @property
    def span(self) -> Span:
        return self.start, self.end
