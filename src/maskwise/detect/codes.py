"""Keeps codes as codes, whatever a model calls them: the codes that a pattern reads, and digits without a unit.

A model knows words better than numbers. It calls a telephone number a quantity and a device serial a name, and a policy
that keeps these types would print them. So a pattern decides where it sees a code, and where a model alone sees a
number, the number counts as an amount or a date only if a pattern reads it as one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import accumulate

from maskwise.text import EntityType, Mention, Provenance
from maskwise.text.subtypes import (
    ADDRESS,
    AGE,
    CARDINAL,
    CITATION,
    DATE,
    DIGITS,
    DIRECT,
    DISCLOSED,
    GUESSED,
    HANDLE,
    MONEY,
    STATE,
)

Span = tuple[int, int]

RICH = 5  # digits that no age, year or page number has
MIXED = 3  # digits beside letters
GLUED = 28  # characters that may be glued to a code
LINKED = 4  # digits of a code that is sought again in the whole text
NO_CODE = "-"  # stands for a code with too few digits to be sought again

# Subtypes, or the first word of theirs.
_READ = frozenset(
    (DIRECT, AGE, ADDRESS, "name", "speaker", HANDLE, "city_field", STATE, DATE, MONEY, DISCLOSED)
)
_NARROW = frozenset((STATE,))  # a policy may keep it, but not what stands around it
_PUBLISHED = frozenset((CITATION,))  # a code of a publication
_TOKEN = re.compile(r"\S+")
_EDGE = re.compile(r"\A[^\w+(]+|[^\w)]+\Z")
# Numbers written as amounts, ratios, years or dates: "500,000", "104.5", "120/80", "1997/8", "12.05.2004".
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_ORDINARY = re.compile(
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[+-][0-9]{4})?|"
    r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,2})?|[0-9]{1,6}[.,][0-9]{1,2}|[0-9]{2,3}/[0-9]{2,3}"
    r"|(?:19|20)[0-9]{2}[/–-](?:[0-9]{1,2}|(?:19|20)[0-9]{2})"
    rf"|{_DAY}([./-]){_DAY}\1(?:[0-9]{{2}}|(?:18|19|20)[0-9]{{2}})|(?:18|19|20)[0-9]{{2}}([./-]){_DAY}\2{_DAY}"
)
# Words that only look mixed: "1990s", "500mg", "18th", and classes of diseases, "E11.9".
_WORDLIKE = re.compile(
    r"[0-9]{1,4}(?:\.[0-9]{1,3})?(?:st|nd|rd|th|s|mg|ml|mcg|kg|g|cm|mm|km|m|l|iu|u|mmhg|bpm|hz|khz|mhz|ghz|gb|mb|kb|tb)"
    r"|[a-z][0-9][0-9a-z](?:\.[0-9a-z]{1,4})?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[ ./(#-]{0,2}(?:(?:ext|extn|extension|x)\b[ .]{0,2})?", re.IGNORECASE)
_EXTENSION = re.compile(r",?[ ]?(?:extension|extn|ext|x)\.?[ ]?[0-9]{1,6}\b", re.IGNORECASE)
_EXTENSION_WORD = re.compile(r"[ ](?:extension|extn|ext|x)\.?\Z", re.IGNORECASE)
_FIGURES = re.compile(r"\.?[ ]?[0-9]{1,6}\b")
_GLUED_BEFORE = re.compile(r"(?<![\w@./-])[A-Za-z0-9]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,2}[-_]\Z")
_GLUED_AFTER = re.compile(r"[-_][A-Za-z0-9]{1,8}(?![\w@-])")
_SERIAL = re.compile(r"[0-9]{5}-[0-9]")  # no range of amounts: "495073-001"
_POSTCODE = re.compile(r"[0-9]{3} ?[0-9]{2,3}")
_BARE = re.compile(r"[0-9][0-9 \u00a0./'’-]*")


def has_family(mention: Mention) -> bool:
    """Whether a rule or a list, rather than a model, says what it is."""
    return mention.subtype not in GUESSED


def is_code(mention: Mention) -> bool:
    """Whether a pattern or a checksum supports that it is a code of one thing."""
    if mention.type is not EntityType.CODE or mention.subtype in _PUBLISHED:
        return False
    return mention.certain or has_family(mention)


def is_read(mention: Mention) -> bool:
    """Whether it names the person, or a pattern reads it by words that leave no doubt: an age, an address, a field."""
    return mention.subtype in _READ or mention.subtype.partition("_")[0] in _READ


def can_grow(mention: Mention) -> bool:
    """Whether it may grow by what another detector saw around it. A code is safer so; a state is not the town in it."""
    return not mention.certain and mention.subtype not in _NARROW


def grade_mentions(mentions: Sequence[Mention]) -> list[int]:
    """Grades how firmly patterns know each mention: 0 for a code, 1 for one that is read, 2 for any other.

    A number that its own detector sees as part of something else is no code: "999/1993" in "Law no. 999/1993". Nor is
    a date that only a model takes for one.
    """
    dates = {m.span for m in mentions if m.subtype == DATE and m.source == Provenance.PATTERNS}
    grades = [
        0 if is_code(m) else 1 if is_read(m) and not _is_guessed_code(m, dates) else 2
        for m in mentions
    ]
    if 0 in grades:
        wholes = _Cover(m for m in mentions if is_proof(m))
        for at, mention in enumerate(mentions):
            if not grades[at] and not mention.certain and wholes.is_covered(mention):
                grades[at] = 2
    return grades


def _is_guessed_code(mention: Mention, dates: Set[Span]) -> bool:
    """Whether a model takes for a code what a pattern reads as a date."""
    return mention.type is EntityType.CODE and mention.span in dates and not has_family(mention)


def is_proof(mention: Mention) -> bool:
    """Whether it shows that the digits in it are no code: a unit does, unless it begins the next line of a form."""
    if not has_family(mention) or mention.type is EntityType.CODE or is_bare_number(mention):
        return False
    if mention.type not in (EntityType.QUANTITY, EntityType.DATETIME):
        return True
    lines = mention.text.split("\n")
    return not (_SERIAL.search(mention.text) or (len(lines) > 1 and any(map(is_rich, lines))))


class _Cover:
    """The stretches that some mentions hold, by their detector."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        by_source: dict[str, list[Mention]] = {}
        self._scores: dict[tuple[str, tuple[int, int]], float] = {}
        for mention in sorted(mentions, key=lambda m: m.start):
            by_source.setdefault(mention.source, []).append(mention)
            key = mention.source, mention.span
            self._scores[key] = max(mention.score, self._scores.get(key, 0.0))
        self._starts: dict[str, list[int]] = {}
        self._ends: dict[str, list[int]] = {}  # the furthest end of all that start up to here
        for source, own in by_source.items():
            self._starts[source] = [m.start for m in own]
            self._ends[source] = list(accumulate((m.end for m in own), max))

    def is_covered(self, part: Mention) -> bool:
        """Whether a longer mention of the part's detector goes around it, or a surer one stands in its place."""
        if self._scores.get((part.source, part.span), 0.0) > part.score:
            return True
        starts, ends = self._starts.get(part.source, []), self._ends.get(part.source, [])
        until = bisect_right(starts, part.start) - 1
        if until >= 0 and ends[until] > part.end:
            return True
        before = bisect_right(starts, part.start - 1) - 1
        return before >= 0 and ends[before] >= part.end


