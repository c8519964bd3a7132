"""Finds phrases that may tell who a text is about though they name nothing: candidates for masks.

"One of two women who held that licence", "38th Governor", "is named after him", "salmon farm", "emigrated". A phrase
is masked whole, so that the sentence still reads. Together the phrases hold every word that is not plain (see
`plain_words`), so that whatever a text says can be hidden. A candidate stays unless the risk asks for its mask.

Each word has a tag (see `word_tags`), and the grammar is a regular expression over the tags of a text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from maskwise.detect.word_tags import BREAK, tag_word
from maskwise.text import Detection, Document, EntityType, Mention, Provenance
from maskwise.text.english import STOP_WORDS
from maskwise.text.folding import fold_word
from maskwise.text.layout import Layout, read_layout
from maskwise.text.numbers import read_number
from maskwise.text.plain_words import split_clitic
from maskwise.text.subtypes import PHRASE, SMALL_WORD, TELLING, USUAL_WORD
from maskwise.text.tokens import WORD
from maskwise.text.types import Span
from maskwise.text.usual_words import is_usual
from maskwise.text.word_lists import read_words

SCORE = 0.5
MOST = 6  # content words of a phrase
_FEW = 5  # of whom "one of the oldest" is true, where no number is told
WRAPPED = 60  # characters of a line that is broken to fit a page, not to end

# Words with which letters greet, ask and close, whoever writes them.
_FORM_WORDS = frozenset(read_words("form_words"))

# What stands between neighbours: one space, also after the genitive of a plural. Two spaces may part table cells.
_JOINT = re.compile(r"(?:(?<=[sS])['’])?[ \u00a0]")

# Expressions that tell by themselves. Their edges may be words that no other phrase begins or ends with.
_FIXED = re.compile(
    r"""
    \b(?: (?:re)?named\ (?:after|for)\ (?:him|her|them|me|us)
    | (?:bears?|bore|bearing|carr(?:y|ies|ied|ying))\ (?:his|her|their|my|our)\ name
    | [Nn]o\ (?:children|siblings|brothers\ or\ sisters)
    )\b
    """,
    re.VERBOSE,
)
_FIXED_TAG = "="

# The grammar. The names of tags are in `word_tags`.
_MODIFIER = "[acNkrgGy#]"
_CONTENT = "[acNkrgGy#TE]"
_ARTICLES = "[Dh]{0,2}"
_OWNER = "(?:[aN]?[gG])"
_OF = f"(?:z?o{_ARTICLES}{_CONTENT}{{1,5}})"  # of five children
_IN = f"(?:z?[fi]{_ARTICLES}{_CONTENT}{{1,5}})"  # in the county
_AT = f"(?:tD{_CONTENT}{{1,5}})"  # to the court
_DO = "(?:tz?[BMX]{0,2}[VvNac]|[wh]z?[BMXA]{0,2}[VvNc])"  # to win, who held, who ever held
_ACT = f"(?:z?{_DO}[ioP]?{_ARTICLES}{_CONTENT}{{0,5}})"  # who held that licence
_EVER = "(?:(?:D[acN]{1,3})?z[XVv])"  # the youngest mayor the town ever had
_SCOPE = f"(?:{_OF}|{_IN}|{_AT}|{_ACT}|{_EVER})"
_GRAMMAR = re.compile(
    rf"""
    (?P<fixed>=+)
    | (?P<ranked>
        (?P<rank>
          [1\#]o{_ARTICLES}{_OWNER}?(?: l?[\#q]{_CONTENT}{{0,4}} | [lmTE]{_CONTENT}{{1,3}} )  # one of two women
        | {_OWNER}?[\#q]?[TE](?:z(?={_CONTENT}))?{_CONTENT}{{0,3}}  # the county's oldest pharmacist
        | (?:{_OWNER}|(?<=[Dh]))[lm]{_CONTENT}{{1,3}}    # the only survivor
        | l\#{_CONTENT}{{0,4}}                            # only three women
        | 1k                                              # one daughter
        )
        {_OF}{{0,2}}(?:{_IN}{_OF}?)?(?:(?:{_ACT}|{_AT}|{_EVER}){_OF}?{_IN}?)?
      )
    | (?P<roled>
        (?P<role>
          {_MODIFIER}{{0,4}}[rk](?=[otf])                 # keeper of the lighthouse
        | (?:(?<=BD)|(?<=BAD)){_MODIFIER}{{1,4}}(?=o)     # was a pillar of the choir
        )
        {_SCOPE}
      )
    | (?P<verb>y{{0,2}}v)                                      # reluctantly emigrated
    | (?P<run>{_MODIFIER}{{1,6}})                              # open heart surgery
    """,
    re.VERBOSE,
)
_HEADS = {"ranked": "rank", "roled": "role"}  # the part of a phrase before its scopes
_ORDINARY = ("verb", "run")
_GENITIVES = "gG"
_SCOPE_AT = re.compile(_SCOPE)
_CONTENT_WORD = re.compile("[acNkrgGy#TEVvlm1q]")
_TELLING_WORD = re.compile("[NrgyT#v=]")
# Plain nouns that say nothing after "first" or "last" alone.
_VAGUE = frozenset(
    """
    time times half year years day days week weeks month months night morning evening name thing part point hand
    line page step stage person word question case letter
    """.split()
)

# What a word is often depends on the one before it. Each rule rewrites tags one by one.
_CONTEXT = (
    (re.compile("(?<=[^|])n"), "N"),  # the Main Event
    (re.compile("n(?=[NsejrgTE#])"), "a"),
    (re.compile("n"), "b"),
    (re.compile("(?<=[DhPofiETNsacgGkry#1qVvej])b"), "c"),  # the report
    (re.compile("(?<=[DhPofiETacgG#1q])x"), "c"),
    (re.compile("[bx]"), "V"),  # the witness claims
    (re.compile("(?<=[SwM])[Nsejr]|(?<=[SwM][Ay])[Nsejr]|(?<=Dk)s"), "v"),  # she sculpts
    (re.compile("s"), "N"),
    (re.compile("(?<=[DPofi#ETlmq1ga])e|(?<=[DPofi#ETlmq1ga]y)e"), "N"),  # a retired plumber
    (re.compile("(?<=[BX])j|(?<=[BX][Ay])j"), "v"),  # was farming
    (re.compile("e"), "v"),
    (re.compile("j"), "N"),
)


class Phrase(NamedTuple):
    """A span of a text that may be masked whole. `people` is how many it says it is true of; 0 where it does not."""

    start: int
    end: int
    subtype: str
    people: int = 0


@dataclass(frozen=True)
class PhraseDetector:
    """Offers phrases outside names as candidates for masks, which stay unless the risk asks for them.

    With `split`, everything but telling phrases is offered word by word, and plain and small words are offered too:
    fewer words have to go, and more can.

    >>> [m.text for m in PhraseDetector().detect([Document("She emigrated and ran a salmon farm.")])[0].mentions]
    ['emigrated', 'salmon farm']
    """

    name: ClassVar[str] = Provenance.PHRASES

    split: bool = False

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        return [self._detect(document) for document in documents]

    def _detect(self, document: Document) -> Detection:
        text = document.text
        kind, source = EntityType.MISC, self.name
        found = split_phrases(text) if self.split else find_phrases(text)
        mentions = []
        for start, end, subtype, people in found:
            value = str(people) if people else ""
            here = text[start:end]
            mention = Mention(document, start, end, here, kind, subtype, source, SCORE, value=value)
            mentions.append(mention)
        return Detection(tuple(mentions), read=len(document))


def split_phrases(text: str) -> Iterator[Phrase]:
    """Yields telling phrases whole and every other word, in order and apart.

    Stop words, words of form and labels are `small_word`, words that fit everybody `usual_word`.
    """
    layout = read_layout(text)
    end = 0
    telling = [phrase for phrase in find_phrases(text) if phrase.subtype == TELLING]
    for phrase in (*telling, None):
        start = len(text) if phrase is None else phrase.start
        for found in WORD.finditer(text, end, start):
            yield Phrase(*found.span(), _grade_word(found, layout))
        if phrase is not None:
            yield phrase
            end = phrase.end


def _grade_word(word: re.Match[str], layout: Layout) -> str:
    """Returns the subtype of a word that belongs to no telling phrase."""
    folded = fold_word(split_clitic(word[0])[0])
    is_form = folded in STOP_WORDS or folded in _FORM_WORDS
    if is_form or any(layout.find_labels(*word.span())):
        return SMALL_WORD
    return USUAL_WORD if is_usual(word[0]) else PHRASE


def find_phrases(text: str) -> Iterator[Phrase]:
    """Yields the phrases of a text, in order and apart."""
    spans = [match.span() for match in WORD.finditer(text)]
    words = [text[start:end] for start, end in spans]
    tags = _tag_text(text, spans, words)
    codes = np.frombuffer(tags.encode(), np.uint8)
    word_at = (np.cumsum(codes != ord(BREAK)) - 1).tolist()
    for first, end, subtype, is_scoped in _match_grammar(tags, words, word_at):
        last = word_at[end - 1]
        clitic = split_clitic(words[last])[1] if tags[end - 1] in _GENITIVES else ""
        people = _count_people(words[word_at[first] : last + 1]) if is_scoped else 0
        yield Phrase(spans[word_at[first]][0], spans[last][1] - len(clitic), subtype, people)


def _count_people(words: Sequence[str]) -> int:
    """Of how many people a rank with its scope is true: "one of two women who" says two, "the first to" says one."""
    if len(words) > 2 and words[0].lower() == "one" and words[1].lower() == "of":
        number = read_number(words[2])
        return int(number) if number and number > 1 else _FEW
    return 1


def _tag_text(text: str, spans: Sequence[Span], words: Sequence[str]) -> str:
    """The tags of all words, with a mark between two that are no neighbours."""
    parts = list(map(tag_word, words))
    starts = [start for start, _ in spans]
    for found in _FIXED.finditer(text):
        for at in range(bisect_left(starts, found.start()), bisect_left(starts, found.end())):
            parts[at] = _FIXED_TAG
    for at, ((_, end), (start, _)) in enumerate(pairwise(spans), 1):
        if not (_JOINT.fullmatch(text, end, start) or _is_wrapped(text, end, start)):
            parts[at] = BREAK + parts[at]
    tags = "".join(parts)
    for pattern, tag in _CONTEXT:
        tags = pattern.sub(tag, tags)
    return tags


def _is_wrapped(text: str, end: int, start: int) -> bool:
    """Whether the line break between two words only wraps a sentence: the line before it is long."""
    if text[end:start] != "\n" or not text[start].islower():
        return False
    return end - text.rfind("\n", 0, end) > WRAPPED


def _match_grammar(
    tags: str, words: Sequence[str], word_at: Sequence[int]
) -> Iterator[tuple[int, int, str, bool]]:
    """Yields begin, end and subtype of each phrase among the tags, and whether it is a rank with a scope."""
    end = 0
    while found := _GRAMMAR.search(tags, end):
        kind = found.lastgroup
        start, end = found.span()
        is_scoped = False
        if kind in _HEADS:
            head = found.end(_HEADS[kind])
            end = _limit_scopes(tags, start, head, end)
            is_scoped = kind == "ranked" and end > head
        if _TELLING_WORD.search(tags, start, end):
            yield start, end, PHRASE if kind in _ORDINARY else TELLING, is_scoped
        elif kind == "ranked" and not _is_vague(words[word_at[start] : word_at[end - 1] + 1]):
            yield start, end, TELLING, is_scoped


def _is_vague(words: Sequence[str]) -> bool:
    """Whether plain words with a rank say nothing: "first", "the last time"."""
    return len(words) == 1 or (len(words) == 2 and words[1].lower() in _VAGUE)


def _limit_scopes(tags: str, start: int, head: int, end: int) -> int:
    """Returns where a phrase ends that keeps as many whole scopes as its length allows."""
    left = MOST - len(_CONTENT_WORD.findall(tags, start, head))
    while head < end and (scope := _SCOPE_AT.match(tags, head, end)):
        left -= len(_CONTENT_WORD.findall(tags, *scope.span()))
        if left < 0:
            break
        head = scope.end()
    return head
