"""The invented people of one document: a word of a name becomes the same invented word wherever it stands.

So "Ewa Kowal", "Mrs Kowal", "E.K." and ewa.kowal@ stay one person, also where nobody could tell that they are one, and
those who share a surname in the text share one afterwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from maskwise.mask.surrogate.genders import Told
from maskwise.mask.surrogate.origins import is_middle_surname
from maskwise.mask.surrogate.people import NameSlots
from maskwise.text.folding import fold_words
from maskwise.text.nicknames import list_formal, list_kindred
from maskwise.text.surnames import unify_surname


@dataclass(frozen=True)
class Character:
    """A person of the text, and the names that stand for theirs: given names in order, then a surname."""

    known: NameSlots = field(repr=False)
    names: tuple[str, ...] = field(repr=False)


@dataclass
class Ensemble:
    """The people of a document and their replacements, added one by one. `told` holds the facts about each entity."""

    told: Mapping[str, Told] = field(default_factory=dict, repr=False)
    given: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)  # by gender too
    family: dict[str, str] = field(default_factory=dict, repr=False)  # as men write it
    origins: dict[str, str] = field(default_factory=dict, repr=False)  # by surname
    characters: list[Character] = field(default_factory=list, repr=False)

    def add(self, character: Character) -> None:
        known, names = character.known, character.names
        if character not in self.characters:
            self.characters.append(character)
        self.note_family(known, names[-1])
        for word, name in zip(known.given, names, strict=False):
            if len(word) > 1:
                self.given.setdefault((word, known.gender), name)

    def note_family(self, known: NameSlots, surname: str) -> None:
        """Keep the invented surname, as men write it, and the origin for all who bear the surname."""
        if known.surname:
            self.family.setdefault(unify_surname(known.surname), surname)
            self.origins.setdefault(unify_surname(known.surname), known.origin)

    def note_middle(self, known: NameSlots, names: tuple[str, ...]) -> None:
        """Keep the first one of two surnames too: "López" in "Francisco López Ortega"."""
        for word, name in list(zip(known.given, names, strict=False))[1:]:
            if is_middle_surname(word):
                self.family.setdefault(unify_surname(word), name)

    def find_origin(self, known: NameSlots) -> str:
        """The origin of the family, or of the one bearer of these given names; empty where there is none."""
        if known.surname:
            return self.origins.get(unify_surname(known.surname), "")
        return next((one.known.origin for one in self._list_bearers(known.given)), "")

    def share_origins(self) -> dict[str, float]:
        """The shares of the origins of those who have a surname."""
        found = Counter(one.known.origin for one in self.characters if one.known.surname)
        return {origin: count / found.total() for origin, count in sorted(found.items())}

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
        given = tuple(
            self.family.get(unify_surname(word), "")
            if at and is_middle_surname(word)
            else self._find_given(word, known)
            for at, word in enumerate(known.given)
        )
        return (*given, self._find_surname(known))

    def _find_given(self, word: str, known: NameSlots) -> str:
        if len(word) > 1:
            genders = (known.gender, "") if known.gender else ("", "m", "f")
            forms = (word, *list_kindred(word))
            keys = ((form, gender) for form in forms for gender in genders)
            found = next((self.given[key] for key in keys if key in self.given), "")
            return found or self._find_abbreviated(word, known)
        for one in self._list_relatives(known.surname):
            for other, name in zip(one.known.given, one.names, strict=False):
                if _can_abbreviate(word, other):
                    return name
        lone = [
            o for o in self.characters if not o.known.surname and _is_abbreviation(word, o.known)
        ]
        return lone[0].names[0] if len(lone) == 1 and word == known.given[0] else ""

    def _find_abbreviated(self, word: str, known: NameSlots) -> str:
        """The given name of the one person of whom a given name alone may be the initial: "Vicky", "Mrs V. Moe"."""
        if known.surname or known.given[:1] != (word,):
            return ""
        found = [
            one
            for one in self.characters
            if len("".join(one.known.given[:1])) == 1
            and _can_abbreviate(one.known.given[0], word)
            and (not known.gender or known.gender == one.known.gender)
        ]
        return found[0].names[0] if len(found) == 1 else ""

    def _list_relatives(self, surname: str) -> Iterator[Character]:
        key = unify_surname(surname)
        return (one for one in self.characters if unify_surname(one.known.surname) == key)

    def _find_surname(self, known: NameSlots) -> str:
        word = known.surname
        if not word:
            return self._find_bearer(known.given)
        if unify_surname(word) in self.family:
            return self.family[unify_surname(word)]
        for plural in ("s", "es"):
            if (one := unify_surname(word.removesuffix(plural))) in self.family:
                return self.family[one]
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
        found = [one for one in self.characters if first & set(one.known.given[:1])]
        return [one for one in found if one.known.surname] or found

    def rewrite_login(self, login: str) -> str:
        """An account name made from the names of somebody here as that of the invented person; else nothing.

        >>> cast = Ensemble()
        >>> cast.add(Character(NameSlots(("ewa",), "kowal"), ("Anna", "Lis")))
        >>> cast.rewrite_login("e.kowal"), cast.rewrite_login("kowalewa7"), cast.rewrite_login("webshop")
        ('a.lis', 'lisanna7', '')
        """
        for spelling in _list_spellings(login):
            for one in (*self.characters, *self._list_pairs()):
                if found := _rewrite_spelling(spelling, one):
                    return found
        return ""

    def _list_pairs(self) -> Iterator[Character]:
        """Those whose given name stands alone, with the surnames that others have: a husband, a sister."""
        for one in self.characters:
            for surname, name in self.family.items() if not one.known.surname else ():
                yield Character(NameSlots(one.known.given, surname), (*one.names[:-1], name))

    def rewrite_handle(self, text: str) -> str:
        """The same for an account that may stand after its sign: "@ekowal"."""
        login = self.rewrite_login(text.removeprefix("@"))
        return f"@{login}" if login and text.startswith("@") else login


def _can_abbreviate(letter: str, name: str) -> bool:
    """Whether a letter begins a name or the formal one of a short one."""
    return any(form.startswith(letter) for form in (name, *list_formal(name)))


def _is_abbreviation(letter: str, known: NameSlots) -> bool:
    return len("".join(known.given[:1])) > 1 and _can_abbreviate(letter, known.given[0])


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
