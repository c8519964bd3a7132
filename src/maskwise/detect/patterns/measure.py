"""Measures: a number with a unit of length, area, volume, weight, speed, temperature, energy or data."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.fragments import DASH, GAP, HYPHEN, join_any_case, join_words
from maskwise.text.numbers import DIGITS, MORE_DIGITS, WORDS, is_amount
from maskwise.text.subtypes import MEASURE
from maskwise.text.word_lists import read_words

# Only after figures: "500 m", "12 x 8 cm".
_SIGNS = read_words("measure_signs")
_UNITS = read_words("measure_units")
_TRIGGERS = (
    "metre", "meter", "inch", "foot", "feet", "yard", "mile", "hectare", "acre", "decare", "dunam", "dönüm", "litre",
    "liter", "gallon", "pints", "barrel", "gram", "kilo", "tonne", "tons", "ton ", "ounce", "stone", "knot", "degree",
    "volt", "watt", "byte", "decibel", "calorie", "carat",
)  # fmt: skip
_BY = rf"(?:{GAP}?[x×X*]{GAP}?|{GAP}by{GAP}|{GAP}?{DASH}{GAP}?|{GAP}(?:to|or|and){GAP})"
_FIGURES = rf"{DIGITS}(?:{GAP}?m)?(?:{_BY}[0-9]{MORE_DIGITS}){{0,3}}+"
_NUMBER = rf"(?:(?:few{GAP}|several{GAP})?{WORDS}(?:{_BY}{WORDS})?|{_FIGURES})"
_KIND = rf"(?:(?:square|cubic|linear|running|nautical|metric){GAP})"
_SCALE = join_any_case(("celsius", "fahrenheit"))
_UNIT = rf"{_KIND}?{join_any_case(_UNITS)}s?(?!\w)(?:{GAP}(?:per{GAP}(?:hour|second)|{_SCALE})\b)?"

FAMILY = Family(
    name="measure",
    rules=(
        Rule(
            name=MEASURE,
            type=EntityType.QUANTITY,
            regex=rf"{_FIGURES}{GAP}?(?=[a-zA-Zµ°º]){join_words(_SIGNS)}(?![\w²³/])(?!['’])",
            check=is_amount,
        ),
        Rule(
            name=MEASURE,
            type=EntityType.QUANTITY,
            regex=rf"(?<![\w.,-]){_NUMBER}{HYPHEN}{_UNIT}(?:{GAP}{_NUMBER}{GAP}{_UNIT})?",
            triggers=_TRIGGERS,
            check=is_amount,
        ),
    ),
    positive=(
        ("a parcel of 250 m²", ("250 m²",)),
        ("1000 Kilos of sugar", ("1000 Kilos",)),
        ("1.5 kg of tea", ("1.5 kg",)),
        ("two square metres", ("two square metres",)),
        ("12 x 8 cm", ("12 x 8 cm",)),
        ("at 90 km/h", ("90 km/h",)),
        ("5 feet 11 inches tall", ("5 feet 11 inches",)),
        ("thirty degrees Celsius", ("thirty degrees Celsius",)),
        ("-10 °C", ("10 °C",)),
        ("200 ml of milk", ("200 ml",)),
        ("some thirty kilometres away", ("thirty kilometres",)),
        ("4,500 sq. m. of land", ("4,500 sq. m.",)),
        ("120 miles per hour", ("120 miles per hour",)),
        ("512 bytes and 230 volts", ("512 bytes", "230 volts")),
        ("3.2 hectares", ("3.2 hectares",)),
        ("a 20-metre wall", ("20-metre",)),
        ("50-60 metres", ("50-60 metres",)),
        ("0.25 g", ("0.25 g",)),
        ("ASPIRIN 81 MG, CREATININE 1.1 MG/DL", ("81 MG", "1.1 MG/DL")),
        ("3x2 cm and 3.1m x 2.2m", ("3x2 cm", "3.1m x 2.2m")),
    ),
    negative=(
        "5 men",
        "the metre",
        "no. 5 kgb",
        "3 ms",
        "he walked a mile",
        "two feelings",
        "12 in all",
        "1 l’été",
        "five stonemasons",
        "10 grammar schools",
    ),
)
