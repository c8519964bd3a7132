"""Registration plates and chassis numbers of vehicles, after a word that announces them."""

from __future__ import annotations

from maskwise.detect.patterns._context import GAP, match_after
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.common_words import COMMON
from maskwise.text.english import SHORT_MONTHS

_PLATE = (
    r"(?<![\w/])(?=(?:[A-ZÄÖÜ]{1,4}[ ·.-]?){0,2}[0-9])(?:[A-ZÄÖÜ]{1,4}[ ·.-]?[A-Z]{0,2}[ ·-]?[0-9]{1,5}[ ·-]?[A-Z]{0,3}"
    r"|[0-9]{1,4}[ ·-]?[A-Z]{1,4}(?:[ ·-]?[0-9]{1,5})?)(?!\w|/[0-9])"
)
_WORDS = (
    r"(?:licen[cs]e|number|registration|vehicle|car)[ -]plates?",
    r"plates?[ ](?:no|nos|number|numbers)",
    r"(?:vehicle|car)[ ]registration",
    r"registration[ ](?:marks?|numbers?|no)|reg",
    r"kennzeichen|immatriculation|immatriculé[e]?|matrícula|targa|kenteken",
)

# Words near which a bare plate is one.
_VEHICLES = tuple(
    word + end
    for word in (
        *(
            "car",
            "van",
            "lorry",
            "truck",
            "pickup",
            "taxi",
            "motorbike",
            "motorcycle",
            "scooter",
            "hatchback",
        ),
        *(
            "saloon",
            "vehicle",
            "plate",
            "plates",
            "plaka",
            "reg",
            "audi",
            "bmw",
            "ford",
            "vauxhall",
            "toyota",
        ),
        *(
            "honda",
            "volkswagen",
            "vw",
            "golf",
            "fiesta",
            "corsa",
            "mercedes",
            "renault",
            "peugeot",
            "citroën",
        ),
        *(
            "nissan",
            "skoda",
            "škoda",
            "seat",
            "volvo",
            "mazda",
            "hyundai",
            "kia",
            "tesla",
            "fiat",
            "jeep",
        ),
        *(
            "transit",
            "camper",
            "trailer",
            "moped",
            "suv",
            "auto",
            "coche",
            "voiture",
            "wagen",
            "rejestracyjny",
        ),
        *("opel", "suzuki", "mini", "dacia", "lexus", "subaru", "porsche", "bus", "tractor"),
    )
    for end in (" ", ",", ":", ")")
)
_UNITS = frozenset("EUR USD GBP CHF NOK SEK DKK PLN CZK AM PM KM KG MAY".split()) | frozenset(
    month.upper() for month in SHORT_MONTHS
)
_STANDARDS = ("ISO-", "DIN-", "COVID", "ICD-", "SARS", "RFC-", "EN-", "USB-", "HTTP-")


def _is_plate(surface: str) -> bool:
    """Whether it is no standard, amount, date or words around a year: "ISO-9001", "12 MAY 2004", "IN 1960 AND"."""
    words = surface.replace("-", " ").split()
    is_other = surface.startswith(_STANDARDS) or not _UNITS.isdisjoint(words)
    return not is_other and COMMON.isdisjoint(map(str.lower, words))


