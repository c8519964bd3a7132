"""People beside a telephone number: "Call Ekaterini: 416 555 0177", "please ring Hope on 020 7946 0123".

A capitalised word between such a verb and a number is whom it reaches, whether or not a list knows the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.patterns._shapes import CAP, PARTICLE, STARTERS, match_one_of
from maskwise.detect.patterns.full_name import THINGS
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.detect.rare_names import is_rare_name
from maskwise.text import EntityType
from maskwise.text.common_words import COMMON, GENERIC, NAMED_WORDS
from maskwise.text.label_words import WORDS as LABELS
from maskwise.text.plain_words import is_plain
from maskwise.text.word_lists import read_words as read_rule_words

_KIN = frozenset(read_rule_words("kin_before_names"))
_NUMBER = r"(?=\+?\(?[0-9][0-9 ().-]{6,}[0-9])"
_NAME = rf"(?!{match_one_of(STARTERS)}\b){CAP}(?: (?:{PARTICLE})?{CAP}){{0,2}}"
# Whom one asks to be reached, in some languages.
_VERBS = (
    r"[Cc]all|[Rr]ing|[Tt]ext|[Pp]hone|[Cc]ontact|[Mm]essage|[Aa]sk(?: for)?|[Ee]-?mail|[Tt]ell|[Rr]each|[Pp]age"
    r"|[Aa]visar a|[Ll]lamar a|[Aa]ppeler|[Cc]ontacter|[Aa]nrufen|[Cc]hiamare|[Ll]igar para|[Bb]el"
)
_TRIGGERS = (
    *(
        "call ",
        "ring ",
        "text ",
        "phone ",
        "contact ",
        "message ",
        "ask ",
        "mail ",
        "tell ",
        "reach ",
        "page ",
    ),
    *(
        "avisar a ",
        "llamar a ",
        "appeler ",
        "contacter ",
        "anrufen ",
        "chiamare ",
        "ligar para ",
        "bel ",
    ),
)
_BODIES = frozenset(
    "us me him her them it reception office desk helpdesk hotline switchboard ward clinic surgery security police "
    "ambulance triage pharmacy lab emergency freephone sales support service services team centre center tel phone "
    "mobile fax home work cell day night evening office direct main general number local toll free "
    "deficit disorder court".split()
)


def _is_ordinary(word: str) -> bool:
    """Whether a word in small letters is in everybody's language and nobody is called so."""
    return (is_plain(word) or word in COMMON) and word not in NAMED_WORDS


def _is_complaint(word: str) -> bool:
    """Whether it is what a patient complains of, in the shorthand of clinics: "c/o SOB", "c/o N/V"."""
    return len(word) == 1 or word in read_words("clinical_acronyms")


def _find_people(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yields the name if no word of it is for a body, a thing or a label."""
    words = match["m"].replace("-", " ").split()
    low = [word.lower() for word in words]
    is_other = any(word in THINGS for word in words) or any(
        word in _BODIES or word in LABELS or word in GENERIC for word in low
    )
    if is_other or (len(words) == 1 and (_is_ordinary(low[0]) or _is_complaint(words[0]))):
        return
    yield match.span("m")


_SPECIALTIES = frozenset(
    "physio ortho renal cardio cardiology neuro resp gastro obs gynae paeds micro haem onc surg reg med psych derm ent"
    " radiology urology vascular palliative pharmacy dietitian dietician consultant charge ward bank night".split()
)


def _find_holder(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yields the name if what stands in brackets after it says what somebody does, or whose kin it is."""
    role = match["role"]
    is_role = role in _SPECIALTIES or role in _KIN or role.lower() in read_words("occupations")
    if (is_role or role.isupper()) and is_rare_name(match["m"]):
        yield match.span("m")


FAMILY = Family(
    name="contact_person",
    rules=(
        # "Call Ekaterini: 416 555 0177", "avisar a Paquita en el +34 600 000 123"
        Rule(
            name="name_contact",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?:{_VERBS}) (?:[Mm]y \w+ )?(?P<m>{_NAME})"
            rf"(?: (?:on|at|en el|au|unter|sul|em|op)|[:,]| [–-])? \(?{_NUMBER}",
            triggers=_TRIGGERS,
            opens=True,
            expand=_find_people,
            score=0.85,
        ),
        # "attention Luningning Tolm", "FAO Zuqo"
        Rule(
            name="name_contact",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?:(?:[Ff]or the )?[Aa]ttention(?: of)?|ATTN|[Aa]ttn|FAO|[Ff]ao|[Cc]/o|C/O|[Cc]are of)[.:]?"
            rf" (?P<m>{_NAME})",
            triggers=("attention ", "attention:", "attn", "fao", "c/o", "care of "),
            opens=True,
            expand=_find_people,
            score=0.8,
        ),
        # "D/w Kavanagh (renal)", "handed over to Quispe at 7": whom a note says to have spoken to
        Rule(
            name="name_contact",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?:[DdSs]/[Ww]|(?i:(?:discussed|spoke|seen|reviewed|agreed|liaised) (?:with|w/)|seen by"
            r"|reviewed by|referred by|under the care of|handed over to|bleeped|paged|signed by|assigned to))"
            rf" (?P<m>{CAP})(?![\w’'-]| [A-Z])",
            triggers=(
                "d/w ",
                "s/w ",
                " with ",
                " w/ ",
                " by ",
                "care of ",
                "over to ",
                "bleeped ",
                "paged ",
                "assigned to ",
            ),
            reach=80,
            check=is_rare_name,
            score=0.75,
        ),
        # "Adeyinka (physio)", "Tolm (renal)": a name with what somebody does there
        Rule(
            name="name_contact",
            type=EntityType.PERSON,
            regex=rf"(?<![\w.@/’'-])(?P<m>{CAP}) \((?P<role>[a-z]{{2,14}}|OT|GP|SHO|SpR|FY[12]|RN|SALT|HR|IT)\)",
            triggers=(")",),
            reach=48,
            expand=_find_holder,
            score=0.75,
        ),
    ),
    positive=(
        ("Call Ekaterini: 416-555-0177.", ("Ekaterini",)),
        ("please ring Zuqo on 020 7946 0123", ("Zuqo",)),
        ("avisar a Paquita en el +34 600 000 123", ("Paquita",)),
        ("to Tarlac, attention Luningning Tolm.", ("Luningning Tolm",)),
        ("FAO Zuqo, c/o Brisca Tolm", ("Zuqo", "Brisca Tolm")),
        ("ring Hope on 020 7946 0123", ("Hope",)),
        ("Text Brisca Tolm at (212) 555-0101", ("Brisca Tolm",)),
        ("D/w Zuqola, handed over to Brzeska at 7", ("Zuqola", "Brzeska")),
        ("Odalka (physio) and Zuqola (SHO) to see", ("Odalka", "Zuqola")),
    ),
    negative=(
        "Call Reception on 020 7946 0123",
        "It drew the attention of the Court. Attention Deficit Disorder.",
        "Call Us: 212-555-0101",
        "Contact Customer Services on 020 7946 0123",
        "Ask Zuqo for 12 pens",
        "67M c/o SOB and cough, C/o N/V",
        "D/w Cardiology, seen by Psychiatry, discussed with Radiology. Paged Surgery",
        "Cholesterol (total) and Weight (kg), Monday (night)",
        "call the office on 020 7946 0123",
    ),
)
