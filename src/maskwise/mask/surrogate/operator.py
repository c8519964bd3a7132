"""`Surrogate`: writes invented names, dates, codes and places that look real, the same for all mentions of an entity.

What is invented follows from a secret and the entity's name (HMAC-SHA256). No word of an invented name stands in the
document, in the corpus as far as it is known, or in another surrogate.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from pydantic import Field

from maskwise.errors import PluginError, PolicyError
from maskwise.mask.identity import Identity
from maskwise.mask.operators import FALLBACKS, Fallback, Replacement
from maskwise.mask.surrogate import people, shapes, things
from maskwise.text import Decision, Document, Entity, EntityType, Line
from maskwise.text.canvas import words

PLAIN, DOUBLE = 60, 200  # tries with plain names, and in all
_NAMED = (EntityType.PERSON, EntityType.LOC, EntityType.ORG)


@dataclass(frozen=True)
class Surrogate:
    """Needs Faker (`maskwise[surrogate]`) and a secret in the environment variable `key`, or a `seed`."""

    locale: Annotated[str, Field(pattern=r"^[a-z]{2,3}_[A-Z]{2}$")] = "en_GB"
    key: str = "MASKWISE_SURROGATE_KEY"
    seed: int | None = None
    fallback: Fallback = "pseudonym"
    _words: MutableMapping[Document, frozenset[str]] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.seed is None and not os.environ.get(self.key):
            raise PolicyError(f"the operator 'surrogate' needs a secret in the variable {self.key}, or a seed")

    def bind(self, line: Line) -> Surrogate:
        line.collect_words()
        return self

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        texts = self._invent_names(entity, identity) if entity.type in _NAMED else self._invent_shapes(entity, identity)
        if texts is None:
            return FALLBACKS[self.fallback].replace(entity, decision, identity)
        return Replacement(texts, is_surrogate=True)

    def _invent_names(self, entity: Entity, identity: Identity) -> tuple[str, ...] | None:
        mentions = tuple(mention.text for mention in entity.mentions)
        note = identity.ledger.recall(identity.type, identity.number)
        if entity.type is not EntityType.PERSON:
            fake = note or self._invent_thing(entity, identity)
            texts = tuple(things.make_acronym(fake) if _is_acronym(text, fake) else fake for text in mentions)
            return texts if fake else None
        known = people.read_slots(mentions)
        names = note.split("\n") if note else self._invent_person(entity, identity, known)
        if not names:
            return None
        while len(names) <= len(known.given):  # a fuller name than the documents before had
            names.insert(-1, names[0])
        fake_names = (*names[: len(known.given)], names[-1])
        return tuple(people.rewrite_mention(text, known, fake_names) for text in mentions)

    def _invent_person(self, entity: Entity, identity: Identity, known: people.NameSlots) -> list[str]:
        for attempt in range(DOUBLE):
            names = people.invent_person(self._seed_faker(identity, attempt), known, double=attempt >= PLAIN)
            if len(set(names)) == len(names) and self._is_free(entity, identity, names, attempt >= PLAIN):
                identity.ledger.note(identity.type, identity.number, "\n".join(names))
                return list(names)
        return []

    def _invent_thing(self, entity: Entity, identity: Identity) -> str:
        street = bool(entity.subtypes & {"address", "road_number"}) or entity.longest.text[:1].isdigit()
        for attempt in range(DOUBLE):
            name = things.invent_thing(self._seed_faker(identity, attempt), entity.longest.text, street)
            own = tuple(word for word in words(name) if word not in words(entity.longest.text) and word.isalpha())
            if own and self._is_free(entity, identity, own, double=False):
                identity.ledger.note(identity.type, identity.number, name)
                return name
        return ""

    def _is_free(self, entity: Entity, identity: Identity, names: tuple[str, ...], double: bool) -> bool:
        """Whether no name stands in a text or in another surrogate; of a double name one half must not."""
        document = entity.first.document
        if document not in self._words:
            self._words[document] = frozenset(words(document.text))
        taken = (self._words[document], identity.ledger.get_avoided_words(), identity.ledger.get_noted_words())
        pieces = [words(name) for name in names]
        if double:  # a text that uses up the plain names has halves of these as well
            return all(any(piece not in known for piece in parts) for parts in pieces for known in taken)
        return not any(piece in known for parts in pieces for piece in parts for known in taken)

    def _invent_shapes(self, entity: Entity, identity: Identity) -> tuple[str, ...] | None:
        made: list[str] = []
        for mention in entity.mentions:
            random = Random(self._draw_number(identity, 0))  # noqa: S311 - seeded by HMAC, so that mentions agree
            if entity.type is EntityType.DATETIME:
                made.append(shapes.move_dates(mention.text, random))
            elif entity.type is EntityType.CODE:
                made.append(shapes.invent_code(mention.text, entity.subtypes, self.locale, random))
            elif entity.type is EntityType.QUANTITY:
                made.append(shapes.change_digits(mention.text, random))
        same = any(new == mention.text for new, mention in zip(made, entity.mentions, strict=False))
        return tuple(made) if made and all(made) and not same else None

    def _draw_number(self, identity: Identity, attempt: int) -> int:
        secret = os.environ[self.key] if self.seed is None else f"seed {self.seed}"
        message = f"{identity.type}\n{identity.name}\n{attempt}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hmac.new(secret.encode(), message, hashlib.sha256).digest()[:8], "big")

    def _seed_faker(self, identity: Identity, attempt: int) -> Any:
        self._faker.seed_instance(self._draw_number(identity, attempt))
        return self._faker

    @cached_property
    def _faker(self) -> Any:
        try:
            from faker import Faker
        except ImportError:
            raise PluginError("surrogates need: pip install 'maskwise[surrogate]'") from None
        try:
            return Faker(self.locale)
        except AttributeError:
            raise PolicyError(f"Faker knows no locale {self.locale!r}") from None


def _is_acronym(text: str, fake: str) -> bool:
    """Whether a mention is an acronym and its surrogate is not."""
    return text.isupper() and text.isalpha() and 2 <= len(text) <= 6 and not fake.isupper()
