"""The invented people of one document: a word of a name becomes the same invented word wherever it stands.

So "Ewa Kowal", "Mrs Kowal", "E.K." and ewa.kowal@ stay one person, also where nobody could tell that they are one, and
those who share a surname in the text share one afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from maskwise.mask.surrogate.genders import Told
from maskwise.mask.surrogate.people import NameSlots
from maskwise.text.folding import fold_words
from maskwise.text.nicknames import list_kindred
from maskwise.text.surnames import unify_surname


@dataclass(frozen=True)
class Character:
    """A person of the text, and the names that stand for theirs: given names in order, then a surname."""

    known: NameSlots = field(repr=False)
    names: tuple[str, ...] = field(repr=False)


@dataclass
class Ensemble:
    """Who is who in a document; grows as people are invented. `told` is what the text tells of each entity."""

    told: Mapping[str, Told] = field(default_factory=dict, repr=False)
    given: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)  # by gender too
    family: dict[str, str] = field(default_factory=dict, repr=False)  # as men write it
    origins: dict[str, str] = field(default_factory=dict, repr=False)  # by surname
    characters: list[Character] = field(default_factory=list, repr=False)

    def add(self, character: Character) -> None:
        known, names = character.known, character.names
        if character not in self.characters:
            self.characters.append(character)
        for word, name in zip(known.given, names, strict=False):
            if len(word) > 1:
                self.given.setdefault((word, known.gender), name)

    def note_family(self, known: NameSlots, surname: str) -> None:
        """Keep the invented surname, as men write it, and the origin for all who bear the surname."""
        if known.surname:
            self.family.setdefault(unify_surname(known.surname), surname)
            self.origins.setdefault(unify_surname(known.surname), known.origin)

    def find_origin(self, known: NameSlots) -> str:
        """The origin of the family, or of the one bearer of these given names; empty where there is none."""
        if known.surname:
            return self.origins.get(unify_surname(known.surname), "")
        return next((one.known.origin for one in self._list_bearers(known.given)), "")

    def find_twin(self, known: NameSlots) -> Character | None:
        """The only person whose initials these are: "R.J.R.", "RJR"."""
        words = [*known.given, known.surname]
        letters = "".join(words)
        if any(len(word) > 1 for word in words) and (known.given or len(letters) > 4):
            return None
        found = [one for one in self.characters if _join_initials(one.known) == letters]
        is_one = len({one.names for one in found}) == 1
        return found[0] if is_one and len(letters) > 1 else None

    def find_names(self, known: NameSlots) -> tuple[str, ...]:
        """The names that are settled, one for each slot; empty where one has to be invented."""
        given = tuple(self._find_given(word, known) for word in known.given)
        return (*given, self._find_surname(known))

    def _find_given(self, word: str, known: NameSlots) -> str:
        if len(word) > 1:
            genders = (known.gender, "") if known.gender else ("", "m", "f")
            forms = (word, *list_kindred(word))
            keys = ((form, gender) for form in forms for gender in genders)
            return next((self.given[key] for key in keys if key in self.given), "")
        for one in self._list_relatives(known.surname):
            for other, name in zip(one.known.given, one.names, strict=False):
                if other.startswith(word):
                    return name
        return ""

    def _list_relatives(self, surname: str) -> Iterator[Character]:
        key = unify_surname(surname)
        return (one for one in self.characters if unify_surname(one.known.surname) == key)

    def _find_surname(self, known: NameSlots) -> str:
        word = known.surname
        if not word:
            return self._find_bearer(known.given)
        if unify_surname(word) in self.family:
            return self.family[unify_surname(word)]
        for other, name in self.family.items():
            if word in other.split("-") or other in word.split("-"):
                return name
        return "" if known.given else self._find_given(word, known)

    def _find_bearer(self, given: tuple[str, ...]) -> str:
        """The surname of the one person with these given names."""
        found = self._list_bearers(given)
        return found[0].names[-1] if len(found) == 1 else ""

    def _list_bearers(self, given: tuple[str, ...]) -> list[Character]:
        if not given:
            return []
        first = {given[0], *list_kindred(given[0])}
        return [one for one in self.characters if first & set(one.known.given[:1])]

    def rewrite_login(self, login: str) -> str:
        """An account name made from the names of somebody here as that of the invented person; else nothing.

        >>> cast = Ensemble()
        >>> cast.add(Character(NameSlots(("ewa",), "kowal"), ("Anna", "Lis")))
        >>> cast.rewrite_login("e.kowal"), cast.rewrite_login("kowalewa7"), cast.rewrite_login("webshop")
        ('a.lis', 'lisanna7', '')
        """
        for spelling in _list_spellings(login):
            for one in self.characters:
                if found := _rewrite_spelling(spelling, one):
                    return found
        return ""

    def rewrite_handle(self, text: str) -> str:
        """The same for an account that may stand after its sign: "@ekowal"."""
        login = self.rewrite_login(text.removeprefix("@"))
        return f"@{login}" if login and text.startswith("@") else login


def _list_spellings(login: str) -> tuple[str, ...]:
    """An account in plain letters, and with "mueller" as "muller"."""
    plain = _unite_letters(login.lower())
    return plain, re.sub("([aou])e", r"\1", plain)


def _rewrite_spelling(login: str, one: Character) -> str:
    old = _spell(one.known.given, one.known.surname)
    new = _spell(one.names[:-1], one.names[-1])
    for (given, family), (other, surname) in zip(old, new, strict=False):
        parts = {given: other, family: surname}
        if found := _match_login(login, given, family):
            return "".join(parts.get(piece, piece) if piece else "" for piece in found)
    return ""


def _spell(given: tuple[str, ...], surname: str) -> list[tuple[str, str]]:
    """Given name or initials, and surname, in the ways that accounts are made of them."""
    names = [_spell_plain(name) for name in given]
    family = _spell_plain(surname)
    if not names or not names[0] or not family:
        return [("", family)] if family else []
    letters = "".join(name[0] for name in names if name)
    return [(names[0], family), (names[0][0], family), (letters, family), (names[0], family[0])]


def _spell_plain(name: str) -> str:
    """A name in the letters that accounts have."""
    return _unite_letters("".join(fold_words(name)))


def _unite_letters(text: str) -> str:
    return text.replace("ß", "ss").replace("æ", "ae").replace("œ", "oe")


def _match_login(login: str, given: str, family: str) -> tuple[str, ...] | None:
    """The pieces of an account: a name, what stands between, perhaps another name, and digits."""
    for first, second in ((given, family), (family, given)):
        if not first or not second:
            continue
        pair = re.fullmatch(rf"{re.escape(first)}([._-]?){re.escape(second)}(\d*)", login)
        if pair:
            return first, pair[1], second, pair[2]
    for alone in (family, given):
        found = re.fullmatch(rf"{re.escape(alone)}([._-]?\d*)", login) if len(alone) > 2 else None
        if found:
            return alone, found[1]
    return None


def _join_initials(known: NameSlots) -> str:
    return "".join(word[:1] for word in (*known.given, known.surname))
