"""A component for spaCy: `nlp.add_pipe("maskwise")`. Needs the extra `[spacy]`.

`doc._.maskwise` is the result as JSON, which spaCy stores with the document. `doc._.masked` is the masked text.
`doc.spans["maskwise"]` has one span per mention, with its type as label and its entity's id as id. `span._.maskwise` is
that entity with its exact offsets, decision, replacement and reasons. A span covers whole tokens, so it may be wider.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from maskwise.api import sanitize
from maskwise.integrations import require_library
from maskwise.policy import Policy

require_library("spacy", "spacy")

from spacy.language import Language  # noqa: E402 - the check comes first
from spacy.tokens import Doc, Span  # noqa: E402

NAME = "maskwise"


@dataclass(frozen=True)
class Component:
    """Masks each document. It holds no model, so spaCy can copy it to other processes."""

    policy: str
    protect: tuple[str, ...]
    spans_key: str

    def __call__(self, doc: Doc) -> Doc:
        result = sanitize(doc.text, protect=self.protect, policy=self.policy)
        doc._.set(NAME, result.to_json())
        doc.spans[self.spans_key] = [
            doc.char_span(
                m.start, m.end, label=entity.type.value, span_id=entity.id, alignment_mode="expand"
            )
            for entity in result.findings
            for m in entity.mentions
        ]
        return doc


@Language.factory(  # type: ignore[untyped-decorator]  # an untyped library
    NAME,
    default_config={"policy": "balanced", "protect": [], "spans_key": NAME},
    assigns=["doc.spans", f"doc._.{NAME}", "doc._.masked", f"span._.{NAME}"],
)
def make_component(
    nlp: Language, name: str, policy: str, protect: Iterable[str], spans_key: str
) -> Component:
    """Build the component from a policy's name or file, names of people to protect and the key of the spans."""
    Policy.load(policy)  # a wrong policy fails now, not with the first document
    return Component(policy, tuple(protect), spans_key)


def _get_masked(doc: Doc) -> str | None:
    found = doc._.get(NAME)
    return found["masked"] if found else None


def _get_entity(span: Span) -> dict[str, Any] | None:
    found = span.doc._.get(NAME) if span.doc is not None else None
    entities = found["entities"] if found else ()
    return next((entity for entity in entities if entity["id"] == span.id_), None)


Doc.set_extension(NAME, default=None, force=True)
Doc.set_extension("masked", getter=_get_masked, force=True)
Span.set_extension(NAME, getter=_get_entity, force=True)
