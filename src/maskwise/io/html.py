"""HTML, masked in its source: every character that need not change stays where it is.

Text nodes are one text (inline elements do not break a name apart), followed by the attributes that people or machines
read. What is written holds known elements with known attributes only, in a form that every parser reads alike: each
`<` begins a tag of ours. Comments, instructions, imports, unknown attributes and, by policy, scripts are left out;
names of classes and identifiers are numbered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from maskwise.errors import InputError
from maskwise.io.atoms import Atom, cut_atoms, echo_atoms, edit_atoms, merge_edits
from maskwise.io.css import clean_sheet
from maskwise.io.encoding import Encoding, decode_text, encode_text
from maskwise.io.formats import Loaded
from maskwise.io.html_attributes import AttributeReader, PageParts
from maskwise.io.html_escapes import FLOW, SPACED, escape_text, normalise_atoms, read_escape
from maskwise.io.html_names import ASIDE, DROPPED, ELEMENTS, INLINE, PREFORMATTED
from maskwise.io.html_tokens import RAW, Kind, Token, find_end, tokenize
from maskwise.io.limits import Limits
from maskwise.io.segments import BREAK, Change, Segments, find_changes, join_segments, rewrite_text
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy

_DOCTYPE = re.compile(
    r"""<!doctype\s+html(?:\s+public\s+"-//W3C//DTD\ X?HTML\ [\d.]{1,4}(?:\ (?:Transitional|Strict|Frameset))?//EN"
    (?:\s+"http://www\.w3\.org/TR/[a-z\d/-]{1,20}/(?:DTD/)?[a-z\d-]{1,30}\.dtd")?)?\s*>""",
    re.IGNORECASE | re.VERBOSE,
)
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
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
        parts = walk.parts
        atoms = (*parts.body, *parts.asides)
        glue = [atom.glue for atom in atoms]
        joined, segments = join_segments((atom.text for atom in atoms), glue)
        cuts, edits = tuple(parts.cuts), tuple(parts.edits)
        layout = HtmlLayout(text, encoding, atoms, segments, cuts, edits)
        return Loaded((joined,), layout, notes=_list_notes(parts))

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        layout: HtmlLayout = loaded.layout
        found = find_changes(layout.segments, alignments[0])
        edits = edit_atoms(layout.atoms, found, escape_text)
        cuts = [(start, end, "") for start, end in layout.cuts]
        text, _ = rewrite_text(layout.text, merge_edits([*cuts, *layout.edits, *edits]))
        return encode_text(text, layout.encoding, escape=True)


def _list_notes(parts: PageParts) -> tuple[str, ...]:
    """Notes on the parts that were left out of the output, and on those that were not read."""
    notes = [
        f"{count} {what}{'s' * (count > 1)} left out" for what, count in parts.left_out.items()
    ]
    if parts.pictures:
        notes.append(f"{parts.pictures} pictures kept, whose text is not read")
    return tuple(notes)


class _PageWalk:
    """Goes through the tokens of a page and collects what is read, what is cut and what is written otherwise."""

    def __init__(self, text: str, keeps_scripts: bool, keeps_styles: bool) -> None:
        self._text = text
        self._keeps_scripts, self._keeps_styles = keeps_scripts, keeps_styles
        self._glue = ""  # what stands before the next text
        self._last = ""  # the last character of the text before it
        self._preformatted = 0  # open elements that keep their white space
        self._beside: list[str] = []  # open elements whose text stands beside the line
        self.parts = PageParts()
        self._attributes = AttributeReader(text, keeps_scripts, self.parts)

    def read(self, start: int, end: int, bare: bool = False) -> None:
        """Read the tokens from `start` to `end`. In a `bare` stretch a browser knows no tags, so none is written."""
        at = start
        while at < end:
            for token in tokenize(self._text, at, end):
                at = token.end
                if token.kind is Kind.TEXT:
                    self._read_text(token)
                elif token.kind is Kind.DOCTYPE and not bare and self._is_known_doctype(token):
                    continue
                elif token.kind in (Kind.CUT, Kind.DOCTYPE) or bare:
                    self._cut_token(token)
                elif token.kind is Kind.START and (token.name in RAW or token.name in DROPPED):
                    at = self._read_raw(token, end)
                    break
                else:
                    self._read_tag(token)

    def _is_known_doctype(self, token: Token) -> bool:
        return _DOCTYPE.fullmatch(self._text, token.start, token.end) is not None

    def _cut_token(self, token: Token) -> None:
        self.parts.cuts.append((token.start, token.end))
        if token.name in ELEMENTS - INLINE:
            self._end_line()

    def _end_line(self) -> None:
        is_sentence = not self._last or self._last in ".!?"
        self._glue = "\n" if is_sentence else BREAK

    def _read_text(self, token: Token) -> None:
        text = self._text[token.start : token.end]
        if not text.strip() and self._glue:
            return
        special = SPACED if self._preformatted else FLOW
        atoms = cut_atoms(self._text, token.start, token.end, special, read_escape)
        found = list(normalise_atoms(self._text, atoms))
        if self._beside:
            self.parts.asides += _glue_first(found, BREAK)
        else:
            self.parts.body += _glue_first(found, self._glue)
            self._glue = ""
            self._last = text.rstrip()[-1:] or self._last
        self.parts.asides += echo_atoms(self._text, token.start, token.end)

    def _read_raw(self, token: Token, end: int) -> int:
        """Read an element that holds no markup. Returns where it ends."""
        name = token.name
        body_end = end if name == "plaintext" else min(find_end(self._text, name, token.end), end)
        closing = next(tokenize(self._text, body_end, end), Token(Kind.TEXT, end, end))
        if self._is_left_out(name):
            self.parts.cuts.append((token.start, closing.end))
            if name in DROPPED:
                self.parts.left_out[name] += 1
            return closing.end
        if name == "script":
            return closing.end
        shown = "pre" if name in ("xmp", "plaintext") else name
        if shown != name:
            self.parts.edits.append((token.start, token.end, "<pre>"))
        else:
            self._attributes.read_all(token)
        self._read_raw_body(name, token.end, body_end)
        if closing.end > body_end:
            self.parts.edits.append((body_end, closing.end, f"</{shown}>"))
        elif shown != name:
            self.parts.edits.append((end, end, f"</{shown}>"))
        return closing.end

    def _is_left_out(self, name: str) -> bool:
        if name == "script":
            return not self._keeps_scripts
        if name == "style":
            return not self._keeps_styles
        return name in DROPPED

    def _read_raw_body(self, name: str, start: int, end: int) -> None:
        if name == "style":
            sheet = clean_sheet(self._text[start:end], self.parts.rename)
            self.parts.edits.append((start, end, sheet.replace("<", "").replace("&", "")))
            return
        self._end_line()
        self._preformatted += name in PREFORMATTED
        self.read(start, end, bare=True)
        self._preformatted -= name in PREFORMATTED
        self._end_line()

    def _read_tag(self, token: Token) -> None:
        name = token.name
        is_start = token.kind is Kind.START
        if name in PREFORMATTED:
            self._preformatted = max(0, self._preformatted + (1 if is_start else -1))
        if name in ELEMENTS and name not in INLINE | ASIDE:
            self._end_line()
        source = self._text[token.start : token.end]
        if name not in ELEMENTS or (not is_start and not source.isascii()):
            self.parts.cuts.append((token.start, token.end))
        elif is_start:
            self._read_start(token)
        else:
            if self._beside and self._beside[-1] == name:
                self._beside.pop()
            if token.attributes or "/" in source[2:]:
                self.parts.edits.append((token.start, token.end, f"</{name}>"))

    def _read_start(self, token: Token) -> None:
        name = token.name
        is_nested = bool(self._beside) and self._beside[-1] == name
        if name in ASIDE or is_nested or self._is_hidden_in_line(token):
            self._beside.append(name)
        if name == "meta" and not self._attributes.is_known_metadata(token):
            self.parts.cuts.append((token.start, token.end))
        else:
            self._attributes.read_all(token)

    def _is_hidden_in_line(self, token: Token) -> bool:
        """Whether a stretch inside a line is not shown, so that what stands on both sides of it is read as one."""
        return token.name in INLINE and self._attributes.is_hidden(token)


def _glue_first(atoms: Sequence[Atom], glue: str) -> list[Atom]:
    return [atoms[0]._replace(glue=glue), *atoms[1:]] if atoms else []
