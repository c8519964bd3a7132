"""How often a level of our ladders is what a human chose, on biographies whose replacements were chosen by hand.

    python benchmarks/generalise.py --data $MASKWISE_DATA [--corpus FILE] [--json FILE]

A replacement is a mention for which annotators chose among proposals (`generalization_selection`); the last proposal
is always "***", nothing. It is matched when a level of our ladder, from the first we offer to the coarsest, says the
same as a choice. The first pair of columns takes the replacements for which somebody chose words; "or nothing" takes
all, and counts "***" as the end of every ladder, which suppression is.

Two phrases say the same when they are equal after these steps, and only then: small letters; no article and no bracket;
"organization" as "organisation", "profession" as "occupation", "business" as "company"; "date in the 1970s" as "1970s".
"PERSON 3" is matched by a numbered pseudonym or a role, and "X" or "$X" by a level of a quantity that says its kind
alone: for these types the share says that there is such a level, no more. Mentions get the subtypes that our patterns
and gazetteers give to the same span, as they would in use.

The corpus was used to mend the ladders: of half of the documents, chosen by their names, the choices were looked at.
The other half is held back, and only its share was seen.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import figures
from maskwise.attack.trir import estimate_rate
from maskwise.detect.gazetteer import GazetteerDetector
from maskwise.detect.patterns import PatternDetector
from maskwise.mask.generalise import Generalise, find_levels
from maskwise.mask.identity import Identity, MemoryLedger
from maskwise.text import Action, Decision, Document, Entity, EntityType, IdentifierType

CORPUS = "wiki/annotated_dev.json.gz"
NOTHING = "***"
SAME = {"organization": "organisation", "profession": "occupation", "business": "company"}


class Replacement(NamedTuple):
    """A mention: its type, what people chose for it, and what our ladder offers."""

    kind: EntityType
    choices: frozenset[str]
    levels: frozenset[str]
    is_held: bool

    @property
    def words(self) -> frozenset[str]:
        return self.choices - {NOTHING}


def normalise_text(text: str) -> str:
    """A phrase as it is compared.

    >>> normal("Date in the 1970s"), normal("[PERSON 2]"), normal("a political organization")
    ('1970s', 'person', 'political organisation')
    """
    text = re.sub(r"[\[\]]", "", text.casefold())
    text = re.sub(r"^(?:date|day|a day|a date) in ", "", text)
    text = re.sub(r"\b(?:an?|the)\s+", "", text)
    text = re.sub(r"^person \d+$", "person", text)
    text = re.sub(r"^\W?x\W?$", "x", text)
    return " ".join(SAME.get(word, word) for word in text.split())


def read_replacements(path: Path) -> Iterator[Replacement]:
    detectors = (PatternDetector(), GazetteerDetector())
    for record in json.loads(gzip.decompress(path.read_bytes())):
        document = Document(record["text"])
        is_held = is_held_back(record["doc_id"])
        subtypes: dict[tuple[int, int], str] = {}
        for detector in detectors:
            for mention in detector.detect([document])[0].mentions:
                subtypes.setdefault(mention.span, mention.subtype)
        for layer in record["annotations"].values():
            yield from _read_layer(document, layer["entity_mentions"], subtypes, is_held)


def is_held_back(name: str) -> bool:
    """Whether nobody looked at a document to mend the ladders: those whose SHA-256 begins with an odd byte."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def _read_layer(
    document: Document,
    mentions: list[dict[str, Any]],
    subtypes: dict[tuple[int, int], str],
    is_held: bool,
) -> Iterator[Replacement]:
    """The replacements of one annotator, entity by entity, as our operator would see them."""
    entities: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for mention in mentions:
        if mention.get("replacement"):
            entities[mention["entity_id"]].append(mention)
    for number, (_, found) in enumerate(sorted(entities.items()), 1):
        kind = EntityType(found[0]["entity_type"])
        spans = sorted({(m["start_offset"], m["end_offset"]) for m in found})
        if any(a[1] > b[0] for a, b in pairwise(spans)):
            spans = spans[:1]
        ours = tuple(
            document.mention(*span, kind, subtype=subtypes.get(span, "")) for span in spans
        )
        entity = Entity(f"e{number}", kind, ours, IdentifierType.QUASI)
        levels = _list_levels(entity, number)
        for mention in found:
            yield Replacement(
                kind,
                frozenset(map(_choose_first, mention["replacement"]["generalization_selection"])),
                levels,
                is_held,
            )


def _choose_first(text: str) -> str:
    return NOTHING if text == NOTHING else normalise_text(text)


def _list_levels(entity: Entity, number: int) -> frozenset[str]:
    levels = find_levels(entity)
    texts = {normalise_text(level.text) for level in levels}
    if entity.type is EntityType.QUANTITY and levels and levels[-1].loss == 1:
        texts.add("x")
    if entity.type is EntityType.PERSON:
        identity = Identity(entity.type, number, "", (), MemoryLedger())
        written = (
            Generalise().replace(entity, Decision(entity.id, Action.SUPPRESS, ()), identity).texts
        )
        texts |= {"person"} if all(written) else set()
    return frozenset(texts)


def build_row(name: str, found: list[Replacement]) -> list[Any]:
    chosen = [r for r in found if r.words]
    said = estimate_rate(sum(bool(r.words & r.levels) for r in chosen), len(chosen))
    ended = estimate_rate(
        sum(NOTHING in r.choices or bool(r.words & r.levels) for r in found), len(found)
    )
    offered = estimate_rate(sum(bool(r.levels) for r in found), len(found))
    return [
        name,
        len(chosen),
        figures.describe_score(said),
        len(found),
        figures.describe_score(ended),
        figures.describe_score(offered),
    ]


def show(table: list[list[Any]]) -> None:
    print(
        f"{'type':20}{'words chosen':>13}{'matched':>24}{'all':>6}{'matched or nothing':>24}{'has a ladder':>24}"
    )
    for name, chosen, said, n, ended, offered in table:
        print(
            f"{name:20}{chosen:>13}{_format_share(said):>24}{n:>6}{_format_share(ended):>24}{_format_share(offered):>24}"
        )


def _format_share(cell: dict[str, float] | None) -> str:
    return (
        "unavailable"
        if cell is None
        else f"{cell['value']:.3f} [{cell['low']:.3f}, {cell['high']:.3f}]"
    )


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--corpus", type=Path)
    args = parser.parse_args()
    path = args.corpus or figures.require_source(args.data, CORPUS)
    found = list(read_replacements(path))
    table = [
        build_row(kind, [r for r in found if r.kind is kind])
        for kind in EntityType
        if any(r.kind is kind for r in found)
    ]
    table.append(build_row("all", found))
    others = [r for r in found if r.kind is not EntityType.PERSON]
    table.append(build_row("all but PERSON", others))
    table.append(build_row("of these, held back", [r for r in others if r.is_held]))
    show(table)
    figures.save_figure(
        args.json,
        figures.build_figure(
            "Replacements of biographies: a level of our ladder is what a human chose",
            "python benchmarks/generalise.py --data $MASKWISE_DATA --json docs/figures/generalise.json",
            ["type", "words chosen", "matched", "all", "matched or nothing", "has a ladder"],
            table,
            files=[path],
            note="Wilson intervals over mentions, which are not independent: entities repeat. This is development "
            "data: the ladders were mended on half of the documents. Of the other half only the share was seen.",
        ),
    )


if __name__ == "__main__":
    main()
