"""Invented people with a document each, for the tests of re-identification."""

from __future__ import annotations

from itertools import islice, product

from maskwise.crowd.population import Population, Profile

FIRST = ("Ada", "Tomas", "Mira", "Jonas", "Lena", "Otto", "Petra", "Silas")
LAST = ("Brandvold", "Quillfeather", "Solanki", "Marrow", "Tindall", "Ostrander", "Vale", "Kemp")
PLACES = ("Larkby", "Osthaven", "Pellmere", "Grauberg", "Tarnfield")
WORK = ("cellist", "miller", "surgeon", "painter", "pilot", "weaver", "judge")


def people(count: int) -> Population:
    """The same people for the same count; no two with the same name."""
    found = []
    for at, (first, last) in enumerate(islice(product(FIRST, LAST), count)):
        place, work, born = PLACES[at * 3 % 5], WORK[at * 5 % 7], str(1920 + at * 7 % 60)
        text = (
            f"{first} {last} (born {born}) is a {work} of {place}. "
            f"As a {work}, {last} left {place}; the work was hard."
        )
        facts = {"name": f"{first} {last}", "born": born, "place": place, "occupation": work}
        found.append(Profile.of(f"p{at}", facts, text))
    return Population(found)
