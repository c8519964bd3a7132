"""Word, Excel, OpenDocument and PDF: nothing planted is left, the rest is as it was, and the check notices when not."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import PurePath

import pytest
from office import MAKERS, Plants, Sample

from maskwise import io
from maskwise.errors import LeakError
from maskwise.io import cells, docx, images, leaks, nodes, odt, ooxml, opc, xlsx
from maskwise.io.formats import Loaded
from maskwise.mask import apply

LABEL = "[PERSON 1]"


@cache
def sample(name: str) -> Sample:
    return MAKERS[name](Plants())


def mask(name: str, raw: bytes, plants: tuple[str, ...]) -> tuple[bytes, str]:
    """Read, replace every planted name in the text, write: the bytes and the masked text."""
    suffix = PurePath(name).suffix
    loaded: Loaded = io.reader(suffix).read(raw, name)
    (text,) = loaded.texts
    found = re.finditer("|".join(map(re.escape, plants)), text)
    masked, alignment = apply(text, [(m.start(), m.end(), LABEL) for m in found])
    return io.writer(suffix).write(loaded, (masked,), (alignment,)), masked


def leaking(name: str, raw: bytes, places: Iterable[str] = ()) -> list[str]:
    """Of these places, or of all, those whose person the leak check finds in a file."""
    found = []
    pieces = list(leaks.pieces(raw, PurePath(name).suffix))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaks, "pieces", lambda *_: pieces)  # read once, searched for each person
        for place in places or sample(name).plants:
            try:
                leaks.check(raw, PurePath(name).suffix, name, [sample(name).plants[place]], [])
            except LeakError:
                found.append(place)
    return found


@cache
def readable(name: str) -> tuple[str, ...]:
    """The people whom the format's reader reads. The others are left to its cleaners alone."""
    (text,) = io.reader(PurePath(name).suffix).read(sample(name).raw, name).texts
    return tuple(who for who in sample(name).plants.values() if who in text)


def cleaned(name: str) -> tuple[bytes, str]:
    return mask(name, sample(name).raw, readable(name))


@pytest.mark.parametrize("name", MAKERS)
def test_the_check_sees_every_place_in_the_original(name: str) -> None:
    assert leaking(name, sample(name).raw) == list(sample(name).plants)


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_planted_is_left(name: str) -> None:
    data, _ = cleaned(name)
    leaks.check(data, PurePath(name).suffix, name, sample(name).plants.values(), [])
    assert cleaned(name)[0] == data, "the same input gives the same bytes"


# One cleaner off at a time: (format, what is switched off, the places that must then be found).
Switch = Callable[[pytest.MonkeyPatch], None]


def without(module: object, cleaner: Callable[..., None]) -> Switch:
    kept = tuple(c for c in module.CLEANERS if c is not cleaner)  # type: ignore[attr-defined]
    return lambda patch: patch.setattr(module, "CLEANERS", kept)


def unread(module: object, attribute: str) -> Switch:
    """The format's own reader no longer reads this attribute."""
    rules = module.RULES  # type: ignore[attr-defined]
    assert attribute in rules.attributes
    fewer = dataclasses.replace(rules, attributes=tuple(a for a in rules.attributes if a != attribute))

    def switch(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(module, "RULES", fewer)
        patch.setattr(nodes.Sweep, "attributes", lambda *_: None)

    return switch


def following(module: object, kind: str) -> Switch:
    """A kind of part that should be left behind is taken along."""
    known = module.KNOWN | {kind}  # type: ignore[attr-defined]
    return lambda patch: patch.setattr(module, "KNOWN", known)


def no_op(target: object, name: str, result: object = None) -> Switch:
    return lambda patch: patch.setattr(target, name, lambda *_: result)


def raw_pictures(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(images, "cleaned", lambda data: data)


class Everything(frozenset[str]):
    """A list on which every name stands."""

    def __contains__(self, _: object) -> bool:
        return True


def any_element(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ooxml, "ELEMENTS", Everything())
    any_value(patch)


def any_value(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ooxml, "ATTRIBUTES", Everything())
    patch.setattr(ooxml, "is_safe", lambda _: True)


def any_text(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ooxml._Builder, "_text", lambda _, __, text: text)


def old_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ooxml.Names, "new", lambda _, __, old, ___="": old)


def any_formula(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(xlsx, "translate", lambda text, _: text)


MUTATIONS: list[tuple[str, str, Switch, set[str]]] = [
    ("letter.docx", "elements", any_element, {"document variable", "mail merge", "permission", "binding"}),
    ("letter.docx", "values", any_value, {"initials"}),
    ("letter.docx", "deleted rows", without(docx, docx.drop_deleted), {"deleted row"}),
    ("letter.docx", "names", old_names, {"comment author", "picture name"}),
    ("letter.docx", "fields", no_op(docx, "clean_fields"), {"field code", "simple field"}),
    ("letter.docx", "pictures", raw_pictures, {"picture metadata", "vector picture"}),
    ("letter.docx", "links", no_op(opc.Opc, "links"), {"link target"}),
    ("letter.docx", "alt text", unread(docx, "@descr"), {"alt text"}),
    ("letter.docx", "content controls", unread(docx, "alias@val"), {"control title"}),
    ("letter.docx", "watermark", unread(docx, "textpath@string"), {"watermark"}),
    ("book.xlsx", "elements", any_element, {"scenario user", "protected range"}),
    ("book.xlsx", "values", any_value, {"code name"}),
    ("book.xlsx", "texts", any_text, {"comment author"}),
    ("book.xlsx", "names", old_names, {"comment author", "shape name"}),
    ("book.xlsx", "formulas", any_formula, {"other file"}),
    ("book.xlsx", "shared strings", no_op(cells.Strings, "settle"), {"shared string", "unused string"}),
    ("book.xlsx", "validation", unread(xlsx, "@prompt"), {"prompt"}),
    ("book.xlsx", "headers", no_op(xlsx, "add_headings"), {"header", "footer"}),
    ("book.xlsx", "literals", no_op(xlsx.formulas, "add_literals", []), {"validation list", "named constant"}),
    ("book.xlsx", "sheet names", no_op(xlsx.Workbook, "_follow"), {"sheet name"}),
    ("letter.odt", "changes", without(odt, odt.drop_changes), {"change author", "deletion"}),
    ("letter.odt", "private", without(odt, odt.drop_private), {"initials"}),
    ("letter.odt", "people", without(odt, odt.hide_people), {"annotation author"}),
    ("letter.odt", "pictures", raw_pictures, {"picture metadata"}),
    ("letter.odt", "hidden fields", unread(odt, "@string-value"), {"hidden text", "user field"}),
    (
        "letter.odt",
        "metadata",
        lambda patch: patch.setattr(odt, "TREES", (*odt.TREES, "meta.xml")),
        {"creator", "title"},
    ),
    ("letter.odt", "settings", lambda patch: patch.setattr(odt, "TREES", (*odt.TREES, "settings.xml")), {"printer"}),
]


@pytest.mark.parametrize(("name", "what", "switch", "places"), MUTATIONS, ids=[f"{m[0]}: {m[1]}" for m in MUTATIONS])
def test_the_check_notices_a_cleaner_that_is_off(
    name: str, what: str, switch: Switch, places: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    readable(name)  # with all cleaners on
    switch(monkeypatch)
    data, _ = cleaned(name)
    assert set(leaking(name, data, places)) == places
