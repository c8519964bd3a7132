"""Types the columns of a table from header and values together.

The values decide where their form is plain (an e-mail address, a date). The header decides among what values of that
form may be: a date of birth or another date, a number that identifies or one that counts. What neither tells is text,
which goes through the line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from maskwise.io.column_values import ValueProfile, has_form, is_listed, is_surname_first
from maskwise.io.column_words import AGE, is_name_part, is_of_people, read_kinds, split_words
from maskwise.io.headers import is_epoch
from maskwise.text import EntityType
from maskwise.text.subtypes import (
    ADDRESS,
    AGE_OVER_89,
    CARDINAL,
    CITY,
    COUNTRY,
    DATE,
    DISEASE,
    ETHNICITY,
    LANGUAGE,
    NATIONALITY,
    OCCUPATION,
    OFFENCE,
    RELIGION,
    YEAR,
)
from maskwise.text.subtypes import AGE as AGE_SUBTYPE

MOST = 0.8  # the share of values that makes a form that of the column


class ColumnKind(StrEnum):
    """The kind of a column."""

    NAME = "name"
    BIRTH = "birth"
    CODE = "code"
    POSITION = "position"
    PLACE = "place"
    ORGANISATION = "organisation"
    ATTRIBUTE = "attribute"
    DATE = "date"
    NUMBER = "number"
    CATEGORY = "category"
    TEXT = "text"


DIRECT_KINDS = frozenset((ColumnKind.NAME, ColumnKind.CODE, ColumnKind.BIRTH, ColumnKind.POSITION))
FAINT = 0.3  # how much a plain number or a category tells of a person: policies mask it only if they mask everything
VAGUE = 0.7  # how much an attribute tells that many people share
LONG = 5  # digits from which a header alone makes a code of a number
FEW = 8  # values from which their number tells a quantity or a category
_PARTS = frozenset(
    "name names fullname full firstname first lastname last middlename given family middle sur surname surnames "
    "forename forenames initials of the".split()
)
_EXPLICIT = frozenset(
    "surname lastname firstname forename first last given family nachname vorname familienname prenom apellido "
    "apellidos nazwisko imie cognome fornavn etternavn efternavn achternaam voornaam".split()
)
_SUBTYPES = {
    "nationality": NATIONALITY,
    "citizenship": NATIONALITY,
    "religion": RELIGION,
    "faith": RELIGION,
    "ethnicity": ETHNICITY,
    "ethnic": ETHNICITY,
    "occupation": OCCUPATION,
    "profession": OCCUPATION,
    "job": OCCUPATION,
    "diagnosis": DISEASE,
    "disease": DISEASE,
    "condition": DISEASE,
    "illness": DISEASE,
    "offence": OFFENCE,
    "crime": OFFENCE,
    "language": LANGUAGE,
    "languages": LANGUAGE,
}
TYPES: dict[ColumnKind, EntityType] = {
    ColumnKind.NAME: EntityType.PERSON,
    ColumnKind.BIRTH: EntityType.DATETIME,
    ColumnKind.CODE: EntityType.CODE,
    ColumnKind.POSITION: EntityType.CODE,
    ColumnKind.PLACE: EntityType.LOC,
    ColumnKind.ORGANISATION: EntityType.ORG,
    ColumnKind.ATTRIBUTE: EntityType.DEM,
    ColumnKind.DATE: EntityType.DATETIME,
    ColumnKind.NUMBER: EntityType.QUANTITY,
}


@dataclass(frozen=True)
class ColumnVerdict:
    """The kind of a column, and in a phrase without values what told it."""

    kind: ColumnKind
    reason: str

    def find_cell_type(self, header: str, text: str) -> CellType | None:
        """The type of a value; None for what is read as text, and for a value that does not fit its column."""
        value = text.strip()
        if self.kind in DIRECT_KINDS:
            return CellType(TYPES[self.kind], is_direct=True)
        if self.kind is ColumnKind.NUMBER:
            return (
                CellType(EntityType.QUANTITY, CARDINAL, FAINT)
                if has_form(value, "number")
                else None
            )
        if self.kind is ColumnKind.CATEGORY:
            is_short = len(value) <= 30 and not any(sign in value for sign in "@;:\n")
            return CellType(EntityType.MISC, "category", FAINT) if is_short else None
        kind = TYPES.get(self.kind)
        score = VAGUE if self.kind is ColumnKind.ATTRIBUTE else 1.0
        return CellType(kind, find_subtype(self.kind, header, value), score) if kind else None


@dataclass(frozen=True)
class CellType:
    """The type of one value by its column. What identifies by itself `is_direct`."""

    type: EntityType
    subtype: str = ""
    score: float = 1.0
    is_direct: bool = False


def find_header(path: tuple[str, ...]) -> str:
    """The name of a column or of the innermost key."""
    return next((step for step in reversed(path) if step != "*"), "")


def find_role(header: str) -> str:
    """The role of the people in a column of names, as far as the header says: "customer" of "customer_first_name"."""
    words = [word for word in split_words(header) if word not in _PARTS]
    return " ".join(words)


def find_subtype(kind: ColumnKind, header: str, value: str) -> str:
    """The subtype of a value, by which policies spare countries, years or ages."""
    words = set(split_words(header))
    if kind is ColumnKind.DATE:
        return YEAR if value.isdecimal() and len(value) == 4 else DATE
    if kind is ColumnKind.PLACE:
        if is_listed(value, "country"):
            return COUNTRY
        return ADDRESS if _has_digit(value) else CITY
    if kind is ColumnKind.ATTRIBUTE and words & AGE and value.isdecimal():
        return AGE_OVER_89 if int(value[:4]) > 89 else AGE_SUBTYPE
    return next((subtype for word, subtype in _SUBTYPES.items() if word in words), "")


Rule = Callable[[str, tuple[str, ...], ValueProfile], ColumnVerdict | None]


def type_column(header: str, values: Sequence[str]) -> ColumnVerdict:
    """The kind of a column, by its header and a sample of its values.

    >>> type_column("dob", ["1971-05-03", "1980-11-30"]).kind.value
    'birth'
    >>> type_column("amount", ["12.50", "8"]).kind.value
    'number'
    """
    announced = read_kinds(header)
    profile = ValueProfile.sample(values)
    if announced[:1] == ("code",) or is_of_people(header):
        profile = profile.drop_fractions()
    if not profile.values:
        return ColumnVerdict(ColumnKind.TEXT, "no values")
    for rule in _RULES:
        verdict = rule(header, announced, profile)
        if verdict is not None and _is_sure(verdict.kind, header, announced, profile):
            return verdict
    return ColumnVerdict(ColumnKind.TEXT, "neither header nor values tell more")


def _is_sure(
    kind: ColumnKind, header: str, announced: tuple[str, ...], profile: ValueProfile
) -> bool:
    """Whether there are values enough. Few numbers are left to the rules for single cells."""
    if len(profile.values) >= FEW:
        return True
    if kind is ColumnKind.CATEGORY or profile.match("number") >= 0.9:
        is_long = kind is ColumnKind.POSITION or profile.digits[0] >= LONG
        is_told = kind is ColumnKind.NUMBER or (kind in DIRECT_KINDS and is_long)
        return is_told and announced[:1] == (kind.value,)
    is_ordered = profile.measure(is_surname_first) >= MOST
    is_explicit = is_ordered or not _EXPLICIT.isdisjoint(split_words(header))
    is_named = (announced[:1] == ("name",) or is_name_part(header)) and is_explicit
    return kind is not ColumnKind.NAME or is_named or profile.personal >= 0.8


def _tell(kind: ColumnKind, reason: str) -> ColumnVerdict:
    return ColumnVerdict(kind, reason)


def _find_plain_code(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    for form in ("email", "url", "uuid", "mac", "iban", "ip", "card"):
        if profile.match(form) >= MOST:
            return _tell(ColumnKind.CODE, f"values have the form of {form}")
    return None


def _find_text(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if profile.worded >= 0.4 and "place" not in announced[:1] and profile.match("street") < MOST:
        return _tell(ColumnKind.TEXT, "values are sentences")
    return None


def _find_date(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    dated = profile.match("date") + profile.match("moment")
    if dated >= MOST and profile.match("postcode") < dated:
        is_birth = "birth" in announced or "born" in split_words(header)
        kind = ColumnKind.BIRTH if is_birth else ColumnKind.DATE
        return _tell(kind, "values are dates")
    return None


def _find_position(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if profile.match("pair") >= MOST:
        return _tell(ColumnKind.POSITION, "values are pairs of coordinates")
    if announced[:1] == ("position",) and profile.match("number") >= MOST:
        return _tell(ColumnKind.POSITION, "header says coordinates")
    return None


def _find_number(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if profile.match("number") < 0.9:
        return None
    words = split_words(header)
    first = announced[0] if announced else ""
    if "birth" in announced or "born" in words:
        return _tell(ColumnKind.BIRTH, "header says birth")
    if not AGE.isdisjoint(words):
        return _tell(ColumnKind.ATTRIBUTE, "header says age")
    if first == "place":
        return _tell(ColumnKind.PLACE, "header says postcode")
    is_whole = profile.measure(str.isdecimal) >= 0.95
    is_free = first != "code" and not is_of_people(header)
    if is_whole and is_free and profile.measure(_is_moment) >= 0.95:
        return _tell(ColumnKind.DATE, "values count seconds since 1970")
    if not is_whole or first == "number":
        return _tell(ColumnKind.NUMBER, "values are quantities")
    return _judge_whole_numbers(header, announced, profile)


def _judge_whole_numbers(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict:
    """Whole numbers that identify: the header says so, or they have the look of numbers that were given out."""
    longest = profile.digits[-1]
    if profile.is_counter:
        return _tell(ColumnKind.NUMBER, "values count the rows")
    if "number" not in announced and ("code" in announced or is_of_people(header)):
        return _tell(ColumnKind.CODE, "header says that the numbers identify")
    if announced[:1] == ("code",):
        return _tell(ColumnKind.CODE, "header says that the numbers identify")
    if longest >= 9:
        return _tell(ColumnKind.CODE, "numbers are as long as identifiers")
    if profile.is_fixed_length and announced[:1] not in (("number",), ("date",)):
        return _tell(ColumnKind.CODE, "numbers have one length and do not repeat")
    return _tell(ColumnKind.NUMBER, "values are quantities")


def _find_code(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if announced[:1] == ("place",) or profile.named >= MOST:
        return None
    if profile.match("phone") >= MOST and profile.digits[0] >= 7:
        return _tell(ColumnKind.CODE, "values have the form of telephone numbers")
    if profile.coded < MOST:
        return None
    if profile.match("postcode") >= MOST and "code" not in announced:
        return _tell(ColumnKind.PLACE, "values have the form of postcodes")
    is_telling = profile.distinct > 12 and not profile.is_repeated
    if is_telling or (announced[:1] == ("code",) and not profile.is_repeated):
        return _tell(ColumnKind.CODE, "values have the form of codes")
    return None


def _find_organisation(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if announced[:1] == ("organisation",):
        return _tell(ColumnKind.ORGANISATION, "header says organisation")
    if profile.corporate >= 0.4 and "place" not in announced and profile.personal < 0.6:
        return _tell(ColumnKind.ORGANISATION, "values have the form of organisations")
    return None


def _find_place(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if announced[:1] == ("place",):
        return _tell(ColumnKind.PLACE, "header says place")
    listed = profile.list("place")
    if listed >= 0.6 and profile.personal < listed and "name" not in announced:
        return _tell(ColumnKind.PLACE, "values are places of the gazetteer")
    has_digits = profile.measure(_has_digit) >= MOST
    is_free = profile.coded < MOST and not profile.is_repeated
    is_free |= profile.match("road") >= MOST
    if has_digits and is_free and profile.match("street") >= MOST:
        return _tell(ColumnKind.PLACE, "values have the form of addresses")
    return None


def _find_attribute(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if announced[:1] == ("attribute",) and split_words(header)[-1:] != ("title",):
        return _tell(ColumnKind.ATTRIBUTE, "header says a personal attribute")
    if profile.list("attribute") >= 0.7 and announced[:1] != ("category",):
        return _tell(ColumnKind.ATTRIBUTE, "values are personal attributes of the gazetteer")
    return None


def _find_name(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if profile.match("initials") >= MOST:
        return _tell(ColumnKind.NAME, "values are initials")
    is_part = is_name_part(header) and profile.named >= MOST
    is_told = announced[:1] == ("name",) or is_part
    is_announced = is_told or (is_of_people(header) and not announced)
    if is_announced and profile.named >= 0.5 and profile.corporate < 0.4:
        return _tell(ColumnKind.NAME, "header says a person and values are names")
    if profile.personal >= 0.5 and not {"place", "organisation", "category"} & {*announced[:1]}:
        return _tell(ColumnKind.NAME, "values hold given names")
    return None


def _find_handle(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if announced[:1] == ("code",) and not profile.is_repeated and profile.worded < 0.1:
        return _tell(ColumnKind.CODE, "header says that the values identify")
    return None


def _find_category(
    header: str, announced: tuple[str, ...], profile: ValueProfile
) -> ColumnVerdict | None:
    if profile.is_repeated and profile.worded < 0.2:
        return _tell(ColumnKind.CATEGORY, "few values occur again and again")
    return None


def _is_moment(value: str) -> bool:
    return value.isdecimal() and is_epoch(int(value[:19]))


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


_RULES: tuple[Rule, ...] = (
    _find_plain_code,
    _find_text,
    _find_date,
    _find_position,
    _find_number,
    _find_code,
    _find_name,
    _find_organisation,
    _find_attribute,
    _find_place,
    _find_handle,
    _find_category,
)
