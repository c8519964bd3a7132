"""Nouns that are counted: a figure before one of them is a quantity, not a year."""

from __future__ import annotations

from maskwise.text.word_lists import read_words

PEOPLE = read_words("counted_people")
THINGS = read_words("counted_things")
_CURRENCIES = (
    "euro euros dollars pounds francs marks roubles zlotys liras kronor kroner crowns yen pesetas"
)
_UNITS = "metres meters kilometres miles feet kilograms kg km cm mm m g grams litres tonnes hectares hours days"
# Everything a bare figure may count, with the amounts and measures that have families of their own.
COUNTED = (
    *PEOPLE,
    *THINGS,
    *"burglaries rapes robberies".split(),  # known as offences, so a count leaves them alone
    *_CURRENCIES.split(),
    *_UNITS.split(),
    *"times years months weeks minutes percent other million thousand".split(),
)
