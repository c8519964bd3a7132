"""People named by initials, as courts and clinics write them: "A.B.", "K. said", "X and Y", "the child GL"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from maskwise.detect.patterns._shapes import STARTER, STARTERS, UPPER
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType, possessive
from maskwise.text.plain_words import is_plain
from maskwise.text.word_lists import read_words

# Dotted letters that are no person: states, titles, forms of company, degrees, law reports, Latin.
_DOTTED = frozenset(
    (
        "U.S. U.K. E.U. U.N. U.S.A. U.S.S.R. D.C. P.O. B.C. A.D. Q.C. K.C. S.A. N.V. B.V. A.S. A.Ş. A.G. T.V. O.K. "
        "I.D. C.V. V.A.T. L.L.C. L.L.P. P.L.C. A.M. P.M. N.B. P.S. R.I.P. C.J. L.J. J.J. S.C. S.C.R. E.C.R. E.C. "
        "E.E.C. W.L.R. A.C. Q.B. Q.B.D. K.B. I.R. E.T.S. D.R. R.S.F.S.R. N.Y. L.A. C.I.A. F.B.I. I.R.A. R.U.C. B.B.C. "
        "H.M. H.R.H. M.P. Ph.D. B.A. J.D. S.R.L. S.A.S. Z.O.O. O.O.O. R.A.F. I.Q. D.N.A. A.I. I.T. C.E.O. V.I.P. P.R. "
        "G.P. E.G. I.E. F.C. A.F.C. R.P.M. M.P.H. A.K.A. N.A. D.O.B. Sp.A."
    ).split()
)
# A letter after these words is a label, not a person.
_LABELS = frozenset(read_words("before_letters"))
_PEOPLE = frozenset(
    (
        "child children girl boy baby infant minor witness witnesses patient applicant son daughter brother sister "
        "mother father wife husband uncle aunt cousin nephew niece friend colleague partner girlfriend boyfriend "
        "victim suspect defendant claimant plaintiff officer soldier inmate prisoner detainee student pupil client "
        "named called man woman person expert judge doctor lawyer prosecutor policeman constable inspector sergeant "
        "nurse initial"
    ).split()
)
_NOT_PEOPLE = frozenset(
    "MP MEP ID UK US USA EU UN TV IT PC HIV VIP CEO DNA QC KC GP RUC BBC ICU ER DOB NHS VAT".split()
)

# What stands before a letter, lists of letters skipped: in "soldiers A, B and C" that is "soldiers" for each of them.
_OPENING = re.compile(r"(?:\A|\n|[.!?:;”\"]\s)[(\[“‘\"]?\Z")
_AGE_BEFORE = re.compile(r"(?:[0-9]|\b[Yy]\.?/?[Oo]\.?|\bold)[ -]?\Z")  # "61 yo M"
_PLAIN = possessive.compile(
    r"(?<![^\W\d_])(?!(?:and|or) )[^\W\d_]{2,20}+(?=,?[ \u00a0][(\[“‘\"]?\Z)"
)
_LISTED = possessive.compile(
    rf"(?:(?:\A|\n|[.!?:;”\"]\s)(?P<free>)|(?P<word>[^\W\d_]{{2,20}}+),?[ \u00a0])"
    rf"[(\[“‘\"]?(?:[{UPPER}]\.?(?:,| and| or|, and) |and |or ){{1,9}}+\Z"
)


def _read_head(match: re.Match[str]) -> tuple[bool, str]:
    """Returns whether the letter opens a sentence or a line, and the word before it otherwise."""
    before = match.string[max(0, match.start() - 48) : match.start()]
    if _OPENING.search(before[-4:] if len(before) > 4 else before):
        return True, ""
    if plain := _PLAIN.search(before[-24:]):
        return False, plain[0]
    listed = _LISTED.search(before) if before.endswith((", ", " and ", " or ")) else None
    return listed is not None and listed["word"] is None, (listed["word"] or "") if listed else ""


def _find_single(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """One letter is a person in running text, unless a label, a number or a name precedes it."""
    free, word = _read_head(match)
    letter, lower = match["m"], word.casefold()
    kinds = {lower, lower.rstrip("s")}
    if letter[0] == "I" or _is_sex(match) or _is_answer(match):
        return ()
    if free:
        # "A." to "H.", "I.", "V." and "X." number the headings of a document; "A" and "I" are words.
        start = match.start() == 0 or match.string[match.start() - 1] == "\n"
        ok = letter != "A" and not (start and match["end"] is not None)
    elif word[:1].isupper() and word not in STARTERS:
        ok = not kinds.isdisjoint(_PEOPLE)
    else:
        articles = ("the", "a", "an", "this", "each") if letter[-1] != "." else ()
        ok = bool(word) and kinds.isdisjoint(_LABELS) and word not in articles
    return (match.span("m"),) if ok else ()


def _is_sex(match: re.Match[str]) -> bool:
    """Whether the letter is the sex after an age: "61 yo M"."""
    before = match.string[max(0, match.start() - 6) : match.start()]
    return match["m"] in ("M", "F") and _AGE_BEFORE.search(before) is not None


def _is_answer(match: re.Match[str]) -> bool:
    """Whether the letter marks questions or answers of an interview: "Q. Who came? A. My aunt"."""
    other = {"Q.": "A. ", "A.": "Q. "}.get(match["m"])
    return other is not None and other in match.string


def _find_undotted(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """Two or three capitals are a person only where a word for a person says so."""
    _, word = _read_head(match)
    person = word.casefold().rstrip("s") in _PEOPLE
    return (match.span(),) if person and match.group() not in _NOT_PEOPLE else ()


# Who signs a form, and which trades sign one.
_SIGNERS = (
    "signed",
    "dictated",
    "typed",
    "transcribed",
    "entered",
    "checked",
    "reviewed",
    "approved",
    "verified",
    "witnessed",
    "prepared",
    "recorded",
    "completed",
    "administered",
    "initialled",
    "initialed",
    "initials",
    "nurse",
    "doctor",
    "registrar",
    "consultant",
    "clerk",
    "typist",
    "author",
    "operator",
    "inspector",
    "teacher",
    "tutor",
    "examiner",
    "assessor",
    "technician",
    "midwife",
    "carer",
)
_NOBODY = frozenset(
    "na n/a tbc tbd tba nil yes no off by me us we you all itv bbc app web api auto bot".split()
)
_VOWELS = frozenset("aeiouyAEIOUY")
_SIGN = rf"[{UPPER}a-z](?:[.-]{{0,2}}[{UPPER}a-z]){{1,3}}\.?"


def _find_signs(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """The initials behind a label, one by one: "AB/cd". Small letters count where they spell no word.

    Without a colon they must be such as no word has: "by pjm".
    """
    surface = match["m"]
    if not (surface.isupper() or match["colon"] or _VOWELS.isdisjoint(surface)):
        return
    for sign in re.finditer(_SIGN, surface):
        written = sign[0] if "." in sign[0][:-1] else sign[0].rstrip(".")
        plain = written.replace(".", "").replace("-", "")
        is_word = plain.lower() in _NOBODY or plain in _NOT_PEOPLE or is_plain(plain.lower())
        if not is_word and (plain.isupper() or plain.islower()):
            start = match.start("m") + sign.start()
            yield start, start + len(written)


FAMILY = Family(
    name="initials",
    rules=(
        # "Dictated by: AB/cd", "Typed: ks", "Ward nurse: RK", "reviewed by PJM"
        Rule(
            name="signed",
            type=EntityType.PERSON,
            regex=rf"(?<![\w-])(?i:{'|'.join(_SIGNERS)})(?: (?i:off ))?(?: ?(?i:by))?"
            rf"(?:(?P<colon>[ ]?[:=][ ]{{0,3}})|[ ])(?P<m>{_SIGN}(?:[ ]?/[ ]?{_SIGN}){{0,2}})"
            r"(?=[ \t]*(?:[,;)\n|]|\Z|\.(?:\s|\Z))|[ ](?:on|at)[ ])",
            triggers=_SIGNERS,
            opens=True,
            expand=_find_signs,
            score=0.75,
        ),
        Rule(
            name="dotted",
            type=EntityType.PERSON,
            regex=(
                rf"[{UPPER}](?<![\w.&/’'-].)(?<! an .)(?<! a .)[a-z]?\."
                rf"(?:(?:[-‐ ]?(?!{STARTER}[^.])[{UPPER}][a-z]?\.){{1,3}}+(?:[{UPPER}](?![\w.]))?|[{UPPER}](?![\w.]))"
                rf"(?![\w&/]|-\w)"
            ),
            shapes=("A.A", "A.-A", "A. A", "Aa.A", "Aa.-A", "Aa. A"),
            opens=True,
            check=lambda surface: surface.replace(" ", "").rstrip(".") + "." not in _DOTTED,
            score=0.8,
        ),
        Rule(
            name="single",
            type=EntityType.PERSON,
            regex=(
                rf"(?P<m>[{UPPER}](?<![\w.,&/’'@#$§°-].)(?:\.(?!\w)|(?!\.)))(?! v\.? |\]\w)"
                rf"(?:(?=['’]s\b|[,;:)\]”\"!?. ][^\S\n]?[a-z(–]|[,;:)\]”\"!?.]|\.? and\b)|"
                rf"(?P<end>(?=\s*\Z|\n|\s{STARTER})))"
            ),
            shapes=tuple("A" + end for end in " .,;:!?)]'\"~"),
            opens=True,
            expand=_find_single,
            score=0.65,
        ),
        Rule(
            name="bare",
            type=EntityType.PERSON,
            regex=rf"[{UPPER}](?<![\w.&/’'@#$§-].)[{UPPER}]{{1,2}}+(?![\w.&/-]| [{UPPER}])",
            shapes=("AB",),
            opens=True,
            expand=_find_undotted,
            score=0.6,
        ),
    ),
    positive=(
        ("The complaint of A.B. was dismissed.", ("A.B.",)),
        ("He met J.-P.K. and M.N.O., his aunt", ("J.-P.K.", "M.N.O.")),
        ("They found that K. had lied to S. about it.", ("K.", "S.")),
        ("subject 017 (initials RTV, f, 62)", ("RTV",)),
        ("The girl told X and Y everything", ("X", "Y")),
        ("Soldiers A, B and C fired", ("A", "B", "C")),
        ("the testimony given by X was credible", ("X",)),
        ("a letter from W.’s mother", ("W.",)),
        ("the child GL lived with her aunt", ("GL",)),
        ("L.D and O.P testified", ("L.D", "O.P")),
        ("It was lent to Ş.Ç. by witness Z.", ("Ş.Ç.", "Z.")),
        ("Later H. was released. R. stayed.", ("H.", "R.")),
        ("a priest (Ó.) lived there", ("Ó.",)),
        ("He kidnapped A and hid him", ("A",)),
        ("the case against M. The court", ("M.",)),
        ("the expert, P.Q., was heard", ("P.Q.",)),
        ("X stated that he knew T.", ("X", "T.")),
        ("Dictated by: AB/cd", ("AB", "cd")),
        ("Signed: W.O-L / jtm", ("W.O-L", "jtm")),
        ("Ward nurse: RK\nTyped: ks", ("RK", "ks")),
        ("scan reviewed by PJM on Monday", ("PJM",)),
        ("checked by jtm.", ("jtm",)),
        ("the 61 letters of M. and F. in court", ("M.", "F.")),
    ),
    negative=(
        "He lived in the U.S. and the U.K. for years",
        "a 61 yo M s/p bypass, 70 F with gout, a 44-year-old M on rest",
        "Q. Who was it? A. My aunt. Q. And then? A. He left.",
        "e.g. this, i.e. that, at 5 p.m.",
        "A man and a woman. I saw them.",
        "A. Background\nB. The facts\nI. THE LAW",
        "vitamin C and hepatitis B",
        "categories A, B and C",
        "R. v. Crown, and R v Crown",
        "20 C and 5 V",
        "the X axis and the Y chromosome",
        "Annex B to the contract",
        "the BBC and NATO, a woman MP",
        "He was a Q.C. with a Ph.D. degree and an M.A. in law",
        "No. 5, block D, flat B",
        "Widget S.A. and Gadget B.V.",
        "Signed: yes, checked: no, typed: n/a",
        "It was reviewed by us and approved by the BBC",
        "Author: NHS",
    ),
)
