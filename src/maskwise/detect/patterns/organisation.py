"""Organisations with a word that says so: a court, a ministry, a company form, a prison, a party.

One scan finds runs of capitalised words; a run is an organisation if it holds a head ("District Court", "Ministry of
the Interior") or ends in a form of company ("Widget Ltd").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from maskwise.detect.gazetteer.lists import is_given_name
from maskwise.detect.patterns._shapes import CAP, LETTER, STARTERS, UPPER, refuse_leading
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.english import FEMALE_TITLES, FUNCTION_WORDS, MALE_TITLES
from maskwise.text.gender import guess_gender
from maskwise.text.subtypes import ACRONYM, LOWER_HEAD
from maskwise.text.word_lists import read_words

# Stand after what names them: "Moss District Court".
_AFTER = frozenset(read_words("bodies_last"))
# Stand before it: "Ministry of Works", "Association for Clean Rivers".
_BEFORE = frozenset(read_words("bodies_first"))
# Bodies of the state that judge, govern and make laws: a policy for judgments keeps them.
_INSTITUTIONS = frozenset(
    "Court Courts Tribunal Tribunals Government Ministry Parliament Senate Assizes Prosecutor Prosecutors Ombudsman "
    "Minister Treasury Audiencia Conseil Cour".split()
)
_SUFFIX = frozenset(
    (
        "Ltd Limited PLC LLP Inc Incorporated Corp LLC GmbH AG KG KGaA AS ASA AB ApS Oy Oyj SA SAS Sarl SARL SpA SPA "
        "Srl SRL BV NV OOO ZAO OAO Kft Zrt Rt Pty Co Cie mbH OHG EOOD AD SE SNC LP"
    ).split()
)
_LOWER_SUFFIX = re.compile(
    r",? (?:plc|s\.?r\.?o\.?|a\.?s\.|d\.?o\.?o\.?|sp\. z o\.o\.|e\.V\.|S\.A\.S?\.?|S\.p\.A\.?|S\.r\.l\.?|N\.V\.?|"
    r"B\.V\.?|A/S|"
    r"A\.Ş\.?|& Co\.?(?: KG)?|and Co\.|Ltd\.?|Inc\.?|Corp\.?|LLC|L\.L\.C\.|LLP|GmbH)(?!\w)"
)
# An acronym or a translation right after the name is part of it; a remark is not.
_PAREN = re.compile(
    rf" \((?:(?:“|\")(?:the )?[{UPPER}][\w&/-]*[{UPPER}][\w-]*(?:”|\")|[{UPPER}][\w&/-]*[{UPPER}]\w*"
    rf"|(?!see |cited |which |who |hereinafter |and |nos?\. |in |at |now |then |formerly |[Aa]rticle |[Ss]ection |"
    rf"the |an? )"
    rf"(?=[^()\n]{{0,60}}[^\x00-\x7f]|[{UPPER}][a-z]+[\w ]{{2,50}}\))[\w .’'–-]{{3,60}}(?:[–-] [“\"][^()"
    rf"”\"\n]{{2,60}}[”\"])?)\)"
)
_ABBREVIATED = (" Inc", " Corp", " Ltd", " Co")
_WORD = re.compile(r"\S+")
_LINKS = frozenset(("of", "for"))
_OF_BODY = frozenset(("of", "for", "at", "in"))  # between somebody and a company
_JOINTS = frozenset(("and", "&", "in", "on", "at", "de", "la"))
# What follows makes the run the title of a law, or a person's office.
_TITLES = frozenset(
    "Act Code Law Rules Regulations Ordinance Bill Convention Decree Agreement Treaty Report Directive".split()
)
# Capitals that are no body: currencies, numerals, medicine, technology, words that texts shout.
_NOT_BODIES = frozenset(read_words("capitals_of_no_body"))


_POSSESSIVE = re.compile(r"['’]s?(?!\w)")
_HEADS = _AFTER | _BEFORE | _SUFFIX


def _strip_possessive(word: str) -> str:
    """Without the possessive and the plural's apostrophe."""
    return _POSSESSIVE.sub("", word) if "’" in word or "'" in word else word


def _hide_small_word(word: str) -> str:
    """In a line of capitals "AS" is a word, not a form of company."""
    return word.lower() if word.lower() in FUNCTION_WORDS else word


def _find_left(words: Sequence[str], head: int) -> int:
    """First word of the name that ends in `head`: back over capitalised words, not over "and" or "of"."""
    start = head
    while start > 0 and words[start - 1] not in _LINKS | _JOINTS | {"the"}:
        start -= 1
    return start


