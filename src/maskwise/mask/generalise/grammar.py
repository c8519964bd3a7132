"""How a phrase is fitted to the place of a mention: article, preposition, capital, possessive.

Only the mention is rewritten; `mask.articles` corrects an "a" or "an" before it afterwards. So a phrase drops its
article after a determiner and takes the wording that reads well after a preposition.
"""

from __future__ import annotations

import re

from maskwise.mask.articles import has_vowel_sound
from maskwise.mask.generalise.frames import (
    SMALL,
    STOPPED,
    is_cell,
    is_in_heading,
    is_sentence_start,
    read_line,
)
from maskwise.mask.generalise.slots import (
    DETERMINERS,
    Slot,
    find_slot,
    has_determiner,
    has_indefinite,
    has_joined_adjective,
    has_noun_after,
    has_own_sign,
    is_adjective,
    is_after_place,
    is_possessive,
    is_subject,
    read_before,
)
from maskwise.text import Entity, EntityType, Level, Mention
from maskwise.text.english import MONTHS
from maskwise.text.person import strip_possessive

_PLURAL = re.compile(r"[^s'’]s$")
_JOINED = re.compile(r"\band (?:the )?$")
_PLURAL_VERB = re.compile(r"[ \u00a0](?:are|were|have|do)\b")
_BEFORE = re.compile(r"([^\W\d_]+(?:['’]s)?)[ \t\n\u00a0]+[\"“‘'(]?$")
_LONG = re.compile(
    r"\s(?:in|of|at|under|over|between|with|to)\s|,\s|^(?:in|of|about|between)\b|\btime$"
)
# What cannot stand before a noun; a range of dates or amounts can.
_LOOSE = re.compile(
    r"\s(?:in|of|at|under|over|between|with|or|and)\s|,\s|\bcertain\b|^(?:in|of|about|over|under|some|between|at)\b"
)
_MONTH = "|".join(MONTHS)
_LISTED = re.compile(r"(?:,|\band|\bor|&)\s+$")
_DATE_LIST = re.compile(
    rf"(?i)\b(on|since|until|by|from|in|between)\s(?:\d{{1,2}}(?:st|nd|rd|th)?|{_MONTH}|\d{{4}}|and|or|[\s,&])+$"
)
_ADJECTIVE = re.compile(  # after a determiner: "his Italian", "a 40-year-old"
    rf"\b(?i:{'|'.join(sorted(DETERMINERS))}|[^\W\d_]+['’]s)\s(?:[a-z]{{2,}}(?:ed|ing)"
    r"|(?:[\w-]+,?\s)?(?:\w+-year-old|[A-Z]\w+(?:ans?|ish|ese|ic|st|im|jew|du|ch)))\s$"
)
_LOOSE_TIME = re.compile(r"(?:a|an|the) |\d{4}$|[A-Z][a-z]+ \d{4}$")
_LED = re.compile(r"(?i)(?:in|on|at|by|from|since|until|between|during|after|before)\b")
_EITHER = re.compile(r"\w+ or \w+")
_ARTICLE = re.compile(r"(?:an?|the) ")
_CERTAIN = re.compile(r"^(?:(?:people|person) )?(?:of (?:a )?)?certain ")
_ADVERBS = ("only", "most", "such", "very")  # of the adjectives, where no determiner has them
_MARKS = " ,:(\"“‘'\n"  # what may stand between a mention and the words beside it
_ENDED = re.compile(r"[\"”')\]]*(?:\Z|\n|\s+[\"“‘'(]?[A-Z])")
_NAME_AFTER = re.compile(r"[ \u00a0][A-Z][a-z]")


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
    before = read_before(mention)
    found = _BEFORE.search(before) or STOPPED.search(before)
    return found[1].lower() if found else ""


def fit_level(level: Level, mention: Mention) -> str:
    """The text of a level in the place of a mention; empty where it cannot fill the slot."""
    text = _fill_slot(level, mention)
    if not text:
        return ""
    if has_own_sign(mention) and not text.endswith(("'s", "’s")):
        text += mention.text[-2:-1] if text.endswith("s") else mention.text[-2:]
    if mention.text.endswith(".") and not text.endswith(".") and not is_cell(mention):
        text += "." if _ENDED.match(mention.document.text, mention.end) else ""
    return _match_frame(text, mention)


