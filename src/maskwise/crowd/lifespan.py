"""When and where a person was born and died, by patterns over the first sentences of a biography."""

from __future__ import annotations

import re

from maskwise.text.english import MONTHS

_MONTH_NUMBER = {name[:3].lower(): at for at, name in enumerate(MONTHS, 1)}
_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:{'|'.join(m[:3] for m in MONTHS)}|Sept)\.?)"
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_FULL = rf"{_NTH}(?: of)? {_MONTH},? \d{{3,4}}|{_MONTH} {_NTH},? \d{{3,4}}"
DATE = rf"(?:{_FULL}|{_MONTH},? \d{{4}}|\b[1-9]\d{{2,3}})(?!\w)"
# A stop belongs to a name after an initial and in a few short forms; elsewhere it ends the sentence.
_CAP = r"(?:(?:St|Mt|Ft|Dr)\.|[^\W\d_a-zß-öø-ÿ](?:\.(?:[^\W\d_a-z]\.)*|[\w'’-]*(?<!'s)(?<!’s)(?![\w'’])))"
_LINK = r"(?:of|de|del|della|des|do|dos|da|di|du|la|le|les|el|al|ibn|bin|von|van|der|den|zu|upon|the|am|an|y)"
NAME = rf"{_CAP}(?:[ -](?:{_LINK}[ -]){{0,2}}{_CAP}){{0,4}}"
PLACE = rf"{NAME}(?:, {NAME}){{0,3}}"
NOTE = re.compile(r"\(((?:[^()]|\([^()]*\))*)\)")
_DATE = re.compile(DATE)
_DASH = re.compile(r"[–—-]|\bto\b|\buntil\b")
_DIED = re.compile(r"\b(?:died|d\.|death|deceased|executed|killed|†)|†")
_BORN = re.compile(r"\b(?:born|b\.|baptised|baptized|bap\.)|^\s*\*")
_OTHER_YEARS = re.compile(
    r"\b(?:reign|ruled|fl\.|flourished|active|term|served|r\.|office|since|season|at the age)", re.I
)
_PLACE_AFTER = re.compile(rf"[\s,]*(?:(?:in|at|near|on)\s+)?(?:the )?(?P<place>{PLACE})")
_PLACE_BEFORE = re.compile(rf"\b(?:in|at|near)\s+(?P<place>{PLACE})[\s,]*(?:on|in)?\s*$")
_BIRTH = re.compile(
    rf"\b[Bb]orn\b(?:,? (?:on |in |about |around |c\. ?)?(?P<when>{DATE}))?"
    rf"(?:[^.;()]{{0,40}}?\b(?:in|at|near) (?:the )?(?P<where>{PLACE}))?(?:,? (?:on|in) (?P<then>{DATE}))?"
)
_DEATH = re.compile(r"\b(?:died|passed away|was killed|was executed)\b(?P<rest>[^.;()]{0,90})")
_WHEN = re.compile(rf"\b(?:on|in|of) (?P<when>{DATE})")
_WHERE = re.compile(rf"\b(?:in|at|near) (?:the )?(?P<where>{PLACE})")
_STOP = re.compile(r"[.\n]")
_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he)\b")
_NO_PLACE = re.compile(
    rf"^(?:{_MONTH}|He|She|His|Her|Mr|Mrs|World War.*|I|II|Jr\.?|[A-Z]\.?|The|Age)$"
)


def format_iso_date(text: str) -> str:
    """The ISO 8601 form of an English date, as far as the text gives it.

    >>> [format_iso_date(d) for d in ("February 28, 1889", "3rd of May 1905", "Sept. 1920", "1832")]
    ['1889-02-28', '1905-05-03', '1920-09', '1832']
    """
    month = re.search(r"[^\W\d]{3,}", text)
    year = re.search(r"\d{3,4}(?!\d)", text)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", text)
    parts = [f"{int(year[0]):04d}" if year else ""]
    if month and (number := _MONTH_NUMBER.get(month[0][:3].lower())):
        parts.append(f"{number:02d}")
        if day and 1 <= int(day[0]) <= 31:
            parts.append(f"{int(day[0]):02d}")
    return "-".join(parts)


