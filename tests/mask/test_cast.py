"""The invented people of a document: one for each, of the same gender, with names that nobody in the text bears."""

import re
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from faker import Faker
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.link import RuleLinker
from maskwise.mask.generalise.atlas import find_places
from maskwise.mask.surrogate import ages, people, places, shapes, things
from maskwise.mask.surrogate.cast import Character, Ensemble
from maskwise.mask.surrogate.genders import Told, tell_genders, tell_people
from maskwise.mask.surrogate.origins import (
    NEUTRAL,
    draw_surname,
    find_gender,
    find_origin,
    is_given_name,
    load_names,
)
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, EntityType
from maskwise.text.folding import fold_words

MEN = ("Svein", "Boris", "Karl", "Erik", "Dieter", "Nils", "Wojciech", "Étienne")
WOMEN = ("Sally", "Ingrid", "Birgit", "Karin", "Edith", "Noémi", "Wanda", "Donatella")
SURNAMES = ("Sande", "Kettler", "Weiß", "Bjærke", "Dufour", "Nowak", "Eskelund", "Iversen")
MAKER = Sanitizer(
    Policy.parse(
        {
            "name": "t",
            "detectors": [{"kind": "patterns"}],
            "operator": {"kind": "surrogate", "seed": 3},
        }
    )
)

casts = st.lists(
    st.tuples(st.sampled_from((*MEN, *WOMEN)), st.sampled_from(SURNAMES)),
    min_size=1,
    max_size=4,
    unique_by=(lambda one: one[0], lambda one: one[1], lambda one: fold_words(one[0])[0][0]),
)


def spell(name):
    return "".join(fold_words(name)).replace("ß", "ss").replace("æ", "ae")


def list_forms(name, surname):
    """The ways to write a person, by which two documents are compared."""
    title = "Mr" if name in MEN else "Mrs"
    return {
        "full": f"{name} {surname}",
        "titled": f"{title} {surname}",
        "initial": f"{name[0]}. {surname}",
        "given": name,
        "letters": f"{name[0]}.{surname[0]}.",
    }


def write_text(guests):
    text, places = "", []
    for name, surname in guests:
        for form, written in list_forms(name, surname).items():
            places.append((form, len(text), len(text) + len(written)))
            text += f"{written} came. "
        text += f"Mail {spell(name)}.{spell(surname)}@firm.com, user name: {spell(name)[0]}{spell(surname)}\n\n"
    return text, places


def mask(text, places):
    marked = [(start, end, EntityType.PERSON) for _, start, end in places]
    return MAKER.sanitize(Document(text, metadata={"given": marked}))


@settings(max_examples=40, deadline=None)
@given(casts)
def test_every_form_names_the_same_invented_person(guests):
    text, places = write_text(guests)
    result = mask(text, places)
    alignment = result.rendering.alignment
    masked = [
        (form, result.text[alignment.to_target(start) : alignment.to_target(end)])
        for form, start, end in places
    ]
    size = len(masked) // len(guests)
    full_names = set()
    for at, (name, _) in enumerate(guests):
        shown = dict(masked[at * size : (at + 1) * size])
        given_name, surname = shown["full"].split(" ", 1)
        full_names.add(shown["full"])
        assert shown["given"] == given_name
        assert shown["titled"] == f"{'Mr' if name in MEN else 'Mrs'} {surname}"
        assert shown["initial"] == f"{given_name[0]}. {surname}"
        assert shown["letters"] == f"{given_name[0]}.{surname[0]}."
        assert f"{spell(given_name)}.{spell(surname)}@example.org" in result.text
        assert f"user name: {spell(given_name)[0]}{spell(surname)}" in result.text
        assert find_gender("-".join(fold_words(given_name))) in ("", "m" if name in MEN else "f")
    assert len(full_names) == len(guests)


