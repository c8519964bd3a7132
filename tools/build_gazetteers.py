"""Distil raw open lists into the compact gazetteers of the package. Same input, same bytes.

    python tools/build_gazetteers.py RAW_FOLDER TEXTS.jsonl.xz [--out src/maskwise/bundle/gazetteers]

RAW_FOLDER holds the lists that SOURCES.md names; `tools/gazetteers` holds closed-class lists written by hand, added to
the list of the same name. TEXTS (one JSON object a line, biographies with "title" and "text") only tells how names are
used: a city that is often written small ("reading") or seldom follows "in" or "from" ("jackson") becomes a homonym.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ahocorasick_rs import AhoCorasick, Implementation

from maskwise.detect.gazetteer.automaton import normalise_text

OWN = Path(__file__).parent / "gazetteers"
OFFENCES = Path(__file__).parent / "knowledge" / "offences.tsv"
DOCUMENTS = 40_000
LATIN = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ' .’()-]+")
LOCATIVE = frozenset("in at from near to outside".split())
SPOKEN = frozenset("language languages speaking speaker speakers dialect".split())
PEOPLE = frozenset(
    "people peoples tribe descent origin ancestry community heritage minority immigrants parents".split()
)

# The shape an entry must have to be what its noisy list says it is.
NEWSPAPER = (
    r"^(The )?[A-Z].* (Times|Post|News|Gazette|Herald|Tribune|Chronicle|Journal|Observer|Telegraph|Magazine"
    r"|Review)$"
)
PARTY = (
    r"^[^\d()]* .*(Party|Alliance|Front|Movement|Union|League|Labour|Coalition|Democrats)[^\d()]*$"
)
UNIVERSITY = r"(^University of|Universit|Institute of|College of|Polytechnic)"
HOSPITAL = r" .*(Hospital|Prison|Clinic|Medical Cent|Infirmary|Sanatorium)"
COMPANY = (
    r" (Ltd|Limited|Inc|Corporation|Group|Company|Bank|Airlines|Industries|Systems|Holdings|Railway|Insurance|AG|GmbH"
    r"|SA|plc|Records|Brewery|Motors)\.?$"
)
AWARD = r"\w .*\b(Award|Awards|Prize|Medal|Preis|Scholarship|Fellowship|Order of)\b"
EVENT = (
    r"^(Battle|Siege|Treaty|Operation|War) (of|in) "
    r"|^[^(]+ (War|Massacre|Uprising|Revolt|Revolution|Rebellion|Crisis|Conflict)$"
)
LAW = r"(\bAct\b|^Treaty of |\bConvention$|\bAgreement$|\bConstitution$)"
SHIP = r"^(HMS|USS|SMS|HMAS|HMCS|MV|SS|RMS|INS|USNS|HMNZS) [A-Z]\w+$"
CONDITION = r"(?i)(itis|osis|oma|emia|pathy|syndrome|disease|disorder|dystrophy)$"
DISEASE_HEAD = re.compile(r"[a-z]{2,}(itis|osis|oma|emia|aemia|pathy|plegia|algia|trophy|phobia)")
UNWIELDY = re.compile(r"[\d,()/]| (of|and|by|type) ")


@dataclass
class Usage:
    """How often folded phrases occur in the texts, how often capitalised, and how often then after a locative."""

    seen: Counter[str] = field(default_factory=Counter)
    capital: Counter[str] = field(default_factory=Counter)
    located: Counter[str] = field(default_factory=Counter)
    spoken: Counter[str] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)
    surname: Counter[str] = field(default_factory=Counter)

    @classmethod
    def count_uses(cls, phrases: Iterable[str], articles: Iterable[tuple[str, str]]) -> Usage:
        keys = sorted({normalise_text(p).strip() for p in phrases} - {""})
        automaton = AhoCorasick(
            [f" {k} " for k in keys], implementation=Implementation.ContiguousNFA
        )
        usage = cls()
        for title, text in articles:
            usage.surname.update(normalise_text(title).split("  ")[0].split()[1:])
            padded = f" {normalise_text(text)} ".replace("\n", " ")
            for number, start, end in automaton.find_matches_as_indexes(padded, overlapping=True):
                key = keys[number]
                usage.seen[key] += 1
                if text[padded.rfind(" ", start, end - 1)].isupper():
                    usage.capital[key] += 1
                    usage.located[key] += (
                        padded[padded.rfind(" ", 0, start) + 1 : start] in LOCATIVE
                    )
                    following = padded[end : padded.find(" ", end)]
                    usage.spoken[key] += following in SPOKEN
                    usage.people[key] += following in PEOPLE
        return usage

    def is_word(self, name: str) -> bool:
        """Written small too often to be a name wherever it is capitalised."""
        key = normalise_text(name)
        return self.seen[key] - self.capital[key] > max(2, 0.04 * self.seen[key])

    def is_homonym(self, name: str, share: float = 0.12) -> bool:
        """An ordinary word, or seldom used for a place; a name that people bear must be used so more often."""
        key = normalise_text(name)
        wanted = max(share, 0.25) if self.surname[key] > 1 else share
        return self.is_word(name) or (
            self.capital[key] >= 6 and self.located[key] < wanted * self.capital[key]
        )


class Raw:
    """The folder of raw lists."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read_lines(self, *names: str) -> list[str]:
        return [
            line.strip()
            for name in names
            for line in (self.folder / name).read_text("utf-8").splitlines()
            if line.strip()
        ]

    def read_rows(self, name: str) -> list[list[str]]:
        return [
            line.split("\t") for line in (self.folder / name).read_text("utf-8").split("\n") if line
        ]

    def read_shaped(self, shape: str, *names: str) -> list[str]:
        """Entries of noisy lists that look like what the lists should hold."""
        return [line for line in self.read_lines(*names) if re.search(shape, line)]


