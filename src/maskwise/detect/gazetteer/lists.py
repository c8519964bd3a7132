"""The word lists: their names, what a hit in each means, how a hit must be written, and how a list is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from maskwise.errors import BundleError, InputError, PolicyError
from maskwise.inputs import read_small
from maskwise.text import EntityType
from maskwise.text.folding import fold_case, fold_marks
from maskwise.text.subtypes import (
    CITY,
    COUNTRY,
    DISEASE,
    DRUG,
    ETHNICITY,
    EVENT,
    INSTRUMENT,
    LANGUAGE,
    LEGAL_REFERENCE,
    NATIONALITY,
    NEWSPAPER,
    OCCUPATION,
    OFFENCE,
    PARTY,
    RANK,
    REGION,
    RELIGION,
    SPORT,
    SYMPTOM,
)

Case = Literal["insensitive", "capitalised", "small", "exact"]

_LARGEST = 64 << 20  # bytes of a list of the user's
# The first column is the phrase.
_PHRASE = re.compile(r"^[^\t\n]+", re.MULTILINE)


def _split_cues(phrases: str) -> tuple[str, ...]:
    return tuple(f" {phrase.strip()}" for phrase in phrases.split(","))


# A name that is also a word or a surname is a place only after one of these: "in Reading", "near Nice".
_WHERE = _split_cues(
    "in, at, from, near, to, around, outside, towards, via, left, visited, between"
)
# A word that mostly names a role in a procedure is an attribute only where it is said of somebody: "was a lawyer".
_BEING = _split_cues(
    "is a, is an, was a, was an, be a, be an, being a, being an, as a, as an, became a, became an, become a, "
    "become an, former, retired, a trained, a qualified, worked as, works as, working as, employed as, served as, "
    "appointed, elected, deputy, acting, a senior, a junior, post of, position of, rank of, job of, profession of"
)
# A word that mostly says something else is an offence where somebody is held to have done it: "guilty of deception".
_ACCUSED = _split_cues(
    "convicted of, guilty of, accused of, suspected of, acquitted of, offence of, offences of, crime of, crimes of, "
    "count of, counts of, charge of, charges of, conviction for, convicted for, charged with, arrested for, "
    "sentenced for, prosecuted for, wanted for, indicted for, imprisoned for, tried for, fined for, on trial for, "
    "time for, jail for, jailed for, prison for"
)


@dataclass(frozen=True, slots=True)
class WordList:
    """A list and its rules.

    `case`: "insensitive"; "capitalised", the last word of the phrase must not begin with a small letter; "small", it
    must (nouns that are also surnames or stand in titles: "baker", "murder"); "exact", as listed. `plural`: the regular
    plural of the last word matches too. `after`: one of these folded phrases, each with a space before it, must stand
    right before. `hints`: what is written against the rule of its case is a hint ("norway").
    """

    name: str
    type: EntityType
    subtype: str
    score: float
    case: Case = "insensitive"
    plural: bool = False
    after: tuple[str, ...] = ()
    hints: bool = False
    own: tuple[str, ...] | None = None  # phrases of a list that the user adds

    @property
    def is_bundled(self) -> bool:
        return self.own is None

    def read_phrases(self) -> Sequence[str]:
        """The phrases as listed."""
        return _read_bundled(self.name) if self.own is None else self.own


_DEM, _LOC, _ORG, _MISC = EntityType.DEM, EntityType.LOC, EntityType.ORG, EntityType.MISC

# Scores say how often a hit is personal information in running text: names of places nearly always, symptoms at times.
# Where two lists know a phrase the earlier one wins.
BUNDLED: tuple[WordList, ...] = (
    WordList("countries", _LOC, COUNTRY, 0.95, "capitalised", hints=True),
    WordList("demonyms", _DEM, NATIONALITY, 0.95, "capitalised", plural=True, hints=True),
    WordList("religions", _DEM, RELIGION, 0.85, "capitalised", plural=True),
    WordList("ethnic_groups", _DEM, ETHNICITY, 0.8, "capitalised", plural=True),
    WordList("cities", _LOC, CITY, 0.8, "capitalised"),
    WordList("homonyms", _LOC, CITY, 0.6, "capitalised", after=_WHERE),
    WordList("regions", _LOC, REGION, 0.8, "capitalised"),
    WordList("languages", _DEM, LANGUAGE, 0.7, "capitalised"),
    WordList("attributes", _DEM, "attribute", 0.7, plural=True),
    WordList("orientation", _DEM, "orientation", 0.8, plural=True),
    WordList("ideologies", _DEM, "ideology", 0.7, plural=True),
    WordList("degrees", _DEM, "degree", 0.8, plural=True),
    WordList("degree_acronyms", _DEM, "degree", 0.8, "exact"),
    WordList("ranks", _DEM, RANK, 0.7, plural=True),
    WordList("occupations", _DEM, OCCUPATION, 0.7, plural=True),
    WordList("trades", _DEM, OCCUPATION, 0.7, "small", plural=True),
    WordList("procedural_roles", _DEM, OCCUPATION, 0.4, after=_BEING),
    WordList("diseases", _DEM, DISEASE, 0.8),
    WordList("disease_acronyms", _DEM, DISEASE, 0.8, "exact"),
    WordList("symptoms", _DEM, SYMPTOM, 0.5),
    WordList("newspapers", _ORG, NEWSPAPER, 0.8, "capitalised"),
    WordList("parties", _ORG, PARTY, 0.8, "capitalised"),
    WordList("universities", _ORG, "university", 0.85, "capitalised"),
    WordList("hospitals", _ORG, "hospital", 0.85, "capitalised"),
    WordList("organisations", _ORG, "organisation", 0.8, "capitalised"),
    WordList("companies", _ORG, "company", 0.7, "exact"),
    WordList("drugs", _MISC, DRUG, 0.6),
    WordList("awards", _MISC, "award", 0.8, "capitalised"),
    WordList("events", _MISC, EVENT, 0.8, "capitalised"),
    WordList("laws", _MISC, LEGAL_REFERENCE, 0.4, "capitalised"),
    WordList("ships", _MISC, "ship", 0.8, "exact"),
    WordList("offences", _MISC, OFFENCE, 0.7, "small", plural=True),
    WordList("offences", _MISC, OFFENCE, 0.7, "capitalised", plural=True, after=_ACCUSED),
    WordList("accusations", _MISC, OFFENCE, 0.7, "insensitive", after=_ACCUSED),
    WordList("sports", _MISC, SPORT, 0.5),
    WordList("instruments", _MISC, INSTRUMENT, 0.5, plural=True),
)


def choose_lists(
    names: Sequence[str] | None = None, without: Sequence[str] = ()
) -> tuple[WordList, ...]:
    """Returns the bundled lists of these names, or all for None, except those in `without`."""
    known = [source.name for source in BUNDLED]
    for name in (*(names or ()), *without):
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            raise PolicyError(f"gazetteer: no list {name!r}; {hint}")
    return tuple(s for s in BUNDLED if (names is None or s.name in names) and s.name not in without)


@dataclass(frozen=True, slots=True)
class UserList:
    """A list of the user's: one term per line in the file `path`; `#` begins a comment."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    path: str | Path
    type: EntityType
    subtype: str = ""
    case: Case = "exact"
    score: Annotated[float, Field(gt=0, le=1)] = 0.9


