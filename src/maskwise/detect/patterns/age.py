"""Ages, a demographic attribute in the TAB guidelines: "aged 47", "47 years old", "age of sixty", "in his forties".

The value is an ISO 8601 duration, so that "aged 47" and "47-year-old" are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from maskwise.detect.patterns._shapes import UPPER
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.common_words import COMMON, NAMED_WORDS
from maskwise.text.fragments import DASH, GAP, HYPHEN, join_any_case
from maskwise.text.label_words import WORDS as LABELS
from maskwise.text.numbers import WORDS, format_number, read_number
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import AGE, AGE_OVER_89

_FIGURE = r"(?:1[01][0-9]|[0-9]{1,2})(?![0-9])(?:[.,][0-9](?![0-9])|[½¼¾])?(?![\w%/]|[.,:][0-9])"
_AGE = rf"(?:{_FIGURE}|{WORDS})(?:{GAP}and{GAP}a{GAP}half)?"
_LIST = rf"(?:(?:,{GAP}{_AGE}){{0,6}}+(?:,?{GAP}(?:and|or|to){GAP}|{GAP}?{DASH}{GAP}?){_AGE})?"
_UNIT = r"(?:years?|months?|weeks?|days?)(?!\w)"
_AFTER = rf"(?:{GAP}(?:and{GAP}{_AGE}{GAP})?{_UNIT})?(?:{GAP}and{GAP}{_AGE}{GAP}{_UNIT})?"
_OLD = (
    (
        AGE_OVER_89,
        frozenset([*map(str, range(90, 130)), "ninety", "NINETY", "Ninety", "hundred", "nineties"]),
    ),
)
_OLD_FIGURE = r"(?:9[0-9]|10[0-9]|11[0-5])(?![\w%/°]|[.,:-][0-9])"
_WHO = (
    "mother|father|mum|mom|dad|nan|nana|nanny|gran|granny|grandma|grandmother|granmother|grandpa|grandad|granddad"
    "|grandfather|aunt|auntie|uncle|husband|wife|patient|pt|lady|man|woman"
)
_NO_MEASURE = (
    rf"(?!{GAP}?(?i:per[ ]?cent|percent|kgs?|kilos?|lbs?|pounds?|cm|mm|mmhg|bpm|beats|miles|minutes"
    r"|hours|days|weeks|months|metres|meters|dollars|euros|times|points|degrees|grams?|mg|million|thousand"
    r"|people|on (?:room|air|ra|oxygen))(?!\w))"
)
_TENS = (
    "teens",
    "twenties",
    "thirties",
    "forties",
    "fifties",
    "sixties",
    "seventies",
    "eighties",
    "nineties",
)


def _read_age(text: str) -> str:
    """ "P47Y", "P9M"; a decade of life is "P4XY"; empty for lists and ranges."""
    small = text.lower()
    decade = re.search(r"([1-9])0['’]?s\b", small)
    tens = next((at for at, word in enumerate(_TENS, 1) if small.endswith(word)), 0)
    if decade or tens:
        return f"P{decade.group(1) if decade else tens}XY"
    number = read_number(re.sub(r"\band a half\b", "half", small))
    if number is None or re.search(
        r"(?<!hundred )\band\b(?! a half)|\bto\b|\bor\b|,|[0-9][-–][0-9]", small
    ):
        return ""
    unit = re.search(r"month|week|day", small)
    return f"P{format_number(number)}{unit.group()[0].upper() if unit else 'Y'}"


def _find_apposed(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The age, if the word before it may be somebody's name."""
    word = match["name"].lower()
    if not (word in COMMON - NAMED_WORDS or word in LABELS or is_plain(word)):
        yield match.span("m")


