"""Build the six domain files from their marked-up sources, so that every offset is computed and none is typed.

Markup (`source/<domain>.txt`)::

    === email-01                              a document begins: its id
    person: Ana Souza                         whom to protect
    allow: May; rose                          words that may stand unmarked although an entity is written so (optional)

    {{Ana Souza|PERSON|DIRECT|ana}} wrote ... first mention: text, type, identifier type; then, where needed, an id
    {{Ana|ana}} ...                           another way to write an entity: text, id
    {{Ana}} ...                               the text of an earlier mention again: no more is needed
    {{asthma|DEM|QUASI|HEALTH}}               a confidential status can be added to a first mention

The build fails where the markup is inconsistent or where an entity, or a word of the protected person's name, stands
unmarked elsewhere in its document. Run `python tests/data/domains/build.py` to write the JSON and print the counts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOMAINS = ("email", "clinical", "chat", "cv", "news", "letter")
TYPES = ("PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC")
IDENTIFIERS = ("DIRECT", "QUASI", "NO_MASK")
CONFIDENTIAL = ("BELIEF", "POLITICS", "SEX", "ETHNIC", "HEALTH", "NOT_CONFIDENTIAL")

_DOCUMENT = re.compile(
    r"^=== (?P<id>\S+)\n(?P<head>(?:\w+: [^\n]*\n)+)\n(?P<body>.*?)(?=^=== |\Z)", re.M | re.S
)
_MARK = re.compile(r"\{\{([^{}|]+)((?:\|[^{}|]+)*)\}\}")
_NAME_WORD = re.compile(r"[^\W\d_]{3,}")


class MarkupError(ValueError):
    """A source breaks the rules of the markup; the message says which document and which mark."""


@dataclass(frozen=True)
class Entity:
    """What all mentions of one thing share."""

    number: int
    type: str
    identifier: str
    confidential: str


@dataclass
class Entities:
    """The entities of one document so far, found by id or by the exact text of an earlier mention."""

    doc_id: str
    by_id: dict[str, Entity] = field(default_factory=dict)
    by_text: dict[str, Entity] = field(default_factory=dict)
    count: int = 0

    def resolve(self, text: str, labels: list[str]) -> Entity:
        """The entity a mark speaks of: a new one where the mark has a type, otherwise an earlier one."""
        types, identifiers, confidential = (
            [x for x in labels if x in names] for names in (TYPES, IDENTIFIERS, CONFIDENTIAL)
        )
        ids = [x for x in labels if not x.isupper()]
        if (
            len(types) + len(identifiers) + len(confidential) + len(ids) != len(labels)
            or len(ids) > 1
        ):
            raise MarkupError(f"{self.doc_id}: mark {text!r} has an unknown label")
        if types or identifiers:
            if len(types) != 1 or len(identifiers) != 1 or len(confidential) > 1:
                raise MarkupError(
                    f"{self.doc_id}: mark {text!r} needs one type and one identifier type"
                )
            if text in self.by_text or (ids and ids[0] in self.by_id):
                raise MarkupError(
                    f"{self.doc_id}: mark {text!r} describes an entity that is described already"
                )
            self.count += 1
            entity = Entity(
                self.count, types[0], identifiers[0], (confidential or ["NOT_CONFIDENTIAL"])[0]
            )
            self.by_id.update(dict.fromkeys(ids, entity))
        else:
            found = self.by_id.get(ids[0]) if ids else self.by_text.get(text)
            if found is None or confidential:
                raise MarkupError(
                    f"{self.doc_id}: mark {text!r} repeats an entity that was not described before"
                )
            entity = found
        if self.by_text.setdefault(text, entity) is not entity:
            raise MarkupError(f"{self.doc_id}: mark {text!r} stands for two entities")
        return entity


def parse(doc_id: str, body: str) -> tuple[str, list[dict[str, Any]]]:
    """The plain text of a marked-up body, and its mentions in TAB's words."""
    entities, mentions, parts, length, last = Entities(doc_id), [], [], 0, 0
    for number, match in enumerate(_MARK.finditer(body), 1):
        span = match[1]
        if span != span.strip() or "\n" in span:
            raise MarkupError(f"{doc_id}: mark {span!r} has white space at an end or spans lines")
        entity = entities.resolve(span, match[2].split("|")[1:])
        parts += [body[last : match.start()], span]
        length += match.start() - last
        mentions.append(
            {
                "entity_type": entity.type,
                "entity_mention_id": f"{doc_id}_m{number}",
                "start_offset": length,
                "end_offset": length + len(span),
                "span_text": span,
                "identifier_type": entity.identifier,
                "entity_id": f"{doc_id}_e{entity.number}",
                "confidential_status": entity.confidential,
            }
        )
        length, last = length + len(span), match.end()
    text = "".join(parts) + body[last:]
    if any(x in text for x in ("{{", "}}", "|PERSON", "|DIRECT", "|QUASI")):
        raise MarkupError(f"{doc_id}: a mark is not closed or not well formed")
    return text, mentions


