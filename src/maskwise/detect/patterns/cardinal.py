"""Every number that no other rule knows, with what it counts: "four", "20 counts", "six of them", "life imprisonment".

Annotators of court cases mark many of these as quantities, though most identify nobody: they are found with a low
score, yield to whatever else is found in their place, and are left to an indicator to decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from maskwise.detect.patterns._nouns import PEOPLE, THINGS
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.english import MONTH_NUMBER
from maskwise.text.fragments import GAP, join_any_case, join_words
from maskwise.text.numbers import MORE_DIGITS, VALUES, WORDS, format_number, read_number
from maskwise.text.subtypes import CARDINAL, HEDGE

_FUNCTION = (
    "of the and or but was were is are be been being in to on at by for from with as under per which who whom that "
    "this these those had has have not its his her their did does do he she it they than into after before since "
    "until if when where while because so such then also would could should shall will may might must can our your my "
    "an during between against upon about years months days hours weeks minutes later earlier"
)
_SMALL = rf"(?!{join_words(_FUNCTION.split())}(?!\w))[a-z]"
_UNBROKEN = tuple(noun.replace("-", "\u2011") for noun in PEOPLE if "-" in noun)
_PLURAL = rf"(?:{_SMALL}[a-z‑-]{{1,18}}(?<![siu])s|{join_words((*PEOPLE, *_UNBROKEN))})(?!\w)"
_COUNTED = rf"(?:{_SMALL}[a-z‑-]{{1,18}}{GAP}){{0,2}}?{_PLURAL}"
_OF = rf"of{GAP}(?:them|(?:the|his|her|its|their|these|those){GAP}{_COUNTED})"
_WHAT = rf"(?:{GAP}or{GAP}more)?(?:{GAP}(?:{_OF}|{_COUNTED}(?:{GAP}of{GAP}{_SMALL}[a-z‑-]{{2,18}}(?!\w))?))?"
# What numbers a thing rather than counts: provisions, pages, rooms, footnotes, paragraphs at the start of a line.
_NUMBERED = frozenset(
    "article articles section sections paragraph paragraphs rule rules regulation chapter part page pages p. pp. no. "
    "nos. no nos number numbers item point points annex appendix protocol volume table figure room cell flat block "
    "ward box line schedule act law code order phase stage level type class category group grade ground".split()
)
_MONTHS = join_words(
    month.title() for month in MONTH_NUMBER if len(month) > 4 or month in ("may", "june", "july")
)
_FIGURE = (
    r"[0-9](?<=\s.)(?<!\n.)(?<![§#°A-Z]\s.)(?!(?<=[12])[0-9]{3}(?![0-9,.]))"
    rf"{MORE_DIGITS}(?![\w%°/:(§)-]|[.,][0-9]|\.?\s(?:§|[A-Z][A-Z]|{_MONTHS}))"
)
_COLLECTIVE = ("dozens", "hundreds", "thousands", "millions")
_REGULAR = (
    noun[:-1] for noun in (*PEOPLE, *THINGS) if noun.endswith("s") and not noun.endswith("ies")
)
_SINGLE = join_words(("child", "man", "woman", "person", *_REGULAR))
_ONE = (
    rf"\b[Oo]ne{GAP}(?:{_OF}|or{GAP}more{GAP}{_COUNTED}|(?:{_SMALL}[a-z‑-]{{1,18}}{GAP})?{_SINGLE}(?!\w)"
    r"|(?:quarter|third|half)(?!\w))"
)
_HEDGES = (
    "approximately",
    "approx.",
    "roughly",
    "nearly",
    "almost",
    "some",
    "over",
    "at least",
    "more than",
    "less than",
)
_AMOUNT = rf"(?:(?:(?:[A-Z]{{2,3}}|[$£€]){GAP}?)?[0-9]|{WORDS})"
_WORD = rf"(?<![\w-])(?:{join_any_case(_COLLECTIVE)}(?!\w)|{WORDS})(?!-\w)"
# Numbered steps of a process: "Day 12", "stage 2", "level 3".
_STEPS = (
    "day",
    "week",
    "month",
    "stage",
    "phase",
    "level",
    "grade",
    "step",
    "round",
    "trimester",
    "semester",
)
_IDLE = ("one", "hundred", "thousand", "million", "billion", "trillion", "dozen")


def _find_both(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """With what is counted, and without: another detector may know that to be something else ("two lawyers")."""
    before = match.string[max(0, match.start() - 16) : match.start()].rstrip().rpartition(" ")[2]
    if before.lower() in _NUMBERED:
        return ()
    return dict.fromkeys((match.span(), match.span("n")))


def _read_value(text: str) -> str:
    amount = read_number(text)
    return "" if amount is None else format_number(amount)


FAMILY = Family(
    name="cardinal",
    rules=(
        Rule(
            name=CARDINAL,
            type=EntityType.QUANTITY,
            regex=rf"(?P<n>{_FIGURE}){_WHAT}",
            expand=_find_both,
            shapes=("1",),
            opens=True,
            filler=True,
            score=0.35,
            value=_read_value,
        ),
        Rule(
            name=CARDINAL,
            type=EntityType.QUANTITY,
            regex=rf"(?P<n>{_WORD}){_WHAT}",
            expand=_find_both,
            triggers=(*(word for word in VALUES if word not in _IDLE), *_COLLECTIVE),
            opens=True,
            filler=True,
            score=0.35,
            value=_read_value,
        ),
        Rule(
            name=CARDINAL,
            type=EntityType.QUANTITY,
            regex=_ONE,
            triggers=("one ", "one\n"),
            opens=True,
            filler=True,
            score=0.3,
        ),
        Rule(
            name=CARDINAL,
            type=EntityType.QUANTITY,
            regex=rf"\b[Nn]o{GAP}(?:children|siblings|dependants|dependents|grandchildren)(?!\w)",
            triggers=(
                "no children",
                "no siblings",
                "no dependants",
                "no dependents",
                "no grandchildren",
            ),
            opens=True,
            filler=True,
            score=0.35,
        ),
        Rule(
            name="rate",
            type=EntityType.QUANTITY,
            regex=r"\b(?:per (?:person|head|hour|day|week|month|year|annum)"
            r"|twice(?: (?:a|per) (?:day|week|month|year))?)\b",
            triggers=("per ", "twice"),
            opens=True,
            filler=True,
            score=0.3,
        ),
        Rule(
            name=HEDGE,
            type=EntityType.QUANTITY,
            regex=rf"\b{join_any_case(_HEDGES)}(?={GAP}{_AMOUNT})",
            triggers=_HEDGES,
            opens=True,
            filler=True,
            score=0.3,
        ),
        Rule(
            name="step",
            type=EntityType.QUANTITY,
            regex=rf"\b{join_any_case(_STEPS)}{GAP}[0-9]{{1,3}}(?![\w/:.,-]*[0-9])",
            triggers=tuple(f"{step} " for step in _STEPS),
            opens=True,
            filler=True,
            score=0.3,
        ),
        Rule(
            name="ordinal",
            type=EntityType.QUANTITY,
            regex=r"(?<![\w./-])[0-9]{1,2}(?:st|nd|rd|th)(?![\w/-])",
            triggers=("1st", "2nd", "3rd", *(f"{digit}th" for digit in range(10))),
            opens=True,
            filler=True,
            score=0.3,
        ),
        Rule(
            name="life_sentence",
            type=EntityType.QUANTITY,
            regex=r"\b(?:life (?:imprisonment|sentences?)|imprisonment for life)\b",
            triggers=("life imprisonment", "life sentence", "imprisonment for life"),
            opens=True,
            filler=True,
            score=0.35,
        ),
    ),
    positive=(
        ("two banks and four search warrants", ("two banks", "four search warrants")),
        ("a total of fifty-nine committed there", ("fifty-nine",)),
        (
            "six of them left, and eight of his fellow inmates",
            ("six of them", "eight of his fellow inmates"),
        ),
        ("then 66 in spring and 73 later", ("66", "73")),
        ("He has two children.", ("two children",)),
        ("hundreds of letters", ("hundreds",)),
        ("six pieces of evidence", ("six pieces of evidence",)),
        ("one of the co-accused fell ill", ("one of the co-accused",)),
        ("approximately EUR 250, some 300", ("approximately", "some", "300")),
        ("a vote of ten to two", ("ten", "two")),
        ("sentenced to life imprisonment", ("life imprisonment",)),
        ("one count of theft, one or more cars", ("one count", "one or more cars")),
        ("paid twice a month, 5 per person", ("twice a month", "5", "per person")),
        ("with 57 annexes", ("57 annexes",)),
        ("There were three.", ("three",)),
        ("Day 12: it grew. She reached stage 2 in week 30.", ("Day 12", "stage 2", "week 30")),
        ("with three co‑accused", ("three co‑accused",)),
        ("in the 2nd and 3rd parliaments", ("2nd", "3rd")),
        ("leaving one child; the others had no children", ("one child", "no children")),
    ),
    negative=(
        "12. The applicant complained.\n13.  He left.",
        "Article 6 and section 12",
        "no. 7 of page 4",
        "Rule 39 and § 5",
        "one of us, no one",
        "some people, over there, at least",
        "in 1998",
        "twofold and often",
        "the fourteenth",
        "at the ninth hearing, the person",
        "12/03",
        "a three-storey house",
        "12th-century walls",
    ),
)
