"""People without a title: a common given name with a surname, or a capitalised name that its context gives away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maskwise.detect.gazetteer import lists as gazetteer
from maskwise.detect.gazetteer.lists import is_given_name
from maskwise.detect.patterns._shapes import (
    CAP,
    INITIALS,
    LETTER,
    PARTICLE,
    PARTICLES,
    SPACE,
    STARTER,
    STARTERS,
    UPPER,
    match_one_of,
    refuse_leading,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType, possessive
from maskwise.text.common_words import COMMON, NAMED_WORDS
from maskwise.text.plain_words import PLAIN_VERBS, is_plain
from maskwise.text.word_lists import read_words

# A run of capitalised words with one of these is the name of something else.
THINGS = frozenset(read_words("named_things"))
_SMALL = frozenset(word for particle in PARTICLES for word in particle.split())

_KIN = read_words("kin_before_names")
_ROLES = read_words("roles_before_names")
_RELATED = frozenset(_KIN) - frozenset(
    ("friend", "partner", "colleague", "nickname", "twins", "twin", "nan")
)
# What somebody is in a ticket or a report: "Customer Beatriz".
_PARTS_PLAYED = frozenset(
    "Customer Client User Tenant Witness Suspect Victim Caller Employee Student Resident Applicant Patient".split()
)
_CALLED = frozenset(
    ("named", "called", "certain", "namely", "alias", "née", "nee", "aka", "nicknamed", "formerly")
)
_OPENERS = (
    "Dear|Dearest|Hi|Hiya|Hello|Hey|name is|name was|I am|represented by|signed by|killing of|murder of"
    "|death of"
).split("|")
_CLOSERS = (
    r"(?:[Rr]egards|[Ss]incerely|[Ff]aithfully|[Tt]ruly|Best wishes|Best|Thanks|Thank you|Cheers|Yours|Love|Signed|"
    r"Respectfully),?"
    r"[ \t]*\n\s*"
)
_FIELDS = (
    r"(?:[Nn]ame|Surname|Patient|Applicant|Claimant|Defendant|Plaintiff|Client|From|To|Cc|CC|Attn|Attention|Contact|"
    r"Author|Signed|"
    r"Employee|Customer|Physician|Doctor|Witness|Student):[ \t]*"
)
_INTRODUCERS = frozenset(_KIN + _ROLES)
# Whom a letter greets or a header names without naming anybody.
_DEPARTMENTS = frozenset(
    "Accounts Billing Finance Payroll Orders Reception Enquiries Inquiries Marketing Press Careers Security Legal "
    "Support Sales Staff Everyone Facilities Risk Procurement Compliance Treasury Scheduling "
    "Team Colleagues Colleague Parent Parents Carer Carers Resident Residents Tenant Candidate Customer Client "
    "Sir Madam Operations Management Undisclosed".split()
)
_OPENER_ENDS = frozenset(opener.rpartition(" ")[2] for opener in _OPENERS)
_OPENED = re.compile(rf"(?<!{LETTER})(?:{match_one_of(_OPENERS)} |{_CLOSERS}|{_FIELDS})[“‘\"']?\Z")
_AFTER = re.compile(
    r",? \(?(?:who (?:is|was|has|had)|an? (?:lawyer|advocate|solicitor|barrister|journalist|doctor|psychiatrist|"
    r"psychologist|"
    r"professor|engineer|police officer)|lawyers? (?:practi[sc]ing|in|from)|born (?:in|on|\d)|aged \d|solicitors?\b|"
    r"counsel\b|"
    r"Q\.?C\.?\b|his |her |née |nee )"
)
# Only people do these things.
_ACTS = re.compile(
    r"(?:['’]s? (?:death|body|brother|wife|husband|mother|father|son|daughter|sister|family|house|lawyer|parents|"
    r"arrest|detention)\b| "
    r"(?:said|told|testified|died|confessed|denied|replied|married|lived|lives|resides|signed|was (?:born|killed|"
    r"arrested|released|"
    r"detained|taken|shot|murdered|beaten|convicted|married|acquitted|questioned|found dead)|had (?:been (?:killed|"
    r"arrested|detained|shot|"
    r"taken|beaten|murdered|questioned|examined|convicted)|died|told|said)|stated|maintained|reiterated|alleged|and "
    r"his|and her)\b)"
)
_PAIR = possessive.compile(rf"(?:,| and|, and| or) (?P<given>{CAP}) [{UPPER}]")
_LISTED = possessive.compile(
    rf"(?<!{LETTER})(?P<given>{CAP})(?: {CAP}){{1,2}}(?:,| and|, and| or) \Z"
)
# "U.S. Army" is no Mr Army.
_NO_INITIALS = ("U.S.", "U.K.", "U.N.", "E.U.", "D.C.", "P.O.", "Q.C.", "F.C.", "U. S.")
_PLACED = ("the ", "The ", " in ", " at ", " near ", " a ", " an ", "In ", "At ")


def _is_introduced(text: str, start: int, several: bool, given: bool) -> bool:
    """Whether the text before says that a person follows: "his brother", "nurse", "named", "Dear", "Name:"."""
    before = text[max(0, start - 28) : start]
    last = before.rstrip(" (“‘\"'").rstrip(",").rpartition(" ")[2]
    if last in _INTRODUCERS:
        return several or given or "," not in before[-3:]
    if last in _OPENER_ENDS or before.endswith(("\n", ":", ": ", ":\t")):
        return _OPENED.search(before) is not None
    return last in _CALLED and (several or given)


def _is_beside_person(text: str, start: int, end: int) -> bool:
    """Whether it stands in a list next to someone with a common given name: "Ana Reis, Zuq Bril and Tom Hill"."""
    after, before = _PAIR.match(text, end), _LISTED.search(text, max(0, start - 40), start)
    return any(found is not None and is_given_name(found["given"]) for found in (after, before))


def _is_called(word: str) -> bool:
    """Whether a word after "Customer" is a given name: "Beatriz", not "Portal"."""
    return is_given_name(word) or word in gazetteer.read_words("forenames")


def _find_people(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yields the person in a run of capitalised words, if context or a given name says that there is one."""
    text, start, end = match.string, match.start(), match.end()
    words = match.group().split()
    if len(words) == 1 and not is_given_name(words[0]) and text.endswith("the ", 0, start):
        return
    names = [word for word in words if word not in _SMALL]
    if not THINGS.isdisjoint(names) or (len(words) == 1 and words[0] in _DEPARTMENTS):
        return
    if len(names) > 1 and words[0] in _PARTS_PLAYED and _is_called(names[1]):
        yield start + len(words[0]) + 1, end
        return
    if len(names) > 1 and words[0].lower() in _RELATED:  # "Neighbour Joke", "Mum Tzipporah"
        rest = names[-1].lower()
        if len(names) > 2 or not (is_plain(rest) or rest in COMMON - NAMED_WORDS):
            yield start + len(words[0]) + 1, end
        return
    several = len(names) > 1
    given = next(
        (at for at, word in enumerate(words) if is_given_name(word.partition("-")[0])), len(words)
    )
    if _is_introduced(text, start, several, given == 0):
        if len(names[0]) > 1 and (several or given == 0 or not names[0].isupper()):
            yield start, end
    elif several and given < len(words) - 1:
        yield start + sum(len(word) + 1 for word in words[:given]), end
    elif several and given < len(words) and len(words) == 2:  # "Surname Given", not "Called Anna"
        is_verb = words[0].lower() in PLAIN_VERBS and words[0].lower() not in NAMED_WORDS
        yield (end - len(words[1]) if is_verb else start), end
    elif several:
        known = (
            _ACTS.match(text, end) or _AFTER.match(text, end) or _is_beside_person(text, start, end)
        )
        if known and len(names) < 5 and not text.endswith(_PLACED, 0, start):
            yield start, end
    elif given == 0 and (pair := _PAIR.match(text, end)) and is_given_name(pair["given"]):
        yield start, end


