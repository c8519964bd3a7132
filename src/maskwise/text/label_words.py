"""Words of which labels are made: names of fields in forms, tables, tickets and notes, of mail headers and sections.

A label says what stands beside it and names nobody. A word is listed only if it is hardly anybody's name.
"""

from __future__ import annotations

from maskwise.text.word_lists import read_words

WORDS = frozenset(read_words("labels"))
# Small words inside a label: "Date of birth", "Next of kin", "Signed by".
JOINTS = frozenset(
    "of by the and or & for in on at to per a an is as if any other own your my his her their this current "
    "previous "
    "de la del du der die das des".split()
)
# The value beside such a label tells a kind, not who or where.
KINDS = frozenset(
    """
    sex gender relationship priority severity status plan tier level category type kind currency department division
    product version model make component browser environment platform system queue blood resolution state_of
    membership
    allergies allergy medication medications meds diagnosis diagnoses condition procedure indication topic
    """.split()
)
