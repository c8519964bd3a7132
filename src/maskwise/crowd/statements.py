"""Finds facts that sentences state outright, with or without an entity: trades, family, illness, offences, honours.

Each table pairs an attribute with the words that announce it. What follows them is taken as far as its noun phrase
goes, so that values are words of the document and never sentences.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from maskwise.crowd.context import find_words
from maskwise.crowd.facts import KIN, Fact, has_content
from maskwise.crowd.relations import read_relations
from maskwise.crowd.trades import find_trades
from maskwise.text.english import STOP_WORDS
from maskwise.text.types import Span

_NEAR = 60  # characters between a date and what happened on it
_BEFORE = 40  # characters before a word that say more about it
_TRADES = 120  # characters in which a sentence lists trades
_LEAD = r"(?:(?:an?|the|his|her|my|their|our|its) )?"
_WORD = r"[^\W_][\w'’./-]*(?<!\.)"
_END = (
    r"(?=[ ]?(?:[,;:()\n\"”]|\.(?!\w)|\Z)| (?:and|or|but|in|at|on|for|who|which|that|by|from|with|after|before|since"
    r"|when|while|as|to|was|is|were|are|has|had|have|because|under|until|during|where|he|she|I|they|against|between"
    r"|near)\b)"
)
_PHRASE = rf"{_LEAD}({_WORD}(?: {_WORD}){{0,5}}?){_END}"
_COUNT = (
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|only|twin|adopted|eldest|elder"
    r"|older|young|younger|youngest|late|disabled|surviving|infant|identical|estranged|former|unborn|minor|adult)"
)
_FAMILY = re.compile(
    rf"(?P<kin>{KIN}(?:[- ]in[- ]law)?)(?![\w-])"
    r"|(?:[Rr]e)?[Mm]arried(?: (?:twice|three times|four times))?\b|[Dd]ivorced\b|[Ww]idowed\b|[Uu]nmarried\b"
    r"|[Oo]rphaned\b|[Aa]dopted\b|[Ss]eparated from\b|[Ee]ngaged to\b|[Ss]ingle (?:mother|father|parent|mum|mom|dad)\b"
    r"|[Cc]ivil partner(?:ship)?\b|[Ff]oster \w+"
    r"|(?:first|second|third|fourth|fifth|youngest|eldest) of (?:\w+ ){1,2}(?:children|siblings|brothers|sisters)\b"
)
_COUNTED = re.compile(rf"(?<![\w-])(?:{_COUNT} ){{1,2}}\Z", re.IGNORECASE)
_TRADE = re.compile(
    r"(?:(?P<being>is|was|am|m)|[Bb]ecame|[Bb]ecoming|[Ss]erved as|[Rr]etired|[Ff]ormer|[Ss]elf-employed)"
    r"(?: (?:now|currently|also|formerly|once))?(?: (?:an?|the))?(?= )|(?P<article>an?|the)(?= )"
)
_BEING = re.compile(r"(?:\b(?:I|i|[Hh]e|[Ss]he|who|[A-Z]\w+) |\b[Ii]['’])\Z")
_FOLLOWED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (attribute, re.compile(rf"(?:{words}):? {_PHRASE}"))
    for attribute, words in (
        (
            "health",
            r"[Dd]iagnos(?:ed with|is of|is)|[Ss]uffer(?:s|ed|ing)? from|[Tt]reated (?:for|with)|[Tt]reatment for"
            r"|[Hh]istory of|[Cc]omplain(?:s|ed|ing|t)? of|[Aa]llerg(?:ic|y) to|[Uu]nderwent|[Oo]perated on for"
            r"|[Pp]resent(?:s|ed|ing) with|[Tt]ested positive for|[Rr]ecover(?:ed|ing) from|[Ii]nfected with"
            r"|[Ss]urgery (?:for|on)|[Dd]isabled by|[Pp]rescribed|[Ii]njur(?:y|ies) to|[Pp]regnant with",
        ),
        (
            "offence",
            r"[Cc]onvict(?:ed of|ion for|ions for)|[Cc]harged with|[Aa]ccused of|[Gg]uilty (?:of|to)"
            r"|[Aa]rrested (?:for|on suspicion of)|[Ss]uspected of|[Ii]ndicted (?:for|on)|[Ss]entenced(?: him| her)? to"
            r"|[Pp]rosecuted for|[Cc]autioned for|[Ff]ined|[Ww]anted for|[Ii]mprisoned for",
        ),
        (
            "education",
            r"(?:[Ss]tud(?:ied|ying|ies)|[Gg]raduated in|[Dd]egree in|[Dd]octorate in|[Dd]iploma in"
            r"|[Aa]pprenticed (?:as|to))(?! (?:at|in|under|with)\b)",
        ),
        (
            "member_of",
            r"[Mm]ember of|[Bb]elong(?:s|ed)? to|[Vv]olunteer(?:s|ed|ing)? (?:for|with|at)",
        ),
        (
            "occupation",
            r"(?:[Oo]ccupation|[Pp]rofession|[Jj]ob(?: title)?|[Pp]osition|[Rr]ole)(?=:)|[Ww]ork(?:s|ed|ing)? as"
            r"|(?:[Ee]mployed|[Tt]rained|[Jj]ob|[Rr]etired|[Qq]ualified) as",
        ),
        ("instrument", r"[Pp]lay(?:s|ed|ing)? the(?= [a-z])"),
        ("sport", r"[Pp]lay(?:s|ed|ing)?(?= (?!the\b)[a-z]+(?:ball|nis|ey|et|ash|olo|ing|ess)\b)"),
        (
            "property",
            r"owns?|owned|drives?|drove|rides?|keeps?|kept|breeds?|bred|collects?|restores?|restored|sails?|sailed"
            r"|races?|raced|built|builds",
        ),
    )
)
_OWNER = re.compile(
    r"\b(?:I|[Hh]e|[Ss]he|who|and|also|[A-Z]\w+|applicant|patient|defendant|suspect|victim|wife|husband|man|woman) \Z"
)
_EVENT = re.compile(
    r"(?:accident|crash|collision|explosion|shooting|earthquake|avalanche|shipwreck|robbery|siege|hijacking|kidnapping"
    r"|stroke|divorce|wedding|bankruptcy|expedition|mutiny|massacre|evacuation|rescue|drowning)\b"
)
_KIND = re.compile(r"(?<![\w-])[a-z]+(?:-[a-z]+)? \Z")  # "fishing" before "accident"
_DONE = re.compile(
    r"\b(admitted|discharged|arrested|convicted|sentenced|acquitted|divorced|married|retired|graduated|emigrated"
    r"|dismissed|promoted|injured|kidnapped|deported|elected|appointed|resigned|ordained|enlisted|wounded|captured"
    r"|evicted|naturalised|knighted|released|detained|hospitali[sz]ed|operated|transferred|moved|adopted)\b"
)
_CLAUSE = re.compile(r"[,.;:\n]| (?:and|but|with|who|which|while|when|after|before)\b")
_STATED = ("award", "team", "represented", "member_of", "office")


def read_statements(text: str, spans: Sequence[Span]) -> list[Fact]:
    """The facts that `text` states, in order of position. `spans` are its sentences."""
    found: list[Fact] = []
    honoured: dict[int, None] = {}
    for at, begins in find_words(text, _BEGINNINGS):
        for read in _READERS.get(begins, ()):
            found += read(text, at)
        if begins in _HONOURS:
            honoured[max(bisect_right(spans, (at, sys.maxsize)) - 1, 0)] = None
    for number in honoured:
        found += _read_honours(text, *spans[number])
    return sorted(found, key=lambda fact: fact.spans)


def read_dated(text: str, told: Iterable[Fact]) -> list[Fact]:
    """The events on the dates among facts: "arrested 2011-05-03" has two places, the verb and the date."""
    found = []
    for fact in told:
        if fact.attribute != "date":
            continue
        start, end = fact.spans[0]
        before = _CLAUSE.split(text[max(0, start - _NEAR) : start])[-1]
        after = _CLAUSE.split(text[end : end + _NEAR])[0]
        last = [(start - len(before), match) for match in _DONE.finditer(before)][-1:]
        next_ = [(end, match) for match in _DONE.finditer(after)][:1]
        for left, match in last or next_:
            verb = (left + match.start(), left + match.end())
            spans = tuple(sorted((verb, (start, end))))
            found.append(Fact("event", f"{match[1]} {fact.value}", spans))
    return found


def _read_trades(text: str, at: int) -> Iterator[Fact]:
    """The descriptions and occupations that sentences give to people."""
    match = _TRADE.match(text, at)
    if match is None or (match["article"] and text[max(0, at - 2) : at] != ", "):
        return
    if match["being"] and not _BEING.search(text, max(0, at - _BEFORE), at):
        return
    rest = text[match.end() : match.end() + _TRADES].partition("\n")[0]
    for trade in find_trades(rest):
        start = match.end() + rest.find(trade)
        yield Fact("occupation", trade, ((start, start + len(trade)),))


def _read_followed(text: str, at: int) -> Iterator[Fact]:
    """The facts that stand after the words that announce them."""
    for attribute, pattern in _FOLLOWED:
        match = pattern.match(text, at)
        if match is None:
            continue
        if attribute == "property" and not _OWNER.search(text, max(0, at - _BEFORE), at):
            continue
        value = match[1].strip(" '’-./")
        if has_content(value, STOP_WORDS) and re.search(r"[^\W\d_]{2}", value):
            yield Fact(attribute, value, (match.span(1),))


def _read_family(text: str, at: int) -> Iterator[Fact]:
    """Relatives, with their number, and marriages."""
    match = _FAMILY.match(text, at)
    if match is None or text[at - 1 : at] == "-":
        return
    count = _COUNTED.search(text, max(0, at - _BEFORE), at) if match["kin"] else None
    start = count.start() if count else at
    yield Fact("family", text[start : match.end()].lower(), ((start, match.end()),))


def _read_events(text: str, at: int) -> Iterator[Fact]:
    """Events by their nouns, with the word before them."""
    match = _EVENT.match(text, at)
    if match is None:
        return
    kind = _KIND.search(text, max(0, at - _BEFORE), at)
    start = kind.start() if kind and kind[0].strip() not in STOP_WORDS else at
    yield Fact("event", text[start : match.end()], ((start, match.end()),))


def _read_honours(text: str, start: int, end: int) -> Iterator[Fact]:
    """Awards, teams, memberships and offices of one sentence, as biographies are read."""
    sentence = text[start:end]
    stated = read_relations(sentence, "", set())
    for attribute in _STATED:
        at = 0
        for value in stated[attribute]:
            found = sentence.find(value, at)
            if found >= 0:
                at = found
                yield Fact(attribute, value, ((start + found, start + found + len(value)),))


_Read = Callable[[str, int], Iterator[Fact]]

# What the words of each table begin with, see `find_words`.
_BEGIN: tuple[tuple[_Read, str], ...] = (
    (
        _read_family,
        "son dau chi mot fat bro sis par gra ste god hal wif hus spo fia twi tri sib nep nie unc aun cou orp boy gir "
        "wid mum mom dad ex in mar rem div unm ado sep eng sin civ fos fir sec thi fou fif you eld",
    ),
    (_read_trades, "is was am m bec ret ser for sel a an the"),
    (
        _read_followed,
        "dia suf tre his com all und ope pre tes rec inf sur dis inj con cha acc gui arr sus ind sen pro cau fin wan "
        "imp occ job pos rol wor emp tra ret qua stu gra deg doc dip app mem bel vol pla own dri dro rid kee kep bre "
        "col res sai rac bui",
    ),
    (
        _read_events,
        "acc cra col exp sho ear ava shi rob sie hij kid str div wed ban mut mas eva res dro",
    ),
)
_READERS = {
    begins: tuple(read for read, words in _BEGIN if begins in words.split())
    for _, every in _BEGIN
    for begins in every.split()
}
_HONOURS = frozenset(
    "awa pri med tro cro fel hal sch ord leg gol sil bro pla app sig deb coa dra car rep joi mem gov may min pre sen "
    "cha bis arc vic sec amb spe ear duk cou bar kin que jus gen she dea rec dir hea abb pro".split()
)
_BEGINNINGS = _HONOURS | frozenset(_READERS)
