"""Profiles from biographies: the facts of an infobox, found by the recogniser and by patterns, never sentences.

k-anonymity by re-identification is trained on populations with documents (Morris et al. 2022, section 3: infoboxes and
introductions of Wikipedia). This module makes profiles where there are no infoboxes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from maskwise import plugins
from maskwise.crowd.lifespan import NAME, NOTE, read_lifespan
from maskwise.crowd.population import Profile
from maskwise.crowd.relations import read_relations
from maskwise.text import Detector, Document, EntityType, Mention, Provenance, subtypes
from maskwise.text.tokens import find_sentences, find_words

READ = 4000  # characters of a biography that are read: it states the facts of an infobox early
_MOST = 6  # values an attribute may have

_COPULA = re.compile(
    r"\b(?:was|is|were|are|became) (?:a|an|the|one|both|best|known|formerly|currently|once|also)\b"
)
_PREDICATE_ENDS = re.compile(
    r"[.;:(\"]| (?:who|whose|which|that|best|known|noted|famous|from|in|for|at|with|on|during|born|active|to|by|was|is|"
    r"has|he|she|under|based|serving|playing|currently|speciali[sz]\w+|of|working|and one|turned)\b"
)
_ITEMS = re.compile(r",? and (?:an? )?(?:former )?|, ?|/| & | as well as | turned ")
_ADJECTIVES = re.compile(
    r"^(?:(?:a|an|the|one|both|former|formerly|retired|professional|ex|late|prominent|leading|famous|contemporary|eminent|"
    r"noted|notable|well-known|renowned|influential|current|currently|once|also|distinguished|celebrated|popular|young|"
    r"successful|veteran|award-winning|multiple|female|male|early|senior|first|amateur|international|best|known|prolific|"
    r"important|major|respected|pioneering|acclaimed|accomplished|active|self-taught|minor|great|"
    r"medieval|modern)\s+)+"
)
_AGENT = re.compile(
    r"(?:\w(?:er|or|ist|ian|man|woman|men|ess|eer|eur|ete|ogue|path|ant|ent|ard|smith|wright|maker)"
    r"|\b(?:figure|host|judge|nurse|priest|monk|nun|saint|poet|chef|coach|ace|advocate|guard|back|star|model|scholar|"
    r"critic|mechanic|cleric|academic|deejay|spy|noble|magnate|pilot|champion|captain|general|admiral|colonel|chief|"
    r"official|lord|knight|baron|duke|earl|prince|king|queen|emperor|sultan|bishop|cardinal|pope|missionary|centre|"
    r"forward|wing|hooker|prop|lock|deputy|footballer|chaplain|executive|diplomat|playwright|athlete|professional))$"
)
_NO_AGENT = frozenset(
    "member order career other either number winner former daughter sister brother mother father descendent parent "
    "september october november december player-manager event recipient supporter eldest".split()
)
_WORK = re.compile(r'["“]([^"“”\n]{2,70}?)[,.]?["”]')
_CALLED = re.compile(
    r"(?:nicknamed?|called|known as|dubbed|as|born|or|aka|named|styled|under the name|pseudonym)[ ,]*$"
)
_ALIAS = re.compile(
    rf"(?:also|better|best|commonly|professionally|sometimes) (?:known|called|credited)(?: simply)? as \"?({NAME})"
)
_STUDIED = re.compile(
    r"\b(?:educated|studied|studying|graduat\w+|attend\w+|degree|student|alumn\w+|doctorate|diploma|enrolled|"
    r"B\.?A\.?|M\.?A\.?|Ph\.?D\.?|schooled|trained)\b"
)
_SCHOOL = re.compile(
    r"\b(?:University|College|School|Academy|Conservator\w+|Gymnasium|Institute|Seminary|Polytechnic)\b"
)
_ARTICLE = re.compile(r"^[Tt]he ")
_YEARS = re.compile(r"\b\d{4}(?:(?:, |,? and )(?:the )?\d{4})* (?:[A-Z]\w+ )?$")
_FOR_PLACE = re.compile(
    r"(?:\b(?:in|at|to|from|near|around|of|moved|visited|through|and|the)|,)[ ]$"
)
_LEADING = re.compile(
    r"^(?:The|His|Her|Their|This|In|At|On|After|When|He|She|While|During|As|By|For|From|With|Since|Born|It) "
)
_COMMON = (subtypes.SPORT, subtypes.INSTRUMENT, subtypes.RANK)  # not names: written small
_SHORT = {
    "U.S": "United States",
    "US": "United States",
    "USA": "United States",
    "UK": "United Kingdom",
}
_NATION = {"U.S": "American", "US": "American", "UK": "British", "USA": "American"}


def derive_attributes(title: str, text: str, mentions: Sequence[Mention]) -> dict[str, list[str]]:
    """Attributes of the person a biography is about. `mentions` are of `text`, which begins as the biography does."""
    name = re.sub(r"\s*\([^)]*\)\s*$", "", title).strip()
    start, end, head = find_predicate(text)
    lead = text[start:end]
    plain = _blank_notes(lead)
    copula = head < len(lead)
    own = {word.casefold().strip(".,") for word in name.split()}
    found: dict[str, list[str]] = {"name": [name]}
    life = read_lifespan(
        lead, head, text[start:], surname=next(iter(name.partition(",")[0].split()[-1:]), "")
    )
    found |= {
        key: [one for one in values if one.casefold() not in own] for key, values in life.items()
    }
    found["gender"] = _guess_gender(text)
    predicate = plain[head:] if copula else ""
    first = [m for m in mentions if start <= m.start < end]
    found["nationality"] = _find_nationalities(first, plain, start, head)
    found["occupation"] = _find_occupations(predicate, first, start + head)
    for key in (
        subtypes.RELIGION,
        subtypes.ETHNICITY,
        subtypes.SPORT,
        subtypes.INSTRUMENT,
        subtypes.RANK,
    ):
        found[key] = [
            m.text.lower() if key in _COMMON else m.text for m in first if m.subtype == key
        ]
    found["event"] = _find_events(text, mentions)
    _put_organisations(text, mentions, found)
    known = set(found.get("birth_place", ())) | set(found.get("death_place", ()))
    found["place"] = [p for p in _find_places(text, mentions, own) if p not in known]
    found["work"] = _find_works(text, start + head)
    found["alias"] = [m[1] for m in _ALIAS.finditer(text[start : start + 800])]
    found |= read_relations(text[start:], lead[:head], own)
    _remove_doubtful(mentions, found)
    tidy = {key: _tidy_values(values) for key, values in found.items()}
    return {key: values for key, values in tidy.items() if values}


def find_predicate(text: str) -> tuple[int, int, int]:
    """Start and end of the lead, and where in it the copula stands, or its length where there is none.

    >>> find_predicate("Bo Berg (born 1961) is a baker. He was born in Oslo.")
    (0, 31, 20)
    """
    start, end = _find_lead(text)
    copula = _COPULA.search(_blank_notes(text[start:end]))
    return start, end, copula.start() if copula else end - start


def split_trades(predicate: str) -> list[str]:
    """The trades that a predicate lists after "was a" and the like.

    >>> split_trades(" Portuguese cellist, music teacher and former rower who played the harp.")
    ['cellist', 'music teacher', 'rower']
    """
    end = _PREDICATE_ENDS.search(predicate)
    found = []
    for item in _ITEMS.split(predicate[: end.start()] if end else predicate):
        words_of_item = _ADJECTIVES.sub("", item.strip() + " ").split()
        # The trade follows the last capitalised word: "French visual artist".
        capitalised = [at for at, word in enumerate(words_of_item) if not word[0].islower()]
        first_small = capitalised[-1] + 1 if capitalised else 0
        small = words_of_item[first_small:]
        phrase = _ADJECTIVES.sub("", " ".join(small)).strip(" ,-'")
        last = phrase.rsplit(" ", 1)[-1]
        if phrase and last not in _NO_AGENT and len(small) <= 4 and _AGENT.search(f" {last}"):
            found.append(phrase)
    return found


class Biographer:
    """Makes profiles of biographies, which are given as id, name and text, and keeps their first `words` words.

    `neural` runs the model too, which finds more and is slower.
    """

    def __init__(self, words: int = 100, neural: bool = False) -> None:
        names = (
            Provenance.PATTERNS,
            Provenance.GAZETTEER,
            *((Provenance.NEURAL,) if neural else ()),
        )
        self._detectors: list[Detector] = [plugins.build_part("detectors", name) for name in names]
        self._words = words

    def make_profiles(self, rows: Sequence[tuple[str, str, str]]) -> list[Profile]:
        documents = [Document(text[:READ]) for _, _, text in rows]
        found = [detector.detect(documents) for detector in self._detectors]
        return [
            Profile.of(
                id,
                derive_attributes(name, document.text, [m for d in seen for m in d.mentions]),
                self._cut_opening(text),
            )
            for (id, name, text), document, *seen in zip(rows, documents, *found, strict=True)
        ]

    def _cut_opening(self, text: str) -> str:
        if not self._words:
            return ""
        start = _find_lead(text)[0]
        last = next(islice(find_words(text, start), self._words - 1, None), None)
        return text[start : last[1]] if last else text[start:]


def _find_lead(text: str) -> tuple[int, int]:
    """Span of the first sentence that is not a hint to other pages."""
    spans = find_sentences(text[:1500]) or [(0, 0)]
    for start, end in spans[:3]:
        line = text[start:end]
        if not line.startswith(('"For ', '"This ', '"See', '"Not to', "For ", '"Other')):
            # A stop within the name or its notes is not the end.
            while text.count("(", start, end) > text.count(")", start, end) and end < min(
                len(text), start + 600
            ):
                end = next((e for _, e in spans if e > end), len(text))
            return start, end
    return spans[0]


def _blank_notes(lead: str) -> str:
    """The lead with spaces for its notes in brackets."""
    return NOTE.sub(lambda m: " " * len(m[0]), lead)


def _guess_gender(text: str) -> list[str]:
    he = len(re.findall(r"\b[Hh](?:e|is)\b", text))
    she = len(re.findall(r"\b(?:[Ss]he|[Hh]ers?)\b", text))
    if he == she:
        return []
    return ["male"] if he > she else ["female"]


def _find_nationalities(first: Iterable[Mention], plain: str, start: int, head: int) -> list[str]:
    """Demonyms of the person: after "was a", before the clause ends."""
    limit = start + head + 90
    found = [
        m for m in first if m.subtype == subtypes.NATIONALITY and start + head <= m.start < limit
    ]
    return [
        _NATION.get(m.text, m.text)
        for m in found
        if plain[m.start - start : m.end - start] == m.text
    ][:3]


def _find_occupations(predicate: str, first: Iterable[Mention], offset: int) -> list[str]:
    copula = _COPULA.match(predicate)
    if not copula:
        return []
    rest = predicate[copula.end() :]
    end = _PREDICATE_ENDS.search(rest)
    clause = rest[: end.start()] if end else rest
    found = split_trades(clause)
    begin = offset + copula.end()
    stop = begin + len(clause)
    hits = (
        m.text.lower()
        for m in first
        if m.subtype == subtypes.OCCUPATION and begin <= m.start < stop
    )
    listed = [_ADJECTIVES.sub("", one) for one in hits]
    # Of "American football player" the list knows the whole, the clause a part.
    found = [one for one in found if not any(one in longer and one != longer for longer in listed)]
    return found + [one for one in listed if not any(one in other for other in found)]


def _find_events(text: str, mentions: Iterable[Mention]) -> list[str]:
    """Events with the year before them: "1912 Summer Olympics"."""
    found = []
    for mention in mentions:
        if mention.subtype == subtypes.EVENT:
            before = text[max(0, mention.start - 60) : mention.start]
            years = _YEARS.search(before)
            if years:
                found += [f"{year} {mention.text}" for year in re.findall(r"\d{4}", years[0])]
            else:
                found.append(mention.text)
    return found


def _put_organisations(text: str, mentions: Iterable[Mention], found: dict[str, list[str]]) -> None:
    education = []
    party = []
    rest = []
    for mention in mentions:
        if mention.type is not EntityType.ORG or mention.subtype in (
            subtypes.ACRONYM,
            subtypes.LOWER_HEAD,
        ):
            continue
        value = _LEADING.sub("", mention.text)
        before = text[max(0, mention.start - 90) : mention.start].rpartition(". ")[2]
        if _SCHOOL.search(value) and _STUDIED.search(before):
            education.append(value)
        elif mention.subtype == subtypes.PARTY or value.endswith(" Party"):
            party.append(value.removeprefix("the "))
        elif value.count(" "):
            rest.append(value)
    found["education"] = education
    found["party"] = party
    found["organisation"] = _order_by_frequency(rest)


def _find_places(text: str, mentions: Sequence[Mention], own: set[str]) -> list[str]:
    """Places where something happens, the most frequent first, without the person's own names."""
    kinds = (
        subtypes.CITY,
        subtypes.COUNTRY,
        subtypes.REGION,
        "living_place",
        "named_place",
        "county",
        "place_of_a_kind",
        "headed_place",
        "",
    )
    within = {at for m in mentions if m.type is EntityType.ORG for at in range(m.start, m.end)}
    spoken = [
        _SHORT.get(part, part)
        for m in mentions
        if m.start not in within
        and m.type is EntityType.LOC
        and m.subtype in kinds
        and _FOR_PLACE.search(text[max(0, m.start - 9) : m.start])
        for part in m.text.split(", ")
    ]
    return _order_by_frequency(
        p for p in spoken if not own & {word.casefold() for word in p.split()}
    )


