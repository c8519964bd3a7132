"""Nouns that are counted: a figure before one of them is a quantity, not a year."""

from __future__ import annotations

_PEOPLE = (
    "accomplices accused adults applicants assailants beneficiaries boys brothers candidates cells children citizens "
    "civilians claimants co-accused co-defendants colleagues complainants daughters defendants demonstrators "
    "detainees doctors drivers employees experts families farmers fighters friends girls grandchildren guards guests "
    "households individuals inhabitants inmates judges jurors landowners lawyers members men migrants minors "
    "nationals neighbours nurses officers participants passengers patients people personnel persons plaintiffs "
    "policemen prisoners protesters pupils refugees residents seamen seekers shareholders siblings sisters soldiers "
    "sons spectators staff students suspects teachers tenants victims villagers visitors voters witnesses women "
    "workers"
)
_THINGS = (
    "accounts actions animals apartments appeals appendices applications appraisals articles bags banknotes barrels "
    "bedrooms beds bones bottles boxes bruises buildings bullets cans caravans cards cars cartons "
    "cartridges cases cattle charges chickens cigarettes claims clips coins companies complaints computers copies "
    "counts cows crates day-fines declarations documents doses envelopes exhibits files fines firearms flats flights "
    "goats grenades hearings hens horses houses incidents injuries inquiries instalments interviews investigations "
    "invoices items kilos knives lashes letters loads lorries machines meetings messages murders occasions offences "
    "operations packages packets pages paintings parcels payments phones photographs pieces pigs pills pistols "
    "pitches places plots points postcards premises programmes properties recordings reports requests rifles "
    "rooms rounds samples seats sentences sessions shares sheep sheets shells shots signatures sites stamps "
    "statements subscribers tablets tins trees vacancies vehicles vessels visits volumes votes weapons windows words "
    "wounds"
)
PEOPLE = tuple(_PEOPLE.split())
THINGS = tuple(_THINGS.split())
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
