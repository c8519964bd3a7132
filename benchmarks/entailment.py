"""Does anything beside a truthful replacement give away what it hides?

    python benchmarks/entailment.py [--json FILE]

Pairs planted by hand (`entailment_cases.tsv`), each in both orders: a country beside a nationality, a year beside an
age, a district beside its city, a weekday beside a date. What is masked is generalised as the policies do it, by the
first level that loses half of the information. A pair is left when the text after masking still says both a step that
narrows the hidden fact down and something that gives it away; both are patterns written with the pair, which share
nothing with the check. "Found before" counts the same with the check off. The run ends with exit code 1 if one is left.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import figures
from maskwise.attack.trir import estimate_rate
from maskwise.mask import render_plan
from maskwise.mask.generalise import Generalise, find_levels
from maskwise.mask.identity import Identity, MemoryLedger
from maskwise.text import Action, Decision, Document, Entity, EntityType, Plan

CASES = Path(__file__).parent / "entailment_cases.tsv"
ENOUGH = 0.5
_MARKED = re.compile(r"\[(?P<kind>[A-Z]+)(?:/(?P<subtype>\w+))?: (?P<text>[^\]]+)\]")


class Pair(NamedTuple):
    """A planted pair: its class, its text with what is masked in brackets, and the two patterns."""

    kind: str
    text: str
    step: str
    telling: str

    def is_left_in(self, text: str) -> bool:
        return bool(re.search(self.step, text) and re.search(self.telling, text))


def read_pairs() -> list[Pair]:
    lines = CASES.read_text("utf-8").splitlines()
    return [Pair(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def read_marked(text: str) -> tuple[Document, list[Entity]]:
    """The document without its brackets, and what stood in them."""
    spans = []
    plain = ""
    cursor = 0
    for found in _MARKED.finditer(text):
        plain += text[cursor : found.start()]
        spans.append((len(plain), EntityType(found["kind"]), found["subtype"] or "", found["text"]))
        plain += found["text"]
        cursor = found.end()
    document = Document(plain + text[cursor:])
    entities = []
    for number, (start, kind, subtype, name) in enumerate(spans):
        mention = document.mention(start, start + len(name), kind, subtype=subtype)
        entities.append(Entity(f"e{number}", kind, (mention,)))
    return document, entities


def choose_level(entity: Entity) -> Decision:
    """The first level that loses enough."""
    losses = [level.loss for level in find_levels(entity)]
    level = next((at for at, loss in enumerate(losses, 1) if loss >= ENOUGH), 0)
    if not level:
        return Decision(entity.id, Action.SUPPRESS, ())
    return Decision(entity.id, Action.GENERALISE, (), level=level)


def mask_pair(text: str) -> tuple[str, str]:
    """The text as it is masked, and as it would be without the check."""
    document, entities = read_marked(text)
    plan = Plan(tuple(map(choose_level, entities)), 0.0, False)
    operators = {kind: Generalise() for kind in EntityType}
    masked = render_plan(document, entities, plan, operators).text
    alone = document.text
    for entity, decision in reversed(list(zip(entities, plan.decisions, strict=True))):
        identity = Identity(entity.type, 1, "", (), MemoryLedger())
        written = operators[entity.type].replace(entity, decision, identity).texts[0]
        alone = alone[: entity.first.start] + written + alone[entity.first.end :]
    return masked, alone


def count_classes() -> Iterator[tuple[str, int, int, int]]:
    """Of each class how many pairs there are, how many were found without the check, and how many are left."""
    found: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for pair in read_pairs():
        masked, alone = mask_pair(pair.text)
        found[pair.kind].append((pair.is_left_in(alone), pair.is_left_in(masked)))
        if found[pair.kind][-1][1]:
            print(f"left: {pair.kind}: {masked}")
    for kind, several in found.items():
        before, left = (sum(flags) for flags in zip(*several, strict=True))
        yield kind, len(several), before, left


def main() -> None:
    args = figures.build_parser(__doc__).parse_args()
    counted = list(count_classes())
    counted.append(("all", *(sum(row[at] for row in counted) for at in (1, 2, 3))))
    rows: list[list[Any]] = []
    print(f"{'pairs':24}{'n':>5}{'before':>8}{'left':>6}")
    for kind, n, before, left in counted:
        print(f"{kind:24}{n:>5}{before:>8}{left:>6}")
        rows.append([kind, n, before, left, figures.describe_score(estimate_rate(left, n))])
    figures.save_figure(
        args.json,
        figures.build_figure(
            "Planted pairs of which one gives away what the other hides",
            "python benchmarks/entailment.py --json docs/figures/entailment.json",
            ["pairs", "n", "found without the check", "left", "share left"],
            rows,
            files=[CASES],
            note="The pairs were written beside the check, so they show that it works, not how much it misses.",
        ),
    )
    sys.exit(1 if rows[-1][3] else 0)


if __name__ == "__main__":
    main()
