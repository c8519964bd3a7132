"""Operators that a policy may name: how masks are written."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from maskwise.parts.part import Part, Plugin, Share


class Suppress(Part):
    kind: Literal["suppress"] = "suppress"
    text: Annotated[str, Field(min_length=1)] = "***"


class Label(Part):
    kind: Literal["label"] = "label"


class Pseudonym(Part):
    kind: Literal["pseudonym"] = "pseudonym"


class Generalise(Part):
    """A true, less specific text where a ladder has one: "November 2006", "in their forties", "an application number".

    `limits` by subtype or type is the least share of information a level must lose to be offered. `fallback` writes
    what has no ladder.
    """

    kind: Literal["generalise"] = "generalise"
    limits: dict[str, Share] = Field(default={})
    fallback: Literal["pseudonym", "label", "suppress"] = "pseudonym"


class Shift(Part):
    """All dates of a document moved by the same number of days, up to `days`: intervals stay, the dates are not true.
    `key` names an environment variable that holds a secret."""

    kind: Literal["shift"] = "shift"
    key: str = "MASKWISE_SHIFT_KEY"
    days: Annotated[int, Field(ge=1, le=36500)] = 365


class Encrypt(Part):
    """Pseudonyms that `maskwise restore` turns back: [PERSON 7F3A91C2]. They are kept in the `vault` of the policy."""

    kind: Literal["encrypt"] = "encrypt"


class Surrogate(Part):
    """Invented names, dates, codes and places that look real, the same for all mentions of an entity.

    They follow from the secret in the environment variable `key`, or from a `seed`, which anybody can guess. `locale`
    is one of Faker's. `fallback` writes what cannot be invented.
    """

    kind: Literal["surrogate"] = "surrogate"
    locale: Annotated[str, Field(pattern=r"^[a-z]{2,3}_[A-Z]{2}$")] = "en_GB"
    key: str = "MASKWISE_SURROGATE_KEY"
    seed: int | None = None
    fallback: Literal["pseudonym", "label", "suppress"] = "pseudonym"


Operator = Annotated[
    Suppress | Label | Pseudonym | Generalise | Shift | Surrogate | Encrypt | Plugin, Field(discriminator="kind")
]
