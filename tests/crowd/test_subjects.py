"""What invented documents tell about their people: biographies, letters, judgments, notes, reports, chats."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked import read_marked

from maskwise.crowd.context import Context
from maskwise.crowd.facts import Fact
from maskwise.crowd.population import linearise
from maskwise.crowd.statements import read_statements
from maskwise.crowd.subjects import MOST, Cast, Subject, find_subjects, read_known
from maskwise.errors import InputError
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, EntityType, Person
from maskwise.text.folding import fold_words
from maskwise.text.tokens import find_sentences

ANA = """\
[Ana Maria "Nana" Souza CBE|PERSON#a] ([3 May 1921|DATETIME:date=1921-05-03] in [Porto|LOC:city], \
[Portugal|LOC:country] – [7 June 1999|DATETIME:date=1999-06-07]) was a [Portuguese|DEM:nationality] \
[cellist|DEM:occupation] and music teacher who played for [Larkby Rovers|ORG]. She competed at the \
[1948|DATETIME:year=1948] and [1952 Summer Olympics|DATETIME]. She was the daughter of [Rui Souza|PERSON]. \
In [1950|DATETIME:year=1950] she married the [painter|DEM:occupation] [Otto Quillfeather|PERSON] and had three \
children. [Souza|PERSON] was educated at the [University of Tarn|ORG]. She died in [Vienna|LOC:city].
"""
LETTER = """\
[Hexwick|LOC:city], [14 March 2023|DATETIME:date=2023-03-14]

Dear [Dr Okafor|PERSON],

