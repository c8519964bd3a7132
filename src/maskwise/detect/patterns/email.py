"""E-mail addresses, also written as mailto links or with an IDN domain."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

FAMILY = Family(
    name="email",
    rules=(
        Rule(
            name="email",
            type=EntityType.CODE,
            regex=r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}",
            triggers=("@",),
            reach=254,
            certain=True,
        ),
    ),
    positive=(
        ("Write to ana.souza+court@example.org.", ("ana.souza+court@example.org",)),
        ("mailto:j_smith@mail.example.co.uk?subject=x", ("j_smith@mail.example.co.uk",)),
    ),
    negative=("@home", "a @ b", "price@5"),
)
