"""Writes `forenames.txt`: given names of many countries that are hardly anything else.

    python tools/build_forenames.py BIOGRAPHIES.jsonl.xz

The names come from Faker (MIT), from the first words of the titles of English Wikipedia biographies, from the words
after "his daughter" and the like in their texts (facts), and from the bundled short forms. A name stays if English
prose never writes it small, and if no place, language, drug, program or common word is called so. A name that few
bear must be rarer as a surname.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import re
from collections import Counter
from pathlib import Path

from faker import Faker
from faker.config import AVAILABLE_LOCALES

from maskwise.detect.cutting import CHATTER
from maskwise.detect.gazetteer.lists import read_words
from maskwise.text import word_lists
from maskwise.text.common_words import COMMON, NAMED_WORDS
from maskwise.text.folding import strip_accents
from maskwise.text.label_words import WORDS as LABELS
from maskwise.text.plain_words import is_plain

OUT = Path(__file__).parents[1] / "src" / "maskwise" / "bundle" / "gazetteers" / "forenames.txt"
BORNE = 6  # biographies of people who are called so
SELDOM = 2  # of a name that is hardly a surname, or of relatives who are called so
SHORT = 3  # letters of a name that few bear, which may be anything
PROSE = 12_000  # biographies that are read for words written small
NAME = re.compile(r"[A-ZÀ-ÖØ-ÞŁŚŻŽŠČŞİĐ][a-zà-öø-ÿāăąćčďđēęěğīıłńňőœřśşšťūůűźżžșț]{2,}")
RELATIVE = re.compile(
    r"(?<!\w)(?:wife|husband|daughters?|sons?|brothers?|sisters?|married|mother|father|nephew|niece|cousin|aunt|uncle"
    rf"|grandson|granddaughter|children),? (?:named |called )?({NAME.pattern})(?: and ({NAME.pattern}))?"
)
# Lists of things that people are called after, or the other way round.
OTHERS = (
    "cities homonyms countries regions demonyms languages religions ethnic_groups software drugs diseases eponyms"
    " medical_terms never_alone instruments sports"
).split()
BRANDS = frozenset(
    "alexa siri cortana mercedes lexus chanel prada dior zara wendy denny domino kafka nike adidas puma asda aldi lidl"
    " tesco visa amex skype zoom slack jira okta azure alpha beta gamma delta omega echo nova luna lotus apollo titan"
    " atlas orion phoenix virgo leo gemini libra scorpio aries taurus zeus hermes mars venus saturn mercury barbie lego"
    " archduke archduchess infanta infante landgravine margrave tsar sultana reverend madame capt lieut smt shri sri"
    " don dona olympians episcopalian soundscape arboretum puerto sony kia hon"
    " swami babe buster smokey whitey rusty woody"
    " grooms olympian reed dyson grecia einstein lassie tommy eurydice saracen"
    " antipope pandit bahadur missy char cher vale lave bran bogus chica contessa cola candida curly dost garnet goldie"
    " kipling lolo mange napoleon pape peloponnesian passivus regis saladin shalom shun spas stanford tabby vena viva"
    " persis minty hilly corny churchill takeda jura brie pino stas nata valle tana seia lares mide mien milt toto"
    " tesla intel oracle cisco java python jenkins maven ansible kubernetes ubuntu debian fedora heroku amazon apple"
    " romeo juliet hamlet batman jesus christ allah buddha moses trojan saint santa april may june august monday friday"
    " sunday summer winter autumn easter noel salem eden bonus lady sir king queen prince princess duke earl baron"
    " madonna maria mother christian muslim dear hello sincerely regards team staff office".split()
)


def read_faker() -> set[str]:
    """The given names of all locales in Latin letters."""
    found: set[str] = set()
    for locale in sorted(AVAILABLE_LOCALES):
        for provider in Faker(locale).get_providers():
            for kind in ("first_names", "first_names_male", "first_names_female"):
                found.update(getattr(provider, kind, ()))
    return {name for name in found if NAME.fullmatch(name)}


def read_titles(path: Path) -> tuple[set[str], set[str], Counter[str]]:
    """Names that many titles begin with, names that few people bear, and how often prose writes words small."""
    first: Counter[str] = Counter()
    last: Counter[str] = Counter()
    kin: Counter[str] = Counter()
    small: Counter[str] = Counter()
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for number, row in enumerate(map(json.loads, lines)):
            words = row["title"].partition(" (")[0].split()
            if len(words) > 1 and NAME.fullmatch(words[0]):
                first[words[0]] += 1
            last.update(words[1:])
            kin.update({name for found in RELATIVE.findall(row["text"]) for name in found if name})
            if number < PROSE:
                small.update(re.findall(r"(?<![\w-])[a-zß-ÿ]{3,}(?![\w-])", row["text"]))
    known = {name for name, count in first.items() if count >= BORNE}
    rare = {
        name
        for name in first.keys() | kin.keys()
        if max(first[name], kin[name]) >= SELDOM and first[name] + kin[name] > last[name]
    }
    return known, rare - known, small


def read_short_forms() -> set[str]:
    """The bundled short forms of names, with capitals."""
    lines = (line.partition(":")[2].split() for line in word_lists.read_words("nicknames"))
    return {name.title() for line in lines for name in line}


def is_hardly_else(name: str, small: Counter[str]) -> bool:
    """Whether a name that few bear is no word of everyday texts, and none that prose writes small."""
    low = name.lower()
    is_usual = low in read_words("usual_words") or low in CHATTER or low in LABELS
    return len(name) > SHORT and small[low] < SELDOM and not is_usual


def list_others() -> frozenset[str]:
    words = itertools.chain.from_iterable(read_words(name) for name in OTHERS)
    return frozenset(strip_accents(word.lower()) for word in words) | BRANDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("biographies", type=Path)
    args = parser.parse_args()
    titles, rare, small = read_titles(args.biographies)
    rare = {name for name in rare | read_short_forms() if is_hardly_else(name, small)}
    others = list_others()
    given = read_words("given_names")
    listed = given | read_words("forenames")  # a name stays if a new list of things holds it too
    kept = {
        name
        for name in (read_faker() | titles | listed | rare)
        if NAME.fullmatch(name)
        and (name in listed or strip_accents(name.lower()) not in others)
        and not is_plain(name.lower())
        and name.lower() not in COMMON | NAMED_WORDS
        and small[name.lower()] < (40 if name in listed else 4)
    }
    OUT.write_text("".join(f"{name}\n" for name in sorted(kept)), "utf-8")
    print(f"{len(kept)} names")


if __name__ == "__main__":
    main()
