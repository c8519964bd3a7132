"""Field codes of Word. Fields that only count, refer and format are kept, with new names for what they refer to. Every
other field is replaced by what it shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from maskwise.io.ooxml_values import is_date_picture, is_number_picture
from maskwise.io.package import Element, drop_element, find_elements, get_name, load_lxml

_TOKEN = re.compile(r'"[^"]*"|\\\S|[^\s"\\]+')
_PLAIN = frozenset(
    "PAGE NUMPAGES SECTION SECTIONPAGES DATE TIME CREATEDATE SAVEDATE PRINTDATE EDITTIME NUMWORDS NUMCHARS REVNUM TOC "
    "INDEX FORMTEXT FORMCHECKBOX FORMDROPDOWN AUTONUM AUTONUMLGL AUTONUMOUT BIBLIOGRAPHY".split()
)
_NAMING = frozenset("REF PAGEREF NOTEREF SEQ STYLEREF".split())  # name what they refer to
_SWITCHED = _NAMING | {"TOC", "HYPERLINK"}
_FORMATS = frozenset(
    "MERGEFORMAT CHARFORMAT ARABIC ROMAN ALPHABETIC UPPER LOWER FIRSTCAP CAPS ORDINAL CARDTEXT ORDTEXT DOLLARTEXT "
    "HEX ARABICDASH".split()
)
_SEQUENCES = frozenset("Figure Table Equation".split())
_LEVELS = re.compile(r"\d{1,2}(?:-\d{1,2})?")
_STORIES = frozenset("txbxContent footnote endnote comment hdr ftr document".split())

Rename = Callable[[str, str], str]  # kind (bookmark, style, sequence) and old name to the new one


def clean_code(code: str, rename: Rename) -> str | None:
    """The code with new names in it, or nothing for a field that is not kept."""
    tokens = _TOKEN.findall(code)
    if not tokens:
        return None
    kind = tokens[0].upper()
    try:
        kept = [kind, *_clean_arguments(kind, iter(tokens[1:]), rename)]
    except (StopIteration, ValueError):
        return None
    return f" {' '.join(kept)} "


def _clean_arguments(kind: str, tokens: Iterator[str], rename: Rename) -> list[str]:
    """The text after the kind of a field. `ValueError` says that it cannot be kept."""
    if kind in _NAMING:
        old = _strip_quotes(next(tokens, ""))
        return [_rename_target(kind, old, rename), *_clean_switches(kind, tokens, rename)]
    if kind == "HYPERLINK" or kind in _PLAIN:
        found = _clean_switches(kind, tokens, rename)
        if kind == "HYPERLINK" and "\\l" not in found:
            raise ValueError
        return found
    raise ValueError


def _rename_target(kind: str, name: str, rename: Rename) -> str:
    if kind == "SEQ":
        return _rename_sequence(name, rename)
    if kind == "STYLEREF":
        return f'"{rename("style", name)}"'
    return rename("bookmark", name)


def _clean_switches(kind: str, tokens: Iterator[str], rename: Rename) -> list[str]:
    kept: list[str] = []
    for token in tokens:
        if not token.startswith("\\"):
            raise ValueError
        kept += _clean_switch(kind, token, tokens, rename)
    return kept


def _clean_switch(kind: str, token: str, tokens: Iterator[str], rename: Rename) -> list[str]:
    letter = token[1].lower()
    if letter == "*":
        word = _take_next(tokens)
        return _keep_known(token, word, word.upper() in _FORMATS)
    if letter == "@":
        picture = _take_next(tokens)
        return _keep_known(token, f'"{picture}"', is_date_picture(picture))
    if letter == "#":
        picture = _take_next(tokens)
        return _keep_known(token, f'"{picture}"', is_number_picture(picture))
    if kind == "HYPERLINK" and letter == "l":
        return [token, f'"{rename("bookmark", _take_next(tokens))}"']
    if kind == "TOC" and letter == "b":
        return [token, rename("bookmark", _take_next(tokens))]
    if kind == "TOC" and letter in "ca":
        return [token, f'"{_rename_sequence(_take_next(tokens), rename)}"']
    if kind == "TOC" and letter == "t":
        return [token, f'"{_rename_styles(_take_next(tokens), rename)}"']
    if kind in ("TOC", "INDEX", "SEQ") and letter in "oncr":
        return _clean_levels(token, tokens)
    if kind in _SWITCHED and letter in "hzupwfnrts!m":
        return [token]
    raise ValueError


def _clean_levels(token: str, tokens: Iterator[str]) -> list[str]:
    """A switch with a range of levels, which it may lack."""
    value = next(tokens, "")
    if not value:
        return [token]
    if value.startswith("\\"):
        raise ValueError
    return _keep_known(token, value, bool(_LEVELS.fullmatch(_strip_quotes(value))))


def _keep_known(token: str, value: str, known: bool) -> list[str]:
    if not known:
        raise ValueError
    return [token, value]


def _rename_styles(value: str, rename: Rename) -> str:
    """`Style,1,Other,2` with new names."""
    parts = re.split("[,;]", value)
    names, levels = parts[::2], [level.strip() for level in parts[1::2]]
    if len(names) != len(levels) or not all(map(_LEVELS.fullmatch, levels)):
        raise ValueError
    pairs = zip(names, levels, strict=True)
    return ",".join(f"{rename('style', name)},{level}" for name, level in pairs)


def _rename_sequence(name: str, rename: Rename) -> str:
    return name if name in _SEQUENCES else rename("sequence", name)


def _take_next(tokens: Iterator[str]) -> str:
    """The next token without its quotes."""
    return _strip_quotes(next(tokens, ""))


def _strip_quotes(token: str) -> str:
    bare = token.strip('"').strip()
    if not bare or bare.startswith("\\"):
        raise ValueError
    return bare


@dataclass
class _Field:
    """A field that has begun: its marks, what stands in its code, and whether the code holds other fields."""

    marks: list[Element]
    code: list[Element] = field(default_factory=list)
    in_code: bool = True
    nested: bool = False

    def read_code(self) -> str:
        return "".join(node.text or "" for node in self.code if get_name(node) == "instrText")


@dataclass
class _Story:
    """The fields that are open at a point of a story, and the outermost whose code is being read."""

    fields: list[_Field] = field(default_factory=list)
    coding: _Field | None = None

    def read_mark(self, mark: Element, stray: list[Element]) -> _Field | None:
        """Open, divide or end a field. Returns the field that ends; a mark of no field is `stray`."""
        kind = next((value for key, value in mark.items() if key.endswith("fldCharType")), "")
        if kind == "begin":
            if self.fields:
                self.fields[-1].nested |= self.fields[-1].in_code
            self.fields.append(_Field([mark]))
            self.coding = self.coding or self.fields[-1]
            return None
        if not self.fields:
            stray.append(mark)
            return None
        top = self.fields[-1]
        top.marks.append(mark)
        if kind in ("separate", "end"):
            top.in_code = False
            self.coding = None if self.coding is top else self.coding
        return self.fields.pop() if kind == "end" else None


def clean_fields(root: Element, rename: Rename) -> None:
    """Clean the fields of a story and of the text boxes in it."""
    for simple in find_elements(root, ["fldSimple"]):
        _clean_simple(simple, rename)
    stories = [_Story()]
    ended: list[tuple[_Field, bool]] = []
    stray: list[Element] = []
    for event, node in load_lxml().iterwalk(root, events=("start", "end"), tag="{*}*"):
        name = get_name(node)
        if name in _STORIES:
            if event == "start":
                stories.append(_Story())
            else:
                ended += ((left_open, False) for left_open in stories.pop().fields)
        elif event == "start" and name == "fldChar":
            done = stories[-1].read_mark(node, stray)
            ended += [(done, True)] if done is not None else []
        elif event == "start" and node is not root and get_name(node.getparent()) == "r":
            if stories[-1].coding is not None:
                stories[-1].coding.code.append(node)
            elif name == "instrText":
                stray.append(node)
    for node in stray:
        drop_element(node)
    for found, complete in ended:
        _settle_field(found, complete, rename)


def _settle_field(found: _Field, complete: bool, rename: Rename) -> None:
    """Write the cleaned code into the field, or take the field away from what it shows."""
    code = clean_code(found.read_code(), rename) if complete and not found.nested else None
    told = [node for node in found.code if get_name(node) == "instrText"]
    if code is not None and told:
        told[0].text = code
        for node in told[1:]:
            drop_element(node)
        return
    for mark in found.marks:
        drop_element(mark)
    for node in found.code if complete else told:  # after a begin without an end comes text
        drop_element(node)


def _clean_simple(simple: Element, rename: Rename) -> None:
    key, told = next((item for item in simple.items() if item[0].endswith("instr")), ("", ""))
    code = clean_code(told, rename)
    if code is not None:
        simple.set(key, code)
        return
    for child in list(simple):
        simple.addprevious(child)
    drop_element(simple)
