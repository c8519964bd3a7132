"""Legal references: articles, sections and rules, acts, codes, conventions, European legislation. Policies keep them.

Orders, protocols and decisions with a number may be anybody's: they are a kind of their own.
"""

from __future__ import annotations

from maskwise.detect.patterns._shapes import (
    CAP,
    LETTER,
    STARTERS,
    UPPER,
    match_leading,
    match_one_of,
    refuse_leading,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import LEGAL_REFERENCE, NUMBERED_ORDER

_UNITS = (
    "Article Articles article articles Art Arts art Section Sections section sections Rule Rules rule Paragraph "
    "Paragraphs paragraph paragraphs Regulation Regulations regulation regulations Chapter chapter Schedule Clause "
    "clause subsection"
).split()
_LAWS = (
    "Act Code Convention Constitution Law Charter Treaty Ordinance Decree Directive Regulation Regulations Rules "
    "Statute Protocol Covenant Declaration Bill Order Agreement Basic"
).split()
_LOOSE = ("Order", "Basic", "Protocol", "Agreement")  # other things have these names too
_NUMBER = (
    r"\d{1,4}[a-z]?(?:[-./]\d{1,3}[a-z]?)*+(?: ?(?:§§?|para\.|paras\.) ?\d{1,3}[a-z]?)?(?: "
    r"?\([0-9a-zA-Z]{1,4}\))*+(?: (?:bis|ter))?"
)
_NUMBERS = rf"§{{0,2}} ?{_NUMBER}(?:(?:,| and| or| to|–|-| in conjunction with) ?(?:§ ?)?{_NUMBER}){{0,8}}+"
_LINK = r"(?:(?:of|and|on|for|to|the|in|against) ){0,3}"
_TITLE = rf"(?:{CAP} {_LINK}){{0,8}}?{match_one_of(_LAWS)}(?!{LETTER})"
_DATED = (
    r"(?:,? (?:of )?(?:\d{1,2} [A-Z][a-z]+ )?(?:1[6-9]|20)\d\d(?!\w))?(?: \(?(?:Law |Act )?[Nn]o\. \d{1,5}"
    r"(?:[/-]\d{2,4})?\)?)?"
    r"(?: (?:of|on|for) (?:the )?[A-Z]\w+(?: (?:and |of |the )*[A-Z]\w+){0,5})?"
)
# The same in small letters, where nothing but its last word shows a title.
_SMALL_LAWS = (
    "act code convention constitution law charter treaty ordinance decree directive regulations rules statute protocol "
    "covenant"
).split()
_SMALL_TITLE = (
    rf"(?:[a-z]{{2,20}} (?:(?:of|and|on) )?){{0,4}}?{match_one_of(_SMALL_LAWS)}(?!{LETTER})"
)
_SMALL_DATED = r"(?:,? (?:of )?(?:1[6-9]|20)\d\d(?!\w))?"
_OF_LAW = (
    rf"(?: \(?of (?:the )?{_TITLE}{_DATED}| of [Pp]rotocol [Nn]o\. \d{{1,2}}| of [Ll]aw [Nn]o\. [\d/-]+"
    rf"| of [Aa]rticle {_NUMBER}| of the {_SMALL_TITLE}{_SMALL_DATED})?"
)
_PROCEDURES = "procedure|obligations|justice"
_EU = r"(?:\((?:EU|EC|EEC|Euratom|eu|ec|eec|euratom)(?:, Euratom)?\) )?(?:[Nn]o\.? )?"

FAMILY = Family(
    name="legal",
    rules=(
        Rule(
            name=LEGAL_REFERENCE,
            type=EntityType.MISC,
            regex=rf"{match_leading(_UNITS)}\.?[ \u00a0]{_NUMBERS}{_OF_LAW}",
            triggers=(
                "article",
                "art. ",
                "arts. ",
                "section",
                "rule ",
                "rules ",
                "paragraph",
                "regulation",
                "chapter ",
                "schedule ",
                "clause ",
            ),
            opens=True,
            score=0.4,
            shouted=True,
        ),
        Rule(
            name=LEGAL_REFERENCE,
            type=EntityType.MISC,
            regex=(
                rf"[{UPPER}](?<![\w.@#/’'-].){refuse_leading(STARTERS)}{LETTER}{{0,40}}+(?:[-’']{LETTER}{{1,40}}+)"
                rf"{{0,5}}+ {_LINK}(?:{CAP} {_LINK}){{0,7}}?"
                rf"{match_one_of(w for w in _LAWS if w not in _LOOSE)}(?!{LETTER}| [{UPPER}]){_DATED}"
            ),
            triggers=(
                " act",
                " code",
                " convention",
                " constitution",
                " law",
                " charter",
                " treaty",
                " ordinance",
                " decree",
                " rules",
                " statute",
                " covenant",
                " declaration",
                " bill",
                " regulation",
                " directive",
            ),
            reach=200,
            score=0.4,
        ),
        Rule(
            name=LEGAL_REFERENCE,
            type=EntityType.MISC,
            regex=r"C(?<!\w.)(?:ode|onvention|onstitution|harter) (?:of|on|for) (?:the )?[A-Z]\w+(?: (?:and |of |"
            r"the |for )*[A-Z]\w+){0,6}",
            triggers=("code o", "convention ", "constitution o", "charter "),
            opens=True,
            score=0.4,
        ),
        Rule(
            name=LEGAL_REFERENCE,
            type=EntityType.MISC,
            regex=rf"t(?<!\w.)he (?P<m>{_SMALL_TITLE}(?:,? of)? (?:1[6-9]|20)\d\d(?!\w))",
            triggers=tuple(
                f"{law}{link}{figure}"
                for law in _SMALL_LAWS
                for link in (" ", " of ", ", of ")
                for figure in "12"
            ),
            reach=120,
            score=0.4,
            shouted=True,
        ),
        Rule(
            name=LEGAL_REFERENCE,
            type=EntityType.MISC,
            regex=rf"c(?<!\w.)ode of (?:[a-z]{{3,20}} ){{0,2}}(?:{_PROCEDURES})(?!{LETTER})",
            triggers=("code of ",),
            opens=True,
            score=0.4,
            shouted=True,
        ),
        Rule(
            name=LEGAL_REFERENCE,
            type=EntityType.MISC,
            regex=r"(?:[Ll]aw|[Aa]ct|[Dd]ecree|[Ll]egislative [Dd]ecree|[Dd]ecree-[Ll]aw|[Ii]nstitutional [Ll]aw) "
            r"[Nn]os?\. \d{1,5}(?:[/-]\d{2,4})?",
            triggers=(
                "law no",
                "act no",
                "decree no",
                "decree-law no",
                "legislative decree no",
                "institutional law no",
            ),
            opens=True,
            score=0.4,
            shouted=True,
        ),
        Rule(
            name=NUMBERED_ORDER,
            type=EntityType.MISC,
            regex=r"(?:Protocol|Ordinance|Order) [Nn]os?\. \d{1,5}(?:[/-]\d{2,4})?",
            triggers=("protocol no", "ordinance no", "order no"),
            opens=True,
            score=0.4,
        ),
        Rule(
            name=LEGAL_REFERENCE,
            type=EntityType.MISC,
            regex=rf"(?:[Dd]irective|[Rr]egulation|[Ff]ramework [Dd]ecision) {_EU}\d{{2,4}}/\d{{1,4}}"
            r"(?:/(?:EC|EEC|EU|JHA|CFSP|Euratom|ec|eec|eu|jha|cfsp|euratom))?",
            triggers=("directive ", "regulation ", "framework decision "),
            opens=True,
            score=0.4,
            shouted=True,
        ),
        Rule(
            name=NUMBERED_ORDER,
            type=EntityType.MISC,
            regex=rf"Decision {_EU}\d{{2,4}}/\d{{1,4}}(?:/(?:EC|EEC|EU|JHA|CFSP|Euratom))?",
            triggers=("decision ",),
            opens=True,
            score=0.4,
        ),
    ),
    positive=(
        ("under Article 146 § 1 of the Criminal Code.", ("Article 146 § 1 of the Criminal Code",)),
        ("section 8(2) of the Widgets Act 1998 applies", ("section 8(2) of the Widgets Act 1998",)),
        ("Rule 47 was applied", ("Rule 47",)),
        ("the Family Law Act 1996", ("Family Law Act 1996",)),
        (
            "Directive 95/46/EC and Regulation (EU) 2016/679",
            ("Directive 95/46/EC", "Regulation (EU) 2016/679"),
        ),
        ("Articles 6 § 1 and 13 of the Convention", ("Articles 6 § 1 and 13 of the Convention",)),
        ("Law no. 4483 and Protocol No. 11", ("Law no. 4483", "Protocol No. 11")),
        ("the Code of Criminal Procedure", ("Code of Criminal Procedure",)),
        ("Art. 5 of Law no. 12/98", ("Art. 5 of Law no. 12/98",)),
        ("sections 2, 3 and 4", ("sections 2, 3 and 4",)),
        ("the Trees and Hedges Act", ("Trees and Hedges Act",)),
        ("the Road Traffic Act of 5 May 1988", ("Road Traffic Act of 5 May 1988",)),
        ("the Convention on the Rights of Rivers", ("Convention on the Rights of Rivers",)),
        ("in conjunction with Article 14", ("Article 14",)),
        ("Regulation (EC) No 44/2001", ("Regulation (EC) No 44/2001",)),
        ("under section 8 of the widgets act 1998.", ("section 8 of the widgets act 1998",)),
        ("the road traffic act 1988 and law no. 12/98", ("road traffic act 1988", "law no. 12/98")),
        (
            "regulation (eu) 2016/679, article 4 of protocol no. 7",
            ("regulation (eu) 2016/679", "article 4 of protocol no. 7"),
        ),
        (
            "paragraph 4 of article 6 and the code of civil procedure",
            ("paragraph 4 of article 6", "code of civil procedure"),
        ),
        (
            "Article 5 § 4, Article 8 and Rule 44 § 1 (b)",
            ("Article 5 § 4", "Article 8", "Rule 44 § 1 (b)"),
        ),
    ),
    negative=(
        "an article about the law",
        "the section was closed",
        "The Act was passed. The Code applies.",
        "as a rule, 47 people",
        "a code of conduct",
        "a directive of the board",
        "in law and in fact",
        "paragraph by paragraph, chapter and verse",
        "The regulation of rivers is a matter of order.",
    ),
)
