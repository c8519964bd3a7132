"""Ladders of places, organisations and concepts: what the tables say, true for all that the facts know, and fast."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from ladders import is_rising

from maskwise.mask.generalise import atlas, facts, find_levels
from maskwise.mask.generalise.countries import name_subregion
from maskwise.mask.generalise.facts import (
    fold_name,
    read_countries,
    read_country_names,
    read_place_names,
)
from maskwise.mask.generalise.grammar import fit_level
from maskwise.mask.generalise.illnesses import find_families
from maskwise.mask.generalise.occupations import find_title_levels as occupation_levels
from maskwise.mask.generalise.words import make_plural
from maskwise.text import Document, Entity, EntityType

TABLES = Path(__file__).parent.parent / "data" / "generalise"
GAZETTEERS = Path(facts.__file__).parents[2] / "bundle" / "gazetteers"


def rows(name: str) -> list[list[str]]:
    lines = (TABLES / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def entity(
    name: str,
    kind: EntityType,
    subtype: str = "",
    before: str = "they say: ",
    after: str = " there",
) -> Entity:
    document = Document(f"{before}{name}{after}")
    return Entity(
        "e1", kind, (document.mention(len(before), len(before) + len(name), kind, subtype=subtype),)
    )


def levels(name: str, kind: EntityType, subtype: str = "") -> list[str]:
    return [level.text for level in find_levels(entity(name, kind, subtype))]


CASES = [*rows("places.tsv"), *rows("organisations.tsv"), *rows("concepts.tsv")]


@pytest.mark.parametrize(("name", "kind", "subtype", "expected"), CASES)
def test_levels(name: str, kind: str, subtype: str, expected: str) -> None:
    levels = find_levels(entity(name, EntityType(kind), subtype))
    assert [level.text for level in levels] == expected.split(" | ")
    assert is_rising(levels)
    assert levels[-1].loss == 1


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 300
    assert len({tuple(case) for case in CASES}) == len(CASES)


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("She moved to [Oslo].", EntityType.LOC, "a city in Norway"),
        ("[Oslo] was cold.", EntityType.LOC, "A city in Norway"),
        ("He is an [Italian].", EntityType.DEM, "Southern European"),
        ("Two [Italians] came.", EntityType.DEM, "Southern Europeans"),
        ("He is [an Italian].", EntityType.DEM, "a Southern European"),
        ("a Norwegian [plumber] and", EntityType.DEM, "building tradesperson"),
        ("as a [plumber] he", EntityType.DEM, "building tradesperson"),
        ("The [Lublin Regional Court] held", EntityType.ORG, "regional court in Poland"),
        ("the court, [Lublin Regional Court], held", EntityType.ORG, "a regional court in Poland"),
        ("charged with [burglary] and", EntityType.MISC, "a property offence"),
        ("for three [burglaries] and", EntityType.MISC, "property offences"),
        ("he faced [burglary] charges", EntityType.MISC, "property offence"),
        ("he confessed to [murder] in court", EntityType.MISC, "a homicide"),
    ],
)
def test_the_first_level_reads_well_where_it_stands(
    text: str, kind: EntityType, expected: str
) -> None:
    before, name, after = re.split(r"[\[\]]", text)
    found = entity(name, kind, before=before, after=after)
    assert fit_level(find_levels(found)[0], found.first) == expected


@pytest.mark.parametrize(
    ("text", "kind", "subtype", "level", "expected"),
    [
        ("a 34-year-old Lutheran [plumber] from", EntityType.DEM, "occupation", 0, "building tradesperson"),
        ("his retired, blind [plumber]", EntityType.DEM, "occupation", 0, "building tradesperson"),
        ("had severe chronic [pneumonia]", EntityType.DEM, "disease", 0, "lung disease"),
        ("with a chronic [pneumonia]", EntityType.DEM, "disease", 0, "lung disease"),
        ("He spoke fluent [Polish] and left", EntityType.DEM, "nationality", 0, "Slavic language"),
        ("He spoke [Polish].", EntityType.DEM, "nationality", 0, "a Slavic language"),
        ("He spoke to [Polish] courts", EntityType.DEM, "nationality", 0, "Eastern European"),
        ("of [Kurdish] origin", EntityType.DEM, "ethnicity", -1, "certain"),
        ("He is a [Kurd].", EntityType.DEM, "ethnicity", -1, "person of a certain ethnic group"),
        ("He is [Muslim].", EntityType.DEM, "religion", -1, "of a certain religion"),
        ("a [Muslim] cleric", EntityType.DEM, "religion", -1, "certain"),
        ("converted to [Islam]", EntityType.DEM, "religion", -1, "a religion"),
        ("an [atheist] and", EntityType.DEM, "ideology", -1, "person of a certain political or "
         "philosophical view"),
        ("lives near [Linz] now", EntityType.LOC, "city", 1, "a place in Austria"),
        ("the mayor of [Linz] said", EntityType.LOC, "city", -3, "a place in a European country"),
        ("the capital of [Austria] is", EntityType.LOC, "country", 0, "a country in Western Europe"),
        ("a trained [plumber] came", EntityType.DEM, "occupation", 0, "building tradesperson"),
        ("The man visited [Linz].", EntityType.LOC, "city", 0, "a city in Austria"),
        ("the hospital treated [pneumonia]", EntityType.DEM, "disease", 0, "a lung disease"),
        ("lives at [5 Elm Road].", EntityType.LOC, "", 0, "an address"),
        ("[More than] 40 agreed", EntityType.QUANTITY, "hedge", 0, "An amount compared with"),
        ("in northern [Norway] it", EntityType.LOC, "country", 0, "parts of a country in Northern Europe"),
        ("in central [Linz] it", EntityType.LOC, "city", 1, "parts of a place in Austria"),
        ("an [Italian] national aged", EntityType.DEM, "nationality", -1, ""),
        ("France and the [Netherlands] have", EntityType.LOC, "country", 0, "country in Western Europe"),
        ("The [Netherlands] have", EntityType.LOC, "country", 0, ""),
        ("He drove a red 1998 [Renault].", EntityType.ORG, "", 0, ""),
        ("He sued [Brightwater Ltd.] He won", EntityType.ORG, "", 0, "a company."),
        ("[Linz]'s mayor", EntityType.LOC, "city", -3, "A European place"),
        ("the newspaper [Quibbler].", EntityType.ORG, "", -1, "in question"),
        ("has [type 2 diabetes].", EntityType.DEM, "", -1, "an illness"),
        ("met [Roma] families", EntityType.DEM, "ethnicity", -1, "certain"),
        ("a practising [Jew].", EntityType.DEM, "religion", -1, "person of a certain religion"),
        ("lives in the [Tirulia] now", EntityType.LOC, "", -1, "place in question"),
        ("wrote for the [Quibbler].", EntityType.ORG, "", -1, "organisation in question"),
    ],
)  # fmt: skip
def test_a_level_reads_well_where_it_stands(
    text: str, kind: EntityType, subtype: str, level: int, expected: str
) -> None:
    before, name, after = re.split(r"[\[\]]", text)
    found = entity(name, kind, subtype, before, after)
    assert fit_level(find_levels(found)[level], found.first) == expected


def test_what_one_does_to_somebody_is_no_noun() -> None:
    assert (
        find_levels(entity("murder", EntityType.MISC, "offence", "He threatened to ", " her."))
        == ()
    )


def test_an_ambiguous_name_says_only_what_all_its_bearers_share() -> None:
    """For every name GeoNames knows: a country, subregion or continent in a level is that of each place it may mean."""
    by_name = {country.name: country for country in read_countries().values()}
    names = sorted(read_place_names())
    for name in random.Random(7).sample(names, 6000):
        meant = atlas.find_places(name)
        codes = {place.country.code for place in atlas.find_settlements(name)}
        is_unclear = name in facts.read_region_names() or codes <= atlas.CITY_STATES
        assert meant or is_unclear, "a name in the facts means something"
        for level in levels(name, EntityType.LOC):
            _, within, area = level.partition(" in ")
            for place in meant:
                if level in by_name:
                    assert place.country == by_name[level]
                elif area in by_name and place.kind != "country":
                    assert place.country == by_name[area]
                elif within:
                    assert area in (
                        name_subregion(place.country.subregion),
                        place.country.continent,
                    )


def test_a_name_is_taken_for_one_bearer_only_where_it_dominates() -> None:
    for name, listed in read_place_names().items():
        bearers = atlas.find_settlements(name)
        assert len(bearers) == listed.count(",") + 1, "every country of the places is known"
        meant = atlas.find_places(name)
        dropped = len(bearers) > 1 and len(meant) == 1 and meant[0].kind == "settlement"
        assert not dropped or bearers[0].thousands >= 10 * max(1, bearers[1].thousands)


@pytest.mark.parametrize(
    ("size", "holds"),
    [
        ("a town of under 50,000", lambda thousands: 0 < thousands < 50),
        ("a city of over a million", lambda thousands: thousands >= 1000),
        ("a city in", lambda thousands: thousands >= 50),
    ],
)
def test_sizes_are_those_of_the_facts(size: str, holds: Callable[[int], bool]) -> None:
    seen = 0
    for name in random.Random(3).sample(sorted(read_place_names()), 3000):
        if any(level.startswith(size) for level in levels(name, EntityType.LOC)):
            seen += 1
            assert all(holds(place.thousands) for place in atlas.find_places(name))
    assert seen > 50


def test_every_country_has_a_subregion_of_the_united_nations_and_rises_to_a_country() -> None:
    assert len(read_countries()) >= 240
    for country in read_countries().values():
        if fold_name(country.name) in facts.read_regions():
            continue
        found = levels(country.name, EntityType.LOC)
        assert found[-1] in ("a country", "a country or territory")
        assert (found[-1] == "a country") == country.sovereign
        assert any(country.continent.removeprefix("the ")[:4] in level for level in found)


def test_no_name_is_filed_under_two_countries() -> None:
    for country in read_countries().values():
        assert all(
            read_country_names()[fold_name(name)] == country
            for name in (country.name, *country.aliases)
        )


CANCER = re.compile(r"(?:carcinoma|cancer|leuka?emia|lymphoma)$")


def test_families_of_illnesses_agree_with_what_their_names_say() -> None:
    """What a name ends with is an ancestor in any taxonomy: a cancer is one, and nothing benign is."""
    names = (GAZETTEERS / "diseases.txt").read_text("utf-8").splitlines()
    understood = 0
    for name in names:
        chain = find_families(name)
        understood += bool(chain)
        if CANCER.search(name):
            assert "a cancer" in chain, name
        if "benign" in name.split():
            assert "a cancer" not in chain, name
        if name.startswith("malignant "):
            assert "a benign tumour" not in chain, name
        if name.endswith(" infectious disease"):
            assert "an infectious disease" in chain, name
        if name.endswith(" allergy"):
            assert "an immune disorder" in chain, name
    assert understood > 0.5 * len(names)


def test_an_occupation_keeps_its_number() -> None:
    assert [r.text for r in occupation_levels("bus drivers")] == [
        make_plural(r.text) for r in occupation_levels("bus driver")
    ]


LISTS = [
    *(("cities.tsv", EntityType.LOC, "city"), ("regions.txt", EntityType.LOC, "region")),
    *(
        ("countries.txt", EntityType.LOC, "country"),
        ("demonyms.txt", EntityType.DEM, "nationality"),
    ),
    *(
        ("occupations.txt", EntityType.DEM, "occupation"),
        ("diseases.txt", EntityType.DEM, "disease"),
    ),
    *(
        ("universities.txt", EntityType.ORG, "university"),
        ("companies.txt", EntityType.ORG, "company"),
    ),
    *(("religions.txt", EntityType.DEM, "religion"), ("hospitals.txt", EntityType.ORG, "hospital")),
]


def sample(size: int) -> list[Entity]:
    """Entries of the gazetteers, the same number of each list where it has so many."""
    found = []
    for name, kind, subtype in LISTS:
        phrases = [
            line.split("\t")[0] for line in (GAZETTEERS / name).read_text("utf-8").splitlines()
        ]
        chosen = random.Random(name).choices(phrases, k=size // len(LISTS))
        found.extend(entity(phrase, kind, subtype) for phrase in chosen)
    return found


def test_no_level_says_the_original() -> None:
    tried = sample(2000)
    assert len(tried) == 2000
    for found in tried:
        levels = find_levels(found)
        assert is_rising(levels)
        original = re.escape(found.first.text.casefold())
        assert not any(
            re.search(rf"(?<!\w){original}(?!\w)", level.text.casefold()) for level in levels
        )


def test_ladders_are_fast() -> None:
    entities = sample(10_000)
    for found in entities[:: len(entities) // 20]:
        find_levels(found)  # loads the facts
    started = time.process_time()
    for found in entities:
        find_levels(found)
    assert time.process_time() - started < 2


def test_facts_load_fast() -> None:
    took = []
    for _ in range(3):
        read_place_names.cache_clear()
        started = time.process_time()
        read_place_names()
        took.append(time.process_time() - started)
    assert min(took) < 0.1
