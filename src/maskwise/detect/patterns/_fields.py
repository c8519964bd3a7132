"""Pieces for fields of forms, tables and logs: a label, what stands between it and its value, and where that ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.patterns._labels import EDGE
from maskwise.detect.patterns.rule import Expand, Rule
from maskwise.text import EntityType
from maskwise.text.label_words import WORDS as LABELS
from maskwise.text.plain_words import is_plain

# Between a label and its value: "Name: ", "name=\"", "Name | ", a tab.
GAP = r"[\"'*]{0,2}(?:[ \t]{0,4}[:=|>]{1,2}[ \t]{0,8}|[ ]?\t[ \t]{0,4})[\"'*]{0,2}"
# What every such gap holds, which most prose does not.
GAP_SIGN = r"[:=|>\t]"
# A word of a name, with its hyphens, apostrophes and full stop.
WORD = r"[^\W\d_](?:[^\W\d_]|['’‑-](?=[^\W\d_])){0,24}\.?"
# A field ends with its line, a quote or a sign between fields; in a log, where the next key begins.
END = r"(?=[\"]|['*]{0,2}(?:[ \t]{0,8}(?:[\n\r|;,<>)\]\t]|\Z|\()|[ \t]{1,8}[A-Za-z_]{1,20}=))"
NONE = (
    r"(?!(?i:none|null|n/?a|unknown|not|yes|no|true|false|same|see|is|was|of|the|and|required|withheld|redacted)"
    r"(?!\w))"
    # A witness who answers: "Witness: Yeah. It was him".
    r"(?!(?i:it['’]?s|u[hm]+|hmm|yeah|yep|okay|ok|thanks?|sorry|please|hello|what|where|when|did|does|could|well)"
    r"(?![\w-])(?!,?[ ][A-Z][a-z]+[ \t]*(?:\n|\Z))|(?i:i(?:['’](?:m|d|ve|ll))?)(?![\w.-])(?=[ ][a-z]))"
)


def split_labels(text: str) -> tuple[str, ...]:
    """The labels of a list, with semicolons or line ends between them."""
    parts = (part.strip() for line in text.splitlines() for part in line.split(";"))
    return tuple(part for part in parts if part)


def build_labels(words: Iterable[str], after_sentence: bool = False) -> str:
    """A label at the beginning of a field, with its number in a form ("9. Name:"), or of a key in a log.

    `after_sentence`: also one that a sentence stands before, in the same line.
    """
    sentence = r"|(?<=[a-z)][.;][ ])(?=[A-Z])" if after_sentence else ""
    place = rf"(?:(?<![\w.,-][ ])|(?<=[0-9][.)][ ])|(?=[\w-]{{1,30}}[\"']?=){sentence})"
    return rf"{EDGE}{place}(?i:{'|'.join(words)})(?:[ ]?[1-9])?(?![^\W_])"


def list_triggers(words: Iterable[str]) -> tuple[str, ...]:
    """The last word of each label: a trigger needs no more."""
    found: dict[str, None] = {}
    for word in words:
        for part in word.replace("(?:", "").replace(")", "").split("[ _-]?")[-1].split("|"):
            part = part.rpartition("<!state_of_")[2]
            found[part.removesuffix("s?").replace("[12]?", "").lower()] = None
    return tuple(word for word in found if word)


def build_field_rule(
    name: str,
    type: EntityType,
    labels: Iterable[str],
    value: str,
    *,
    end: str = END,
    reach: int = 64,
    score: float = 0.9,
    check: Callable[[str], bool] | None = None,
    certain: bool = False,
    after_sentence: bool = False,
    expand: Expand | None = None,
) -> Rule:
    """Builds the rule that reads the value of a field with one of these labels."""
    known = tuple(labels)
    return Rule(
        name=name,
        type=type,
        regex=rf"{build_labels(known, after_sentence)}{GAP}(?P<m>{value}){end}",
        triggers=list_triggers(known),
        needs=GAP_SIGN,
        reach=reach,
        score=score,
        check=check,
        certain=certain,
        expand=expand,
    )


def is_rare_word(word: str) -> bool:
    """Whether a word of a field may be a name: no word of the language, and no label."""
    low = word.rstrip(".").lower()
    return not (is_plain(low) or low in read_words("usual_words") or low in LABELS or len(low) < 2)
