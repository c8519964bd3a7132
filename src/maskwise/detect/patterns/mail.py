"""People in mails: the lists of addresses in headers, and the initials or the first name that sign.

`To: Souza, Ana; "Bo Berg" <bo@example.org>` names two people. A line of two or three capitals after "Thanks," signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType, possessive, word_lists
from maskwise.text.common_words import NEVER
from maskwise.text.layout import is_label
from maskwise.text.plain_words import is_plain

_HEADERS = (
    "From|To|Cc|CC|Bcc|BCC|Sender|Reply-To|X-From|X-To|X-cc|X-bcc|Von|An|De|Para|Attn|Present|Apologies"
    "|Attendees|In attendance|Absent|Chair|Chairperson"
)
_WORD = r"[^\W\d_][^\W\d_'’.-]*(?:['’.-][^\W\d_]+)*\.?"
_PART = rf"{_WORD}(?:[ ]{_WORD}){{0,3}}"
# "Ana Souza", "Souza, Ana B.": after a surname and a comma one or two words go on with the name.
_PERSON = possessive.compile(
    rf"(?<![\w@.<'-])(?:{_WORD},[ ]{_WORD}(?:[ ]{_WORD})?(?=[ \t]*(?:[;<\[(/\n\"']|$))|{_PART})(?![\w@])"
)
_ADDRESS = re.compile(r"<[^<>\n]*>|\[[^\]\n]*\]|\([^()\n]*\)|\S+@\S+")
_SENTENCE = re.compile(r"[^\W\d_]{3,}\. |[^\W\d_]: |[0-9]{2}")
_ENDINGS = frozenset(
    "regards thanks cheers best sincerely love thank unsubscribe end amen yours monday tuesday wednesday thursday"
    " friday saturday sunday please sent attachment confidential signature".split()
)
DEPARTMENTS = frozenset(word_lists.read_words("departments"))
# Bodies that act in minutes.
_NO_ACTORS = frozenset(
    "HR IT PR QA US UK EU UN WHO NHS FDA CEO CFO CTO COO GP AI PTA RE CC PS NB FYI ALL TBC TBA".split()
)
_NO_PEOPLE = NEVER | DEPARTMENTS
_CLOSING = (
    r"(?:[Rr]egards|[Ss]incerely|[Ff]aithfully|[Tt]ruly|[Ww]ishes|[Bb]est|[Tt]hanks|[Tt]hank you|[Cc]heers|[Tt]hx"
    r"|[Yy]ours|[Ll]ove|[Ss]igned|[Gg]rüße|[Cc]ordialement|[Ss]aludos|[Aa]tentamente|MfG|VG|LG)"
)
# Capitals that end a mail and sign nothing.
_NO_INITIALS = frozenset(
    "OK PS PPS NB FYI TBC TBA TBD ASAP EOM USA UK EU UN US AM PM THE END FW RE CC TO ID IT HR PR QA TV PC CV NO "
    "YES "
    "XX XXX XO EOF".split()
)


def _find_people(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The people of an address list, without their addresses."""
    text = match.string
    start, end = match.span("m")
    blank = _ADDRESS.sub(lambda found: " " * len(found[0]), text[start:end])
    if _SENTENCE.search(blank):
        return  # "CC: chest tightness. Hx: asthma" in a note
    for person in _PERSON.finditer(blank):
        words = person[0].replace(",", " ").split()
        known = [word.strip(".").lower() for word in words]
        if not any(len(word) > 1 and word in _NO_PEOPLE for word in known):
            yield start + person.start(), start + person.end()


def _is_signed(surface: str) -> bool:
    """Whether capitals at the end of a note are initials, no shorthand of clinics and offices."""
    return not (
        surface in _NO_INITIALS
        or surface in _NO_ACTORS
        or surface in read_words("clinical_acronyms")
        or is_label(f"{surface}:")
    )


def _is_signature(surface: str) -> bool:
    """Whether a word that ends a mail may be a name: no closing word, and none that everybody uses."""
    low = surface.lower()
    return low not in _NO_PEOPLE and low not in _ENDINGS and not is_plain(low)


