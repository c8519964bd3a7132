"""How a phrase is fitted to the place of a mention: article, preposition, capital, possessive.

Only the mention is rewritten; `mask.articles` corrects an "a" or "an" before it afterwards. So a phrase drops its
article after a determiner and takes the wording that reads well after a preposition.
"""

from __future__ import annotations

import re

from maskwise.mask.articles import has_vowel_sound
from maskwise.text import EntityType, Level, Mention

_SHORT = r"(?:nos?|nr|tel|art|para|pp?|vs?|approx|ca?|dr|mrs?|ms|prof|st|[a-z])"  # words that a stop does not end
_BEFORE = re.compile(r"([^\W\d_]+(?:['’]s)?)[ \t\n\u00a0]+[\"“‘'(]?$")
_STOPPED = re.compile(rf"(?i)\b({_SHORT})\.[ \t\n\u00a0]*$")
_SENTENCE = re.compile(r"(?:^|[.!?][\"”')\]]*\s|\n\s*\n)\s*[\"“‘'(]?$")
_POSSESSIVE = re.compile(r"[^\W\d_]['’]s$")
_REACH = 40  # characters before a mention that tell its grammar
DETERMINERS = frozenset(
    "a an the this these those his her its their our my your whose some any each every no another".split()
)
_ARTICLE = re.compile(r"(?:an?|the) ")
_DESCRIBED = re.compile(
    rf"\b(?i:{'|'.join(sorted(DETERMINERS))}|[^\W\d_]+['’]s)\s(?:[a-z]{{2,}}(?:ed|ing)|(?:[\w-]+,?\s)?"
    r"(?:\w+-year-old|[A-Z]\w+(?:ans?|ish|ese|ic|st|im|jew|du|ch)|[a-z]{2,}(?:al|ous|ful|ish|less|ic|ive)"
    r"|young|old|elderly|blind|deaf|gay|poor|rich|tall))\s$"
)
_CLINICAL = frozenset(
    "severe chronic acute mild advanced congenital recurrent serious suspected untreated".split()
)
_MARKS = " ,(\"“‘'\n"  # what may stand between a mention and the words beside it
_LAST_STOP = re.compile(r"\b[ap]\.m\.$")  # an abbreviation's stop that may end a sentence too
_ENDED = re.compile(r"[\"”')\]]*(?:\Z|\n|\s+[\"“‘'(]?[A-Z])")
_NOUN_AFTER = re.compile(
    r"[ \u00a0](?!(?:and|or|but|nor|who|whom|whose|which|that|when|where|while|as|at|by|for|from|in|into|of|on|to|with"
    r"|without|since|until|after|before|because|if|is|was|were|are|be|been|has|had|have|did|does|will|would|could|can"
    r"|may|might|must|should|he|she|they|it|not|than|then|there|here|too|also|about|during|under|over)\b)[a-z]"
)


def add_article(phrase: str) -> str:
    """The phrase with its indefinite article.

    >>> add_article("application number"), add_article("European"), add_article("hour")
    ('an application number', 'a European', 'an hour')
    """
    article = "an" if has_vowel_sound(phrase) else "a"
    return f"{article} {phrase}"


def drop_article(phrase: str) -> str:
    """The phrase without its article."""
    found = _ARTICLE.match(phrase)
    return phrase[found.end() :] if found else phrase


def find_word_before(mention: Mention) -> str:
    """The word right before a mention, in lower case; empty at the start and after a full stop or a comma."""
    before = _read_before(mention)
    found = _BEFORE.search(before) or _STOPPED.search(before)
    return found[1].lower() if found else ""


def _read_before(mention: Mention) -> str:
    start = max(0, mention.start - _REACH)
    return mention.document.text[start : mention.start]


def fit_level(level: Level, mention: Mention) -> str:
    """What a level reads in the place of a mention."""
    text = _choose_wording(level, mention)
    text = _fit_article(text, mention)
    if _POSSESSIVE.search(mention.text) and not text.endswith(("'s", "’s")):
        text += mention.text[-2:-1] if text.endswith("s") else mention.text[-2:]
    if _LAST_STOP.search(mention.text) and _ENDED.match(mention.document.text, mention.end):
        text += "."
    if is_sentence_start(mention):
        return text[0].upper() + text[1:]
    return text


def _choose_wording(level: Level, mention: Mention) -> str:
    """The wording of a level that reads well after the word before the mention."""
    before = find_word_before(mention)
    if before in level.after:
        return level.after[before]
    if "'s" in level.after and _is_possessive(mention):
        return level.after["'s"]
    return level.text


def _fit_article(text: str, mention: Mention) -> str:
    """The wording without its article where the text has one before the mention, and with one where it needs one."""
    before = find_word_before(mention)
    is_determined = before in DETERMINERS or before.endswith(("'s", "’s"))
    if is_determined or _is_qualified(mention):
        return drop_article(text)
    if re.match(r"(?i:an?) ", mention.text) and not _ARTICLE.match(text):
        return add_article(text)
    return text


def _is_possessive(mention: Mention) -> bool:
    is_followed = mention.document.text.startswith(("'s", "’s"), mention.end)
    return is_followed or bool(_POSSESSIVE.search(mention.text))


def _is_qualified(mention: Mention) -> bool:
    """Whether a word describes it, with an article before: "a tall Lutheran", "his 40-year-old"; or "severe"."""
    if mention.type is not EntityType.DEM:
        return False
    if find_word_before(mention) in _CLINICAL:
        return True
    start = max(0, mention.start - _REACH)
    return bool(_DESCRIBED.search(mention.document.text, start, mention.start))


def is_standalone(mention: Mention) -> bool:
    """Whether no noun follows that a mention could describe: "a Kurd fled", not "a Kurdish farmer"."""
    return not _NOUN_AFTER.match(mention.document.text, mention.end)


def is_sentence_start(mention: Mention) -> bool:
    """Whether a mention stands where a capital does."""
    if mention.text[0].islower():
        return False
    before = _read_before(mention)
    return bool(_SENTENCE.search(before)) and not _STOPPED.search(before)


def is_said_beside(text: str, mention: Mention) -> bool:
    """Whether the words beside a mention say what `text` says: "the applicant, Mr Dal"."""
    phrase = drop_article(text.lower())
    around = mention.document.text
    start = max(0, mention.start - len(phrase) - 4)
    before = around[start : mention.start].lower().rstrip(_MARKS)
    if before.endswith(phrase):
        return True
    end = mention.end + len(phrase) + 8
    after = around[mention.end : end].lower().lstrip(_MARKS)
    word, _, rest = after.partition(" ")
    if word in DETERMINERS:
        return rest.startswith(phrase)
    return after.startswith(phrase)
