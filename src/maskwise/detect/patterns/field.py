"""Fields of forms, tables and logs whose label says that a name or a place follows.

The label gives the value away in any case: "NAME: ANA SOUZA", "full_name=ana souza".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from maskwise.detect.cutting import CHATTER
from maskwise.detect.gazetteer.lists import is_given_name, read_words
from maskwise.detect.patterns._fields import (
    END,
    GAP,
    NONE,
    WORD,
    build_field_rule,
    is_rare_word,
    list_triggers,
    split_labels,
)
from maskwise.detect.patterns._labels import EDGE
from maskwise.detect.patterns._shapes import PARTICLES, UPPER
from maskwise.detect.patterns.full_name import THINGS
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.detect.rare_names import is_rare_name
from maskwise.text import EntityType
from maskwise.text.english import HONORIFICS
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import ADDRESS

_PEOPLE = split_labels(
    """
    name;full[ _-]?name;first[ _-]?names?;last[ _-]?name;given[ _-]?names?;family[ _-]?name;surname
    middle[ _-]?name;maiden[ _-]?name;patient;patient[ _-]?name;client[ _-]?name;customer[ _-]?name
    contact;contact[ _-]?person;contact[ _-]?name;next[ _-]?of[ _-]?kin;emergency[ _-]?contact
    employee[ _-]?name;member[ _-]?name;insured;policy[ _-]?holder;account[ _-]?holder
    card[ _-]?holder;guardian;mother;father;spouse;husband;wife;witness;doctor;physician;attending
    provider;referring[ _-]?(?:doctor|physician);nurse;signed[ _-]?by;applicant;defendant;plaintiff
    tenant;student[ _-]?name;recipient;sender;nom;nombre;vorname;nachname;navn;imię;nazwisko
    """
)
# Labels after which an organisation or a remark may stand as well as a name.
_ROLES = split_labels(
    """
    employee;client;customer;claimant;student;member;resident;beneficiary;beneficiaries;benef;subscriber
    owner;driver;passenger;victim;suspect;caller;petitioner;respondent;complainant;appellant;manager
    supervisor;attn;attention;teacher;guest;buyer;seller;landlord;carer;caregiver;therapist;surgeon
    counsel;attorney;solicitor;payee;payer;author;reporter;assignee;interviewer;interviewee;participant
    candidate;partner;child;parent;son;daughter;brother;sister;proprietor;guarantor;debtor;godmother
    godfather;donor;requester;case[ _-]?worker;social[ _-]?worker;requested[ _-]?by;created[ _-]?by
    assigned[ _-]?to;reviewed[ _-]?by;prepared[ _-]?by;approved[ _-]?by;dictated[ _-]?by;seen[ _-]?by
    """
)
# Labels of these after which one word in a capital is somebody, though no list has the name: not "Client: Acme".
_BODIES = ("client", "customer", "claimant", "member", "author", "reporter", "attn", "attention")
_TRADES = split_labels(
    """
    pharmacist;an(?:a|)esthetist;registrar;midwife;consultant;pcp;gp;referrer;handler;informant;buyer;judge;groom
    bride;sales[ _-]?rep;operator;coach;tutor;vet;host;player;nok;pupil;baby;key[ _-]?worker;assistant;officer
    (?:bill|ship|deliver)[ _-]?to;(?:line|account|project)[ _-]?manager;reported[ _-]?by;minutes[ _-]?by;dentist
    optician;physio;physiotherapist;psychologist;psychiatrist;cardiologist;instructor;inspector;translator;editor
    """
)
_ORGANISED = frozenset(
    "ltd inc llc llp gmbh plc corp co sa ag as bv ab oy srl spa kg company group services insurance team "
    "department office unknown various all".split()
)
_TOWNS = split_labels(
    """
    city;town;village;city[ _-]?of[ _-]?(?:birth|residence);home[ _-]?town;birth[ _-]?place;suburb
    place[ _-]?of[ _-]?(?:birth|residence);municipality;county;county[ _-]?of[ _-]?residence;borough
    ort;wohnort;geburtsort;ville;ciudad;(?<!state of )(?<!state_of_)residence
    """
)
_STREETS = split_labels(
    """
    (?:home|mailing|street|postal|billing|shipping|delivery|residential|work)[ _-]?address;address
    street;address[ _-]?line[ _-]?[12]?;addr;adresse;anschrift;dirección;strasse;straße
    """
)
_ROADS = (
    "street|avenue|road|lane|drive|boulevard|court|terrace|crescent|highway|parkway|alley|ave|blvd|rd|st|ln|hwy"
    "|pkwy"
)
# What else stands before "court" and "drive": "1998 the court", "12 days in court", "3 hour drive".
_NO_ROAD = (
    "the|a|an|of|in|on|at|to|by|for|and|or|this|that|each|every|per|days?|hours?|minutes?|miles?|years?|months?|weeks?"
    "|km|high|district|criminal|civil|regional|supreme|appeal|county|city|federal|constitutional|administrative|tennis"
    "|assize|military|magistrates?|labour|family|crown|hard|test|flash|disk|usb|cross|open|long|short|bus|off"
)
_STREET = (
    rf"(?<![\w.,/$€£-])(?:(?<=[ ](?i:at|is)[ ])|(?!(?:1[89]|20)[0-9]{{2}}[ ,][^\n]{{0,40}}(?i:court)))"
    r"[0-9]{1,5}[A-Za-z]?,?"
    rf"(?:[ ](?i:north|south|east|west|n|s|e|w)\.?)?(?:[ ](?!(?i:{_NO_ROAD})(?!\w)){WORD}(?<!\.)){{1,2}}?"
    rf"[ ](?i:{_ROADS})(?![^\W_])(?:\.(?=,|[ ]*\n|\Z))?"
    r"(?:,?[ ](?i:apt|apartment|suite|unit|flat|floor|no)\.?[ ]?#?\w{1,5})?"
)
# Words for roads that mean other things too: they count after "at" or "to" alone.
_WEAK_ROADS = "grove|close|gardens|mews|parade|quay|rise|walk|square|place|way|hill|wharf|row|green|park|crest"
_WEAK_STREET = (
    r"(?<![\w.,/-])(?i:at|to|in|of|on|from|near|outside)[ ](?P<m>[0-9]{1,4}[A-Za-z]?"
    rf"(?:[ ](?!(?i:{_NO_ROAD}|people|men|women|times|more|other|different|small|large)(?!\w)){WORD}(?<!\.))"
    rf"{{1,2}}?[ ](?i:{_WEAK_ROADS})(?![^\W_]))"
)
_POSTCODES = split_labels(
    "zip;zip[ _-]?code;postal[ _-]?code;post[ _-]?code;plz;postnummer;pin[ _-]?code"
)
_NAME = rf"{NONE}{WORD}(?:(?:,[ ]|[ ]){WORD}){{0,4}}"
_CAPITALISED = rf"{NONE}(?:(?=[{UPPER}]){WORD}(?:[ ](?=[{UPPER}])|(?<!\.)(?=\.))){{1,4}}"
_TOWN = rf"{NONE}{WORD}(?:[ ]{WORD}){{0,3}}"
_NOT_STREET = r"(?=[^\n@]{0,60}[^\W_])(?![^\s|;,]{0,60}(?:@|://))"
_ADDRESS = rf"{NONE}{_NOT_STREET}[^\W_][^\n\r|;<>\"\t@=]{{2,80}}?[^\s|;<>\"\t,@=]"
_ZIP = (
    r"(?:[A-Za-z]{2}[ ])?(?:[0-9]{5}(?:-[0-9]{4})?|[A-Za-z]{1,2}[0-9][A-Za-z0-9]?[ ]?[0-9][A-Za-z]{2}"
    r"|[0-9]{4}(?:[ ][A-Za-z]{2})?|[0-9]{3}[ ]?[0-9]{2,3})(?![\w-])"
)
# An address holds commas.
_ADDRESS_END = r"(?=[\"]|['*]{0,2}(?:[ \t]{0,8}(?:[\n\r|;<>\t]|\Z)|[ \t]{1,8}[A-Za-z_]{1,20}=))"


def _is_everyday(word: str) -> bool:
    """Whether a road is not called by this word: "on another road", "in city street"."""
    return is_plain(word) or word in read_words("usual_words")


_PART_VALUE = re.compile(r":[ ]?\[?[\"']?(?P<m>[^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,2})")


def _find_parts(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The values of two fields that hold the parts of one name."""
    for value in _PART_VALUE.finditer(match.string, *match.span()):
        yield value.span("m")