FAMILY = Family(
    name="age",
    rules=(
        Rule(
            name=AGE,
            type=EntityType.DEM,
            regex=(
                rf"(?<![\w-]){_AGE}{_LIST}{HYPHEN}(?i:years?|months?|weeks?|days?)(?:{GAP}and{GAP}{_AGE}{GAP}{_UNIT})?"
                rf"(?:['’]?[ \u00a0\u2010\u2011-]{{1,2}}(?i:olds?)|{GAP}(?i:of){GAP}(?i:age))(?!\w)"
            ),
            triggers=("old", "of age"),
            value=_read_age,
            variants=_OLD,
        ),
        Rule(
            name=AGE,
            type=EntityType.DEM,
            regex=rf"\b(?i:aged?){GAP}(?:of{GAP}|is{GAP}|was{GAP})?(?:about{GAP}|only{GAP}|between{GAP}|over{GAP}|under{GAP})?{_AGE}{_LIST}{_AFTER}",
            triggers=("aged ", "age "),
            value=_read_age,
            variants=_OLD,
        ),
        Rule(
            name=AGE,
            type=EntityType.DEM,
            regex=(
                rf"\b(?:[Ii]n|of){GAP}(?:his|her|their|my|your|the){GAP}"
                rf"(?P<m>(?:(?:early|mid|late|middle){HYPHEN})?(?:{join_any_case(_TENS)}|['’]?[1-9]0['’]?s))(?!\w)"
            ),
            triggers=("ties", "teens", "0s", "0's", "0’s"),
            reach=32,
            value=_read_age,
            variants=_OLD,
            check=lambda text: "19" not in text,
        ),
        Rule(
            name=AGE,
            type=EntityType.DEM,
            regex=rf"\b(?:turn|turns|turned|turning){GAP}(?P<m>{_FIGURE}|{WORDS})(?!{GAP}(?:to|[a-z]{{3,20}}s)\b)",
            triggers=("turn",),
            reach=32,
            value=_read_age,
            variants=_OLD,
        ),
        # "Age: 91", "AGE | 47": a field
        Rule(
            name=AGE,
            type=EntityType.DEM,
            regex=rf"(?<![\w-])(?i:age|patient age|alter|âge|edad|idade|età|leeftijd|wiek|alder)[\"'*]{{0,2}}"
            rf"(?:[ \t]{{0,4}}[:=|][ \t]{{0,8}}|\t[ \t]{{0,4}})[\"'*]{{0,2}}(?P<m>{_FIGURE})"
            rf"(?!{GAP}?[a-z]{{3,20}}s\b(?<!yrs)(?<!years))",
            triggers=("age", "alter", "âge", "edad", "idade", "età", "leeftijd", "wiek", "alder"),
            opens=True,
            value=_read_age,
            variants=_OLD,
        ),
        # "pt (93F, mrn", "96 yrs": an age and the sex, or years that are nothing else's
        Rule(
            name=AGE_OVER_89,
            type=EntityType.DEM,
            regex=r"(?<![\w.,/°-])(?<!temp )(?<!tmax )(?<!fever )(?<!t )(?<!at )(?<!of )(?<!to )"
            r"(?:(?:9[0-9]|10[0-9]|11[0-5])(?:[ ]?[FM]|[ ]?yrs?)(?![\w°/])"
            r"(?!\.?[ ](?:ago|of|later|since|in|after|before|from|imprisonment|jail)\b))",
            shapes=("10a", "100a", "10B", "100B", "10 a", "100 a", "10 A", "100 A"),
            opens=True,
            value=_read_age,
        ),
        # "she is 93 now", "Nan is ninety-six": nothing else is said of a person by such a number alone
        Rule(
            name=AGE_OVER_89,
            type=EntityType.DEM,
            regex=rf"(?<!\w)(?:(?i:s?he|who|{_WHO})"
            rf"(?:{GAP}[A-Z][^\W\d_]{{2,20}})?"
            rf"(?:{GAP}(?i:is|was|will be|just)(?:{GAP}(?i:only|almost|nearly|about|now|already))?|['’]s)){GAP}"
            rf"(?P<m>{_OLD_FIGURE}"
            r"|(?i:ninety(?:-(?:one|two|three|four|five|six|seven|eight|nine))?|a hundred(?: and \w{3,6})?)(?![\w-]))"
            rf"{_NO_MEASURE}",
            triggers=tuple(
                f"{word} {tens}"
                for word in (
                    "is",
                    "was",
                    "be",
                    "now",
                    "only",
                    "just",
                    "nearly",
                    "almost",
                    "about",
                    "already",
                    "'s",
                    "’s",
                )
                for tens in ("9", "10", "11", "ninety", "a hundred")
            ),
            reach=32,
            value=_read_age,
        ),
        # "father d. 92", "lived to 98", "pt 91, alone": an age and no measure
        Rule(
            name=AGE_OVER_89,
            type=EntityType.DEM,
            regex=rf"(?<!\w)(?i:{_WHO}|died|dead|deceased|lived|passed away|passed)"
            rf"(?:{GAP}(?i:died|dead|deceased|d\.?|passed|alive))?,?{GAP}(?:(?i:at|to|age|till|until){GAP})?(?P<m>{_OLD_FIGURE}){_NO_MEASURE}",
            triggers=(" 9", " 10", " 11"),
            reach=32,
            value=_read_age,
        ),
        Rule(
            name=AGE_OVER_89,
            type=EntityType.DEM,
            regex=r"(?<!\w)(?i:nonagenarian|(?:super-?)?centenarian)s?(?!\w)",
            triggers=("nonagenarian", "centenarian"),
            reach=16,
        ),
        # "Mrs Oduya, 93, lives", "Dorothy (96)": years beside a name
        Rule(
            name=AGE_OVER_89,
            type=EntityType.DEM,
            regex=rf"(?<![\w.])(?P<name>[{UPPER}][^\W\d_]{{1,20}}(?<=[^\W_A-Z]))(?:,[ ]|[ ]\()"
            r"(?P<m>9[0-9]|10[0-9]|11[0-5])(?=\)|,[ ](?![0-9])|;|[.]?\s*\Z|[.][ ](?=[A-Z])|[ ]and[ ][a-z])",
            triggers=(", 9", "(9", ", 10", "(10", ", 11", "(11"),
            reach=32,
            expand=_find_apposed,
            value=_read_age,
        ),
        *(
            Rule(
                name=name,
                type=EntityType.DEM,
                regex=rf"(?<![\w.,/-])(?:{figures})[ -]?(?i:y/o|yo|y\.o\.?|yrs?[ -]?old)(?!\w)",
                triggers=("yo", "y/o", "y.o", "yr old", "yrs old", "yr-old", "yrs-old"),
                reach=12,
                value=_read_age,
            )
            for name, figures in ((AGE, "[1-8]?[0-9]"), (AGE_OVER_89, "9[0-9]|1[01][0-9]"))
        ),
    ),
    positive=(
        ("a man aged 47", ("aged 47",)),
        ("a 94 y/o F, 47yo husband, 3 yrs old", ("94 y/o", "47yo", "3 yrs old")),
        ("She is 47 years old.", ("47 years old",)),
        ("a 47-year-old nurse", ("47-year-old",)),
        ("at the age of sixty", ("age of sixty",)),
        ("a woman in her forties", ("forties",)),
        ("in his mid-40s", ("mid-40s",)),
        ("eighteen years of age", ("eighteen years of age",)),
        ("nine months old", ("nine months old",)),
        ("fourteen and thirteen years old", ("fourteen and thirteen years old",)),
        ("children aged 4, 6 and 9", ("aged 4, 6 and 9",)),
        ("aged between 16 and 18", ("aged between 16 and 18",)),
        ("the fifteen-year old boy", ("fifteen-year old",)),
        ("when he turned 18", ("18",)),
        ("seventeen and a half years old", ("seventeen and a half years old",)),
        ("Aged seven, she moved.", ("Aged seven",)),
        ("Two 30-year-olds", ("30-year-olds",)),
        ("at age 12", ("age 12",)),
        ("she is 93 now and Nan is ninety-six", ("93", "ninety-six")),
        ("My grandmother was 101.", ("101",)),
        ("Sex: F  AGE: 91  HOSP NO: 7", ("91",)),
        ("My mother Brisca is ninety-one and well", ("ninety-one",)),
        ("pt (93F, mrn 12) and she is 96 yrs", ("93F", "96 yrs")),
        ("Mrs Oduya, 93, lives with Dorothy (96)", ("93", "96")),
        ("Mother died at 96, father d. 92, nan lived to 98", ("96", "92", "98")),
        ("a nonagenarian", ("nonagenarian",)),
    ),
    negative=(
        "Room (101), Monday, 93, and Sats, 94, 95; pages, 92",
        "the patient 94 kg, his father 99% sure; he died in 1990 and lived to 90% of it",
        "a sentence of 18 years",
        "the old mill",
        "pages 4 and 5",
        "the nineties",
        "in the 1990s",
        "an aged oak",
        "of age",
        "he turned left",
        "old age pension",
        "turned 90 degrees",
        "ten old coins",
        "he is 95 kg and she is 98% sure",
        "the score was 93",
        "page: 91, Age: 3 samples",
        "temp 101F and 100 yrs ago, 99.1F",
        "he was 100 metres away",
    ),
)