def is_bare_number(mention: Mention) -> bool:
    """Whether it is a plain number that counts nothing: no proof that a number is an amount."""
    return mention.subtype == CARDINAL and _BARE.fullmatch(mention.text) is not None


def name_codes(kept: Sequence[Mention], seen: Sequence[Mention]) -> list[Mention]:
    """Cuts the kept mentions around each number that a model alone found and that is no amount or date.

    `seen` holds all mentions before overlaps were resolved. The numbers become codes of the subtype `DIGITS`, and so
    do further mentions that are written like a code of the text.
    """
    known = {_fold_code(m.text) for m in kept if is_code(m)} - {NO_CODE}
    proofs = _Proofs(seen)
    named: list[Mention] = []
    for mention in kept:
        is_known = mention.certain or (has_family(mention) and not is_bare_number(mention))
        if is_known or not any(map(str.isdigit, mention.text)):
            named.append(mention)
            continue
        code = named[-1] if named and is_code(named[-1]) else None
        cuts = [
            number
            for number in _find_numbers(mention)
            if not proofs.is_proved(number)
            and not _is_postcode(mention, number)
            and _has_look_of_code(mention.document.text, number, known, code)
        ]
        named += _cut_mention(mention, cuts) if cuts else (mention,)
    return _complete_codes(named)


class _Proofs:
    """The stretches that a pattern reads as something else than a code."""

    def __init__(self, seen: Iterable[Mention]) -> None:
        proofs = sorted(filter(is_proof, seen), key=lambda m: m.start)
        self._starts = [m.start for m in proofs]
        self._ends = list(accumulate((m.end for m in proofs), max))

    def is_proved(self, number: Span) -> bool:
        """Whether one of them holds the number."""
        start, end = number
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and self._ends[at] >= end


def _has_look_of_code(text: str, number: Span, known: Set[str], code: Mention | None) -> bool:
    """Whether a number is rich, is written like a known code, or goes on with the code before it."""
    start, end = number
    surface = text[start:end]
    return is_rich(surface) or _fold_code(surface) in known or _is_continued(code, text, start)


