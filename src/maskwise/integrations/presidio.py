"""A recogniser for Presidio's analyzer over the detectors and the linker of a policy. Needs the extra `[presidio]`.

It reads English and ignores what Presidio's language models know (`nlp_artifacts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from maskwise.errors import InputError
from maskwise.integrations import require_library
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Entity, EntityType, Mention

require_library("presidio_analyzer", "presidio")

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult  # noqa: E402 - the check comes first

# Types without a name in Presidio keep ours: CODE, DEM, QUANTITY, MISC.
TYPES: Mapping[EntityType, str] = {
    **{kind: kind.value for kind in EntityType},
    EntityType.LOC: "LOCATION",
    EntityType.ORG: "ORGANIZATION",
    EntityType.DATETIME: "DATE_TIME",
}
# Subtypes that mean the same as a name of Presidio. They take precedence over the type.
SUBTYPES: Mapping[str, str] = {
    "age": "AGE",
    **dict.fromkeys(("nationality", "ethnicity", "religion"), "NRP"),
    **dict.fromkeys(("email", "email_quoted", "email_spelt"), "EMAIL_ADDRESS"),
    **dict.fromkeys(("phone", "phone_international"), "PHONE_NUMBER"),
    **dict.fromkeys(("url", "url_bare", "url_www"), "URL"),
    **dict.fromkeys(("ipv4", "ipv6"), "IP_ADDRESS"),
    **dict.fromkeys(("mac", "mac_dotted", "mac_hyphen"), "MAC_ADDRESS"),
    **dict.fromkeys(("iban", "iban_lower"), "IBAN_CODE"),
    **dict.fromkeys(("bitcoin", "bitcoin_bech32", "ethereum"), "CRYPTO"),
    "card": "CREDIT_CARD",
    "uuid": "UUID",
    "au_medicare": "AU_MEDICARE",
    "au_tfn": "AU_TFN",
    "ca_sin": "CA_SIN",
    "de_idnr": "DE_TAX_ID",
    "es_dni": "ES_NIF",
    "es_nie": "ES_NIE",
    "fi_hetu": "FI_PERSONAL_IDENTITY_CODE",
    "gb_nhs": "UK_NHS",
    "gb_nino": "UK_NINO",
    "in_aadhaar": "IN_AADHAAR",
    "in_pan": "IN_PAN",
    "it_codice_fiscale": "IT_FISCAL_CODE",
    "kr_rrn": "KR_RRN",
    "pl_pesel": "PL_PESEL",
    "se_personnummer": "SE_PERSONNUMMER",
    "sg_nric": "SG_NRIC_FIN",
    "th_pin": "TH_TNIN",
    "tr_kimlik": "TR_NATIONAL_ID",
    "us_itin": "US_ITIN",
    "us_ssn": "US_SSN",
    "za_id": "ZA_ID_NUMBER",
}
ENTITIES = tuple(dict.fromkeys([*TYPES.values(), *SUBTYPES.values()]))


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
        named = [(mention, _choose_name(mention)) for mention in mentions]
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


def _choose_name(m: Mention) -> str:
    return SUBTYPES.get(m.subtype, TYPES[m.type])
