"""Writes `forenames.txt`: given names of many countries that are hardly anything else.

    python tools/build_forenames.py BIOGRAPHIES.jsonl.xz

The names come from Faker (MIT) and from the first words of the titles of English Wikipedia biographies (facts). A name
stays if English prose never writes it small, and if no place, language, drug, program or common word is called so.
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

from maskwise.detect.gazetteer.lists import read_words
from maskwise.text.common_words import COMMON, NAMED_WORDS
from maskwise.text.folding import strip_accents
from maskwise.text.plain_words import is_plain

OUT = Path(__file__).parents[1] / "src" / "maskwise" / "bundle" / "gazetteers" / "forenames.txt"
BORNE = 6  # biographies of people who are called so
PROSE = 12_000  # biographies that are read for words written small
NAME = re.compile(r"[A-ZÀ-ÖØ-ÞŁŚŻŽŠČŞİĐ][a-zà-öø-ÿāăąćčďđēęěğīıłńňőœřśşšťūůűźżžșț]{2,}")
# Lists of things that people are called after, or the other way round.
OTHERS = (
    "cities homonyms countries regions demonyms languages religions ethnic_groups software drugs diseases eponyms"
    " medical_terms never_alone instruments sports"
).split()
BRANDS = frozenset(
    "alexa siri cortana mercedes lexus chanel prada dior zara wendy denny domino kafka nike adidas puma asda aldi lidl"
    " tesco visa amex skype zoom slack jira okta azure alpha beta gamma delta omega echo nova luna lotus apollo titan"
    " atlas orion phoenix virgo leo gemini libra scorpio aries taurus zeus hermes mars venus saturn mercury barbie lego"
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


def read_titles(path: Path) -> tuple[set[str], Counter[str]]:
    """The first names that several titles begin with, and how often words stand in small letters in prose."""
    first: Counter[str] = Counter()
    small: Counter[str] = Counter()
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for number, row in enumerate(map(json.loads, lines)):
            words = row["title"].split()
            if len(words) > 1 and NAME.fullmatch(words[0]):
                first[words[0]] += 1
            if number < PROSE:
                small.update(re.findall(r"(?<![\w-])[a-zß-ÿ]{3,}(?![\w-])", row["text"]))
    return {name for name, count in first.items() if count >= BORNE}, small


def list_others() -> frozenset[str]:
    words = itertools.chain.from_iterable(read_words(name) for name in OTHERS)
    return frozenset(strip_accents(word.lower()) for word in words) | BRANDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("biographies", type=Path)
    args = parser.parse_args()
    titles, small = read_titles(args.biographies)
    others = list_others()
    given = read_words("given_names")
    kept = {
        name
        for name in (read_faker() | titles | given)
        if NAME.fullmatch(name)
        and (name in given or strip_accents(name.lower()) not in others)
        and not is_plain(name.lower())
        and name.lower() not in COMMON | NAMED_WORDS
        and small[name.lower()] < (40 if name in given else 4)
    }
    OUT.write_text("".join(f"{name}\n" for name in sorted(kept)), "utf-8")
    print(f"{len(kept)} names")


if __name__ == "__main__":
    main()
