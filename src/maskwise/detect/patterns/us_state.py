"""States of the United States, which the HIPAA safe harbour lets stand, and ZIP codes after them, which it does not.

States that are also cities are no states here; a ZIP code may follow them too.
"""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import STATE

_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana"
    "|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana"
    "|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|North Carolina|North Dakota|Ohio|Oklahoma|Oregon"
    "|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|West Virginia"
    "|Wisconsin|Wyoming"
)

# A ZIP code follows these as well.
_BEFORE_ZIP = (
    rf"(?i:{_STATES}|New York|Washington|Georgia|Puerto Rico|D\.?C\.?)"
    r"|A[KLRZ]|C[AOT]|DE|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|PR|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
_NO_COUNTY = "THE|THIS|THAT|OUR|EACH|ANY|EVERY|HER|HIS|THEIR|SAME|ONE|HOME|OF|IN|FOR|AND|OR|A|NO|LOCAL|NEXT|RURAL|LARGE"
_SAINTS = "SAN|SANTA|LOS|EL|LA|NEW|SAINT|ST\\.?|PRINCE|FORT|DE|DU|LAKE|MOUNT|GRAND|PALM|KING"
# With these it is the name of something else.
_NAMES = "city|state|university|college|river|street|st|avenue|ave|road|rd|county|supreme|department|lane|drive"
_KNOWN = frozenset(_STATES.lower().split("|"))


def is_state(name: str) -> bool:
    """Whether a name, in any case, is that of a state."""
    return name.lower() in _KNOWN


FAMILY = Family(
    name="us_state",
    rules=(
        Rule(
            name=STATE,
            type=EntityType.LOC,
            regex=rf"(?<![\w@.-])(?:(?i:state[ ]of)[ ])?(?i:{_STATES})(?![\w@]|-\w|[ ](?i:{_NAMES})\b)",
            triggers=tuple(_STATES.lower().split("|")),
            reach=24,
            score=0.85,
        ),
        Rule(
            name="address_postcode",
            type=EntityType.LOC,
            shapes=(" 10000",),
            reach=40,
            regex=rf"(?<![\w@.-])(?:{_BEFORE_ZIP})\.?,?[ ]+(?P<m>\d{{5}}(?:-\d{{4}})?)(?![\w@]|[.,-]\d)",
            score=0.9,
        ),
        # In capitals a model takes a county for the body that serves it.
        Rule(
            name="county",
            type=EntityType.LOC,
            regex=rf"(?<![\w@.-])(?!(?i:{_NO_COUNTY})\b)(?:(?:{_SAINTS}) )?[A-Z][A-Z'’-]+ (?:COUNTY|PARISH)(?![\w@])"
            rf"|(?<![\w@.-])(?!(?i:{_NO_COUNTY})\b)(?:(?i:{_SAINTS}) )?[A-Z][a-z'’-]+ County(?![\w@]| [A-Z])",
            triggers=(" county", " parish"),
            reach=32,
            score=0.85,
        ),
    ),
    positive=(
        ("THE AMBULANCE OF TARRANT COUNTY CAME", ("TARRANT COUNTY",)),
        ("SEEN IN SAN MATEO COUNTY", ("SAN MATEO COUNTY",)),
        ("He farms in San Mateo County.", ("San Mateo County",)),
        ("Dayton, Ohio 45402.", ("Ohio", "45402")),
        ("DAYTON OH 45402-1207", ("45402-1207",)),
        ("new york 10001", ("10001",)),
        ("She lives in Ohio, not in West Virginia.", ("Ohio", "West Virginia")),
        ("state=OREGON", ("OREGON",)),
        ("THE STATE OF TEXAS", ("STATE OF TEXAS",)),
    ),
    negative=(
        "New York and Washington",
        "Texas City",
        "Ohio State University",
        "ohio@example.org",
        "the Virginian",
        "IN THE COUNTY AND IN EVERY PARISH",
        "the County Court, and Milwaukee County Court",
        "OR 123456 of them",
    ),
)
