"""HTML, masked in its source: every character that need not change stays where it is.

Text nodes are one text (inline elements do not break a name apart), followed by the attributes that people or machines
read. What is written holds known elements with known attributes only, in a form that every parser reads alike: each
`<` begins a tag of ours. Comments, instructions, imports, unknown attributes and, by policy, scripts are left out;
names of classes and identifiers are numbered.
"""

from __future__ import annotations

import html
import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal
from urllib.parse import quote, unquote, unquote_to_bytes

from maskwise.errors import InputError
from maskwise.io import images
from maskwise.io.atoms import Atom, cut_atoms, echo_atoms, edit_atoms, merge_edits
from maskwise.io.css import clean_sheet, clean_style
from maskwise.io.encoding import Encoding, decode_text, encode_text
from maskwise.io.formats import Loaded
from maskwise.io.html_names import (
    ASIDE,
    DROPPED,
    ELEMENTS,
    INLINE,
    LINKS,
    METADATA,
    NAMES,
    SPACED,
    TEXTS,
    can_stay,
)
from maskwise.io.html_tokens import RAW, SPACE, Attribute, Kind, Token, find_end, tokenize
from maskwise.io.limits import Limits
from maskwise.io.segments import BREAK, Change, Segments, find_changes, join_segments, rewrite_text
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy
from maskwise.text import possessive

_REFERENCE = r"&(?:\#[0-9]+|\#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);?".replace("\\#", "#")
# Browsers do not show these, and nobody reads them.
_UNSEEN = "[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff]"
_ESCAPES = rf"{_REFERENCE}|{_UNSEEN}+|[<>&]"
_FLOW = possessive.compile(rf"{_ESCAPES}|[{SPACE}]{{2,}}+|[\r\n]")
_SPACED = re.compile(_ESCAPES)
_ADDRESS = re.compile(rf"{_ESCAPES}|(?:%[0-9a-fA-F]{{2}})+")
_DOCTYPE = re.compile(
    r"""<!doctype\s+html(?:\s+public\s+"-//W3C//DTD\ X?HTML\ [\d.]{1,4}(?:\ (?:Transitional|Strict|Frameset))?//EN"
    (?:\s+"http://www\.w3\.org/TR/[a-z\d/-]{1,20}/(?:DTD/)?[a-z\d-]{1,30}\.dtd")?)?\s*>""",
    re.IGNORECASE | re.VERBOSE,
)
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
SCHEMES = frozenset("http https mailto tel sms ftp".split())
# Encodings in which ASCII letters are not what they seem.
SHIFTING = re.compile(
    r"utf-?7|utf-?32|hz|iso-?2022|x-user-defined|cp?037|ebcdic|scsu|bocu", re.IGNORECASE
)