My name is [Ingrid Solberg|PERSON:name_said#i] and I have been a patient of the \
[Breivika Clinic|ORG:organisation] since \
[3 May 2019|DATETIME:date=2019-05-03], after a fishing accident off [Senja|LOC]. I am [47 years old|DEM:age=P47Y], \
a former [trawler skipper|DEM]. My daughter [Kari|PERSON] works at [Arctic Seafood AS|ORG:organisation].

Please write to [ingrid@example.org|CODE:email].

Yours sincerely,
[I. Solberg|PERSON#i]
"""
JUDGMENT = """\
The case was lodged by a [Finnish|DEM:nationality] national, [Mr Aarne Kivilahti|PERSON#k] ("the applicant"), on \
[3 May 2011|DATETIME:date=2011-05-03]. He was represented by [Ms T. Rautio|PERSON], a lawyer practising in \
[Turku|LOC:city]. She studied in [Uppsala|LOC:city].

The applicant was born in [1961|DATETIME:year=1961] and lives in [Nokia|LOC:city]. On \
[7 June 2007|DATETIME:date=2007-06-07] he was convicted of tax fraud and sentenced to four years' imprisonment. He \
relies on [Article 6|MISC:legal_reference] before the [Supreme Court|ORG:institution].
"""
ROLE = """\
The applicant was born in [1961|DATETIME:year=1961]. He ran a boatyard in [Tampere|LOC:city]. The applicant was \
arrested on [4 May 2010|DATETIME:date=2010-05-04]. His lawyer was [Ms T. Rautio|PERSON].
"""
NOTE = """\
A [43-year-old|DEM:age=P43Y] woman was admitted to [St Brannoc Hospital|ORG:hospital] on \
[12/03/2021|DATETIME:date=2021-03-12] with [systemic lupus|DEM:disease]. She is a retired [glassblower|DEM] from \
[Hexwick|LOC], has [two sons|QUANTITY:small_count] and plays the harp. Treated with methotrexate.
"""
FORM = """\
Patient: [Rosalind Achterberg|PERSON:name_field#r]
DOB: [03/05/1961|DATETIME:date=1961-05-03]
MRN: [00471123|CODE:digits]

Seen on [14 March 2023|DATETIME:date=2023-03-14] for [type 2 diabetes|DEM:disease]. The patient keeps bees.
"""
REFERRAL = """\
Dear [Dr Okafor|PERSON],
Re: [Rosalind Achterberg|PERSON#r], DOB [03/05/1961|DATETIME:date=1961-05-03]
Thank you for referring this lady of the [Baptist|DEM:religion] faith. She is a lighthouse keeper.
Yours sincerely,
[Dr M. Lindqvist|PERSON]
Neurologist
"""
TO_PATIENT = """\
Dear [Ms Souza|PERSON],
You were admitted to [Hexwick Hospital|ORG:hospital] with [pneumonia|DEM:disease]. Your daughter says that you work as \
a beekeeper in [Larkby|LOC:city].
"""
POLICE = """\
The suspect, a [34-year-old|DEM:age=P34Y] [baker|DEM:occupation] from [Hexwick|LOC], was stopped on \
[4 June 2020|DATETIME:date=2020-06-04]. He drives a 1962 Jaguar.

The victim, a [61-year-old|DEM:age=P61Y] [nurse|DEM:occupation], lives in [Larkby|LOC] and has three children.
"""
CV = """\
[Mirela Dostoi|PERSON]
Date of birth: [12 April 1988|DATETIME:date=1988-04-12]
Nationality: [Romanian|DEM:nationality]

EXPERIENCE
[2015|DATETIME:year=2015] [Teaching assistant|DEM:occupation], [Hexwick Glass Ltd|ORG:organisation]

EDUCATION
[2009|DATETIME:year=2009] [BA|DEM:degree], [University of Tarn|ORG:university]

LANGUAGES
[Welsh|DEM:nationality]
"""
CHAT = """\
[Mira|PERSON:speaker]: hi, i live in [Hexwick|LOC:city] now with my twins
[Jonas Falk|PERSON:speaker]: nice! I moved to [Oslo|LOC:city], I work as a harbour pilot
[Mira|PERSON:speaker]: wow
[Jonas Falk|PERSON:speaker]: and I have [epilepsy|DEM:disease]
"""
TWO = """\
[Ms Ana Souza|PERSON] was born in [Porto|LOC:city] and works as a cellist. [Mr Otto Berg|PERSON] is a \
[dentist|DEM:occupation] in [Oslo|LOC:city]. He has four children. She was diagnosed with leukaemia in \
[2019|DATETIME:year=2019]. The house in [Larkby|LOC:city] was sold.
"""
THREE = (
    TWO
    + "[Vera Lund|PERSON] is a pilot. She plays the harp. [Mr Otto Berg|PERSON] met [Vera Lund|PERSON] in [Bergen|LOC]."
)
DIARY = "I moved to [Hexwick|LOC:city] with my husband. I was born in [1950|DATETIME:year=1950] and I sail a ketch."
SHE = """\
She lives in [Hexwick|LOC:city] with her three children and was born in [1971|DATETIME:year=1971]. Her lawyer, \
[Mr Lee|PERSON], practises in [Oslo|LOC:city].
"""
THIRD = """\
To whom it may concern: [Bo Berg|PERSON] has been our tenant since [2015|DATETIME:year=2015]. He is a widower, a \
member of the Morrow Choir and a [Quaker|DEM:religion]. [Berg|PERSON] won the \
[Copper Heron Prize|MISC:award]. He owns a steam launch. His [12-year-old|DEM:age=P12Y] daughter swims \
for [Larkby|LOC:city].
"""
SENTENCED = """\
[Bo Berg|PERSON] is a [sailor|DEM:occupation] of the [Sami|DEM:ethnicity] people. He was sentenced to \
[six years|DATETIME:duration=P6Y] and fined [EUR 4,000|QUANTITY:money]. He waited for \
[two weeks|DATETIME:duration=P2W] and paid [15 per cent|QUANTITY:percent].
"""


SENTENCE = (
    "[Bo Berg|PERSON] was born in [Oslo|LOC:city], and his three children told him that they play the harp and are "
    "not afraid"
)


def find(marked: str, *protect: str, known: dict[str, dict[str, object]] | None = None) -> Cast:
    document, entities = read_marked(marked, protect)
    return find_subjects(document, entities, known)


def list_facts(subject: Subject) -> set[tuple[str, str]]:
    return {(fact.attribute, fact.value) for fact in subject.facts}


def by_label(cast: Cast) -> dict[str, set[tuple[str, str]]]:
    return {subject.label: list_facts(subject) for subject in cast.subjects}


@pytest.mark.parametrize(
    ("marked", "label", "entities", "facts"),
    [
        (
            ANA,
            "person 1",
            2,
            "born 1921-05-03, died 1999-06-07, birth_place Porto, birth_place Portugal, death_place Vienna, "
            "gender female, nationality Portuguese, occupation cellist, occupation music teacher, "
            "education University of Tarn, team Larkby Rovers, event 1948 Summer Olympics, "
            "event 1952 Summer Olympics, award CBE",
        ),
        (
            LETTER,
            "the author",
            1,
            "place Hexwick, organisation Breivika Clinic, date 2019-05-03, event fishing accident, place Senja, "
            "age 47, born 1976, occupation trawler skipper, family daughter, employer Arctic Seafood AS, gender female",
        ),
        (
            JUDGMENT,
            "person 1",
            1,
            "nationality Finnish, born 1961, place Nokia, offence tax fraud, offence four years' imprisonment, "
            "event convicted 2007-06-07, gender male, place Turku",
        ),
        (
            ROLE,
            "the applicant",
            0,
            "born 1961, place Tampere, event arrested 2010-05-04, gender male",
        ),
        (
            NOTE,
            "the patient",
            0,
            "age 43, born 1978, organisation St Brannoc Hospital, event admitted 2021-03-12, health systemic lupus, "
            "occupation glassblower, place Hexwick, family two sons, instrument harp, health methotrexate, "
            "gender female",
        ),
        (FORM, "person 1", 1, "born 1961-05-03, health type 2 diabetes, property bees"),
        (
            REFERRAL,
            "person 1",
            1,
            "born 1961-05-03, religion Baptist, occupation lighthouse keeper, gender female",
        ),
        (
            TO_PATIENT,
            "person 1",
            1,
            "organisation Hexwick Hospital, health pneumonia, family daughter, occupation beekeeper, place Larkby",
        ),
        (
            POLICE,
            "the suspect",
            0,
            "age 34, born 1986, occupation baker, place Hexwick, date 2020-06-04, property 1962 Jaguar, gender male",
        ),
        (POLICE, "the victim", 0, "age 61, occupation nurse, place Larkby, family three children"),
        (
            CV,
            "person 1",
            1,
            "born 1988-04-12, nationality Romanian, occupation teaching assistant, employer Hexwick Glass Ltd, "
            "education BA, education University of Tarn, language Welsh, date 2015",
        ),
        (CHAT, "person 2", 1, "place Hexwick, family twins"),
        (CHAT, "person 1", 1, "place Oslo, occupation harbour pilot, health epilepsy"),
        (
            TWO,
            "person 1",
            1,
            "birth_place Porto, occupation cellist, health leukaemia, date 2019, place Larkby, gender female",
        ),
        (
            TWO,
            "person 2",
            1,
            "occupation dentist, place Oslo, family four children, place Larkby, gender male",
        ),
        (THREE, "person 2", 1, "occupation pilot, instrument harp, place Bergen"),
        (
            DIARY,
            "the author",
            0,
            "place Hexwick, family husband, born 1950, property ketch",
        ),
        (
            SHE,
            "person 1",
            0,
            "place Hexwick, family three children, born 1971, gender female, place Oslo",
        ),
        (
            THIRD,
            "person 1",
            2,
            "date 2015, family widower, member_of Morrow Choir, religion Quaker, award Copper Heron Prize, "
            "property steam launch, family 12-year-old daughter, place Larkby, gender male",
        ),
        (
            SENTENCED,
            "person 1",
            1,
            "occupation sailor, ethnicity Sami, offence six years, detail EUR 4,000, gender male",
        ),
    ],
)
def test_what_a_document_tells(marked: str, label: str, entities: int, facts: str) -> None:
    cast = find(marked)
    subject = next(subject for subject in cast.subjects if subject.label == label)
    expected = {
        (key, value) for key, _, value in (fact.partition(" ") for fact in facts.split(", "))
    }
    assert expected <= list_facts(subject)
    assert len(subject.entities) == entities


@pytest.mark.parametrize(
    ("marked", "label", "unwanted"),
    [
        (JUDGMENT, "person 1", "Uppsala, Article 6, Supreme Court"),  # the lawyer's, the law's
        (TWO, "person 1", "dentist, Oslo, four children"),
        (TWO, "person 2", "Porto, cellist, leukaemia"),
        (CHAT, "person 1", "Hexwick, twins"),
        (POLICE, "the victim", "34, baker, Hexwick, 1962 Jaguar"),
        (SENTENCED, "person 1", "two weeks, 15 per cent"),
        (ANA, "person 1", "painter, Rui, Quillfeather"),
        (LETTER, "the author", "ingrid@example.org, Okafor, Kari"),
        (CV, "person 1", "EDUCATION, LANGUAGES, EXPERIENCE"),
    ],
)
def test_what_it_does_not_tell_about_them(marked: str, label: str, unwanted: str) -> None:
    subject = next(subject for subject in find(marked).subjects if subject.label == label)
    values = {value for _, value in list_facts(subject)}
    assert not values & set(unwanted.split(", "))


def test_a_biography_keeps_apart_what_registers_do_not_hold() -> None:
    [ana] = find(ANA).subjects
    further = {(fact.attribute, fact.value) for fact in ana.further}
    assert {("family", "three children"), ("event", "married 1950")} <= further
    assert not further & list_facts(ana)
    both = {(key, value) for key, values in ana.full_profile.attributes for value in values}
    assert both == further | list_facts(ana)


def test_a_profile_is_one_of_a_crowd() -> None:
    [bo] = find(THIRD).subjects
    assert bo.profile.id == "person 1"
    assert "religion: Quaker" in linearise(bo.profile)


def test_a_document_that_is_no_entry_has_no_further_facts() -> None:
    assert all(
        not subject.further
        for marked in (LETTER, NOTE, SENTENCED)
        for subject in find(marked).subjects
    )


@pytest.mark.parametrize(
    ("marked", "note"),
    [
        ("", "empty"),
        (" \n", "empty"),
        (
            "The reactor was cooled with water in [Hexwick|LOC:city]. The valve opened twice.",
            "no person",
        ),
        ("[Mr John Reed|PERSON#r] left. [Mr Reed|PERSON#r] came back.", "no facts"),
        (
            "Frau [Ingrid Solberg|PERSON] wurde am 3. Mai in [Hamburg|LOC:city] geboren und ist als Ärztin tätig. "
            "Sie hat drei Kinder und lebt mit ihnen in der Stadt.",
            "English",
        ),
        ("Она родилась в Москве и живёт в городе Твери с тремя детьми.", "English"),
    ],
)
def test_what_is_not_measured(marked: str, note: str) -> None:
    cast = find(marked)
    assert cast.subjects == ()
    assert note in cast.note
    assert "\n" not in cast.note


def test_forty_people() -> None:
    marked = " ".join(
        f"[Mr Bo {name}wick|PERSON] is a baker in [{name}by|LOC:city]."
        * (2 if name == "Lark" else 1)
        for name in ("Lark", *(f"{a}{b}" for a in "BDFGHJKLMNPRT" for b in ("ax", "el", "un")))
    )
    cast = find(marked)
    assert len(cast.subjects) == MOST
    assert ("place", "Larkby") in list_facts(cast.subjects[0])  # mentioned most
    assert "40 people" in cast.note
    assert "--protect" in cast.note


def test_only_protected_people_are_measured() -> None:
    marked = TWO.replace("[Mr Otto Berg|PERSON]", "[Mr Otto Berg|PERSON:titled#p]")
    cast = find(marked, "Otto Berg")
    assert [subject.label for subject in cast.subjects] == ["person 1"]
    assert {("occupation", "dentist"), ("place", "Larkby")} <= list_facts(cast.subjects[0])
    assert ("birth_place", "Porto") not in list_facts(cast.subjects[0])
    assert cast.note == ""


def test_a_protected_person_known_by_role_or_as_the_author() -> None:
    for marked in (ROLE, DIARY, NOTE, SHE):
        [subject] = find(marked, "Vera Lund").subjects
        assert subject.entities == ()
        assert len(subject.facts) > 3


def test_a_protected_person_of_whom_nothing_is_told() -> None:
    cast = find("[Bo Berg|PERSON#p] left.", "Bo Berg")
    assert [subject.facts for subject in cast.subjects] == [()]
    assert "no facts" in cast.note
    cast = find("[Bo Berg|PERSON#p] left. [Ms Lund|PERSON] is a pilot.", "Bo Berg", "Vera Holm")
    assert [subject.label for subject in cast.subjects] == ["person 1", "person 2"]


def test_a_signature_and_the_author_are_one() -> None:
    text = "I was born in [Oslo|LOC:city] and I keep bees.\n\nKind regards,\n[Vera Lund|PERSON]"
    [vera] = find(text).subjects
    assert (vera.label, vera.entities) == ("the author", ("e2",))
    assert ("birth_place", "Oslo") in list_facts(vera)


def test_i_in_a_quotation_or_a_numeral_is_no_author() -> None:
    text = '[Bo Berg|PERSON] fought in World War I. "I was born in a barn and I liked my horse," he told me.'
    assert "the author" not in by_label(find(text))


def test_own_names_are_no_facts() -> None:
    text = "[Jack Hansen|PERSON] is a [baker|DEM:occupation]. He runs [Hansen & Sons Bakery|ORG] in [Hansen|LOC:city]."
    [jack] = find(text).subjects
    values = {value for _, value in list_facts(jack)}
    assert "Sons Bakery" in values
    assert "baker" in values
    assert not any("Hansen" in value for value in values)


def test_a_baker_named_baker_is_still_a_baker() -> None:
    [one] = find("[Bo Baker|PERSON] is a [baker|DEM:occupation].").subjects
    assert ("occupation", "baker") in list_facts(one)


def test_statements_stop_before_names() -> None:
    text = "[Bo Berg|PERSON] was convicted of the murder of [Otto Lund|PERSON] in [Oslo|LOC:city]."
    offences = {
        v for subject in find(text).subjects for k, v in list_facts(subject) if k == "offence"
    }
    assert offences == {"murder"}


@pytest.mark.parametrize(
    ("sentence", "attribute", "value"),
    [
        ("He suffers from gout.", "health", "gout"),
        ("He tested positive for malaria in May.", "health", "malaria"),
        ("She is allergic to penicillin.", "health", "penicillin"),
        ("She underwent a bone graft at home.", "health", "bone graft"),
        ("He has a history of seizures.", "health", "seizures"),
        ("He was accused of arson and left.", "offence", "arson"),
        ("She pleaded guilty to perjury.", "offence", "perjury"),
        ("He was arrested on suspicion of smuggling.", "offence", "smuggling"),
        ("She was fined EUR 200.", "offence", "EUR 200"),
        ("She studied marine biology at sea.", "education", "marine biology"),
        ("He holds a diploma in forestry.", "education", "forestry"),
        ("She volunteers for a lifeboat crew.", "member_of", "lifeboat crew"),
        ("He plays cricket on Sundays.", "sport", "cricket"),
        ("She collects barometers.", "property", "barometers"),
        ("He survived a mining accident.", "event", "mining accident"),
        ("Her ex-husband left.", "family", "ex-husband"),
        ("He has two adopted sons.", "family", "two adopted sons"),
        ("His mother-in-law came.", "family", "mother-in-law"),
        ("She is married.", "family", "married"),
        ("He is the eldest of seven children.", "family", "eldest of seven children"),
        ("She is a single mother.", "family", "single mother"),
        ("I'm a diver.", "occupation", "diver"),
        ("Occupation: stonemason", "occupation", "stonemason"),
        ("He retired as a customs officer.", "occupation", "customs officer"),
        ("The self-employed plumber sang.", "occupation", "plumber"),
        ("She works as a ship's cook at sea.", "occupation", "ship's cook"),
        ("She won the Copper Heron Prize.", "award", "Copper Heron Prize"),
        ("He represented Norway.", "represented", "Norway"),
        ("She was elected Mayor of Larkby.", "office", "Mayor of Larkby"),
        ("He joined the Morrow Choir.", "member_of", "Morrow Choir"),
    ],
)
def test_statements(sentence: str, attribute: str, value: str) -> None:
    assert (attribute, value) in {
        (fact.attribute, fact.value) for fact in read_statements(sentence, find_sentences(sentence))
    }


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("birth", "born Birthplace DOB Native"),
        ("death", "died death buried"),
        (
            "education",
            "studied educated graduated attended degree diploma doctorate PhD enrolled alumna qualified",
        ),
        (
            "employer",
            "works employed job hired manages colleague runs founded owner staff director",
        ),
        ("team", "coached debut"),
        ("member_of", "joined volunteered"),
        ("award", "won wins awarded received prize honoured"),
        ("event", "competed participated survived during"),
        (
            "work",
            "wrote book novel film song album painting starring poem published composed author",
        ),
        ("health", "suffers diagnosed treated allergic injured infected therapy"),
        (
            "offence",
            "convicted charged guilty sentenced indicted suspected arrested imprisoned custody detention",
        ),
        (
            "other",
            "lives resident home moved address settled from returned grew married divorced left visited became",
        ),
    ],
)
def test_words_that_tell_what_follows(kind: str, words: str) -> None:
    for word in words.split():
        text = f"xx {word} of Oslo"
        assert Context(text, ((0, len(text)),)).find_cue(text.index("Oslo")).kind == kind, word


@pytest.mark.parametrize(
    "sentence",
    [
        "It was a matter of time.",
        "He is an applicant.",
        "There was the winter.",
        "She is a patient.",
    ],
)
def test_what_is_no_trade(sentence: str) -> None:
    found = read_statements(sentence, find_sentences(sentence))
    assert not [fact for fact in found if fact.attribute == "occupation"]


def test_known_facts_of_a_person() -> None:
    known: dict[str, dict[str, object]] = {"Otto Berg": {"born": "1950", "place": ["Oslo", "Tarn"]}}
    cast = find(TWO, known=known)
    ana, otto = (subject.profile for subject in sorted(cast.subjects, key=lambda one: one.entities))
    assert (otto.get("born"), set(otto.get("place"))) == (("1950",), {"Oslo", "Tarn", "Larkby"})
    assert ana.get("born") == ()
    assert cast.note == ""


def test_known_facts_without_a_name() -> None:
    [patient] = find(NOTE, known={"": {"employer": "Tarn Glass"}}).subjects
    assert patient.profile.get("employer") == ("Tarn Glass",)
    cast = find(TWO, known={"": {"employer": "Tarn Glass"}})
    assert all(subject.profile.get("employer") == ("Tarn Glass",) for subject in cast.subjects)
    assert "no name" in cast.note


def test_known_facts_of_nobody_in_the_document() -> None:
    cast = find(TWO, known={"Vera Lund": {"born": "1950"}, "Bo Holm": {"born": "1951"}})
    assert "2 people" in cast.note
    assert "Lund" not in cast.note


def write(path: Path, text: str) -> Path:
    path = path / "facts.yaml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_of_known_facts(tmp_path: Path) -> None:
    path = write(tmp_path, "born: 1961-05-03\nplace: [Oslo, Tarn]\nage: 47\n")
    assert read_known(path) == {
        "": {"born": ("1961-05-03",), "place": ("Oslo", "Tarn"), "age": ("47",)}
    }
    path = write(tmp_path, "Ana Souza: {born: 1961}\nBo Berg: {place: Oslo}\n")
    assert read_known(path) == {"Ana Souza": {"born": ("1961",)}, "Bo Berg": {"place": ("Oslo",)}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no mapping"),
        ("- born: 1961", "no mapping"),
        ("{}", "no mapping"),
        ("born: 1961\nborn: 1962", "stands twice"),
        ("born:", "entry 1"),
        ("born: ''", "entry 1"),
        ("place: [Oslo, '']", "entry 1"),
        ("place: []", "entry 1"),
        ("born: 1961\nmarried: yes", "entry 2"),
        ("Ana: {born: 1961}\nplace: Oslo", "entry 2"),
        ("Ana: {born: {year: 1961}}", "person 1, entry 1"),
        ("Ana: {born: 1}\nBo: {}", "person 2"),
        ("1961: {born: 1}", "person 1"),
        ("12: Oslo", "entry 1"),
        ("born: *a", "alias"),
    ],
)
def test_a_bad_file_of_known_facts(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        read_known(write(tmp_path, text))
    message = str(error.value)
    assert message.startswith("facts.yaml: ")
    assert "\n" not in message
    assert "Oslo" not in message


def test_no_text_in_reprs() -> None:
    for marked in (ANA, LETTER, NOTE, TWO, CHAT):
        shown = repr(find(marked)).casefold()
        for word in ("porto", "souza", "hexwick", "ingrid", "lupus", "cellist", "mira"):
            assert word not in shown


PIECES = st.sampled_from(
    [
        "[Ana Souza|PERSON]", "[Souza|PERSON]", "[Mr Otto Berg|PERSON]", "[Porto|LOC:city]", "[Oslo|LOC:city]",
        "[3 May 1961|DATETIME:date=1961-05-03]", "[1999|DATETIME:year=1999]", "[47 years old|DEM:age=P47Y]",
        "[AB-4711|CODE:numbered]", "[cellist|DEM:occupation]", "[Tarn Glass Ltd|ORG:organisation]", "[Souza Ltd|ORG]",
        "[three children|QUANTITY:small_count]", "she", "He", "I", "my", "was born in", "lives in", "works as a",
        "is a", "was convicted of", "fraud", "the patient", "The applicant", "plays the harp", "with", "and", ",", ".",
        "\n", "\n\n", "suffers from gout", "(", ")", '"', "member of", "Dear", "Yours sincerely,", "her husband",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_facts_of_any_document(marked: str) -> None:
    document, entities = read_marked(marked)
    cast = find_subjects(document, entities)
    assert cast == find_subjects(document, entities)
    names = {entity.id: entity for entity in entities}
    codes = {m.text for e in entities if e.type is EntityType.CODE for m in e.mentions}
    for subject in cast.subjects:
        own = {w for id in subject.entities for m in names[id].mentions for w in fold_words(m.text)}
        for fact in (*subject.facts, *subject.further):
            assert all(0 <= start < end <= len(document.text) for start, end in fact.spans)
            assert list(fact.spans) == sorted(set(fact.spans))
            assert not any(code in fact.value for code in codes)
            capitalised = [word for word in fact.value.split() if word[0].isupper()]
            assert not {low for word in capitalised for low in fold_words(word)} & own
            assert fact.value == " ".join(fact.value.split()) != ""


@given(st.text(max_size=300))
def test_any_text_without_entities(text: str) -> None:
    cast = find_subjects(Document(text), [])
    assert isinstance(cast.note, str)
    assert cast.subjects or cast.note


@pytest.mark.parametrize("stop", [". ", " and ", "\n"])
def test_time_grows_no_faster_than_the_text(stop: str) -> None:
    """Four times the text takes less than nine times as long, at best of four tries; a square would take sixteen."""

    def clock(count: int) -> float:
        began = time.process_time()
        find_subjects(*documents[count])
        return time.process_time() - began

    documents = {count: read_marked((SENTENCE + stop) * count) for count in (400, 1600)}
    assert any(clock(1600) < 9 * max(clock(400), 0.03) for _ in range(4))


def test_a_document_of_a_megabyte() -> None:
    document, entities = read_marked((SENTENCE + ". ") * 10_000)
    assert len(document) > 1_000_000
    [bo] = find_subjects(document, entities).subjects
    assert ("birth_place", "Oslo") in list_facts(bo)
    assert len(bo.facts) < 20


def test_words_of_the_kind_of_document_are_no_facts() -> None:
    """A judgment says of everybody that they lodged an application; that somebody farms salmon is their own."""
    text = (
        "The applicant, Ms Ana Souza, was born in 1971. She lodged an application with the Court and was "
        "represented by a lawyer practising in Porto. The domestic courts quashed the indictment. She farms "
        "salmon and plays the theremin."
    )
    document = Document(text, protected=(Person("Ana Souza"),))
    [ana] = find_subjects(document, Sanitizer("anonymous").entities(document)).subjects
    said = {word for fact in ana.facts for word in fold_words(fact.value)}
    assert {"1971", "porto", "salmon", "theremin"} <= said
    assert not {"lodged", "application", "domestic", "quashed", "indictment", "practising"} & said


def test_words_of_everyday_talk_are_no_facts() -> None:
    """A chat is full of words that biographies lack; they fit everybody, and what somebody does fits few."""
    text = (
        "hiya, I'm Petronella Quist, lol. forgot my wallet and my laptop again, sorry! can you grab the folder from "
        "the kitchen? I coach gymnastics in Keldby and I'm the only farrier there."
    )
    document = Document(text, protected=(Person("Petronella Quist"),))
    [person] = find_subjects(document, Sanitizer("anonymous").entities(document)).subjects
    said = {word for fact in person.facts for word in fold_words(fact.value)}
    assert {"keldby", "farrier", "coach"} <= said
    assert not {"lol", "wallet", "laptop", "sorry", "grab", "folder"} & said


def test_the_line_gives_what_is_needed() -> None:
    """Entities of the default policy are enough for the facts of a letter."""
    document = Document(
        "My name is Ingrid Solberg. I was born in Oslo on 3 May 1961 and work as a nurse at Larkby Hospital. "
        "I have three children and suffer from asthma."
    )
    [ingrid] = find_subjects(document, Sanitizer("balanced").entities(document)).subjects
    expected = {
        ("birth_place", "Oslo"),
        ("born", "1961-05-03"),
        ("occupation", "nurse"),
        ("family", "three children"),
        ("health", "asthma"),
    }
    assert expected <= list_facts(ingrid)
    assert all(isinstance(fact, Fact) for fact in ingrid.facts)
