"""`Fact`: one thing that a document tells about a person, and the facts that the entities of a document give.

The type and subtype of an entity say most; the words before it say the rest (`maskwise.crowd.context`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from maskwise.crowd.context import Context, Cue
from maskwise.crowd.lifespan import DATE, format_iso_date
from maskwise.crowd.trades import is_trade
from maskwise.text import Entity, EntityType, Mention, subtypes
from maskwise.text.common_words import GENERIC
from maskwise.text.english import STOP_WORDS
from maskwise.text.folding import fold_word
from maskwise.text.tokens import WORD
from maskwise.text.types import Span
from maskwise.text.usual_words import is_usual

_APART = 4  # characters between two parts of a place: "Porto, Portugal"

_SAME = (
    subtypes.NATIONALITY,
    subtypes.RELIGION,
    subtypes.ETHNICITY,
    subtypes.LANGUAGE,
    subtypes.OCCUPATION,
    subtypes.RANK,
    subtypes.PARTY,
    subtypes.SPORT,
    subtypes.INSTRUMENT,
    subtypes.OFFENCE,
    subtypes.EVENT,
    "award",
    "orientation",
    "ideology",
)
_BY_SUBTYPE = {
    **dict(zip(_SAME, _SAME, strict=True)),
    subtypes.DISEASE: "health",
    "symptom": "health",
    "drug": "health",
    "degree": "education",
    "attribute": "trait",
    "life_sentence": "offence",
    "ship": "detail",
}
# What is no name is written small.
_SMALL = frozenset(("occupation", "sport", "instrument", "rank", "offence", "family", "trait"))
# What says when or how long, and nothing about a person; and law, which is the same for all.
_EMPTY = frozenset(
    (
        "time",
        "relative_date",
        "weekday",
        "quarter",
        subtypes.LEGAL_REFERENCE,
        subtypes.HASHTAG,
        subtypes.SMALL_WORD,
        subtypes.USUAL_WORD,
    )
)
_COUNTED = frozenset((subtypes.COUNT, "small_count", subtypes.MEASURE, ""))
_LASTING = re.compile(r"(?i)\b(?:years?|months?|weeks?|days?|hours?|minutes?)\b(?!.*\d{4})")
_PRISON = re.compile(r"['’]? ?(?:imprisonment|in prison|in jail|detention|custody|probation)\b")
_DOSE = re.compile(r"(?i)\d ?(?:mg|ml|mcg|µg|g|mm|cm|mmhg|bpm|°c|l|iu)\b|%|per ?cent")
_ROLES = frozenset(
    "applicant claimant plaintiff petitioner complainant appellant respondent defendant accused suspect victim "
    "deceased patient witness insured party prisoner detainee".split()
)
_HEADINGS = frozenset(
    "experience education languages skills references profile summary employment interests curriculum vitae personal "
    "details objective history publications awards qualifications contact re dob mrn subject".split()
)
_NOTHING = STOP_WORDS | GENERIC | _HEADINGS
_SCHOOL = re.compile(
    r"\b(?:University|College|School|Academy|Conservator\w+|Gymnasium|Institute|Seminary|Polytechnic)\b"
)
_HEADING = re.compile(r"(?<=[A-Z]{5})(?: [A-Z]+)*[ \t]*(?::|$)", re.MULTILINE)
_DEGREE = re.compile(r"BA|MA|BSc|MSc|PhD|MBA|MD|LLB|LLM|BEng|MEng|BEd|GCSEs?|A-levels")
_ILLNESS = re.compile(
    r"(?i)(?:itis|osis|a?emia|oma|pathy|algia|plegia|phrenia)\b|\b(?:disease|disorder|syndrome|diabetes|cancer|lupus"
    r"|asthma|fracture|stroke|infection|allerg\w+|injur\w+|depression|dementia|epilepsy|surgery|transplant\w*"
    r"|pregnan\w+)\b"
)
KIN = (
    r"(?:(?:grand|step|god|half-)?(?:sons?|daughters?|child(?:ren)?|mother|father|brothers?|sisters?|parents?)"
    r"|wife|husband|spouse|fianc[ée]e?|twins?|triplets|siblings?|nephews?|nieces?|uncles?|aunts?|cousins?|orphan"
    r"|(?:boy|girl)friend|widow(?:er)?|mum|mom|dad|ex-(?:wife|husband)|in-laws)"
)
_KIN = re.compile(rf"(?i)\b{KIN}\b")
_OF_KIN = re.compile(rf"[ -](?:[a-z-]+ ){{0,2}}{KIN}\b")
_YEARS = re.compile(r"\b\d{4}(?:, \d{4})*(?:,? and |, | )(?:the )?\Z")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a document tells about a person, and where it says so.

    `attribute` is a key of the profiles of a crowd. `value` is written as in them: words of the document, dates in ISO
    form. `spans` is empty for what follows from other facts and for what the user knows.
    """

    attribute: str
    value: str = field(repr=False)
    spans: tuple[Span, ...]


