"""Our own versions of the texts of an attack scenario, beside those of others that the scenario brings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from maskwise.attack.scenario import Scenario, Target, apply_masks
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person
from maskwise.text.masks import Mask

CLEAR = "original_abstract"
LEFT_OUT = {"dev_abstract"}  # a part of the spaCy column, meant for development
BEST_AUTOMATIC = "word2vec_t=0.25_abstract"


@dataclass(frozen=True)
class Way:
    """A way to sanitise: a policy, maybe at another point of its recall knob, told whom to protect."""

    policy: str
    recall: str | float | None = None

    def build_masks(self, targets: Sequence[Target]) -> list[list[Mask]]:
        policy = Policy.load(self.policy)
        policy = policy.model_copy(update={"recall": self.recall}) if self.recall else policy
        documents = [Document(t.text, protected=(Person(t.name),)) for t in targets]
        return [list(result.masks) for result in Sanitizer(policy).run(documents)]


DEFAULT = "maskwise, default policy"
OURS = {
    DEFAULT: Way("balanced"),
    "maskwise, recall knob at .75": Way(
        "balanced", recall=0.75
    ),  # halfway from the default to the recall point
    "maskwise, recall point": Way("balanced", recall="recall"),
    "maskwise, strict policy": Way("strict"),
    "maskwise, anonymous policy": Way("anonymous"),
}


def list_own_masks(scenario: Scenario) -> dict[str, list[list[Mask]]]:
    """Masks of each of our ways on the clear texts."""
    return {label: way.build_masks(scenario.columns[CLEAR]) for label, way in OURS.items()}


def add_columns(scenario: Scenario, masks: Mapping[str, Sequence[Sequence[Mask]]]) -> Scenario:
    """The scenario with our columns after those it has."""
    clear = scenario.columns[CLEAR]
    columns = {label: column for label, column in scenario.columns.items() if label not in LEFT_OUT}
    for label, found in masks.items():
        columns[label] = tuple(
            replace(target, text=apply_masks(target.text, [list(m) for m in one], label))
            for target, one in zip(clear, found, strict=True)
        )
    return replace(scenario, columns=columns)


def add_masks(text: str, masks: Sequence[Mask], words: Sequence[str]) -> list[Mask]:
    """The masks, and one more for every visible occurrence of `words`."""
    if not words:
        return list(masks)
    wanted = re.compile(
        rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})(?!\w)"
    )
    more = [(m.start(), m.end(), "***") for m in wanted.finditer(text)]
    free = [
        one for one in more if not any(one[0] < end and start < one[1] for start, end, _ in masks)
    ]
    return sorted([*masks, *free], key=lambda mask: mask[:2])