FAMILY = Family(
    name="vehicle",
    rules=(
        Rule(
            name="plate",
            type=EntityType.CODE,
            regex=match_after(_WORDS, _PLATE, GAP),
            triggers=(
                *(
                    f"{word}{sign}plate"
                    for word in ("licence", "license", "number", "registration", "vehicle", "car")
                    for sign in " -"
                ),
                *(
                    "plate n",
                    "plates n",
                    "vehicle registration",
                    "car registration",
                    "registration mark",
                    "registration n",
                ),
                *("reg. n", "reg n", "kennzeichen", "immatricul", "matrícula", "targa", "kenteken"),
            ),
            opens=True,
            check=lambda surface: (
                4 <= sum(map(str.isalnum, surface)) <= 9 and any(map(str.isalpha, surface))
            ),
        ),
        # "registration LM19 KXO": the word alone is no label, the shape of a British plate is one.
        Rule(
            name="plate",
            type=EntityType.CODE,
            regex=r"(?i:registration|registered|plate|reg)[ :,.]{1,2}(?P<m>[A-Z]{2}[0-9]{2}[ ]?[A-Z]{3})(?!\w)",
            triggers=("registration", "registered", "plate", "reg"),
            opens=True,
        ),
        # "a black Audi LK19 ZZZ", "plates: B-MX 4711, 4821 KLM": a word for vehicles is near, the shape is that of a
        # plate of Europe, America, India, Turkey or Brazil
        Rule(
            name="plate",
            type=EntityType.CODE,
            regex=r"(?<![\w/.,-])(?!(?:PO|OX|NO|MR|DR|RE|HR) )"
            r"(?:[A-Z]{2}[0-9]{2}[ ]?[A-Z]{3}|[A-Z]{2}-[0-9]{3}-[A-Z]{2}|[0-9]{4}[ -][B-DF-HJ-NP-TV-Z]{3}"
            r"|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?[0-9]{1,4}|[0-9]{2} [A-Z]{1,3} [0-9]{2,4}|[A-Z]{3}-[0-9]{3,4}"
            r"|[0-9][A-Z]{3}[0-9]{3}|[A-Z]{2} [0-9]{3} [A-Z]{2}|[A-Z]{1,2} [0-9]{4} [A-Z]{2,3}|[A-Z]{2} [0-9]{5}"
            r"|[A-Z]{3} ?[0-9](?:[A-Z][0-9]{2}|[0-9]{1,3}[A-Z]?)|[A-Z]{2} [0-9](?=[0-9]*[A-Z])[0-9A-Z]{3,4}"
            r"|[A-Z]{2} ?[0-9]{2} ?[A-Z]{1,2} ?[0-9]{4}|(?=[A-Z0-9-]*[A-Z])(?=[A-Z0-9-]*[0-9])[A-Z0-9]{1,3}"
            r"-[A-Z0-9]{1,3}-[A-Z0-9]{1,6})(?![\w/-])",
            triggers=_VEHICLES,
            reach=48,
            score=0.8,
            check=_is_plate,
        ),
        Rule(
            name="vin",
            type=EntityType.CODE,
            regex=match_after(
                (r"vin|chassis|vehicle identification",),
                r"(?<!\w)[A-HJ-NPR-Z0-9]{11}[A-HJ-NPR-Z0-9]{2}[0-9]{4}(?!\w)",
            ),
            triggers=("vin", "chassis", "vehicle identification"),
            opens=True,
        ),
    ),
    positive=(
        ("licence plate AB12 CDE", ("AB12 CDE",)),
        ("a car, registration number B-MW 1234, left", ("B-MW 1234",)),
        ("number plate 34 ABC 123", ("34 ABC 123",)),
        ("vehicle registration: AA-123-BB", ("AA-123-BB",)),
        ("license plates KLM-456 and so on", ("KLM-456",)),
        ("Kennzeichen M-AB 1234", ("M-AB 1234",)),
        ("plate no. 1234 BCD", ("1234 BCD",)),
        ("reg. no. XYZ 987", ("XYZ 987",)),
        ("a blue Ford, registration LM19 KXO, left", ("LM19 KXO",)),
        ("stopped a black Audi LK19 ZZZ in", ("LK19 ZZZ",)),
        ("Plates: German B-MX 4711, Spanish 4821 KLM", ("B-MX 4711", "4821 KLM")),
        ("my van (KTV-8821) was towed; plaka 34 ABC 123", ("KTV-8821", "34 ABC 123")),
        ("the van, EK 123 VN, left; reg AB-12-CD", ("EK 123 VN", "AB-12-CD")),
        ("her car (ABC1D23) and the bus 191-D-12345", ("ABC1D23", "191-D-12345")),
        ("a grey Skoda WA 1A345, a Volvo DN 45821", ("WA 1A345", "DN 45821")),
        ("his car MH 12 AB 1234, plate K 4711 AB", ("MH 12 AB 1234", "K 4711 AB")),
        ("VIN: 1M8GDM9AXKP042788", ("1M8GDM9AXKP042788",)),
        ("chassis no. WVWZZZ1JZXW000001", ("WVWZZZ1JZXW000001",)),
    ),
    negative=(
        "THE VAN WAS BOUGHT IN 1960 AND IT RAN. THE VAN: HBA1C",
        "AB12 CDE",
        "the van der Berg report, 12 MAY 2004",
        "his car cost 12 EUR 500, see ISO-900",
        "registration number 12345",
        "the plate was broken",
        "registration in 1998",
        "winning in 2004",
        "licence plate recognition on 4 May 2001",
    ),
)
