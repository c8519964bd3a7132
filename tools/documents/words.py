"""Reads the words that fill the slots of templates: `slots.tsv`, `codes.tsv` and `parts.tsv` beside this file."""

from __future__ import annotations

from pathlib import Path


def _read_table(name: str) -> list[list[str]]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("# ")]


_SLOTS = _read_table("slots.tsv")
_PARTS = {name: choices.split("|") for name, choices in _read_table("parts.tsv")}
# Values without a type: a model must leave them alone.
PLAIN = {name: choices.split("|") for name, kind, _, choices in _SLOTS if not kind}
# Values with a type, and the share of annotators who would mask them.
TYPED = {
    name: (kind, float(mask), choices.split("|")) for name, kind, mask, choices in _SLOTS if kind
}
PATTERNS = {name: patterns.split("|") for name, patterns in _read_table("codes.tsv")}
POSTCODES = [tuple(pair.split("=")) for pair in _PARTS["postcodes"]]
MONTHS = _PARTS["months"]
MAIL_HOSTS = _PARTS["mail_hosts"]
ROOTS = _PARTS["roots"]
ENDINGS = _PARTS["endings"]
FIRMS = _PARTS["firms"]
ADJECTIVES = _PARTS["adjectives"]
TRADES = _PARTS["trades"]
FORMS = _PARTS["forms"]
STREETS = _PARTS["streets"]
STATES = _PARTS["states"]
PROVINCES = _PARTS["provinces"]
AUSTRALIAN = _PARTS["australian"]
KNOWN_CITIES = _PARTS["known_cities"]
JOBS = _PARTS["jobs"]