@settings(max_examples=40, deadline=None)
@given(casts, st.integers(0, 99))
def test_no_invented_name_is_a_name_of_the_document_or_the_corpus(guests, seed):
    text, places = write_text(guests)
    others = f"Later we meet {Faker('en_GB').name()} and Peter Hall."
    policy = {
        "name": "t",
        "detectors": [{"kind": "patterns"}],
        "operator": {"kind": "surrogate", "seed": seed},
        "scope": "corpus",
    }
    run = Sanitizer(Policy.parse(policy))
    run.avoid([text, others])
    marked = [(start, end, EntityType.PERSON) for _, start, end in places]
    result = run.sanitize(Document(text, metadata={"given": marked}))
    names = {word for entity in result.rendering.surrogates for word in _list_names(result, entity)}
    assert names
    assert names.isdisjoint(fold_words(f"{text} {others}"))


def _list_names(result, entity):
    kinds = {one.id: one.type for one in result.entities}
    if kinds[entity] is not EntityType.PERSON:
        return []
    return [w for w in fold_words(result.rendering.replacements[entity]) if len(w) > 3]


@pytest.mark.parametrize(
    ("text", "masked"),
    [("S.S.", "P.H."), ("S. Sande", "P. Hall"), ("Sande, S.", "Hall, P."), ("SS", "PH")],
)
def test_two_names_with_one_letter_keep_their_places(text, masked):
    known = people.NameSlots(("svein",), "sande")
    assert people.rewrite_mention(text, known, ("Peter", "Hall")) == masked


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Donald Lord", {"Mr Lord": "Mr Hall", "Lord, D.": "Hall, P.", "Lord": "Hall"}),
        ("Don Alvarado", {"Don": "Peter", "D. Alvarado": "P. Hall", "Don Alvarado": "Peter Hall"}),
        ("Jan van der Berg Jr", {"Mr and Mrs van der Berg": "Mr and Mrs Hall", "Berg": "Hall"}),
    ],
)
def test_a_name_that_is_a_title_elsewhere_is_a_name(name, forms):
    known = people.read_slots([name, *forms])
    for text, masked in forms.items():
        assert people.rewrite_mention(text, known, ("Peter", "Hall")) == masked


@settings(max_examples=40, deadline=None)
@given(casts)
def test_no_initials_stay(guests):
    text, places = write_text(guests)
    alignment = mask(text, places).rendering.alignment
    assert not [edit for edit in alignment.edits if edit.original == edit.replacement]


def test_an_initial_that_begins_the_surname_does_not_stand_for_it():
    known = people.NameSlots(("k",), "kowal")
    assert people.rewrite_mention("K. Kowal", known, ("Peter", "Hall")) == "P. Hall"


@pytest.mark.parametrize("word", ["De", "Mrs", "Van", "Jr", "’"])
def test_a_person_called_by_a_title_or_a_particle_alone_is_masked(word):
    text = f"Then {word} came."
    result = MAKER.sanitize(Document(text, metadata={"given": [(5, 5 + len(word), "PERSON")]}))
    assert word not in result.text.split()


@pytest.mark.parametrize(
    ("login", "masked"),
    [("aweiss", "phall"), ("aweiß", "phall"), ("anna.weiss7", "paula.hall7"), ("weiss", "hall")],
)
def test_accounts_are_read_in_any_spelling(login, masked):
    cast = Ensemble()
    cast.add(Character(people.NameSlots(("anna",), "weiß"), ("Paula", "Hall")))
    assert cast.rewrite_login(login) == masked


def test_an_account_after_its_sign_is_rewritten():
    cast = Ensemble()
    cast.add(Character(people.NameSlots(("russell", "james"), "moe"), ("Brett", "Liam", "Dunn")))
    assert cast.rewrite_handle("@rjmoe") == "@bldunn"
    assert cast.rewrite_handle("rjmoe") == "bldunn"


