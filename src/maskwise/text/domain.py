"""The kind of a text: a judgment, a life, a clinical note, a mail, a chat, or any other.

Annotators of judgments keep much that people outside courts would hide, and a clinic's words are no names. A policy may
therefore decide by the kind of text (`decide.domains`). It is read off the structure and the vocabulary of the
first
characters; the user may say it instead.
"""

from __future__ import annotations

import re
from enum import StrEnum

from maskwise.text.clinical import count_clinical
from maskwise.text.document import Document
from maskwise.text.layout import is_label

KEY = "domain"  # of a document's metadata
READ = 8_192  # characters that are looked at
LEGAL = 3  # words that a form may share with a judgment

_WORD = re.compile(r"[a-z]+")
_COURT = frozenset(
    """
    applicant applicants appellant respondent claimant plaintiff defendant defendants court courts judgment
    judgments
    judge judges tribunal proceedings prosecutor prosecution appeal appeals appealed cassation convention article
    articles detention trial hearing convicted conviction sentenced counsel offence remand ruling lodged dismissed
    quashed upheld criminal civil complaint complained alleged admissibility submissions remitted statutory
    """.split()
)
# Without one of these often enough a text with legal words is a letter, a news article or a life.
_COURT_HEADS = frozenset(
    "applicant applicants appellant respondent claimant plaintiff court judgment tribunal proceedings".split()
)
# A life told in the third person, as encyclopaedias and newspapers tell it.
_LIFE = frozenset(
    """
    born career graduated studied educated professor award awards awarded elected appointed served played film films
    album albums university degree director member married known became published novel books team season
    championship
    worked founded joined actor actress singer politician painter writer footballer player born died biography
    """.split()
)
_OWN = frozenset("my me im ive we our us mine".split())
_SHORT = 24  # words
_SURELY = 3  # words of a life
_THIRD = frozenset("he she his her him who".split())
_FIRST = frozenset("i you we my your our me us im u".split())
_DATES = re.compile(
    r"\([^()\n]{0,80}(?<![0-9])[12][0-9]{3}(?![0-9])[^()\n]{0,60}\),? (?:was|is) an? "
)  # also of a surgeon
_BIRTH = re.compile(  # "Ana Souza (born 3 May 1901) was a painter"
    r"\([^()\n]{0,80}(?<![0-9])[12][0-9]{3}(?![0-9])[^()\n]{0,60}\)(?:,[^.()\n]{2,60},)?,? (?:was|is) "
    r"|(?:was|is) born (?:in|on|at|to) "
)
_HEADER = re.compile(
    r"^[>|* \t]*(?:from|to|cc|bcc|sent|date|subject|reply-to|von|an|gesendet|betreff|de|para|objet"
    r"|asunto)[*]?:[ \t]",
    re.IGNORECASE | re.MULTILINE,
)
_GREETING = re.compile(
    r"^[> \t]*(?:dear|hi|hello|hey|good (?:morning|afternoon))\b[^\n]{0,60}[,:!-]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING = re.compile(
    r"^[> \t]*(?:(?:kind|best|warm|many)? ?(?:regards|wishes|thanks)|yours (?:sincerely|faithfully|truly)|sincerely"
    r"|cheers|thank you|love|best)[ \t]*[,.!]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_TURN = re.compile(
    r"^[ \t]*(?:\[?\(?[0-9]{1,2}[:.][0-9]{2}[^\n]{0,12}?[\])]?[ \t-]+|<)?([^\W\d_][\w.\- ]{0,24})(?:>|:)[ \t]+\S",
    re.MULTILINE,
)
_POST = re.compile(
    r"(?<!\w)(?:@\w{2,}|#\w{2,}|rt|omg|lol|lmao|wtf|brb|thx|pls|u|ur|im|dont|haha+|x{2,}|[:;]-?[()dp])(?!\w)",
    re.IGNORECASE,
)


class Domain(StrEnum):
    """The kind of a text, as far as a policy decides by it."""

    COURT = "court"
    CLINICAL = "clinical"
    MAIL = "mail"
    CHAT = "chat"
    BIOGRAPHY = "biography"
    GENERAL = "general"


LEARNT = (
    Domain.COURT,
    Domain.BIOGRAPHY,
)  # the bundled model learnt on these, and knows them better than a list


def get_domain(document: Document) -> Domain | None:
    """The kind that the line noted for a document; None where it was not looked for."""
    found = document.metadata.get(KEY)
    return None if found is None else Domain(found)


def recognise_domain(text: str) -> Domain:
    """Recognise the kind of a text by its structure, then by its words.

    >>> str(recognise_domain("Subject: lunch\\nTo: Ana Souza\\n\\nAre you free?"))
    'mail'
    >>> str(recognise_domain("Which dose of insulin does a patient with severe infection need?"))
    'clinical'
    """
    text = text[:READ]
    words = _WORD.findall(text.lower())
    if _is_judgment(words):
        return Domain.COURT
    if len(_HEADER.findall(text)) > 1 or (_GREETING.search(text) and _CLOSING.search(text)):
        return Domain.MAIL
    if _is_clinical(text, words) and not _DATES.search(text, 0, 200):
        return Domain.CLINICAL
    if _is_life(text, words):
        return Domain.BIOGRAPHY
    return Domain.CHAT if _is_chat(text) else Domain.GENERAL


def _is_judgment(words: list[str]) -> bool:
    legal = sum(map(_COURT.__contains__, words))
    heads = sum(map(_COURT_HEADS.__contains__, words))
    # A form of a few words asks for an applicant too.
    return heads > 1 and legal > LEGAL and legal * 35 > len(words)


def _is_clinical(text: str, words: list[str]) -> bool:
    found = count_clinical(text, words)
    if found and "?" in text and len(words) < _SHORT and not _OWN.intersection(words):
        return True  # a question of a sentence or two, not about the writer
    return (found > 1 and found * 12 > len(words)) or (found > 4 and found * 25 > len(words))


def _is_life(text: str, words: list[str]) -> bool:
    third = sum(map(_THIRD.__contains__, words))
    first = sum(map(_FIRST.__contains__, words))
    if first * 2 > third + 1:
        return False
    if _BIRTH.search(text, 0, 400):
        return True
    told = sum(map(_LIFE.__contains__, words))
    if told < _SURELY and _THIRD.isdisjoint(set(words) - {"who"}):
        return False  # a post says "everyone who does it" and tells of nobody else
    return told > 1 and told * 100 > len(words) and third * 80 > len(words)


def _is_chat(text: str) -> bool:
    lines = text.count("\n") + 1
    turns = sum(not is_label(speaker) for speaker in _TURN.findall(text))
    if turns > 2 and turns * 2 > lines:
        return True
    marks = len(_POST.findall(text))
    return marks > 0 and marks * 160 > len(text)
