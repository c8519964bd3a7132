"""What the name of a column says about its values: words of headers by the kind of column that they announce."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_JOINED = re.compile(r"[\s_./-]+")

# Words that say what a column holds, whatever stands before them: "customer name", "branch city".
WORDS: Mapping[str, str] = {
    "name": "name names fullname surname surnames forename forenames firstname lastname middlename initials nom "
    "vorname nachname nombre apellido apellidos imie nazwisko nome cognome fornavn etternavn",
    "birth": "birth birthdate birthday birthdays dob yob dod death died geburtsdatum geburtstag naissance "
    "nacimiento fodselsdato",
    "code": "account acct badge barcode bib bban bic bsn card case cell cellphone chart claim code cpf cpr device "
    "docket ein email fax fingerprint handle hash iban id ident identifier identity imei imsi insurance "
    "invoice ip isdn kontonummer licence license linkedin login mac mail matriculation mbi meter mobile "
    "mrn msisdn nhs nif nin nino no npi nr num number numero nummer order pan passport pesel phone phones "
    "pin plate pnr policy prn ref reference registration reservation rma room routing sample serial "
    "session sin siren siret skype ssn swift tax taxid tel telefon telephone ticket tin token trip txn "
    "uprn url user username uuid vat vehicle vin whatsapp",
    "date": "at created date datetime day deadline due epoch expires expiry modified moment month published time "
    "timestamp ts updated when year",
    "place": "address adresse area borough city country county district home land lieu location municipality ort "
    "parish place plz postal postcode postleitzahl province region residence stadt state stop street "
    "strasse suburb town village ville zip zipcode",
    "position": "coord coordinate coordinates coords geo geolocation geometry gps lat latitude latlng latlon lng lon "
    "long longitude point",
    "organisation": "agency bank broker business clinic club college company corporation employer enterprise facility "
    "firm foundation hospital institution lab laboratory organisation organization practice prison "
    "publisher school sponsor supplier surgery team university vendor",
    "attribute": "age allergy belief caste citizenship condition conviction crime denomination diagnosis diagnoses "
    "disability disease disorder education ethnicity ethnic faith gender illness job language languages "
    "marital nationality occupation offence offense origin orientation party profession race religion sex "
    "title",
    "text": "body comment comments complaint complaints description details evaluation feedback history "
    "impression message narrative needs note notes observation observations opinion problem purpose "
    "reason remark remarks review skills story summary text",
    "number": "absences altitude amount average balance bmi budget bytes capacity commission contracts cost count "
    "deposit discount distance duration elapsed elevation expected fare fee gift gross height hours "
    "income kg km length level limit mark mass mean measure mileage miles net nights occupants offset "
    "pages pay percent percentage points premium pressure price principal profit quantity rank rate "
    "rating ratio reading rent result revenue salary score seats seconds sentence share size speed stars "
    "sum temperature term total turnover value volume wage weight width",
    "category": "approved category class closed colour color currency decision department flag kind method mode "
    "outcome paid plan priority product sector severity status tariff tier type unit ward",
}
# Roles of people: such a column holds names, unless its values say otherwise.
PEOPLE = frozenset(
    """agent applicant assignee athlete attendee author beneficiary borrower buyer callee caller candidate captain
    caretaker child client coach colleague contact customer daughter debtor defendant doctor donor driver
    employee father gp guardian guest handler head holder husband inmate insured judge juror keeper lawyer
    learner manager member midwife mother neighbour nurse occupant offender officer operator owner parent
    partner passenger patient payee person physician plaintiff player policyholder prisoner pupil purchaser
    recipient referee reporter resident runner seller sender sibling sister solicitor son spouse staff student
    subscriber suspect teacher tenant therapist tutor victim volunteer wife winner witness worker""".split()
)
AGE = frozenset(("age", "alter", "edad", "wiek"))
# A number under one of these is a quantity though the rest of the header names somebody.
_HEADS = frozenset(WORDS["number"].split()) - {"level", "result", "rank", "term", "share"}
_KINDS = {word: kind for kind, words in WORDS.items() for word in words.split()}


@cache
def split_words(header: str) -> tuple[str, ...]:
    """The words of a header in small letters; "e-mail" and "post code" are one word.

    >>> split_words("homePhone_no"), split_words("E-Mail")
    (('home', 'phone', 'no'), ('email',))
    """
    joined = _JOINED.sub("", header).lower()
    if joined in _KINDS:
        return (joined,)
    return tuple(word.lower() for word in _WORD.findall(header))


def read_kinds(header: str) -> tuple[str, ...]:
    """The kinds that the words of a header announce, the one of its last telling word first.

    >>> read_kinds("date_of_birth"), read_kinds("customer")
    (('birth', 'date'), ())
    """
    words = split_words(header)
    found = [_KINDS[word] for word in reversed(words) if word in _KINDS]
    if words and words[-1] in _HEADS:
        found = ["number", *found]
    if "date" in found and found[0] != "date" and words[-1] in ("on", "at"):
        found = ["date", *found]
    return tuple(dict.fromkeys(found))


def names_people(header: str) -> bool:
    """Whether a header names a role of people.

    >>> names_people("billing customer"), names_people("amount")
    (True, False)
    """
    return not PEOPLE.isdisjoint(split_words(header))