def _find_right(words: Sequence[str], head: int) -> int:
    """Index after the last word of the name that `head` opens: "of the Interior and Health"."""
    end = head + 1
    if end < len(words) and words[end] in _LINKS:
        end += 1
        wide = words[head] in (
            "Ministry",
            "Department",
            "Minister",
            "Faculty",
            "Institute",
            "Secretary",
            "Association",
        )
        while end < len(words) and (words[end] not in _JOINTS or wide):
            end += 1
    return end


def _skip_person(words: Sequence[str], free: int, head: int) -> int:
    """Where a company begins after somebody of it: "Mr Kowal of Blue Heron Ltd"."""
    is_titled = words[free].rstrip(".").lower() in MALE_TITLES | FEMALE_TITLES
    if not is_titled and not guess_gender(words[free]) and not is_given_name(words[free]):
        return free
    return next((at + 1 for at in range(free + 2, head - 1) if words[at] in _OF_BODY), free)


def _find_bounds(words: Sequence[str], head: int, free: int) -> tuple[int, int] | None:
    """First word and end of the name around `words[head]`, if there is one; words before `free` are taken."""
    word, end = words[head], head + 1
    if word in _SUFFIX and head > free:
        while end < len(words) and words[end] in _SUFFIX:
            end += 1
        start = _skip_person(words, free, head)
        return next(at for at in range(start, end) if words[at] not in _JOINTS), end
    if word in _BEFORE:
        end = _find_right(words, head)
    start = max(free, _find_left(words, head))
    if end - start < 2 or (end == head + 1 and (word not in _AFTER or _is_continued(words, end))):
        return None
    return start, end


def _is_continued(words: Sequence[str], at: int) -> bool:
    """A later word is the head: "State Security Court", not "State Security"."""
    following = takewhile(lambda word: word not in _LINKS and word not in _JOINTS, words[at:])
    return not _AFTER.isdisjoint(following)