def forgotten(
    text: str, mentions: list[dict[str, Any]], person: str, allowed: set[str]
) -> list[str]:
    """Strings of entities, and words of the protected person's name, that stand in `text` outside every mention."""
    spans = [(m["start_offset"], m["end_offset"]) for m in mentions]
    strings = {m["span_text"].casefold() for m in mentions} | {
        w.casefold() for w in _NAME_WORD.findall(person)
    }
    return [
        string
        for string in sorted(strings - allowed)
        for match in re.finditer(rf"(?<!\w){re.escape(string)}(?!\w)", text, re.IGNORECASE)
        if not any(start < match.end() and match.start() < end for start, end in spans)
    ]


def build(domain: str, source: str) -> list[dict[str, Any]]:
    """The documents of one source as TAB standoff records."""
    documents, end = [], 0
    for match in _DOCUMENT.finditer(source):
        if source[end : match.start()].strip():
            raise MarkupError(f"{domain}: text before {match['id']} belongs to no document")
        end, doc_id = match.end(), match["id"]
        head = dict(line.split(": ", 1) for line in match["head"].splitlines())
        text, mentions = parse(doc_id, match["body"].strip())
        allowed = {x.strip().casefold() for x in head.pop("allow", "").split(";")}
        person = head.pop("person", "")
        if head or not person:
            raise MarkupError(f"{doc_id}: the head takes 'person' and, if need be, 'allow'")
        if left := forgotten(text, mentions, person, allowed):
            raise MarkupError(f"{doc_id}: unmarked elsewhere: {', '.join(left)}")
        documents.append(
            {
                "doc_id": doc_id,
                "text": text,
                "dataset_type": "domains",
                "meta": {"domain": domain},
                "task": f"Task: Annotate the document to anonymise the following person: {person}",
                "annotations": {"gold": {"entity_mentions": mentions}},
            }
        )
    if source[end:].strip():
        raise MarkupError(f"{domain}: text at the end belongs to no document")
    return documents


def render(domain: str) -> str:
    """The JSON text of one domain."""
    source = (HERE / "source" / f"{domain}.txt").read_text(encoding="utf-8")
    return json.dumps(build(domain, source), ensure_ascii=False, indent=1) + "\n"


def table(documents: list[dict[str, Any]]) -> str:
    """Mentions by type and identifier type, as a Markdown table."""
    mentions = [m for d in documents for m in d["annotations"]["gold"]["entity_mentions"]]
    counts = Counter((m["entity_type"], m["identifier_type"]) for m in mentions)
    rows = [(name, [counts[name, i] for i in IDENTIFIERS]) for name in TYPES]
    rows.append(("all", [sum(column) for column in zip(*(row for _, row in rows), strict=True)]))
    head = [f"| type | {' | '.join(IDENTIFIERS)} | all |", "|---|---:|---:|---:|---:|"]
    return "\n".join(
        head + [f"| {name} | {' | '.join(map(str, row))} | {sum(row)} |" for name, row in rows]
    )


def main() -> None:
    """Write the JSON of every domain and print the counts."""
    documents: list[dict[str, Any]] = []
    for domain in DOMAINS:
        rendered = render(domain)
        (HERE / f"{domain}.json").write_text(rendered, encoding="utf-8")
        documents += json.loads(rendered)
    entities = {
        m["entity_id"] for d in documents for m in d["annotations"]["gold"]["entity_mentions"]
    }
    print(
        f"{len(documents)} documents, {sum(len(d['text'].split()) for d in documents)} words, {len(entities)} entities"
    )
    print(table(documents))


if __name__ == "__main__":
    main()
