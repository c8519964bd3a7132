"""How many people share an attribute: a rare one narrows the search for a person down.

`bundle/risk/attributes.tsv` holds the attributes that stand in at least one biography of a thousand, with their number
(`tools/build_attributes.py`). Whatever is not in it is rare.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from maskwise.errors import BundleError
from maskwise.text import Entity, EntityType
from maskwise.text.subtypes import LANGUAGE, NATIONALITY, SPORT
from maskwise.text.tokens import WORD

FILE = "risk/attributes.tsv"
ONE_IN = 1000
CROWDS = frozenset(
    {NATIONALITY, LANGUAGE, SPORT}
)  # millions share them, however seldom biographies say so


def is_rare(entity: Entity) -> bool:
    """Whether it is a demographic attribute that fewer than one person in a thousand has, as far as is known."""
    if entity.type is not EntityType.DEM or entity.subtypes & CROWDS:
        return False
    common = read_common_attributes()
    forms = (form for mention in entity.mentions for form in _list_forms(mention.text))
    return not any(form in common for form in forms)


@cache
def read_common_attributes() -> frozenset[str]:
    """The attributes that are not rare."""
    try:
        lines = (files("maskwise.bundle") / FILE).read_text("utf-8").splitlines()
    except OSError as error:
        raise BundleError(
            f"{FILE}: cannot be read ({type(error).__name__}); install Maskwise again"
        ) from error
    return frozenset(line.partition("\t")[0] for line in lines if not line.startswith("#"))


def _list_forms(text: str) -> Iterator[str]:
    """The attribute as it is counted, and what it may be the plural of."""
    attribute = " ".join(split_words(text))
    yield attribute
    for plural, single in (("s", ""), ("es", ""), ("ies", "y"), ("men", "man")):
        if attribute.endswith(plural):
            yield attribute.removesuffix(plural) + single


def split_words(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text.casefold()))
