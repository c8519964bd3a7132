"""Numbers in digits and in English words, and what they are worth."""

from __future__ import annotations

import re

from maskwise.text.fragments import GAP, HYPHEN, join_any_case

_BELOW_TWENTY = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ONES, _TEENS = _BELOW_TWENTY.split()[:9], _BELOW_TWENTY.split()[9:]
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NTH = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth "
    "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
_SCALES = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}

VALUES: dict[str, int] = {
    **{word: at for at, word in enumerate(_BELOW_TWENTY.split(), 1)},
    **{word: 10 * at for at, word in enumerate(_TENS, 2)},
    "fourty": 40,
    **_SCALES,
}
ORDINALS: dict[str, int] = {word: at for at, word in enumerate(_NTH.split(), 1)}

_TENS_AND_ONES = rf"{join_any_case((*_TENS, 'fourty'))}(?:{HYPHEN}{join_any_case(_ONES)})?+"
_BELOW_HUNDRED = rf"(?:{_TENS_AND_ONES}|{join_any_case((*_TEENS, *_ONES))})"
_SCALE = join_any_case(_SCALES)
_MORE = rf"(?:(?:{HYPHEN}|{GAP}and{GAP}){_BELOW_HUNDRED}(?:{HYPHEN}{_SCALE})?+|{HYPHEN}{_SCALE})"

# "twenty-one", "hundred and fifty", "two hundred thousand". The article of "a hundred" stays outside.
LARGE_WORDS = rf"(?:{_BELOW_HUNDRED}{HYPHEN})?{_SCALE}{_MORE}{{0,8}}+(?!\w)"
WORDS = rf"(?:{LARGE_WORDS}|{_BELOW_HUNDRED}(?!\w))"

_GROUPS = r"[0-9]{0,2}(?:[ \u00a0\u2009\u202f,.'’][0-9]{3}(?![0-9])){1,8}+"
_FRACTION = r"(?:[.,][0-9]{1,4}(?![0-9])|[ \u00a0]?[½¼¾⅓⅔]|[ \u00a0][0-9]/[0-9](?![0-9]))"
# A number that a group of three digits or a scale makes large enough to stand alone: "12,500".
GROUPED_DIGITS = (
    r"[0-9](?<![\w.,][0-9])[0-9]{0,2}(?:[,.'’][0-9]{3}(?![0-9])){1,8}+(?:[.,][0-9]{1,2}(?![0-9]))?+"
)
# "5,000", "1 000 000.50", "9½", "3 1/2"; never a piece of a longer number.
LEADING_DIGIT = r"[0-9](?<![\w.,][0-9])"
MORE_DIGITS = rf"(?:{_GROUPS}|[0-9]{{0,14}}+)(?![0-9]){_FRACTION}?+"
DIGITS = LEADING_DIGIT + MORE_DIGITS
SCALE = rf"(?:{GAP}?(?:{join_any_case(('thousand', 'million', 'billion', 'trillion'))}|bn|mn|m|k)(?!\w))"

_PARTS = {"half": 0.5, "½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_SMALL: dict[str, float] = {**VALUES, **_PARTS}
_SHORT = {"bn": 10**9, "mn": 10**6, "m": 10**6, "k": 10**3}
_PIECE = re.compile(
    r"[0-9]/[0-9](?![0-9])|[0-9]+(?:[ \u00a0\u2009\u202f'’][0-9]{3}(?![0-9])|[.,][0-9]+)*|[½¼¾⅓⅔]|[a-z]+"
)


def read_number(text: str) -> float | None:
    """Returns the number written in `text`, or None where there is none or more than one. Other words are passed over.

    >>> [read_number(text) for text in ("EUR 37.5 million", "two hundred and five", "1.250,50", "10 to 12")]
    [37500000.0, 205.0, 1250.5, None]
    """
    total = current = 0.0
    seen = figures = False
    for piece in _PIECE.findall(text.lower()):
        in_digits = piece[0] in "0123456789"
        is_fraction = "/" in piece
        scale = _SCALES.get(piece) or (_SHORT.get(piece) if seen else None)
        if piece in ("to", "or") or (figures and in_digits and not is_fraction):
            return None  # two numbers: a range or a list
        if in_digits:
            current += _read_fraction(piece) if is_fraction else _read_decimal(piece)
            figures = True
        elif scale is not None:
            current = (current or 1) * scale
            if scale >= 1000:
                total, current = total + current, 0.0
        elif piece in _SMALL:
            current += _SMALL[piece]
        else:
            continue
        seen = True
    return total + current if seen else None


# A number that counts nothing: too long, glued to letters, in groups, or in another cell or line than its unit.
_CODE = re.compile(
    r"[0-9]{10}|[A-Za-z][0-9]{6}|[0-9]{6}[A-Za-z]|[0-9]{4,}[^\S\n]*\n|[0-9]-[0-9]{2,4}-[0-9]|[0-9]-[0-9]{4}[A-Za-z]|\t"
)


def is_amount(text: str) -> bool:
    """Whether the digits can count what stands beside them. The digits of a code cannot.

    >>> is_amount("500 m"), is_amount("289326750m"), is_amount("SF9017417")
    (True, False, False)
    """
    return _CODE.search(text) is None


def format_number(number: float) -> str:
    """Shortest decimal form: "5000", "37.5"."""
    return f"{number:.4f}".rstrip("0").rstrip(".")


def _read_fraction(token: str) -> float:
    return int(token[0]) / (int(token[2]) or 1)


def _read_decimal(token: str) -> float:
    """Reads both "1,250.50" and "1.250,50"; a lone separator before exactly three digits groups thousands."""
    digits = re.sub(r"[ \u00a0\u2009\u202f'’]", "", token)
    whole, mark, rest = digits, "", ""
    at = max(digits.rfind(","), digits.rfind("."))
    if at >= 0 and (len(digits) - at != 4 or digits.startswith("0")):
        whole, mark, rest = digits[:at], ".", digits[at + 1 :]
    return float(re.sub(r"[.,]", "", whole) + mark + rest)