@dataclass(frozen=True)
class HtmlLayout:
    """The source, the stretches that were read, and what changes in it whatever is masked."""

    text: str = field(repr=False)
    encoding: Encoding
    atoms: tuple[Atom, ...] = field(repr=False)
    segments: Segments
    cuts: tuple[tuple[int, int], ...]
    edits: tuple[Change, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Html:
    """`scripts` of a page: left out, or kept as they are. `styles`: left out, or kept without what can hold text."""

    scripts: Literal["drop", "keep"] = "drop"
    styles: Literal["drop", "keep"] = "keep"
    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    suffix = ""

    def read(self, raw: bytes, name: str) -> Loaded:
        declared = _CHARSET.search(raw, 0, 4096)
        charset = declared[1].decode("ascii") if declared else None
        if charset and SHIFTING.match(charset):
            raise InputError(
                f"{name}: says that it is {charset.upper()}, which no browser reads; convert it to UTF-8 first"
            )
        text, encoding = decode_text(raw, name, charset)
        text = text.replace("\0", "")  # browsers leave it out
        walk = _PageWalk(text, self.scripts == "keep", self.styles == "keep")
        walk.read(0, len(text))
        atoms = (*walk.body, *walk.asides)
        joined, segments = join_segments(
            (atom.text for atom in atoms), [atom.glue for atom in atoms]
        )
        source = HtmlLayout(text, encoding, atoms, segments, tuple(walk.cuts), tuple(walk.edits))
        return Loaded((joined,), source, notes=walk.list_notes())

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        source: HtmlLayout = loaded.layout
        edits = edit_atoms(source.atoms, find_changes(source.segments, alignments[0]), _escape_text)
        fixed = [*((start, end, "") for start, end in source.cuts), *source.edits]
        return encode_text(
            rewrite_text(source.text, merge_edits([*fixed, *edits]))[0],
            source.encoding,
            escape=True,
        )


class _PageWalk:
    """Goes through the tokens of a page and collects what is read, what is cut and what is written otherwise."""

    def __init__(self, text: str, keeps_scripts: bool, keeps_styles: bool) -> None:
        self._text = text
        self._keeps_scripts, self._keeps_styles = keeps_scripts, keeps_styles
        self._names: dict[str, str] = {}
        self._glue = self._last = ""
        self._spaced = self._pictures = 0
        self._beside: list[str] = []  # open elements whose text stands beside the line
        self._left_out: Counter[str] = Counter()
        self.body: list[Atom] = []
        self.asides: list[Atom] = []
        self.cuts: list[tuple[int, int]] = []
        self.edits: list[Change] = []

    def list_notes(self) -> tuple[str, ...]:
        found = [
            f"{count} {what}{'s' * (count > 1)} left out"
            for what, count in (+self._left_out).items()
        ]
        if self._pictures:
            found.append(f"{self._pictures} pictures kept, whose text is not read")
        return tuple(found)

    def read(self, start: int, end: int, bare: bool = False) -> None:
        """The tokens from `start` to `end`; `bare` where a browser knows no tags, so that none is written."""
        at = start
        while at < end:
            for token in tokenize(self._text, at, end):
                at = token.end
                if token.kind is Kind.TEXT:
                    self._read_text(token)
                elif (
                    token.kind is Kind.DOCTYPE
                    and not bare
                    and _DOCTYPE.fullmatch(self._text, token.start, token.end)
                ):
                    continue
                elif token.kind in (Kind.CUT, Kind.DOCTYPE) or bare:
                    self.cuts.append((token.start, token.end))
                    if token.name in ELEMENTS - INLINE:
                        self._end_line()
                elif token.kind is Kind.START and (token.name in RAW or token.name in DROPPED):
                    at = self._read_raw(token, end)
                    break
                else:
                    self._read_tag(token)

    def rename(self, name: str) -> str:
        """The neutral form of a name, the same wherever it is used."""
        return self._names.setdefault(name, f"n{len(self._names) + 1}")

    def _read_text(self, token: Token) -> None:
        text = self._text
        if not text[token.start : token.end].strip() and self._glue:
            return
        special = _SPACED if self._spaced else _FLOW
        found = list(
            self._normalise(cut_atoms(text, token.start, token.end, special, _read_comment))
        )
        if self._beside:
            self.asides += _glue_first(found, BREAK)
        else:
            self.body += _glue_first(found, self._glue)
            self._glue, self._last = "", text[token.start : token.end].rstrip()[-1:] or self._last
        self.asides += echo_atoms(text, token.start, token.end)

    def _normalise(self, atoms: Iterator[Atom]) -> Iterator[Atom]:
        """Atoms of which those are written anew that a neighbour could complete to another escape or to a tag."""
        for atom in atoms:
            source = self._text[atom.start : atom.end]
            after = self._text[atom.end : atom.end + 1]
            open_end = (
                source[0] == "&"
                and not source.endswith(";")
                and (source == "&" or atom.text != source or after in ("", "<"))
            )
            lone = source == "<" and (not after or after not in "0123456789= \n\t")
            in_value = atom.style and source in ("<", ">")
            yield (
                atom._replace(normal=_escape_text(atom.text, atom))
                if open_end or lone or in_value
                else atom
            )

    def _read_raw(self, token: Token, end: int) -> int:
        """An element that holds no markup. Returns where it ends."""
        name = token.name
        body_end = end if name == "plaintext" else min(find_end(self._text, name, token.end), end)
        closing = next(tokenize(self._text, body_end, end), Token(Kind.TEXT, end, end))
        if (
            name in DROPPED
            or (name == "script" and not self._keeps_scripts)
            or (name == "style" and not self._keeps_styles)
        ):
            self.cuts.append((token.start, closing.end))
            self._left_out[name] += name in DROPPED
            return closing.end
        if name == "script":
            return closing.end
        shown = "pre" if name in ("xmp", "plaintext") else name
        if shown != name:
            self.edits.append((token.start, token.end, "<pre>"))
        else:
            self._read_attributes(token)
        if name == "style":
            sheet = (
                clean_sheet(self._text[token.end : body_end], self.rename)
                .replace("<", "")
                .replace("&", "")
            )
            self.edits.append((token.end, body_end, sheet))
        else:
            self._end_line()
            self._spaced += name in SPACED
            self.read(token.end, body_end, bare=True)
            self._spaced -= name in SPACED
            self._end_line()
        if closing.end > body_end:
            self.edits.append((body_end, closing.end, f"</{shown}>"))
        elif shown != name:
            self.edits.append((end, end, f"</{shown}>"))
        return closing.end

    def _read_tag(self, token: Token) -> None:
        name = token.name
        self._spaced = max(
            0, self._spaced + (name in SPACED) * (1 if token.kind is Kind.START else -1)
        )
        if name in ELEMENTS and name not in INLINE | ASIDE:
            self._end_line()
        if name not in ELEMENTS or (
            not self._text[token.start : token.end].isascii() and token.kind is Kind.END
        ):
            self.cuts.append((token.start, token.end))
        elif token.kind is Kind.END:
            if self._beside and self._beside[-1] == name:
                self._beside.pop()
            if token.attributes or "/" in self._text[token.start + 2 : token.end]:
                self.edits.append((token.start, token.end, f"</{name}>"))
        else:
            if (
                name in ASIDE
                or (self._beside and self._beside[-1] == name)
                or self._is_hidden(token)
            ):
                self._beside.append(name)
            if name == "meta" and not self._is_known_metadata(token):
                self.cuts.append((token.start, token.end))
            else:
                self._read_attributes(token)

    def _end_line(self) -> None:
        self._glue = "\n" if not self._last or self._last in ".!?" else BREAK

    def _is_hidden(self, token: Token) -> bool:
        """Whether a stretch inside a line is not shown, so that what stands on both sides of it is read as one."""
        if token.name not in INLINE:
            return False
        if any(attribute.name == "hidden" for attribute in token.attributes):
            return True
        styles = [attribute for attribute in token.attributes if attribute.name == "style"]
        return any(_HIDDEN.search(self._read_attribute_value(style)) for style in styles)

    def _is_known_metadata(self, token: Token) -> bool:
        values = {
            a.name: self._read_attribute_value(a).strip().lower()
            for a in reversed(token.attributes)
        }
        return (
            "charset" in values
            or values.get("name") in METADATA
            or can_stay("http-equiv", values.get("http-equiv", "-"))
        )

    def _read_attribute_value(self, attribute: Attribute) -> str:
        return html.unescape(self._text[slice(*attribute.value)])

    def _read_attributes(self, token: Token) -> None:
        seen: set[str] = set()
        for attribute in token.attributes:
            fresh = attribute.name not in seen
            seen.add(attribute.name)
            if fresh and self._read_attribute(token.name, attribute):
                continue
            self.cuts.append(attribute.span)
            end = attribute.span[1]
            # The next attribute would run into what stands before.
            if self._text[end] not in "\t\n\f\r />":
                self.edits.append((end, end, " "))

    def _read_attribute(self, element: str, attribute: Attribute) -> bool:
        """Whether the attribute stays, with whatever changes in it."""
        name, value = attribute.name, self._read_attribute_value(attribute)
        if name.startswith("on") and self._keeps_scripts:
            return True
        if can_stay(name, value) or (
            name == "name" and element == "meta" and value.strip().lower() in METADATA
        ):
            return "<" not in value
        if name == "style":
            return self._put_value(attribute, clean_style(value, self.rename))
        if name in NAMES or (name == "usemap" and value.startswith("#")):
            return self._put_value(attribute, self._rename_words(value))
        if element in LINKS.get(name, ()):
            return self._read_link(element, attribute, value.strip())
        if name in TEXTS and value:
            self._read_value(attribute, "value", _FLOW)
            return True
        return name in TEXTS

    def _rename_words(self, value: str) -> str:
        mark = "#" if value.startswith("#") else ""
        return mark + " ".join(self.rename(name) for name in value.removeprefix("#").split())

    def _read_link(self, element: str, attribute: Attribute, address: str) -> bool:
        plain = re.sub(r"[\x00-\x20]", "", address)
        scheme = _SCHEME.match(plain)
        if plain.startswith("#"):
            return self._put_value(attribute, self._rename_words("#" + unquote(plain[1:])))
        if scheme and scheme[1].lower() == "data":
            picture = _clean_picture(plain) if element == "img" else None
            self._left_out["embedded file"] += picture is None
            self._pictures += picture is not None
            return picture is not None and self._put_value(attribute, picture)
        if scheme and scheme[1].lower() == "javascript" and self._keeps_scripts:
            return True
        if scheme and scheme[1].lower() not in SCHEMES:
            return False
        self._read_value(attribute, "link", _ADDRESS)
        return True

    def _read_value(self, attribute: Attribute, style: str, special: re.Pattern[str]) -> None:
        start, end = attribute.value
        how = f"{style} {attribute.quote or 'bare'}"
        if not attribute.quote and any(sign in self._text[start:end] for sign in "\"'`=<"):
            self.asides.append(self._wrap_value(attribute, style))
        else:
            self.asides += self._normalise(
                cut_atoms(self._text, start, end, special, _read_comment, BREAK, how)
            )
        self.asides += echo_atoms(self._text, start, end, how)

    def _wrap_value(self, attribute: Attribute, style: str) -> Atom:
        """A value that needs quotes and has none: one atom, written anew."""
        value = self._read_attribute_value(attribute)
        said = unquote(value, errors="replace") if style == "link" else value
        return Atom(
            *attribute.value, said, BREAK, False, f"{style} wrapped", f'"{html.escape(value)}"'
        )

    def _put_value(self, attribute: Attribute, value: str) -> bool:
        """Write a value that is known. An attribute without a value goes."""
        start, end = attribute.value
        if not value:
            return False
        if value != self._text[start:end] or "<" in value:
            new = html.escape(value)
            self.edits.append((start, end, new if attribute.quote else f'"{new}"'))
        return True


def _glue_first(atoms: Sequence[Atom], glue: str) -> list[Atom]:
    return [atoms[0]._replace(glue=glue), *atoms[1:]] if atoms else []


def _read_comment(source: str) -> str:
    if source[0] == "&":
        return re.sub(_UNSEEN, "", html.unescape(source)).replace("\u00a0", " ")
    if source[0] == "%":
        return unquote(source, errors="replace")
    if source in "<>":
        return source
    return " " if source.isspace() else ""


def _escape_text(text: str, atom: Atom) -> str:
    """A replacement as it is written where the atom stands. Only what must be escaped is."""
    kind, _, quoted = atom.style.partition(" ")
    if kind == "link":
        text = quote(text, safe="/:@?=&+,;~#!$*()[]")
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quoted in ('"', "wrapped"):
        inner = safe.replace('"', "&quot;")
        return inner if quoted == '"' else f'"{inner}"'
    if quoted == "'":
        return safe.replace("'", "&#39;")
    return re.sub(r"[\s=`\"']", lambda m: f"&#{ord(m[0])};", safe) if quoted else safe


def _clean_picture(address: str) -> str | None:
    """A picture in an address, without what a camera or an editor wrote beside its pixels; nothing if it is none."""
    head, _, body = address.partition(",")
    try:
        data = (
            b64decode(unquote(body), validate=True)
            if head.lower().endswith(";base64")
            else unquote_to_bytes(body)
        )
    except (NotBase64, ValueError):
        return None
    picture = images.clean_picture(data)
    if picture is None:
        return None
    return f"data:image/{images.find_ending(picture)};base64,{b64encode(picture).decode()}"
