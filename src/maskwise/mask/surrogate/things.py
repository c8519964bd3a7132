"""Places and organisations: an invented name before the same head noun."""

from __future__ import annotations

import re
from typing import Any

_HEADS = frozenset(
    "court hospital university school college bank ministry department office council committee institute company "
    "party church clinic police prison agency union association society club museum library trust foundation group ltd "
    "limited inc corporation plc llc gmbh ag street road avenue lane drive square place way close park river lake "
    "mount mountain island county district province region valley bay airport station bridge".split()
)


def invent_thing(faker: Any, text: str, street: bool) -> str:
    """ "Oslo District Court" may become "Hartley Court", "12 High Street" "87 Hartley Street"."""
    words = re.findall(r"[^\W\d_]+", text)
    head = next((word for word in reversed(words) if word.lower() in _HEADS), "")
    name = f"{faker.last_name()}{'' if head else faker.city_suffix()}".replace(" ", "")
    number = re.match(r"\d+", text)
    before = f"{faker.random_int(1, 99)} " if street and number else ""
    return f"{before}{name} {head}".strip()


def make_acronym(name: str) -> str:
    return "".join(word[0] for word in re.findall(r"[^\W\d_]+", name)).upper() + "X"