def _fill_slot(level: Level, mention: Mention) -> str:
    slot = find_slot(mention)
    if slot is None or (slot is Slot.PHRASE and _is_of_another_kind(level, mention)):
        return ""
    if mention.type is EntityType.DEM and slot is Slot.PHRASE:
        return _fill_attribute(level, mention)
    if slot in (Slot.MODIFIER, Slot.COMPOUND):
        if level.loss < 1 or slot in level.forms:
            return write_form(level, slot)
        said = level.after.get(find_word_before(mention), "")
        return said if said.startswith("certain") else ""
    if not write_form(level, slot) and slot is not Slot.PHRASE:
        return ""
    text = _fill_phrase(level, mention)
    if slot is Slot.POSSESSIVE and not _can_own(text, mention):
        return ""
    return "" if _is_plural_subject(mention) and not text.endswith("s") else text


def _is_of_another_kind(level: Level, mention: Mention) -> bool:
    """Whether a name stands for a thing: "a yellow Volvo" is no company, but "a Regional Court" is a court."""
    if mention.type is not EntityType.ORG or not has_indefinite(mention):
        return False
    noun = drop_article(level.text).partition(" in ")[0].rpartition(" ")[2]
    return noun not in mention.text.lower()


def _can_own(text: str, mention: Mention) -> bool:
    """Whether the sign that follows fits: "a court's", "six weeks'", but not "the 1980s's"."""
    if _LONG.search(text):
        return False
    after = mention.document.text[mention.end : mention.end + 2]
    if after in ("' ", "’ "):  # of a name the sign is mended afterwards
        return text.endswith("s") or mention.type in (EntityType.ORG, EntityType.PERSON)
    return after not in ("'s", "’s") or not _PLURAL.search(text)


def _is_plural_subject(mention: Mention) -> bool:
    """Whether a verb says that a name in the plural names several: "the Maldives are"."""
    if mention.type not in (EntityType.LOC, EntityType.ORG) or not mention.text.endswith("s"):
        return False
    if _JOINED.search(read_before(mention)):  # "Germany and the Netherlands have"
        return False
    return bool(_PLURAL_VERB.match(mention.document.text, mention.end))


def write_form(level: Level, slot: Slot) -> str:
    """The wording of a level for a slot; empty where it has none.

    >>> write_form(Level("a regional court", 0.5), Slot.MODIFIER)
    'regional court'
    >>> write_form(Level("a city in Norway", 0.5), Slot.MODIFIER)
    ''
    """
    if slot in level.forms:
        return level.forms[slot]
    if slot is Slot.PHRASE:
        return level.text
    if slot is Slot.NAME:
        return ""
    if slot is Slot.POSSESSIVE:
        return "" if _LONG.search(level.text) else level.text
    return "" if _LOOSE.search(level.text) else drop_article(level.text)


def _fill_attribute(level: Level, mention: Mention) -> str:
    """An attribute of somebody, which may stand before a noun or a name: "an Italian farmer", "plumber Ola Dal"."""
    text = _fill_phrase(level, mention)
    if is_standalone(mention) and not _NAME_AFTER.match(mention.document.text, mention.end):
        return text
    if text.startswith("certain") or text == level.forms.get(Slot.MODIFIER):
        return text
    return "" if level.loss == 1 or _LOOSE.search(text) else drop_article(text)


def _fill_phrase(level: Level, mention: Mention) -> str:
    text = _fit_article(_choose_wording(level, mention), mention)
    if mention.type is not EntityType.DATETIME or not _LOOSE_TIME.match(text):
        return text
    is_led = _LED.match(mention.text) or not is_sentence_start(mention) or is_subject(mention)
    return text if is_led else add_preposition(text)


def add_preposition(time: str) -> str:
    """A time as an adverb: "in 2010", "on a day in May", "at a certain time"."""
    if re.search(r"\b(?:day|date|weekday)\b", time.partition(" in ")[0]):
        return f"on {time}"
    return f"at {time}" if re.search(r"\btime\b", time) else f"in {time}"