def read_lifespan(lead: str, head: int, body: str, surname: str) -> dict[str, list[str]]:
    """Attributes `born`, `died`, `birth_place` and `death_place`.

    `lead` is the first sentence; its notes in brackets before offset `head` say most. `body` is the part of the text
    that is read; there the surname or a pronoun must name the person.
    """
    found: dict[str, list[str]] = {}
    for note in NOTE.finditer(lead):
        if note.start() < head and _read_note(note[1], found):
            break
    _read_births(body, surname, found)
    if not lead.startswith("is ", head):  # a person who "is" something has not died
        _read_deaths(body, surname, found)
    return found


def split_places(text: str) -> list[str]:
    """The parts of a place, smallest first: "Hayes, Middlesex, England" has three."""
    parts = (part.strip(" .,'’-") for part in text.split(","))
    return [part for part in parts if len(part) > 1 and not _NO_PLACE.match(part)]


def _read_note(note: str, found: dict[str, list[str]]) -> bool:
    dates = list(_DATE.finditer(note))
    if not dates or (_OTHER_YEARS.search(note) and not _BORN.search(note)):
        return False
    first, last = dates[0], dates[-1]
    between = note[first.end() : last.start()]
    dying = _DIED.search(note)
    if dying and dying.start() < first.start() and not _BORN.search(note):
        found["died"] = [format_iso_date(first[0])]
        _put_match(found, "death_place", _PLACE_AFTER.match(note, first.end()))
        return True
    two = first is not last and (_DASH.search(between) or (dying and dying.start() >= first.end()))
    open_end = re.search(r"[–—-]\s*(?:present)?\s*$", note[first.end() :])
    a_day = (
        first.start() == 0 and format_iso_date(first[0]).count("-") == 2
    )  # of which there can be but one
    if not (two or open_end or a_day or _BORN.search(note)):
        return False
    found["born"] = [format_iso_date(first[0])]
    limit = _DASH.search(note.replace("-", "_"), first.end())
    end = min([len(note), *([limit.start()] if limit else []), *([dying.start()] if dying else [])])
    _put_match(found, "birth_place", _PLACE_AFTER.match(note, first.end(), max(end, first.end())))
    if "birth_place" not in found:
        _put_match(found, "birth_place", _PLACE_BEFORE.search(note, 0, first.start()))
    if two:
        found["died"] = [format_iso_date(last[0])]
        _put_match(found, "death_place", _PLACE_AFTER.match(note, last.end()))
    return True


def _read_births(body: str, surname: str, found: dict[str, list[str]]) -> None:
    """Fills in what the notes left open, from sentences whose subject is the person."""
    for match in _BIRTH.finditer(body):
        if _is_about(surname, body, match.start()):
            if when := match["when"] or match["then"]:
                found.setdefault("born", [format_iso_date(when)])
            if match["where"] and "birth_place" not in found:
                _put_places(found, "birth_place", match["where"])


def _read_deaths(body: str, surname: str, found: dict[str, list[str]]) -> None:
    for match in _DEATH.finditer(body):
        if _is_about(surname, body, match.start()):
            dated = _WHEN.search(match["rest"])
            placed = _WHERE.search(match["rest"])
            if dated:
                found.setdefault("died", [format_iso_date(dated["when"])])
            if placed and "died" in found and "death_place" not in found:
                _put_places(found, "death_place", placed["where"])


def _is_about(surname: str, body: str, at: int) -> bool:
    """Whether the clause that ends at `at` is about the person: it names the person, or nobody."""
    clause = _STOP.split(body[max(0, at - 70) : at])[-1]
    if not clause.strip():
        return True
    names_person = surname != "" and surname in clause
    return names_person or _PRONOUN.search(clause) is not None


def _put_match(found: dict[str, list[str]], key: str, match: re.Match[str] | None) -> None:
    if match:
        _put_places(found, key, match["place"])


def _put_places(found: dict[str, list[str]], key: str, text: str) -> None:
    if parts := split_places(text):
        found[key] = parts