def _find_organisations(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Names in a run of capitalised words: around each head, as far as the words belong together."""
    text, at, end = match.string, match.start(), match.end()
    words = [_strip_possessive(word) for word in match.group().split()]
    if match.group().isupper():
        words = [_hide_small_word(word) for word in words]
    form = _LOWER_SUFFIX.match(text, end) if text[end : end + 1] in (" ", ",") else None
    if form is not None and len(words) < 7:
        yield at, form.end()
        return
    if _HEADS.isdisjoint(words):
        return
    spans = [word.span() for word in _WORD.finditer(text, at, end)]
    free = 0
    for head, word in enumerate(words):
        if head < free or word not in _HEADS or (bounds := _find_bounds(words, head, free)) is None:
            continue
        first, free = bounds
        if free == len(words) or words[free] not in _TITLES:
            low, high = _find_span(text, spans[first][0], spans[free - 1][1])
            if text[high : high + 1] != "-":  # "AS-3832" is no legal form
                yield low, high


def _find_span(text: str, low: int, high: int) -> tuple[int, int]:
    """Without a closing possessive, with a directly following acronym or translation."""
    while text[high - 1] in "’'," or text[high - 2 : high] in ("’s", "'s"):
        high -= 2 if text[high - 1] == "s" else 1
    if (
        text[high : high + 1] == "."
        and text[low:high].endswith(_ABBREVIATED)
        and not text[high + 1 : high + 3].strip().istitle()
    ):
        high += 1
    paren = _PAREN.match(text, high)
    return low, paren.end() if paren else high


_JOIN = r"(?:(?:of|for|and|&|in|on|at|de|la|of the|for the|and the)[ \u00a0])?"

FAMILY = Family(
    name="organisation",
    rules=(
        Rule(
            name="organisation",
            type=EntityType.ORG,
            regex=rf"[{UPPER}](?<![\w.@#/’'-].){refuse_leading(STARTERS)}{LETTER}{{0,40}}+(?:(?:[-‐‑&/.]|['’](?!s\b))"
            rf"{LETTER}{{1,40}}+){{0,5}}+(?:['’]s?+)?+"
            rf"(?:(?:[ \u00a0]{_JOIN}{CAP}(?!\.[{UPPER}])(?:['’]s?+)?+){{1,11}}+|(?={_LOWER_SUFFIX.pattern}))",
            expand=_find_organisations,
            variants=(("institution", _INSTITUTIONS),),
            score=0.8,
        ),
        Rule(
            name=LOWER_HEAD,
            type=EntityType.ORG,
            regex=rf"[{UPPER}](?<![\w.@#/’'-].){refuse_leading(STARTERS)}{LETTER}{{1,40}}+(?:-{LETTER}{{1,40}}+)?(?: "
            rf"{CAP}){{0,2}} (?:public prosecutor"
            r"(?:['’]s office)?|prosecutor(?:['’]s office)?|police(?: headquarters| station| department| force)?|"
            r"prison|hospital"
            r"|high school|university|gendarmerie(?: command)?|bar association|"
            r"governor['’]s office)(?!\w)",
            triggers=(
                " prosecutor",
                " police",
                " prison",
                " hospital",
                " university",
                " gendarm",
                " bar ass",
                " governor",
            ),
            reach=72,
            score=0.7,
        ),
        Rule(
            name=ACRONYM,
            type=EntityType.ORG,
            regex=rf"[{UPPER}](?<![\w.@#/’'&-].)(?<![{UPPER}]{{2}} .)[{UPPER}]{{2,6}}+(?:[-/][{UPPER}]{{1,6}})?"
            rf"(?![\w.&/-]| [{UPPER}]{{2}}| \d)",
            shapes=("ABB",),
            opens=True,
            check=lambda surface: surface not in _NOT_BODIES,
            score=0.45,
        ),
        Rule(
            name="institution",
            type=EntityType.ORG,
            regex=rf"[{UPPER}](?<![\w-].)\w{{0,24}}(?:gericht|gerichtshof|anwaltschaft|hauptmannschaft|domstolen|"
            rf"ministerium)s?(?!\w)"
            rf"|Audiencia (?:Nacional|Provincial)|Conseil d['’][EÉ]tat|Cour de cassation|[Tt]ribunal de grande "
            rf"instance",
            triggers=(
                "gericht",
                "anwaltschaft",
                "hauptmannschaft",
                "domstolen",
                "ministerium",
                "audiencia ",
                "conseil d",
                "cour de cas",
                "tribunal de g",
            ),
            score=0.8,
        ),
    ),
    positive=(
        ("He sued Brankt Widgets Ltd in May.", ("Brankt Widgets Ltd",)),
        ("Then Mr Piotr Kowal of Blue Heron Ltd rose.", ("Blue Heron Ltd",)),
        ("Then Anna Berg of Elm Ltd rose.", ("Elm Ltd",)),
        ("Nordlys Kraft AS and Holm & Dahl GmbH", ("Nordlys Kraft AS", "Holm & Dahl GmbH")),
        ("shares in Velora plc and Zeta s.r.o. were sold", ("Velora plc", "Zeta s.r.o.")),
        ("Tarnow Steel S.A. of Bern", ("Tarnow Steel S.A.",)),
        ("Acme Rockets Inc. paid", ("Acme Rockets Inc.",)),
        ("employed by Bright Co Pty Ltd, a firm", ("Bright Co Pty Ltd",)),
        (
            "the Ministry of the Interior and Health refused",
            ("Ministry of the Interior and Health",),
        ),
        ("The Elmstad District Court dismissed it", ("Elmstad District Court",)),
        ("the Brell State Security Court’s ruling", ("Brell State Security Court",)),
        ("the Court of Appeal of Bergstad", ("Court of Appeal of Bergstad",)),
        ("at the University of Northmoor", ("University of Northmoor",)),
        (
            "the Vessen Regional Court (Sąd Okręgowy) held",
            ("Vessen Regional Court (Sąd Okręgowy)",),
        ),
        (
            "the Regional Health Authority (“the RHA”) said",
            ("Regional Health Authority (“the RHA”)",),
        ),
        ("held in Oakfold Prison and St. Olav Hospital", ("Oakfold Prison", "Olav Hospital")),
        (
            "the Supreme Court's Appeals Leave Committee",
            ("Supreme Court's Appeals Leave Committee",),
        ),
        ("the Palm Grove public prosecutor's office", ("Palm Grove public prosecutor's office",)),
        ("the Brusk police and Halden prison", ("Brusk police", "Halden prison")),
        ("the Association for Clean Rivers", ("Association for Clean Rivers",)),
        ("the Green Workers’ Party won", ("Green Workers’ Party",)),
        (
            "the Chamber of Commerce and the Bank of Elmland",
            ("Chamber of Commerce", "Bank of Elmland"),
        ),
        ("a member of the QXP and of ZZT-L", ("QXP", "ZZT-L")),
        ("the Landgericht and the Staatsanwaltschaft", ("Landgericht", "Staatsanwaltschaft")),
        ("the Office of the Ombudsman wrote", ("Office of the Ombudsman",)),
    ),
    negative=(
        "The Court found that the Government had appealed.",
        "a court of law and a regional hospital",
        "the police and the prison",
        "it cost EUR 500 and USD 20",
        "She has HIV. He had a DNA test.",
        "section 5 of the District Courts Act",
        "Annexes I to III",
        "On Monday he went to school.",
        "Anna Hill met Tom Moss.",
        "THE FACTS OF THE CASE",
        "HE MOVED TO OREGON AS WELL",
        "the Board, the Council and the Office",
        "as a limited company, a bank",
    ),
)
