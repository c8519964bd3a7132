"""Numbers and codes that are said or spelt: "oh one seven eight", "my PIN is four four one nine", "M for mother"."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_SAID_DIGITS = (
    *("zero", "oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("double", "triple"),
)
_SAID_LABELS = (
    *("sort code", "account", "acct", "card", "pin", "passcode", "code", "badge", "policy"),
    *("reference", "ref", "extension", "licence", "license", "passport", "number"),
    *("social security", "social", "ssn", "phone", "mobile", "cell"),
)
_SAID = rf"(?i:{'|'.join(_SAID_DIGITS)})(?!\w)"
_SAID_TENS = (
    *(
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ),
    *("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)
# A digit or a number below a hundred as it is said, or figures among such words.
_SAID_PART = (
    rf"(?:(?i:{'|'.join((*_SAID_DIGITS, *_SAID_TENS))})(?!\w)|(?<![0-9])[0-9]{{1,4}}(?![\w%]))"
)
_LONG_NUMBER = 7  # digits
# "S for sugar", "A as in alpha", "W", "nine", "X-ray"
_SPELT_SIGN = (
    rf"(?:[A-Za-z](?:[ ](?i:for|as in|like)[ ][A-Za-z]{{3,10}})(?!\w)|[A-Z](?!\w)|{_SAID}|[0-9](?!\w)"
    r"|(?i:x-ray))"
)
_HUNDRED = r"(?:[ ]?[,.-]?[ ]?(?i:hundred|thousand)(?!\w))?"


def _is_spelt(surface: str) -> bool:
    """Whether letters are spelt and digits are said among them."""
    words = surface.lower().replace(",", " ").split()
    has_letters = (
        " for " in surface or " as in " in surface or " like " in surface or "x-ray" in words
    )
    return has_letters and any(word in _SAID_DIGITS or word.isdecimal() for word in words)


def _is_said_number(surface: str) -> bool:
    """Whether it says as many digits as a number of a telephone or a card has, and most of them in words."""
    parts = surface.lower().replace(",", " ").replace("-", " ").replace(".", " ").split()
    digits = sum(map(len, filter(str.isdigit, parts)))
    words = sum(part in _SAID_DIGITS for part in parts)
    tens = sum(part in _SAID_TENS for part in parts)
    return words > 1 and words + tens + digits >= _LONG_NUMBER


FAMILY = Family(
    name="said",
    rules=(
        # "five five five, oh one seven eight"
        Rule(
            name="phone_words",
            type=EntityType.CODE,
            regex=rf"(?<![\w-]){_SAID_PART}(?:{_HUNDRED}[ ]?[,.-]?[ ]?(?:and[ ])?{_SAID_PART}){{4,20}}(?![\w-])",
            triggers=_SAID_DIGITS,
            reach=32,
            check=_is_said_number,
        ),
        # "sort code two oh four five seven seven", "my pin is four four one nine"
        Rule(
            name="code_said",
            type=EntityType.CODE,
            regex=rf"(?<!\w)(?i:{'|'.join(_SAID_LABELS)})(?:[ ](?i:number|is|was|it's|it’s|ends|ending|in|at)){{0,3}}"
            rf"[ :,]{{1,3}}(?P<m>{_SAID_PART}(?:[ ]?[,.-]?[ ]?{_SAID_PART}){{3,20}})(?![\w-])",
            triggers=_SAID_LABELS,
            opens=True,
            check=lambda surface: any(map(str.isalpha, surface)),
        ),
        # "M for mother, one, four, nine X-ray X-ray": a postcode or reference as people spell it
        Rule(
            name="code_words",
            type=EntityType.CODE,
            regex=rf"(?<![\w-]){_SPELT_SIGN}(?:[ ]?,?[ ]{_SPELT_SIGN}){{3,16}}(?![\w-])",
            triggers=(" for ", " as in ", " x-ray", " like "),
            # After a letter that stands alone.
            needs=r" (?<=[A-Za-z] )(?<!\w\w )(?i:for|as in|like) |[xX]-",
            reach=80,
            check=_is_spelt,
        ),
    ),
    positive=(
        (
            "call five five five, oh one seven eight after six",
            ("five five five, oh one seven eight",),
        ),
        (
            "oh seven seven hundred nine hundred one two three",
            ("oh seven seven hundred nine hundred one two three",),
        ),
        ("the number's 079 one six 44 nine two", ("079 one six 44 nine two",)),
        (
            "oh seven seven, double oh nine, hundred and twenty three",
            ("oh seven seven, double oh nine, hundred and twenty three",),
        ),
        (
            "my social is five three six, twenty two, eighty seven",
            ("five three six, twenty two, eighty seven",),
        ),
        ("card is forty five thirty two, oh one", ("forty five thirty two, oh one",)),
        ("sort code two oh four, five seven seven", ("two oh four, five seven seven",)),
        ("My PIN is four four one nine.", ("four four one nine",)),
        (
            "It's M for mother, one, four, nine X-ray X-ray.",
            ("M for mother, one, four, nine X-ray X-ray",),
        ),
    ),
    negative=(
        "a for apple and one for you",
        "In 2003, one of 12 or two of 30, and three of 4, were left",
        "twenty, thirty, forty, fifty, sixty, seventy, eighty",
    ),
)
