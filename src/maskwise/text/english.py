"""English words that several rooms read: months, weekdays, titles and words of the closed classes."""

from __future__ import annotations

MONTHS = tuple(
    "January February March April May June July August September October November December".split(),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# Lower-case names with their number in the year. "May" has no shorter form.
SHORT_MONTHS = {"sept": 9} | {
    name[:3].lower(): at for at, name in enumerate(MONTHS, 1) if name != "May"
}
MONTH_NUMBER = {name.lower(): at for at, name in enumerate(MONTHS, 1)} | SHORT_MONTHS

# Titles before a name, in lower case.
MALE_TITLES = frozenset("mr sir lord father fr monsieur herr señor senor sr signor meneer".split())
FEMALE_TITLES = frozenset(
    "mrs ms miss dame lady sister mme mlle frau señora senora sra doña dona madame mademoiselle "
    "signora mevrouw pani paní".split()
)
HONORIFICS = (
    MALE_TITLES
    | FEMALE_TITLES
    | frozenset(
        "mx dr prof professor judge justice rev reverend captain capt colonel col major maj general gen lieutenant lt "
        "sergeant sgt president advocate maître maitre me sheikh imam".split()
    )
)
# Small words inside a surname: "van der Berg", "de la Cruz", "al-Masri". Never a variant on their own.
PARTICLES = frozenset(
    "van von der den de del della di da dos das du la le el al bin ibn ben abu ter ten af av zu zur y e".split()
)

# Words of the closed classes.
DETERMINERS = frozenset(
    "a an the this that these those each every either neither some any no all both half another such".split()
)
PREPOSITIONS = frozenset(
    """
    aboard about above across after against along amid among around as at before behind below beneath beside besides
    between beyond by concerning despite down during except for from in inside into like near of off on onto out
    outside over past per regarding since through throughout to toward towards under underneath until unto up upon
    via with within without than upon amongst till versus v vs
    """.split()
)
CONJUNCTIONS = frozenset("and or but nor & plus".split())

# Words that are no name on their own, though they may begin with a capital.
FUNCTION_WORDS = frozenset(
    """
do so an he she it is as at be by go if in me my no of on or to up us we am and are but can did for get had has her
him his how its let met new nor not now off one our out own per put ran say see set the too two use via was way who
why yes yet you your their them they this that these those with from into over under after before about between during
while when where which what there then than thus here have been being were shall should could must might said
""".split()
)

# Words that do not tell whom a text is about.
STOP_WORDS = frozenset(
    """
    a an the this that these those each every either neither some any no all both another such same other own
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves who whom whose which what when where why how there here
    be am is are was were been being have has had having do does did doing done will would shall should can could may
    might must ought get got gets become became becomes
    of in on at to from by with without within about above across after again against along among around as before
    behind below beneath beside besides between beyond despite down during except for inside into like near off onto out
    outside over past per since through throughout toward towards under until up upon via than then once
    and or but nor so yet if because while although though unless whereas whether not only just also too very more most
    much many few less least even still ever never always often already however later s t d ll re ve m
    """.split()
)
