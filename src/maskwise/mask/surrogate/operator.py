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
from functools import lru_cache
from random import Random
from typing import Annotated, Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

from pydantic import Field

from maskwise.errors import PluginError, PolicyError
from maskwise.mask.generalise.frames import read_line
from maskwise.mask.identity import Identity
from maskwise.mask.operators import FALLBACKS, Fallback, Replacement
from maskwise.mask.surrogate import ages, people, places, shapes, things
from maskwise.mask.surrogate.bounds import find_bounds, list_kept_texts
from maskwise.mask.surrogate.cast import Character, Ensemble
from maskwise.mask.surrogate.genders import Told, tell_people
from maskwise.mask.surrogate.origins import find_home
from maskwise.text import Decision, Document, Entity, EntityType, Line, Mention
from maskwise.text.folding import fold_words
from maskwise.text.subtypes import ADDRESS, HANDLE, ROAD_NUMBER
from maskwise.text.surnames import write_feminine

PLAIN = 60  # tries with plain names
DOUBLE = 200  # tries in all
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_NAMED = (EntityType.PERSON, EntityType.LOC, EntityType.ORG)


FindChecks = Callable[[frozenset[str]], Sequence[Callable[[str], bool]]]


class Shift(NamedTuple):
    """How far the dates of a document move, and by how many years its people are older than they were."""

    dates: shapes.DateShift | None  # none where dates that stay allow no move
    years: int


def _find_no_checks(_: frozenset[str]) -> Sequence[Callable[[str], bool]]:
    return ()