def read_user_list(given: UserList | Mapping[str, Any]) -> WordList:
    """Reads the file of a user's list. Returns its words with their rules."""
    try:
        item = TypeAdapter(UserList).validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][:1])
        raise PolicyError(f"gazetteer list: {where}: {first['msg']}") from None
    path = Path(item.path)
    subtype = item.subtype or path.stem
    return WordList(
        path.stem, EntityType(item.type), subtype, item.score, item.case, own=_read_user_file(path)
    )


def read_never_alone() -> list[str]:
    """Words that no bundled list may match on their own."""
    return _read_bundled("never_alone")


def is_given_name(word: str) -> bool:
    """Whether a word, written with a capital, is a common given name: "Anna", not "Green"."""
    return word in _read_given_names()


def is_country(name: str) -> bool:
    """Whether a name, in any case, is that of a country, with or without its article."""
    return _fold_name(name) in _read_names("countries")


def is_place(name: str) -> bool:
    """Whether a name, in any case, is that of a country, a region or a city."""
    folded = _fold_name(name)
    sources = ("countries", "regions", "cities", "homonyms")
    return any(folded in _read_names(source) for source in sources)


def _fold_name(name: str) -> str:
    return fold_marks(name).removeprefix("the ")


@cache
def _read_names(source: str) -> frozenset[str]:
    # Case is folded in one call, which is far faster than one call per name; few names have marks.
    names = fold_case("\n".join(_read_bundled(source))).split("\n")
    return frozenset(
        name.removeprefix("the ") if name.isascii() else _fold_name(name) for name in names
    )


@cache
def read_words(name: str) -> frozenset[str]:
    """The phrases of a bundled list as listed, for questions that need no place in a text."""
    return frozenset(_read_bundled(name))


@cache
def _read_given_names() -> frozenset[str]:
    return frozenset(_read_bundled("given_names"))


def _read_bundled(name: str) -> list[str]:
    folder = files("maskwise.bundle") / "gazetteers"
    for suffix in (".txt", ".tsv"):
        file = folder / (name + suffix)
        if file.is_file():
            return _PHRASE.findall(file.read_text("utf-8"))
    raise BundleError(
        f"gazetteer {name!r} is missing from the installed package; install maskwise again"
    )


def _read_user_file(path: Path) -> tuple[str, ...]:
    try:
        text = read_small(path, _LARGEST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"gazetteer list {path}: not UTF-8 (byte {error.start}); save it as UTF-8"
        ) from None
    except InputError as error:
        raise InputError(f"gazetteer list {error}; give a text file") from None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    phrases = [line.split("\t")[0].strip() for line in lines]
    for number, phrase in enumerate(phrases, 1):
        if phrase and phrase[0] != "#" and not any(map(str.isalnum, phrase)):
            raise InputError(f"gazetteer list {path}: line {number} has no letter or digit")
    kept = tuple(phrase for phrase in phrases if phrase and phrase[0] != "#")
    if not kept:
        raise InputError(f"gazetteer list {path}: has no phrase; write one a line")
    return kept
