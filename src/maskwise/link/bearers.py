"""Finds other people with the surname of a protected person: "Mr Hansen" is not Ingrid Hansen.

A title with the surname alone names someone else if the person is of the other gender. Their own title, their given
name or the titles of the text tell the gender. If nothing tells it, two rules remain. Whoever the text calls a relative
is another person ("Mr Hansen, my husband"). Of "Mr Hansen" and "Mrs Hansen" the rarer one is another person, and both
are if they are equally frequent, because a wrong guess would put one's deeds under the other's label. These other
people share the name, so they are masked all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from maskwise.link.name_span import NameSpan
from maskwise.text import Document, Person
from maskwise.text.gender import guess_gender, is_relative
from maskwise.text.person import Name, parse_name


def find_others(document: Document, found: Sequence[NameSpan]) -> set[NameSpan]:
    """Returns the spans that name another bearer of the name."""
    others: set[NameSpan] = set()
    for number, person in enumerate(document.protected):
        spans = [span for span in found if span.person == number]
        named = [(span, parse_name(document.text[span.start : span.end])) for span in spans]
        lone = [(span, name) for span, name in named if _is_titled_surname(name)]
        if not lone:
            continue
        own = _find_own_gender(person, [name for _, name in named])
        foreign = {"m", "f"} - {own} if own else _find_foreign_genders(document, lone)
        others.update(span for span, name in lone if name.gender in foreign)
    return others


def _is_titled_surname(name: Name) -> bool:
    """Whether it is one word after a title that tells a gender."""
    return bool(name.gender) and len(name.words) == 1 and not name.initials


def _find_own_gender(person: Person, names: Sequence[Name]) -> str:
    """Returns the gender that the given name of the person or a full name in the text tells; empty if none does."""
    titles = {parse_name(name).gender for name in (person.name, *person.aliases)}
    titles |= {name.gender for name in names if len(name.words) > 1}
    titles.discard("")
    if len(titles) == 1:
        return titles.pop()
    return guess_gender(person.names[0]) if len(person.names) > 1 and not titles else ""


def _find_foreign_genders(document: Document, lone: Sequence[tuple[NameSpan, Name]]) -> set[str]:
    """Returns the genders whose titles name someone else, as far as the text tells."""
    related = {name.gender for s, name in lone if is_relative(document.text, s.start, s.end)}
    if len(related) == 1:
        return related
    count = Counter(name.gender for _, name in lone)
    if len(count) < 2:
        return set()
    (_, most), (rarer, least) = count.most_common()
    return {rarer} if most > least else set(count)
