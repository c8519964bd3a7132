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
from maskwise.io import cells, docx, images, leaks, nodes, odf_tree, odt, opc, xlsx
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


def listing(*names: str) -> Switch:
    """Elements of OpenDocument that should be left out are copied."""
    return lambda patch: patch.setattr(odf_tree, "ELEMENTS", odf_tree.ELEMENTS | set(names))


def keep_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(odf_tree.Names, "rename", lambda self, name: name)


def keep_values(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(odf_tree, "ELEMENTS", odf_tree.ELEMENTS | {"text:user-field-decls", "text:user-field-decl"})
    patch.setattr(odf_tree.Copier, "_value", lambda self, element, attribute, value: value)
    patch.setattr(odt, "RULES", dataclasses.replace(odt.RULES, attributes=()))


def copy_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(odt, "TREES", (*odt.TREES, "meta.xml", "settings.xml"))
    patch.setattr(odf_tree.Copier, "copy", lambda self, root: root)


MUTATIONS: list[tuple[str, str, Switch, set[str]]] = [
    ("letter.docx", "tracked changes", without(docx, docx.accept_changes), {"deletion", "moved away", "deleted row"}),
    ("letter.docx", "history", without(docx, docx.drop_history), {"permission"}),
    ("letter.docx", "private", without(docx, docx.drop_private), {"document variable", "mail merge", "binding"}),
    ("letter.docx", "people", without(docx, docx.hide_people), {"comment author", "initials"}),
    ("letter.docx", "pictures", raw_pictures, {"picture metadata", "vector picture"}),
    ("letter.docx", "links", no_op(opc.Opc, "links"), {"link target"}),
    ("letter.docx", "alt text", unread(docx, "@descr"), {"alt text"}),
    ("letter.docx", "content controls", unread(docx, "alias@val"), {"control title"}),
    ("letter.docx", "watermark", unread(docx, "textpath@string"), {"watermark"}),
    ("letter.docx", "simple field", unread(docx, "fldSimple@instr"), {"simple field"}),
    ("letter.docx", "core properties", following(docx, "core-properties"), {"creator", "last editor"}),
    ("letter.docx", "properties", following(docx, "extended-properties"), {"company", "manager"}),
    ("letter.docx", "custom XML", following(docx, "customXml"), {"custom XML"}),
    ("letter.docx", "building blocks", following(docx, "glossaryDocument"), {"building block"}),
    ("letter.docx", "sweep", no_op(nodes.Sweep, "attributes"), {"body"}),
    ("book.xlsx", "private", without(xlsx, xlsx.drop_private), {"reserved by", "scenario user", "reading aid"}),
    ("book.xlsx", "people", without(xlsx, xlsx.hide_people), {"comment author"}),
    ("book.xlsx", "external", without(xlsx, xlsx.drop_external), {"other file"}),
    ("book.xlsx", "shared strings", no_op(cells.Strings, "settle"), {"shared string", "unused string"}),
    ("book.xlsx", "validation", unread(xlsx, "@prompt"), {"prompt"}),
    ("book.xlsx", "headers", no_op(xlsx, "headings"), {"header", "footer"}),
    ("book.xlsx", "literals", no_op(xlsx.formulas, "literals"), {"validation list", "named constant"}),
    (
        "book.xlsx",
        "sheet names",
        lambda patch: patch.setattr(xlsx.formulas, "renamed", lambda f, *_: f),
        {"sheet name"},
    ),
    ("book.xlsx", "threaded comments", following(xlsx, "threadedComment"), {"threaded comment"}),
    ("book.xlsx", "persons", following(xlsx, "person"), {"person"}),
    ("book.xlsx", "pivot caches", following(xlsx, "pivotCacheDefinition"), {"pivot cache"}),
    ("book.xlsx", "external links", following(xlsx, "externalLink"), {"external cache"}),
    ("book.xlsx", "connections", following(xlsx, "connections"), {"connection"}),
    ("letter.odt", "elements", listing("text:tracked-changes", "text:changed-region", "text:deletion"), {"deletion"}),
    ("letter.odt", "people", no_op(odf_tree.Copier, "_finish"), {"annotation author"}),
    ("letter.odt", "pictures", raw_pictures, {"picture metadata"}),
    ("letter.odt", "names", keep_names, {"table name", "frame name"}),
    ("letter.odt", "attributes", keep_values, {"cell value", "user field", "form value"}),
    ("letter.odt", "links", no_op(odt, "among", []), {"link"}),
    ("letter.odt", "parts", copy_all, {"creator", "title", "printer", "initials", "script", "change author"}),
]


@pytest.mark.parametrize(("name", "what", "switch", "places"), MUTATIONS, ids=[f"{m[0]}: {m[1]}" for m in MUTATIONS])
def test_the_check_notices_a_cleaner_that_is_off(
    name: str, what: str, switch: Switch, places: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    readable(name)  # with all cleaners on
    switch(monkeypatch)
    data, _ = cleaned(name)
    assert set(leaking(name, data, places)) == places
