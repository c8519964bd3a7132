"""Invented values of every kind that a policy speaks of. Numbers come from ranges reserved for tests where some are.

A maker takes a random generator and returns one value. Nothing here belongs to a person.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

Maker = Callable[[Random], str]

GIVEN = (
    "Ana Bartholomew Chiara Dmitri Eszter Fatima Giorgos Hanneke Ingrid Jamal Katarzyna Liam Marisol Nikhil Oluwaseun "
    "Priya Quentin Rosalind Siobhan Tomasz Umar Valentina Wiktoria Xiomara Yusuf Zainab Aarav Beatriz Caoimhe Duc "
    "Emeka Freya Gustavo Hiroshi Isadora Joaquim Kwame Leila Mehmet Noor"
).split()
FAMILY = (
    "Abernathy Brzezinski Castellanos Dubois Eriksson Farouk Gallagher Haugland Ivanova Jankowski Kowalczyk Lindqvist "
    "Mbeki Novak Okafor Papadakis Quispe Rasmussen Sokolov Takahashi Underhill Vasquez Whitlock Yildiz Zielinska "
    "Achterberg Bhattacharya Cavanagh Devereux Ferreira Grimaldi Hakimi Jimenez Kariuki Lefebvre Mazur Nwosu Orlando "
    "Petrova Rahman"
).split()
CITIES = (
    "Cincinnati Toledo Boise Tucson Omaha Fresno Tulsa Wichita Spokane Tacoma Albuquerque Chattanooga Knoxville "
    "Shreveport Duluth Scranton Tallahassee Anchorage Amarillo Des Moines"
).replace("Des Moines", "Des_Moines")
COUNTIES = "Cuyahoga Maricopa Multnomah Hennepin Allegheny Pinellas Sacramento Milwaukee Tarrant Wayne".split()
STREETS = "Maple Cedar Willow Birchwood Chestnut Juniper Magnolia Sycamore Hawthorn Larkspur Elm Oakridge".split()
ROADS = "Street Avenue Road Lane Drive Court Boulevard Terrace".split()
MONTHS = (
    "January February March April May June July August September October November December".split()
)


def digits(random: Random, count: int) -> str:
    return "".join(random.choice("0123456789") for _ in range(count))


def letters(random: Random, count: int) -> str:
    return "".join(random.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(count))


def shaped(random: Random, *shapes: str) -> str:
    """One of the shapes with "9" for a digit and "A" for a capital."""
    shape = random.choice(shapes)
    return "".join(
        digits(random, 1) if c == "9" else letters(random, 1) if c == "A" else c for c in shape
    )


def person(random: Random) -> str:
    given, family = random.choice(GIVEN), random.choice(FAMILY)
    middle = random.choice(("", "", "", f" {random.choice(GIVEN)[0]}.", f" {random.choice(GIVEN)}"))
    return f"{given}{middle} {family}"


def street(random: Random) -> str:
    number = random.randint(2, 9899)
    way = random.choice((*ROADS, "St", "Ave", "Rd", "Blvd."))
    flat = random.choice(
        ("", "", f", Apt {random.randint(1, 40)}", f", Suite {random.randint(100, 900)}")
    )
    return f"{number} {random.choice(STREETS)} {way}{flat}"


def city(random: Random) -> str:
    return random.choice(CITIES.split()).replace("_", " ")


def county(random: Random) -> str:
    return f"{random.choice(COUNTIES)} County"


def zip_code(random: Random) -> str:
    return (
        random.choice(("OH ", "AZ ", "", ""))
        + digits(random, 5)
        + random.choice(("", "", f"-{digits(random, 4)}"))
    )


def date(random: Random) -> str:
    year, month, day = random.randint(1931, 2026), random.randint(1, 12), random.randint(1, 28)
    name = MONTHS[month - 1]
    suffix = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
    forms = (
        f"{day} {name} {year}",
        f"{name} {day}, {year}",
        f"{month:02}/{day:02}/{year}",
        f"{day:02}.{month:02}.{year}",
        f"{year}-{month:02}-{day:02}",
        f"{day:02}-{name[:3]}-{year}",
        f"{name[:3]} {day}, {year}",
        f"{month}/{day}/{year % 100:02}",
        f"{day}{suffix} {name} {year}",
        f"{name} {year}",
    )
    return random.choice(forms)


def old_age(random: Random) -> str:
    age = random.randint(90, 109)
    return random.choice((f"{age} years old", f"aged {age}", f"{age}-year-old", f"age {age}"))


def phone(random: Random) -> str:
    last = random.randint(0, 99)
    area = random.choice(("212", "312", "415", "617", "303"))
    forms = (
        f"({area}) 555-01{last:02}",
        f"{area}-555-01{last:02}",
        f"{area}.555.01{last:02}",
        f"+1 {area} 555 01{last:02}",
        f"1-{area}-555-01{last:02}",
        f"+44 20 7946 0{digits(random, 3)}",
        f"020 7946 0{digits(random, 3)}",
        f"07700 900{digits(random, 3)}",
        f"+33 1 99 00 {digits(random, 2)} {digits(random, 2)}",
        f"01 99 00 {digits(random, 2)} {digits(random, 2)}",
        f"030 23125 {digits(random, 3)}",
        f"+49 30 23125{digits(random, 3)}",
        f"{area}55501{last:02}",
        f"({area}) 555-01{last:02} ext. {random.randint(10, 999)}",
    )
    return random.choice(forms)


def email(random: Random) -> str:
    given, family = random.choice(GIVEN).lower(), random.choice(FAMILY).lower()
    host = random.choice(("example.org", "mail.example.com", "example.net", "clinic.example.org"))
    name = random.choice(
        (
            f"{given}.{family}",
            f"{given[0]}{family}{digits(random, 2)}",
            f"{family}_{given}",
            f"{given}+rx",
        )
    )
    return f"{name}@{host}"


def ssn(random: Random) -> str:
    """Areas that are never issued, and the block kept for advertisements."""
    area = random.choice(("666", "000", f"9{digits(random, 2)}"))
    number = (area, digits(random, 2), digits(random, 4))
    if random.random() < 0.2:
        number = ("987", "65", f"432{digits(random, 1)}")
    return random.choice(("-", "-", "-", " ", "")).join(number)


def mrn(random: Random) -> str:
    return shaped(
        random,
        "99999999",
        "9999999",
        "A9999999",
        "99-99-99",
        "999-99-9999A",
        "MR999999",
        "AA99999999",
        "00999999",
    )


def health_plan(random: Random) -> str:
    return shaped(
        random,
        "AAA999999999",
        "999999999A",
        "9AA9-AA9-AA99",
        "W999999999",
        "999-999-999",
        "AAA 999A99999",
        "9999999999-01",
    )


def account(random: Random) -> str:
    return shaped(
        random,
        "00999999",
        "9999999999",
        "99999-99999",
        "9999 9999 99",
        "AC-9999999",
        "99-999-9999",
        "999999-001",
    )


def licence(random: Random) -> str:
    return shaped(
        random,
        "A9999999",
        "AA999999",
        "A999-9999-9999",
        "99-999999",
        "RN-999999",
        "D9999999",
        "999999999",
        "AA-9999-99",
    )


def vin(random: Random) -> str:
    return shaped(random, "1AAAA99A9AA999999", "WAAAA9AA9A9999999", "2A9AA99A999999999")


def plate(random: Random) -> str:
    return shaped(
        random,
        "AAA-9999",
        "AAA 9999",
        "9AAA999",
        "AA99 AAA",
        "AAA9999",
        "999-AAA",
        "A-AA 9999",
        "AA-999-AA",
    )


def device(random: Random) -> str:
    return shaped(
        random,
        "SN-9999-AA99",
        "AA99999999",
        "9AA999999",
        "AAA-99999-AA",
        "SN99999999",
        "99AA9999A9",
        "AAA999999A",
    )


def imei(random: Random) -> str:
    body = f"00{digits(random, 12)}"
    return body + luhn(body)


def luhn(body: str) -> str:
    """The digit that makes the number pass the check of payment cards."""
    total = 0
    for at, char in enumerate(reversed(body)):
        worth = int(char) * (2 if at % 2 == 0 else 1)
        total += worth - 9 if worth > 9 else worth
    return str(-total % 10)


def url(random: Random) -> str:
    host = random.choice(("portal.example.org", "www.example.com", "my.clinic.example.net"))
    path = random.choice(
        (
            f"/patients/{digits(random, 6)}",
            f"/u/{random.choice(FAMILY).lower()}",
            "/records?id=" + digits(random, 5),
            "/results",
        )
    )
    return random.choice(("https://", "http://", "https://")) + host + path


def ip(random: Random) -> str:
    net = random.choice(("192.0.2", "198.51.100", "203.0.113"))
    four = f"{net}.{random.randint(1, 254)}"
    six = random.choice(
        (
            f"2001:db8::{random.randint(1, 9999):x}",
            f"2001:db8:{random.randint(4096, 65535):x}:1::{random.randint(1, 99)}",
        )
    )
    return random.choice((four, four, six))


def mac(random: Random) -> str:
    parts = ["00", "00", "5E", "00", "53", f"{random.randint(0, 255):02X}"]
    return random.choice((":", ":", "-")).join(parts)


def biometric(random: Random) -> str:
    return shaped(random, "FP-999999", "FPT-9999-AA", "IRIS-999999", "BIO9999999", "VP-99999999")


def other_number(random: Random) -> str:
    return shaped(
        random,
        "E-99999",
        "EMP999999",
        "99999999",
        "ST-9999-999",
        "SPC99999999",
        "9999-9999-99",
        "AA9999999",
    )


def nhs(random: Random) -> str:
    """Numbers that begin with 999 are kept for tests."""
    while True:
        body = f"999{digits(random, 6)}"
        check = 11 - sum(int(c) * (10 - at) for at, c in enumerate(body)) % 11
        if check != 10:
            whole = body + str(check % 11)
            return random.choice((f"{whole[:3]} {whole[3:6]} {whole[6:]}", whole))


def iban(random: Random) -> str:
    country, body = random.choice(
        (
            ("DE", digits(random, 18)),
            ("NO", digits(random, 11)),
            ("GB", "TEST" + digits(random, 14)),
        )
    )
    number = "".join(str(int(c, 36)) for c in f"{body}{country}00")
    whole = f"{country}{98 - int(number) % 97:02}{body}"
    grouped = " ".join(whole[at : at + 4] for at in range(0, len(whole), 4))
    return random.choice((whole, grouped))


def card(random: Random) -> str:
    body = f"400000{digits(random, 9)}"
    whole = body + luhn(body)
    return random.choice((whole, " ".join(whole[at : at + 4] for at in range(0, 16, 4))))


def passport(random: Random) -> str:
    return shaped(random, "999999999", "A99999999", "AA9999999", "99AA99999")


def handle(random: Random) -> str:
    return f"@{random.choice(GIVEN).lower()}_{random.choice(FAMILY).lower()}{random.choice(('', digits(random, 2)))}"


def application(random: Random) -> str:
    return f"{random.randint(1000, 99999)}/{random.randint(0, 24):02}"


def one_of(*values: str) -> Maker:
    return lambda random: random.choice(values)


def draw(make: Maker, random: Random, count: int) -> Sequence[str]:
    """So many values, different ones as far as there are."""
    found: dict[str, None] = {}
    for _ in range(20 * count):
        found[make(random)] = None
        if len(found) == count:
            break
    values = list(found)
    return [values[at % len(values)] for at in range(count)]