def _is_payee(surface: str) -> bool:
    """Whether the last word in capitals is a surname, no word of the language and no thing."""
    word = surface.split()[-1].title()
    return not (word in THINGS or word.lower() in COMMON or is_plain(word.lower()))


FAMILY = Family(
    name="full_name",
    rules=(
        Rule(
            name="full_name",
            type=EntityType.PERSON,
            regex=rf"[{UPPER}](?<![\w.@#/’'-].){refuse_leading(STARTERS)}(?:{LETTER}{{0,40}}+(?:(?:[-‐‑](?=[{UPPER}])|"
            rf"['’](?!s\b)){LETTER}{{1,40}}+){{0,5}}+)"
            rf"(?:{SPACE}(?:{PARTICLE}){{0,3}}+(?:{INITIALS}(?={SPACE}(?!{STARTER})[{UPPER}])|{CAP})){{0,6}}+",
            expand=_find_people,
            score=0.75,
        ),
        Rule(
            name="initial_surname",
            type=EntityType.PERSON,
            regex=rf"[{UPPER}](?<=[^\w.&/’'\n-].)(?<!\n[\s\d.].)[ehluy]?\.(?:[- ]?[{UPPER}]\.){{0,3}}+ (?:{PARTICLE})"
            rf"{{0,3}}+(?!{match_one_of(STARTERS)}\b)"
            rf"[{UPPER}]{LETTER}{{2,40}}+(?:[-‐](?=[{UPPER}]){LETTER}{{1,40}}+)?+(?: (?:{PARTICLE}){{0,3}}+{CAP})"
            rf"{{0,2}}+",
            shapes=("A.A", "A.-A", "A. A", "A. a", "Aa.A", "Aa.-A", "Aa. A", "Aa. a"),
            opens=True,
            check=lambda surface: not surface.startswith(_NO_INITIALS),
            score=0.7,
        ),
        # "TOLM/BRISCA MRS", as airlines write a passenger
        Rule(
            name="full_name",
            type=EntityType.PERSON,
            regex=r"(?<![\w/])[A-Z]{2,25}/[A-Z]{2,20}(?: [A-Z]{2,20}){0,2} ?(?:MR|MRS|MS|MISS|MSTR|DR)(?![\w/])",
            triggers=(" mr", " mrs", " ms", " miss", " mstr", " dr"),
            reach=60,
            score=0.85,
        ),
        # "FASTER PAYMENT  D OKONKWO  REF RENT": initials and a surname in the capitals of a bank
        Rule(
            name="initial_surname",
            type=EntityType.PERSON,
            regex=rf"[{UPPER}](?:(?<=[ \t]{{2}}.)|(?<=\t.)|(?<=FROM .)|(?<=TO .)|(?<=PAYEE .)|(?<=PAYMENT .)"
            rf"|(?<=TRANSFER .)|(?<=BGC .)|(?<=CREDIT .)|(?<=FP[IO] .)|(?<=BACS .)|(?<=[0-9] SO .)|(?<=TFR .))"
            rf"(?: ?[{UPPER}])? (?:MC |O['’])?[{UPPER}]{{4,20}}(?:-[{UPPER}]{{3,20}})?(?![\w&])",
            triggers=(
                "  ",
                "\t",
                "from ",
                "to ",
                "payee ",
                "payment ",
                "transfer ",
                "bgc ",
                "credit ",
                *("fpi ", "fpo ", "bacs ", " so ", "tfr "),
            ),
            reach=32,
            check=_is_payee,
            score=0.7,
        ),
    ),
    positive=(
        ("The letter came from Anna Hill.", ("Anna Hill",)),
        (
            "Yesterday Piotr Zawadka-Lis and Mehmet Öztekin met",
            ("Piotr Zawadka-Lis", "Mehmet Öztekin"),
        ),
        ("a book by Ludwig van der Heide", ("Ludwig van der Heide",)),
        ("the painter José de la Fuente y Sol", ("José de la Fuente y Sol",)),
        ("Jean-Luc Moreau's house", ("Jean-Luc Moreau",)),
        ("nurse Karen Dunmore found him", ("Karen Dunmore",)),
        ("Senator Barack Tolland spoke", ("Barack Tolland",)),
        ("his brother Zuqo and his wife, Anna, left", ("Zuqo", "Anna")),
        ("Dear Zelda,\nthank you", ("Zelda",)),
        ("Kind regards,\nTom Brill", ("Tom Brill",)),
        ("my name is Qwara Obelle", ("Qwara Obelle",)),
        ("a man named Oro Vantu", ("Oro Vantu",)),
        ("Name: Brisca Tolm", ("Brisca Tolm",)),
        ("represented by Dag Myr, a lawyer practising in Oslo", ("Dag Myr",)),
        ("Izra Quell, a lawyer practising in Bergen", ("Izra Quell",)),
        ("They saw Tarn Obrey, who was born in 1950", ("Tarn Obrey",)),
        ("It was said that Gorl Etvin was killed there", ("Gorl Etvin",)),
        ("Ana Reis, Zuq Bril and Tom Moss", ("Ana Reis", "Zuq Bril", "Tom Moss")),
        ("Tom and Sarah Boylan own it", ("Tom", "Sarah Boylan")),
        ("the judgment of J. Smithers and T.R. von Aust", ("J. Smithers", "T.R. von Aust")),
        ("Neighbour Zuqo will sign. Hey Dot, hi", ("Zuqo", "Dot")),
        ("Called Yolanda on Monday", ("Yolanda",)),
        ("6ZKQ4T TOLM/BRISCA MRS seat", ("TOLM/BRISCA MRS",)),
        ("low mood, dad Zuqo away, baby Oro well", ("Zuqo", "Oro")),
        ("Customer Beatriz rang. Tenant Saskia Tolm left", ("Beatriz", "Saskia Tolm")),
        ("03 Feb  FASTER PAYMENT  D OKONKWO  REF RENT", ("D OKONKWO",)),
        ("John F. Marlow and ANNA MARLOW", ("John F. Marlow",)),
    ),
    negative=(
        "Victoria Street and Alexander Hospital",
        "the George Marlow University",
        "He lives in New York and works in South Wales.",
        "Human Rights Watch said so.",
        "A. Background of the case\nB. Proceedings",
        "On Monday Norwegian Airlines was late",
        "The District Court and the Supreme Court agreed",
        "She spoke English and French.",
        "Article 5 of the Convention",
        "Anna",
        "Customer Service said so. The Patient Portal and User Guide. PATIENT REGISTRATION FORM",
        "He joined the U.S. Army in St. Louis.",
        "He was born in January and died in June.",
        "United Nations, who had been asked",
    ),
)
