"""Surnames that men and women write differently: "Zieliński" and "Zielińska", "Novák" and "Nováková"."""

from __future__ import annotations

import re

# Folded endings, and what stands for both forms of a family.
_UNITED = (
    (r"(sk|ck|zk)(?:a|i|y|iy|ij|aya|aia|oy)$", r"\1i"),
    (r"([^aeiou])kova$", r"\1ek"),
    (r"(\w{2})(?:ov|ev)a?$", r"\1"),
    (r"(\w{3}[^aeiou])in[as]$", r"\1in"),
    (r"(\w{3})ausk(?:as|iene|aite)$", r"\1ausk"),
    (r"(\w{2})(?:unas|uniene|unaite)$", r"\1un"),
    (r"(\w{2})(?:vicius|viciene|viciute)$", r"\1vic"),
    (r"(\w{2})poul(?:os|ou)$", r"\1poul"),
    (r"(\w{2}id)(?:is|ou)$", r"\1"),
    (r"(\w{2}(?:ak|ann))is?$", r"\1i"),
)
_RULES = tuple((re.compile(pattern), united) for pattern, united in _UNITED)
_FEMININE = re.compile(
    r"\w{2}(?:sk|ck|zk)(?:a|aya|aia)$|\w{2}(?:ov|ev)a$|\w{3}(?:iene|aite|viciute)$|\w{2}(?:poulou|idou)$"
    r"|(?:s|ar|ur|r)dottir$|sdatter$"
)
_MASCULINE = re.compile(r"\w{2}(?:sk|ck|dzk)(?:i|iy|y)$|\w{3}(?:auskas|vicius)$")
_ANYBODY = frozenset(
    "casanova villanova terranova cordova genova canova nova bova sava alaska nebraska athabasca".split()
)
_PATRONYMIC = {
    "f": re.compile(r"\w{2}(?:ovna|evna|ichna|ivna|yevna|gizi|qizi)$"),
    "m": re.compile(r"\w{2}(?:ovich|evich|yovych|ovych|ovic|evic|oglu|ogly)$"),
}
_FATHERS = re.compile(
    r"\w{2}(?:ovich|evich|owitsch|ewitsch|yovych|ovych|ovna|evna|owna|ewna|yevna|ivna)$"
)
# Endings of an invented surname, and what women write.
_WRITTEN = (
    ("ski", "ska"), ("cki", "cka"), ("dzki", "dzka"), ("sky", "skaya"), ("ov", "ova"), ("ev", "eva"), ("ý", "á"),
    ("poulos", "poulou"), ("idis", "idou"), ("akis", "aki"), ("auskas", "auskienė"), ("iņš", "iņa"),
)  # fmt: skip


def unify_surname(word: str) -> str:
    """The stem that both forms of a folded surname share.

    >>> unify_surname("kowalska") == unify_surname("kowalski"), unify_surname("novakova")
    (True, 'novak')
    """
    for pattern, united in _RULES:
        made = pattern.sub(united, word)
        if made != word:
            return made
    return word


def is_patronymic(word: str) -> bool:
    """Whether a folded word is made from the name of a father, and stands before a surname in full names.

    >>> is_patronymic("petrovich"), is_patronymic("igorevna"), is_patronymic("petrovic")
    (True, True, False)
    """
    return _FATHERS.search(word) is not None


def is_feminine(word: str) -> bool:
    """Whether only women write a folded surname so.

    >>> is_feminine("zielinska"), is_feminine("casanova")
    (True, False)
    """
    return word not in _ANYBODY and _FEMININE.search(word) is not None


def is_inflected(name: str) -> bool:
    """Whether `write_feminine` has another form of a surname."""
    return write_feminine(name) != name


def write_feminine(name: str) -> str:
    """A surname as women write it, where they do so.

    >>> write_feminine("Zieliński"), write_feminine("Nowak")
    ('Zielińska', 'Nowak')
    """
    for masculine, feminine in _WRITTEN:
        if name.endswith(masculine):
            return name.removesuffix(masculine) + feminine
    return name


def tell_gender(names: tuple[str, ...], surname: str) -> str:
    """ "m" or "f" where a folded surname or a patronymic among the given names tells it.

    >>> tell_gender(("natalia", "petrovna"), "koval"), tell_gender(("ola",), "zielinska")
    ('f', 'f')
    """
    if any(is_feminine(part) for part in surname.split("-")):
        return "f"
    for gender, pattern in _PATRONYMIC.items():
        if any(pattern.search(name) for name in names[1:]):
            return gender
    return "m" if _MASCULINE.search(surname) else ""
