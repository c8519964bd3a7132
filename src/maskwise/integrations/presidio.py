"""A recogniser for Presidio's analyzer over the detectors and the linker of a policy. Needs the extra `[presidio]`.

It reads English and ignores what Presidio's language models know (`nlp_artifacts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

from maskwise.errors import InputError
from maskwise.integrations import require_library
from maskwise.integrations.presidio_names import ENTITIES, SUBTYPES, TYPES, choose_name
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Entity, Mention

__all__ = ["ENTITIES", "SUBTYPES", "TYPES", "MaskwiseRecognizer"]

require_library("presidio_analyzer", "presidio")

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult  # noqa: E402 - the check comes first


class MaskwiseRecognizer(EntityRecognizer):  # type: ignore[misc]  # an untyped library
    """Finds what a policy's detectors find, or with `decided` only what the policy masks."""

    def __init__(
        self,
        policy: Policy | str = "balanced",
        *,
        decided: bool = False,
        supported_entities: Sequence[str] = ENTITIES,
        supported_language: str = "en",
        name: str = "MaskwiseRecognizer",
        **settings: Any,
    ) -> None:
        if supported_language != "en":
            raise InputError(f"{name}: reads English ('en'), not {supported_language!r}")
        if unknown := set(supported_entities) - set(ENTITIES):
            raise InputError(
                f"{name}: finds no {', '.join(sorted(unknown))}; it has {', '.join(ENTITIES)}"
            )
        self._policy, self._decided = policy, decided
        settings.setdefault("version", version("maskwise"))
        super().__init__(list(supported_entities), name, supported_language, **settings)

    def load(self) -> None:
        """Load the policy. Presidio calls this once."""
        self._sanitizer = Sanitizer(self._policy)

    def analyze(
        self, text: str, entities: Sequence[str], nlp_artifacts: object = None
    ) -> list[RecognizerResult]:
        """Find the mentions whose Presidio name is among `entities`, or all supported ones if none is named."""
        wanted = set(entities or self.supported_entities) & set(self.supported_entities)
        mentions = [mention for entity in self._find_entities(text) for mention in entity.mentions]
        mentions.sort(key=lambda mention: mention.span)
        named = [(mention, choose_name(mention)) for mention in mentions]
        return [self._build_result(mention, name) for mention, name in named if name in wanted]

    def _find_entities(self, text: str) -> Iterator[Entity]:
        if not self._decided:
            found = self._sanitizer.entities(text)
            yield from (entity for entity in found if not entity.is_candidate)
            return
        result = self._sanitizer.sanitize(text)
        yield from (entity for entity in result.entities if result.plan.by_entity[entity.id].masked)

    def _build_result(self, m: Mention, name: str) -> RecognizerResult:
        score = 1.0 if m.certain else m.score
        kind = f"{m.type} ({m.subtype})" if m.subtype else m.type.value
        found_by = f"{kind}, found by {m.source}"
        explanation = AnalysisExplanation(self.name, score, textual_explanation=found_by)
        metadata = {
            RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
            RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
        }
        return RecognizerResult(name, m.start, m.end, score, explanation, metadata)