def _choose_wording(level: Level, mention: Mention) -> str:
    """The wording of a level that reads well after the word before the mention."""
    before = find_word_before(mention)
    if mention.type is EntityType.DATETIME and _LISTED.search(read_before(mention)):
        before = _find_list_head(mention)
    if before in level.after:
        return level.after[before]
    if is_possessive(mention):
        return level.forms.get(Slot.POSSESSIVE, level.text)
    if is_after_place(mention):
        return f"in {level.text}"
    if is_cell(mention) or read_before(mention).endswith("("):
        return level.text
    if is_in_heading(mention) and level.loss < 1:
        return level.text
    return level.forms.get(Slot.PHRASE, level.text)


def _find_list_head(mention: Mention) -> str:
    """The preposition that a list of dates begins with: "on 3 May, 4 June and 5 July"."""
    found = _DATE_LIST.search(read_before(mention))
    return found[1].lower() if found else find_word_before(mention)


def _fit_article(text: str, mention: Mention) -> str:
    """The wording without its article where the text has one before the mention, and with one where it needs one."""
    if not text:
        return ""
    before = find_word_before(mention)
    is_determined = before in DETERMINERS or before.endswith(("'s", "’s"))
    if is_determined or _is_qualified(mention):
        return drop_article(text)
    if re.match(r"(?i:an?) ", mention.text) and not _ARTICLE.match(text):
        return add_article(text)
    return text


def read_name(entity: Entity) -> str:
    """The longest mention without the ending of a possessive."""
    return strip_possessive(entity.longest.text)


def _match_frame(text: str, mention: Mention) -> str:
    """The wording in the letters of its frame: a cell of a table, a heading, the start of a sentence."""
    if is_cell(mention):
        text = _CERTAIN.sub("", drop_article(text))
        return text if mention.text[0].islower() else _capitalise(text)
    if is_in_heading(mention):
        text = _write_title(text)
        if not read_before(mention).strip(" ") or read_before(mention).endswith("\n"):
            text = _capitalise(text)
        return text.upper() if read_line(mention).isupper() else text
    return _capitalise(text) if is_sentence_start(mention) else text


def _capitalise(text: str) -> str:
    return text[0].upper() + text[1:]


def _write_title(text: str) -> str:
    words = text.split(" ")
    titled = [word if word in SMALL else _capitalise(word) for word in words]
    return " ".join(titled)


def _is_qualified(mention: Mention) -> bool:
    """Whether an adjective stands before it, which then has the article: "a tall Lutheran", "severe asthma"."""
    if mention.type in (EntityType.LOC, EntityType.PERSON, EntityType.CODE):
        return False
    before = find_word_before(mention)
    if mention.type is EntityType.DEM:
        is_joined = has_joined_adjective(mention) and has_determiner(mention)
        if is_joined or _ADJECTIVE.search(read_before(mention)):
            return True
    if before in _ADVERBS and not has_determiner(mention):
        return False
    return is_adjective(before)


def is_standalone(mention: Mention) -> bool:
    """Whether no noun follows that a mention could describe: "a Kurd fled", not "a Kurdish farmer"."""
    return not has_noun_after(mention)


def is_said_beside(text: str, mention: Mention) -> bool:
    """Whether the words beside a mention say what `text` says: "the applicant, Mr Dal"."""
    phrase = drop_article(text.lower())
    phrases = phrase.split(" or ") if _EITHER.fullmatch(phrase) else [phrase]
    return any(_is_beside(phrase, mention) for phrase in phrases if phrase)


def _is_beside(phrase: str, mention: Mention) -> bool:
    around = mention.document.text
    start = max(0, mention.start - len(phrase) - 4)
    before = around[start : mention.start].lower().rstrip(_MARKS)
    if re.search(rf"(?<!\w){re.escape(phrase)}$", before):
        return True
    end = mention.end + len(phrase) + 8
    after = around[mention.end : end].lower().lstrip(_MARKS)
    word, _, rest = after.partition(" ")
    if word in DETERMINERS:
        after = rest
    return bool(re.match(rf"{re.escape(phrase)}(?!\w)", after))
