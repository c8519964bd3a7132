"""Ways to decide, and to combine what indicators say, that a policy may name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from maskwise.parts.part import Part, Plugin, Share, Threshold, Weight
from maskwise.text import EntityType


class Judging(Part):
    """Mask an entity whose confidence reaches the threshold of its subtype or type: 0 always, 2 never."""

    default: Threshold = 0.5
    thresholds: dict[EntityType, Threshold] = Field(default={})
    subtypes: dict[str, Threshold] = Field(default={})
    enough: Share = 0.5


class Thresholds(Judging):
    """Mask an entity whose confidence reaches the threshold of its subtype or type: 0 always, 2 never. Of a risky
    combination, mask the member with the least information. `enough` is the share of information a generalisation must
    lose to count as a mask."""

    kind: Literal["thresholds"] = "thresholds"


class Optimal(Judging):
    """The same rules, and of all plans that break every risky combination the one that loses the least information.

    `bound` limits document risk; `enough` is the share of information a generalisation must lose to count as a mask;
    `must_mask` and `must_keep` are texts; `information` counts words or asks the language model (`lm`). `effort` limits
    the search in a time that does not depend on the machine, `deadline` in seconds.
    """

    kind: Literal["optimal"] = "optimal"
    bound: Share | None = None
    must_mask: tuple[str, ...] = ()
    must_keep: tuple[str, ...] = ()
    information: Literal["words", "lm"] = "words"
    effort: Annotated[float, Field(ge=0)] = 0.2
    deadline: Annotated[float, Field(ge=0)] | None = None


class KOfN(Part):
    """Risky when at least `k` indicators say so."""

    kind: Literal["k_of_n"] = "k_of_n"
    k: Annotated[int, Field(ge=1)] = 1


class Weighted(Part):
    """Risky when the weighted mean of the indicators' strengths (0.5 at their thresholds) reaches `threshold`."""

    kind: Literal["weighted"] = "weighted"
    threshold: Share = 0.5
    weights: dict[str, Weight] = Field(default={})


class NoisyOr(Part):
    """Risky when 1 - product(1 - weight * (strength - neutral)) over the indicators reaches `threshold`.

    `weights` are 1 and `neutral` is 0 where not named; an indicator under its neutral strength speaks against."""

    kind: Literal["noisy_or"] = "noisy_or"
    threshold: Share = 0.5
    weights: dict[str, Share] = Field(default={})
    neutral: dict[str, Share] = Field(default={})


Combination = Annotated[KOfN | Weighted | NoisyOr, Field(discriminator="kind")]
Solver = Annotated[Thresholds | Optimal | Plugin, Field(discriminator="kind")]
