"""Universally unique identifiers (RFC 9562)."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_HEX = "[0-9A-Fa-f]"

FAMILY = Family(
    name="uuid",
    rules=(
        Rule(
            name="uuid",
            type=EntityType.CODE,
            regex=rf"-(?<={_HEX}{{8}}-)(?<!\w.{{9}}){_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}(?!\w)",
            value=str.lower,
            # The match begins at the first hyphen, which scans fast; the identifier begins eight digits before.
            expand=lambda match: ((match.start() - 8, match.end()),),
        ),
    ),
    positive=(
        ("id 123e4567-e89b-12d3-a456-426614174000.", ("123e4567-e89b-12d3-a456-426614174000",)),
        ("{00112233-4455-6677-8899-AABBCCDDEEFF}", ("00112233-4455-6677-8899-AABBCCDDEEFF",)),
        (
            "urn:uuid:f81d4fae-7dec-41d0-a765-00a0c91e6bf6",
            ("f81d4fae-7dec-41d0-a765-00a0c91e6bf6",),
        ),
        (
            "01890a5d-ac96-774b-bcce-b302099a8057 and 00000000-0000-4000-8000-000000000001",
            ("01890a5d-ac96-774b-bcce-b302099a8057", "00000000-0000-4000-8000-000000000001"),
        ),
        (
            "/records/aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee/edit",
            ("aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",),
        ),
    ),
    negative=(
        "123e4567-e89b-12d3-a456-42661417400",
        "123e4567-e89b-12d3-a456-4266141740000",
        "g23e4567-e89b-12d3-a456-426614174000",
        "12345678-1234-1234-1234",
        "x123e4567-e89b-12d3-a456-426614174000",
    ),
)
