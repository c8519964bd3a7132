"""`Surrogate`: writes invented names, dates, codes and places that look real, the same for all mentions of an entity.

What is invented follows from a secret and the entity's name (HMAC-SHA256). No word of an invented name stands in the
document, in the corpus as far as it is known, or in another surrogate.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from pydantic import Field

from maskwise.errors import PluginError, PolicyError
from maskwise.mask.identity import Identity
from maskwise.mask.operators import FALLBACKS, Fallback, Replacement
from maskwise.mask.surrogate import people, shapes
from maskwise.text import Decision, Document, Entity, EntityType, Line
from maskwise.text.folding import fold_words
from maskwise.text.subtypes import ADDRESS, ROAD_NUMBER

PLAIN = 60  # tries with plain names
DOUBLE = 200  # tries in all
_WORD = re.compile(r"[^\W\d_]+")
_HEADS = frozenset(
    "court hospital university school college bank ministry department office council committee institute company "
    "party church clinic police prison agency union association society club museum library trust foundation group ltd "
    "limited inc corporation plc llc gmbh ag street road avenue lane drive square place way close park river lake "
    "mount mountain island county district province region valley bay airport station bridge".split()
)
_NAMED = (EntityType.PERSON, EntityType.LOC, EntityType.ORG)


FindChecks = Callable[[frozenset[str]], Sequence[Callable[[str], bool]]]


def _find_no_checks(_: frozenset[str]) -> Sequence[Callable[[str], bool]]:
    return ()


@dataclass(frozen=True)
class Surrogate:
    """Needs Faker (`maskwise[surrogate]`) and a secret in the environment variable `key`, or a `seed`."""

    locale: Annotated[str, Field(pattern=r"^[a-z]{2,3}_[A-Z]{2}$")] = "en_GB"
    key: str = "MASKWISE_SURROGATE_KEY"
    seed: int | None = None
    fallback: Fallback = "pseudonym"
    _find_checks: FindChecks = field(default=_find_no_checks, repr=False, compare=False)
    _words: MutableMapping[Document, frozenset[str]] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.seed is None and not os.environ.get(self.key):
            raise PolicyError(
                f"the operator 'surrogate' needs a secret in the variable {self.key}, or a seed"
            )

    def bind(self, line: Line) -> Surrogate:
        line.collect_words()
        return replace(self, _find_checks=line.find_checks)

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        if entity.type is EntityType.PERSON:
            texts = self._rename_person(entity, identity)
        elif entity.type in _NAMED:
            texts = self._rename_thing(entity, identity)
        else:
            texts = self._invent_shapes(entity, identity)
        if not texts:
            return FALLBACKS[self.fallback].replace(entity, decision, identity)
        return Replacement(texts, is_surrogate=True)

    def _rename_thing(self, entity: Entity, identity: Identity) -> tuple[str, ...]:
        """A text per mention of a place or an organisation; none where no name is free."""
        note = identity.ledger.recall(identity.type, identity.number)
        fake = note or self._invent_thing(entity, identity)
        if not fake:
            return ()
        acronym = _make_acronym(fake)
        return tuple(
            acronym if _is_acronym(mention.text, fake) else fake for mention in entity.mentions
        )

    def _rename_person(self, entity: Entity, identity: Identity) -> tuple[str, ...]:
        """A text per mention of a person; none where no name is free."""
        mentions = tuple(mention.text for mention in entity.mentions)
        known = people.read_slots(mentions)
        note = identity.ledger.recall(identity.type, identity.number)
        names = note.split("\n") if note else self._invent_person(entity, identity, known)
        if not names:
            return ()
        while len(names) <= len(known.given):  # a fuller name than the documents before had
            names.insert(-1, names[0])
        fake_names = (*names[: len(known.given)], names[-1])
        return tuple(people.rewrite_mention(text, known, fake_names) for text in mentions)

    def _invent_person(
        self, entity: Entity, identity: Identity, known: people.NameSlots
    ) -> list[str]:
        for attempt in range(DOUBLE):
            double = attempt >= PLAIN
            faker = self._seed_faker(identity, attempt)
            names = people.invent_person(faker, known, double)
            are_different = len(set(names)) == len(names)
            if are_different and self._is_free(entity, identity, names, double):
                identity.ledger.note(identity.type, identity.number, "\n".join(names))
                return list(names)
        return []

    def _invent_thing(self, entity: Entity, identity: Identity) -> str:
        text = entity.longest.text
        is_address = bool(entity.subtypes & {ADDRESS, ROAD_NUMBER}) or text[:1].isdigit()
        for attempt in range(DOUBLE):
            faker = self._seed_faker(identity, attempt)
            name = _invent_place_name(faker, text, is_address)
            old = fold_words(text)
            invented = tuple(
                word for word in fold_words(name) if word not in old and word.isalpha()
            )
            if invented and self._is_free(entity, identity, invented, double=False):
                identity.ledger.note(identity.type, identity.number, name)
                return name
        return ""

    def _is_free(
        self, entity: Entity, identity: Identity, names: tuple[str, ...], double: bool
    ) -> bool:
        """Whether no name stands in a text or in another surrogate; of a double name one half must not."""
        document = entity.first.document
        if document not in self._words:
            self._words[document] = frozenset(fold_words(document.text))
        ledger = identity.ledger
        taken = (self._words[document], ledger.get_avoided_words(), ledger.get_noted_words())
        # A text that uses up the plain names has halves of double names as well.
        is_enough = any if double else all
        for name in names:
            for known in taken:
                if not is_enough(piece not in known for piece in fold_words(name)):
                    return False
        return True

    def _invent_shapes(self, entity: Entity, identity: Identity) -> tuple[str, ...]:
        """A text of the same shape per mention; none where a mention has no other text of its shape."""
        made: list[str] = []
        for mention in entity.mentions:
            number = self._draw_number(identity, 0)
            if entity.type is EntityType.DATETIME:
                number = self._draw_for(mention.document)
            random = Random(number)  # noqa: S311 - seeded by HMAC, so that mentions agree
            text = self._invent_shape(entity, mention.text, random)
            if not text or text == mention.text:
                return ()
            made.append(text)
        return tuple(made)

    def _invent_shape(self, entity: Entity, text: str, random: Random) -> str:
        if entity.type is EntityType.DATETIME:
            return shapes.move_dates(text, random)
        if entity.type is EntityType.CODE:
            return shapes.invent_code(
                text, entity.subtypes, self.locale, random, self._find_checks(entity.subtypes)
            )
        if entity.type is EntityType.QUANTITY:
            return shapes.change_digits(text, random)
        return ""

    def _draw_number(self, identity: Identity, attempt: int) -> int:
        return self._draw(f"{identity.type}\n{identity.name}\n{attempt}")

    def _draw_for(self, document: Document) -> int:
        """A number for all dates of a document, so that they move together."""
        return self._draw(f"dates\n{document.id or document.text}")

    def _draw(self, name: str) -> int:
        secret = os.environ[self.key] if self.seed is None else f"seed {self.seed}"
        message = name.encode("utf-8", "surrogatepass")
        digest = hmac.new(secret.encode(), message, hashlib.sha256).digest()
        return int.from_bytes(digest[:8], "big")

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


def _invent_place_name(faker: Any, text: str, is_address: bool) -> str:
    """An invented name before the same head noun: "Hartley Court" for "Oslo District Court"."""
    found = [word for word in _WORD.findall(text) if word.lower() in _HEADS]
    head = found[-1] if found else ""
    name = faker.last_name()
    if not head:
        name += faker.city_suffix()
    name = name.replace(" ", "")
    number = f"{faker.random_int(1, 99)} " if is_address and re.match(r"\d+", text) else ""
    return f"{number}{name} {head}".strip()


def _make_acronym(name: str) -> str:
    return "".join(word[0] for word in _WORD.findall(name)).upper() + "X"


def _is_acronym(text: str, fake: str) -> bool:
    """Whether a mention is an acronym and its surrogate is not."""
    if not (text.isupper() and text.isalpha()):
        return False
    return 2 <= len(text) <= 6 and not fake.isupper()
