"""Reads the values of a column: the share of them that has the form of an address, a date, a name, a code."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise

from maskwise.text.folding import fold_words

_FORMS = {
    "email": r"[^@\s]+@[^@\s]+\.\w+",
    "url": r"(?:https?://|www\.)\S+",
    "ip": r"\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7}",
    "uuid": r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "mac": r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}",
    "iban": r"[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,4})?",
    "phone": r"\+?\(?\d[\d\s()./-]{6,}\d",
    "card": r"\d{4}(?:[ -]\d{4}){3}",
    "date": r"(?:1[5-9]|20)\d\d[-/](?:0?[1-9]|1[0-2])(?:[-/]\d{1,2})?"
    r"|\d{4}\.\d{1,2}\.\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{1,2}/\d{4}"
    r"|\d{1,2}\.? [a-zäöüé]{3,10}\.? \d{4}|[a-z]{3,9} \d{1,2}, \d{4}",
    "moment": r"\d{4}-\d{2}-\d{2}[t ]\d{1,2}:\d{2}\S*(?: ?[a-z+:0-9]+)?"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d{2}\S*",
    "number": r"[-+]?(?:(?:\d+|\d{1,3}(?:[,' ]\d{3})+)(?:[.,]\d+)?(?:e[-+]?\d+)?|\d{1,3}(?:\.\d{3})+,\d+) ?%?",
    "pair": r"\(?-?\d{1,3}\.\d{2,}\s*[,;/ ]\s*-?\d{1,3}\.\d{2,}\)?",
    "initials": r"(?:[^\W\d_]\.[ -]?){1,4}",
    "postcode": r"\d{2}-\d{3}|\d{5}(?:-\d{4})?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|\d{4} ?[a-z]{0,2}|\d{3} \d{2}",
    "road": r"\d{1,4}[a-z]?,? (?:[^\W\d_][\w'’.-]* ){1,3}(?:street|st|road|rd|lane|avenue|ave|drive|close|terrace"
    r"|crescent|gardens|mews)\b.*|[^\W\d_]{2,}(?:straße|strasse|gasse|weg|allee|gatan)\.? \d.*"
    r"|(?:rue|via|calle) [^\d]+\d.*",
    "street": r"(?:.*\b(?:st|street|road|rd|lane|avenue|ave|way|close|drive|square|court|place|row|hill|walk|flat|apt|"
    r"suite|rue|calle|via|ul|aleja|plac|piazza|place|boulevard|chemin|avenida|plaza|paseo|pasaje|c|viale|strada|"
    r"borgo|vicolo|contrada|canale|incrocio|rotonda|stretto)\b.*\d.*"
    r"|.*\d.*\b(?:st|street|road|rd|lane|avenue|ave|way|close|drive|square|court|place|row|hill|walk|rue|chemin|"
    r"boulevard|views?|mews|gardens?|crescent|passage|island|ports?|path|trail|ridge|points?|mountains?|fields?|"
    r"bridge|manors?|extensions?|estates?|parks?|greens?|groves?|junctions?|keys?|lakes?|land|locks?|mills?|rapid|"
    r"rapids|roads?|stream|streets?|summit|terrace|throughway|track|trace|turnpike|tunnel|valleys?|village|villes?)\b.*"
    r"|[^\d]*(?:straße|strasse|str\.|weg|allee|platz|gasse|ring|ufer|damm|veien|vegen|gata|gaten|vei|stien|bakken|"
    r"haugen|lia|tunet|moen|jordet|plass)\s?\d.*|.*[^\W\d_]{4,}.* \d{1,4}[a-z]?(?:/\d+)?|\d{1,5},? [^\W\d_].*)",
}
_PATTERNS = {name: re.compile(form, re.IGNORECASE) for name, form in _FORMS.items()}
_CODE = re.compile(r"(?=.*\d)[A-Z0-9][A-Z0-9 ./_#:-]*|(?=.*\d)[a-z0-9][a-z0-9_.-]*|[A-Z]{5,8}")
_NAME = re.compile(
    r"(?:[^\W\d_a-z][^\W\d_]*(?:[-'’. ]+|$)|(?:d|de|del|della|da|di|do|dos|van|von|der|den|la|le|y|i) )+"
)
_SURNAME_FIRST = re.compile(r"[^\W\d_a-z][^,\d]*, ?[^\W\d_a-z][^,\d]*")
_ORGANISATION = re.compile(
    r"\b(?:ltd|limited|inc|llc|plc|gmbh|ag|kg|ohg|mbh|co|corp|group|company|sarl|sas|sa|s\.a\.?|s\.l\.?|sl|slne|sll|"
    r"s\.l\.l\.|s\.c\.p\.|s\.coop\.|s\.com\.|spa|s\.p\.a\.?|srl|s\.r\.l\.?|snc|sp\. ?z|sp\.|z o\.?o|fundacja|"
    r"stowarzyszenie|gabinety|as|asa|da|ans|ab|oy|bv|nv|hospital|clinic|university|school|bank|council|society|trust|"
    r"foundation|institute|college|agency|stiftung|verein|e\.v|sons|and|prison|gaol|lab)\b\.?|\w-\w+ (?:ltd|and)|[&]",
    re.IGNORECASE,
)
_LISTS = {
    "country": ("countries.txt",),
    "given": ("given_names.txt",),
    "place": ("cities.tsv", "countries.txt", "regions.txt"),
    "attribute": (
        "demonyms.txt religions.txt occupations.txt trades.txt diseases.txt languages.txt ethnic_groups.txt "
        "offences.txt"
    ).split(),
}
_SENTENCE = re.compile(r"[a-zà-ÿ]{2,}\W+[a-zà-ÿ]{2,}")
_WHOLE = re.compile(r"\d+\.0+")
_NEARLY = 0.95
SAMPLE = 400  # values that are looked at


@cache
def read_words(name: str) -> frozenset[str]:
    """The phrases of the bundled lists that tell a kind, folded."""
    folder = files("maskwise.bundle").joinpath("gazetteers")
    found: set[str] = set()
    for file in _LISTS[name]:
        for line in folder.joinpath(file).read_text("utf-8").splitlines():
            phrase = line.split("\t")[0]
            if not phrase.startswith("#"):
                found.add(" ".join(fold_words(phrase)))
    return frozenset(found - {""})


@dataclass(frozen=True)
class ValueProfile:
    """The non-empty values of a column, as far as they were looked at."""

    values: tuple[str, ...]

    @classmethod
    def sample(cls, values: Sequence[str]) -> ValueProfile:
        """A profile of values from all over the column."""
        filled = [value.strip() for value in values if value and value.strip()]
        step = max(1, len(filled) // SAMPLE)
        return cls(tuple(filled[::step][:SAMPLE]))

    def drop_fractions(self) -> ValueProfile:
        """The same with whole numbers for "1001.0", as programs write numbers of a column with gaps."""
        if self.measure(_WHOLE.fullmatch) < _NEARLY:
            return self
        return ValueProfile(tuple(value.partition(".")[0] for value in self.values))

    def measure(self, test: Callable[[str], object]) -> float:
        """The share of the values that pass a test."""
        return sum(bool(test(value)) for value in self.values) / max(1, len(self.values))

    def match(self, form: str) -> float:
        """The share of the values that have a form."""
        return self.measure(_PATTERNS[form].fullmatch)

    def list(self, name: str) -> float:
        """The share of the values that stand in a bundled list."""
        words = read_words(name)
        return self.measure(lambda value: " ".join(fold_words(value)) in words)

    @cached_property
    def distinct(self) -> int:
        return len(set(self.values))

    @property
    def is_repeated(self) -> bool:
        """Whether few values occur again and again."""
        return self.distinct <= 12 or self.distinct <= len(self.values) / 5

    @property
    def coded(self) -> float:
        return self.measure(_CODE.fullmatch)

    @property
    def personal(self) -> float:
        """The share that holds a known given name and nothing but words of names."""
        known = read_words("given")
        return self.measure(
            lambda value: is_name_like(value) and any(w in known for w in fold_words(value))
        )

    @property
    def named(self) -> float:
        return self.measure(is_name_like)

    @property
    def corporate(self) -> float:
        return self.measure(_ORGANISATION.search)

    @property
    def worded(self) -> float:
        """The share that reads as running text."""
        return self.measure(lambda value: value.count(" ") >= 3 and _SENTENCE.search(value))

    @cached_property
    def digits(self) -> tuple[int, ...]:
        """The number of digits of each value, sorted."""
        return tuple(sorted(sum(map(str.isdigit, value)) for value in self.values))

    @property
    def is_counter(self) -> bool:
        """Whether whole numbers go up by one, or as evenly as a sample of such numbers does."""
        numbers = [int(value) for value in self.values if value.isdecimal()]
        steps = {after - before for before, after in pairwise(numbers)}
        return (
            len(numbers) > 1
            and len(steps) == 1
            and min(steps) > 0
            and len(numbers) == len(self.values)
        )

    @property
    def is_fixed_length(self) -> bool:
        """Whether nearly all numbers have as many digits as each other, and hardly any repeats or is round."""
        if not self.digits:
            return False
        middle = self.digits[len(self.digits) // 2]
        same = sum(length == middle for length in self.digits) / len(self.digits)
        is_rare = self.distinct >= 0.8 * len(self.values)
        round_share = self.measure(lambda value: value.endswith("00"))
        return middle >= 4 and same >= 0.95 and is_rare and round_share < 0.2


def has_form(value: str, form: str) -> bool:
    """Whether a value has a form, such as that of a number."""
    return _PATTERNS[form].fullmatch(value) is not None


def is_listed(value: str, name: str) -> bool:
    """Whether a value stands in a bundled list."""
    return " ".join(fold_words(value)) in read_words(name)


def is_surname_first(value: str) -> bool:
    """Whether a value has the form of a surname, a comma and given names: "LUND, EWA MARIA"."""
    return _SURNAME_FIRST.fullmatch(value) is not None and value.count(" ") <= 3


def is_name_like(value: str) -> bool:
    """Whether a value has nothing but words of a name.

    >>> is_name_like("van der Berg, Jan"), is_name_like("Paid in cash")
    (True, False)
    """
    if len(value) > 60:
        return False
    text = value if value[:1].isupper() else value[:1].upper() + value[1:]
    return bool(_NAME.fullmatch(text) or _SURNAME_FIRST.fullmatch(text))
