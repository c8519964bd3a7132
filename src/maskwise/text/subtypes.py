"""The subtypes that more than one room names.

A subtype is an open string: a rule, a list or a third party's detector may give any name. Those that another room asks
for stand here, so that all rooms spell them alike. `age_over_89` is a kind of `age`.
"""

from __future__ import annotations

# Given by the line itself.
DIRECT = "direct"  # the model, or the maker of the document, says that it names the person the text is about
RELATIVE = "relative"  # someone else who shares a name with a protected person
CLINICAL = "clinical"  # a word of medicine that no list has as a disease, a drug or a symptom
DIGITS = "digits"  # a number that nothing but its digits makes a code

# Given by patterns.
ACRONYM = "acronym"
LOWER_HEAD = "lower_head"
ADDRESS = "address"
ROAD_NUMBER = "road_number"
STATE = "state"
AGE = "age"
AGE_OVER_89 = "age_over_89"  # the HIPAA safe harbour masks these ages alone
DISCLOSED = "disclosed"  # what writers tell of themselves
DATE = "date"
DATE_ABROAD = "date_abroad"  # in another language, of which the model knows little
YEAR = "year"
DECADE = "decade"
CENTURY = "century"
CARDINAL = "cardinal"
COUNT = "count"
MEASURE = "measure"
MONEY = "money"
HEDGE = "hedge"
BIC = "bic"
CITATION = "citation"
LEGAL_REFERENCE = "legal_reference"
NUMBERED_ORDER = "legal_reference_order"  # "Order no. 12345": a law, or somebody's order
EMAIL = "email"
HANDLE = "handle"
HASHTAG = "hashtag"
IPV4 = "ipv4"
IPV6 = "ipv6"
PATH = "path"
PHONE = "phone"
URL = "url"

# Given by the word lists.
CITY = "city"
COUNTRY = "country"
REGION = "region"
DISEASE = "disease"
DRUG = "drug"
ETHNICITY = "ethnicity"
LANGUAGE = "language"
NATIONALITY = "nationality"
OCCUPATION = "occupation"
RELIGION = "religion"
EVENT = "event"
INSTRUMENT = "instrument"
NEWSPAPER = "newspaper"
OFFENCE = "offence"
PARTY = "party"
RANK = "rank"
SPORT = "sport"
SYMPTOM = "symptom"

# Given to candidates by the detector of phrases.
PHRASE = "phrase"
TELLING = "telling"  # it says what few can say: a rank, a number of children, an office
USUAL_WORD = (
    "usual_word"  # "applicant", "records": offered for when what tells something does not suffice
)
SMALL_WORD = "small_word"  # "she", "of", labels: offered for when nothing else suffices

# What a model gives: no rule and no list says what the span is.
GUESSED = frozenset(("", DIRECT))
