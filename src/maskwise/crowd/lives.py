"""Reads facts about one person as a whole from a document: the biography, the gender, the year of birth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from maskwise.crowd.biography import READ, Biographer, find_predicate
from maskwise.crowd.facts import Fact
from maskwise.crowd.lifespan import DATE, NOTE, format_iso_date
from maskwise.crowd.people import Someone
from maskwise.crowd.references import Scene
from maskwise.crowd.relations import HONOURS
from maskwise.text import Document, Entity, EntityType, subtypes
from maskwise.text.numbers import read_number
from maskwise.text.types import Span

# Names are direct identifiers, and so are those of relatives: `family` says how many there are.
_NAMES = ("name", "alias", "spouse", "parent", "sibling", "child")
_ISO = re.compile(r"\d{4}(?:-\d\d){0,2}")
_DATES = re.compile(DATE)
_SUFFIX = re.compile(r",? (?:Jr|Sr|II|III|IV|V)\.?\Z")
_LEAD = 60  # characters of a biography within which it names its person
_HEADED = 400  # characters at the beginning, or the end, where a letter or a note has its date
_DATED = re.compile(
    r"(?i)\b(?:date[d:]|seen on|admitted(?: \w+){0,5} on|report of|clinic(?: \w+)? on)[ \t]*\Z"
)


def has_lifespan(text: str) -> bool:
    """Whether the first sentence has a note with a year, as entries of encyclopaedias have: "(born 1961)"."""
    start, _, head = find_predicate(text[:READ])
    return any(re.search(r"\d{3}", note[1]) for note in NOTE.finditer(text, start, start + head))


def find_main(scene: Scene) -> int | None:
    """The person a biography is about: its first sentence names them, and says what they are or when they lived."""
    if scene.author or scene.has_turns:
        return None
    start, end, head = find_predicate(scene.text[:READ])
    if head == end - start and not has_lifespan(scene.text):
        return None
    for at, one in enumerate(scene.people):
        for mention in one.mentions:
            if start <= mention.start < min(start + _LEAD, start + head):
                return at
    return None


def read_biography(
    document: Document, scene: Scene, one: Someone, entities: Iterable[Entity]
) -> list[Fact]:
    """The facts of a biography without names, read by the reader that makes the profiles of a crowd.

    It looks for mentions itself: profiles compare best when all were read in the same way, and the mentions of
    `entities` come from other detectors and are merged.
    """
    text = scene.text[:READ]
    longest = max((mention.text for mention in one.mentions), key=len, default="")
    title = _SUFFIX.sub("", re.sub(r"[\"“”]", "", HONOURS.sub("", longest)).strip(" ,"))
    profile = _load_biographer().make_profiles([("", title, document.text[:READ])])[0]
    dates = _index_dates(text)
    direct = [
        mention.span
        for entity in entities
        if entity.type in (EntityType.PERSON, EntityType.CODE)
        for mention in entity.mentions
        if mention.start < len(text)
    ]
    facts = [
        Fact(attribute, value, tuple(_locate(text, value, dates)))
        for attribute, values in profile.attributes
        if attribute not in _NAMES
        for value in values
    ]
    return [fact for fact in facts if not _is_direct(fact, direct)]


def read_gender(scene: Scene, at: int, said: str = "") -> list[Fact]:
    """The gender of a person with the pronouns that tell it: what is `said` of them, or what name and pronouns tell."""
    gender = said[:1] or scene.genders[at]
    if not gender:
        return []
    spans = tuple(
        (max(scene.text.rfind(" ", *reference[:2]) + 1, reference.start), reference.end)
        for sentence in scene.references
        for reference in sentence
        if reference.gender == gender and at in reference.whom
    )
    return [Fact("gender", "male" if gender == "m" else "female", spans)]


def date_birth(facts: Sequence[Fact], scene: Scene, entities: Sequence[Entity]) -> list[Fact]:
    """The year of birth by age, where the document or the sentence has a date and nothing tells the birth."""
    ages = [fact for fact in facts if fact.attribute == "age"]
    if not ages or any(fact.attribute == "born" for fact in facts):
        return []
    years = read_number(ages[0].value)
    if years is None or not 0 < years < 120:
        return []
    sentence = scene.sentences[scene.find_sentence(ages[0].spans[0][0])]
    dates = [
        mention
        for entity in entities
        if entity.type is EntityType.DATETIME
        for mention in entity.mentions
        if mention.subtype == subtypes.DATE and re.match(r"\d{4}-", mention.value)
    ]
    within = [m for m in dates if sentence[0] <= m.start < sentence[1]]
    heading = [m for m in dates if _is_heading(scene.text, m.span)]
    known = heading[:1] or within[:1]
    return [Fact("born", str(int(known[0].value[:4]) - int(years)), ())] if known else []


@cache
def _load_biographer() -> Biographer:
    return Biographer(words=0)


def _is_heading(text: str, span: Span) -> bool:
    """Whether a date stands nearly alone in a line at the beginning or the end, or after "seen on" and the like."""
    start, end = span
    if _DATED.search(text, max(0, start - 60), start):
        return True
    if _HEADED < start < len(text) - _HEADED:
        return False
    before = text[max(0, start - 80) : start].rpartition("\n")[2]
    after = text[end : end + 40].partition("\n")[0]
    return len(before.split()) <= 3 and not after.strip(" .,") and text.count("\n") > 0


def _is_direct(fact: Fact, direct: Sequence[Span]) -> bool:
    """Whether the text says it in names and codes alone. Years and honours may stand within a name."""
    if _ISO.match(fact.value) or HONOURS.fullmatch(fact.value):
        return False
    inside = [any(start < b and a < end for a, b in direct) for start, end in fact.spans]
    return bool(inside) and all(inside)


def _index_dates(text: str) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for match in _DATES.finditer(text):
        found.setdefault(format_iso_date(match[0]), []).append(match.span())
    return found


def _locate(text: str, value: str, dates: dict[str, list[Span]]) -> Iterator[Span]:
    """Where the text says a value; of "1952 Summer Olympics" the event, where the year stands apart."""
    if _ISO.fullmatch(value) and value in dates:
        yield from dates[value]
        return
    found = [match.span() for match in _find_words(text, value)]
    if not found and _ISO.match(value):
        found = [match.span() for match in _find_words(text, value.partition(" ")[2])]
    yield from found


def _find_words(text: str, value: str) -> Iterator[re.Match[str]]:
    spaced = r"\s+".join(map(re.escape, value.split()))
    return re.finditer(rf"(?i)(?<!\w){spaced}(?!\w)", text) if value.split() else iter(())
