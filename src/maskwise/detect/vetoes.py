"""Takes back what a model alone found and what structure or a list shows to be no personal information.

A model that learnt on judgments takes labels, headers, drugs, tests, software and the interjections of chats for names.
Here its guesses lose the labels in them, are cut at the edges of lines and cells (see `text.layout`), and fall where
a list knows every word of them. A title, or a full name elsewhere in the text, overrules the list: "Dr Parkinson".
What a pattern or a checksum supports is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from maskwise.detect.codes import has_family
from maskwise.detect.gazetteer.lists import is_given_name, read_words
from maskwise.text import Document, EntityType, Mention, Provenance
from maskwise.text.common_words import NAMED_WORDS
from maskwise.text.domain import Domain, get_domain
from maskwise.text.english import FUNCTION_WORDS, HONORIFICS
from maskwise.text.language import ENGLISH, get_language, is_small_word
from maskwise.text.layout import Layout, is_label, tells_kind
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import ACRONYM, CITY, CLINICAL, DIRECT

_LEARNT = (Domain.COURT, Domain.BIOGRAPHY)  # there the model knows better than a list
_NAMED = (EntityType.PERSON, EntityType.LOC, EntityType.ORG)
_WEAK = frozenset((ACRONYM, "time"))  # patterns that know a look, not a thing
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_LEFT = re.compile(r"\w")
_STOP = re.compile(r"(?<=[^\W\d_]{3})[.!?]\s+|\n")
_POSSESSIVE = re.compile(r"['’]s?\Z")
_TITLED = re.compile(
    rf"(?<!\w)(?:{'|'.join(sorted(HONORIFICS, key=len, reverse=True))}|nurse|doctor)\.?\s+\Z",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"[0-9][\w.,/%-]*|mg|mcg|ml|g|kg|mmhg|iu|units?|daily|bid|tid|p\.?r\.?n\.?|po|%", re.IGNORECASE
)
# Words of chats and speech. A guess that begins or ends with one goes on without it.
_CHATTER = frozenset(
    """
    omg lol lmao rofl brb wtf idk imo imho btw fyi asap tbh smh thx ty pls plz ok okay yeah yep yup nope nah um uh uhm
    hmm huh haha hahaha hehe aww ooh wow ugh hey hi hello bye cheers thanks sorry please well so yes no its it's im i'm
    rt via dm ps yay erm aww gon lt gt amp mum dad pps nb aka tba tbc tbd eta faq diy mums dads u ur gonna wanna gotta dunno ooo aob agm
    """.split()
)
_RUN = 4  # words of a name in another language
_GREETINGS = frozenset(
    """
    sehr geehrte geehrter liebe lieber mit freundlichen grüßen bonjour cher chère cordialement merci estimado estimada
    querido querida atentamente saludos gentile egregio cordiali saluti caro cara prezado prezada atenciosamente
    geachte beste vriendelijke groet groeten szanowny szanowna poważaniem hej hei hyvä vänliga hälsningar kære kjære
    vennlig hilsen hilsener terveisin vážený vážená pozdravem herr frau madame monsieur señor señora signor signora
    """.split()
)
# What a medical name ends with or stands before: "Bell palsy", "Tinel sign", "Foley catheter".
_HEADS = frozenset(
    """
    coma disease diseases syndrome sign test tests palsy catheter thyroiditis esophagus oesophagus position scale score stain
    maneuver manoeuvre procedure needle trocar cautery suture sutures clamp retractor fracture hernia cyst nodule
    phenomenon reflex reaction criteria classification staging grade gait tremor chorea ataxia lymphoma sarcoma tumor
    tumour carcinoma cancer anemia anaemia contracture deformity ulcer gland duct tube bag drain pouch loop incision
    approach repair operation anastomosis fundoplication hepatitis virus bacillus cells cell bodies body index formula
    solution lactate swab smear monitor rhythm block effusion edema oedema infection therapy treatment dose level levels
    count panel scan imaging ultrasound study studies negative positive dementia dystrophy neuropathy
    """.split()
)
_ENDING = re.compile(
    r"\w{3,}(?:itis|osis|emia|aemia|uria|ectomy|otomy|ostomy|oscopy|opathy|plasty|algia|plegia|rrhea|rrhoea|pril|sartan"
    r"|statin|olol|azole|cillin|mycin|floxacin|prazole|tidine|oxetine|azepam|zumab|ximab|umab|tinib|gliptin|gliflozin"
    r"|glutide|dipine|cycline|ovir|navir|parin|caine|sone|solone|azine|triptan|dronate|thiazide)"
)


def veto_guesses(document: Document, mentions: Sequence[Mention], layout: Layout) -> list[Mention]:
    """Returns the mentions without what layout and lists take back of guesses."""
    domain = get_domain(document)
    language = get_language(document)
    names = _collect_names(mentions)
    kept: list[Mention] = []
    for mention in mentions:
        if not _is_guess(mention):
            kept.append(mention)
            continue
        if language != ENGLISH and mention.source == Provenance.NEURAL:
            kept += _tame_guess(mention, language, layout)
            continue
        for piece in _split_guess(mention, layout):
            if domain in _LEARNT:
                kept.append(piece)
            elif not _is_vetoed(piece, domain, names, layout):
                kept.append(_mark_medical(piece))
    return kept


def _tame_guess(mention: Mention, language: str, layout: Layout) -> Iterator[Mention]:
    """Yields what stays of a guess in a language that the model does not know: runs of words that look like names.

    What the model takes for an attribute, an amount or a thing there is mostly a sentence.
    """
    if mention.type in (EntityType.DEM, EntityType.QUANTITY, EntityType.MISC):
        if not any(map(str.isdigit, mention.text)) or len(mention.text.split()) > _RUN:
            return
    for piece in _split_guess(mention, layout):
        words = list(_WORD.finditer(piece.document.text, *piece.span))
        run: list[re.Match[str]] = []
        for word in (*words, None):
            if word is not None and _looks_like_name(word[0], language):
                run.append(word)
                continue
            if run and len(run) <= _RUN:
                found = _take_piece(piece, run[0].start(), run[-1].end())
                if found is not None:
                    yield found
            run = []


def _looks_like_name(word: str, language: str) -> bool:
    is_cased = word[0] != word[0].lower() or word[0].lower() == word[0].upper()
    return is_cased and not is_small_word(word, language) and word.lower() not in _GREETINGS


def cut_at_edges(mentions: Iterable[Mention], layout: Layout) -> list[Mention]:
    """Returns the mentions in pieces that cross no edge of the layout. What a checksum proves stays whole."""
    kept: list[Mention] = []
    for mention in mentions:
        edges = () if mention.certain else layout.find_edges(*mention.span)
        if not edges:
            kept.append(mention)
            continue
        bounds = [mention.start, *edges, mention.end]
        kept += [
            piece
            for low, high in zip(bounds, bounds[1:], strict=False)
            if (piece := _take_piece(mention, low, high)) is not None
        ]
    return kept


def _is_guess(mention: Mention) -> bool:
    if mention.certain:
        return False
    if mention.subtype == CITY and mention.text in read_words("eponyms"):
        return True  # "Glasgow coma scale"
    is_asked = mention.source in (Provenance.NEURAL, Provenance.PATTERNS)
    return is_asked and (not has_family(mention) or mention.subtype in _WEAK)


def _split_guess(mention: Mention, layout: Layout) -> Iterator[Mention]:
    """Yields what stays of a guess outside labels and between edges."""
    cuts = sorted(
        (*layout.find_labels(*mention.span), *((e, e) for e in layout.find_edges(*mention.span)))
    )
    if not cuts:
        yield from _split_sentences(mention)
        return
    cursor = mention.start
    for start, end in (*cuts, (mention.end, mention.end)):
        piece = _take_piece(mention, cursor, start)
        if piece is not None:
            yield from _split_sentences(piece)
        cursor = max(cursor, end)


def _split_sentences(mention: Mention) -> Iterator[Mention]:
    """Yields a guess without chatter, and a name apart from the sentence before it: "Yeah. It was Ana Souza"."""
    bounds = [mention.start]
    if mention.type is EntityType.PERSON:
        stops = _STOP.finditer(mention.document.text, mention.start, mention.end)
        bounds += [
            stop.end() for stop in stops if not _is_shortened(mention.document.text, stop.start())
        ]
    bounds.append(mention.end)
    for low, high in zip(bounds, bounds[1:], strict=False):
        piece = _strip_chatter(mention, low, high)
        if piece is not None:
            yield piece


def _is_shortened(text: str, stop: int) -> bool:
    """Whether the word before a full stop is a title: "Prof. Ana Souza"."""
    word = text[:stop].rsplit(None, 1)[-1].lower() if stop else ""
    return word.strip("(\"'") in HONORIFICS


def _strip_chatter(mention: Mention, low: int, high: int) -> Mention | None:
    text = mention.document.text
    words = list(_WORD.finditer(text, low, high))
    is_cut = low > mention.start or high < mention.end
    first, last = 0, len(words)
    while first < last and _is_chatter(
        words[first][0], is_cut or mention.type is EntityType.PERSON
    ):
        first += 1
    while last > first and words[last - 1][0].lower() in _CHATTER:
        last -= 1
    if first == last:
        return None if words else _take_piece(mention, low, high)
    if (first, last) == (0, len(words)):
        return _take_piece(mention, low, high)
    end = words[last - 1].end() if last < len(words) else high
    start = words[first].start() if first else low
    return _take_piece(mention, start, end)


def _is_chatter(word: str, is_sentence: bool) -> bool:
    low = word.lower().replace("’", "'")
    return low in _CHATTER or (is_sentence and low in ("it", "was", "is", "this", "that"))


def _take_piece(mention: Mention, start: int, end: int) -> Mention | None:
    """The part of a mention between two places, without signs at its edges; None where no word is left."""
    if (start, end) == mention.span:
        return mention
    text = mention.document.text
    first = _LEFT.search(text, start, end)
    if first is None:
        return None
    opening = first.start()
    if opening > start and text[opening - 1] in "+([@#":
        opening -= 1
    surface = text[opening:end].rstrip(" \t\n,;:|")
    return replace(mention, start=opening, end=opening + len(surface), text=surface, value="")


def _collect_names(mentions: Iterable[Mention]) -> frozenset[str]:
    """The words of people's names that a pattern reads or that have a given name: these are nobody's software."""
    found: set[str] = set()
    for mention in mentions:
        if mention.type is not EntityType.PERSON:
            continue
        words = _WORD.findall(mention.text)
        if has_family(mention) or (len(words) > 1 and is_given_name(words[0].capitalize())):
            found.update(word.lower() for word in words)
    return frozenset(found)


def _is_vetoed(
    mention: Mention, domain: Domain | None, names: frozenset[str], layout: Layout
) -> bool:
    text = mention.document.text
    words = [_POSSESSIVE.sub("", word) for word in _WORD.findall(mention.text)]
    if not words or words[0].lower().rstrip(".") in HONORIFICS or _has_title(text, mention.start):
        return False
    is_name = mention.type in (*_NAMED, EntityType.MISC)
    if is_name and mention.subtype != DIRECT and len(words) == 1 and _is_plain(words[0]):
        return True
    if words[0] in read_words("software") and all(
        word in read_words("software") or _AMOUNT.fullmatch(word) for word in words
    ):
        return not any(word.lower() in names for word in words)
    if domain is Domain.CLINICAL and all(word in read_words("clinical_acronyms") for word in words):
        return True
    if mention.subtype != DIRECT and (
        _is_kind(mention, words, layout) or _is_made_of_labels(mention, words)
    ):
        return True
    if mention.type not in _NAMED or any(word.lower() in names for word in words):
        return False
    following = _WORD.match(text, mention.end + 1)
    return _is_medical(words, following[0].lower() if following else "", domain)


def _is_plain(word: str) -> bool:
    """Whether a single word is a letter or an ordinary word that nobody is called: "D", "Yay", "Just"."""
    low = word.lower()
    if len(word) == 1:
        return True
    return is_plain(low) and low not in NAMED_WORDS and not is_given_name(word.capitalize())


def _has_title(text: str, start: int) -> bool:
    return _TITLED.search(text, max(0, start - 16), start) is not None


def _is_kind(mention: Mention, words: Sequence[str], layout: Layout) -> bool:
    """Whether it is the value of a label that tells a kind: "Plan: Gold"."""
    if mention.type is EntityType.CODE or len(words) > 3 or any(map(str.isdigit, mention.text)):
        return False
    text = mention.document.text
    line = text.rfind("\n", 0, mention.start) + 1
    labels = list(layout.find_labels(line, mention.start))
    if not labels or text[labels[-1][1] : mention.start].strip(" \t:=|\"'*"):
        return False
    return tells_kind(text[slice(*labels[-1])])


def _is_made_of_labels(mention: Mention, words: Sequence[str]) -> bool:
    """Whether a form has every word as a label: "Human Resources", "Accounts"."""
    if mention.type not in (*_NAMED, EntityType.MISC) or not is_label(mention.text):
        return False
    return not any(word.lower() in _CALLED or is_given_name(word.capitalize()) for word in words)


def _mark_medical(mention: Mention) -> Mention:
    """Says of a guess that is no name that medicine knows its words, so that a policy may keep it."""
    if mention.type not in (EntityType.MISC, EntityType.DEM) or has_family(mention):
        return mention
    words = [_POSSESSIVE.sub("", word) for word in _WORD.findall(mention.text)]
    is_medical = mention.subtype != DIRECT and _is_medical(words, "", Domain.CLINICAL)
    return replace(mention, subtype=CLINICAL) if is_medical else mention


def _is_medical(words: Sequence[str], following: str, domain: Domain | None) -> bool:
    """Whether a list of drugs, diseases and tests knows every word, and one of them is hardly a surname."""
    if len(words) == 1 and is_given_name(words[0].capitalize()):
        return False
    eponyms = all(word in read_words("eponyms") for word in words)
    if eponyms:
        return (
            following in _HEADS
            or _ENDING.fullmatch(following) is not None
            or (domain is Domain.CLINICAL and len(words) == 1 and words[0] not in _SURNAMES)
        )
    is_known = False
    for word in words:
        low = word.lower()
        if low in _HEADS or low in _read_single() or _ENDING.fullmatch(low):
            is_known = True
        elif not (low in _read_parts() or low in FUNCTION_WORDS or _AMOUNT.fullmatch(word)):
            return False
    return is_known


# Words of labels that people are called.
_CALLED = frozenset(
    "page price gold silver ward host single marital sales case section guest chair open present part".split()
)
# Eponyms that are common surnames: alone they are more often a person, also in a clinic.
_SURNAMES = frozenset(
    "Bell Jackson Turner Wilson Weber Harrington Hawkins Huntington Kelly Murphy Stevens Stokes "
    "Douglas Gilbert Fowler Goldman Morton Parkinson Barrett Becker Addison Sims Ramsay Graves Willis".split()
)


@cache
def _read_single() -> frozenset[str]:
    """Diseases, symptoms, drugs and tests of one word that nobody is called."""
    sources = ("diseases", "symptoms", "drugs", "medical_terms")
    found = {
        phrase.lower() for source in sources for phrase in read_words(source) if " " not in phrase
    }
    return frozenset(
        word for word in found if len(word) > 3 and not is_given_name(word.capitalize())
    )


@cache
def _read_parts() -> frozenset[str]:
    """The words of longer names of diseases and tests."""
    phrases = (
        phrase
        for source in ("diseases", "symptoms", "medical_terms")
        for phrase in read_words(source)
    )
    found = {word.lower() for phrase in phrases if " " in phrase for word in _WORD.findall(phrase)}
    found |= {word.lower() for word in read_words("eponyms")}
    return frozenset(word for word in found if not is_given_name(word.capitalize()))
