"""Makes the values of slots: companies, institutions, places, dates, amounts, codes."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from faker import Faker

from documents import words

LISTS = Path(__file__).parents[2] / "src" / "maskwise" / "bundle" / "gazetteers"
# Written in Latin letters, from many cultures. English ones stand twice as often.
LOCALES = (
    "en_US en_US en_US en_GB en_GB en_IE en_IN en_AU en_CA de_DE fr_FR es_ES es_MX it_IT pt_BR nl_NL pl_PL cs_CZ sv_SE"
    " no_NO da_DK fi_FI ro_RO hr_HR hu_HU tr_TR vi_VN id_ID en_NG yo_NG en_KE zu_ZA tw_GH en_PK en_PH sl_SI et_EE lt_LT"
).split()


@dataclass(frozen=True)
class Value:
    """A piece of text. With a type it is a span; `mask` is the share of annotators who would mask it."""

    text: str
    type: str = ""
    mask: float = 0.0
    direct: bool = False


@lru_cache(maxsize=64)
def read_list(name: str) -> tuple[str, ...]:
    """Reads a word list of the package."""
    lines = (LISTS / name).read_text(encoding="utf-8").splitlines()
    return tuple(line.split("\t")[0] for line in lines if line and not line.startswith("#"))


@lru_cache(maxsize=64)
def make_faker(locale: str) -> Faker:
    return Faker(locale)


def fold_name(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "".join(letter for letter in plain.lower() if letter.isalnum())


LISTED = {"drug": "drugs.txt", "disease": "diseases.txt", "symptom": "symptoms.txt"}


def fill_digits(pattern: str, random: Random) -> str:
    """Replaces # by a digit, A by a capital, a by a small letter, x by a hexadecimal digit, * by a letter or digit.

    A backslash keeps the sign after it.
    """
    sets = {
        "#": string.digits,
        "A": string.ascii_uppercase,
        "a": string.ascii_lowercase,
        "x": "0123456789abcdef",
        "*": string.ascii_letters + string.digits,
    }
    out, keep = [], False
    for sign in pattern:
        if sign == "\\" and not keep:
            keep = True
            continue
        out.append(random.choice(sets[sign]) if sign in sets and not keep else sign)
        keep = False
    return "".join(out)


def _pick_pattern(*patterns: str) -> Callable[[Random], str]:
    return lambda random: fill_digits(random.choice(patterns), random)


CODES: dict[str, Callable[[Random], str]] = {
    name: _pick_pattern(*patterns) for name, patterns in words.PATTERNS.items()
}


def _make_company(random: Random) -> str:
    fake = make_faker(random.choice(LOCALES))
    fake.seed_instance(random.getrandbits(32))
    surname = fake.last_name()
    root = random.choice(words.ROOTS) + random.choice(words.ENDINGS)
    how = random.random()
    if how < 0.12:
        return random.choice(read_list("companies.txt"))
    if how < 0.3:
        return f"{surname} {random.choice(words.FIRMS)}"
    if how < 0.42:
        other = fake.last_name()
        return random.choice(
            (
                f"{surname} & {other}",
                f"{surname}, {other} and Partners",
                f"{surname} {other} LLP",
                f"{surname} and Sons",
            )
        )
    if how < 0.62:
        return root
    if how < 0.8:
        return f"{root} {random.choice(words.FIRMS)}"
    if how < 0.9:
        return f"{random.choice(words.ADJECTIVES)} {random.choice(words.TRADES)} {random.choice(words.FORMS)}"
    return "".join(
        random.choices(string.ascii_uppercase, k=random.choice((3, 3, 4)))
    ) + random.choice(("", " Group", " Ltd", " Bank"))


def _make_institution(kinds: tuple[str, ...]) -> Callable[[Random], str]:
    def make(random: Random) -> str:
        fake = make_faker(random.choice(LOCALES))
        fake.seed_instance(random.getrandbits(32))
        place = random.choice(
            (
                _make_city(random),
                fake.last_name(),
                "St " + fake.first_name().split()[0],
                random.choice(words.ADJECTIVES),
            )
        )
        kind = random.choice(kinds)
        return kind.replace("%", place) if "%" in kind else f"{place} {kind}"

    return make


@lru_cache(maxsize=1)
def _list_cities() -> tuple[str, ...]:
    return tuple(city for city in read_list("cities.tsv") if city[:1].isupper() and len(city) < 20)


def _make_city(random: Random) -> str:
    if random.random() < 0.45:
        return random.choice(words.KNOWN_CITIES)
    return random.choice(_list_cities())


def _make_street(random: Random) -> str:
    fake = make_faker(random.choice(LOCALES))
    fake.seed_instance(random.getrandbits(32))
    name = fake.last_name()
    number = str(random.randint(1, 240)) + random.choice(("", "", "", "a", "B", "/2"))
    how = random.choice(words.STREETS)
    return how.replace("%", name).replace("#", number)


def make_address(random: Random, form: str) -> Iterator[Value]:
    """Yields an address: one span of one line, or the street, town and country apart on lines."""
    street, city = _make_street(random), _make_city(random)
    country, pattern = random.choice(words.POSTCODES)
    code = fill_digits(pattern, random)
    region = random.choice(words.STATES) if country == "USA" else ""
    town = {
        "USA": f"{city}, {region} {code}",
        "UK": f"{city} {code}",
        "Ireland": f"{city} {code}",
        "Canada": f"{city}, {random.choice(words.PROVINCES)} {code}",
        "Australia": f"{city} {random.choice(words.AUSTRALIAN)} {code}",
        "India": f"{city} - {code}",
    }.get(country, f"{code} {city}")
    if form == "lines":
        yield Value(street, "LOC", 1.0)
        yield Value("\n")
        yield Value(town, "LOC", 1.0)
        if random.random() < 0.5:
            yield Value("\n")
            yield Value(country, "LOC", 0.8)
        return
    tail = f", {country}" if random.random() < 0.4 else ""
    yield Value(f"{street}, {town}{tail}", "LOC", 1.0)


def _make_date(random: Random, first: int = 2008, last: int = 2026) -> str:
    year, month, day = random.randint(first, last), random.randint(1, 12), random.randint(1, 28)
    name = words.MONTHS[month - 1]
    return random.choice(
        (
            f"{day} {name} {year}",
            f"{name} {day}, {year}",
            f"{day:02d}/{month:02d}/{year}",
            f"{year}-{month:02d}-{day:02d}",
            f"{day:02d}.{month:02d}.{year}",
            f"{month}/{day}/{year}",
            f"{name[:3]} {day}, {year}",
            f"{day} {name[:3]} {year}",
            f"{day:02d}-{name[:3]}-{year}",
            f"{month:02d}/{day:02d}/{year % 100:02d}",
            f"{name} {day}",
            f"{day} {name}",
            f"{name[:3]} {day}",
        )
    )


def _make_time(random: Random) -> str:
    hour, minute = random.randint(0, 23), random.randint(0, 59)
    return random.choice(
        (
            f"{hour:02d}:{minute:02d}",
            f"{hour % 12 or 12}:{minute:02d} {'am' if hour < 12 else 'pm'}",
            f"{hour % 12 or 12}{random.choice(('am', 'pm'))}",
        )
    )


def _make_stamp(random: Random) -> str:
    year, month, day = random.randint(2019, 2026), random.randint(1, 12), random.randint(1, 28)
    date = f"{year}-{month:02d}-{day:02d}{random.choice('T ')}"
    hour, minute, second = random.randint(0, 23), random.randint(0, 59), random.randint(0, 59)
    zone = random.choice(("", "Z", ".123Z", "+02:00"))
    return f"{date}{hour:02d}:{minute:02d}:{second:02d}{zone}"


def _make_amount(random: Random) -> str:
    value = random.choice(
        (random.randint(1, 99), random.randint(100, 9999), random.randint(10_000, 900_000))
    )
    sign = random.choice("$£€")
    return random.choice(
        (
            f"{sign}{value:,}.{random.randint(0, 99):02d}",
            f"{sign}{value:,}",
            f"{value:,}.{random.randint(0, 99):02d} {random.choice(('EUR', 'USD', 'GBP', 'CHF'))}",
        )
    )


def _make_job(random: Random) -> str:
    if random.random() < 0.35:
        return random.choice(
            [
                job
                for job in (random.choice(read_list("occupations.txt")) for _ in range(3))
                if len(job) < 30
            ]
            or ["clerk"]
        )
    return random.choice(words.JOBS)


def _make_url(random: Random) -> str:
    root = fold_name(random.choice(words.ROOTS) + random.choice(words.ENDINGS))
    return random.choice(
        (
            f"https://www.{root}.example/{fill_digits('aaaa/####', random)}",
            f"http://{root}.example/u/{fill_digits('aaaaaa##', random)}",
            f"www.{root}.example",
            f"https://t.example/{fill_digits('********', random)}",
        )
    )


MADE: dict[str, tuple[str, float, Callable[[Random], str]]] = {
    "org": ("ORG", 0.95, _make_company),
    "bank": (
        "ORG",
        0.9,
        _make_institution(
            ("Bank", "Savings Bank", "Credit Union", "Building Society", "Bank of %")
        ),
    ),
    "school": (
        "ORG",
        0.95,
        _make_institution(
            ("High School", "Primary School", "Grammar School", "Academy", "College")
        ),
    ),
    "uni": (
        "ORG",
        0.95,
        _make_institution(
            (
                "University",
                "University of %",
                "Technical University of %",
                "Business School",
                "Institute of Technology",
            )
        ),
    ),
    "hospital": (
        "ORG",
        0.95,
        _make_institution(
            (
                "Hospital",
                "General Hospital",
                "Medical Center",
                "Clinic",
                "Infirmary",
                "Memorial Hospital",
                "Surgery",
                "Health Centre",
                "Children's Hospital",
            )
        ),
    ),
    "police": (
        "ORG",
        0.8,
        _make_institution(
            ("Police Department", "Police", "Police Station", "Sheriff's Office", "Constabulary")
        ),
    ),
    "council": (
        "ORG",
        0.8,
        _make_institution(
            (
                "City Council",
                "County Council",
                "District Court",
                "Tax Office",
                "Job Centre",
                "Town Hall",
                "Family Court",
            )
        ),
    ),
    "church": (
        "ORG",
        0.9,
        _make_institution(
            (
                "Church",
                "Parish",
                "Mosque",
                "Community Centre",
                "Football Club",
                "Rowing Club",
                "Charity",
                "Foundation",
            )
        ),
    ),
    "city": ("LOC", 0.9, _make_city),
    "street": ("LOC", 1.0, _make_street),
    "date": ("DATETIME", 0.95, _make_date),
    "dob": ("DATETIME", 1.0, lambda random: _make_date(random, 1935, 2012)),
    "year": ("DATETIME", 0.6, lambda random: str(random.randint(1960, 2026))),
    "time": ("DATETIME", 0.3, _make_time),
    "stamp": ("DATETIME", 0.8, _make_stamp),
    "amount": ("QUANTITY", 0.3, _make_amount),
    "salary": ("QUANTITY", 0.7, _make_amount),
    "job": ("DEM", 0.9, _make_job),
    "url": ("CODE", 0.9, _make_url),
    "gps": (
        "LOC",
        1.0,
        _pick_pattern("4#.#####, -7#.#####", "5#.####° N, 1#.####° E", "-3#.######,18.######"),
    ),
    "postcode": ("LOC", 1.0, lambda random: fill_digits(random.choice(words.POSTCODES)[1], random)),
    "room": ("LOC", 0.5, _pick_pattern("Room ###", "Ward #", "Bed ##A", "Building #")),
}
