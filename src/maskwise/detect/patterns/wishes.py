"""People to whom somebody wishes something, and whom somebody calls by a name.

"Happy birthday Tobi!", "Happy 40th Wanjiru", "get well soon, Philippa"; "everyone calls him Smudge".
"""

from __future__ import annotations

from maskwise.detect.gazetteer.lists import is_given_name, is_place, read_words
from maskwise.detect.medicine import is_eponym
from maskwise.detect.patterns._shapes import UPPER
from maskwise.detect.patterns.full_name import THINGS
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.common_words import COMMON
from maskwise.text.english import MONTH_NUMBER, WEEKDAYS
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


_VERBS = "call calls called calling nicknamed christened dubbed".split()
_CALLED = (
    rf"(?:{'|'.join(_VERBS)}) (?:him|her|me|myself|himself|herself)"
    r"|(?:(?:he|she|i|they|who) (?:now )?|(?:man|woman|girl|boy|lady|guy|friend|user) )(?:goes|go|went|going) by"
    r"|(?:to be|he is|she is|i am|i'm|he's|she's) (?:best |also |better |usually )?(?:called|known as)"
    r"|answers to|(?:real|stage|pet|baby|dead|new) name(?: is| was|:)?"
)
_NAMED_DAYS = frozenset(map(str.lower, (*WEEKDAYS, *MONTH_NUMBER)))


def _is_called(surface: str) -> bool:
    """Whether what somebody is called is a name: nothing that is a word, a day or a place, and no thing."""
    low = surface.split()[0].lower()
    if low in _NAMED_DAYS or surface.split()[-1] in THINGS or is_place(surface):
        return False
    if is_eponym(surface.split()[0]):
        return False
    return _is_somebody(surface)


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
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?i:{_CALLED}) [\"“‘']?(?P<m>{_NAME}(?: {_NAME})?)",
            triggers=(
                *(f"{verb} {whom}" for verb in _VERBS for whom in ("him", "her", "me", "myself")),
                *("goes by ", "go by ", "went by ", "going by ", "known as ", "answers to "),
                *(f"{verb} called " for verb in ("be", "is", "am", "he's", "she's", "i'm")),
                *(f"{kind} name" for kind in ("real", "stage", "pet", "baby", "dead", "new")),
            ),
            reach=48,
            needs=r" [\"“‘']?[^\W\d_a-z]",
            score=0.8,
            check=_is_called,
        ),
    ),
    positive=(
        ("Happy birthday Tobi!", ("Tobi",)),
        ("happy 40th Wanjiru, love from all", ("Wanjiru",)),
        ("At school everyone called him Spadge, and", ("Spadge",)),
        ("She prefers to be called Zoska.", ("Zoska",)),
        ("She is known as Brillo here", ("Brillo",)),
        ("Real name Odalys Tolm, stage name Velvetine", ("Odalys Tolm", "Velvetine")),
        ("He goes by Zuq.", ("Zuq",)),
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
        "They called him Friday and called her Back.",
        "time goes by April",
        "He is known as Paris",
        "a sign to be called Murphy",
        "this is called Brillo",
        "the new name Good Hope Hospital",
        "I called her Monday",
    ),
)