def _find_works(text: str, after: int) -> list[str]:
    """Texts in quotation marks that are written as titles and are nobody's nickname."""
    found = []
    for match in _WORK.finditer(text, after):
        before = text[max(0, match.start() - 24) : match.start()]
        if _is_title(match[1]) and not _CALLED.search(before):
            found.append(match[1])
    return found


def _is_title(text: str) -> bool:
    """Whether it has at most nine words, and capitals on the first and either the last or most of the long ones."""
    if text[0].isspace():
        return False
    parts = text.split()
    high = [part[0].isupper() or part[0].isdigit() for part in parts]
    long = sum(part[0].isupper() for part in parts if len(part) > 3)
    return len(parts) <= 9 and high[0] and (high[-1] or long * 2 > len(parts))


def _remove_doubtful(mentions: Iterable[Mention], found: dict[str, list[str]]) -> None:
    """Removes what the gazetteer knows to be something else than the patterns took it for."""
    listed = [m for m in mentions if m.source == "gazetteer"]
    peoples = {m.text for m in listed if m.type is EntityType.DEM}
    elsewhere = peoples | {m.text for m in listed if m.type is EntityType.LOC}
    countries = {m.text for m in listed if m.subtype == subtypes.COUNTRY}
    papers = {_ARTICLE.sub("", m.text) for m in listed if m.subtype == subtypes.NEWSPAPER}
    for keys, others in (
        (("team", "represented", "member_of", "alias"), peoples),
        (("spouse", "parent", "sibling", "child"), elsewhere),
        (("organisation",), countries),
        (("event",), {"Christmas", "Easter", "New Year"}),
    ):
        for key in keys:
            found[key] = [one for one in found[key] if one not in others]
    found["work"] = [one for one in found["work"] if _ARTICLE.sub("", one) not in papers]


def _order_by_frequency(values: Iterable[str]) -> list[str]:
    """The more frequent values first, equals in order."""
    return [value for value, _ in Counter(values).most_common()]


def _tidy_values(values: Iterable[str]) -> list[str]:
    plain = (" ".join(value.split()).strip(" .,;:'\"“”-").removeprefix("the ") for value in values)
    return list(dict.fromkeys(value for value in plain if 1 < len(value) < 80))[:_MOST]
