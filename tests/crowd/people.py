"""Invented people for populations: a few hand-made, and as many more as a test wants."""

from __future__ import annotations

import random

from maskwise.crowd.population import Population, Profile

JOBS = "glassblower cellist surveyor baker botanist tram-driver chaplain fencer beekeeper translator".split()
TOWNS = "Larkby Osthaven Hexwick Morrow Tarn Brightholm Westerloo Dunmere Pellmere Kessel".split()
LANDS = "Vannish Tarnish Morrovian Kesselite".split()
NAMES = "Ada Tomas Mira Oskar Ines Pavel Runa Teodor Lise Bram".split()
FAMILIES = "Brandvold Quillfeather Solanki Fennimore Ashgrove Dvorsky Lindqvale Marchetti Oyelund Pemberly".split()


def people(count: int, seed: int = 0) -> Population:
    """Profiles with a document each: the document says what the profile says, and a little more."""
    draw = random.Random(seed)

    def one(at: int) -> Profile:
        name = f"{draw.choice(NAMES)} {draw.choice(FAMILIES)}"
        job, town, land, year = (
            draw.choice(JOBS),
            draw.choice(TOWNS),
            draw.choice(LANDS),
            draw.randint(1900, 1930),
        )
        text = (
            f"{name} (born {year}) was a {land} {job}. The {job} lived in {town}, won the Copper Heron prize, "
            f"and kept a garden of {draw.choice(TOWNS)} roses."
        )
        return Profile.of(
            f"p{at}",
            {"name": name, "occupation": job, "place": town, "from": land, "born": year},
            text,
        )

    return Population(one(at) for at in range(count))