FAMILY = Family(
    name="mail",
    rules=(
        Rule(
            name="name_field_header",
            type=EntityType.PERSON,
            regex=rf"(?:\A|\n)[> \t*]{{0,6}}(?:{_HEADERS})[*]?:[*]?[ \t]+(?P<m>[^\n]{{2,2000}})",
            triggers=tuple(f"{name.lower()}:" for name in _HEADERS.split("|")),
            reach=2100,
            expand=_find_people,
        ),
        Rule(
            name="name_field_signature",
            type=EntityType.PERSON,
            regex=rf"{_CLOSING}[,.!]?[ \t]*\n[> \t\n]{{0,8}}(?P<m>[A-Z](?:\.?[A-Z]){{1,2}}\.?)(?=[ \t]*(?:\n|\Z))",
            triggers=(
                *(
                    "regards",
                    "sincerely",
                    "faithfully",
                    "truly",
                    "wishes",
                    "best",
                    "thanks",
                    "thank you",
                    "cheers",
                ),
                *(
                    "thx",
                    "yours",
                    "love",
                    "signed",
                    "grüße",
                    "cordialement",
                    "saludos",
                    "atentamente",
                    "mfg",
                    "vg",
                    "lg",
                ),
            ),
            check=lambda surface: surface not in _NO_INITIALS,
        ),
        # A word alone on the last line, after a sentence and an empty line; or after a kiss.
        Rule(
            name="name_field_signature",
            type=EntityType.PERSON,
            regex=r"[.!?)\]][ \t]*\n[ \t]*\n[> \t]{0,4}(?:[Ll]ove,? |[Cc]heers,? |[-–—] ?)?"
            r"(?P<m>[A-ZÀ-Þ][^\W\d_]{1,14})[ \t]*[xX]{0,3}[ \t\n]*\Z",
            check=_is_signature,
        ),
        Rule(
            name="name_field_signature",
            type=EntityType.PERSON,
            regex=r"(?:(?<!\w)(?i:x{1,3}|cheers|thanks|love|ty|thx|regards|lg|vg|mfg|hugs(?: from)?|bises|bisous"
            r"|besos|saludos|grüße|gruß|groetjes|kram|klem|baci|abraços|beijos|pozdrawiam)[,!.]?|(?<=[.!?)] )[-–—]) ?"
            r"(?P<m>[A-ZÀ-Þ][a-zß-ÿ]{1,14})"
            r"(?: [xX]{1,3})?[.!]?\s*\Z",
            needs=r"[A-ZÀ-Þ][a-zß-ÿ]{1,14}(?: [xX]{1,3})?[.!]?\s*\Z",
            check=_is_signature,
        ),
        # The last line of a quoted or unquoted mail.
        Rule(
            name="name_field_signature",
            type=EntityType.PERSON,
            regex=r"[.!?)][ \t]*\n(?:[> \t]*\n)?[> \t]{0,4}(?P<m>[A-Z]{2,3})(?=[ \t]*(?:\Z|\n\s*\Z|\n[> \t]*\n|\n-))",
            check=lambda surface: surface not in _NO_INITIALS,
        ),
        # "Thx, P.", "Cheers\nT": one letter signs
        Rule(
            name="name_field_signature",
            type=EntityType.PERSON,
            regex=rf"(?<!\w){_CLOSING}(?:[,.!]|[ ]?[-–—])?[ \n]{{1,3}}(?P<m>[A-Z]\.?)(?=[ ]?[xX]{{0,3}}\s*\Z)",
            needs=r"[A-Z]\.?[ ]?[xX]{0,3}\s*\Z",
        ),
        # "msg left with reception. PJ": who ends a note
        Rule(
            name="name_field_signature",
            type=EntityType.PERSON,
            regex=r"(?<=[a-z0-9)][.!?] )[-–—]? ?(?P<m>[A-Z]{2,3})(?=[ \t]*\Z)",
            shapes=("AB",),
            reach=12,
            check=_is_signed,
        ),
        # "LK to email the firm": who acts after a meeting
        Rule(
            name="name_field_action",
            type=EntityType.PERSON,
            regex=r"(?:\A|\n|[.;:•*–-] )[ \t•*–-]{0,4}(?P<m>[A-Z]{2,3}(?:(?:/|, ?| and | & )[A-Z]{2,3}){0,3}) to"
            r" (?:e-?mail|write|call|ring|phone|order|send|check|review|chase|follow|confirm|contact|draft|arrange"
            r"|circulate|speak|ask|book|update|prepare|raise|look|provide|share|organise|organize|investigate|discuss"
            r"|liaise|speak|invite|report|fix|buy|bring|complete|finalise|finalize|set|add|create|obtain|collect)\b",
            triggers=(" to ",),
            needs="[A-Z]{2} to ",
            reach=32,
            check=lambda surface: surface not in _NO_ACTORS,
        ),
        # "C.Mc", "JO'B" alone at the end
        Rule(
            name="name_field_signature",
            type=EntityType.PERSON,
            regex=r"(?<=[.!?)\]\n][ \n])(?P<m>[A-Z]\.? ?(?:Mc|Mac|O['’])[A-Z]?)\.?(?=\s*\Z|[ \t]*\n)",
            needs="Mc|Mac|O['’]",
        ),
    ),
    positive=(
        ("To: Souza, Ana; Berg, Bo\n", ("Souza, Ana", "Berg, Bo")),
        ('From: "Ana Souza" <ana@example.org>', ("Ana Souza",)),
        ("Cc: Ana Souza, Bo Berg", ("Ana Souza", "Bo Berg")),
        ("X-To: Ana Souza [mailto:ana@example.org]", ("Ana Souza",)),
        ("> To: ana souza <a@example.org>", ("ana souza",)),
        ("Present: A. Berg (chair), Noor Haddad", ("A. Berg", "Noor Haddad")),
        ("Regards,\nAS", ("AS",)),
        ("See you.\n\nThanks\nBKL\n", ("BKL",)),
        ("> Could you send it?\n> MO\n", ("MO",)),
        ("I'll call from town.\n\nNiv\n", ("Niv",)),
        ("Chip in for the gift. Xx Bev", ("Bev",)),
        ("Actions: LK to email the firm; PA/BT to write.", ("LK", "PA/BT")),
        ("Review in 2/52. C.Mc", ("C.Mc",)),
        ("Left a message with reception. PJ", ("PJ",)),
        ("Passt! LG Vroni", ("Vroni",)),
        ("Will do. Thx, P.", ("P.",)),
        ("See you.\n\nCheers\nT xx", ("T",)),
    ),
    negative=(
        "CC: Chest tightness. Hx: asthma",
        "To: Support Team",
        "To: all staff",
        "To: Accounts <ap@example.org>",
        "From: info@example.org",
        "Thanks,\nOK",
        "I went to: the shop",
        "He takes no drugs. NKDA",
        "Seen in town. OK",
        "Notes: HR to confirm. The US to review it.",
        "Best to ask. \nThe End",
        "It works.\n\nThanks",
        "He plays the guitar - Loudly",
        "He won. Cheers, everybody",
    ),
)