_SUFFIXES = frozenset(("Jr", "Sr", "St", "Ph", "Wm", "Chas", "Geo", "Jos", "Thos"))
_INITIAL = re.compile(r"(?<!\w)[^\W\d_]\.")


def _is_name(surface: str) -> bool:
    """Whether words are written as a name, one of them is a given name, or none is a word that everybody uses;
    and none belongs to an organisation."""
    words = _INITIAL.sub(" ", surface.replace(",", " ")).replace(".", " ").split()
    if (
        not words
        or words[0].lower() in CHATTER
        or any(word.lower() in _ORGANISED or word.title() in THINGS for word in words)
    ):
        return False
    if len(words) == 1:
        return is_given_name(words[0].title())
    is_capital = all(word[0].isupper() or word.lower() in PARTICLES for word in words)
    if is_capital or any(is_given_name(word.title()) for word in (words[0], words[-1])):
        return True
    return len(words) <= 3 and not any(map(is_plain, map(str.lower, words)))


_STOP = re.compile(r"(?<=[^\W\d_]{2})\.\s+")


def _cut_at_stop(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The name up to the end of its sentence: "Oduya" in "Patient: Oduya. Seen today."."""
    start, end = match.span("m")
    for stop in _STOP.finditer(match.string, start, end):
        word = match.string[start : stop.start()].split()[-1]
        if word.lower() not in HONORIFICS and word not in _SUFFIXES:
            end = stop.start()
            break
    yield start, end


def _is_no_chatter(surface: str) -> bool:
    """Whether the value of a field for names does not begin as a turn of talk does: "Witness: Um, so"."""
    return surface.split()[0].rstrip(",.").lower() not in CHATTER


def _is_surname_alone(surface: str) -> bool:
    """Whether one word fills a field for somebody by name: "Quispe", not "Finance", "Cardiology", "Female"."""
    word = surface.rstrip(".")
    return word.lower() not in _ORGANISED and is_rare_name(word)


def _is_unusual_name(surface: str) -> bool:
    """Whether words are written as a name, and some of them is no word that everybody uses."""
    return _is_name(surface) and any(map(is_rare_word, surface.replace(",", " ").split()))


FAMILY = Family(
    name="field",
    rules=(
        build_field_rule(
            "name_field",
            EntityType.PERSON,
            _PEOPLE,
            _NAME,
            check=_is_no_chatter,
            expand=_cut_at_stop,
        ),
        build_field_rule(
            "name_field",
            EntityType.PERSON,
            _ROLES,
            _NAME,
            check=_is_name,
            after_sentence=True,
            expand=_cut_at_stop,
        ),
        # "Patient: Ama Oduya. Reviewed overnight by the team": a sentence of capitals alone
        build_field_rule(
            "name_field",
            EntityType.PERSON,
            _PEOPLE,
            _CAPITALISED,
            end=r"(?=[.][ ]+[A-Z])",
            check=_is_unusual_name,
        ),
        # "Surgeon: Quispe": one word that no list has
        build_field_rule(
            "name_field",
            EntityType.PERSON,
            tuple(label for label in _ROLES + _TRADES if label not in _BODIES),
            rf"{NONE}{WORD}",
            check=_is_surname_alone,
            after_sentence=True,
            score=0.85,
        ),
        # "given: Eskil", "family: Nordahl", beside one another
        Rule(
            name="name_field",
            type=EntityType.PERSON,
            regex=r"(?<![\w-])(?:given|family)[\"']?[ ]?:[ ]?\[?[\"']?[^\W\d_][\w .'’-]{0,40}[\"']?\]?[,\s]{1,24}"
            r"[\"']?(?:given|family)[\"']?[ ]?:[ ]?\[?[\"']?[^\W\d_][\w .'’-]{0,40}",
            triggers=("given:", "given :", 'given":', "given' :", "given':"),
            reach=96,
            expand=_find_parts,
        ),
        # "Name / Ana Souza": a slash stands between alternatives too, so the line must begin with the label.
        Rule(
            name="name_field",
            type=EntityType.PERSON,
            regex=rf"(?m:^)[ \t]*(?i:(?:line )?(?:{'|'.join(_PEOPLE + _ROLES)}))[ ]/[ ](?P<m>{_NAME}){END}",
            triggers=list_triggers(_PEOPLE + _ROLES),
            reach=64,
            score=0.9,
            check=_is_unusual_name,
        ),
        build_field_rule("city_field", EntityType.LOC, _TOWNS, _TOWN),
        build_field_rule(ADDRESS, EntityType.LOC, _STREETS, _ADDRESS, end=_ADDRESS_END, reach=128),
        Rule(
            name="address_postcode",
            type=EntityType.LOC,
            regex=rf"{EDGE}(?i:{'|'.join(_POSTCODES)})(?![^\W_])(?:{GAP}|[ ](?:(?i:is|was|are)[ ])?)(?P<m>{_ZIP})",
            triggers=list_triggers(_POSTCODES),
            reach=48,
            score=0.9,
            certain=True,  # the label says that it is no other code
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=_STREET,
            triggers=tuple(f" {word}" for word in _ROADS.split("|")),
            reach=64,
            score=0.85,
        ),
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=_WEAK_STREET,
            triggers=tuple(f" {word}" for word in _WEAK_ROADS.split("|")),
            reach=64,
            score=0.8,
        ),
        # "a flat on whitehorse road"
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=r"(?<=[ ](?:on|in|at|of|to)[ ])(?P<m>[a-z]{4,20}[ ](?:road|street|avenue|lane))(?![\w-])",
            triggers=(" road", " street", " avenue", " lane"),
            reach=32,
            check=lambda surface: not _is_everyday(surface.split()[0]),
            score=0.8,
        ),
    ),
    positive=(
        ("Name: Ana Souza\nAge: 4", ("Ana Souza",)),
        ("Patient: Zuqo. Seen today.", ("Zuqo",)),
        ("Surgeon: Zuqola\nPharmacist: Brzeska\nBill to: Odalka", ("Zuqola", "Brzeska", "Odalka")),
        ("Patient: Dr. Brisca Tolm. Left", ("Dr. Brisca Tolm",)),
        ("Patient: Brisca Tolm. Reviewed by the team overnight, who left", ("Brisca Tolm",)),
        (
            "Exit interview\nName / Åge Brzeska\nLine manager / Odalys Tolm",
            ("Åge Brzeska", "Odalys Tolm"),
        ),
        ("  given: Brisca\n  family: Tolm\n", ("Brisca", "Tolm")),
        ('{"family": "Tolm", "given": ["Brisca"]}', ("Tolm", "Brisca")),
        ("9. Home address: 27 Elm Road, Toledo\n2) Surname: Tolm", ("27 Elm Road, Toledo", "Tolm")),
        ("send it to 44 elm grove pls", ("44 elm grove",)),
        ("she got a flat on whitehorse road", ("whitehorse road",)),
        ("She stays in town. Solicitor: Odalys Tolm, ref 4", ("Odalys Tolm",)),
        ("Manager: Pekka\nParent/carer 2: Ana\n", ("Pekka", "Ana")),
        ("benef: zoltan fekete", ("zoltan fekete",)),
        ("PATIENT: ANA P. SOUZA\n", ("ANA P. SOUZA",)),
        ('patient_name="ana souza" status=ok', ("ana souza",)),
        ("City: Des Moines\nTown\ttoledo\n", ("Des Moines", "toledo")),
        ('home_address="12 elm road, apt 4" status=ok', ("12 elm road, apt 4",)),
        ("Address: 12 Elm Road, Apt 4\nZIP: 45202-1234", ("12 Elm Road, Apt 4", "45202-1234")),
        ("my zip code is 45202 btw", ("45202",)),
        ("she lives at 12 elm road, apt 4 now", ("12 elm road, apt 4",)),
        ("SEND IT TO 8612 N. HAWTHORN BLVD.\n", ("8612 N. HAWTHORN BLVD.",)),
        ("my address is 1937 elm court", ("1937 elm court",)),
        ("Postcode: SW1A 1AA", ("SW1A 1AA",)),
        ('INFO intake full_name="ana souza" ok=1', ("ana souza",)),
        ("first_name=ana status=ok", ("ana",)),
        ("Employee: Brisca Tolm\nbadge 7", ("Brisca Tolm",)),
        ("[14:03] u1: Employee: Tolm, Brisca; ext. 7", ("Tolm, Brisca",)),
        ('{"client": "Tolm, Brisca"}', ("Tolm, Brisca",)),
        ("| Assigned to | ana tolm |", ("ana tolm",)),
        ('employee="isadora i. mazur" status=ok', ("isadora i. mazur",)),
    ),
    negative=(
        "Mother / Father\nClient / Customer Name\nthe owner / Odalys Tolm",
        "in 1998 the court sat",
        "12 days in court",
        "Article 3 alone. St Mary",
        "he was on another road and in some street",
        "The name: what a pity that it is lost.",
        "The patient: she slept well and ate nothing at all that day.",
        "City hall",
        "the address of the court",
        "Name: n/a",
        "Witness: Um, so it was late",
        "Client: Tolm Insurance Ltd",
        "Customer: wants a refund soon",
        "zip file 2.0",
        "Manager: wanted\nClient: Acme",
        "Consultant: Cardiology\nVictim: Female\nOwner: Finance\nBuyer: Siemens\nGP: None\nVet: Rabies",
    ),
)