def test_a_short_given_name_stands_for_the_same_person():
    cast = Ensemble()
    cast.add(Character(people.NameSlots(("liz",), "moe", "f"), ("Paula", "Hall")))
    assert cast.find_names(people.NameSlots(("elizabeth",), "", "f")) == ("Paula", "Hall")
    assert cast.find_names(people.NameSlots(("beth",), "moe", "f"))[1] == "Hall"


def test_an_umlaut_may_be_written_out_in_an_account():
    cast = Ensemble()
    cast.add(Character(people.NameSlots(("jurgen",), "muller"), ("Peter", "Hall")))
    assert cast.rewrite_login("juergen.mueller") == "peter.hall"


def test_names_for_anybody_are_borne_by_both():
    assert not [name for name in NEUTRAL if find_gender(name.lower())]
    assert len(set(NEUTRAL)) == len(NEUTRAL) > 30
    only = [load_names(locale) for locale in ("de_DE", "fr_FR", "it_IT", "pl_PL", "no_NO", "es_ES")]
    for name in map(str.lower, NEUTRAL):
        is_male = any(name in lists.male for lists in only)
        is_female = any(name in lists.female for lists in only)
        assert is_male == is_female or find_gender(name) == ""


def link(text, *names):
    document = Document(text)
    found = [document.mention(*re.search(n, text).span(), EntityType.PERSON) for n in names]
    return RuleLinker().link(document, sorted(found, key=lambda m: m.start))


def test_a_pronoun_tells_the_gender():
    entities = link(
        "Kim Vestby came. She paid.\n\nRobin Aas left. He slept.", "Kim Vestby", "Robin Aas"
    )
    assert tell_genders(entities) == {"e1": "f", "e2": "m"}


def test_the_title_of_a_spouse_tells_nothing_of_a_given_name_that_is_known():
    entities = link("Piotr Aas came. Mrs Aas slept.", "Piotr Aas", "Mrs Aas")
    assert tell_genders(entities) == {"e2": "f"}


def test_a_pronoun_after_somebody_else_tells_nothing():
    entities = link("Kim Vestby saw Robin Aas. She paid.", "Kim Vestby", "Robin Aas")
    assert tell_genders(entities) == {"e2": "f"}


def test_a_gender_that_text_and_name_dispute_is_left_open():
    assert people.read_slots(["Svein Moen"], Told("f")).gender == ""
    assert people.read_slots(["Svein Moen"], Told("m")).gender == "m"
    assert people.read_slots(["Mrs Svein Moen"], Told("m")).gender == "f"


@pytest.mark.parametrize("seed", range(20))
def test_dates_that_fill_a_year_still_move(seed):
    shift = shapes.draw_shift(Random(seed), ["3 January 1990", "7 December 1989"])
    assert shift.total.days % 7


@pytest.mark.parametrize("seed", range(5))
def test_who_may_be_either_gets_a_name_for_either(seed):
    known = people.NameSlots(("kim",), "vestby")
    invented = people.invent_person(Random(seed), known, double=False)
    assert invented[0] in NEUTRAL


@settings(max_examples=30, deadline=None)
@given(st.lists(st.dates(), min_size=2, max_size=5))
def test_dates_of_a_document_keep_their_order(days):
    days = [day.replace(year=1950 + day.year % 70, day=min(day.day, 28)) for day in sorted(days)]
    text = " ".join(f"On {day.day} {day:%B} {day.year} it rained." for day in sorted(days))
    masked = MAKER.sanitize(text).text
    years = [int(year) for year in re.findall(r"\d{4}", masked)]
    assert len(years) == len(days)
    assert all(one <= other for one, other in pairwise(years))
    assert years[-1] < max(day.year for day in days)


@pytest.mark.parametrize("town", ["Oslo", "Warsaw", "Kraków", "Leeds", "Moss"])
@pytest.mark.parametrize("seed", range(5))
def test_no_town_stands_for_itself_under_another_name(town, seed):
    [place] = find_places(town)
    others = find_places(places.draw_town(Random(seed), town))
    assert others
    assert all(other.country.code == place.country.code for other in others)
    assert all(other.thousands != place.thousands for other in others)