@dataclass(frozen=True)
class Surrogate:
    """Needs Faker (`maskwise[surrogate]`) and a secret in the environment variable `key`, or a `seed`.

    `gender` and `origin` of a name stay as far as they are known; "any" and "locale" give them up.
    """

    locale: Annotated[str, Field(pattern=r"^[a-z]{2,3}_[A-Z]{2}$")] = "en_GB"
    key: str = "MASKWISE_SURROGATE_KEY"
    seed: int | None = None
    fallback: Fallback = "pseudonym"
    gender: Literal["keep", "any"] = "keep"
    origin: Literal["keep", "locale"] = "keep"
    _find_checks: FindChecks = field(default=_find_no_checks, repr=False, compare=False)
    _words: MutableMapping[Document, frozenset[str]] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )

    _casts: MutableMapping[Document, Ensemble] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )
    _maps: MutableMapping[Document, places.Geography] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )
    _shifts: MutableMapping[Document, Shift] = field(
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

    def prepare(self, masked: Sequence[tuple[Entity, Identity]]) -> None:
        """Invent all people of a document together, and settle how far its dates move."""
        if not masked:
            return
        document = masked[0][0].first.document
        people_found = [pair for pair in masked if pair[0].type is EntityType.PERSON]
        told = tell_people([entity for entity, _ in people_found])
        self._casts[document] = cast = Ensemble(told)
        for entity, identity in sorted(people_found, key=_rank_name):
            self._find_character(entity, identity, cast)
        self._map_countries(masked)
        dated = [entity for entity, _ in masked if entity.type is EntityType.DATETIME]
        texts = [mention.text for entity in dated for mention in entity.mentions]
        random = Random(self._draw_for(document))  # noqa: S311 - seeded by HMAC, so that a run can be repeated
        found = [mention for entity, _ in masked for mention in entity.mentions]
        known = [ages.read_age(mention) for mention in found if ages.is_age(mention)]
        kept = list(list_kept_texts(found))
        bounds = find_bounds(texts, kept)
        dates = shapes.draw_shift(random, texts, bounds)
        still = [age for text in kept for age in ages.list_ages(text)]
        self._shifts[document] = Shift(dates, ages.draw_years(random, known, still))

    def _map_countries(self, masked: Sequence[tuple[Entity, Identity]]) -> None:
        """Settle what each masked country of a document becomes, before its towns are invented."""
        found = [pair for pair in masked if pair[0].type is EntityType.LOC]
        near = places.count_countries(entity.longest.text for entity, _ in found)
        moved: dict[str, str] = {}
        for entity, identity in found:
            if code := places.find_country(entity.longest.text):
                others = self._rename_thing(entity, identity)
                if others and (other := places.find_country(others[0])):
                    moved[code] = other
        self._maps[masked[0][0].first.document] = places.Geography(near, moved)

    def _rename_thing(self, entity: Entity, identity: Identity) -> tuple[str, ...]:
        """A text per mention of a place or an organisation; none where no name is free."""
        note = identity.ledger.recall(identity.type, identity.number)
        fake = note or self._invent_thing(entity, identity)
        if not fake:
            return ()
        acronym = things.make_acronym(fake)
        if acronym in (mention.text for mention in entity.mentions):
            acronym += "X"
        names = {
            mention.text.casefold() for mention in entity.mentions if not mention.text.isupper()
        }
        texts = []
        for mention in entity.mentions:
            is_shouted = mention.text.casefold() in names or _is_in_capitals(mention)
            full = fake.upper() if is_shouted and mention.text.isupper() else fake
            texts.append(acronym if _is_acronym(mention.text, full) else full)
        return tuple(texts)

    def _rename_person(self, entity: Entity, identity: Identity) -> tuple[str, ...]:
        """A text per mention of a person; none where no name is free."""
        cast = self._casts.setdefault(entity.first.document, Ensemble())
        found = self._find_character(entity, identity, cast)
        if found is None:
            return ()
        texts = []
        for mention in entity.mentions:
            is_account = mention.subtype == HANDLE or mention.text.islower()
            login = cast.rewrite_handle(mention.text) if is_account else ""
            text = login or people.rewrite_mention(mention.text, found.known, found.names)
            # A mention of titles and particles alone has no word to exchange.
            texts.append(text if text != mention.text else found.names[-1])
        return tuple(texts)

    def _find_character(
        self, entity: Entity, identity: Identity, cast: Ensemble
    ) -> Character | None:
        """The invented person that replaces a person; None where no name is free."""
        known = self._read_slots(entity, cast)
        note = identity.ledger.recall(identity.type, identity.number)
        if not note and (twin := cast.find_twin(known)):
            return twin
        names = note.split("\n") if note else self._invent_person(entity, identity, known, cast)
        if not names:
            return None
        while len(names) <= len(known.given):  # a fuller name than the documents before had
            names.insert(-1, names[0])
        cast.note_family(known, names[-1])
        cast.note_middle(known, tuple(names))
        surname = write_feminine(names[-1]) if known.is_feminine else names[-1]
        found = Character(known, (*names[: len(known.given)], surname))
        cast.add(found)
        return found

    def _read_slots(self, entity: Entity, cast: Ensemble) -> people.NameSlots:
        """The name of a person taken apart, with the gender and the origin that the policy keeps."""
        texts = [mention.text for mention in entity.mentions]
        home = find_home(self.locale)
        near = cast.share_origins()
        known = people.read_slots(texts, cast.told.get(entity.id, Told()), home, near)
        gender = "" if self.gender == "any" else known.gender
        origin = home if self.origin == "locale" else cast.find_origin(known) or known.origin
        return replace(known, gender=gender, origin=origin)

    def _invent_person(
        self, entity: Entity, identity: Identity, known: people.NameSlots, cast: Ensemble
    ) -> list[str]:
        settled = cast.find_names(known)
        for attempt in range(DOUBLE):
            double = attempt >= PLAIN
            faker = self._seed_faker(identity, attempt, self.locale)
            drawn = people.invent_person(faker.random, known, double, self.locale)
            new = tuple(name for old, name in zip(settled, drawn, strict=True) if not old)
            names = [old or name for old, name in zip(settled, drawn, strict=True)]
            are_different = len(set(names)) == len(names)
            letters = people.join_initials([*known.given, known.surname])
            # "R.K." must not stay "R.K.".
            are_different &= len(letters) < 2 or people.fold_initials(names) != letters
            if (are_different or not new) and self._is_free(entity, identity, new, double):
                identity.ledger.note(identity.type, identity.number, "\n".join(names))
                return names
        return []

    def _invent_thing(self, entity: Entity, identity: Identity) -> str:
        text = entity.longest.text
        is_address = bool(entity.subtypes & {ADDRESS, ROAD_NUMBER}) or text[:1].isdigit()
        document = entity.first.document
        old, shown = fold_words(text), {mention.text for mention in entity.mentions}
        for attempt in range(DOUBLE):
            faker = self._seed_faker(identity, attempt, self.locale)
            if entity.type is EntityType.ORG:
                name = self._invent_organisation(faker, text)
            else:
                name = places.invent_place(faker, text, is_address, self._maps.get(document))
            invented = tuple(
                word for word in fold_words(name) if word not in old and word.isalpha()
            )
            is_other = things.make_acronym(name) not in shown
            if invented and is_other and self._is_free(entity, identity, invented, double=False):
                identity.ledger.note(identity.type, identity.number, name)
                return name
        return ""

    def _invent_organisation(self, faker: Any, text: str) -> str:
        if text.isupper() and text.isalpha() and len(text) <= 6:
            return things.draw_acronym(faker.random, text)
        return things.invent_organisation(faker, text, self.locale)

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
            random = Random(self._draw_number(identity, 0))  # noqa: S311 - seeded by HMAC, so that mentions agree
            text = self._invent_shape(entity, mention, random)
            if not text or text == mention.text:
                return ()
            made.append(text)
        return tuple(made)

    def _invent_shape(self, entity: Entity, mention: Mention, random: Random) -> str:
        text = mention.text
        if ages.is_age(mention):
            return ages.move_age(text, self._shifts[entity.first.document].years)
        if entity.type is EntityType.DATETIME:
            return self._move_date(mention)
        if entity.type is EntityType.CODE:
            if login := self._rewrite_account(entity, text):
                return login
            return shapes.invent_code(
                text, entity.subtypes, self.locale, random, self._find_checks(entity.subtypes)
            )
        if entity.type is EntityType.QUANTITY:
            return shapes.change_digits(text, random)
        return ""

    def _move_date(self, mention: Mention) -> str:
        """The date as it moves with all others; a birth date moves with the ages too."""
        shift = self._shifts[mention.document]
        if shift.dates is None:
            return ""
        more = shift.dates.add_years(shift.years)
        if ages.is_birth_date(mention):
            return shapes.move_dates(mention.text, more)
        if life := ages.read_lifespan(mention):
            first, last = life
            return shapes.move_dates(first, more) + shapes.move_dates(last, shift.dates)
        return shapes.move_dates(mention.text, shift.dates)

    def _rewrite_account(self, entity: Entity, text: str) -> str:
        """An e-mail address or a user name of somebody in the document as that of the invented person."""
        local, at, _ = text.partition("@")
        if not (local and at) and HANDLE not in entity.subtypes:
            return ""
        cast = self._casts.get(entity.first.document, Ensemble())
        if local and at:
            login = cast.rewrite_login(local)
            return f"{login}@example.org" if login else ""
        return cast.rewrite_handle(text)

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

    def _seed_faker(self, identity: Identity, attempt: int, locale: str) -> Any:
        faker = _open_faker(locale)
        faker.seed_instance(self._draw_number(identity, attempt))
        return faker


@lru_cache(maxsize=32)
def _open_faker(locale: str) -> Any:
    try:
        from faker import Faker
    except ImportError:
        raise PluginError("surrogates need: pip install 'maskwise[surrogate]'") from None
    try:
        return Faker(locale)
    except AttributeError:
        raise PolicyError(f"Faker knows no locale {locale!r}") from None


def _rank_name(pair: tuple[Entity, Identity]) -> tuple[bool, int, bool, int]:
    """Those who have a name already first, then the fullest names."""
    entity, identity = pair
    known = people.read_slots(tuple(mention.text for mention in entity.mentions))
    full = sum(len(word) > 1 for word in (*known.given, known.surname))
    is_new = identity.ledger.recall(identity.type, identity.number) is None
    has_given = any(len(word) > 1 for word in known.given)
    return is_new, -full, not has_given, entity.first.start


def _is_in_capitals(mention: Mention) -> bool:
    """Whether the line of a mention is written in capitals, and not the mention alone."""
    line = read_line(mention)
    return line.isupper() and len(_LONG_WORD.findall(line)) > 1


def _is_acronym(text: str, fake: str) -> bool:
    """Whether a mention is an acronym and its surrogate is not."""
    if not (text.isupper() and text.isalpha()):
        return False
    return 2 <= len(text) <= 6 and not fake.isupper()