def read_entities(text: str, spans: Sequence[Span], entities: Iterable[Entity]) -> list[Fact]:
    """The facts of entities, one or more per mention, in order. `spans` are the sentences of `text`.

    Names and codes are no facts, nor is anything else that identifies directly: it is masked anyway.
    """
    mentions = [
        mention
        for entity in entities
        if entity.type not in (EntityType.PERSON, EntityType.CODE) and not entity.is_direct
        for mention in entity.mentions
    ]
    mentions.sort(key=lambda mention: mention.start)
    reader = _Reader(Context(text, spans))
    return [fact for mention in mentions for fact in reader.read(mention)]


def has_content(value: str, empty: frozenset[str] = _NOTHING) -> bool:
    """Whether one of its words says something: "the Supreme Court" and "the hospital" do not.

    >>> has_content("Hexwick Hospital"), has_content("the Supreme Court")
    (True, False)
    """
    return any(fold_word(word) not in empty for word in WORD.findall(value))


class _Reader:
    """Reads mentions in order, and remembers which telling word has got its place or its date."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._text = context.text
        self._ends: dict[tuple[EntityType, int], int] = {}  # what a telling word announced last

    def read(self, mention: Mention) -> Iterator[Fact]:
        if mention.subtype in _EMPTY or mention.subtype.startswith("coordinates"):
            return
        if mention.text.isupper() and _HEADING.match(self._text, mention.end):
            return
        if mention.subtype == subtypes.PHRASE and is_usual(mention.text):
            return  # "applicant" and "denies" are words of the kind of document, not of a person
        cue = self._context.find_cue(mention.start)
        value = _tidy_value(mention.text)
        if mention.type is EntityType.LOC:
            attribute = self._choose(mention, cue, "birth_place", "death_place") or "place"
            parts = [part for part in value.split(", ") if has_content(part)]
            yield from (Fact(attribute, part, (mention.span,)) for part in parts)
            return
        if mention.subtype.startswith(subtypes.AGE):
            yield _read_age(self._text, mention)
            return
        attribute = _BY_SUBTYPE.get(mention.subtype, "")
        if not attribute and mention.type is EntityType.DATETIME:
            attribute, value = self._read_date(mention, cue)
        elif not attribute and mention.type is EntityType.QUANTITY:
            attribute = _name_quantity(mention)
        elif not attribute:
            attribute = _name_by_cue(mention, value, cue)
        elif attribute == subtypes.NATIONALITY and cue.kind == subtypes.LANGUAGE:
            attribute = subtypes.LANGUAGE
        yield from self._write(mention, attribute, value)

    def _write(self, mention: Mention, attribute: str, value: str) -> Iterator[Fact]:
        """The fact, if it says something, and the other years of an event."""
        if attribute in _SMALL and not value.isupper():
            value = value.lower()
        if not attribute or not has_content(
            value, _ROLES if attribute == "occupation" else _NOTHING
        ):
            return
        yield Fact(attribute, value, (mention.span,))
        if attribute == subtypes.EVENT:
            yield from _read_earlier_years(self._text, mention, value)

    def _choose(self, mention: Mention, cue: Cue, birth: str, death: str) -> str:
        """The attribute of a birth or a death that is announced, if the mention is the first of its type after it.

        A place may go on: "Porto, Portugal".
        """
        attribute = {"birth": birth, "death": death}.get(cue.kind, "")
        if not attribute:
            return ""
        key = (mention.type, cue.at)
        end = self._ends.get(key)
        goes_on = (
            mention.type is EntityType.LOC and end is not None and mention.start - end <= _APART
        )
        if end is not None and not goes_on:
            return ""
        self._ends[key] = mention.end
        return attribute

    def _read_date(self, mention: Mention, cue: Cue) -> tuple[str, str]:
        """Attribute and ISO form of a date; nothing for a span of time that is no sentence, or without a number."""
        value = mention.value
        if not re.fullmatch(r"\d{4}(?:-\d{2}){0,2}", value):
            whole = re.fullmatch(DATE, mention.text)
            value = format_iso_date(whole[0]) if whole else _tidy_value(mention.text)
        if mention.subtype == "duration" or _LASTING.search(value):
            sentence = cue.kind == "offence" or _PRISON.match(self._text, mention.end)
            return ("offence", _tidy_value(mention.text)) if sentence else ("", "")
        if not re.search(r"\d", value):
            return "", ""
        if re.search(r"[A-Z]\w+ [A-Z]\w+", value):  # "1952 Summer Olympics"
            return "event", value
        return self._choose(mention, cue, "born", "died") or "date", value


def _read_age(text: str, mention: Mention) -> Fact:
    """An age, or a relative of that age."""
    kin = _OF_KIN.match(text, mention.end)
    if kin:
        return Fact("family", mention.text.lower() + kin[0], ((mention.start, kin.end()),))
    bare = re.sub(
        r"(?i)[- ]*years?[- ](?:old|of age)|\b(?:aged?|the age of|of)\b", " ", mention.text
    )
    return Fact("age", _tidy_value(bare) or mention.text, (mention.span,))


def _read_earlier_years(text: str, mention: Mention, value: str) -> Iterator[Fact]:
    """The other years of an event: "1948 and 1952 Summer Olympics" are two."""
    years = _YEARS.search(text, max(0, mention.start - 60), mention.start)
    if not years:
        return
    bare = re.sub(r"^\d{4} ", "", value)
    for year in re.finditer(r"\d{4}", years[0]):
        at = mention.start - len(years[0]) + year.start()
        yield Fact("event", f"{year[0]} {bare}", ((at, at + 4), mention.span))


def _name_quantity(mention: Mention) -> str:
    """Counts of relatives are family; other counts and sums are details; bare numbers and shares are nothing."""
    if _KIN.search(mention.text):
        return "family"
    if mention.subtype == subtypes.MONEY:
        return "detail"
    counted = mention.subtype in _COUNTED and re.search(r"[^\W\d]{3}", mention.text)
    return "detail" if counted and not _DOSE.search(mention.text) else ""


def _name_by_cue(mention: Mention, value: str, cue: Cue) -> str:
    """The attribute of what its type and subtype leave open, by its words and the word before it."""
    trade = is_trade(value)
    if _DEGREE.fullmatch(value):
        return "education"
    if mention.type is EntityType.ORG and not (value.isalpha() and trade):
        if cue.kind == "education" and not _SCHOOL.search(value):
            return "organisation"
        known = cue.kind in ("education", "employer", "team", "member_of")
        return cue.kind if known else "party" if value.endswith(" Party") else "organisation"
    if _ILLNESS.search(value):
        return "health"
    if trade and mention.type is not EntityType.MISC:
        return "occupation"
    if cue.kind in ("health", "offence", "instrument"):
        return cue.kind
    if mention.type is EntityType.DEM:
        return "trait"
    if cue.kind in ("award", "event", "work") and value[:1].isupper():
        return cue.kind
    return "work" if re.match(r"[A-Z][\w'’]+ .*[A-Z]", value) else "detail"


def _tidy_value(text: str) -> str:
    plain = " ".join(text.split()).strip(" .,;:'\"“”‘’()-–")
    return re.sub(r"^(?:[Tt]he|[Aa]n?) (?=\S)|['’]s?$", "", plain)
