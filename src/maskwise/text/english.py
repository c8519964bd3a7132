"""English words that several rooms read: months, weekdays, titles and words of the closed classes."""

from __future__ import annotations

from maskwise.text.word_lists import read_words

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
        "sergeant sgt president advocate maître maitre me sheikh imam sn rn cllr insp cpl supt hhj".split()
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
FUNCTION_WORDS = frozenset(read_words("function_words"))

# Words that do not tell whom a text is about.
STOP_WORDS = frozenset(read_words("stop_words"))