def _complete_codes(mentions: Sequence[Mention]) -> list[Mention]:
    """Extends codes by the rest of their word and the extension after them: "429-eez", "5550123 ext. 12"."""
    whole: list[Mention] = []
    for mention in mentions:
        taken = whole[-1].end if whole else 0
        if mention.end <= taken:
            continue  # it stands in an extension
        if mention.start < taken:
            mention = _make_piece(
                mention, taken, mention.end - taken, mention.type, mention.subtype
            )
        if is_code(mention):
            start, end = _find_whole_code(mention, taken)
            if (start, end) != mention.span:
                text = mention.document.text[start:end]
                mention = replace(mention, start=start, end=end, text=text, value="")
        whole.append(mention)
    return whole


def _find_whole_code(code: Mention, low: int) -> Span:
    """Returns the span of a code with what is glued to it, from `low` on."""
    text = code.document.text
    before = _GLUED_BEFORE.search(text, max(low, code.start - GLUED), code.start)
    after = _GLUED_AFTER.match(text, code.end, code.end + GLUED)
    start = before.start() if before else code.start
    end = after.end() if after else code.end
    is_begun = _EXTENSION_WORD.search(text, max(start, end - 12), end) is not None
    more = (_FIGURES if is_begun else _EXTENSION).match(text, end, end + 24)
    return start, more.end() if more else end


def _is_postcode(mention: Mention, number: Span) -> bool:
    """Whether it is a short number beside the name of a place: "10115 Berlin"."""
    start, end = number
    return (
        mention.type is EntityType.LOC
        and end - start < len(mention)
        and _POSTCODE.fullmatch(mention.document.text, start, end) is not None
    )


def _is_continued(code: Mention | None, text: str, start: int) -> bool:
    """Whether a number is the end of the code before it: "5550123 ext. 12"."""
    return code is not None and _BETWEEN.fullmatch(text, code.end, start) is not None


def is_rich(text: str) -> bool:
    """Whether a number without a unit has so many digits, or letters among them, that it can only be a code.

    >>> [is_rich(text) for text in ("555-0123", "KX1240", "500,000", "1998", "E11.9")]
    [True, True, False, False, False]
    """
    digits = sum(map(str.isdigit, text))
    if digits < MIXED or _ORDINARY.fullmatch(text.lstrip("+-−")) or _WORDLIKE.fullmatch(text):
        return False
    if digits >= RICH:
        return True
    return any(map(str.isalpha, text)) and sum(map(str.isalnum, text)) >= RICH and " " not in text


def _find_numbers(mention: Mention) -> Iterator[Span]:
    """Yields runs of words with digits, without the marks at their edges: "7946 0958", "KX-1240"."""
    text = mention.document.text
    run: Span | None = None
    for token in _TOKEN.finditer(text, mention.start, mention.end):
        if not any(map(str.isdigit, token[0])):
            continue
        if (
            run
            and text[run[1] : token.start()] in (" ", "\u00a0")
            and text[run[1] - 1] not in ",;]"
        ):
            run = run[0], token.end()
            continue
        if run:
            yield _trim_span(text, *run)
        run = token.span()
    if run:
        yield _trim_span(text, *run)


def _trim_span(text: str, start: int, end: int) -> Span:
    surface = text[start:end]
    bare = _EDGE.sub("", surface)
    start += surface.index(bare)
    if "(" not in bare:
        bare = bare.rstrip(")")
    return start, start + len(bare)


def _cut_mention(mention: Mention, cuts: Sequence[Span]) -> Iterator[Mention]:
    """Yields the mention in pieces: codes, and what stands beside them and has a letter. A code stays whole."""
    if mention.type is EntityType.CODE:
        yield replace(mention, subtype=DIGITS)
        return
    text, cursor = mention.document.text, mention.start
    for start, end in (*cuts, (mention.end, mention.end)):
        between = text[cursor:start]
        bare = _EDGE.sub("", between)
        if any(map(str.isalnum, bare)):
            yield _make_piece(
                mention, cursor + between.index(bare), len(bare), mention.type, mention.subtype
            )
        if start < end:
            yield _make_piece(mention, start, end - start, EntityType.CODE, DIGITS)
        cursor = end


def _make_piece(mention: Mention, start: int, size: int, kind: EntityType, subtype: str) -> Mention:
    text = mention.document.text[start : start + size]
    return replace(
        mention, start=start, end=start + size, text=text, type=kind, subtype=subtype, value=""
    )


def _fold_code(text: str) -> str:
    """Returns the letters and digits of a code with enough digits to be told from an amount, else a dash."""
    plain = "".join(filter(str.isalnum, text)).casefold()
    return plain if sum(map(str.isdigit, plain)) >= LINKED else NO_CODE
