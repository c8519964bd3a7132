"""Puts invented identities into clinical notes that have none: a header, names in sentences, a signature."""

from __future__ import annotations

import re
from random import Random

from documents.identities import Cast
from documents.render import InventedDocument, InventedSpan, fill_template

HEADERS = (
    "Patient: {p}\nMRN: {mrn}\nDOB: {dob}\nDate: {date}\n\n",
    "NAME: {p.upper}   MR# {mrn}   DATE OF SERVICE: {date}\nATTENDING: {q.drfull}\n\n",
    "{hospital}\n{address}\nTel. {phone}\n\nRe: {p.mrfull}, born {dob}\n\n",
    "{p.comma}  {mrn}  {dob}\n",
    "Dear {r.dr},\n\nRe: {p}, {address}, DOB {dob}\n\n",
    "PATIENT NAME: {p.comma}\nACCOUNT: {account}\nPHYSICIAN: {q}, MD\n",
    "",
)
SENTENCES = (
    " {p.mr} was seen by {q.dr} on {date}.",
    " {p.capitalhe} lives in {city} with {p.his} {kin}, {r.first}.",
    " The patient was referred by {q.drfull} of {hospital}.",
    " {p.capitalhe} works as a {job} at {org}.",
    " {p.his} {kin} {r} can be reached at {phone}.",
    " Records from {hospital} were requested on {date}.",
    " {q.dr} was notified.",
    " Discussed with {p.mrfull} and {p.his} {kin}.",
    " Previous admission: {date2}, {hospital}.",
    " Insurance: {org}, policy {policy}.",
)
ENDS = (
    "\n\nDictated by: {q.drfull}\nDD: {date}  DT: {date2}",
    "\n\n{q}, MD\n{hospital}",
    "\n\nElectronically signed by {q} on {stamp}",
    "\n\ncc: {r.drfull}, {hospital}",
    "\nSigned {q.initials}",
    "",
)
_SUBJECT = re.compile(r"\b(?:The|This) (?:patient|gentleman|woman|lady|man)\b")
_STOP = re.compile(r"(?<=[a-z)][.])(?=\s+[A-Z])")


def insert_identity(note: str, random: Random, id: str) -> InventedDocument:
    """Returns the note with a person in it."""
    cast = Cast(random, clinical=True)
    places: dict[int, tuple[int, str]] = {}
    for subject in _SUBJECT.finditer(note):
        if random.random() < 0.2:
            places[subject.start()] = (
                subject.end(),
                random.choice(("{p.mr}", "{p.mr}", "{p}", "{p.first}")),
            )
    stops = [stop.start() for stop in _STOP.finditer(note)]
    for at in random.sample(stops, min(len(stops), random.randint(0, 3))):
        places[at] = (at, random.choice(SENTENCES))
    pieces = [random.choice(HEADERS)]
    end = 0
    for start in sorted(places):
        stop, template = places[start]
        pieces += [_Literal(note[end:start]), template]
        end = stop
    pieces += [_Literal(note[end:]), random.choice(ENDS)]
    return _join_pieces(pieces, cast, id)


class _Literal(str):
    """Text of a note, in which nothing is to be filled."""


def _join_pieces(pieces: list[str], cast: Cast, id: str) -> InventedDocument:
    text = ""
    spans: list[InventedSpan] = []
    for piece in pieces:
        if isinstance(piece, _Literal):
            text += piece
            continue
        part = fill_template(piece, cast)
        at = len(text)
        spans += [
            InventedSpan(at + s.start, at + s.end, s.type, s.mask, s.direct) for s in part.spans
        ]
        text += part.text
    return InventedDocument(id, "notes", text, spans, cast.draw("p").text)