def read_own(name: str) -> list[str]:
    """A list written by hand, without its comments."""
    return [line for line in (OWN / name).read_text("utf-8").split("\n") if line and line[0] != "#"]


@dataclass
class City:
    name: str
    country: str
    population: int
    alternatives: list[str]


def read_cities(raw: Raw) -> list[City]:
    rows = raw.read_rows("cities15000.tsv")
    return [City(r[0], r[1], int(r[2] or 0), r[3].split("|") if len(r) > 3 else []) for r in rows]


def list_city_names(city: City) -> list[str]:
    """Main name, and alternatives in Latin script of large cities."""
    names = [city.name]
    if city.population >= 100_000:
        names += [a for a in city.alternatives if len(a) > 4 and a[0].isupper()]
    return [
        n.replace("’", "'") for n in names if len(n) > 2 and LATIN.fullmatch(n) and "(" not in n
    ]


def write_cities(raw: Raw, usage: Usage) -> dict[str, list[str]]:
    """Name, country and band (thousands of inhabitants, powers of ten) of the largest city of each name."""
    largest: dict[str, tuple[int, str, str]] = {}
    doubtful = set()
    main = {normalise_text(city.name) for city in read_cities(raw)}
    for city in read_cities(raw):
        for name in list_city_names(city):
            key = normalise_text(name)
            if key != normalise_text(city.name):
                if key in main or not usage.located[key] or usage.is_homonym(name, 0.1):
                    continue  # another city, or a name that English does not use
                if usage.is_homonym(name, 0.3):
                    doubtful.add(key)
            if key not in largest or city.population > largest[key][0]:
                largest[key] = (city.population, name, city.country)
    safe, homonyms = [], []
    never = set(read_own("never_alone.txt"))
    for key, (population, name, country) in largest.items():
        if key in never:
            continue
        band = len(str(max(1, population // 1000)))
        rows = homonyms if key in doubtful or len(key) < 4 or usage.is_homonym(name) else safe
        rows.append(f"{name}\t{country}\t{band}")
    return {"cities.tsv": safe, "homonyms.tsv": homonyms}


def read_countries(raw: Raw) -> list[str]:
    rows = raw.read_rows("countries_demonyms.tsv")
    return [n for r in rows for n in r[:2] if len(n) > 2]


def read_demonyms(raw: Raw) -> list[str]:
    found = raw.read_lines("demonyms.txt", "nationalities_dariusk.txt")
    parts = {
        p.strip()
        for line in found
        if "://" not in line
        for p in re.split(r",|\bor\b|\(|\)|;", line)
    }
    return [p for p in parts if re.fullmatch(r"[A-ZÅ][\w' -]{3,}", p)]


def read_ethnic_groups(raw: Raw, usage: Usage) -> list[str]:
    names = {r[0] for r in raw.read_rows("wikidata_ethnic.tsv")[1:]}
    names |= {
        re.sub(r" people$", "", n)
        for n in raw.read_shaped(r"^[A-Z][\w-]+ people$", "wikipedia_typed/ethnic_group.txt")
    }
    names = {re.sub(r"( people| diaspora| in .*)$", "", n) for n in names}
    single = {n[:-1] if re.search(r"[a-z]{3}[^s']s$", n) else n for n in names}
    known = {normalise_text(r[0]).removesuffix("s") for r in raw.read_rows("wikidata_ethnic.tsv")}

    def keep(name: str) -> bool:
        key = normalise_text(name)
        attested = key in known or usage.people[key] > 0.02 * usage.capital[key]
        return (
            len(name) > 3
            and bool(LATIN.fullmatch(name))
            and attested
            and not usage.is_word(name)
            and usage.surname[key] < 3
        )

    return [n for n in single if keep(n)]


def read_religions(raw: Raw, usage: Usage) -> list[str]:
    names = [r[0] for r in raw.read_rows("wikidata_religion.tsv")[1:]] + raw.read_lines(
        "religions_dariusk.txt"
    )
    return [
        n
        for n in names
        if n[0].isupper()
        and len(n) > 4
        and LATIN.fullmatch(n)
        and "(" not in n
        and not usage.is_word(n)
    ]


def read_languages(raw: Raw, usage: Usage) -> list[str]:
    official = {x for r in raw.read_rows("countries_demonyms.tsv") for x in r[3].split("|")}
    used = {
        n
        for n in raw.read_lines("languages_iso639-3.txt")
        if usage.spoken[normalise_text(n)] >= 2 and not usage.is_word(n)
    }
    return [n for n in official | used if len(n) > 3 and "(" not in n]


def read_regions(raw: Raw, usage: Usage) -> list[str]:
    names = raw.read_lines("subdivisions_iso3166-2.txt")
    names = [n for n in names if len(n) > 3 and LATIN.fullmatch(n) and "(" not in n]
    return [
        n
        for n in names
        if not usage.is_homonym(n, 0.05) and (len(n) > 5 or usage.located[normalise_text(n)] > 1)
    ]


def read_occupations(raw: Raw) -> list[str]:
    """Phrases of up to three words that end in the name of an occupation, without index entries written backwards."""
    named = raw.read_lines("occupations_dariusk.txt", "occupations_obsolete_dariusk.txt")
    named += [r[0] for r in raw.read_rows("wikidata_professions.tsv")]
    mined = {r[0]: int(r[1]) for r in raw.read_rows("wikipedia_bio_roles.tsv") if r[-1].isdecimal()}
    indexed = raw.read_lines("occupations_ons_soc.txt")
    heads = {n.lower() for n in named if " " not in n} | {n for n in indexed if n in mined}
    heads |= {
        n
        for n, count in mined.items()
        if count >= 20 and re.fullmatch(r"[a-z-]+(er|or|ist|ian|man|ant)", n)
    }
    heads = {h for h in heads if " " not in h and not h.endswith("s")}
    agents = {h for h in heads if mined.get(h, 0) >= 5}

    def keep(name: str) -> bool:
        words = re.split(r"[ -]", name)
        return len(words) <= 3 and words[-1] in heads and bool(re.fullmatch(r"[a-z' -]{4,}", name))

    found = {n for n in indexed if keep(n) and not (" " in n and n.split()[0] in agents)}
    found |= {n.lower() for n in named if keep(n.lower())} | {
        n for n, count in mined.items() if count >= 3 and keep(n)
    }
    return sorted(found)


def read_diseases(raw: Raw) -> list[str]:
    """Names of up to three words; the long tail of subtypes adds size and no recall."""
    names = raw.read_lines(
        "diseases_do.txt", "diseases_dariusk.txt", "infectious_diseases_dariusk.txt"
    )
    names += raw.read_shaped(CONDITION, "wikipedia_typed/medical_condition.txt")
    kept = {
        n if re.search(r"[A-Z]{2}", n) else n.lower()
        for n in names
        if not n.startswith("obsolete ")
    }
    kept |= {head for n in kept if DISEASE_HEAD.fullmatch(head := n.rpartition(" ")[2])}
    return [n for n in kept if len(n) > 4 and n.count(" ") <= 2 and not UNWIELDY.search(n)]


def read_drugs(raw: Raw) -> list[str]:
    names = raw.read_lines("drugs_dariusk.txt") + raw.read_shaped(
        r"^[A-Z][a-z]{5,}$", "wikipedia_typed/drug.txt"
    )
    return [n.lower() for n in names if len(n) > 5 and LATIN.fullmatch(n)]


def read_offences() -> list[str]:
    """The words of the ladder of offences but for those that count only as an accusation."""
    rows = (
        line.split("\t")
        for line in OFFENCES.read_text("utf-8").split("\n")
        if line and line[0] != "#"
    )
    return sorted(
        {word for _, words in rows for word in words.split("|")} - set(read_own("accusations.txt"))
    )


def read_articles(path: Path) -> Iterator[tuple[str, str]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for article in map(json.loads, itertools.islice(lines, DOCUMENTS)):
            yield article["title"], article["text"]


def generate_lists(raw: Raw, corpus: Path) -> dict[str, list[str]]:
    """The lines of every generated file."""
    candidates = {n for c in read_cities(raw) for n in list_city_names(c)}
    candidates.update(
        raw.read_lines(
            "subdivisions_iso3166-2.txt", "languages_iso639-3.txt", "religions_dariusk.txt"
        )
    )
    candidates.update(raw.read_lines("wikipedia_typed/ethnic_group.txt"))
    candidates |= {r[0] for r in raw.read_rows("wikidata_ethnic.tsv")}
    candidates |= {c[:-1] for c in candidates if c.endswith("s")}
    usage = Usage.count_uses(candidates, read_articles(corpus))
    jobs = {*read_occupations(raw), *read_own("occupations.txt")}
    lines = {
        "countries.txt": read_countries(raw),
        "demonyms.txt": read_demonyms(raw),
        "ethnic_groups.txt": read_ethnic_groups(raw, usage),
        "religions.txt": read_religions(raw, usage),
        "languages.txt": read_languages(raw, usage),
        "regions.txt": read_regions(raw, usage),
        "occupations.txt": [n for n in jobs if usage.surname[n] < 3],
        "trades.txt": [n for n in jobs if usage.surname[n] > 2],
        "diseases.txt": read_diseases(raw),
        "symptoms.txt": [
            n.lower()
            for n in raw.read_lines("symptoms_dariusk.txt")
            if re.fullmatch(r"[^()]{5,}", n) and n.count(" ") < 4
        ],
        "newspapers.txt": raw.read_shaped(
            NEWSPAPER, "wikipedia_typed/newspaper_media.txt", "newspapers_dariusk.txt"
        ),
        "parties.txt": raw.read_shaped(
            PARTY, "wikipedia_typed/political_party.txt", "uk_parties_dariusk.txt"
        ),
        "universities.txt": raw.read_shaped(UNIVERSITY, "wikipedia_typed/university.txt"),
        "hospitals.txt": raw.read_shaped(
            HOSPITAL, "wikipedia_typed/hospital_prison.txt", "hospitals_dariusk.txt"
        ),
        "organisations.txt": raw.read_shaped(
            r"^[^()]+[ -][^()]+$", "us_agencies_dariusk.txt", "terror_groups_eu_dariusk.txt"
        ),
        "companies.txt": raw.read_shaped(COMPANY, "wikipedia_typed/company.txt"),
        "drugs.txt": read_drugs(raw),
        "awards.txt": raw.read_shaped(AWARD, "wikipedia_typed/award.txt"),
        "events.txt": raw.read_shaped(EVENT, "wikipedia_typed/event_war.txt"),
        "laws.txt": raw.read_shaped(LAW, "wikipedia_typed/law_treaty.txt"),
        "offences.txt": read_offences(),
        "ships.txt": raw.read_shaped(SHIP, "wikipedia_typed/ship.txt"),
        "sports.txt": [
            n.lower()
            for n in raw.read_lines("sports_dariusk.txt")
            if len(n) > 5 and LATIN.fullmatch(n)
        ],
        "instruments.txt": [
            n.lower() for n in raw.read_lines("instruments_dariusk.txt") if len(n) > 4
        ],
    }
    lines.update(write_cities(raw, usage))
    for name in sorted({path.name for path in OWN.glob("*.txt")} - {"occupations.txt"}):
        lines[name] = lines.get(name, []) + read_own(name)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("raw", type=Path, help="folder of raw lists")
    parser.add_argument("texts", type=Path, help="English prose, .jsonl.xz with a text a line")
    parser.add_argument("--out", type=Path, default=Path("src/maskwise/bundle/gazetteers"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for name, lines in sorted(generate_lists(Raw(args.raw), args.texts).items()):
        unique = sorted({line.strip() for line in lines if line.strip()})
        content = "".join(f"{line}\n" for line in unique)
        (args.out / name).write_text(content, "utf-8")
        print(f"{name:20} {len(unique):6} entries {len(content.encode()):8} bytes")


if __name__ == "__main__":
    main()
