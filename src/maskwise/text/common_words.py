"""Words that are never a name, or not always: because of a Ms May, not every "May" of a text is masked."""

from __future__ import annotations

from maskwise.text import english
from maskwise.text.word_lists import read_words

MONTHS = frozenset(map(str.lower, english.MONTHS))

# Surnames and given names that are also English words. With a capital they usually name someone.
_CALLED = read_words("names_and_words")

# Titles, places and things. After an article or before another name they name nobody ("the King", "Hill Street").
THINGS = frozenset(read_words("things"))

# Never a name on their own.
_NO_NAMES = read_words("never_names")

# Words for roles, bodies and papers. A text may define "the Company", but outside it the words name nobody.
GENERIC = frozenset(read_words("generic")) | MONTHS | frozenset(map(str.lower, english.WEEKDAYS))

# Words that may stand before a name and are no part of it, so that "Senator Souza" is no relative of a Ms Souza.
ROLES = GENERIC | english.HONORIFICS | frozenset(read_words("roles"))
# Of these, a person who is named in full may be called so: "German Soto".
PLACED = frozenset(_NO_NAMES)
NEVER = (english.FUNCTION_WORDS | PLACED | GENERIC) - MONTHS
NAMED_WORDS = MONTHS | THINGS | frozenset(_CALLED)  # somebody may be called so
COMMON = NEVER | NAMED_WORDS

# Legal forms of companies: part of the full name, absent from the short one.
LEGAL_FORMS = frozenset(read_words("legal_forms"))
