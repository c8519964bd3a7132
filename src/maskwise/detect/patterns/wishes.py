"""People to whom somebody wishes something: "Happy birthday Tobi!", "Happy 40th Wanjiru", "get well soon, Philippa"."""

from __future__ import annotations

from maskwise.detect.gazetteer.lists import is_given_name, read_words
from maskwise.detect.patterns._shapes import UPPER
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.common_words import COMMON
from maskwise.text.plain_words import is_plain

_WISHES = (
    r"happy[ ](?:belated[ ])?(?:[0-9]{1,3}(?:st|nd|rd|th)[ ])?(?:b['’]?day|birthday|anniversary|retirement|graduation)"
    r"|happy[ ][0-9]{1,3}(?:st|nd|rd|th)|many happy returns|merry (?:christmas|xmas)"
    r"|happy (?:christmas|new year|easter)|congrat(?:s|z|ulations)|get well soon"
    r"|good luck|well done|welcome (?:back|home)|rip|r\.i\.p\.|rest in peace"
    r"|miss (?:you|u|ya)|love (?:you|u|ya)|safe travels|sweet dreams"
)
_NAME = rf"[{UPPER}][^\W\d_]{{1,24}}(?:[-'’][{UPPER}]?[^\W\d_]+)*"
# Said to everybody's mother, or what is wished.
_NO_NAMES = frozenset(
    "mum mom mummy mommy mam ma dad daddy papa mama gran granny grandma nan nana nanny grandad grandpa auntie uncle sis"
    " bro baby birthday bday anniversary retirement graduation grad day all everyone everybody team brexit".split()
)


def _is_somebody(surface: str) -> bool:
    """Whether a word after a wish is a name: a given name, or no word of the language."""
    first = surface.split()[0]
    low = first.lower()
    if low in _NO_NAMES:
        return False
    if is_given_name(first):
        return True
    return not (is_plain(low) or low in COMMON or low in read_words("usual_words"))


FAMILY = Family(
    name="wishes",
    rules=(
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?i:{_WISHES}),?[ ](?:(?i:to|dear|dearest|my|our|lovely|darling|sweet|little|uncle"
            rf"|aunt|auntie|nan|gran|grandma|grandad|mama|papa|cousin)[ ]){{0,2}}"
            rf"(?P<m>{_NAME}(?:[ ]{_NAME}){{0,2}})"
            r"(?=[ ]?[,.!?\n&+<)\"”]|[ ]?[-–—][ ]|[ ](?i:and|from|x+|on|love|you|have)\b|\Z)",
            triggers=(
                *("happy ", "returns", "merry ", "congrat", "get well", "good luck", "well done"),
                *("welcome ", "rip ", "r.i.p", "rest in peace", "miss ", "love ", "travels"),
                "dreams",
            ),
            opens=True,
            score=0.8,
            check=_is_somebody,
        ),
    ),
    positive=(
        ("Happy birthday Tobi!", ("Tobi",)),
        ("happy 40th Wanjiru, love from all", ("Wanjiru",)),
        ("Get well soon, Uncle Piotr!", ("Piotr",)),
        ("Congratulations to Solveig and all", ("Solveig",)),
    ),
    negative=(
        "Happy Birthday Card for sale",
        "Happy New Year!",
        "Good luck Team!",
        "Merry Christmas Everyone!",
        "love you Mum!",
        "Happy 3rd Anniversary!",
        "Well done. Next item",
    ),
)