@pytest.mark.parametrize(
    ("written", "gender", "surname"),
    [
        (["Igor Petrovich"], "m", ""),
        (["Svetlana Igorevna Moroz"], "f", "moroz"),
        (["Đỗ Thị Lan", "Lan"], "f", "do"),
        (["Adam Moe J"], "m", "moe"),
        (["De Santis"], "", "santis"),
        (["Signora De Santis"], "f", "santis"),
        (["SN Nwosu"], "", "nwosu"),
        (["Duarte"], "m", ""),
        (["Welcome Sunniva Lie"], "f", "lie"),
    ],
)
def test_names_of_many_forms_are_taken_apart(written, gender, surname):
    known = people.read_slots(written)
    assert (known.gender or gender, known.surname) == (gender, surname)


@pytest.mark.parametrize(
    ("given", "surname", "origin"),
    [
        (["tarek"], "darwish", "arabic"),
        (["suresh"], "", "indian"),
        (["yohannes"], "", "ethiopian"),
        (["gudrun"], "lindenthal", "german"),
        (["jean-baptiste"], "", "french"),
        (["donatella"], "caranta", "italian"),  # an ending alone would say Finland
        (["shirin"], "karimi", "persian"),
    ],
)
def test_names_of_many_places_are_at_home_there(given, surname, origin):
    assert find_origin(given, surname, "english") == origin


def test_a_greeting_with_a_title_greets_by_the_surname():
    found = list(link("Dear Mr Khoury, ring Georges Khoury.", "Mr Khoury", "Georges Khoury"))
    assert not any(one.is_given for one in tell_people(found).values())


def test_no_invented_surname_reads_as_a_given_name():
    drawn = {draw_surname(Random(seed), "english", "en_US") for seed in range(200)}
    assert not [name for name in drawn if is_given_name(fold_words(name)[0])]


def test_a_body_of_plain_words_alone_does_not_stay_in_its_surrogate():
    faker = Faker("en_GB")
    for name in ("Institute of Marine Research", "Harbour Mutual School", "Parish Council"):
        assert name not in things.invent_organisation(faker, name, "en_GB")


@pytest.mark.parametrize("seed", range(10))
def test_times_keep_their_order_and_dates_without_a_year_follow_the_text(seed):
    texts = ["08:40", "19:05", "23:10", "Tue, 11 Jun 2024", "Friday 14 June"]
    shift = shapes.draw_shift(Random(seed), texts)
    *times, full, short = (shapes.move_dates(text, shift) for text in texts)
    assert times == sorted(times)
    day = datetime.strptime(full, "%a, %d %b %Y")
    assert f"{day:%a}" == full[:3]
    later = day + timedelta(days=3)
    assert short == f"{later:%A} {later.day} {later:%B}"


def test_an_age_with_a_sex_moves_as_an_age():
    text = "Pt, 67F, bed 4."
    mention = Document(text).mention(4, 7, EntityType.DEM, subtype="disclosed_age")
    assert ages.is_age(mention)
    assert ages.move_age(mention.text, 2) == "69F"


def test_what_somebody_does_at_an_age_tells_it():
    document = Document("She still drives at 83! He paid 83 crowns.")
    first, second = (document.mention(at, at + 2, EntityType.QUANTITY) for at in (20, 32))
    assert ages.is_age(first)
    assert not ages.is_age(second)


@pytest.mark.parametrize("other", ["Mr King", "L. King"])
def test_a_surname_that_others_show_stands_last(other):
    """Lee begins names in China and Korea, and King is in no list of surnames there."""
    known = people.read_slots(["Lee King", other])
    assert (known.given, known.surname) == (("lee",), "king")


def test_a_surname_of_the_east_stands_first():
    known = people.read_slots(["Đỗ Thị Hạnh", "Ms Hạnh"])
    assert known.surname == "do"
